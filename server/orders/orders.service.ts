import type { Updateable } from 'kysely'
import { forbidden, invalid, invalidTransition, notFound, stale } from '../../contract/core/errors.ts'
import { localDay } from '../../contract/core/dates.ts'
import type { Input } from '../../contract/core/op.ts'
import { type AnyOrder, orderAmounts, orderStatuses, ordersApi } from '../../contract/orders.ts'
import { currentBusiness, nextNumber } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import type { Orders } from '../core/db/schema-business.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { may } from '../core/http/permission.ts'
import { notify } from '../core/notices.ts'
import { archiving, asJson, blankToNull, changed, stamp, userOf } from '../core/records.ts'
import { checkParties } from '../customers/customers.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { checkProducts, isChoice, priceLines, repriceLines, termsAfter } from '../lines/lines.service.ts'
import { filterReadable, filterReadableReferences, readableReference } from '../row-scope/row-scope.ts'
import { narrowed, oneOf } from '../lines/search.ts'
import { openLink, serviceUrl } from '../service-links/service-links.service.ts'
import { timelineOf } from '../timeline/timeline.service.ts'
import { changesOf, transitionEvents, refuseArchive } from './orders.transitions.ts'
import { saveLines } from './orders.lines.ts'
import {
  addInvoiced,
  findOrder,
  foundOrders,
  insertLines,
  listedOrders,
  lockRow,
  lockVisible,
  ordersWithin,
  refreshState,
  sumByStatus,
  type OrderRow,
} from './orders.queries.ts'
import { moneyOf, paymentStatusOf, relatedInvoices, scheduleStatusOf } from './orders.state.ts'

type Api = typeof ordersApi

sayConstraints({
  order_of_quote_exists: ['INVALID_TRANSITION', 'This quote was already accepted.'],
  order_line_invoiced_within: ['CONFLICT', 'Someone else just invoiced these lines.'],
})

const seesAmounts = (ctx: Ctx) => may(ctx.actor, ...orderAmounts)

/** Who may not see what things come to sets no prices either. */
function mustSeeAmounts(ctx: Ctx) {
  if (!seesAmounts(ctx)) throw forbidden('You don’t have access to the amounts of orders.')
}

/** One order as its screen shows it; outside the caller's rows there is none. Its schema takes the amounts out where they are not for the caller. */
async function one(ctx: Ctx, guid: string): Promise<{ order: AnyOrder }> {
  const row = await findOrder(ctx, guid)
  if (!row) throw notFound()
  const { invoices, quote, payments, messages, timeZone, lines, ...order } = row
  const today = localDay(ctx.now.toISOString(), timeZone)
  const money = moneyOf(order.totalCents, invoices)
  const { subtotalCents, discountCents, gstCents, totalCents } = order
  return {
    order: {
      ...order,
      hasAmounts: seesAmounts(ctx),
      lines,
      displayStatus: order.status,
      scheduleStatus: scheduleStatusOf(order, today),
      paymentStatus: paymentStatusOf(money, order.invoiceStatus, invoices),
      totals: { subtotalCents, discountCents, gstCents, totalCents },
      money,
      serviceUrl: order.serviceGuid === null ? null : serviceUrl(ctx.deps.settings, 'order', order.serviceGuid),
      related: {
        quote: await readableReference(ctx, 'Quotes', quote),
        invoices: await filterReadableReferences(ctx, 'Invoices', relatedInvoices(invoices, today)),
        payments: await filterReadableReferences(ctx, 'Payments', payments),
        messages: await filterReadableReferences(ctx, 'Messages', messages),
      },
    },
  }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const isPriced = seesAmounts(ctx)
  if (!isPriced && input.sort?.includes('totalCents'))
    throw forbidden('You don’t have access to the amounts of orders, so you can’t sort by them.')
  const business = await currentBusiness(ctx.db)
  const sorts = {
    createdAt: 'o.createdAt',
    number: 'o.number',
    title: 'o.title',
    totalCents: 'o.totalCents',
    scheduledOn: { column: 'o.scheduledOn', nullable: true as const },
  }
  const rows = await narrowed(ctx.db, foundOrders(ctx, business.guid, input), 'orders', 'o', {
    search: input.search,
    hidesAmounts: !isPriced,
    anyOf: oneOf('o.status', input.status),
    within: ordersWithin(input),
  })
  const page = await pageOf({
    query: listedOrders(ctx),
    ...rows,
    isPlain: true,
    input,
    sorts,
    guid: 'o.guid',
    defaultSort: '-createdAt',
  })
  return isPriced
    ? page
    : { ...page, items: page.items.map((item) => ({ ...item, totalCents: null, invoicedCents: null })) }
}

async function metrics(ctx: Ctx) {
  const business = await currentBusiness(ctx.db)
  const found = new Map((await sumByStatus(ctx, business.guid)).map((row) => [row.status, row]))
  const isPriced = seesAmounts(ctx)
  return {
    items: orderStatuses.map((status) => ({
      status,
      count: found.get(status)?.count ?? 0,
      totalCents: isPriced ? (found.get(status)?.totalCents ?? 0) : null,
    })),
  }
}

/** Locks an order that the caller may change, in the version he saw. */
async function locked(ctx: Ctx, guid: string, version?: number): Promise<OrderRow> {
  const row = await lockVisible(ctx, guid)
  if (!row) throw notFound()
  if (version !== undefined && version !== row.version) throw stale(ordersApi.get.response, await one(ctx, guid))
  return row
}

/** The order an invoice is made of, for the invoices: visible, locked, and open to changes. */
export async function lockForInvoicing(ctx: Ctx, guid: string, version: number): Promise<OrderRow> {
  mustSeeAmounts(ctx)
  const order = await locked(ctx, guid, version)
  if (order.archivedAt !== null) throw invalidTransition('This order is archived. Restore it first.')
  if (order.status === 'cancelled' || order.status === 'draft' || order.status === 'pending_confirmation')
    throw invalidTransition('Confirm the order before invoicing it.')
  return order
}

type Given = Pick<OrderRow, 'businessGuid' | 'title' | 'customerGuid' | 'priceMode' | 'roundingRule'> &
  Partial<
    Pick<
      OrderRow,
      | 'contactGuid'
      | 'siteGuid'
      | 'quoteGuid'
      | 'ownerGuid'
      | 'customerReference'
      | 'scheduledOn'
      | 'discount'
      | 'internalNotes'
      | 'assignedGuid'
    >
  >
type NewLines = Parameters<typeof insertLines>[2]

/** The number is taken as late as can be: its counter stays locked until the transaction ends. */
async function insert(
  ctx: Ctx,
  given: Given,
  rows: NewLines,
  totals: { subtotalCents: number; discountCents: number; gstCents: number; totalCents: number },
) {
  const guid = newGuid()
  const by = userOf(ctx)
  const serviceGuid = await openLink(ctx, 'order', guid)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  const number = await nextNumber(ctx.db, given.businessGuid, 'order')
  await ctx.db
    .insertInto('orders')
    .values({
      ...given,
      discount: asJson(given.discount),
      guid,
      number,
      subtotalCents,
      discountCents,
      gstCents,
      totalCents,
      createdBy: by,
      updatedBy: by,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .execute()
  await insertLines(ctx.db, guid, rows)
  await refreshState(ctx.db, guid)
  ctx.audit({
    action: 'order.created',
    entity: 'Orders',
    guid,
    after: { number, title: given.title, totalCents, quoteGuid: given.quoteGuid ?? null },
  })
  return { guid, number, serviceGuid }
}

/** Work is given to somebody who works here. */
async function checkAssigned(ctx: Ctx, userGuid: string | null | undefined) {
  if (!userGuid) return
  const person = await ctx.db
    .selectFrom('users')
    .select('guid')
    .where('guid', '=', userGuid)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (!person) throw invalid('assignedGuid', 'Choose an active user.')
}

async function tellAssigned(
  ctx: Ctx,
  {
    guid,
    number,
    title,
    version,
    assignedGuid,
  }: Pick<OrderRow, 'guid' | 'number' | 'title' | 'version'> & { assignedGuid?: string | null | undefined },
) {
  if (assignedGuid)
    await notify(ctx, {
      kind: 'order.assigned',
      noun: 'Orders',
      recordGuid: guid,
      event: `order.assigned:${guid}:${version}`,
      values: { number, title },
      to: assignedGuid,
    })
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  mustSeeAmounts(ctx)
  const business = await currentBusiness(ctx.db)
  await checkParties(ctx, business.guid, input)
  await checkProducts(ctx, business.guid, input.lines)
  await checkAssigned(ctx, input.assignedGuid)
  const {
    lines,
    priceMode = business.defaultPriceMode,
    roundingRule = business.roundingRule,
    discount = null,
    ...rest
  } = input
  const priced = priceLines(lines, {
    priceMode,
    roundingRule,
    discount,
    gstRegistered: business.gstRegistered,
    withoutChoices: true,
  })
  const given = {
    ...blankToNull({
      contactGuid: null,
      siteGuid: null,
      customerReference: null,
      scheduledOn: null,
      internalNotes: null,
      assignedGuid: null,
      ...rest,
    }),
    priceMode,
    roundingRule,
    discount,
    businessGuid: business.guid,
    ownerGuid: userOf(ctx),
  }
  const { guid, number } = await insert(ctx, given, priced.rows, priced.totals)
  await tellAssigned(ctx, { guid, number, title: given.title, version: 1, assignedGuid: given.assignedGuid })
  return one(ctx, guid)
}

/** The order of an accepted quote: what the customer chose, at the prices he was offered. The quote is locked by the caller. */
export async function createFromQuote(
  ctx: Ctx,
  quoteGuid: string,
): Promise<{ guid: string; number: string; serviceGuid: string }> {
  const quote = await ctx.db.selectFrom('quotes').selectAll().where('guid', '=', quoteGuid).executeTakeFirstOrThrow()
  const lines = await ctx.db
    .selectFrom('quoteLines')
    .selectAll()
    .where('quoteGuid', '=', quoteGuid)
    .orderBy('position')
    .execute()
  const counted = lines.filter((line) => !isChoice(line) || line.isSelected)
  const { lines: priced, totals } = repriceLines(counted, quote)
  const rows = priced.map(({ quoteGuid: _quote, guid, discount, ...line }, i) => ({
    ...line,
    guid: newGuid(),
    sourceLineGuid: guid,
    position: i + 1,
    discount: asJson(discount),
    isOptional: false,
    alternativeGroup: null,
    isSelected: true,
  }))
  const {
    businessGuid,
    title,
    customerGuid,
    contactGuid,
    siteGuid,
    ownerGuid,
    priceMode,
    roundingRule,
    discount,
    internalNotes,
  } = quote
  return insert(
    ctx,
    {
      businessGuid,
      title,
      customerGuid,
      contactGuid,
      siteGuid,
      quoteGuid,
      ownerGuid: ownerGuid ?? userOf(ctx),
      priceMode,
      roundingRule,
      discount,
      internalNotes,
    },
    rows,
    totals,
  )
}

function businessOf(ctx: Ctx, order: OrderRow) {
  return ctx.db
    .selectFrom('businesses')
    .select(['guid', 'gstRegistered'])
    .where('guid', '=', order.businessGuid)
    .executeTakeFirstOrThrow()
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, lines, discount, ...rest } = input
  if ([lines, discount, rest.priceMode, rest.roundingRule].some((given) => given !== undefined)) mustSeeAmounts(ctx)
  const before = await locked(ctx, guid, version)
  if (before.status === 'closed' || before.status === 'cancelled')
    throw invalidTransition(
      `A ${before.status} order can’t be edited.${before.status === 'closed' ? ' Reopen it first.' : ''}`,
    )
  if (before.archivedAt !== null) throw invalidTransition('This order is archived. Restore it first.')
  if (rest.contactGuid !== undefined || rest.siteGuid !== undefined) {
    await checkParties(
      ctx,
      before.businessGuid,
      { customerGuid: before.customerGuid, contactGuid: rest.contactGuid ?? null, siteGuid: rest.siteGuid ?? null },
      before,
    )
  }
  if (rest.assignedGuid !== before.assignedGuid) await checkAssigned(ctx, rest.assignedGuid)
  const terms = termsAfter(before, { ...rest, discount })
  const totals = await saveLines(ctx, await businessOf(ctx, before), before, terms, lines)
  const changes: Updateable<Orders> = { ...blankToNull(rest), ...terms, discount: asJson(terms.discount) }
  if (totals)
    Object.assign(changes, {
      subtotalCents: totals.subtotalCents,
      discountCents: totals.discountCents,
      gstCents: totals.gstCents,
      totalCents: totals.totalCents,
    })
  const after = await ctx.db
    .updateTable('orders')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (totals) await refreshState(ctx.db, guid)
  if (after.assignedGuid !== before.assignedGuid) await tellAssigned(ctx, after)
  const change = changed(before, after)
  ctx.audit({
    action: 'order.updated',
    entity: 'Orders',
    guid,
    before: change.before,
    after: { number: after.number, ...change.after, ...(lines ? { lines: lines.length } : {}) },
  })
  return one(ctx, guid)
}

async function status(ctx: Ctx, input: Input<Api['status']>) {
  const order = await locked(ctx, input.guid, input.version)
  const changes = await changesOf(ctx, order, input.deed)
  const reason = input.reason ?? null
  await ctx.db
    .updateTable('orders')
    .set({ ...changes, statusReason: reason, ...stamp(ctx, order.version) })
    .where('guid', '=', order.guid)
    .execute()
  if (input.deed === 'cancel') await refreshState(ctx.db, order.guid)
  ctx.audit({
    action: transitionEvents[input.deed],
    entity: 'Orders',
    guid: order.guid,
    before: { status: order.status },
    after: { number: order.number, status: changes.status, reason },
  })
  return one(ctx, input.guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const order = await locked(ctx, guid)
  if ((order.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This order is already archived.' : 'This order isn’t archived.')
  if (isArchived) await refuseArchive(ctx, order)
  await ctx.db
    .updateTable('orders')
    .set({ archivedAt: isArchived ? ctx.now : null, ...stamp(ctx, order.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: isArchived ? 'order.archived' : 'order.restored',
    entity: 'Orders',
    guid,
    after: { number: order.number, title: order.title },
  })
}

async function timeline(ctx: Ctx, input: Input<Api['timeline']>) {
  const { order } = await one(ctx, input.guid)
  const related = [
    ...(order.quoteGuid ? [{ entity: 'Quotes', guid: order.quoteGuid }] : []),
    ...order.related.invoices.map(({ guid }) => ({ entity: 'Invoices', guid })),
    ...order.related.payments.map(({ guid }) => ({ entity: 'Payments', guid })),
    ...order.related.messages.map(({ guid }) => ({ entity: 'Messages', guid })),
  ]
  return {
    items: await timelineOf(
      ctx,
      [{ entity: 'Orders', guid: order.guid }, ...(await filterReadable(ctx, related))],
      200,
    ),
  }
}

/** For the invoices: an order's row under lock, whoever asks. */
export async function lockOrder(ctx: Pick<Ctx, 'db'>, guid: string): Promise<OrderRow> {
  const row = await lockRow(ctx.db, guid)
  if (!row) throw notFound()
  return row
}

/**
 * For the invoices, under the order's lock: raises what is invoiced of its lines. Refused beyond what was ordered. Whoever
 * looked at the order before has seen more left to invoice than there is: it gets a new version.
 */
export async function takeQuantities(
  ctx: Ctx,
  order: Pick<OrderRow, 'guid' | 'version'>,
  lines: ReadonlyMap<string, string>,
) {
  await addInvoiced(ctx.db, lines, 1)
  await ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()
  await refreshState(ctx.db, order.guid)
}

/** For the invoices, under the order's lock: what an archived draft or a voided invoice had taken can be invoiced again. */
export async function giveBackQuantities(ctx: Pick<Ctx, 'db'>, orderGuid: string, lines: ReadonlyMap<string, string>) {
  await addInvoiced(ctx.db, lines, -1)
  await refreshState(ctx.db, orderGuid)
}

/** For the invoices, under the order's lock, after an invoice of the order was issued or voided. */
export const refreshInvoicing = (ctx: Pick<Ctx, 'db'>, orderGuid: string) => refreshState(ctx.db, orderGuid)

/** Everything but `invoice`, which makes an invoice and therefore lives with the invoices. */
export const orders: Omit<Handlers<Api>, 'invoice'> = {
  list,
  metrics,
  get: (ctx, input) => one(ctx, input.guid),
  timeline,
  create,
  update,
  status,
  ...archiving('Orders', setArchived, one),
  pdf: async (ctx, input) => {
    const { order } = await one(ctx, input.guid)
    return renderPdf(ctx, 'order', input.guid, { hidesAmounts: !order.hasAmounts })
  },
}
