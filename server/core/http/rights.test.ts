import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actors, aPerson, aRole, seedActors } from '../../../test/support/actors.ts'
import { type Running, startApp } from '../../../test/support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

const flags = [
  'isLoginRequired',
  'guestAuthenticationRequired',
  'apiGuidRequired',
  'authorizationHeaderRequired',
] as const
const combinations = Array.from(
  { length: 16 },
  (_, bits) =>
    Object.fromEntries(flags.map((flag, i) => [flag, (bits & (1 << i)) !== 0])) as Record<
      (typeof flags)[number],
      boolean
    >,
)

describe('the flags of a rule', () => {
  it.each(combinations)(
    'decide on the server: %o',
    async ({ isLoginRequired, guestAuthenticationRequired, apiGuidRequired, authorizationHeaderRequired }) => {
      const given = { isLoginRequired, guestAuthenticationRequired, apiGuidRequired, authorizationHeaderRequired }
      const name = `flags-${combinations.findIndex((c) => flags.every((f) => c[f] === given[f]))}`
      const role = await aRole(app, name, [
        {
          subject: 'Users',
          action: 'read',
          conditions: { isLoginRequired, guestAuthenticationRequired },
          apiGuidRequired,
          authorizationHeaderRequired,
        },
      ])
      const person = await aPerson(app, name, role)
      expect((await app.call(person, 'GET', '/Users')).status).toBe(200)
      const withoutGuid = { headers: { Authorization: person.headers['Authorization'] ?? '' } }
      expect((await app.call(withoutGuid, 'GET', '/Users')).status).toBe(apiGuidRequired ? 403 : 200)
      expect((await app.call(null, 'GET', '/Users')).status).toBe(401)
    },
  )
  it('never open a staff operation to a guest, whatever his role says', async () => {
    await app.deps.db
      .insertInto('permissions')
      .values({
        roleGuid: actors.roles.Guest,
        subject: 'all',
        action: 'manage',
        conditions: '{}',
        authorizationHeaderRequired: false,
      })
      .execute()
    expect((await app.call(actors.guest, 'GET', '/Users')).status).toBe(403)
    await app.deps.db
      .deleteFrom('permissions')
      .where('roleGuid', '=', actors.roles.Guest)
      .where('subject', '=', 'all')
      .execute()
  })
})

describe('row conditions', () => {
  it('show the same people in the list, the export and one by one', async () => {
    const role = await aRole(app, 'Only himself', [{ subject: 'Users', action: 'read', conditions: { scope: 'own' } }])
    const person = await aPerson(app, 'himself', role)
    const list = await app.call<{ items: { guid: string }[]; page: { total: { value: number } } }>(
      person,
      'GET',
      '/Users?size=100',
    )
    expect([list.data.items.map((u) => u.guid), list.data.page.total.value]).toEqual([[person.userGuid], 1])
    expect((await app.call(person, 'GET', '/Users/Export')).body.split('\r\n')).toHaveLength(3)
    expect((await app.call(person, 'GET', `/Users/${person.userGuid}`)).status).toBe(200)
    expect((await app.call(person, 'GET', `/Users/${actors.sales.userGuid}`)).status).toBe(404)
  })
  it('show nothing when they speak of what a record does not have', async () => {
    const role = await aRole(app, 'By amount', [
      { subject: 'Users', action: 'read', conditions: { amountBelowCents: 100 } },
    ])
    const person = await aPerson(app, 'amount', role)
    expect((await app.call<{ items: unknown[] }>(person, 'GET', '/Users')).data.items).toEqual([])
  })
  it('cut out what a deny names', async () => {
    const role = await aRole(app, 'Not the suspended', [
      { subject: 'Users', action: 'read' },
      { subject: 'Users', action: 'read', inverted: true, conditions: { statusIn: ['suspended'] } },
    ])
    const person = await aPerson(app, 'cutter', role)
    const gone = await aPerson(app, 'suspended', actors.roles.Sales)
    expect((await app.call(person, 'GET', `/Users/${gone.userGuid}`)).status).toBe(200)
    await app.deps.db.updateTable('users').set({ status: 'suspended' }).where('guid', '=', gone.userGuid).execute()
    expect((await app.call(person, 'GET', `/Users/${gone.userGuid}`)).status).toBe(404)
  })
})

describe('a role that is archived', () => {
  it('lets nobody in any more', async () => {
    const role = await aRole(app, 'Old', [{ subject: 'Users', action: 'read' }])
    const person = await aPerson(app, 'old', role)
    await app.deps.db.updateTable('roles').set({ archivedAt: new Date() }).where('guid', '=', role).execute()
    expect((await app.call(person, 'GET', '/Users')).status).toBe(401)
  })
})
