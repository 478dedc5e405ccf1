import { type ChangeAction, changeNumber, type ChangeOrder, changeTransitions } from '../../contract/change-orders.ts'
import { conflict, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import type { EventName } from '../../contract/events.ts'
import type { ordersApi } from '../../contract/orders.ts'
import type { Signature } from '../../contract/quotes.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { notify } from '../core/notices.ts'
import { stamp, userOf } from '../core/records.ts'
import type { CataloguedInput } from '../documents/lines.service.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { made, priced } from './changes.price.service.ts'
import { type ChangeRow, changesOf, findChange, guestChanges } from './changes.queries.ts'
import { chainOf, keepChange } from './changes.chain.ts'
import { evidence } from './changes.evidence.service.ts'
import { acceptanceBy, contentOf, mustHaveNoneSent, nameOf, nextPosition, putLines } from './changes.record.service.ts'
import { lockVisibleOrder, mustSeeAmounts, one } from './order.service.ts'
import { type OrderRow, orderLines } from './orders.queries.ts'

type Api = typeof ordersApi
type Deed = keyof typeof changeTransitions

const changeable = ['confirmed', 'in_progress', 'on_hold', 'completed']

/** An order whose contract can be changed: agreed, and not ended. */
function mustBeChangeable(order: Pick<OrderRow, 'status' | 'archivedAt'>) {
  if (order.archivedAt !== null) throw invalidTransition('This order is archived. Restore it first.')
  if (!changeable.includes(order.status))
    throw invalidTransition(
      order.status === 'closed' ? 'This order is closed. Reopen it first.' : 'Only a confirmed order can be changed.',
    )
}

async function list(ctx: Ctx, order: Pick<OrderRow, 'guid' | 'totalCents' | 'contractCents'>) {
  const items = (await changesOf(ctx.db, order)).map(shown)
  const chainSha256s = await chainOf(ctx.db, order.guid)
  return { agreedCents: order.contractCents, evidenceSha256: chainSha256s.at(-1) ?? null, chainSha256s, items }
}

/** Of a draft its order may have become another since: what it was made of does not count yet. */
const shown = ({ position, ...row }: Awaited<ReturnType<typeof changesOf>>[number]): ChangeOrder => ({
  ...row,
  number: changeNumber(position),
})

async function changes(ctx: Ctx, input: Input<Api['changes']>) {
  mustSeeAmounts(ctx)
  const { order } = await one(ctx, input.guid)
  if (!order.hasAmounts) throw notFound()
  const { totals, contractCents } = order
  return list(ctx, { guid: order.guid, totalCents: totals.totalCents, contractCents })
}

async function previewChange(ctx: Ctx, input: Input<Api['previewChange']>) {
  mustSeeAmounts(ctx)
  await one(ctx, input.guid)
  const order = await ctx.db.selectFrom('orders').selectAll().where('guid', '=', input.guid).executeTakeFirstOrThrow()
  mustBeChangeable(order)
  const { effect, lines } = await made(ctx, order, input.actions)
  return { lines, ...effect }
}

const touch = (ctx: Ctx, order: OrderRow) =>
  ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()

const told = (
  ctx: Ctx,
  action: EventName,
  order: OrderRow,
  change: { position: number; contractAfterCents: number },
  more: object = {},
) =>
  ctx.audit({
    action,
    entity: 'Orders',
    guid: order.guid,
    before: { totalCents: order.totalCents },
    after: {
      number: order.number,
      name: changeNumber(change.position),
      totalCents: change.contractAfterCents,
      ...more,
    },
  })

async function answer(ctx: Ctx, guid: string) {
  const order = await ctx.db
    .selectFrom('orders')
    .select(['guid', 'totalCents', 'contractCents'])
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow()
  return list(ctx, order)
}

async function addChange(ctx: Ctx, { guid, version, title, note, actions }: Input<Api['addChange']>) {
  mustSeeAmounts(ctx)
  const order = await lockVisibleOrder(ctx, guid, version)
  mustBeChangeable(order)
  const { resolved, effect, lines } = await made(ctx, order, actions)
  const position = await nextPosition(ctx.db, guid)
  await ctx.db
    .insertInto('changeOrders')
    .values({
      ...effect,
      ...{ orderGuid: guid, position, title, note: note || null, status: 'draft' },
      actions: JSON.stringify(actions),
      lines: JSON.stringify(lines),
      resolved: JSON.stringify(resolved),
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  await touch(ctx, order)
  told(ctx, 'order.change_created', order, { position, ...effect })
  return answer(ctx, guid)
}

/** The order and one of its changes, both locked, in the version the caller saw, open to this deed. */
async function locked(ctx: Ctx, deed: Deed, input: { guid: string; version: number; changeGuid: string }) {
  mustSeeAmounts(ctx)
  const order = await lockVisibleOrder(ctx, input.guid, input.version)
  const change = await findChange(ctx.db, order.guid, input.changeGuid)
  if (!change) throw notFound()
  mustAllow(deed, change)
  if (deed !== 'cancel') mustBeChangeable(order)
  return { order, change }
}

function mustAllow(deed: Deed, change: ChangeRow) {
  if (leadsFrom(changeTransitions, deed, change.status)) return
  if (deed === 'update' && change.status === 'sent')
    throw invalidTransition(
      `${changeNumber(change.position)} was sent and can’t be edited. Cancel it and make another.`,
    )
  throw invalidTransition(`${changeNumber(change.position)} has already been answered or cancelled.`)
}

/** Edits a draft: what is not given stays; what is given is priced by the order as it is now. */
async function updateChange(ctx: Ctx, input: Input<Api['updateChange']>) {
  const { order, change } = await locked(ctx, 'update', input)
  const { title = change.title, note = change.note, actions = change.actions as ChangeAction[] } = input
  const { resolved, effect, lines } = await made(ctx, order, actions)
  await ctx.db
    .updateTable('changeOrders')
    .set({
      ...effect,
      ...{ title, note: note || null },
      actions: JSON.stringify(actions),
      lines: JSON.stringify(lines),
      resolved: JSON.stringify(resolved),
    })
    .where('guid', '=', change.guid)
    .execute()
  await touch(ctx, order)
  told(ctx, 'order.change_updated', order, { position: change.position, ...effect })
  return answer(ctx, order.guid)
}

/** A draft as its order is now, to be frozen. */
async function freshened(ctx: Ctx, order: OrderRow, change: ChangeRow) {
  const { resolved, effect, lines } = await made(ctx, order, change.actions as ChangeAction[])
  const { position, title, note } = change
  const frozen = contentOf(order, { position, title, note, lines, ...effect })
  return { ...effect, ...frozen, lines: JSON.stringify(lines), resolved: JSON.stringify(resolved) }
}

/** Freezes a change and tells its customer by email: what waits is told to have been sent, or nothing is. */
async function sendChange(ctx: Ctx, input: Input<Api['sendChange']>) {
  const { order, change } = await locked(ctx, 'send', input)
  await mustHaveNoneSent(ctx.db, order.guid)
  const fresh = await freshened(ctx, order, change)
  await ctx.db
    .updateTable('changeOrders')
    .set({ ...fresh, status: 'sent', sentAt: ctx.now })
    .where('guid', '=', change.guid)
    .execute()
  const to = input.to ?? []
  await keepChange(ctx, order, { ...change, sha256: fresh.sha256 }, { reason: 'sent', by: nameOf(ctx), facts: { to } })
  await touch(ctx, order)
  await queueDocumentMessage(ctx, {
    template: 'change_order',
    ownerType: 'order',
    ownerGuid: order.guid,
    to: input.to,
    note: change.note,
  })
  const { contractAfterCents } = fresh
  told(ctx, 'order.change_sent', order, { position: change.position, contractAfterCents }, { to: input.to?.join(', ') })
  return answer(ctx, order.guid)
}

/** Does what a frozen change says: exactly that, or nothing. */
async function carryOut(
  ctx: Ctx,
  order: OrderRow,
  change: ChangeRow,
  agreed: Omit<Parameters<typeof acceptanceBy>[1], 'evidenceSha256'>,
) {
  const before = await orderLines(ctx.db, order.guid)
  const after = await priced(ctx, order, before, {
    actions: change.actions as ChangeAction[],
    resolved: change.resolved as CataloguedInput[],
  })
  if (after.deltaCents !== change.deltaCents)
    throw conflict(`${changeNumber(change.position)} no longer fits this order. Cancel it and make another.`)
  await putLines(ctx, order, after, changeNumber(change.position))
  await ctx.db
    .updateTable('orders')
    .set({ contractCents: order.contractCents ?? order.totalCents })
    .where('guid', '=', order.guid)
    .execute()
  const { method, name, signature = null } = agreed
  const evidenceSha256 = await keepChange(ctx, order, change, {
    reason: 'accepted',
    by: name,
    facts: { method, signature, contractAfterCents: change.contractAfterCents },
  })
  await ctx.db
    .updateTable('changeOrders')
    .set({ status: 'accepted', acceptance: acceptanceBy(ctx, { ...agreed, evidenceSha256 }) })
    .where('guid', '=', change.guid)
    .execute()
  await queueDocumentMessage(ctx, {
    template: 'change_accepted',
    ownerType: 'order',
    ownerGuid: order.guid,
    quietly: true,
  })
}

async function recordChange(ctx: Ctx, input: Input<Api['recordChange']>) {
  const { order, change } = await locked(ctx, 'record', input)
  const fresh = change.status === 'draft' ? await freshened(ctx, order, change) : null
  if (fresh) {
    await mustHaveNoneSent(ctx.db, order.guid)
    await ctx.db.updateTable('changeOrders').set(fresh).where('guid', '=', change.guid).execute()
  }
  const now = fresh ? await findChange(ctx.db, order.guid, change.guid) : change
  if (!now?.sha256) throw new Error('a change is frozen by now')
  const { method, name } = input
  await carryOut(ctx, order, now, { method, name, sha256: now.sha256 })
  told(ctx, 'order.change_accepted', order, now, { method, to: name })
  return answer(ctx, order.guid)
}

async function cancelChange(ctx: Ctx, input: Input<Api['cancelChange']>) {
  const { order, change } = await locked(ctx, 'cancel', input)
  await ctx.db.updateTable('changeOrders').set({ status: 'cancelled' }).where('guid', '=', change.guid).execute()
  if (change.sha256 !== null) await keepChange(ctx, order, change, { reason: 'cancelled', by: nameOf(ctx) })
  await touch(ctx, order)
  told(ctx, 'order.change_cancelled', order, { ...change, contractAfterCents: order.totalCents })
  return answer(ctx, order.guid)
}

interface Answered {
  changeGuid: string
  sha256: string
}

/** The change that its customer answers, as he read it: under the lock of its order, which is given. */
async function answered(ctx: Ctx, order: OrderRow, deed: 'accept' | 'decline', { changeGuid, sha256 }: Answered) {
  mustBeChangeable(order)
  const change = await findChange(ctx.db, order.guid, changeGuid)
  if (!change || change.status === 'draft') throw notFound()
  mustAllow(deed, change)
  if (change.sha256 !== sha256) throw conflict('This change has changed since you opened it. Read it again.')
  return change
}

const tellOwner = (ctx: Ctx, kind: 'order.change_accepted' | 'order.change_declined', order: OrderRow, more: object) =>
  notify(ctx, {
    kind,
    noun: 'Orders',
    recordGuid: order.guid,
    event: `${kind}:${order.guid}:${order.version}`,
    values: { number: order.number, ...more },
  })

/** For the customer's page: what it shows of changes. */
export const changesOfPage = async (db: Db, orderGuid: string) =>
  (await guestChanges(db, orderGuid)).map(({ position, ...change }) => ({ ...change, number: changeNumber(position) }))

/** For the customer's page: accepts what was sent, once, under the order's lock. */
export async function acceptSent(
  ctx: Ctx,
  order: OrderRow,
  given: Answered & { name: string; signature?: Signature | undefined },
) {
  const change = await answered(ctx, order, 'accept', given)
  const { name, signature, sha256 } = given
  const method = ctx.actor.kind === 'user' ? 'in_person' : 'guest'
  await carryOut(ctx, order, change, { method, name, sha256, signature: signature ?? null })
  told(ctx, 'order.change_accepted', order, change, { method, to: name })
  if (ctx.actor.kind !== 'user')
    await tellOwner(ctx, 'order.change_accepted', order, {
      name: changeNumber(change.position),
      amountCents: change.deltaCents,
    })
}

/** The same for no. */
export async function declineSent(ctx: Ctx, order: OrderRow, given: Answered & { name: string; note: string | null }) {
  const change = await answered(ctx, order, 'decline', given)
  const { name, note } = given
  await ctx.db
    .updateTable('changeOrders')
    .set({ status: 'declined', decline: JSON.stringify({ name, note, at: ctx.now.toISOString() }) })
    .where('guid', '=', change.guid)
    .execute()
  await keepChange(ctx, order, change, { reason: 'declined', by: name, facts: { note } })
  await touch(ctx, order)
  told(ctx, 'order.change_declined', order, { ...change, contractAfterCents: order.totalCents }, { note })
  if (ctx.actor.kind !== 'user')
    await tellOwner(ctx, 'order.change_declined', order, { name: changeNumber(change.position), note })
}

export const orderChanges = {
  changes,
  evidence,
  previewChange,
  addChange,
  updateChange,
  sendChange,
  recordChange,
  cancelChange,
}
