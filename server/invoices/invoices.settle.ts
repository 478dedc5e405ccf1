import { leadsFrom } from '../../contract/core/transitions.ts'
import { forbidden } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import { isUnissued } from '../../contract/invoice-transitions.ts'
import { orderTransitions } from '../../contract/orders.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { asJson } from '../core/records.ts'
import { asRow } from '../documents/lines.service.ts'
import { toUnits } from '../documents/quantities.service.ts'
import { endHire, hireWithin, repriceOrder } from '../orders/hire.service.ts'
import { lockOrder, lockVisibleOrder, recordSettled, replaceSettled, seesAmounts } from '../orders/order.service.ts'
import { putAway } from './invoices.drafts.ts'
import { billedOf, lineDiscountsBilled } from './invoices.queries.ts'
import { settled } from './settle.ts'

/**
 * Before an order is cancelled: its drafts are put away, and its lines fall to what is billed. What was billed stays
 * billed and owed. An order of which nothing was billed stays as it was agreed.
 */
export async function settleOrder(ctx: Ctx, { guid, version }: { guid: string; version: number }) {
  const order = await lockVisibleOrder(ctx, guid, version)
  if (!leadsFrom(orderTransitions, 'cancel', order.status)) return
  const invoices = await ctx.db
    .selectFrom('invoices')
    .select(['guid', 'status', 'kind'])
    .where('orderGuid', '=', guid)
    .where('archivedAt', 'is', null)
    .where('status', '<>', 'void')
    .where('kind', '<>', 'adjustment_note')
    .orderBy('guid')
    .execute()
  const day = today(await ctx.workFor(order.businessGuid), ctx.now)
  if (invoices.length === 0) return endHire(ctx, order, day, { isBilled: false })
  if (!seesAmounts(ctx)) throw forbidden('This order has invoices. Ask the office to cancel it.')
  for (const draft of invoices.filter(({ status }) => isUnissued(status))) await putAway(ctx, draft.guid)
  const isBilled = invoices.some(({ status }) => !isUnissued(status))
  await endHire(ctx, order, day, { isBilled })
  if (!isBilled) return
  const hired = await hireWithin(ctx.db, guid)
  const before = await lockOrder(ctx, guid)
  const all = await ctx.db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', '=', guid)
    .orderBy('position')
    .execute()
  const lines = all.filter((line) => !hired.lines.has(line.guid))
  if (lines.every((line) => isText(line) || toUnits(line.quantity) === toUnits(line.quantityInvoiced)))
    return recordSettled(ctx, before, all)
  const discounts = await lineDiscountsBilled(ctx.db, guid)
  const billed = await billedOf(ctx.db, guid)
  const rest = settled(
    { ...order, lines: lines.map((line) => ({ ...line, discountBilledCents: discounts.get(line.guid) ?? 0 })) },
    billed,
  )
  const known = new Set(lines.map((line) => line.guid))
  await replaceSettled(ctx, order, {
    kept: rest.lines
      .filter((line) => known.has(line.guid))
      .map((line) => ({
        guid: line.guid,
        quantity: line.quantity,
        discount: asJson(line.discount),
        netCents: line.netCents,
        gstCents: line.gstCents,
        totalCents: line.totalCents,
      })),
    added: rest.lines
      .filter((line) => !known.has(line.guid))
      .map(({ orderLineGuid: _line, depositInvoiceGuid: _deposit, ...line }) => ({
        ...asRow(line),
        position: (all.at(-1)?.position ?? 0) + 1,
        isOptional: false,
        alternativeGroup: null,
        isSelected: true,
      })),
    discount: asJson(rest.discount),
    totals: rest.totals,
  })
  if (hired.lines.size > 0) await repriceOrder(ctx, order)
  await recordSettled(ctx, before, all)
  ctx.audit({
    action: 'order.settled',
    entity: 'Orders',
    guid,
    before: { totalCents: order.totalCents, quantities: lines.map((line) => [line.guid, line.quantity]) },
    after: {
      number: order.number,
      totalCents: rest.totals.totalCents,
      quantities: rest.lines.map((line) => [line.guid, line.quantity]),
    },
  })
}
