import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { plainName } from '../../contract/duplicates.ts'
import { matchSome } from './duplicates.ts'

interface Pairs {
  items: {
    guid: string
    a: { displayName: string }
    b: { displayName: string }
    points: number
    grade: string
    reasons: string[]
  }[]
}

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const night = () => app.deps.db.transaction().execute((db) => matchSome({ db, now: new Date() } as never))
const pairs = async (status = 'open') =>
  ok(await app.call<Pairs>(people.office, 'GET', `/Customers/Duplicates?status=${status}`)).items
const make = (facts: Record<string, unknown>) => aCustomer(app, people.office, { email: null, ...facts })

describe('customers that may be one', () => {
  test('are found at night among those that were changed, told apart by hand, and not asked about again', async () => {
    const first = await make({ displayName: 'Bellweather Projects', abn: '51824753556' })
    await make({ displayName: 'The Bellweather Projects Pty Ltd', abn: '51824753556', phone: '02 5550 2334' })
    await make({ displayName: 'Somebody else', phone: '02 5550 9999' })
    expect(await night()).toBe(3)
    const [pair] = await pairs()
    expect(pair).toMatchObject({ points: 100, grade: 'likely', reasons: ['abn', 'name'] })
    expect(await night()).toBe(0)
    ok(await app.call(people.office, 'POST', `/Customers/Duplicates/Dismiss/${pair?.guid}`))
    expect([await pairs(), (await pairs('dismissed')).length]).toEqual([[], 1])
    ok(await app.call(people.office, 'PATCH', `/Customers/${first.guid}`, { version: 1, phone: '02 5550 2334' }))
    expect(await night()).toBe(1)
    expect([await pairs(), (await pairs('dismissed'))[0]?.points]).toEqual([[], 130])
    ok(await app.call(people.office, 'POST', `/Customers/Duplicates/Reopen/${pair?.guid}`))
    expect([(await pairs())[0]?.points, await pairs('dismissed')]).toEqual([130, []])
    ok(await app.call(people.office, 'POST', `/Customers/Duplicates/Dismiss/${pair?.guid}`))
  })

  test('are pairs no more once they differ', async () => {
    const one = await make({ displayName: 'Dovetail', email: 'a@dovetail.example' })
    await make({ displayName: 'Dovetail', email: 'a@dovetail.example' })
    await night()
    expect((await pairs()).map(({ points }) => points)).toEqual([80])
    ok(
      await app.call(people.office, 'PATCH', `/Customers/${one.guid}`, { version: 1, email: null, displayName: 'Oak' }),
    )
    await night()
    expect(await pairs()).toEqual([])
  })

  test('are hinted at while one is typed', async () => {
    await make({ displayName: 'Fernhill & Sons Pty Ltd', email: 'works@fernhill.example' })
    const alike = async (body: Record<string, unknown>) =>
      ok(
        await app.call<{ items: { displayName: string }[] }>(people.sales, 'POST', '/Customers/Duplicates/Alike', body),
      ).items.map(({ displayName }) => displayName)
    expect(await alike({ displayName: 'fernhill and sons' })).toEqual(['Fernhill & Sons Pty Ltd'])
    expect(await alike({ email: 'WORKS@fernhill.example' })).toEqual(['Fernhill & Sons Pty Ltd'])
    expect(await alike({ displayName: 'Zebra' })).toEqual([])
    expect(await alike({})).toEqual([])
  })

  test('are the business of those who may merge them', async () => {
    expect((await app.call(people.sales, 'GET', '/Customers/Duplicates')).status).toBe(403)
    const nobody = '00000000-0000-7000-8000-000000000001'
    expect((await app.call(people.office, 'POST', `/Customers/Duplicates/Dismiss/${nobody}`)).status).toBe(404)
  })
})

test.each(['The Café & Bar Pty Ltd', 'Ñandú P/L', "O'Brien & Co", '  A  B ', 'PTY', 'Lantern Lane Events', 'ÅSA'])(
  'the database compares %s as the contract does',
  async (name) => {
    const { rows } = await sql<{ plain: string }>`select plain_name(${name}) as plain`.execute(app.deps.db)
    expect(rows[0]?.plain).toBe(plainName(name))
  },
)
