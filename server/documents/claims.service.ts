import { type RawBuilder, sql } from 'kysely'
import type { Claim } from '../../contract/documents.ts'

/**
 * Where a progress or final invoice stands in its contract: as it was frozen when issued, and of a draft as it stands
 * now. Null when it claims the whole contract at once, and for hire, which may go on beyond what the contract names.
 */
export const claimOf = (i: string): RawBuilder<Claim | null> => {
  const column = (name: string) => sql.ref(`${i}.${name}`)
  const earlier = sql`select coalesce(sum(e.total_cents + e.deposit_applied_cents), 0) from invoices e
    where e.order_guid = ${column('orderGuid')} and e.kind in ('progress', 'final') and e.status = 'issued'`
  return sql<Claim | null>`case when ${column('status')} not in ('draft',
    'scheduled') then ${column('snapshot')} -> 'claim'
    when ${column('kind')} in ('progress', 'final') then (select case when ${column('kind')} = 'final'
    and before.cents = 0 or exists (select from hire_bills b where b.invoice_guid = ${column('guid')}) then null
      else json_build_object('contractCents', o.total_cents, 'earlierCents', before.cents, 'thisCents',
      ${column('totalCents')} + ${column('depositAppliedCents')})::jsonb end
      from orders o cross join lateral (${earlier}) before(cents) where o.guid = ${column('orderGuid')}) end`
}
