import { daysBetween } from '../../contract/core/dates.ts'
import type { StageDue } from '../../contract/stages.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { keeperOf } from '../core/family.ts'

/** The customer's terms, else the business's, and what the business writes on its invoices. */
export async function termsOf(
  ctx: Pick<Ctx, 'db'>,
  businessGuid: string,
  customerGuid: string,
): Promise<{ termsDays: number; notes: string | null }> {
  const row = await ctx.db
    .selectFrom('businesses as b')
    .leftJoin('customerTerms as t', (join) =>
      join.onRef('t.businessGuid', '=', 'b.guid').on('t.customerGuid', '=', keeperOf(customerGuid)),
    )
    .select(['b.defaultTermsDays', 'b.invoiceNotes', 't.termsDays'])
    .where('b.guid', '=', businessGuid)
    .executeTakeFirstOrThrow()
  return { termsDays: row.termsDays ?? row.defaultTermsDays, notes: row.invoiceNotes }
}

/** A stage that names a day is owed on that day, as the customer agreed; at once when it has passed. */
export async function termsOfStage(
  ctx: Ctx,
  { businessGuid, customerGuid }: { businessGuid: string; customerGuid: string },
  due: StageDue | undefined,
): Promise<Awaited<ReturnType<typeof termsOf>>> {
  const terms = await termsOf(ctx, businessGuid, customerGuid)
  if (due?.type !== 'day') return terms
  return { ...terms, termsDays: Math.max(0, daysBetween(today(ctx.business, ctx.now), due.on)) }
}
