import { z } from 'zod'
import { type Conditions, ruleReasons } from './core/ability.ts'
import { guid, text } from './core/common.ts'

export const actions = ['read', 'create', 'update', 'delete', 'manage'] as const
export const action = z.enum(actions)

/** A rule as it travels: the specification's fields. */
export const permissionRule = z.object({
  subject: z.string(),
  action,
  /** As stored: what is outside the vocabulary is shown, and denies. */
  conditions: z.custom<Conditions | null>((value) => typeof value === 'object'),
  enabled: z.boolean(),
  priority: z.int(),
  inverted: z.boolean(),
  apiGuidRequired: z.boolean(),
  authorizationHeaderRequired: z.boolean(),
})

const flag = z.enum(['true', 'false'])
/** The question: an action on a subject, and what is known of one record when it is about one. */
export const explainQuery = z.strictObject({
  action,
  subject: text(120),
  isOwn: flag.optional(),
  isAssigned: flag.optional(),
  status: text(60).optional(),
  amountCents: z.coerce.number<string | number>().int().min(0).max(1_000_000_000_000).optional(),
})

/** On which records: every one, those that conditions let through, or none. */
export const access = z.enum(['all', 'some', 'none'])
export const verdict = z.object({ subject: z.string(), action, access })

export const explanation = z.object({
  action,
  subject: z.string(),
  /** The subject before the first colon, which may grant as well. */
  parent: z.string(),
  who: z.object({
    kind: z.enum(['user', 'guest', 'visitor', 'role']),
    name: z.string(),
    roleGuid: guid.nullable(),
    roleName: z.string(),
  }),
  allowed: z.boolean(),
  access,
  isSuper: z.boolean(),
  /**
   * The rules that concern the question, in the order they were weighed, the weakest first; rules
   * of everyone come first of all.
   */
  steps: z.array(
    z.object({
      rule: permissionRule.extend({ guid: guid.nullable(), note: z.string() }),
      source: z.enum(['everyone', 'role']),
      effect: z.enum(['allow', 'deny']),
      matched: z.boolean(),
      /** Phrase key of why it has a say or none. */
      reason: z.enum(ruleReasons),
      decides: z.boolean(),
    }),
  ),
  /** Rules of the role that are about something else. */
  others: z.int(),
})
export type Explanation = z.output<typeof explanation>
