import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Explanation } from '../../contract/explain.ts'
import type { Permission, Role } from '../../contract/roles.ts'
import { type Actor, type Actors, aPerson, aPersonWho, logIn, seedActors } from '../../test/support/actors.ts'
import { aBusiness } from '../../test/support/factories.ts'
import { type Caller, type Running, startApp } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let boss: Actor
/** May look after roles and users, and reads the quotes he owns. */
let keeper: Actor
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  boss = actors.administrator
  await aBusiness(app)
  keeper = await aPersonWho(app, 'keeper', [
    { subject: 'Roles', action: 'manage' },
    { subject: 'Permissions', action: 'manage' },
    { subject: 'Users', action: 'manage' },
    { subject: 'Quotes', action: 'manage', conditions: { scope: 'own', amountBelowCents: 100_000 } },
    { subject: 'Orders', action: 'read', conditions: { statusIn: ['confirmed', 'completed'] } },
    { subject: 'Invoices', action: 'manage' },
    { subject: 'Invoices:Refund:Guid', action: 'create', inverted: true, priority: 1 },
  ])
})
afterAll(() => app.stop())

type Shown = { role: Role & { permissions: Permission[] } }
const rule = (action: string, subject: string, more: object = {}) => ({ action, subject, ...more })
let count = 0
const create = (who: Caller, permissions: object[], more: object = {}) =>
  app.call<Shown>(who, 'POST', '/Roles', { name: `Role ${++count}`, permissions, ...more })
const made = async (permissions: object[], more: object = {}) => (await create(boss, permissions, more)).data.role
const replace = (who: Caller, role: { guid: string; version: number }, permissions: object[]) =>
  app.call<Shown>(who, 'POST', `/Roles/Permissions/${role.guid}`, { version: role.version, permissions })
const asSent = (p: Permission) => ({
  guid: p.guid,
  subject: p.subject,
  action: p.action,
  conditions: p.conditions,
  enabled: p.enabled,
  priority: p.priority,
  inverted: p.inverted,
  apiGuidRequired: p.apiGuidRequired,
  authorizationHeaderRequired: p.authorizationHeaderRequired,
  note: p.note,
})

describe('a role', () => {
  it('is made with rules, changed, copied, archived and restored, each with a line in the log', async () => {
    const role = await made(
      [rule('manage', 'Quotes'), rule('read', 'Orders', { conditions: { scope: 'assigned' }, note: 'own work' })],
      { description: 'Tries things' },
    )
    expect(role).toMatchObject({
      description: 'Tries things',
      userCount: 0,
      ruleCount: 2,
      isSuper: false,
      requiresTwoStep: false,
      version: 1,
    })
    const renamed = await app.call<Shown>(boss, 'PATCH', `/Roles/${role.guid}`, { version: 1, name: 'Estimator' })
    expect([renamed.data.role.name, renamed.data.role.version]).toEqual(['Estimator', 2])
    expect((await app.call(boss, 'PATCH', `/Roles/${role.guid}`, { version: 1, name: 'Late' })).error).toBe(
      'STALE_VERSION',
    )
    const copy = await app.call<Shown>(boss, 'POST', `/Roles/Clone/${role.guid}`, { name: 'Junior estimator' })
    expect(
      copy.data.role.permissions.map(({ subject, action, conditions, note }) => ({
        subject,
        action,
        conditions,
        note,
      })),
    ).toEqual(role.permissions.map(({ subject, action, conditions, note }) => ({ subject, action, conditions, note })))
    expect((await app.call(boss, 'POST', `/Roles/Clone/${role.guid}`, { name: 'estimator' })).error).toBe(
      'ALREADY_EXISTS',
    )
    expect((await app.call<Shown>(boss, 'DELETE', `/Roles/${role.guid}`)).data.role.archivedAt).not.toBeNull()
    expect(
      (await app.call(boss, 'POST', '/Users/Invite', { email: 'q@test.example', roleGuid: role.guid })).status,
    ).toBe(422)
    expect((await app.call<Shown>(boss, 'POST', `/Roles/Restore/${role.guid}`)).data.role.archivedAt).toBeNull()
    const lines = await app.deps.db
      .selectFrom('auditLog')
      .select('action')
      .where('entityGuid', '=', role.guid)
      .orderBy('id')
      .execute()
    expect(lines.map((l) => l.action)).toEqual(['role.created', 'role.updated', 'role.archived', 'role.restored'])
  })
  it('stays as long as somebody has it, and guests keep theirs', async () => {
    expect((await app.call(boss, 'DELETE', `/Roles/${actors.roles.Sales}`)).message).toBe(
      'Users still have this role. Give them another role first.',
    )
    expect((await app.call(boss, 'DELETE', `/Roles/${actors.roles.Guest}`)).status).toBe(409)
    const { data } = await app.call<{ items: { authID: string }[] }>(
      boss,
      'GET',
      `/Roles/Members/${actors.roles.Sales}`,
    )
    expect(data.items.map((m) => m.authID)).toEqual([actors.sales.authId])
  })
  it('has its rules replaced as a whole, and the change holds with the next request', async () => {
    const role = await made([rule('read', 'Quotes')])
    const person = await aPerson(app, 'replaced', role.guid)
    expect([
      (await app.call(person, 'GET', '/Quotes')).status,
      (await app.call(person, 'GET', '/Orders')).status,
    ]).toEqual([200, 403])
    const [kept] = role.permissions
    const after = await replace(boss, role, [{ ...asSent(kept as Permission), enabled: false }, rule('read', 'Orders')])
    expect(after.data.role.permissions.find((p) => p.guid === kept?.guid)).toMatchObject({ enabled: false, version: 2 })
    expect([
      (await app.call(person, 'GET', '/Quotes')).status,
      (await app.call(person, 'GET', '/Orders')).status,
    ]).toEqual([403, 200])
    expect((await replace(boss, role, [])).error).toBe('STALE_VERSION')
    expect((await replace(boss, after.data.role, [])).data.role.ruleCount).toBe(0)
    expect((await app.call(person, 'GET', '/Orders')).status).toBe(403)
  })
  it('refuses conditions outside the vocabulary, subjects nobody asks for, and rules of other roles', async () => {
    for (const conditions of [{ region: 'NSW' }, { $where: '1' }, { scope: 'mine' }, { statusIn: ['x'], or: [] }])
      expect((await create(boss, [rule('read', 'Quotes', { conditions })])).status).toBeGreaterThanOrEqual(400)
    expect((await create(boss, [rule('read', 'Quotes', { conditions: { amountBelowCents: 1.5 } })])).status).toBe(422)
    expect((await create(boss, [rule('read', 'Quotes:Preview')])).errors).toEqual([
      { path: 'subject', message: 'Choose a permission from the list.' },
    ])
    const role = await made([])
    const foreign = await made([rule('read', 'Quotes')])
    expect(
      (await replace(boss, role, [{ ...rule('read', 'Quotes'), guid: foreign.permissions[0]?.guid }])).status,
    ).toBe(422)
  })
})

describe('one rule', () => {
  it('is added, changed, disabled and taken away by itself', async () => {
    const role = await made([])
    const added = await app.call<{ permission: Permission }>(boss, 'POST', '/Permissions', {
      roleGuid: role.guid,
      ...rule('read', 'Quotes'),
    })
    expect([added.status, added.data.permission.version]).toEqual([201, 1])
    const { guid } = added.data.permission
    const off = await app.call<{ permission: Permission }>(boss, 'PATCH', `/Permissions/${guid}`, {
      version: 1,
      enabled: false,
      conditions: { scope: 'own' },
    })
    expect(off.data.permission).toMatchObject({ enabled: false, conditions: { scope: 'own' }, version: 2 })
    expect((await app.call(boss, 'PATCH', `/Permissions/${guid}`, { version: 1, enabled: true })).error).toBe(
      'STALE_VERSION',
    )
    expect(
      (await app.call<{ permission: Permission }>(boss, 'GET', `/Permissions/${guid}`)).data.permission.enabled,
    ).toBe(false)
    expect((await app.call(boss, 'DELETE', `/Permissions/${guid}`)).status).toBe(200)
    expect((await app.call(boss, 'GET', `/Permissions/${guid}`)).status).toBe(404)
  })
})

describe('nobody grants what he lacks', () => {
  it.each([
    ['a right he does not have', [rule('read', 'Customers')]],
    ['everything', [rule('manage', 'all')]],
    ['the same without the conditions he is under', [rule('read', 'Quotes')]],
    ['a wider scope', [rule('read', 'Quotes', { conditions: { scope: 'all' } })]],
    ['another scope', [rule('read', 'Quotes', { conditions: { scope: 'assigned', amountBelowCents: 1 } })]],
    ['a higher amount', [rule('read', 'Quotes', { conditions: { scope: 'own', amountBelowCents: 100_001 } })]],
    ['another state', [rule('read', 'Orders', { conditions: { statusIn: ['confirmed', 'draft'] } })]],
    ['what he is denied, by giving the whole', [rule('manage', 'Invoices')]],
    ['what he is denied, by name', [rule('create', 'Invoices:Refund:Guid')]],
    [
      'what he is denied, with a deny that is weaker than the allow',
      [
        rule('create', 'Invoices:Refund:Guid', { inverted: true }),
        rule('create', 'Invoices:Refund:Guid', { priority: 1 }),
      ],
    ],
  ])('%s', async (_what, permissions) => {
    const answer = await create(keeper, permissions)
    expect([answer.status, answer.errors[0]?.path]).toEqual([403, 'permission'])
  })
  it.each([
    [
      'what he has under the same conditions',
      [rule('manage', 'Quotes', { conditions: { scope: 'own', amountBelowCents: 100_000 } })],
    ],
    [
      'what he has under narrower ones',
      [rule('read', 'Quotes', { conditions: { scope: 'own', amountBelowCents: 5, statusIn: ['draft'] } })],
    ],
    [
      'the whole with the deny that binds him',
      [rule('manage', 'Invoices'), rule('create', 'Invoices:Refund:Guid', { inverted: true, priority: 1 })],
    ],
    ['a part that the deny does not touch', [rule('read', 'Invoices:Preview:All')]],
    ['denies, as many as he likes', [rule('manage', 'all', { inverted: true })]],
    ['a rule that is switched off', [rule('manage', 'all', { enabled: false })]],
  ])('but he may give %s', async (_what, permissions) => {
    expect((await create(keeper, permissions)).status).toBe(201)
  })
  it('neither by changing a rule later, switching one on, nor by taking a deny away', async () => {
    const { data } = await create(keeper, [
      rule('manage', 'Invoices'),
      rule('create', 'Invoices:Refund:Guid', { inverted: true, priority: 1 }),
      rule('manage', 'all', { enabled: false }),
    ])
    const of = (subject: string) => data.role.permissions.find((p) => p.subject === subject)?.guid ?? ''
    expect((await app.call(keeper, 'PATCH', `/Permissions/${of('all')}`, { version: 1, enabled: true })).status).toBe(
      403,
    )
    expect((await app.call(keeper, 'DELETE', `/Permissions/${of('Invoices:Refund:Guid')}`)).status).toBe(403)
    expect(
      (await app.call(keeper, 'PATCH', `/Permissions/${of('Invoices:Refund:Guid')}`, { version: 1, inverted: false }))
        .status,
    ).toBe(403)
    expect((await app.call(keeper, 'GET', `/Roles/${data.role.guid}`)).data).toMatchObject({ role: { version: 1 } })
  })
  it('and nobody changes a role that may do more than he, nor his own', async () => {
    expect(
      (await app.call(keeper, 'PATCH', `/Roles/${actors.roles.Sales}`, { version: 1, description: 'x' })).status,
    ).toBe(403)
    expect(
      (await app.call(keeper, 'POST', `/Roles/Clone/${actors.roles.Administrator}`, { name: 'Mine' })).status,
    ).toBe(403)
    const own = await app.call<{ items: Role[] }>(keeper, 'GET', '/Roles?search=Keeper')
    const refused = await app.call(keeper, 'POST', '/Permissions', {
      roleGuid: own.data.items[0]?.guid,
      ...rule('read', 'Invoices'),
    })
    expect([refused.status, refused.message]).toEqual([403, 'You can’t change your own role’s permissions.'])
  })
  it('and one super user always remains, whoever changes what', async () => {
    const { data } = await app.call<Shown>(boss, 'GET', `/Roles/${actors.roles.Administrator}`)
    const [all] = data.role.permissions
    const answers = [
      await replace(boss, data.role, []),
      await app.call(boss, 'PATCH', `/Permissions/${all?.guid}`, { version: 1, enabled: false }),
      await app.call(boss, 'DELETE', `/Permissions/${all?.guid}`),
    ]
    expect(answers.map((a) => [a.status, a.message])).toEqual(
      Array(3).fill([409, 'Keep at least one active super user.']),
    )
    for (const more of [
      rule('manage', 'all', { inverted: true, priority: 5 }),
      rule('update', 'Roles:Update:Guid', { inverted: true }),
      rule('manage', 'Users:Update:Guid', { inverted: true, priority: 9 }),
    ]) {
      const locked = await app.call(boss, 'POST', '/Permissions', { roleGuid: data.role.guid, ...more })
      expect([locked.status, locked.message]).toEqual([409, 'Keep at least one active super user.'])
    }
    expect(
      (await app.call(boss, 'PATCH', `/Permissions/${all?.guid}`, { version: 1, conditions: { scope: 'own' } })).status,
    ).toBe(409)
    expect((await app.call(boss, 'GET', '/Users')).status).toBe(200)
  })
  it('and somebody who is called super but denied the care of people does not count', async () => {
    const second = await made([rule('manage', 'all'), rule('update', 'Users:Update:Guid', { inverted: true })])
    await aPerson(app, 'half-super', second.guid)
    const person = await aPerson(app, 'disabler', actors.roles.Administrator)
    const { data } = await app.call<{ user: { version: number } }>(person, 'GET', `/Users/${boss.userGuid}`)
    await app.deps.db.updateTable('users').set({ roleGuid: second.guid }).where('guid', '=', person.userGuid).execute()
    const refused = await app.call(
      { headers: await logIn(app, person.authId) },
      'POST',
      `/Users/Disable/${boss.userGuid}`,
      { version: data.user.version },
    )
    expect(refused.status).toBe(403)
    await app.deps.db.updateTable('users').set({ status: 'suspended' }).where('guid', '=', person.userGuid).execute()
  })
})

describe('two roles', () => {
  it('are compared right by right, with the rule each rests on', async () => {
    const left = await made([
      rule('read', 'Quotes', { conditions: { scope: 'own' }, note: 'his' }),
      rule('read', 'Orders'),
    ])
    const right = await made([rule('read', 'Quotes'), rule('read', 'Orders')])
    type Side = { access: string; rule: { note: string } | null }
    const { data } = await app.call<{
      items: { subject: string; action: string; left: Side; right: Side; isDifferent: boolean }[]
    }>(boss, 'GET', `/Roles/Compare?left=${left.guid}&right=${right.guid}`)
    const quotes = data.items.find((i) => i.subject === 'Quotes:Preview:All')
    expect([quotes?.left.access, quotes?.left.rule?.note, quotes?.right.access, quotes?.isDifferent]).toEqual([
      'some',
      'his',
      'all',
      true,
    ])
    expect(data.items.find((i) => i.subject === 'Orders:Preview:All')?.isDifferent).toBe(false)
    expect(data.items.find((i) => i.subject === 'Invoices:Create')?.left).toEqual({ access: 'none', rule: null })
  })
})

describe('the catalogue', () => {
  it('names what the product asks for, with the conditions that mean something there', async () => {
    const { data } = await app.call<{
      items: {
        subject: string
        actions: { action: string; operations: { path: string }[] }[]
        conditions: string[]
        statuses: string[]
      }[]
    }>(boss, 'GET', '/Permissions/Catalogue')
    const orders = data.items.find((s) => s.subject === 'Orders:Preview:All')
    expect(orders?.actions.map((a) => [a.action, a.operations.map((o) => o.path)])).toEqual([
      ['read', ['/Orders', '/Orders/Export', '/Orders/Metrics/StatusMetrics', '/Orders/Tags']],
    ])
    expect(orders?.conditions).toEqual(['business', 'scope:own', 'scope:assigned', 'statusIn', 'amountBelowCents'])
    expect(orders?.statuses).toContain('in_progress')
    expect(data.items.find((s) => s.subject === 'Roles:Create')?.conditions).toEqual([])
    expect(data.items.some((s) => s.subject === 'Dev')).toBe(true)
  })
})

describe('an explanation', () => {
  const why = async (who: Caller | null, query: string) =>
    (await app.call<{ explanation: Explanation }>(who, 'GET', query)).data.explanation
  it('shows the rules in the order they are weighed and the one that decides', async () => {
    const refund = await why(
      boss,
      `/Permissions/Explain?action=create&subject=Invoices:Refund:Approve&userGuid=${actors.office.userGuid}`,
    )
    expect(refund).toMatchObject({
      allowed: false,
      access: 'none',
      isSuper: false,
      parent: 'Invoices',
      who: { kind: 'user', name: 'office', roleName: 'Office' },
    })
    expect(refund.steps.map((s) => [s.rule.subject, s.effect, s.matched, s.decides])).toEqual([
      ['Invoices', 'allow', true, false],
      ['Invoices:Refund:Approve', 'deny', true, true],
    ])
    expect(refund.steps[1]?.rule.note).toBe('refunds beyond the limit are approved by the administrator')
    expect(refund.others).toBeGreaterThan(5)
    const field = await why(
      boss,
      `/Permissions/Explain?action=read&subject=Orders:Preview:All&roleGuid=${actors.roles.Field}`,
    )
    expect(field.who).toMatchObject({ kind: 'role', name: 'Field' })
    expect([field.allowed, field.access, field.steps.map((s) => s.reason)]).toEqual([true, 'some', ['applies_to_some']])
    const other = await why(
      boss,
      `/Permissions/Explain?action=read&subject=Orders:Preview:All&roleGuid=${actors.roles.Field}&isAssigned=false`,
    )
    expect([other.allowed, other.steps.map((s) => s.reason)]).toEqual([false, ['conditions_do_not_hold']])
    expect((await why(boss, '/Permissions/Explain?action=read&subject=Service:Quote&guest=true')).who.kind).toBe(
      'guest',
    )
    expect((await app.call(boss, 'GET', '/Permissions/Explain?action=read&subject=Orders')).status).toBe(400)
    expect(
      (
        await app.call(
          actors.office,
          'GET',
          `/Permissions/Explain?action=read&subject=Orders&userGuid=${boss.userGuid}`,
        )
      ).status,
    ).toBe(403)
  })
  it('of oneself is for everybody', async () => {
    expect((await why(actors.sales, '/Kernal/Auth/Explain?action=create&subject=Invoices:Create')).steps).toEqual([])
    expect(await why(boss, '/Kernal/Auth/Explain?action=create&subject=Invoices:Create')).toMatchObject({
      allowed: true,
      isSuper: true,
    })
    expect(await why(null, '/Kernal/Auth/Explain?action=read&subject=Auth:Login')).toMatchObject({
      allowed: true,
      who: { kind: 'visitor' },
      steps: [{ source: 'everyone', decides: true }],
    })
    expect((await why(actors.guest, '/Kernal/Auth/Explain?action=read&subject=Service:Quote')).allowed).toBe(true)
    const { data } = await app.call<{ items: { subject: string; action: string; access: string }[] }>(
      actors.field,
      'GET',
      '/Kernal/Auth/Explain/All',
    )
    expect(data.items.find((i) => i.subject === 'Orders:Preview:All')?.access).toBe('some')
    expect(data.items.find((i) => i.subject === 'Quotes:Create')?.access).toBe('none')
  })
})

describe('trying a role', () => {
  const trying = (who: Caller) =>
    app.call<{ permissions: { subject: string }[]; trying: { name: string } | null }>(
      who,
      'GET',
      '/Kernal/Auth/Roles/Permissions',
    )
  it('shows the product as that role does, read only, until it is ended', async () => {
    const chief = await aPerson(app, 'chief', actors.roles.Administrator)
    expect((await app.call(chief, 'POST', `/Roles/Try/${actors.roles.Sales}`)).data).toEqual({
      trying: { guid: actors.roles.Sales, name: 'Sales' },
    })
    expect([
      (await app.call(chief, 'GET', '/Quotes')).status,
      (await app.call(chief, 'GET', '/Users')).status,
      (await app.call(chief, 'GET', '/Roles')).status,
    ]).toEqual([200, 403, 403])
    const { data } = await trying(chief)
    expect([data.trying?.name, data.permissions.some((p) => p.subject === 'all')]).toEqual(['Sales', false])
    const write = await app.call(chief, 'POST', '/Customers', { displayName: 'Nobody' })
    expect([write.status, write.error]).toEqual([403, 'READ_ONLY'])
    for (const [method, path] of [
      ['PATCH', '/Kernal/Users/Account'],
      ['POST', '/Notifications/ReadAll'],
      ['POST', `/Roles/Try/${actors.roles.Office}`],
      ['DELETE', `/Quotes/${boss.userGuid}`],
    ] as const)
      expect([path, (await app.call(chief, method, path)).status]).toEqual([path, 403])
    expect(
      (await app.call(chief, 'POST', '/Calculators/CalculateTotals', { priceMode: 'exclusive', lines: [] })).status,
    ).toBe(200)
    expect((await app.call(chief, 'POST', '/Kernal/Auth/Renew')).status).toBe(200)
    expect((await app.call(boss, 'GET', '/Users')).status).toBe(200)
    expect((await app.call(chief, 'DELETE', '/Roles/Try')).status).toBe(200)
    expect([(await app.call(chief, 'GET', '/Users')).status, (await trying(chief)).data.trying]).toEqual([200, null])
    const lines = await app.deps.db
      .selectFrom('auditLog')
      .select('action')
      .where('actorGuid', '=', chief.userGuid)
      .where('action', 'in', ['role.tried', 'user.role_left'])
      .orderBy('id')
      .execute()
    expect(lines.map((l) => l.action)).toEqual(['role.tried', 'user.role_left'])
  })
  it('is for those who may manage roles, never for a role beyond them, and ends when the role does', async () => {
    expect((await app.call(actors.office, 'POST', `/Roles/Try/${actors.roles.Sales}`)).status).toBe(403)
    expect((await app.call(keeper, 'POST', `/Roles/Try/${actors.roles.Administrator}`)).status).toBe(403)
    expect((await app.call(boss, 'POST', `/Roles/Try/${actors.roles.Guest}`)).status).toBe(409)
    const locked = await made([rule('manage', 'all', { inverted: true })])
    const chief = await aPerson(app, 'chief2', actors.roles.Administrator)
    await app.call(chief, 'POST', `/Roles/Try/${locked.guid}`)
    expect((await app.call(chief, 'GET', '/Kernal/Users/Account')).status).toBe(403)
    expect((await app.call(chief, 'DELETE', '/Roles/Try')).status).toBe(200)
    await app.call(chief, 'POST', `/Roles/Try/${locked.guid}`)
    await app.call(boss, 'DELETE', `/Roles/${locked.guid}`)
    expect((await app.call(chief, 'GET', '/Users')).status).toBe(200)
  })
})
