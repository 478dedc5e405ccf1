import { sql } from 'kysely'
import type { ServiceStatement } from '../../contract/service-statements.ts'
import type { Db } from '../core/ctx.ts'
import { inFamily, keeperOf } from '../core/family.ts'
import { instalmentsJson, overdueCents } from '../documents/instalments.service.ts'
import { prepaid } from '../orders/orders.service.ts'
import { linkOf } from '../service-links/service-links.service.ts'
import { documentName, type StatementPage } from '../statements/statements.service.ts'

export type FoundPage = StatementPage & { customerName: string; language: ServiceStatement['customer']['language'] }

/** The page of a statement, with the customer as it is called now. */
export const findStatementPage = (db: Db, guid: string): Promise<FoundPage | undefined> =>
  db
    .selectFrom('statementPages as s')
    .innerJoin('businesses as b', 'b.guid', 's.businessGuid')
    .innerJoin('parties as c', 'c.memberGuid', 's.customerGuid')
    .select(['s.guid', 's.businessGuid', 'b.entityGuid', 's.covers', 'c.displayName as customerName', 'c.language'])
    .select(keeperOf(sql.ref('s.customerGuid')).as('familyGuid'))
    .where('s.guid', '=', guid)
    .executeTakeFirst()

/** The customer's invoices that the page covers and that have a page of their own. */
const covered = (db: Db, { covers, familyGuid }: StatementPage) =>
  db
    .selectFrom('invoices as i')
    .where('i.businessGuid', 'in', covers)
    .where(inFamily('i', familyGuid))
    .where('i.kind', '<>', 'adjustment_note')

/** What of it is owing and can be opened. */
const owing = (db: Db, page: StatementPage) =>
  covered(db, page)
    .innerJoin('serviceLinks as l', (on) =>
      on.onRef('l.recordGuid', '=', 'i.guid').on('l.kind', '=', 'invoice').on('l.revokedAt', 'is', null),
    )
    .where('i.status', '=', 'issued')
    .where('i.balanceCents', '>', 0)

/** What is owing on a day, the oldest due first. */
export const openInvoices = (db: Db, page: StatementPage, on: string) =>
  owing(db, page)
    .select(['l.guid as serviceGuid', 'i.title', 'i.totalCents', 'i.balanceCents'])
    .select(['i.creditedCents', 'i.writtenOffCents', 'i.paidCents', 'i.refundedCents'])
    .select([
      sql<string>`i.number`.as('number'),
      sql<string>`i.issue_on`.as('issueOn'),
      sql<string>`coalesce(i.due_on, i.issue_on)`.as('dueOn'),
      documentName.as('what'),
      instalmentsJson.as('instalments'),
      overdueCents('i', sql`${on}`).as('overdueCents'),
    ])
    .orderBy(sql`coalesce(i.due_on, i.issue_on)`)
    .orderBy('i.number')
    .execute()

export async function owingCents(db: Db, page: StatementPage): Promise<number> {
  const { cents } = await owing(db, page)
    .select(sql<number>`coalesce(sum(i.balance_cents), 0)::bigint`.as('cents'))
    .executeTakeFirstOrThrow()
  return cents
}

/** Which of the page's invoices these links name, whatever has become of them. */
export async function invoicesByLink(
  db: Db,
  page: StatementPage,
  links: readonly string[],
): Promise<Map<string, string>> {
  if (links.length === 0) return new Map()
  const rows = await covered(db, page)
    .select(['i.guid', linkOf('invoice', 'i.guid').as('link')])
    .where('i.status', 'not in', ['draft', 'scheduled'])
    .where('i.guid', 'in', (q) =>
      q
        .selectFrom('serviceLinks')
        .select('recordGuid')
        .where('kind', '=', 'invoice')
        .where('guid', 'in', [...links]),
    )
    .execute()
  return new Map(rows.flatMap(({ guid, link }) => (link ? [[link, guid] as const] : [])))
}

/** Money that came for orders and pays no invoice yet. */
export async function prepaidOn(
  db: Db,
  { covers, familyGuid }: StatementPage,
): Promise<{ number: string; cents: number }[]> {
  const { rows } = await sql<{ number: string; cents: number }>`select o.number, sum(${prepaid})::bigint as cents
    from orders o join payments p on p.order_guid = o.guid
    where o.business_guid = any(${covers}::uuid[]) and ${inFamily('o', familyGuid)}
    group by o.number having sum(${prepaid}) > 0 order by o.number`.execute(db)
  return rows
}

const maxReceipts = 12

/** What was paid on the page, the newest first. */
export const receiptsOf = (db: Db, pageGuid: string) =>
  db
    .selectFrom('payments as p')
    .innerJoin('paymentAttempts as a', 'a.guid', 'p.attemptGuid')
    .select(['p.number', 'p.method', 'p.receivedOn', 'p.amountCents as cents'])
    .select([
      sql<
        ServiceStatement['receipts'][number]['card']
      >`(case when p.card is null then null else json_build_object('brand', p.card ->> 'brand', 'last4',
        p.card ->> 'last4') end)`.as('card'),
      sql<
        ServiceStatement['receipts'][number]['invoices']
      >`(select coalesce(json_agg(json_build_object('number', i.number, 'cents', x.cents)
        order by i.number), '[]'::json)
        from (select invoice_guid, sum(cents) as cents from payment_allocations where payment_guid = p.guid
        group by invoice_guid having sum(cents) > 0) x join invoices i on i.guid = x.invoice_guid)`.as('invoices'),
    ])
    .where('a.statementPageGuid', '=', pageGuid)
    .orderBy('p.createdAt', 'desc')
    .limit(maxReceipts)
    .execute()

/** The payment of the page that is not settled yet. */
export const openAttemptOf = (db: Db, pageGuid: string) =>
  db
    .selectFrom('paymentAttempts')
    .select(['guid', 'status', 'amountCents', 'actionUrl'])
    .where('statementPageGuid', '=', pageGuid)
    .where('status', 'in', ['processing', 'requires_action'])
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Whether a card payment was made on a page. */
export const isPaidOnPage = async (db: Db, attemptGuid: string, pageGuid: string): Promise<boolean> =>
  (await db
    .selectFrom('paymentAttempts')
    .select('guid')
    .where('guid', '=', attemptGuid)
    .where('statementPageGuid', '=', pageGuid)
    .executeTakeFirst()) !== undefined
