import { conflict } from '../../contract/core/errors.ts'
import { isUnissued } from '../../contract/invoice-transitions.ts'
import type { LineKind } from '../../contract/core/money.ts'
import { type SupplyBasis, usualSupply } from '../../contract/supplies.ts'
import type { Ctx } from '../core/ctx.ts'
import { invoicesOf, orderLines, type OrderRow } from './orders.queries.ts'

/**
 * How the GST of an order counts after a change of it, which its lines are saved for. It goes with the lines until
 * somebody decides otherwise, and stays once an invoice is issued.
 */
export async function supplyAfter(
  ctx: Ctx,
  order: OrderRow,
  before: readonly { kind: LineKind; parentLineGuid: string | null }[],
  changed: { lines: unknown; supplyBasis: SupplyBasis | undefined },
): Promise<{ supplyBasis?: SupplyBasis }> {
  const wished = changed.supplyBasis
  if (wished === order.supplyBasis || (wished === undefined && changed.lines === undefined)) return {}
  const isIssued = (await invoicesOf(ctx.db, order.guid)).some(({ status }) => !isUnissued(status))
  if (wished !== undefined) {
    if (isIssued) throw conflict('An invoice of this order is issued, so when its GST counts can’t be changed.')
    return { supplyBasis: wished }
  }
  const { stages } = await ctx.db
    .selectFrom('orderStages')
    .select((q) => q.fn.countAll<number>().as('stages'))
    .where('orderGuid', '=', order.guid)
    .executeTakeFirstOrThrow()
  const count = Number(stages)
  if (isIssued || order.supplyBasis !== usualSupply(before, count)) return {}
  return { supplyBasis: usualSupply(await orderLines(ctx.db, order.guid), count) }
}
