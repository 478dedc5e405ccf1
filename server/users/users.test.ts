import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  type Actors,
  aPerson,
  aPersonWho,
  aRole,
  logIn,
  password,
  seedActors,
} from '../../test/support/actors.ts'
import { type Running, startApp } from '../../test/support/start.ts'

let app: Running
let actors: Actors
/** May look after users, and has no other rights. */
let clerk: Actor
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  clerk = await aPersonWho(app, 'clerk', [
    { subject: 'Users', action: 'manage' },
    { subject: 'Quotes', action: 'manage', conditions: { scope: 'own' } },
  ])
})
afterAll(() => app.stop())

interface Shown {
  user: { guid: string; version: number; status: string; roleName: string }
}
const given = (more: object = {}) => ({
  authID: `${randomUUID()}@test.example`,
  firstName: 'Una',
  lastName: 'Night',
  roleGuid: actors.roles.Sales,
  password,
  ...more,
})
const create = (who: Actor, more: object = {}) => app.call<Shown>(who, 'POST', '/Users', given(more))
const versionOf = async (person: Actor) =>
  (await app.call<Shown>(actors.administrator, 'GET', `/Users/${person.userGuid}`)).data.user.version

describe('the activity of a user', () => {
  it('says who logged in, and which role somebody was given', async () => {
    const login = `${randomUUID()}@test.example`
    const { guid, version } = (await create(actors.administrator, { authID: login })).data.user
    await logIn(app, login)
    const change = { version, roleGuid: actors.roles.Field }
    expect((await app.call<Shown>(actors.administrator, 'PATCH', `/Users/${guid}`, change)).status).toBe(200)
    const answer = await app.call<{ items: { what: string; by: string | null; values: object }[] }>(
      actors.administrator,
      'GET',
      `/Users/Activity/${guid}`,
    )
    expect(answer.data.items).toMatchObject([
      { what: 'user.role_changed', values: { to: 'Field' } },
      { what: 'user.logged_in', by: 'Una Night' },
      { what: 'user.created' },
    ])
  })
})

describe('a user', () => {
  it('is made with a password, can log in, and the hash is never shown', async () => {
    const user = given()
    const made = await app.call<Shown>(actors.administrator, 'POST', '/Users', user)
    expect([made.status, made.data.user.roleName]).toEqual([201, 'Sales'])
    expect(made.body).not.toContain('argon2')
    // Whoever changed an older one is told the present one, and no more of it than anybody who reads it.
    const late = await app.call<Shown>(actors.administrator, 'PATCH', `/Users/${made.data.user.guid}`, {
      version: 99,
      firstName: 'Uma',
    })
    expect([late.error, Object.keys(late.data.user).toSorted()]).toEqual([
      'STALE_VERSION',
      Object.keys(made.data.user).toSorted(),
    ])
    await logIn(app, user.authID)
    const [line] = await app.deps.db
      .selectFrom('auditLog')
      .selectAll()
      .where('entityGuid', '=', made.data.user.guid)
      .where('action', '=', 'user.created')
      .execute()
    expect(line).toMatchObject({ actorKind: 'user', actorGuid: actors.administrator.userGuid, entity: 'Users' })
    expect(JSON.stringify(line)).not.toContain(password)
  })
  it('keeps a login to himself, whatever its letters', async () => {
    const answer = await create(actors.administrator, { authID: actors.sales.authId.toUpperCase() })
    expect([answer.status, answer.error]).toEqual([409, 'ALREADY_EXISTS'])
  })
  it('is out at once when he is disabled, and in again when he is enabled', async () => {
    const person = await aPerson(app, 'disabled', actors.roles.Sales)
    const off = await app.call<Shown>(actors.administrator, 'POST', `/Users/Disable/${person.userGuid}`, {
      version: await versionOf(person),
    })
    expect([off.status, off.data.user.status]).toEqual([200, 'suspended'])
    expect((await app.call(person, 'GET', '/Kernal/Auth/Roles/Permissions')).status).toBe(401)
    expect((await app.call(person, 'POST', '/Kernal/Auth/Renew')).status).toBe(401)
    expect(
      (await app.call(null, 'POST', '/Kernal/Users/Auth/Login', { authID: person.authId, authPassword: password }))
        .status,
    ).toBe(401)
    await app.call(actors.administrator, 'POST', `/Users/Enable/${person.userGuid}`, { version: off.data.user.version })
    await logIn(app, person.authId)
  })
  it('loses his sessions with another role', async () => {
    const person = await aPerson(app, 'moved', actors.roles.Sales)
    await app.call(actors.administrator, 'PATCH', `/Users/${person.userGuid}`, {
      version: await versionOf(person),
      roleGuid: actors.roles.Field,
    })
    expect((await app.call(person, 'GET', '/Kernal/Auth/Roles/Permissions')).status).toBe(401)
    expect((await app.call(person, 'POST', '/Kernal/Auth/Renew')).status).toBe(401)
  })
  it('loses all sessions when somebody ends them', async () => {
    const person = await aPerson(app, 'ended', actors.roles.Sales)
    await logIn(app, person.authId)
    const { data } = await app.call<{ ended: number }>(
      actors.administrator,
      'POST',
      `/Users/Sessions/End/${person.userGuid}`,
    )
    expect(data.ended).toBe(2)
    expect((await app.call(person, 'GET', '/Kernal/Auth/Roles/Permissions')).status).toBe(401)
  })
  it('gets another password from an administrator', async () => {
    const person = await aPerson(app, 'forgetful', actors.roles.Sales)
    await app.call(actors.administrator, 'POST', `/Users/Password/${person.userGuid}`, {
      version: await versionOf(person),
      password: 'quite another one',
    })
    await logIn(app, person.authId, 'quite another one')
    expect((await app.call(person, 'GET', '/Kernal/Auth/Roles/Permissions')).status).toBe(401)
  })
})

describe('nobody', () => {
  it('grants what he lacks', async () => {
    for (const name of ['Administrator', 'Sales', 'Accountant'] as const)
      expect([name, (await create(clerk, { roleGuid: actors.roles[name] })).status]).toEqual([name, 403])
    expect(
      (await create(clerk, { roleGuid: await aRole(app, 'Less', [{ subject: 'Users:Preview:All', action: 'read' }]) }))
        .status,
    ).toBe(201)
    expect((await create(actors.administrator, { roleGuid: actors.roles.Guest })).status).toBe(422)
  })
  it('touches people who may do more', async () => {
    const body = { version: await versionOf(actors.administrator) }
    for (const [path, more] of [
      ['Disable', {}],
      ['Password', { password: 'taken over by me' }],
      ['Enable', {}],
    ] as const) {
      expect(
        (await app.call(clerk, 'POST', `/Users/${path}/${actors.administrator.userGuid}`, { ...body, ...more })).status,
      ).toBe(403)
    }
    expect(
      (await app.call(clerk, 'PATCH', `/Users/${actors.administrator.userGuid}`, { ...body, authID: 'mine' })).status,
    ).toBe(403)
    expect((await app.call(clerk, 'POST', `/Users/Sessions/End/${actors.administrator.userGuid}`)).status).toBe(403)
  })
  it('changes his own role or locks himself out', async () => {
    const version = await versionOf(actors.administrator)
    expect(
      (
        await app.call(actors.administrator, 'PATCH', `/Users/${actors.administrator.userGuid}`, {
          version,
          roleGuid: actors.roles.Sales,
        })
      ).status,
    ).toBe(409)
    expect(
      (await app.call(actors.administrator, 'POST', `/Users/Disable/${actors.administrator.userGuid}`, { version }))
        .status,
    ).toBe(409)
  })
  it('leaves the house without a super user, not even two who lock each other out at once', async () => {
    const other = await aPerson(app, 'second', actors.roles.Administrator)
    const answers = await Promise.all([
      app.call(actors.administrator, 'POST', `/Users/Disable/${other.userGuid}`, { version: await versionOf(other) }),
      app.call(other, 'POST', `/Users/Disable/${actors.administrator.userGuid}`, {
        version: await versionOf(actors.administrator),
      }),
    ])
    expect(
      answers
        .map((a) => a.status)
        .toSorted()
        .join(),
    ).toMatch(/^200,(401|409)$/)
    const active = await app.deps.db
      .selectFrom('users')
      .select('guid')
      .where('roleGuid', '=', actors.roles.Administrator)
      .where('status', '=', 'active')
      .execute()
    expect(active).toHaveLength(1)
    // The rule itself holds whoever writes the rows.
    await expect(
      app.deps.db
        .updateTable('users')
        .set({ status: 'suspended' })
        .where('roleGuid', '=', actors.roles.Administrator)
        .execute(),
    ).rejects.toMatchObject({ constraint: 'users_super_user_remains' })
    await expect(app.deps.db.deleteFrom('permissions').where('subject', '=', 'all').execute()).rejects.toMatchObject({
      constraint: 'users_super_user_remains',
    })
  })
})

describe('roles', () => {
  it('are shown with their rules to those who may see them', async () => {
    const boss = (
      await app.deps.db
        .selectFrom('users')
        .select('authId')
        .where('roleGuid', '=', actors.roles.Administrator)
        .where('status', '=', 'active')
        .executeTakeFirstOrThrow()
    ).authId
    const who = { headers: await logIn(app, boss) }
    const { data } = await app.call<{ items: { name: string; isSuper: boolean; ruleCount: number; kind: string }[] }>(
      who,
      'GET',
      '/Roles?size=100',
    )
    expect(data.items.find((r) => r.name === 'Administrator')).toMatchObject({
      isSuper: true,
      ruleCount: 1,
      kind: 'staff',
    })
    expect(data.items.find((r) => r.name === 'Guest')).toMatchObject({ isSuper: false, kind: 'guest' })
    const one = await app.call<{ role: { permissions: unknown[] } }>(who, 'GET', `/Roles/${actors.roles.Field}`)
    expect(one.data.role.permissions).toContainEqual(
      expect.objectContaining({
        subject: 'Orders',
        action: 'read',
        conditions: { scope: 'assigned' },
        note: 'only what is assigned to the person',
      }),
    )
    const rules = await app.call<{ items: { roleName: string }[] }>(
      who,
      'GET',
      `/Permissions?roleGuid=${actors.roles.Office}&sort=-subject`,
    )
    expect(new Set(rules.data.items.map((r) => r.roleName))).toEqual(new Set(['Office']))
    expect((await app.call(actors.sales, 'GET', '/Roles')).status).toBe(403)
  })
})
