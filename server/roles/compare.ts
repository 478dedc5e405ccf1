import { catalogue } from '../../contract/api.ts'
import { type Ability, conditionsFor, decide, type Facts, type Rule } from '../../contract/core/ability.ts'
import type { Action, Returned } from '../../contract/core/op.ts'
import type { rolesApi } from '../../contract/roles.ts'

interface Side {
  rules: readonly (Rule & { note: string })[]
  ability: Ability
  facts: Facts
}
type Compared = Returned<(typeof rolesApi)['compare']>['items'][number]

function standing({ rules, ability, facts }: Side, action: Action, subject: string) {
  const { allowed, index } = decide(ability, action, subject, facts)
  const access = allowed ? conditionsFor(ability, action, subject, facts) : 'none'
  const rule = index === null ? null : (rules[index] ?? null)
  return { access: typeof access === 'string' ? access : ('some' as const), rule, key: JSON.stringify(access) }
}

/** Each right the product knows, on either side; different is what lets other records through. */
export const compare = (left: Side, right: Side): Compared[] =>
  catalogue.map(({ subject, action }) => {
    const { key: leftKey, ...l } = standing(left, action, subject)
    const { key: rightKey, ...r } = standing(right, action, subject)
    return { subject, action, left: l, right: r, isDifferent: leftKey !== rightKey }
  })
