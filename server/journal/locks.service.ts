import { addDays, localDay } from '../../contract/core/dates.ts'
import { conflict, forbidden, invalid } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { type BasCycle, lockedSentence } from '../../contract/periods.ts'
import type { taxApi } from '../../contract/tax.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { type DatabaseFailure, sayConstraints } from '../core/http/errors.ts'
import { userOf } from '../core/records.ts'
import {
  holdBooks,
  insertLock,
  settleForwards,
  newestLock,
  postingDay,
  postedSince,
  presentLock,
  standingLock,
  suspenseOn,
  zonesOf,
} from './locks.queries.ts'

export { suspenseOn }

type Api = typeof taxApi

/** The trigger tells the day, the last locked day and how often the entity reports. */
const sayLocked = ({ detail }: DatabaseFailure): string => {
  const [day, through, cycle] = (detail ?? '').split(' ')
  return day && through ? lockedSentence(day, through, cycle as BasCycle) : 'This period is locked.'
}
sayConstraints({ period_locked: ['PERIOD_LOCKED', sayLocked] })

/**
 * The day that something received on a day is posted on: that day, or the first one that is not locked in the books of
 * a business. Nobody locks them until the transaction is over.
 */
export const firstUnlockedDay = async (ctx: Pick<Ctx, 'db' | 'now'>, businessGuid: string, day: string) =>
  postingDay(ctx.db, businessGuid, day, ctx.now)

/** A day as sentences name it. */
export const spoken = (day: string) => day.split('-').toReversed().join('-')

/** Books are closed for a legal entity as a whole: by somebody who works in all of it. */
export function booksOf(ctx: Ctx): string {
  const { actor, business } = ctx
  if (actor.kind === 'user' && actor.worksIn && !actor.worksIn.guid.includes(business.entityGuid)) throw forbidden()
  return business.entityGuid
}

/** Holds the books for whoever changes the basis of their GST: how they stand, and how far they are locked. */
export async function holdOpenBooks(ctx: Ctx, entityGuid: string) {
  await holdBooks(ctx.db, entityGuid)
  const books = await ctx.db
    .selectFrom('businesses')
    .select(['version', 'timeZone', 'basCycle', 'gstBasis'])
    .where('guid', '=', entityGuid)
    .executeTakeFirstOrThrow()
  return { ...books, lockedThrough: await lockedThrough(ctx, entityGuid) }
}

/** The last day of a legal entity's books that nothing can be posted on any more; null where they are all open. */
export const lockedThrough = async (ctx: Ctx, entityGuid: string): Promise<string | null> =>
  (await presentLock(ctx.db, entityGuid, ctx.now))?.lockedThrough ?? null

/** Whether nothing can be posted on a day any more. */
export async function isLockedThrough(ctx: Ctx, entityGuid: string, day: string): Promise<boolean> {
  const through = await lockedThrough(ctx, entityGuid)
  return through !== null && day <= through
}

async function lockState(ctx: Ctx): Promise<Output<Api['lockState']>> {
  const entityGuid = booksOf(ctx)
  const lock = await presentLock(ctx.db, entityGuid, ctx.now)
  const standingThrough = (await standingLock(ctx.db, entityGuid))?.lockedThrough ?? null
  const newest = await newestLock(ctx.db, entityGuid)
  const state = { lock: lock ?? null, standingThrough, reason: null, posted: [], postedCount: 0 }
  if (!newest?.reopensUntil || standingThrough === null) return state
  const { rows, count } = await postedSince(ctx, {
    entityGuid,
    since: newest.createdAt,
    after: newest.lockedThrough,
    through: standingThrough,
  })
  return { ...state, reason: newest.reason, posted: rows, postedCount: count }
}

/** What keeps a period from being locked; cents of either side. */
export const suspenseSentence = (cents: number) =>
  `Suspense holds $${centsToDecimal(Math.abs(cents))}. Sort these bank lines first.`

async function lock(ctx: Ctx, { through }: Input<Api['lock']>): Promise<Output<Api['lock']>> {
  const entityGuid = booksOf(ctx)
  await holdBooks(ctx.db, entityGuid)
  const zones = await zonesOf(ctx.db, entityGuid)
  if (zones.some(({ timeZone }) => through >= localDay(ctx.now.toISOString(), timeZone)))
    throw invalid('through', 'Choose a day before today.')
  const standing = await standingLock(ctx.db, entityGuid)
  if (standing && through < standing.lockedThrough)
    throw invalid('through', `Choose ${spoken(standing.lockedThrough)} or later. To open a locked period, unlock it.`)
  if (standing && through === standing.lockedThrough) {
    const present = await presentLock(ctx.db, entityGuid, ctx.now)
    if (!present?.reopensUntil) throw invalid('through', 'This period is already locked.')
  }
  const suspense = await suspenseOn(ctx.db, entityGuid, through)
  if (suspense && suspense.cents !== 0) throw conflict(suspenseSentence(suspense.cents))
  await settleForwards(ctx.db)
  const row = { lockedThrough: through, reopensUntil: null }
  const more = { guid: newGuid(), businessGuid: entityGuid, reason: null, createdAt: ctx.now, createdBy: userOf(ctx) }
  await insertLock(ctx.db, { ...row, ...more })
  ctx.audit({
    action: 'business.period_locked',
    entity: 'Businesses',
    guid: entityGuid,
    after: { through, name: spoken(through) },
  })
  return { lock: row }
}

async function unlock(ctx: Ctx, { from, reason, days }: Input<Api['unlock']>): Promise<Output<Api['unlock']>> {
  const entityGuid = booksOf(ctx)
  await holdBooks(ctx.db, entityGuid)
  const standing = await standingLock(ctx.db, entityGuid)
  if (!standing || from > standing.lockedThrough) throw invalid('from', 'This day isn’t locked.')
  const reopensUntil = new Date(ctx.now.getTime() + days * 86_400_000)
  const through = addDays(from, -1)
  await insertLock(ctx.db, {
    guid: newGuid(),
    businessGuid: entityGuid,
    lockedThrough: through,
    reason,
    reopensUntil,
    createdAt: ctx.now,
    createdBy: userOf(ctx),
  })
  const until = reopensUntil.toISOString()
  ctx.audit({
    action: 'business.period_unlocked',
    entity: 'Businesses',
    guid: entityGuid,
    after: { from, until, name: spoken(from), reason },
    reason,
  })
  return { lock: { lockedThrough: through, reopensUntil: until } }
}

export const periodLocks: Omit<Handlers<Api>, 'changeBasis'> = { lockState, lock, unlock }
