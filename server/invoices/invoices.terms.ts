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
