import { type Selectable, sql } from 'kysely'
import type { Ctx, Db } from '../core/ctx.ts'
import type { Customers } from '../core/db/schema-business.ts'
import { ofFamily } from '../core/family.ts'
import { visibleCustomers } from './customers.queries.ts'

export type CustomerRow = Selectable<Customers>
export interface TermsRow {
  customerGuid: string
  businessGuid: string
  termsDays: number | null
  limitCents: number | null
  isOnHold: boolean
  holdReason: string | null
  discountBp: number
  priceListGuid: string | null
}

/** Some customers by themselves, not by who is kept of their families. */
export const findRows = (ctx: Ctx, guids: readonly string[]): Promise<CustomerRow[]> =>
  visibleCustomers(ctx)
    .selectAll('c')
    .where('c.guid', 'in', [...guids])
    .execute()

/** The same, locked in the order of their guids, so that two merges never wait for each other in a circle. */
export const lockRows = (ctx: Ctx, guids: readonly string[]): Promise<CustomerRow[]> =>
  visibleCustomers(ctx)
    .selectAll('c')
    .where('c.guid', 'in', [...guids])
    .orderBy('c.guid')
    .forUpdate('c')
    .execute()

export const findTerms = (db: Db, guids: readonly string[]): Promise<TermsRow[]> =>
  db
    .selectFrom('customerTerms')
    .selectAll()
    .where('customerGuid', 'in', [...guids])
    .execute()

/** What was made for a family, and what it is: all of this stays where it is. */
export async function countsOf(db: Db, keeper: string) {
  const { rows } = await sql<
    Record<'quotes' | 'orders' | 'invoices' | 'payments' | 'messages' | 'contacts' | 'sites', number>
  >`select (select count(*) from quotes q where ${ofFamily('q', 'c.guid')})::int as quotes,
    (select count(*) from orders o where ${ofFamily('o', 'c.guid')})::int as orders,
    (select count(*) from invoices i where ${ofFamily('i', 'c.guid')})::int as invoices,
    (select count(*) from payments p where ${ofFamily('p', 'c.guid')})::int as payments,
    (select count(*) from messages m where ${ofFamily('m', 'c.guid')})::int as messages,
    (select count(*) from contact_links l where ${ofFamily('l', 'c.guid')} and l.ended_at is null)::int as contacts,
    (select count(*) from sites s where ${ofFamily('s', 'c.guid')} and s.archived_at is null)::int as sites
    from customers c where c.guid = ${keeper}::uuid`.execute(db)
  return rows[0] ?? { quotes: 0, orders: 0, invoices: 0, payments: 0, messages: 0, contacts: 0, sites: 0 }
}

/** The merge after this one that has to be undone first, by the name of the other customer in it. */
export async function laterMerge(
  db: Db,
  merge: { guid: string; keepGuid: string; fromGuid: string; mergedAt: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select
      case when m.keep_guid = ${merge.keepGuid}::uuid then f.display_name else k.display_name end as name
    from customer_merges m join customers f on f.guid = m.from_guid join customers k on k.guid = m.keep_guid
    where m.undone_at is null and m.merged_at > (select merged_at from customer_merges where guid = ${merge.guid}::uuid)
      and ${merge.keepGuid}::uuid in (m.keep_guid, m.from_guid)
    order by m.merged_at desc limit 1`.execute(db)
  return rows[0]?.name
}
