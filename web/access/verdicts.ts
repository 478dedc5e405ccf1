import { buildAbility, conditionsFor, type Ability, type Facts, type Rule } from '../../contract/core/ability.ts'
import type { Action } from '../../contract/core/op.ts'
import type { CatalogueSubject } from '../../contract/roles.ts'

/** A right, and the records it holds on: all, some of them, or none. */
export interface Verdict {
  subject: string
  action: Action
  access: 'all' | 'some' | 'none'
}

/** What is known of anybody who has a role: people are logged in, guests have credentials. */
export const factsOfKind = (kind: 'staff' | 'guest'): Facts => ({
  isUser: kind === 'staff',
  isGuest: kind === 'guest',
  hasApiGuid: true,
  hasAuthorization: true,
})

export function accessOf(ability: Ability, action: Action, subject: string, facts: Facts): Verdict['access'] {
  const found = conditionsFor(ability, action, subject, facts)
  return typeof found === 'string' ? found : 'some'
}

/** Rights that nobody needs a role for: coming in and one's own account. */
export const everyones: ReadonlySet<string> = new Set(['Auth', 'Account', 'Live'])

/** What a set of rules comes to, right by right. */
export function verdictsOf(
  rules: readonly Rule[],
  catalogue: readonly CatalogueSubject[],
  kind: 'staff' | 'guest',
): Verdict[] {
  const ability = buildAbility(rules)
  const facts = factsOfKind(kind)
  return catalogue
    .filter(({ parent }) => !everyones.has(parent))
    .flatMap(({ subject, actions }) =>
      actions.map(({ action }): Verdict => ({ subject, action, access: accessOf(ability, action, subject, facts) })),
    )
}
