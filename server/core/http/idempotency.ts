import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { AppError } from '../../../contract/core/errors.ts'
import type { Actor, Ctx, Db, RequestFacts } from '../ctx.ts'
import type { DB } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { newGuid } from '../guid.ts'
import type { Keys } from '../keys.ts'
import { seal, unseal } from '../secrets.ts'

/** An external call that has not answered for this long has died with its process and may be started again. */
const leaseMs = 20_000
const waitMs = 7_000
/** Said to whoever asks again while the first request is being worked on. */
export const stillInProgress = 'This request is still in progress. Please try again in a moment.'
const keyPattern = /^[\x21-\x7e]{1,255}$/

/** One use of a key: the same caller, the same operation, the same request. */
export interface KeyUse {
  actor: string
  route: string
  key: string
  bodySha256: string
}
type SealingKeys = Pick<Keys, 'encryption'>
export interface Answer {
  status: number
  body: string
}

/** The use of a key by a request, or null when it carries none. */
export function keyUseOf(
  header: unknown,
  { actor, request }: Pick<Ctx, 'actor' | 'request'>,
  route: string,
  what: string,
): KeyUse | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !keyPattern.test(header))
    throw new AppError('MALFORMED', 'Use an Idempotency-Key of 1 to 255 visible characters.')
  return {
    actor: ownerOf(actor, request),
    route,
    key: header,
    bodySha256: createHash('sha256').update(what).digest('base64url'),
  }
}
/** Somebody who works in two businesses at once may use a key in each. */
const ownerOf = (actor: Actor, { businessGuid }: Pick<RequestFacts, 'businessGuid'>) =>
  actor.kind === 'user'
    ? `user:${actor.userGuid}${businessGuid === null ? '' : `:${businessGuid}`}`
    : actor.kind === 'system'
      ? `system:${actor.name}`
      : `guest:${actor.apiGuid}`

/**
 * The guid of what a request sets going elsewhere: the same request sent again, after the process that took it first
 * has died, comes upon what was begun. `tries` counts the ones that have failed for good.
 */
export function guidOfRequest({ actor, request }: Pick<Ctx, 'actor' | 'request'>, what: string, tries: number): string {
  if (request.idempotencyKey === null) return newGuid()
  const hash = createHash('sha256')
    .update(JSON.stringify([ownerOf(actor, request), what, request.idempotencyKey, tries]))
    .digest()
  hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x80, 6)
  hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Inside the transaction of a write: null when the key is ours to use. A duplicate waits here
 * until the first one has ended.
 */
export async function claimInTransaction(db: Transaction<DB>, keys: SealingKeys, use: KeyUse): Promise<Answer | null> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotencyKeys')
    .values(use)
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return null
  return replayOf(await find(db, use), keys, use) ?? unfinished()
}

/** An answer may hold what is shown once and kept nowhere else: it is sealed, and opens for the same use alone. */
const purposeOf = ({ actor, route, key }: KeyUse) => `answer:${actor} ${route} ${key}`

/** Keeps an answer, on its own or as a part of another statement. */
export const answerKept = (db: Pick<Db, 'updateTable'>, keys: SealingKeys, use: KeyUse, answer: Answer) =>
  db
    .updateTable('idempotencyKeys')
    .set({ status: answer.status, answer: seal(keys, answer.body, purposeOf(use)) })
    .where('actor', '=', use.actor)
    .where('route', '=', use.route)
    .where('key', '=', use.key)
export const keepAnswer = (db: Db, keys: SealingKeys, use: KeyUse, answer: Answer) =>
  answerKept(db, keys, use, answer).execute()

/**
 * Before an external call: commits the claim, so that a duplicate in any process finds it, and
 * waits for the first one's answer.
 */
export async function claimForExternal(deps: Deps, use: KeyUse): Promise<Answer | null> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const now = deps.now()
    const forsakenBefore = new Date(now.getTime() - leaseMs).toISOString()
    const { numInsertedOrUpdatedRows } = await deps.db
      .insertInto('idempotencyKeys')
      .values({ ...use, claimedAt: now })
      .onConflict((c) =>
        c
          .columns(['actor', 'route', 'key'])
          .doUpdateSet({ claimedAt: now })
          .where('idempotencyKeys.status', 'is', null)
          .where('idempotencyKeys.claimedAt', '<', forsakenBefore),
      )
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) {
      const row = await find(deps.db, use)
      if (row && row.bodySha256 !== use.bodySha256) throw new AppError('IDEMPOTENCY_MISMATCH')
      return null
    }
    const answer = replayOf(await find(deps.db, use), deps.keys, use)
    if (answer) return answer
    if (performance.now() > giveUpAt) return unfinished()
    await sleep(50)
  }
}

/** Gives the key back after a failure that says nothing about the effect. */
export const releaseClaim = (deps: Deps, use: KeyUse) =>
  deps.db
    .deleteFrom('idempotencyKeys')
    .where('actor', '=', use.actor)
    .where('route', '=', use.route)
    .where('key', '=', use.key)
    .where('status', 'is', null)
    .execute()

const find = (db: Db, use: KeyUse) =>
  db
    .selectFrom('idempotencyKeys')
    .select(['bodySha256', 'status', 'answer'])
    .where('actor', '=', use.actor)
    .where('route', '=', use.route)
    .where('key', '=', use.key)
    .executeTakeFirst()

function replayOf(row: Awaited<ReturnType<typeof find>>, keys: SealingKeys, use: KeyUse): Answer | null {
  if (!row) return null
  if (row.bodySha256 !== use.bodySha256) throw new AppError('IDEMPOTENCY_MISMATCH')
  if (row.status === null || row.answer === null) return null
  // Answers were kept as they are before they were sealed.
  const isOpen = row.answer.startsWith('{')
  return { status: row.status, body: isOpen ? row.answer : unseal(keys, row.answer, purposeOf(use)) }
}

const unfinished = (): never => {
  throw new AppError('CONFLICT', stillInProgress)
}
