import { createHash } from 'node:crypto'
import { AppError } from '../../contract/core/errors.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { countUse, forgetUses } from '../core/http/limits.ts'

const guesses = { most: 10, seconds: 900 }
const maxInLine = 100
/** What came of a guess. */
export interface Guess {
  isRight: boolean
}

const lines = new Map<string, { last: Promise<unknown>; length: number; same: Map<string, Promise<unknown>> }>()

const keyOf = (authId: string) =>
  `guess:${createHash('sha256').update(authId.trim().toLowerCase()).digest('base64url')}`

/**
 * Evaluates a guess at a password, one after the other per account: ten wrong ones in a quarter of an hour, then
 * nobody's guess is looked at, wherever it comes from. The count is taken before the guess, so that many at once
 * get no more than that. Whoever makes the same guess (`same`) while it is in line gets its result: a right
 * password is not checked fifty times.
 */
export async function guess<G extends Guess>(
  { db }: OpenCtx,
  authId: string,
  evaluate: () => Promise<G>,
  same?: string,
): Promise<G> {
  const key = keyOf(authId)
  const line = lines.get(key) ?? { last: Promise.resolve(), length: 0, same: new Map() }
  const made = same === undefined ? undefined : line.same.get(same)
  if (made) return made as Promise<G>
  if (line.length >= maxInLine) throw new AppError('RATE_LIMITED')
  lines.set(key, line)
  line.length++
  const turn = line.last.then(async () => {
    await countUse(db, key, guesses, 'Too many attempts with this login. Please wait a while.')
    const result = await evaluate()
    if (result.isRight) await forgetUses(db, key)
    return result
  })
  line.last = turn.catch(() => undefined)
  if (same !== undefined) line.same.set(same, turn)
  try {
    return await turn
  } finally {
    if (same !== undefined) line.same.delete(same)
    if (--line.length === 0) lines.delete(key)
  }
}

/** A new password begins with no guesses against it. */
export const forgetGuesses = ({ db }: OpenCtx, authId: string) => forgetUses(db, keyOf(authId))
