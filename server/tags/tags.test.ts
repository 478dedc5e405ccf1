import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aCustomer, aLine, aQuote, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let office: Caller
/** Sees what he made himself. */
let own: Actor
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
  const role = await aRole(app, 'Own customers', [
    { action: 'manage', subject: 'Customers', conditions: { scope: 'own' } },
  ])
  own = await aPerson(app, 'own-tags', role)
})
afterAll(() => app.stop())

type Tagged = { guid: string; tags: string[] }
const tag = (noun: string, guid: string, change: { add?: string[]; remove?: string[] }, who = office) =>
  app.call<Tagged>(who, 'POST', `/${noun}/Tags/${guid}`, change)
const tagged = async (noun: string, guid: string, ...add: string[]) => ok(await tag(noun, guid, { add })).tags
const known = async (noun: string, who: Caller = office, query = '') =>
  ok(await app.call<{ items: string[] }>(who, 'GET', `/${noun}/Tags${query}`)).items
const found = async (noun: string, query: string, who: Caller = office) =>
  ok(
    await app.call<{ items: (Tagged & { version: number })[]; page: { total: { value: number } } }>(
      who,
      'GET',
      `/${noun}?${query}`,
    ),
  )
const guidsOf = async (noun: string, query: string, who: Caller = office) =>
  (await found(noun, query, who)).items.map(({ guid }) => guid)
const customer = async (guid: string) =>
  ok(await app.call<{ customer: Tagged & { version: number } }>(office, 'GET', `/Customers/${guid}`)).customer
const told = async (noun: string, guid: string) =>
  ok(
    await app.call<{ items: { what: string; values: { name?: string } }[] }>(
      office,
      'GET',
      `/${noun}/Timeline/${guid}`,
    ),
  ).items.flatMap(({ what, values }) => (what.startsWith('tag.') ? [`${what} ${values.name}`] : []))

describe('tags of a record', () => {
  it('are added and taken away, told, and the same whatever their case', async () => {
    const { guid } = await aCustomer(app, office)
    expect(await tagged('Customers', guid, 'VIP', '  North   shore ')).toEqual(['North shore', 'VIP'])
    expect(await tagged('Customers', guid, 'vip', 'Vip')).toEqual(['North shore', 'VIP'])
    expect(ok(await tag('Customers', guid, { add: ['Slow'], remove: ['north SHORE', 'never'] })).tags).toEqual([
      'Slow',
      'VIP',
    ])
    expect((await customer(guid)).tags).toEqual(['Slow', 'VIP'])
    expect(await told('Customers', guid)).toEqual([
      'tag.removed North shore',
      'tag.added Slow',
      'tag.added VIP, North shore',
    ])
  })

  it('leave the record’s version alone, so that nobody who edits it is in the way', async () => {
    const { guid } = await aCustomer(app, office)
    const { version } = await customer(guid)
    await tagged('Customers', guid, 'quiet')
    expect((await customer(guid)).version).toBe(version)
  })

  it('are twenty at most, and each a word of one line', async () => {
    const { guid } = await aCustomer(app, office)
    await tagged('Customers', guid, ...Array.from({ length: 20 }, (_, i) => `n${i}`))
    const paths = async (add: string[]) => (await tag('Customers', guid, { add })).errors.map(({ path }) => path)
    expect(await paths(['one more'])).toEqual(['add'])
    expect(await paths(['a,b'])).toEqual(['add.0'])
    expect(await paths([' '])).toEqual(['add.0'])
    expect(await paths(['x'.repeat(41)])).toEqual(['add.0'])
    expect((await tag('Customers', guid, {})).status).toBe(422)
    expect(ok(await tag('Customers', guid, { add: ['one more'], remove: ['n0'] })).tags).toHaveLength(20)
  })

  it('are put on once by two at the same time', async () => {
    const { guid } = await aCustomer(app, office)
    const both = await Promise.all([
      tag('Customers', guid, { add: ['Race'] }),
      tag('Customers', guid, { add: ['race'] }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await customer(guid)).tags).toHaveLength(1)
  })

  it('stand on sent quotes, orders, issued invoices and products, and narrow their lists', async () => {
    const { guid: customerGuid } = await aCustomer(app, office, { email: 'tagged@customer.example' })
    const quote = await aSentQuote(app, office, customerGuid)
    const sale = { customerGuid, title: 'Tagged', lines: [aLine({ gstCode: 'GST' })] }
    const order = ok(await app.call<{ order: Tagged }>(office, 'POST', '/Orders', sale), 201).order
    const { invoice } = ok(
      await app.call<{ invoice: Tagged & { version: number } }>(office, 'POST', '/Invoices', sale),
      201,
    )
    ok(await app.call(office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }))
    const { product } = ok(
      await app.call<{ product: Tagged }>(office, 'POST', '/Products', { name: 'Panel', priceCents: 100 }),
      201,
    )
    const records = { Quotes: quote.guid, Orders: order.guid, Invoices: invoice.guid, Products: product.guid }
    for (const [noun, guid] of Object.entries(records)) {
      await tagged(noun, guid, `Of ${noun}`, 'Spring')
      const { items } = await found(noun, 'tag=spring,never')
      expect(items.map((item) => [item.guid, item.tags])).toEqual([[guid, [`Of ${noun}`, 'Spring']]])
      expect(await guidsOf(noun, 'tag=never')).toEqual([])
      expect(await known(noun)).toEqual([`Of ${noun}`, 'Spring'])
      expect(await known(noun, office, '?search=PRI')).toEqual(['Spring'])
    }
    const revised = ok(
      await app.call<{ quote: Tagged }>(office, 'POST', `/Quotes/Revise/${quote.guid}`, { version: quote.version }),
      201,
    ).quote
    expect(revised.tags).toEqual(['Of Quotes', 'Spring'])
    const { items } = ok(
      await app.call<{ items: { what: string; values: object }[] }>(
        office,
        'GET',
        `/Customers/Timeline/${customerGuid}`,
      ),
    )
    expect(items, 'a customer is told which record it was').toContainEqual(
      expect.objectContaining({
        what: 'tag.added',
        values: { name: 'Of Quotes, Spring', kind: 'Quotes', title: quote.number },
      }),
    )
  })

  it('are told and found among one’s own records alone', async () => {
    const theirs = await aCustomer(app, office, { displayName: 'Theirs' })
    await tagged('Customers', theirs.guid, 'Hidden', 'Shared')
    const mine = await aCustomer(app, own, { displayName: 'Mine' })
    ok(await tag('Customers', mine.guid, { add: ['Shared', 'Only mine'] }, own))
    expect(await known('Customers', own)).toEqual(['Only mine', 'Shared'])
    expect(await guidsOf('Customers', 'tag=shared', own)).toEqual([mine.guid])
    expect(await guidsOf('Customers', 'tag=hidden', own)).toEqual([])
    expect((await tag('Customers', theirs.guid, { add: ['Mine now'] }, own)).status).toBe(404)
    expect((await customer(theirs.guid)).tags).toEqual(['Hidden', 'Shared'])
  })

  it('are of customers who may be changed: whoever only reads them changes none', async () => {
    const { guid } = await aCustomer(app, office)
    expect((await tag('Customers', guid, { add: ['No'] }, actors.readOnly)).status).toBe(403)
  })

  it('are in the file of a list', async () => {
    const { guid } = await aCustomer(app, office, { displayName: 'Exported with tags' })
    await tagged('Customers', guid, 'A', 'B')
    const file = await app.call(office, 'GET', '/Customers/Export?search=Exported with tags')
    expect(file.body).toContain('A; B')
  })
})

it('narrow a list also where more have one than are counted', async () => {
  const { guid } = await aCustomer(app, office, { displayName: 'Crowd' })
  await sql`insert into customers (guid, business_guid, kind, display_name, created_at, updated_at)
    select new_guid(), business_guid, kind, 'Crowd ' || i, created_at, updated_at
    from customers, generate_series(1, 4500) i where guid = ${guid}::uuid`.execute(app.deps.db)
  await sql`insert into record_tags (business_guid, noun, record_guid, tag)
    select business_guid, 'Customers', guid, 'Many' from customers
    where display_name like 'Crowd %'`.execute(app.deps.db)
  const { items, page } = await found('Customers', 'tag=many&sort=displayName')
  expect([items.length, items[0]?.tags, page.total]).toEqual([25, ['Many'], { value: 4000, isExact: false }])
  expect(await known('Customers', office, '?search=man')).toEqual(['Many'])
})

describe('tags of many records', () => {
  const edit = (noun: string, set: object, rows: readonly { guid: string; version: number }[]) =>
    app.call<{ results: { ok: boolean; message: string }[] }>(office, 'PATCH', `/${noun}/Bulk`, {
      action: 'edit',
      set,
      rows: rows.map(({ guid, version }) => ({ guid, version })),
    })

  it('are added to those they have and taken away, whatever else is set', async () => {
    const [a, b] = [await aCustomer(app, office), await aCustomer(app, office)]
    await tagged('Customers', a.guid, 'Old', 'Stays')
    const rows = [await customer(a.guid), await customer(b.guid)]
    const set = { addTags: ['New'], removeTags: ['old'], kind: 'government' }
    expect(ok(await edit('Customers', set, rows)).results.every((one) => one.ok)).toBe(true)
    expect((await customer(a.guid)).tags).toEqual(['New', 'Stays'])
    expect(await customer(b.guid)).toMatchObject({ tags: ['New'], kind: 'government' })
  })

  it('change on sent quotes, which can’t be edited otherwise', async () => {
    const { guid } = await aCustomer(app, office, { email: 'many@customer.example' })
    const sent = await aSentQuote(app, office, guid)
    const draft = await aQuote(app, office, guid)
    const { results } = ok(await edit('Quotes', { addTags: ['Both'] }, [sent, draft]))
    expect(results.map((one) => one.ok)).toEqual([true, true])
    expect((await guidsOf('Quotes', 'tag=both')).toSorted()).toEqual([sent.guid, draft.guid].toSorted())
    const mixed = ok(await edit('Quotes', { addTags: ['Neither'], validUntil: null }, [sent])).results
    expect(mixed.map((one) => one.ok)).toEqual([false])
    expect(await guidsOf('Quotes', 'tag=neither')).toEqual([])
  })
})

describe('tags of customers who are merged', () => {
  it('are one’s as long as they are one', async () => {
    const [keep, from] = [await aCustomer(app, office), await aCustomer(app, office)]
    await tagged('Customers', keep.guid, 'Keeper', 'Common')
    await tagged('Customers', from.guid, 'Merged', 'common')
    const { merge } = ok(
      await app.call<{ merge: { guid: string; version: number } }>(office, 'POST', '/Customers/Merge', {
        keepGuid: keep.guid,
        keepVersion: (await customer(keep.guid)).version,
        fromGuid: from.guid,
        fromVersion: (await customer(from.guid)).version,
      }),
      201,
    )
    expect((await customer(keep.guid)).tags).toEqual(['Common', 'Keeper', 'Merged'])
    expect(await guidsOf('Customers', 'tag=merged')).toEqual([keep.guid])
    expect(ok(await tag('Customers', from.guid, { add: ['Later'] })).guid).toBe(keep.guid)
    ok(await app.call(office, 'POST', `/Customers/Merge/Undo/${merge.guid}`, { version: merge.version }))
    expect((await customer(keep.guid)).tags).toEqual(['Common', 'Keeper', 'Later'])
    expect((await customer(from.guid)).tags).toEqual(['common', 'Merged'])
  })
})
