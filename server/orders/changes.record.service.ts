import { createHash } from 'node:crypto'
import {
  actionsOf,
  changedLines,
  type ChangedLine,
  changeNumber,
  type OfficeTitle,
} from '../../contract/change-orders.ts'
import { conflict } from '../../contract/core/errors.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { ChangeAcceptance } from '../core/db/schema-orders.ts'
import { stamp, userOf } from '../core/records.ts'
import { canonical } from '../documents/documents.service.ts'
import { attachAnswered } from '../documents/line-options.service.ts'
import { type CataloguedInput, type PricedLines, priceLines } from '../documents/lines.service.ts'
import { keepChange } from './changes.chain.ts'
import { countHire } from './hire.queries.ts'
import { type OrderRow, orderLines, refreshState, replaceLines } from './orders.queries.ts'
import { settleStages } from './stages.service.ts'

type Contract = Pick<OrderRow, 'guid' | 'number' | 'quoteGuid' | 'totalCents' | 'contractCents'>

/** What its customer reads of a change, frozen: whoever signs names its hash. */
export function contentOf(
  order: Pick<OrderRow, 'number'>,
  change: { position: number; title: string; note: string | null; lines: readonly ChangedLine[] } & Effect,
) {
  const { position, title, note, lines, deltaCents, contractBeforeCents, contractAfterCents } = change
  const content = canonical({
    order: order.number,
    number: changeNumber(position),
    ...{ title, note, lines, deltaCents, contractBeforeCents, contractAfterCents },
  })
  return { content, sha256: createHash('sha256').update(content).digest('hex') }
}

export interface Effect {
  deltaCents: number
  contractBeforeCents: number
  contractAfterCents: number
}

export const effectOn = (order: Pick<OrderRow, 'totalCents'>, totalCents: number): Effect => ({
  deltaCents: totalCents - order.totalCents,
  contractBeforeCents: order.totalCents,
  contractAfterCents: totalCents,
})

/** Under the order's lock, which lets one count at a time. */
export async function nextPosition(db: Db, orderGuid: string): Promise<number> {
  const last = await db
    .selectFrom('changeOrders')
    .select((e) => e.fn.max('position').as('position'))
    .where('orderGuid', '=', orderGuid)
    .executeTakeFirst()
  return (last?.position ?? 0) + 1
}

/** While a change waits for its customer the lines it was made of stay as they are. Throws CONFLICT. */
export async function mustHaveNoneSent(db: Db, orderGuid: string) {
  const sent = await db
    .selectFrom('changeOrders')
    .select('position')
    .where('orderGuid', '=', orderGuid)
    .where('status', '=', 'sent')
    .executeTakeFirst()
  if (sent) throw conflict(`${changeNumber(sent.position)} is waiting for the customer. Cancel it first.`)
}

export function acceptanceBy(
  ctx: Ctx,
  given: Pick<ChangeAcceptance, 'method' | 'name' | 'sha256'> &
    Partial<Pick<ChangeAcceptance, 'signature' | 'evidenceSha256'>>,
): string {
  const acceptance: ChangeAcceptance = {
    ...given,
    at: ctx.now.toISOString(),
    recordedBy: ctx.actor.kind === 'user' ? ctx.actor.name : null,
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    signature: given.signature ?? null,
  }
  return JSON.stringify(acceptance)
}

type ShownLines = Parameters<typeof changedLines>[0]

/**
 * Notes that the office changed a locked order that was agreed: `order` as it was, `before` its lines as they were.
 * Nobody signed it. Nothing is noted where no quantity, price or amount moved, or where nothing was agreed.
 */
export async function recordEdited(
  ctx: Ctx,
  order: Contract,
  before: ShownLines,
  totalCents: number,
  title: OfficeTitle = 'Edited',
) {
  if (order.contractCents === null) return
  const lines = changedLines(before, await orderLines(ctx.db, order.guid))
  const effect = effectOn(order, totalCents)
  if (lines.length === 0 && effect.deltaCents === 0) return
  const position = await nextPosition(ctx.db, order.guid)
  const frozen = contentOf(order, { position, title, note: null, lines, ...effect })
  const name = nameOf(ctx)
  const { guid } = await ctx.db
    .insertInto('changeOrders')
    .values({
      ...effect,
      ...frozen,
      orderGuid: order.guid,
      position,
      title,
      status: 'accepted',
      actions: JSON.stringify(actionsOf(lines)),
      lines: JSON.stringify(lines),
      resolved: '[]',
      acceptance: acceptanceBy(ctx, { method: 'edited', name, sha256: frozen.sha256 }),
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .returning('guid')
    .executeTakeFirstOrThrow()
  await keepChange(ctx, order, { guid, position, sha256: frozen.sha256 }, { reason: 'edited', by: name })
  ctx.audit({
    action: 'order.change_recorded',
    entity: 'Orders',
    guid: order.guid,
    before: { totalCents: order.totalCents },
    after: { number: order.number, name: changeNumber(position), totalCents, method: 'edited' },
  })
}

/** What is left to do once a locked order has other lines: its amounts, its stages, what is left to invoice. */
export async function putLines(ctx: Ctx, order: OrderRow, { rows, totals }: PricedLines, label: string) {
  await replaceLines(ctx.db, order.guid, rows)
  await attachAnswered(ctx, 'Orders', order.guid, rows)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  await ctx.db
    .updateTable('orders')
    .set({ subtotalCents, discountCents, gstCents, totalCents, ...stamp(ctx, order.version) })
    .where('guid', '=', order.guid)
    .execute()
  const workCents = totalCents - (await countHire(ctx.db, order))
  await settleStages(ctx, order, workCents, label)
  await refreshState(ctx.db, order.guid)
}

/** Lines of an order priced by its own terms; `known` are the guids they may have. */
export async function pricedFor(
  ctx: Ctx,
  order: OrderRow,
  input: readonly CataloguedInput[],
  known: ReadonlySet<string>,
): Promise<PricedLines> {
  const { gstRegistered } = await ctx.db
    .selectFrom('businesses')
    .select('gstRegistered')
    .where('guid', '=', order.businessGuid)
    .executeTakeFirstOrThrow()
  const { priceMode, roundingRule, discount } = order
  return priceLines(input, { priceMode, roundingRule, discount, gstRegistered, known, withoutChoices: true })
}

/** An order that ends has nothing left to be agreed to. It is locked. */
export async function cancelOpen(ctx: Ctx, order: Pick<OrderRow, 'guid' | 'number' | 'quoteGuid'>) {
  const open = await ctx.db
    .updateTable('changeOrders')
    .set({ status: 'cancelled' })
    .where('orderGuid', '=', order.guid)
    .where('status', 'in', ['draft', 'sent'])
    .returning(['guid', 'position', 'sha256'])
    .execute()
  for (const change of open.filter(({ sha256 }) => sha256 !== null))
    await keepChange(ctx, order, change, { reason: 'cancelled', by: nameOf(ctx) })
}

/** Whoever acts, as the evidence names him. */
export const nameOf = ({ actor }: Pick<Ctx, 'actor'>): string => (actor.kind === 'user' ? actor.name : 'Brolga')
