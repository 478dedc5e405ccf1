import { CompiledQuery } from 'kysely'
import { AppError } from '../../../contract/core/errors.ts'
import type { Cost } from '../../../contract/core/op.ts'
import type { Actor, Db } from '../ctx.ts'

interface Limit {
  most: number
  seconds: number
}

/** Kept in the database, so that they hold over all processes together; per account, or per peer without one. */
const costly: Record<Exclude<Cost, 'normal'>, Limit> = {
  login: { most: 3000, seconds: 900 },
  guest: { most: 1200, seconds: 60 },
  costly: { most: 6000, seconds: 60 },
}
/** Kept in memory: they only stop one caller from taking a whole process for himself. */
const general = { visitor: { most: 6000, seconds: 60 }, known: { most: 300_000, seconds: 60 } }
const maxCallers = 20_000

const hitSql = `insert into rate_limits as l (key, count, resets_at) values ($1, 1, now() + make_interval(secs => $2))
 on conflict (key) do update set count = case when l.resets_at <= now() then 1 else l.count + 1 end,
 resets_at = case when l.resets_at <= now() then excluded.resets_at else l.resets_at end
 returning count, greatest(1, ceil(extract(epoch from resets_at - now())))::int as seconds`

const usedUpSql = `select greatest(1, ceil(extract(epoch from resets_at - now())))::int as seconds from rate_limits
  where key = $1 and count >= $2 and resets_at > now()`

const tooMany = (retryAfterSeconds: number, message?: string) =>
  new AppError('RATE_LIMITED', message, { data: { retryAfterSeconds } })

async function hit(db: Db, key: string, limit: Limit): Promise<{ count: number; seconds: number }> {
  const { rows } = await db.executeQuery<{ count: number; seconds: number }>(
    CompiledQuery.raw(hitSql, [key, limit.seconds]),
  )
  return rows[0] ?? { count: 0, seconds: limit.seconds }
}

/** Counts one use of `key` in a window and refuses beyond the limit. */
export async function countUse(db: Db, key: string, limit: Limit, message?: string): Promise<void> {
  const { count, seconds } = await hit(db, key, limit)
  if (count > limit.most) throw tooMany(seconds, message)
}

/** Counts one use of `key` in a window and answers whether it is within the limit. */
export const isWithin = async (db: Db, key: string, limit: Limit): Promise<boolean> =>
  (await hit(db, key, limit)).count <= limit.most

/** Takes uses back: a right password shows that the guesses before were its owner's. */
export const forgetUses = (db: Db, key: string) => db.deleteFrom('rateLimits').where('key', '=', key).execute()

const callerOf = (actor: Actor, peer: string) =>
  actor.kind === 'user'
    ? `user:${actor.userGuid}`
    : actor.kind === 'guest'
      ? `guest:${actor.sessionGuid}`
      : `peer:${peer}`

/** The limit of an operation's cost class. A login or a guest has no account yet, so the peer counts. */
export async function limitByCost(db: Db, cost: Cost | undefined, actor: Actor, peer: string): Promise<void> {
  if (!cost || cost === 'normal' || actor.kind === 'system') return
  await countUse(db, `${cost}:${cost === 'costly' ? callerOf(actor, peer) : `peer:${peer}`}`, costly[cost])
}

/** Refuses where a limit is reached, and counts nothing: for what is counted once it is done. */
export async function refuseUsedUp(db: Db, key: string, limit: Limit, message?: string): Promise<void> {
  const { rows } = await db.executeQuery<{ seconds: number }>(CompiledQuery.raw(usedUpSql, [key, limit.most]))
  if (rows[0]) throw tooMany(rows[0].seconds, message)
}

/** Guessing service links is hopeless: 60 misses a minute, then the peer waits. */
export const countMiss = (db: Db, peer: string | null) => countUse(db, missKey(peer), misses)
const misses = { most: 60, seconds: 60 }
const missKey = (peer: string | null) => `miss:${peer ?? ''}`

/** A peer that has missed that often hears nothing more, not even when it hits, until its minute is over. */
export async function refuseGuesser(db: Db, peer: string | null): Promise<void> {
  await refuseUsedUp(db, missKey(peer), misses)
}

/** The cheap limit in front of everything. */
export function makeGeneralLimit() {
  const callers = new Map<string, { count: number; resetsAt: number }>()
  return (actor: Actor, peer: string) => {
    const key = callerOf(actor, peer)
    const limit = key.startsWith('peer:') ? general.visitor : general.known
    const now = performance.now()
    const known = callers.get(key)
    if (!known || known.resetsAt <= now) {
      if (callers.size >= maxCallers) callers.clear()
      callers.set(key, { count: 1, resetsAt: now + limit.seconds * 1000 })
      return
    }
    if (++known.count > limit.most) throw tooMany(Math.ceil((known.resetsAt - now) / 1000))
  }
}
