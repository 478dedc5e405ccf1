import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingSelection, bookingSelectionsApi } from '../../contract/booking-selections.ts'
import type { OptionDefinition } from '../../contract/booking-options.ts'
import { maxTotalled } from '../../contract/booking-selections.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows, rowCondition } from '../core/db/rows.ts'
import { readable } from '../core/http/permission.ts'
import { dayStart, isIn, type Reach, zoneIn } from '../core/reach.ts'
import { userName } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

/** Quotes that count no more: turned down, called off, replaced by a revision, or become an order. */
const pastQuotes = ['declined', 'cancelled', 'superseded', 'converted']

/** Whether the caller may read the document of an answer. */
function isReadable(ctx: Ctx, noun: 'Quotes' | 'Orders', alias: 'q' | 'o'): RawBuilder<boolean> {
  const rows = readable(ctx.actor, noun, 'All')
  return rows === 'none' ? sql<boolean>`false` : rowCondition({ actor: ctx.actor, rows }, rowColumns(ctx, noun, alias))
}

export type SelectionFilters = Omit<
  z.output<typeof bookingSelectionsApi.list.query>,
  'page' | 'size' | 'sort' | 'after'
>

/** The answers of some businesses on documents in force that the caller may read. */
export function foundSelections(ctx: Ctx, reach: Reach, f: SelectionFilters) {
  const timeZone = zoneIn(reach, 's.businessGuid')
  const ofBusiness = applyRows(ctx, ctx.db.selectFrom('bookingSelections as s'), { business: 's.businessGuid' })
    .leftJoin('quotes as q', 'q.guid', 's.quoteGuid')
    .leftJoin('orders as o', 'o.guid', 's.orderGuid')
    .where(isIn(reach, 's.businessGuid'))
    .where(
      sql<boolean>`case when q.guid is not null
        then q.archived_at is null and not (q.status = any(${pastQuotes}::text[])) and ${isReadable(ctx, 'Quotes', 'q')}
        else o.archived_at is null and o.status <> 'cancelled' and ${isReadable(ctx, 'Orders', 'o')} end`,
    )
  const { option, product, 'answeredOn.gte': from, 'answeredOn.lte': to } = f
  const ofOption = option ? ofBusiness.where('s.optionGuid', '=', option) : ofBusiness
  const ofProduct = product ? ofOption.where('s.productGuid', '=', product) : ofOption
  const since = from ? ofProduct.where('s.answeredAt', '>=', dayStart(from, timeZone)) : ofProduct
  return to ? since.where('s.answeredAt', '<', dayStart(to, timeZone, 1)) : since
}

const document = sql<BookingSelection['document']>`case when q.guid is not null
  then json_build_object('noun', 'Quotes', 'guid', q.guid, 'label', coalesce(q.number, q.title))
  else json_build_object('noun', 'Orders', 'guid', o.guid, 'label', o.number) end`

/** What the question is called today in each language, and its choices. */
const wordingToday = sql<OptionWording | null>`(select json_build_object('label', b.label, 'choices', b.choices)
  from booking_options b where b.guid = s.option_guid)`

/** What a list shows of each; `ofOrders` is whether amounts of orders are shown. */
export const shownSelections = (found: ReturnType<typeof foundSelections>, ofOrders: boolean) =>
  found
    .innerJoin('parties as c', (join) =>
      join.on(sql<boolean>`c.member_guid = coalesce(q.customer_guid, o.customer_guid)`),
    )
    .leftJoin('users as u', 'u.guid', 's.userGuid')
    .select([
      's.guid',
      's.businessGuid',
      's.optionGuid',
      's.optionCode',
      's.label',
      's.value',
      's.choices',
      's.minutes',
      's.answeredBy',
      's.answeredAt',
      userName<string | null>('u').as('userName'),
      sql<number | null>`case when q.guid is not null or ${ofOrders} then s.cents end`.as('cents'),
      document.as('document'),
      wordingToday.as('today'),
      'c.memberGuid as customerGuid',
      'c.displayName as customerName',
    ])

interface Total {
  optionCode: string
  label: string
  /** Of the option as it is today; null where it is gone. */
  optionGuid: string | null
  code: string | null
  choice: string | null
  count: number
  cents: number
}

/** How often each choice was made, of the newest answers; `read` is how many these are. */
export async function totalsOf(ctx: Ctx, found: ReturnType<typeof foundSelections>, ofOrders: boolean) {
  const newest = found
    .select(['s.guid', 's.optionCode', 's.optionGuid', 's.label', 's.choices', 's.value', 's.answeredAt'])
    .select(sql<boolean>`q.guid is not null or ${ofOrders}`.as('isShown'))
    .orderBy('s.answeredAt', 'desc')
    .limit(maxTotalled + 1)
  const { rows } = await sql<Total & { read: number }>`with newest as (${newest}),
    read as (select count(*)::int as read from newest)
    select n.option_code, max(n.label) as label, max(n.option_guid::text) as option_guid,
      chosen.code, max(chosen.label) as choice, count(*)::int as count,
      case when bool_and(n.is_shown) then coalesce(sum(chosen.cents), 0)::bigint end as cents,
      (select read from read) as read
    from newest n left join lateral (select one ->> 'code' as code, one ->> 'label' as label,
      (one ->> 'cents')::bigint as cents from jsonb_array_elements(n.choices) one
      where not (n.value ? 'fileGuid')) chosen on true
    group by n.option_code, chosen.code order by n.option_code, count(*) desc, chosen.code`.execute(ctx.db)
  return rows
}

/** What options are called in each language, and their choices. */
export async function wordingsOf(ctx: Ctx, guids: readonly string[]) {
  if (guids.length === 0) return new Map<string, OptionWording>()
  const rows = await ctx.db
    .selectFrom('bookingOptions')
    .select(['guid', 'label', 'choices'])
    .where('guid', 'in', guids)
    .execute()
  return new Map(rows.map(({ guid, label, choices }): [string, OptionWording] => [guid, { label, choices }]))
}
export type OptionWording = Pick<OptionDefinition, 'label' | 'choices'>
