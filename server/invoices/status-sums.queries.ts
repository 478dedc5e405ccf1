import { type RawBuilder, sql } from 'kysely'
import { owingInvoiceStatuses } from '../../contract/invoices.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { addedTotals, areAll, figuresOf, keptTotals } from '../core/figures.ts'
import { dayIn, guidsOf, isIn, type Reach } from '../core/reach.ts'
import { laterCents, overdueCents } from '../documents/instalments.service.ts'
import { displayStatusOf, keptStatusOf } from '../documents/statuses.service.ts'
import { foundInvoices } from './invoices.queries.ts'

/** Of what waits for money its part that is owed; of what is overdue its part that is. */
const counted = (today: RawBuilder<string>) => sql<number>`case when i.base_status not in
  (${sql.join(owingInvoiceStatuses.map((status) => sql.lit(status)))}) then i.total_cents
  when i.due_on < ${today}::date then ${overdueCents('i', today)} else i.balance_cents end`

/**
 * Count and amount per display status, the same rows as a list by that status: of what waits for money, the part that
 * is owed, and of what is overdue, the part that is.
 */
export const sumByStatus = (ctx: Ctx, reach: Reach) =>
  areAll(guidsOf(reach), ctx) ? keptByStatus(ctx.db, reach) : addedByStatus(ctx, reach)

/** Only what is owed has a day. It is kept as a whole, of which what is paid in parts may not all be due yet. */
const keptByStatus = (db: Db, reach: Reach) => {
  const today = dayIn(reach, 'i.businessGuid')
  const kept = figuresOf(db, guidsOf(reach), 'invoices')
    .select([keptStatusOf('Invoices', dayIn(reach, 'businessGuid')).as('displayStatus'), ...keptTotals])
    .groupBy(sql`1`)
  const notDue = db
    .selectFrom('invoices as i')
    .where('i.guid', 'in', db.selectFrom('invoiceInstalments').select('invoiceGuid'))
    .where(isIn(reach, 'i.businessGuid'))
    .where('i.baseStatus', 'in', owingInvoiceStatuses)
    .where(sql<boolean>`i.due_on < ${today}::date`)
    .select(sql<number>`coalesce(sum(${laterCents('i', today)}), 0)`.as('cents'))
  return db
    .selectFrom(kept.as('k'))
    .select([
      'k.displayStatus',
      'k.count',
      sql<number>`(k.total_cents - case k.display_status when 'overdue' then (${notDue}) else 0 end)::bigint`.as(
        'totalCents',
      ),
    ])
    .execute()
}

const addedByStatus = (ctx: Ctx, reach: Reach) => {
  const today = dayIn(reach, 'i.businessGuid')
  return foundInvoices(ctx, {})
    .where(isIn(reach, 'i.businessGuid'))
    .select([
      sql<string>`${displayStatusOf('Invoices', 'i', today)}`.as('displayStatus'),
      ...addedTotals(counted(today)),
    ])
    .groupBy(sql`1`)
    .execute()
}
