import type { Updateable } from 'kysely'
import { forbidden, invalidTransition } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { orderStatuses, orderTransitions, type ordersApi } from '../../contract/orders.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import type { Orders } from '../core/db/schema-business.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archiving, bulkEdit } from '../core/bulk.ts'
import { notify } from '../core/notices.ts'
import { asJson, blankToNull, changed, stamp } from '../core/records.ts'
import { today } from '../businesses/businesses.service.ts'
import { checkParties } from '../customers/customers.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { isRepriced, termsAfter } from '../documents/terms.service.ts'
import { narrowed, oneOf } from '../documents/list-search.service.ts'
import { checkJobType } from '../job-types/job-types.service.ts'
import { taggedWith, tagging, withTags } from '../tags/tags.service.ts'
import { relatedSubjects, subjectsOf, timelineWith } from '../timeline/timeline.service.ts'
import { checkAssigned, createOrder, tellAssigned } from './new-orders.service.ts'
import { hire } from './hire.service.ts'
import { countHire } from './hire.queries.ts'
import { settleStages, tellReady } from './stages.service.ts'
import { lockOrder, lockVisibleOrder, mustSeeAmounts, one, seesAmounts } from './order.service.ts'
import { cancelOpen, mustHaveNoneSent, recordEdited } from './changes.record.service.ts'
import { orderChanges } from './changes.service.ts'
import { saveLines } from './orders.lines.ts'
import { supplyAfter } from './supplies.ts'
import { orderParts } from './orders.parts.ts'
import {
  foundOrders,
  listedOrders,
  orderLines,
  ordersWithin,
  refreshState,
  sumByStatus,
  type OrderRow,
} from './orders.queries.ts'
import { changesOf, refuseArchive, transitionEvents } from './orders.transitions.ts'

export { prepaid } from './orders.queries.ts'

type Api = typeof ordersApi

sayConstraints({
  order_of_quote_exists: ['INVALID_TRANSITION', 'This quote was already accepted.'],
  order_line_invoiced_within: ['CONFLICT', 'Someone else just invoiced these lines.'],
})

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const isPriced = seesAmounts(ctx)
  if (!isPriced && input.sort?.includes('totalCents'))
    throw forbidden('You don’t have access to the amounts of orders, so you can’t sort by them.')
  const reach = await reachOf(ctx, input)
  const sorts = {
    createdAt: 'o.createdAt',
    number: 'o.number',
    title: 'o.title',
    totalCents: 'o.totalCents',
    scheduledOn: { column: 'o.scheduledOn', nullable: true as const },
    nextScheduled: 'o.nextScheduled',
  }
  const tagged = await taggedWith(ctx, reach, 'Orders', 'o', input.tag)
  const rows = await narrowed(ctx.db, foundOrders(ctx, input), 'Orders', 'o', {
    search: input.search,
    lists: listsIn(reach, 'o.businessGuid'),
    hidesAmounts: !isPriced,
    anyOf: oneOf('o.status', input.status),
    within: [...ordersWithin(input), ...tagged.within],
  })
  const page = await pageOf({
    query: listedOrders(ctx),
    ...rows,
    ...(tagged.areMany && !input.search ? { areMany: true } : {}),
    isPlain: true,
    input,
    sorts,
    guid: 'o.guid',
    defaultSort: '-createdAt',
  })
  const items = page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) }))
  return {
    ...page,
    items: isPriced ? items : items.map((item) => ({ ...item, totalCents: null, invoicedCents: null })),
  }
}

async function metrics(ctx: Ctx, input: Input<Api['metrics']>) {
  const found = new Map((await sumByStatus(ctx, await reachOf(ctx, input))).map((row) => [row.status, row]))
  const isPriced = seesAmounts(ctx)
  return {
    items: orderStatuses.map((status) => ({
      status,
      count: found.get(status)?.count ?? 0,
      totalCents: isPriced ? (found.get(status)?.totalCents ?? 0) : null,
    })),
  }
}

function businessOf(ctx: Ctx, order: OrderRow) {
  return ctx.db
    .selectFrom('businesses')
    .select(['guid', 'gstRegistered'])
    .where('guid', '=', order.businessGuid)
    .executeTakeFirstOrThrow()
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, lines, discount, supplyBasis, ...rest } = input
  if ([lines, discount, supplyBasis, rest.priceMode, rest.roundingRule].some((given) => given !== undefined))
    mustSeeAmounts(ctx)
  const before = await lockVisibleOrder(ctx, guid, version)
  if (!leadsFrom(orderTransitions, 'update', before.status))
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
  if (rest.jobTypeGuid !== before.jobTypeGuid) await checkJobType(ctx, rest.jobTypeGuid)
  if (rest.assignedGuid !== before.assignedGuid) await checkAssigned(ctx, before.businessGuid, rest.assignedGuid)
  const terms = termsAfter(before, { ...rest, discount })
  if (lines !== undefined || isRepriced(terms, before)) await mustHaveNoneSent(ctx.db, guid)
  const linesBefore = before.contractCents === null && lines === undefined ? [] : await orderLines(ctx.db, guid)
  const totals = await saveLines(ctx, await businessOf(ctx, before), before, terms, lines)
  const supply = await supplyAfter(ctx, before, linesBefore, { lines, supplyBasis })
  const changes: Updateable<Orders> = { ...blankToNull(rest), ...supply, ...terms, discount: asJson(terms.discount) }
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
  if (totals) {
    const workCents = totals.totalCents - (await countHire(ctx.db, after))
    await settleStages(ctx, before, workCents, `Changes to ${before.number}`)
    await recordEdited(ctx, before, linesBefore, totals.totalCents)
    await refreshState(ctx.db, guid)
  }
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
  const order = await lockVisibleOrder(ctx, input.guid, input.version)
  const changes = await changesOf(ctx, order, input.deed)
  const reason = input.reason ?? null
  await ctx.db
    .updateTable('orders')
    .set({ ...changes, statusReason: reason, ...stamp(ctx, order.version) })
    .where('guid', '=', order.guid)
    .execute()
  if (input.deed === 'close') await mustHaveNoneSent(ctx.db, order.guid)
  if (input.deed === 'cancel') {
    await cancelOpen(ctx, order)
    await refreshState(ctx.db, order.guid)
  }
  if (input.deed === 'start' || input.deed === 'complete') await tellMoved(ctx, order.guid)
  ctx.audit({
    action: transitionEvents[input.deed],
    entity: 'Orders',
    guid: order.guid,
    before: { status: order.status },
    after: { number: order.number, status: changes.status, reason },
  })
  const { number, assignedGuid, ownerGuid, version } = order
  for (const to of new Set([assignedGuid, ownerGuid]))
    if (to)
      await notify(ctx, {
        kind: 'order.moved',
        noun: 'Orders',
        recordGuid: order.guid,
        event: `order.moved:${order.guid}:${version}`,
        values: { number, deed: input.deed, reason },
        to,
      })
  return one(ctx, input.guid)
}

/** The start or the end of the work makes stages of its payment ready. */
async function tellMoved(ctx: Ctx, guid: string) {
  const order = await lockOrder(ctx, guid)
  await tellReady(ctx, order, today(await ctx.workFor(order.businessGuid), ctx.now))
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const order = await lockVisibleOrder(ctx, guid)
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
  const quote = order.quoteGuid ? subjectsOf('Quotes', [{ guid: order.quoteGuid }]) : []
  const others = [...quote, ...relatedSubjects(order.related)]
  return { items: await timelineWith(ctx, { entity: 'Orders', guid: order.guid }, others) }
}

/** Everything but `invoice`, which makes an invoice and therefore lives with the invoices. */
export const orders: Omit<Handlers<Api>, 'invoice' | 'hireBill' | 'processHire' | 'previewHire' | 'hireJobRuns'> = {
  list,
  metrics,
  get: (ctx, input) => one(ctx, input.guid),
  timeline,
  create: createOrder,
  update,
  status,
  edit: bulkEdit('Orders', withTags('Orders', update)),
  hire,
  ...orderParts,
  ...orderChanges,
  ...tagging('Orders'),
  ...archiving('Orders', setArchived, one),
  pdf: async (ctx, input) => {
    const { order } = await one(ctx, input.guid)
    return renderPdf(ctx, 'order', input.guid, { hidesAmounts: !order.hasAmounts })
  },
}
