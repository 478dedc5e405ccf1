import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildAbility,
  can,
  conditionsFor,
  conditionsSchema,
  explain,
  isSuper,
  rowAllowed,
  type Conditions,
  type Facts,
  type RowFacts,
  type Rule,
} from './ability.ts'
import type { Action } from './op.ts'

const rule = (action: Action, subject: string, more: Partial<Rule> = {}): Rule => ({
  action,
  subject,
  conditions: null,
  enabled: true,
  priority: 0,
  inverted: false,
  apiGuidRequired: false,
  authorizationHeaderRequired: false,
  ...more,
})
const deny = (action: Action, subject: string, more: Partial<Rule> = {}) =>
  rule(action, subject, { ...more, inverted: true })
const user: Facts = { isUser: true, isGuest: false }
const guest: Facts = { isUser: false, isGuest: true }
const nobody: Facts = { isUser: false, isGuest: false }
const office = '0198c0de-0000-7000-8000-000000000001'
const other = '0198c0de-0000-7000-8000-000000000002'
const unknown = (conditions: object) => conditions as Conditions

type Case = [title: string, rules: Rule[], action: Action, subject: string, facts: Facts, expected: boolean]
const preview = 'Orders:Preview:All'
const cases: Case[] = [
  ['nothing is allowed without a rule', [], 'read', 'Orders', user, false],
  ['a rule on the subject allows', [rule('read', preview)], 'read', preview, user, true],
  ['a rule on the parent allows', [rule('read', 'Orders')], 'read', preview, user, true],
  ['a rule on a part between does not', [rule('read', 'Orders:Preview')], 'read', preview, user, false],
  ['a rule on a child does not open the parent', [rule('read', preview)], 'read', 'Orders', user, false],
  ['another action is not allowed', [rule('read', 'Orders')], 'update', 'Orders', user, false],
  ['manage stands for every action', [rule('manage', 'Orders')], 'delete', preview, user, true],
  ['all stands for every subject', [rule('read', 'all')], 'read', 'Invoices:Refund:Guid', user, true],
  ['manage on all allows everything', [rule('manage', 'all')], 'create', 'Anything:At:All', user, true],
  ['a disabled rule says nothing', [rule('read', 'Orders', { enabled: false })], 'read', 'Orders', user, false],
  [
    'a disabled deny says nothing',
    [rule('read', 'Orders'), deny('read', 'Orders', { enabled: false, priority: 9 })],
    'read',
    'Orders',
    user,
    true,
  ],
  [
    'a later deny overrides',
    [rule('read', 'Orders'), deny('read', 'Orders', { priority: 1 })],
    'read',
    'Orders',
    user,
    false,
  ],
  [
    'a later allow overrides a deny',
    [deny('read', 'Orders'), rule('read', 'Orders', { priority: 1 })],
    'read',
    'Orders',
    user,
    true,
  ],
  [
    'a deny wins at equal priority, whichever comes first',
    [deny('read', 'Orders'), rule('read', 'Orders')],
    'read',
    'Orders',
    user,
    false,
  ],
  [
    'an explicit deny is honoured although the parent is allowed',
    [rule('read', 'Orders', { priority: 5 }), deny('read', preview)],
    'read',
    preview,
    user,
    false,
  ],
  [
    'a deny on the parent does not close what the full subject allows',
    [rule('read', preview), deny('read', 'Orders', { priority: 5 })],
    'read',
    preview,
    user,
    true,
  ],
  [
    'a deny on all closes both',
    [rule('read', preview), rule('read', 'Orders'), deny('read', 'all', { priority: 5 })],
    'read',
    preview,
    user,
    false,
  ],
  [
    'a deny of manage closes every action',
    [rule('read', 'Orders'), deny('manage', preview, { priority: 1 })],
    'read',
    preview,
    user,
    false,
  ],
  [
    'an explicit deny holds for super users',
    [rule('manage', 'all', { priority: 1 }), deny('delete', 'Invoices:Void', { priority: 2 })],
    'delete',
    'Invoices:Void',
    user,
    false,
  ],
  [
    'an allow of the same subject that is stronger than the explicit deny opens',
    [deny('read', preview), rule('read', preview, { priority: 3 })],
    'read',
    preview,
    user,
    true,
  ],
  [
    'a super user is under an explicit deny, however weak it is',
    [deny('read', preview), rule('manage', 'all', { priority: 3 })],
    'read',
    preview,
    user,
    false,
  ],
  [
    'a stronger allow on the parent does not lift an explicit deny',
    [deny('read', preview), rule('read', 'Orders', { priority: 3 })],
    'read',
    preview,
    user,
    false,
  ],
  [
    'a super user passes a deny that names the parent only',
    [deny('read', 'Orders', { priority: 3 }), rule('manage', 'all')],
    'read',
    preview,
    user,
    true,
  ],
  [
    'a wider deny does not lift an explicit one',
    [
      rule('read', 'Orders', { priority: 9 }),
      deny('read', 'all', { priority: 5 }),
      deny('read', preview, { priority: 3 }),
    ],
    'read',
    preview,
    user,
    false,
  ],
  [
    'a rule for users needs a login',
    [rule('read', 'Orders', { conditions: { isLoginRequired: true } })],
    'read',
    'Orders',
    guest,
    false,
  ],
  [
    'a rule for users serves users',
    [rule('read', 'Orders', { conditions: { isLoginRequired: true } })],
    'read',
    'Orders',
    user,
    true,
  ],
  [
    'what is not known of the caller counts against him',
    [rule('read', 'Orders', { conditions: { isLoginRequired: true } })],
    'read',
    'Orders',
    {},
    false,
  ],
  [
    'a rule for guests serves guests',
    [rule('read', 'Service', { conditions: { guestAuthenticationRequired: true } })],
    'read',
    'Service',
    guest,
    true,
  ],
  [
    'a rule for guests serves users',
    [rule('read', 'Service', { conditions: { guestAuthenticationRequired: true } })],
    'read',
    'Service',
    user,
    true,
  ],
  [
    'a rule for guests does not serve strangers',
    [rule('read', 'Service', { conditions: { guestAuthenticationRequired: true } })],
    'read',
    'Service',
    nobody,
    false,
  ],
  [
    'a required API guid has to be there',
    [rule('read', 'Service', { apiGuidRequired: true })],
    'read',
    'Service',
    { ...guest, hasApiGuid: false },
    false,
  ],
  [
    'a required authorization header has to be there',
    [rule('read', 'Service', { authorizationHeaderRequired: true })],
    'read',
    'Service',
    nobody,
    false,
  ],
  [
    'a token is an authorization header',
    [rule('read', 'Service', { authorizationHeaderRequired: true })],
    'read',
    'Service',
    guest,
    true,
  ],
  [
    'a rule with an unknown condition does not allow',
    [rule('read', 'Orders', { conditions: unknown({ $where: '1' }) })],
    'read',
    'Orders',
    user,
    false,
  ],
  [
    'a rule with an unknown condition denies',
    [rule('read', 'Orders'), rule('read', 'Orders', { priority: 1, conditions: unknown({ region: 'NSW' }) })],
    'read',
    'Orders',
    user,
    false,
  ],
  [
    'a deny with an unknown condition denies',
    [rule('read', 'Orders'), deny('read', 'Orders', { priority: 1, conditions: unknown({ region: 'NSW' }) })],
    'read',
    'Orders',
    user,
    false,
  ],
  [
    'a deny of some records leaves the action possible',
    [rule('read', 'Orders'), deny('read', 'Orders', { priority: 1, conditions: { statusIn: ['closed'] } })],
    'read',
    'Orders',
    user,
    true,
  ],
  [
    'a deny of some records denies those',
    [rule('read', 'Orders'), deny('read', 'Orders', { priority: 1, conditions: { statusIn: ['closed'] } })],
    'read',
    'Orders',
    { ...user, row: { status: 'closed' } },
    false,
  ],
  [
    'a deny of some records leaves the others',
    [rule('read', 'Orders'), deny('read', 'Orders', { priority: 1, conditions: { statusIn: ['closed'] } })],
    'read',
    'Orders',
    { ...user, row: { status: 'draft' } },
    true,
  ],
  [
    'an amount below the limit passes',
    [rule('create', 'Invoices:Refund', { conditions: { amountBelowCents: 50_000 } })],
    'create',
    'Invoices:Refund',
    { ...user, row: { amountCents: 49_999 } },
    true,
  ],
  [
    'an amount at the limit does not',
    [rule('create', 'Invoices:Refund', { conditions: { amountBelowCents: 50_000 } })],
    'create',
    'Invoices:Refund',
    { ...user, row: { amountCents: 50_000 } },
    false,
  ],
  [
    'another business is out of reach',
    [rule('read', 'Orders', { conditions: { business: office } })],
    'read',
    'Orders',
    { ...user, row: { businessGuid: other } },
    false,
  ],
  [
    'a list of businesses is within reach',
    [rule('read', 'Orders', { conditions: { business: [other, office] } })],
    'read',
    'Orders',
    { ...user, row: { businessGuid: office } },
    true,
  ],
  [
    'own records only',
    [rule('read', 'Orders', { conditions: { scope: 'own' } })],
    'read',
    'Orders',
    { ...user, row: { isOwn: false } },
    false,
  ],
  [
    'scope all is no limit',
    [rule('read', 'Orders', { conditions: { scope: 'all' } })],
    'read',
    'Orders',
    { ...user, row: {} },
    true,
  ],
]

describe('rights', () => {
  test.each(cases)('%s', (_title, rules, action, subject, facts, expected) => {
    expect(can(buildAbility(rules), action, subject, facts)).toBe(expected)
    expect(explain(rules, action, subject, facts).allowed).toBe(expected)
  })

  test('everyone may read what the caller passes for everyone', () => {
    const everyone = [rule('read', 'Auth:Login')]
    expect(can(buildAbility([], everyone), 'read', 'Auth:Login', nobody)).toBe(true)
    expect(can(buildAbility([deny('read', 'Auth:Login')], everyone), 'read', 'Auth:Login', nobody)).toBe(false)
  })

  test('a super user is who may manage all, without conditions', () => {
    expect(isSuper(buildAbility([rule('manage', 'all')]))).toBe(true)
    expect(isSuper(buildAbility([rule('manage', 'all', { conditions: { isLoginRequired: true } })]))).toBe(true)
    expect(isSuper(buildAbility([rule('manage', 'all', { conditions: { scope: 'own' } })]))).toBe(false)
    expect(isSuper(buildAbility([rule('manage', 'Orders'), rule('read', 'all')]))).toBe(false)
    expect(isSuper(buildAbility([rule('manage', 'all'), deny('manage', 'all', { priority: 1 })]))).toBe(false)
  })

  test('the explanation names the deciding entry', () => {
    const rules = [
      rule('read', 'Orders:Preview', { priority: 1 }),
      deny('read', preview, { priority: 2 }),
      rule('read', 'Orders', { priority: 9, enabled: false }),
    ]
    const { allowed, decidedBy, trace } = explain(rules, 'read', preview, user)
    expect({ allowed, decidedBy }).toEqual({ allowed: false, decidedBy: 1 })
    expect(trace.map(({ rule: _rule, ...line }) => line)).toEqual([
      { index: 0, matched: false, effect: 'allow', reason: 'other_subject', decides: false },
      { index: 1, matched: true, effect: 'deny', reason: 'applies', decides: true },
      { index: 2, matched: false, effect: 'allow', reason: 'disabled', decides: false },
    ])
  })

  test('conditions outside the vocabulary are refused when saved', () => {
    for (const bad of [
      { region: 'NSW' },
      { scope: 'mine' },
      { $where: '1' },
      { statusIn: 'draft' },
      { statusIn: [/x/] },
      { business: 'x' },
      { amountBelowCents: 1.5 },
      JSON.parse('{"__proto__":{"a":1}}'),
      [],
    ])
      expect(conditionsSchema.safeParse(bad).success).toBe(false)
    expect(
      conditionsSchema.safeParse({
        isLoginRequired: true,
        business: [office],
        scope: 'own',
        statusIn: ['draft'],
        amountBelowCents: 0,
      }).success,
    ).toBe(true)
  })

  test('the row filter keeps allows and the stronger denies apart', () => {
    const ability = buildAbility([
      rule('read', 'Orders', { conditions: { scope: 'own' } }),
      deny('read', preview, { priority: 2, conditions: { statusIn: ['closed'] } }),
    ])
    expect(conditionsFor(ability, 'read', preview, user)).toEqual([
      {
        named: [{ allows: false, when: { statusIn: ['closed'] } }],
        ways: [[{ allows: true, when: { scope: 'own' } }]],
      },
    ])
    expect(conditionsFor(ability, 'read', 'Orders', user)).toEqual([
      { named: [], ways: [[{ allows: true, when: { scope: 'own' } }]] },
    ])
    expect(conditionsFor(ability, 'update', 'Orders', user)).toBe('none')
    expect(conditionsFor(buildAbility([rule('manage', 'all')]), 'update', 'Orders', user)).toBe('all')
  })

  test('the row filter keeps a deny under an allow of the same records, for a record whose facts are not known', () => {
    const conditions = { amountBelowCents: 1000 }
    const ability = buildAbility([
      rule('update', 'Orders'),
      deny('update', 'Orders', { priority: 1, conditions }),
      rule('update', 'Orders', { priority: 2, conditions }),
    ])
    const access = conditionsFor(ability, 'update', 'Orders', user)
    for (const row of [{}, { amountCents: 999 }, { amountCents: 1000 }])
      expect(rowAllowed(access, row)).toBe(can(ability, 'update', 'Orders', { ...user, row }))
    expect(rowAllowed(access, {})).toBe(false)
  })
})

const subjects = ['all', 'Orders', 'Orders:Preview', 'Orders:Preview:All', 'Invoices', 'Invoices:Refund:Guid']
const asked = subjects.filter((s) => s !== 'all')
const actions: Action[] = ['read', 'create', 'update', 'delete', 'manage']
const conditionSets: (Conditions | null)[] = [
  null,
  null,
  null,
  { isLoginRequired: true },
  { guestAuthenticationRequired: true },
  { scope: 'own' },
  { scope: 'assigned', statusIn: ['draft', 'sent'] },
  { business: office },
  { amountBelowCents: 1000 },
  { statusIn: ['closed'] },
  unknown({ strange: 1 }),
]
const anyRule: fc.Arbitrary<Rule> = fc.record({
  subject: fc.constantFrom(...subjects),
  action: fc.constantFrom<Action>('read', 'read', 'update', 'manage'),
  conditions: fc.constantFrom(...conditionSets),
  enabled: fc.boolean(),
  priority: fc.integer({ min: 0, max: 4 }),
  inverted: fc.boolean(),
  apiGuidRequired: fc.boolean(),
  authorizationHeaderRequired: fc.boolean(),
})
const anyRow: fc.Arbitrary<RowFacts> = fc.record(
  {
    businessGuid: fc.constantFrom(office, other),
    isOwn: fc.boolean(),
    isAssigned: fc.boolean(),
    status: fc.constantFrom('draft', 'closed'),
    amountCents: fc.constantFrom(1, 1000),
  },
  { requiredKeys: [] },
)
const anyFacts: fc.Arbitrary<Facts> = fc.constantFrom(user, guest, nobody, {}, { ...user, hasApiGuid: false })
const anyRules = fc.array(anyRule, { maxLength: 8 })
const everything = (rules: Rule[], facts: Facts) => {
  const ability = buildAbility(rules)
  return asked.flatMap((s) => actions.map((a) => can(ability, a, s, facts)))
}
const runs = { numRuns: 10_000 }

describe('rights, whatever the rules', () => {
  test('adding a deny never grants anything', () => {
    fc.assert(
      fc.property(
        anyRules,
        anyRule,
        anyFacts,
        fc.option(anyRow, { nil: undefined }),
        fc.nat(),
        (rules, extra, caller, row, at) => {
          const facts = row ? { ...caller, row } : caller
          const before = everything(rules, facts)
          const after = everything(
            rules.toSpliced(at % (rules.length + 1), 0, { ...extra, inverted: true, enabled: true }),
            facts,
          )
          expect(after.some((allowed, i) => allowed && !before[i])).toBe(false)
        },
      ),
      runs,
    )
  }, 120_000)

  test('the order in which rules are listed makes no difference', () => {
    fc.assert(
      fc.property(
        anyRules.chain((rules) =>
          fc.tuple(
            fc.constant(rules),
            fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length }),
          ),
        ),
        anyFacts,
        ([rules, shuffled], facts) => {
          expect(everything(shuffled, facts)).toEqual(everything(rules, facts))
        },
      ),
      runs,
    )
  }, 120_000)

  test('the row filter agrees with the single check on every record, and the explanation with both', () => {
    fc.assert(
      fc.property(
        anyRules,
        anyFacts,
        anyRow,
        fc.constantFrom(...asked),
        fc.constantFrom(...actions),
        (rules, facts, row, subject, action) => {
          const ability = buildAbility(rules)
          const access = conditionsFor(ability, action, subject, facts)
          expect(rowAllowed(access, row)).toBe(can(ability, action, subject, { ...facts, row }))
          expect(access !== 'none').toBe(can(ability, action, subject, facts))
          const told = explain(rules, action, subject, { ...facts, row })
          expect(told.allowed).toBe(can(ability, action, subject, { ...facts, row }))
          if (told.decidedBy !== null)
            expect(told.trace.filter((line) => line.decides)).toMatchObject([
              { index: told.decidedBy, matched: true, effect: told.allowed ? 'allow' : 'deny' },
            ])
        },
      ),
      runs,
    )
  }, 120_000)
})
