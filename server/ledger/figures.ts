import { sql } from 'kysely'
import { check, money } from './check.ts'

/** The sums tiles and boards read, against the records they are sums of. */
export const figureCheck = check(
  'FIGURES',
  'Figures',
  sql`select business_guid as guid, null::text as number, 'The sum of ' || measure || rtrim(' ' || stream) || case
    when day = 'infinity' then '' else ' of ' || day end || ' says ' || ${money('kept_cents')} || ' in ' || kept_count
      || ', its records come to ' || ${money('cents')} || ' in ' || count as message
    from (
      select business_guid, measure, stream, day, sum(cents) as cents, sum(gst_cents) as gst_cents,
        sum(count) as count, sum(kept_cents) as kept_cents, sum(kept_gst_cents) as kept_gst_cents,
        sum(kept_count) as kept_count
      from (
        select business_guid, measure, stream, day, cents, gst_cents, count, 0 as kept_cents, 0 as kept_gst_cents,
          0 as kept_count from figure_sources
        union all select business_guid, measure, stream, day, 0, 0, 0, cents, gst_cents, count from figures
      ) told group by 1, 2, 3, 4
    ) sums where cents <> kept_cents or gst_cents <> kept_gst_cents or count <> kept_count
    order by measure, stream, day`,
)

/** Until when something is held of payments and deposits: what says it ended too early would hide it from reports. */
export const heldCheck = check(
  'HELD',
  'Figures',
  sql`select coalesce(k.guid, s.guid) as guid, null::text as number, 'A ' || coalesce(s.kind, k.kind) ||
      ' is said to be held until ' || coalesce(k.until_on::text, 'no day') || ', by its records until ' ||
      coalesce(s.until_on::text, 'no day') as message
    from held_sources s full join held_money k on k.guid = s.guid
    where (k.entity_guid, k.kind, k.until_on) is distinct from (s.entity_guid, s.kind, s.until_on)
      -- What nothing moved any more needs no row.
      and not (s.guid is null and held_until(k.guid, k.kind) is null)`,
)
