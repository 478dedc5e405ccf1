import { invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { ordersApi } from '../../contract/orders.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { keeperOf } from '../core/family.ts'
import { userOf } from '../core/records.ts'
import { lockForInvoicing, takeQuantities } from '../orders/order.service.ts'
import { asNewLine, insertDraft } from './invoices.drafts.ts'
import { billedOf, lineDiscountsBilled, lockOpenDeposits } from './invoices.queries.ts'
import { splitOrder } from './split.ts'

type Wish = Input<(typeof ordersApi)['invoice']>

function check({ kind, shareBp, lines }: Wish) {
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
  const lines = await ctx.db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .orderBy('position')
    .execute()
  const discounts = await lineDiscountsBilled(ctx.db, order.guid)
  const billed = await billedOf(ctx.db, order.guid)
  const deposits = await lockOpenDeposits(ctx.db, order.guid)
  const split = splitOrder(
    { ...order, lines: lines.map((line) => ({ ...line, discountBilledCents: discounts.get(line.guid) ?? 0 })) },
    billed,
    deposits,
    wish,
  )
  const { businessGuid, customerGuid, contactGuid, siteGuid, quoteGuid, title, priceMode, roundingRule } = order
  const terms = await termsOf(ctx, businessGuid, customerGuid)
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
      discount: split.discount,
      depositAppliedCents: split.depositAppliedCents,
    },
    split.lines.map(asNewLine),
    split.totals,
  )
  await takeQuantities(ctx, order, split.taken)
  ctx.audit({
    action: 'invoice.created',
    entity: 'Invoices',
    guid,
    after: { title, kind: wish.kind, totalCents: split.totals.totalCents, orderNumber: order.number },
  })
  ctx.audit({
    action: 'order.invoiced',
    entity: 'Orders',
    guid: order.guid,
    after: { number: order.number, kind: wish.kind, totalCents: split.totals.totalCents },
  })
  return {
    invoice: { guid, version: 1, kind: wish.kind, status: 'draft', totals: split.totals, orderGuid: order.guid },
  }
}

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

/** The one operation of orders that makes an invoice. */
export const orderInvoicing: Pick<Handlers<typeof ordersApi>, 'invoice'> = { invoice }
