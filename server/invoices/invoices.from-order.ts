import { conflict, invalid } from '../../contract/core/errors.ts'
import { centsToDecimal, isText } from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import type { ordersApi } from '../../contract/orders.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { stamp, userOf } from '../core/records.ts'
import type { DocumentTotals } from '../documents/lines.service.ts'
import { orders } from '../orders/orders.service.ts'
import { lockForInvoicing, takeQuantities } from '../orders/order.service.ts'
import { hireWithin } from '../orders/hire.service.ts'
import { type OpenStage, type OrderRow, stageToInvoice } from '../orders/stages.service.ts'
import { hireBill, hireJob } from './hire-bills.ts'
import { draftDeposit, draftStage } from './invoices.deposit.ts'
import { termsOfStage } from './invoices.terms.ts'
import { asNewLine, insertDraft } from './invoices.drafts.ts'
import { billedOf, lineDiscountsBilled, lockOpenDeposits } from './invoices.queries.ts'
import { mustHaveClause } from './security.ts'
import { unbilledDeposits } from './security.queries.ts'
import { settleOrder } from './invoices.settle.ts'
import { type Ask, splitOrder } from './split.ts'

type Wish = Input<(typeof ordersApi)['invoice']>

function checkDeposit({ shareBp, lines, cents, depositNature = 'part_payment', forfeitureClause }: Wish) {
  if (shareBp !== undefined || lines !== undefined) throw invalid('lines', 'A deposit has an amount, and no lines.')
  if (cents === undefined) throw invalid('cents', 'Enter an amount.')
  mustHaveClause(depositNature, forfeitureClause?.trim() || null)
}

function check(wish: Wish) {
  const { kind, shareBp, lines, stageGuid } = wish
  if (stageGuid !== undefined) {
    if (kind ?? shareBp ?? lines) throw invalid('stageGuid', 'A stage is invoiced as a whole.')
    return
  }
  if (kind === undefined) throw invalid('kind', 'This field is required.')
  if (kind === 'deposit') return checkDeposit(wish)
  if (wish.cents !== undefined) throw invalid('cents', 'Only a deposit has an amount of its own.')
  if (wish.depositNature ?? wish.forfeitureClause)
    throw invalid('depositNature', 'Only a deposit can be a security deposit.')
  if (kind === 'final' && shareBp !== undefined) throw invalid('shareBp', 'A final invoice covers everything left.')
  if (kind === 'final' && lines !== undefined) throw invalid('lines', 'A final invoice covers everything left.')
  if (shareBp !== undefined && lines !== undefined) throw invalid('lines', 'Choose either a percentage or lines.')
}

/**
 * Drafts an invoice of what is left of an order. What it takes is taken at once: nobody else can invoice it meanwhile.
 */
async function invoice(ctx: Ctx, wish: Wish) {
  check(wish)
  const order = await lockForInvoicing(ctx, wish.guid, wish.version)
  if (wish.kind === 'deposit') return draftOfDeposit(ctx, order, wish)
  const stage = await stageToInvoice(ctx, order, wish.stageGuid)
  if (stage && !stage.isLast) return draftOfStage(ctx, order, stage)
  return draftOfWork(ctx, order, { ...wish, kind: stage ? 'final' : (wish.kind ?? 'progress') }, stage)
}

/** A part payment comes to no more than is left to invoice; what is only held is billed by nothing. */
async function draftOfDeposit(ctx: Ctx, order: OrderRow, wish: Wish) {
  const { cents = 0, depositNature: nature = 'part_payment', forfeitureClause } = wish
  if (nature === 'part_payment') {
    const staged = await ctx.db
      .selectFrom('orderStages')
      .select('guid')
      .where('orderGuid', '=', order.guid)
      .limit(1)
      .executeTakeFirst()
    if (staged) throw invalid('depositNature', 'This order is paid in stages. Invoice its next stage instead.')
    const left =
      order.totalCents - (await billedOf(ctx.db, order.guid)).workCents - (await unbilledDeposits(ctx.db, order.guid))
    if (cents > left)
      throw invalid('cents', left > 0 ? `Enter $${centsToDecimal(left)} or less.` : 'Everything is already invoiced.')
  }
  const clause = nature === 'security' ? forfeitureClause?.trim() || null : null
  const { guid, totals } = await draftDeposit(ctx, order, { cents, nature, clause })
  await ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()
  tell(ctx, order, { guid, kind: 'deposit', totals })
  return { invoice: { guid, version: 1, kind: 'deposit', status: 'draft', totals, orderGuid: order.guid } }
}

/** A stage before the last is a deposit, which the final invoice credits. */
async function draftOfStage(ctx: Ctx, order: OrderRow, stage: OpenStage) {
  const { guid, totals } = await draftStage(ctx, order, stage)
  await ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()
  tell(ctx, order, { guid, kind: 'deposit', totals })
  return { invoice: { guid, version: 1, kind: 'deposit', status: 'draft', totals, orderGuid: order.guid } }
}

function tell(ctx: Ctx, order: OrderRow, drafted: { guid: string; kind: string; totals: DocumentTotals }) {
  const { guid, kind, totals } = drafted
  const { totalCents } = totals
  ctx.audit({
    action: 'invoice.created',
    entity: 'Invoices',
    guid,
    after: { title: order.title, kind, totalCents, orderNumber: order.number },
  })
  ctx.audit({
    action: 'order.invoiced',
    entity: 'Orders',
    guid: order.guid,
    after: { number: order.number, kind, totalCents },
  })
}

async function draftOfWork(ctx: Ctx, order: OrderRow, wish: Wish & { kind: Ask['kind'] }, stage: OpenStage | null) {
  const lines = await ctx.db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .orderBy('position')
    .execute()
  const hired = await hireWithin(ctx.db, order.guid)
  const work = lines.filter(({ guid }) => !hired.lines.has(guid))
  if (hired.lines.size > 0 && work.every((line) => isText(line) || line.quantity === line.quantityInvoiced))
    throw conflict('What is left of this order is on hire. Bill the hire instead.')
  const discounts = await lineDiscountsBilled(ctx.db, order.guid)
  const billed = await billedOf(ctx.db, order.guid)
  const deposits = await lockOpenDeposits(ctx.db, order.guid)
  const split = splitOrder(
    {
      ...order,
      totalCents: order.totalCents - hired.cents,
      lines: work.map((line) => ({ ...line, discountBilledCents: discounts.get(line.guid) ?? 0 })),
    },
    billed,
    deposits,
    wish,
  )
  const { businessGuid, customerGuid, contactGuid, siteGuid, quoteGuid, title, priceMode, roundingRule } = order
  const terms = await termsOfStage(ctx, order, stage?.due)
  const guid = await insertDraft(
    ctx,
    {
      businessGuid,
      customerGuid,
      contactGuid,
      siteGuid,
      quoteGuid,
      title,
      priceMode,
      roundingRule,
      ...terms,
      orderGuid: order.guid,
      ownerGuid: order.ownerGuid ?? userOf(ctx),
      reference: order.customerReference,
      kind: wish.kind,
      stageGuid: stage?.guid ?? null,
      discount: split.discount,
      depositAppliedCents: split.depositAppliedCents,
    },
    split.lines.map(asNewLine),
    split.totals,
  )
  await takeQuantities(ctx, order, split.taken)
  tell(ctx, order, { guid, kind: wish.kind, totals: split.totals })
  return {
    invoice: { guid, version: 1, kind: wish.kind, status: 'draft', totals: split.totals, orderGuid: order.guid },
  }
}

/** Cancelling one puts away the drafts of its invoices, and leaves of it what was billed. */
async function status(ctx: Ctx, input: Input<(typeof ordersApi)['status']>) {
  if (input.deed === 'cancel') await settleOrder(ctx, input)
  return orders.status(ctx, input)
}

/** The operations of orders that make invoices or put them away. */
export const orderInvoicing: Pick<
  Handlers<typeof ordersApi>,
  'invoice' | 'status' | 'hireBill' | 'processHire' | 'previewHire' | 'hireJobRuns'
> = {
  invoice,
  status,
  hireBill,
  processHire: (ctx) => hireJob.run(ctx.deps, ctx),
  previewHire: (ctx) => hireJob.preview(ctx),
  hireJobRuns: (ctx, input) => hireJob.runs(ctx, input),
}
