import { type Facts, parentOf } from '../../../contract/core/ability.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Action, Op, Who } from '../../../contract/core/op.ts'
import { isNoun, readRight, rowOf } from '../../../contract/nouns.ts'
import type { Actor, RowLimit } from '../ctx.ts'
import { accessFor } from '../rights.ts'

const kinds: Record<Who, readonly Actor['kind'][]> = {
  public: ['none', 'guest', 'user'],
  guest: ['guest', 'user'],
  staff: ['user'],
  cron: ['user', 'system'],
  webhook: ['system'],
}

const factsOf = (actor: Actor, hasApiGuid: boolean): Facts => ({
  isUser: actor.kind === 'user',
  isGuest: actor.kind === 'guest',
  hasApiGuid,
  hasAuthorization: actor.kind === 'user' || actor.kind === 'guest',
})

/** Of no business: people, their roles and what is theirs alone. */
function isOfNone(subject: string): boolean {
  const noun = parentOf(subject)
  if (!isNoun(noun)) return false
  const { scope, partOf } = rowOf(noun)
  return scope?.business === undefined && !partOf
}

const everything: RowLimit = { named: [], ways: [[{ allows: true, when: {} }]] }

/** The records a person may do something with, as far as the businesses he works in. */
function accessOf(actor: Exclude<Actor, { kind: 'system' }>, action: Action, subject: string, hasApiGuid: boolean) {
  const access = accessFor(actor.ability, action, subject, factsOf(actor, hasApiGuid))
  const within = actor.kind === 'user' ? actor.worksIn : null
  if (!within || access === 'none' || isOfNone(subject)) return access
  return (access === 'all' ? [everything] : access).map((one): RowLimit => ({ ...one, within }))
}

const insufficient = (action: Action, subject: string) =>
  new AppError('FORBIDDEN', 'Insufficient permissions', {
    fields: [{ path: 'permission', message: `${action} ${subject}` }],
  })

/**
 * Whether the caller may do the operation at all, and on which records. Without a declared right there is none; the
 * kind of caller an operation is for holds whatever the rules say.
 */
export function authorize(op: Pick<Op, 'can' | 'who'>, actor: Actor, hasApiGuid: boolean): 'all' | RowLimit[] {
  const [action, subject] = op.can
  if (!kinds[op.who].includes(actor.kind))
    throw actor.kind === 'none' ? new AppError('NOT_AUTHENTICATED') : insufficient(action, subject)
  if (actor.kind === 'system') return 'all'
  const access = accessOf(actor, action, subject, hasApiGuid)
  if (access !== 'none') return access
  throw actor.kind === 'none' ? new AppError('NOT_AUTHENTICATED') : insufficient(action, subject)
}

/** Which records of a noun the caller may read, in lists or one by one, whatever his operation shows. */
export const readable = (actor: Actor, noun: string, which: 'All' | 'Guid'): 'all' | 'none' | RowLimit[] =>
  reachable(actor, readRight(noun, which))

/** Which records of a right's noun the caller may do with as the right says. */
export const reachable = (actor: Actor, [action, subject]: readonly [Action, string]): 'all' | 'none' | RowLimit[] =>
  actor.kind === 'system' ? 'all' : accessOf(actor, action, subject, true)

/** For services that decide beyond their own operation, for example whether a list may show a column. */
export const may = (actor: Actor, action: Action, subject: string): boolean =>
  actor.kind === 'system' || accessFor(actor.ability, action, subject, factsOf(actor, true)) !== 'none'
