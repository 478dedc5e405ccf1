import type { Conditions, RowFacts, Rule } from '../../contract/core/ability.ts'
import golden from '../../contract/core/ability.golden.json' with { type: 'json' }
import type { Action } from '../../contract/core/op.ts'

export interface GoldenCase {
  title: string
  rules: Rule[]
  action: Action
  subject: string
  who: 'user' | 'guest' | 'visitor'
  hasApiGuid: boolean
  row?: RowFacts
  allowed: boolean
}

const usual = {
  enabled: true,
  priority: 0,
  inverted: false,
  apiGuidRequired: false,
  authorizationHeaderRequired: false,
}

/** The agreed cases of rights, each rule with all its fields. */
export const goldenCases: GoldenCase[] = (
  golden as (Omit<GoldenCase, 'rules'> & { rules: (Partial<Rule> & Pick<Rule, 'subject' | 'action'>)[] })[]
).map((one) => ({
  ...one,
  rules: one.rules.map((rule) => ({ ...usual, ...rule, conditions: (rule.conditions ?? null) as Conditions | null })),
}))
