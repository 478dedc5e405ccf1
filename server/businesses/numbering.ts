import type { businessesApi } from '../../contract/businesses.ts'
import { invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Ctx } from '../core/ctx.ts'
import { countNumbersFrom, lockCounters } from './businesses.queries.ts'

type Numbering = NonNullable<Input<(typeof businessesApi)['update']>['numbering']>

/** Numbers only move forward, and never to one that a document wears already. */
export async function moveNumbers(ctx: Ctx, businessGuid: string, numbering: Numbering) {
  const counters = await lockCounters(ctx.db, businessGuid)
  for (const [i, wanted] of numbering.entries()) {
    const counter = counters.find((c) => c.kind === wanted.kind)
    if (!counter) throw invalid(`numbering.${i}.kind`, 'This can’t be numbered.')
    const isSame = counter.prefix === wanted.prefix && counter.next === wanted.next
    if (counter.prefix === wanted.prefix && wanted.next < counter.next)
      throw invalid(`numbering.${i}.next`, `Enter ${counter.next} or more. Numbers are never reused.`)
    if (!isSame && (await countNumbersFrom(ctx.db, businessGuid, wanted.kind, wanted.prefix, wanted.next)))
      throw invalid(`numbering.${i}.next`, 'A document already has that number. Choose a higher one.')
    const shares = numbering.some(
      (other, j) => j !== i && sharesTable(other.kind, wanted.kind) && other.prefix === wanted.prefix,
    )
    if (
      shares ||
      counters.some(
        (c) =>
          c.kind !== wanted.kind &&
          sharesTable(c.kind, wanted.kind) &&
          c.prefix === wanted.prefix &&
          !numbering.some((n) => n.kind === c.kind),
      )
    ) {
      throw invalid(`numbering.${i}.prefix`, 'Use different prefixes for invoices and adjustment notes.')
    }
    await ctx.db
      .updateTable('numberCounters')
      .set({ prefix: wanted.prefix, padding: wanted.padding, next: wanted.next })
      .where('businessGuid', '=', businessGuid)
      .where('kind', '=', wanted.kind)
      .execute()
  }
}
const invoiceKinds = ['invoice', 'adjustment_note']
const sharesTable = (a: string, b: string) => invoiceKinds.includes(a) && invoiceKinds.includes(b)
