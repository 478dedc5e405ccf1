import { describe, expect, test } from 'vitest'
import { goldenCases } from '../../test/support/golden.ts'
import { buildAbility, can, conditionsFor, explain, type Facts, rowAllowed } from './ability.ts'

/** Worked out by another program in another language: what every evaluator of ours must answer. */
describe('the agreed cases of rights', () => {
  test('are many', () => expect(goldenCases.length).toBeGreaterThanOrEqual(250))
  test.each(goldenCases)('$title', ({ rules, action, subject, who, hasApiGuid, row, allowed }) => {
    const caller: Facts = {
      isUser: who === 'user',
      isGuest: who === 'guest',
      hasApiGuid,
      hasAuthorization: who !== 'visitor',
    }
    const facts = row ? { ...caller, row } : caller
    const ability = buildAbility(rules)
    expect(can(ability, action, subject, facts)).toBe(allowed)
    expect(explain(rules, action, subject, facts).allowed).toBe(allowed)
    const access = conditionsFor(ability, action, subject, caller)
    expect(row ? rowAllowed(access, row) : access !== 'none').toBe(allowed)
  })
})
