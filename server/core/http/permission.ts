import type { Facts, RowAccess } from '../../../contract/core/ability.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Action, Op, Who } from '../../../contract/core/op.ts'
import { readRight } from '../../../contract/nouns.ts'
import type { Actor } from '../ctx.ts'
import { accessFor } from '../rights.ts'

const kinds: Record<Who, readonly Actor['kind'][]> = {
  public: ['none', 'guest', 'user'],
  guest: ['guest', 'user'],
  staff: ['user'],
  cron: ['user', 'system'],
  webhook: ['system'],
}

export const factsOf = (actor: Actor, hasApiGuid: boolean): Facts => ({
  isUser: actor.kind === 'user',
  isGuest: actor.kind === 'guest',
  hasApiGuid,
  hasAuthorization: actor.kind === 'user' || actor.kind === 'guest',
})

const insufficient = (action: Action, subject: string) =>
  new AppError('FORBIDDEN', 'Insufficient permissions', {
    fields: [{ path: 'permission', message: `${action} ${subject}` }],
  })

/**
 * Whether the caller may do the operation at all, and on which records. Without a declared right there is none; the
 * kind of caller an operation is for holds whatever the rules say.
 */
export function authorize(op: Pick<Op, 'can' | 'who'>, actor: Actor, hasApiGuid: boolean): 'all' | RowAccess[] {
  const [action, subject] = op.can
  if (!kinds[op.who].includes(actor.kind))
    throw actor.kind === 'none' ? new AppError('NOT_AUTHENTICATED') : insufficient(action, subject)
  if (actor.kind === 'system') return 'all'
  const access = accessFor(actor.ability, action, subject, factsOf(actor, hasApiGuid))
  if (access !== 'none') return access
  throw actor.kind === 'none' ? new AppError('NOT_AUTHENTICATED') : insufficient(action, subject)
}

/** Which records of a noun the caller may read, in lists or one by one, whatever his operation shows. */
export const readable = (actor: Actor, noun: string, which: 'All' | 'Guid'): 'all' | 'none' | RowAccess[] =>
  actor.kind === 'system' ? 'all' : accessFor(actor.ability, ...readRight(noun, which), factsOf(actor, true))

/** For services that decide beyond their own operation, for example whether a list may show a column. */
export const may = (actor: Actor, action: Action, subject: string): boolean =>
  actor.kind === 'system' || accessFor(actor.ability, action, subject, factsOf(actor, true)) !== 'none'
