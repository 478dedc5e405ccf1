import { sql } from 'kysely'
import type { GstBasis } from '../../contract/businesses.ts'
import { localDay } from '../../contract/core/dates.ts'
import { AppError, invalid } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { type BasisHistory, gstStateAt, gstStateOn } from '../../contract/gst-state.ts'
import { basPeriodOf, lockedSentence } from '../../contract/periods.ts'
import { basisMovesShown, type taxApi } from '../../contract/tax.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { stamp, userOf } from '../core/records.ts'
import {
  basisHistory,
  forwardsPosted,
  type GstMove,
  livesMovedIn,
  movesOf,
  ordersNamed,
  postBasisChange,
  type TaxedDocument,
} from '../journal/gst.service.ts'
import { booksOf, holdOpenBooks, spoken } from '../journal/locks.service.ts'

type Api = typeof taxApi

const already: Record<GstBasis, string> = {
  cash: 'GST is already on the cash basis.',
  accrual: 'GST is already on the accrual basis.',
}

/**
 * Counts GST otherwise from the start of a period. What waited for its money becomes due with that day; what was due
 * stays in the period it was reported in. What was posted since on the old basis is put right on its own days. What
 * orders brought forward turns back on the cash basis, where the money that came for them counts instead, and the other
 * way round.
 */
export async function changeBasis(ctx: Ctx, input: Input<Api['changeBasis']>): Promise<Output<Api['changeBasis']>> {
  const entityGuid = booksOf(ctx)
  const { from, basis, dryRun = false } = input
  const books = await holdOpenBooks(ctx, entityGuid)
  const before = await basisHistory(ctx.db, entityGuid)
  refuseDay(from, { ...books, today: localDay(ctx.now.toISOString(), books.timeZone) }, before)
  if (basis === books.gstBasis) throw invalid('basis', already[basis])
  const after = { ...before, changes: [...before.changes, { from, basis }] }
  const lives = await livesMovedIn(ctx.db, entityGuid, from, null, [from])
  const moves = await movesOf(ctx.db, lives, after)
  // What orders bring forward is for the database to say: a look takes it all back.
  await sql`savepoint looking`.execute(ctx.db)
  const guid = await insertChange(ctx, { entityGuid, from, basis })
  const orders = await ordersMoved(ctx, { entityGuid, from }, lives, moves)
  if (dryRun) await sql`rollback to savepoint looking`.execute(ctx.db)
  await sql`release savepoint looking`.execute(ctx.db)
  if (!dryRun) await change(ctx, { guid, entityGuid, from, basis, version: books.version }, moves)
  return { basis, from, ...told(lives, moves), ...orders, keptCents: basis === 'cash' ? keptOf(lives, from, after) : 0 }
}

function refuseDay(
  from: string,
  { basCycle, lockedThrough, today }: Awaited<ReturnType<typeof holdOpenBooks>> & { today: string },
  { changes }: BasisHistory,
) {
  if (from > today) throw invalid('from', 'Choose today or an earlier date.')
  const period = basPeriodOf(from, basCycle)
  if (period.from !== from)
    throw invalid('from', `Choose the first day of a period, such as ${spoken(basPeriodOf(today, basCycle).from)}.`)
  if (lockedThrough !== null && from <= lockedThrough)
    throw new AppError('PERIOD_LOCKED', lockedSentence(from, lockedThrough, basCycle))
  const last = changes.at(-1)
  if (last && from <= last.from)
    throw invalid('from', `The basis changed on ${spoken(last.from)}. Choose a later period.`)
}

interface Change {
  entityGuid: string
  from: string
  basis: GstBasis
}

async function insertChange(ctx: Ctx, { entityGuid, from, basis }: Change): Promise<string> {
  const guid = newGuid()
  const by = { createdAt: ctx.now, createdBy: userOf(ctx) }
  await ctx.db
    .insertInto('basisChanges')
    .values({ guid, businessGuid: entityGuid, fromOn: from, basis, ...by })
    .execute()
  return guid
}

/** What orders move: what they bring forward and what counts of the money that came for them, once that has changed. */
async function ordersMoved(
  ctx: Ctx,
  { entityGuid, from }: Pick<Change, 'entityGuid' | 'from'>,
  lives: readonly TaxedDocument[],
  moves: readonly GstMove[],
) {
  await sql`set constraints basis_changes_forward immediate`.execute(ctx.db)
  const forwards = await forwardsPosted(ctx.db, entityGuid, from)
  const cents = new Map(forwards.map((one) => [one.guid, one.cents]))
  const orderOf = new Map(
    lives.flatMap(({ noun, guid, orderGuid }) => (noun === 'Payments' ? [[guid, orderGuid]] : [])),
  )
  for (const move of moves) {
    const order = orderOf.get(move.gstOf)
    if (order) cents.set(order, (cents.get(order) ?? 0) + move.cents)
  }
  const moved = new Map([...cents].filter(([, sum]) => sum !== 0))
  const named = await ordersNamed(ctx.db, [...moved.keys()])
  const orders = named.map((order) => ({ ...order, cents: moved.get(order.guid) ?? 0 }))
  return {
    orderCents: orders.reduce((sum, one) => sum + one.cents, 0),
    orderCount: orders.length,
    orders: largest(orders),
  }
}

async function change(
  ctx: Ctx,
  { guid, entityGuid, from, basis, version }: Change & { guid: string; version: number },
  moves: readonly GstMove[],
) {
  await ctx.db
    .updateTable('businesses')
    .set({ gstBasis: basis, gstBasisFrom: from, ...stamp(ctx, version) })
    .where('guid', '=', entityGuid)
    .execute()
  await postBasisChange(ctx, { guid, businessGuid: entityGuid, from, basis }, moves)
  ctx.audit({
    action: 'business.basis_changed',
    entity: 'Businesses',
    guid: entityGuid,
    before: { gstBasis: basis === 'cash' ? 'accrual' : 'cash' },
    after: { name: spoken(from), gstBasis: basis, from },
  })
}

function told(lives: readonly TaxedDocument[], moves: readonly GstMove[]) {
  const cents = new Map<string, number>()
  for (const move of moves) cents.set(move.gstOf, (cents.get(move.gstOf) ?? 0) + move.cents)
  const documents = lives.flatMap(({ noun, guid, number, customerName }) => {
    const moved = cents.get(guid) ?? 0
    return moved === 0 || noun !== 'Invoices' ? [] : [{ guid, number, customerName, cents: moved }]
  })
  return {
    movedCents: documents.reduce((sum, one) => sum + one.cents, 0),
    documentCount: documents.length,
    documents: largest(documents),
  }
}

const largest = <T extends { cents: number }>(moved: readonly T[]): T[] =>
  moved.toSorted((a, b) => Math.abs(b.cents) - Math.abs(a.cents)).slice(0, basisMovesShown)

/** GST that was due before and whose money had not come: it isn't due again when it comes. */
const keptOf = (lives: readonly TaxedDocument[], from: string, history: BasisHistory): number =>
  lives
    .filter(({ issuedOn }) => issuedOn < from)
    .reduce((sum, life) => sum + gstStateOn(life, from, history).gstCents - gstStateAt(life, from, 'cash').gstCents, 0)
