import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Consent, ConsentsOfAddress } from '../../contract/consents.ts'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aCustomer, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let office: Caller
let own: Actor
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
  own = await aPersonWho(app, 'own-consents', [
    { action: 'manage', subject: 'Customers', conditions: { scope: 'own' } },
    { action: 'manage', subject: 'Messages' },
  ])
})
afterAll(() => app.stop())

const record = (address: string, kind: Consent['kind'], who: Caller = office, proof = 'Ticked on the form') =>
  app.call<{ consent: Consent }>(who, 'POST', '/Messages/Consents', { address, kind, proof })
const consentsOf = async (customerGuid: string, who: Caller = office) =>
  ok(await app.call<{ items: ConsentsOfAddress[] }>(who, 'GET', `/Messages/Consents?customerGuid=${customerGuid}`))
    .items

describe('consent to receive offers', () => {
  it('is kept by address: the newest counts, and all of them stay', async () => {
    const { guid } = await aCustomer(app, office, {
      email: 'Jo@Emu.example',
      contacts: [
        { name: 'Jo', email: 'jo@emu.example' },
        { name: 'Kim', email: 'kim@emu.example' },
        { name: 'Nobody' },
      ],
    })
    expect((await consentsOf(guid)).map(({ address, name, consents }) => [address, name, consents])).toEqual([
      ['jo@emu.example', null, []],
      ['kim@emu.example', 'Kim', []],
    ])
    ok(await record('JO@emu.example', 'express'), 201)
    ok(await record('jo@emu.example', 'withdrawn', office, 'Asked on the phone'), 201)
    const [first] = await consentsOf(guid)
    expect(first?.consents.map(({ kind, proof }) => [kind, proof])).toEqual([
      ['withdrawn', 'Asked on the phone'],
      ['express', 'Ticked on the form'],
    ])
    expect(first?.consents[0]?.createdBy).toBeTruthy()
    const { items } = ok(
      await app.call<{ items: { what: string; values: object }[] }>(office, 'GET', `/Customers/Timeline/${guid}`),
    )
    expect(
      items.filter(({ what }) => what.startsWith('consent.')).map(({ what, values }) => ({ what, values })),
    ).toEqual([
      { what: 'consent.withdrawn', values: { to: 'jo@emu.example', kind: 'withdrawn', note: 'Asked on the phone' } },
      { what: 'consent.given', values: { to: 'jo@emu.example', kind: 'express', note: 'Ticked on the form' } },
    ])
  })

  it('is of addresses of customers the caller may read alone', async () => {
    const theirs = await aCustomer(app, office, { email: 'theirs@emu.example' })
    expect((await record('nobody@emu.example', 'express')).errors.map(({ path }) => path)).toEqual(['address'])
    expect((await record('theirs@emu.example', 'express', own)).errors.map(({ path }) => path)).toEqual(['address'])
    expect((await app.call(own, 'GET', `/Messages/Consents?customerGuid=${theirs.guid}`)).status).toBe(404)
    expect((await record('theirs@emu.example', 'express', actors.field)).status).toBe(403)
    expect((await record('theirs@emu.example', 'express', office, ' ')).errors.map(({ path }) => path)).toEqual([
      'proof',
    ])
    expect((await consentsOf(theirs.guid))[0]?.consents).toEqual([])
  })

  it('that was withdrawn is given anew, and not inferred', async () => {
    const { guid } = await aCustomer(app, office, { email: 'left@emu.example' })
    ok(await record('left@emu.example', 'inferred', office, 'Customer for years'), 201)
    ok(await record('left@emu.example', 'withdrawn', office, 'Asked on the phone'), 201)
    expect((await record('left@emu.example', 'inferred')).errors).toEqual([
      {
        path: 'kind',
        message: 'left@emu.example withdrew consent. Record a new consent once they agree again.',
      },
    ])
    ok(await record('left@emu.example', 'express'), 201)
    expect((await consentsOf(guid))[0]?.consents.map(({ kind }) => kind)).toEqual(['express', 'withdrawn', 'inferred'])
  })

  it('is never changed, not even by whoever owns the database', async () => {
    const { guid } = await aCustomer(app, office, { email: 'kept@emu.example' })
    ok(await record('kept@emu.example', 'inferred'), 201)
    await expect(sql`update consents set kind = 'express'`.execute(app.deps.db)).rejects.toThrow()
    await expect(sql`delete from consents`.execute(app.deps.db)).rejects.toThrow()
    expect((await consentsOf(guid))[0]?.consents.map(({ kind }) => kind)).toEqual(['inferred'])
  })
})
