import { sql } from 'kysely'
import { type FieldError, invalid, invalidTransition, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { ordersApi } from '../../contract/orders.ts'
import type { Ctx } from '../core/ctx.ts'
import { notify } from '../core/notices.ts'
import { stamp, userName, userOf } from '../core/records.ts'
import { worksAt } from '../core/works-in.ts'
import { tellAssigned } from './new-orders.service.ts'
import { lockVisibleOrder, one } from './order.service.ts'
import type { OrderRow } from './orders.queries.ts'

type Api = typeof ordersApi

/** Where a timeline tells of a note it shows so much of it. */
const toldCharacters = 200

const refuseArchived = (order: OrderRow) => {
  if (order.archivedAt !== null) throw invalidTransition('This order is archived. Restore it first.')
}

async function touch(
  ctx: Ctx,
  order: OrderRow,
  changes: { substatusGuid?: string | null; assignedGuid?: string | null },
) {
  await ctx.db
    .updateTable('orders')
    .set({ ...changes, ...stamp(ctx, order.version) })
    .where('guid', '=', order.guid)
    .execute()
}

/** Freely among those of its status: what it is in now may be an archived one. */
async function substatus(ctx: Ctx, input: Input<Api['substatus']>) {
  const order = await lockVisibleOrder(ctx, input.guid, input.version)
  refuseArchived(order)
  const substatusGuid = input.substatusGuid ?? null
  if (substatusGuid === order.substatusGuid) refuseFields([{ path: 'substatusGuid', message: 'Nothing to change.' }])
  const chosen = substatusGuid === null ? null : await choosable(ctx, order, substatusGuid)
  await touch(ctx, order, { substatusGuid })
  ctx.audit({
    action: chosen ? 'order.substatus_set' : 'order.substatus_cleared',
    entity: 'Orders',
    guid: order.guid,
    before: { substatusGuid: order.substatusGuid },
    after: { number: order.number, name: chosen?.label ?? null, substatusGuid },
  })
  return one(ctx, order.guid)
}

/** Locked, so that it isn’t archived meanwhile. */
async function choosable(ctx: Ctx, order: OrderRow, guid: string) {
  const found = await ctx.db
    .selectFrom('orderSubstatuses as s')
    .select(['s.core', 's.label'])
    .where('s.guid', '=', guid)
    .where('s.archivedAt', 'is', null)
    .where(
      sql<boolean>`s.business_guid = (select b.catalogue_of from businesses b where b.guid = ${order.businessGuid})`,
    )
    .forShare('s')
    .executeTakeFirst()
  if (!found) throw invalid('substatusGuid', 'Choose a sub-status.')
  if (found.core !== order.status) throw invalid('substatusGuid', `“${found.label}” belongs to another status.`)
  return found
}

/** Who works on it: the lead stands on the order itself, the others beside it. */
async function people(ctx: Ctx, input: Input<Api['people']>) {
  const order = await lockVisibleOrder(ctx, input.guid, input.version)
  refuseArchived(order)
  const before = await ctx.db.selectFrom('orderPeople').select('userGuid').where('orderGuid', '=', order.guid).execute()
  const crewBefore = new Set(before.map(({ userGuid }) => userGuid))
  const known = new Set([...crewBefore, order.assignedGuid])
  const names = await activeNames(ctx, order.businessGuid, input.people, known)
  const lead = input.people.find(({ role }) => role === 'lead')?.userGuid ?? null
  const crew = input.people.filter(({ role }) => role === 'crew').map(({ userGuid }) => userGuid)
  await ctx.db.deleteFrom('orderPeople').where('orderGuid', '=', order.guid).execute()
  if (crew.length > 0)
    await ctx.db
      .insertInto('orderPeople')
      .values(crew.map((userGuid) => ({ orderGuid: order.guid, userGuid })))
      .execute()
  await touch(ctx, order, { assignedGuid: lead })
  ctx.audit({
    action: 'order.people_set',
    entity: 'Orders',
    guid: order.guid,
    before: { assignedGuid: order.assignedGuid, crew: [...crewBefore] },
    after: {
      number: order.number,
      name: input.people.map(({ userGuid }) => names.get(userGuid)).join(', '),
      assignedGuid: lead,
      crew,
    },
  })
  if (lead !== null && !known.has(lead)) await tellAssigned(ctx, { ...order, assignedGuid: lead })
  for (const to of crew.filter((guid) => !known.has(guid)))
    await notify(ctx, {
      kind: 'order.assigned',
      noun: 'Orders',
      recordGuid: order.guid,
      event: `order.crew:${order.guid}:${order.version}:${to}`,
      values: { number: order.number, title: order.title },
      to,
    })
  return one(ctx, order.guid)
}

/** Work is given to those who work here; whoever is on it already stays. */
async function activeNames(
  ctx: Ctx,
  businessGuid: string,
  given: Input<Api['people']>['people'],
  known: ReadonlySet<string | null>,
) {
  const isHere = sql<boolean>`users.status = 'active' and ${worksAt(businessGuid)}`
  const guids = given.map(({ userGuid }) => userGuid)
  const found =
    guids.length === 0
      ? []
      : await ctx.db
          .selectFrom('users')
          .select(['guid', userName('users').as('name'), isHere.as('isHere')])
          .where('guid', 'in', guids)
          .execute()
  const names = new Map(
    found.filter(({ guid, isHere: is }) => is || known.has(guid)).map(({ guid, name }) => [guid, name]),
  )
  refuseFields(
    given.flatMap(({ userGuid }, i): FieldError[] =>
      names.has(userGuid)
        ? []
        : [{ path: `people.${i}.userGuid`, message: 'Choose an active user who works in this business.' }],
    ),
  )
  return names
}

/**
 * Whoever works on an order ticks what is checked, without changing the order: two people tick at the same time, and
 * what the office is editing meanwhile stays valid. Ticking what is ticked says so and changes nothing else.
 */
async function check(ctx: Ctx, input: Input<Api['check']>) {
  const order = await lockVisibleOrder(ctx, input.guid, input.version)
  refuseArchived(order)
  if (order.status === 'closed' || order.status === 'cancelled')
    throw invalidTransition('This checklist is closed, because the order is finished.')
  const before = await ctx.db
    .selectFrom('orderChecks')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .where('code', '=', input.code)
    .executeTakeFirst()
  if (!before) throw invalid('code', 'This checklist has no such item.')
  if ((before.doneAt !== null) !== input.isDone)
    await ctx.db
      .updateTable('orderChecks')
      .set({ doneAt: input.isDone ? ctx.now : null, doneBy: input.isDone ? userOf(ctx) : null })
      .where('orderGuid', '=', order.guid)
      .where('code', '=', input.code)
      .execute()
  ctx.audit({
    action: input.isDone ? 'order.checked' : 'order.unchecked',
    entity: 'Orders',
    guid: order.guid,
    before: { isDone: before.doneAt !== null },
    after: { number: order.number, name: before.label, code: input.code, isDone: input.isDone },
  })
  return one(ctx, order.guid)
}

async function addCost(ctx: Ctx, input: Input<Api['addCost']>) {
  const order = await lockVisibleOrder(ctx, input.guid)
  refuseArchived(order)
  await ctx.db
    .insertInto('orderCosts')
    .values({
      orderGuid: order.guid,
      spentOn: input.on,
      body: input.text,
      cents: input.cents,
      addedAt: ctx.now,
      addedBy: userOf(ctx),
    })
    .execute()
  ctx.audit({
    action: 'order.cost_added',
    entity: 'Orders',
    guid: order.guid,
    after: { number: order.number, name: input.text, cents: input.cents, on: input.on },
  })
  return one(ctx, order.guid)
}

/** A note changes nothing of the order: what somebody is editing meanwhile stays valid. */
async function addNote(ctx: Ctx, { guid, text }: Input<Api['addNote']>) {
  const order = await lockVisibleOrder(ctx, guid)
  refuseArchived(order)
  await ctx.db
    .insertInto('orderNotes')
    .values({ orderGuid: order.guid, body: text, createdAt: ctx.now, createdBy: userOf(ctx) })
    .execute()
  ctx.audit({
    action: 'order.noted',
    entity: 'Orders',
    guid: order.guid,
    after: { number: order.number, note: text.length > toldCharacters ? `${text.slice(0, toldCharacters)}…` : text },
  })
  return one(ctx, order.guid)
}

export const orderParts = { substatus, people, check, addCost, addNote }
