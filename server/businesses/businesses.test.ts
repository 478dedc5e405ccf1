import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, aPerson, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, ok } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { nextNumber, publicBusiness } from './businesses.service.ts'

interface Shown {
  business: {
    guid: string
    version: number
    hasLogo: boolean
    legalName: string
    tradingName: string | null
    numbering: { kind: string; prefix: string; padding: number; next: number }[]
  }
}

let app: Running
let people: Actors
let guid: string
beforeAll(async () => {
  // 22:00 UTC on 30 June is the first of July in Sydney.
  app = await startApp({ now: () => new Date('2026-06-30T22:00:00Z') })
  people = await seedActors(app)
  guid = (await aBusiness(app)).guid
})
afterAll(() => app.stop())

const read = async () => ok(await app.call<Shown>(people.administrator, 'GET', `/Businesses/${guid}`)).business
const change = async (body: Record<string, unknown>) =>
  app.call<Shown>(people.administrator, 'PATCH', `/Businesses/${guid}`, { version: (await read()).version, ...body })
const counter = async (kind: string) => (await read()).numbering.find((n) => n.kind === kind)

describe('a business', () => {
  test('starts with numbers of its own for every kind of document', async () => {
    expect((await read()).numbering).toEqual([
      { kind: 'quote', prefix: 'Q-', padding: 4, next: 1001 },
      { kind: 'order', prefix: 'O-', padding: 4, next: 1001 },
      { kind: 'invoice', prefix: 'INV-', padding: 4, next: 1001 },
      { kind: 'adjustment_note', prefix: 'ADJ-', padding: 4, next: 101 },
      { kind: 'payment', prefix: 'R-', padding: 4, next: 1001 },
      { kind: 'refund', prefix: 'RF-', padding: 4, next: 101 },
    ])
  })

  test('shows everybody signed in what prices and dates documents, in its own day', async () => {
    for (const who of [people.sales, people.field, people.readOnly]) {
      const { business } = ok(await app.call<{ business: Record<string, unknown> }>(who, 'GET', '/Businesses/Current'))
      expect(business).toMatchObject({
        name: 'Brolga Fencing Pty Ltd',
        gstRegistered: true,
        defaultPriceMode: 'exclusive',
        today: '2026-07-01',
      })
      expect(business).not.toHaveProperty('bankAccount')
    }
    expect((await app.call(people.guest, 'GET', '/Businesses/Current')).status).toBe(403)
  })

  test('is listed and searched by either of its names', async () => {
    ok(await change({ tradingName: '50%_Fences' }))
    const hits = async (search: string) =>
      ok(
        await app.call<{ items: unknown[] }>(
          people.administrator,
          'GET',
          `/Businesses?search=${encodeURIComponent(search)}`,
        ),
      ).items.length
    expect([await hits('brolga'), await hits('50%_f'), await hits('%a%')]).toEqual([1, 1, 0])
  })

  test('keeps what a change does not name, and refuses a change made on an old version', async () => {
    const before = await read()
    const after = ok(await change({ phone: '02 5550 1234' })).business
    expect(after).toMatchObject({
      legalName: before.legalName,
      tradingName: before.tradingName,
      phone: '02 5550 1234',
      version: before.version + 1,
    })
    const late = await app.call<Shown>(people.administrator, 'PATCH', `/Businesses/${guid}`, {
      version: before.version,
      phone: '02 5550 1110',
    })
    expect([late.status, late.error, late.data.business.version]).toEqual([409, 'STALE_VERSION', before.version + 1])
  })

  test('says which field is wrong', async () => {
    const fields = async (body: Record<string, unknown>) => (await change(body)).errors.map((e) => e.path)
    expect(await fields({ abn: '12345678901' })).toEqual(['abn'])
    expect(await fields({ timeZone: 'Mars/Olympus' })).toEqual(['timeZone'])
    expect(await fields({ address: { line1: 'x', suburb: 'y', state: 'NSW', postcode: '20' } })).toEqual([
      'address.postcode',
    ])
    expect((await change({ colour: 'red' })).error).toBe('UNKNOWN_PARAMETER')
  })

  test('is known to guests and jobs by their record alone, and what another process wrote holds at once', async () => {
    const run = systemRun(app.deps, 'test')
    await inTransaction(run, async (ctx) => {
      expect(() => ctx.business).toThrow('not known yet')
      await ctx.workFor(guid)
      expect(ctx.business.guid).toBe(guid)
    })
    const name = async () =>
      ok(await app.call<{ business: { name: string } }>(people.office, 'GET', '/Businesses/Current')).business.name
    const before = await name()
    for (const tradingName of ['Fences elsewhere', before]) {
      await app.deps.db.updateTable('businesses').set({ tradingName }).where('guid', '=', guid).execute()
      expect(await name()).toBe(tradingName)
    }
  })

  test('never gives a number twice', async () => {
    const given = await inTransaction(systemRun(app.deps, 'test'), async (ctx) => [
      await nextNumber(ctx.db, guid, 'quote'),
      await nextNumber(ctx.db, guid, 'quote'),
    ])
    expect(given).toEqual(['Q-1001', 'Q-1002'])
    const back = await change({ numbering: [{ kind: 'quote', prefix: 'Q-', padding: 4, next: 1001 }] })
    expect([back.status, back.errors[0]?.path]).toEqual([422, 'numbering.0.next'])
    ok(await change({ numbering: [{ kind: 'quote', prefix: 'QU/', padding: 6, next: 7 }] }))
    expect(await inTransaction(systemRun(app.deps, 'test'), (ctx) => nextNumber(ctx.db, guid, 'quote'))).toBe(
      'QU/000007',
    )
  })

  test('gives a number back when what it was for did not happen', async () => {
    const before = (await counter('order'))?.next
    const failed = inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
      await nextNumber(ctx.db, guid, 'order')
      throw new Error('stopped')
    })
    await expect(failed).rejects.toThrow('stopped')
    expect((await counter('order'))?.next).toBe(before)
  })

  test('gives different numbers to invoices and adjustment notes, which share one series of documents', async () => {
    const same = await change({ numbering: [{ kind: 'adjustment_note', prefix: 'INV-', padding: 4, next: 5000 }] })
    expect([same.status, same.errors[0]?.path]).toEqual([422, 'numbering.0.prefix'])
  })

  test('takes a picture as logo by its bytes alone, and shows it to customers', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    expect(
      (await change({ logo: { base64: Buffer.from('<svg onload=alert(1)>').toString('base64') } })).errors[0]?.path,
    ).toBe('logo.base64')
    // A picture in its first bytes alone, and one that says it is larger than what it holds.
    const larger = Buffer.from(png)
    larger.writeUInt32BE(900, 16)
    for (const broken of [png.subarray(0, 33), png.subarray(0, 50), larger])
      expect((await change({ logo: { base64: broken.toString('base64') } })).errors[0]?.path).toBe('logo.base64')
    expect(ok(await change({ logo: { base64: png.toString('base64') } })).business.hasLogo).toBe(true)
    const row = await app.deps.db
      .selectFrom('businesses')
      .selectAll()
      .where('guid', '=', guid)
      .executeTakeFirstOrThrow()
    expect((await publicBusiness({ db: app.deps.db, deps: app.deps }, row)).logo).toBe(
      `data:image/png;base64,${png.toString('base64')}`,
    )
    expect(ok(await change({ logo: null })).business.hasLogo).toBe(false)
  })

  test('can be made beside the first one, which stays the one people work for', async () => {
    const made = ok(
      await app.call<Shown>(people.administrator, 'POST', '/Businesses', { legalName: 'Second Pty Ltd' }),
      201,
    ).business
    expect(made.numbering).toHaveLength(6)
    expect(
      ok(await app.call<{ business: { guid: string } }>(people.administrator, 'GET', '/Businesses/Current')).business
        .guid,
    ).toBe(guid)
  })

  test('is changed by those alone who have the right', async () => {
    for (const who of [people.sales, people.readOnly, people.field])
      expect((await app.call(who, 'PATCH', `/Businesses/${guid}`, { version: 1 })).status).toBe(403)
    expect((await app.call(null, 'GET', '/Businesses')).status).toBe(401)
  })
})

describe('a brand', () => {
  const make = async (body: Record<string, unknown>) =>
    app.call<{ business: Record<string, unknown> & { guid: string; version: number } }>(
      people.administrator,
      'POST',
      '/Businesses',
      body,
    )
  const brandOf = async (name: string) =>
    ok(await make({ parentGuid: guid, tradingName: name, customersOf: guid, catalogueOf: guid }), 201).business

  test('has its entity’s ABN, also when that changes, and numbers of its own for quotes and orders alone', async () => {
    const brand = await brandOf('Lantern Marquees')
    const { legalName } = await read()
    expect(brand).toMatchObject({ parentGuid: guid, parentName: legalName, legalName, customersOf: guid })
    expect((brand['numbering'] as { kind: string }[]).map(({ kind }) => kind)).toEqual(['quote', 'order'])
    ok(await change({ abn: '88666333000' }))
    const after = ok(
      await app.call<{ business: { abn: string } }>(people.administrator, 'GET', `/Businesses/${brand.guid}`),
    )
    expect(after.business.abn).toBe('88666333000')
    const refused = await app.call(people.administrator, 'PATCH', `/Businesses/${brand.guid}`, {
      version: brand.version,
      abn: '53004085616',
    })
    expect([refused.status, refused.errors[0]?.path]).toEqual([422, 'abn'])
    expect((await make({ parentGuid: brand.guid, tradingName: 'Brand of a brand' })).errors[0]?.path).toBe('parentGuid')
    expect((await make({ parentGuid: guid })).errors[0]?.path).toBe('tradingName')
  })

  test('takes numbers of money from its entity, and quotes from its own counter', async () => {
    const brand = await brandOf('Lantern Tents')
    const numbers = await inTransaction(systemRun(app.deps, 'test'), async ({ db }) => ({
      invoices: [await nextNumber(db, guid, 'invoice'), await nextNumber(db, brand.guid, 'invoice')],
      quotes: [await nextNumber(db, guid, 'quote'), await nextNumber(db, brand.guid, 'quote')],
    }))
    const [first = '', second = ''] = numbers.invoices
    expect(Number(second.replace(/\D/g, ''))).toBe(Number(first.replace(/\D/g, '')) + 1)
    expect(numbers.quotes[1]).toBe('Q-1001')
  })

  test('keeps its lists once they are used, and rests only without open documents', async () => {
    const own = ok(await make({ legalName: 'Kookaburra Site Services Pty Ltd' }), 201).business
    const there = { headers: { ...people.administrator.headers, 'x-business-guid': own.guid } }
    ok(await app.call(there, 'POST', '/Customers', { displayName: 'Its customer' }), 201)
    const moved = await app.call(people.administrator, 'PATCH', `/Businesses/${own.guid}`, {
      version: own.version,
      customersOf: guid,
    })
    expect([moved.status, moved.errors[0]?.message]).toEqual([
      422,
      'This business already has customers, so its customer list can’t change.',
    ])
    ok(await app.call(people.administrator, 'DELETE', `/Businesses/${own.guid}`))
    expect((await app.call(there, 'GET', '/Customers')).status).toBe(403)
    ok(await app.call(people.administrator, 'POST', `/Businesses/Restore/${own.guid}`))
    ok(await app.call(there, 'GET', '/Customers'))
  })
})

describe('a record of another business than the call’s', () => {
  const abn = '88666333000'
  let here: { headers: Record<string, string> }
  let there: { headers: Record<string, string> }
  let other: string
  let customer: string
  beforeAll(async () => {
    const facts = { legalName: 'Gannet Island Hire Pty Ltd', abn, gstRegistered: true, timeZone: 'Pacific/Honolulu' }
    const settings = { ...facts, defaultPriceMode: 'inclusive', beganOn: '2020-07-01' }
    other = ok(await app.call<Shown>(people.administrator, 'POST', '/Businesses', settings), 201).business.guid
    here = { headers: { ...people.administrator.headers, 'x-business-guid': guid } }
    there = { headers: { ...people.administrator.headers, 'x-business-guid': other } }
    customer = (await aCustomer(app, there)).guid
  })
  const paths = ['/Businesses/Letterhead', '/Businesses/Current']

  test('says whose it is, and that one’s letterhead and terms are told to those who work there', async () => {
    const sale = { customerGuid: customer, title: 'Tents', lines: [aLine({ gstCode: 'GST' })] }
    for (const [noun, path] of [
      ['quote', '/Quotes'],
      ['order', '/Orders'],
      ['invoice', '/Invoices'],
    ] as const) {
      type Owned = Record<string, { guid: string; businessGuid: string }>
      const made = ok(await app.call<Owned>(there, 'POST', path, sale), 201)[noun]
      const seen = ok(await app.call<Owned>(here, 'GET', `${path}/${made?.guid}`))[noun]
      expect([noun, seen?.businessGuid]).toEqual([noun, other])
    }
    const told = async (path: string) =>
      ok(await app.call<{ business: Record<string, unknown> }>(here, 'GET', path)).business
    const name = 'Gannet Island Hire Pty Ltd'
    expect(await told(`/Businesses/Letterhead?businessGuid=${other}`)).toMatchObject({ name, abn })
    expect(await told(`/Businesses/Current?businessGuid=${other}`)).toMatchObject({
      guid: other,
      name,
      abn,
      defaultPriceMode: 'inclusive',
      today: '2026-06-30',
    })
    const { legalName, tradingName } = await read()
    const own = tradingName ?? legalName
    for (const path of paths)
      expect([path, (await told(path))['name'], (await told(`${path}?businessGuid=${guid}`))['name']]).toEqual([
        path,
        own,
        own,
      ])
  })

  test('is told to nobody else', async () => {
    const { roleGuid } = await app.deps.db
      .selectFrom('users')
      .select('roleGuid')
      .where('guid', '=', people.administrator.userGuid)
      .executeTakeFirstOrThrow()
    const person = await aPerson(app, 'of-one-business', roleGuid)
    await app.deps.db
      .updateTable('users')
      .set({ businessGuids: [guid] })
      .where('guid', '=', person.userGuid)
      .execute()
    for (const path of paths) {
      expect((await app.call(person, 'GET', `${path}?businessGuid=${guid}`)).status).toBe(200)
      const refused = await app.call(person, 'GET', `${path}?businessGuid=${other}`)
      expect([refused.status, refused.body.includes('Gannet')]).toEqual([404, false])
      expect((await app.call(here, 'GET', `${path}?businessGuid=${customer}`)).status).toBe(404)
      const junk = await app.call(here, 'GET', `${path}?businessGuid=x`)
      expect([junk.status, junk.errors[0]?.path]).toEqual([400, 'businessGuid'])
    }
  })

  test('is given to people who work in its business, and nobody else is offered', async () => {
    const { roleGuid } = await app.deps.db
      .selectFrom('users')
      .select('roleGuid')
      .where('guid', '=', people.sales.userGuid)
      .executeTakeFirstOrThrow()
    const person = await aPerson(app, 'only-there', roleGuid)
    await app.deps.db
      .updateTable('users')
      .set({ businessGuids: [other] })
      .where('guid', '=', person.userGuid)
      .execute()
    type Offered = { items: { guid: string; name: string }[] }
    const offered = async (who: { headers: Record<string, string> }) =>
      ok(await app.call<Offered>(who, 'GET', '/Users/People')).items.map((one) => one.guid)
    expect(await offered(there)).toEqual(expect.arrayContaining([person.userGuid, people.sales.userGuid]))
    expect(await offered(here)).not.toContain(person.userGuid)
    expect(await offered(here)).toContain(people.sales.userGuid)
    const named = ok(await app.call<Offered>(here, 'GET', `/Users/People?guid=${person.userGuid}`)).items
    expect(named).toHaveLength(1)

    const work = (customerGuid: string) => ({ customerGuid, title: 'Fence', assignedGuid: person.userGuid })
    const refused = await app.call(here, 'POST', '/Orders', work((await aCustomer(app, here)).guid))
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'assignedGuid', message: 'Choose an active user who works in this business.' }],
    ])
    ok(await app.call(there, 'POST', '/Orders', work(customer)), 201)
  })

  test('expires by the day of its own business', async () => {
    const quote = await aQuote(app, there, customer, { validUntil: '2026-06-30' })
    const to = ['somebody@customers.example']
    ok(await app.call(there, 'POST', `/Quotes/Send/${quote.guid}`, { version: quote.version, to }))
    type Seen = { quote: { displayStatus: string } }
    for (const who of [here, there])
      expect(ok(await app.call<Seen>(who, 'GET', `/Quotes/${quote.guid}`)).quote.displayStatus).toBe('sent')
  })
})
