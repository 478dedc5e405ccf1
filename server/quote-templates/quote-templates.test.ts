import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QuoteTemplate } from '../../contract/quote-templates.ts'
import type { RepricedLine } from '../../contract/quote-entries.ts'
import type { Quote } from '../../contract/quotes.ts'
import { type Actors, aPerson, aRole, logIn } from '../../test/support/actors.ts'
import { aCustomer, aLine as someLine, aQuote, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
let office: Caller
let customerGuid: string
let clock = new Date('2026-03-02T02:00:00Z')
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness({ now: () => clock }))
  office = people.office
})
afterAll(() => app.stop())

const send = <D>(method: 'POST' | 'PATCH', path: string, body: object = {}, who: Caller = office) =>
  app.call<D>(who, method, path, body)
const aProduct = async (name: string, priceCents: number, more: object = {}) =>
  ok(
    await send<{ product: { guid: string; version: number } }>('POST', '/Products', { name, priceCents, ...more }),
    201,
  ).product
const reprice = async ({ guid, version }: { guid: string; version: number }, priceCents: number) =>
  ok(await send<{ product: { guid: string; version: number } }>('PATCH', `/Products/${guid}`, { version, priceCents }))
    .product
const archive = async (guid: string) => ok(await app.call(office, 'DELETE', `/Products/${guid}`))
type Added = { quote: Quote; missing: string[] }
const add = (quote: { guid: string; version: number }, entry: object, more: object = {}, who?: Caller) =>
  send<Added>('POST', `/Quotes/Entries/${quote.guid}`, { version: quote.version, entry, ...more }, who)
type One = { quoteTemplate: QuoteTemplate }
const aLine = (facts: object = {}) => someLine({ quantity: '1', ...facts })
let count = 0
const aTemplate = async (facts: object = {}, who?: Caller) =>
  ok(await send<One>('POST', '/Quotes/Templates', { name: `Template ${++count}`, title: 'Fence', ...facts }, who), 201)
    .quoteTemplate
const read = async (guid: string) => ok(await app.call<One>(office, 'GET', `/Quotes/Templates/${guid}`)).quoteTemplate
const use = (template: { guid: string }, more: object = {}, who?: Caller) =>
  send<Added>('POST', '/Quotes/FromTemplate', { templateGuid: template.guid, customerGuid, ...more }, who)
const brief = (quote: Quote) => quote.lines.map((line) => [line.name, line.quantity, line.unitPriceCents])

describe('An entry', () => {
  it('goes to the end or where it is told, and leaves the prices of what is there alone', async () => {
    const gate = await aProduct('Gate', 10_000)
    const quote = await aQuote(app, office, customerGuid, {
      lines: [{ name: 'Gate', productGuid: gate.guid }, aLine({ name: 'Post', unitPriceCents: 5000 })],
    })
    await reprice(gate, 12_000)
    const section = ok(await add(quote, { type: 'section', name: 'Gates' }, { position: 1 })).quote
    const line = ok(await add(section, { type: 'line', line: aLine({ name: 'Paint', unitPriceCents: 700 }) })).quote
    const product = ok(await add(line, { type: 'product', productGuid: gate.guid, quantity: '2' })).quote
    expect(brief(product)).toEqual([
      ['Gates', '1', 0],
      ['Gate', '1', 10_000],
      ['Post', '1', 5000],
      ['Paint', '1', 700],
      ['Gate', '2', 12_000],
    ])
    expect(product.totals.totalCents).toBe(((10_000 + 5000 + 700 + 24_000) * 11) / 10)
    expect(product.version).toBe(quote.version + 3)
  })

  it('makes alternatives of which the first is chosen, and a group grows', async () => {
    const [one, two, three] = [await aProduct('Oak', 3000), await aProduct('Pine', 2000), await aProduct('Fir', 1000)]
    const quote = await aQuote(app, office, customerGuid, { lines: [aLine()] })
    const alone = await add(quote, { type: 'alternative', group: 'Wood', productGuids: [one.guid] })
    expect([alone.status, alone.errors]).toEqual([
      422,
      [{ path: 'entry.productGuids', message: 'Choose at least two products.' }],
    ])
    const both = { type: 'alternative', group: 'Wood', productGuids: [one.guid, two.guid] }
    const made = ok(await add(quote, both, { position: 1 })).quote
    const grown = ok(await add(made, { ...both, productGuids: [three.guid] })).quote
    expect(grown.lines.map((line) => [line.name, line.alternativeGroup, line.isSelected])).toEqual([
      ['Oak', 'Wood', true],
      ['Pine', 'Wood', false],
      ['Fir', 'Wood', false],
      [expect.any(String), null, true],
    ])
  })

  it('begins a quote', async () => {
    const gate = await aProduct('Side gate', 4000)
    const begun = ok(
      await send<Added>('POST', '/Quotes/Entries', {
        ...{ customerGuid, title: 'Side gate' },
        entry: { type: 'product', productGuid: gate.guid },
      }),
      201,
    )
    expect([begun.quote.status, brief(begun.quote), begun.quote.title]).toEqual([
      'draft',
      [['Side gate', '1', 4000]],
      'Side gate',
    ])
  })

  it('tells what is wrong at its own field', async () => {
    const gone = await aProduct('Gone', 1000)
    await archive(gone.guid)
    const hired = await aProduct('Tent', 1000, { kind: 'hire' })
    const quote = await aQuote(app, office, customerGuid, { lines: [aLine()] })
    const paths = async (entry: object, more: object = {}) => (await add(quote, entry, more)).errors.map((e) => e.path)
    expect(await paths({ type: 'product', productGuid: gone.guid })).toEqual(['entry.productGuid'])
    expect(await paths({ type: 'product', productGuid: hired.guid, quantity: '0' })).toEqual(['entry.quantity'])
    const hire = { from: '2026-03-09', to: '2026-03-02' }
    expect(await paths({ type: 'product', productGuid: hired.guid, hire })).toEqual(['entry.hire.to'])
    expect(await paths({ type: 'alternative', group: 'A', productGuids: [hired.guid, gone.guid] })).toEqual([
      'entry.productGuids.1',
    ])
    expect(await paths({ type: 'line', line: aLine({ productGuid: gone.guid }) })).toEqual(['entry.line.productGuid'])
    expect(await paths({ type: 'line', line: { ...aLine(), isOptional: true, alternativeGroup: 'A' } })).toEqual([
      'entry.line.alternativeGroup',
    ])
    expect(await paths({ type: 'section', name: ' ' })).toEqual(['entry.name'])
    expect(await paths({ type: 'template', templateGuid: crypto.randomUUID() })).toEqual(['entry.templateGuid'])
    expect(await paths({ type: 'section', name: 'A' }, { position: 3 })).toEqual(['position'])
    expect((await send('POST', '/Quotes/Entries', { customerGuid, title: 'X', entry: { type: 'none' } })).status).toBe(
      422,
    )
  })

  it('begins a quote for the only contact and site of its customer, as a template does; of two for none', async () => {
    const site = (name: string) => ({
      name,
      address: { line1: '12 Lane St', suburb: 'Sydney', state: 'NSW', postcode: '2000' },
    })
    const one = await aCustomer(app, office, { contacts: [{ name: 'Wren' }], sites: [site('Lane')] })
    const two = await aCustomer(app, office, {
      contacts: [{ name: 'Wren', isPrimary: true }, { name: 'Kite' }],
      sites: [site('Lane'), site('Quay')],
    })
    const template = await aTemplate({ lines: [aLine()] })
    const entry = { type: 'line', line: aLine() }
    for (const [who, found] of [
      [one, [one.contacts[0]?.guid, one.sites[0]?.guid]],
      [two, [null, null]],
    ] as const) {
      const begun = ok(
        await send<Added>('POST', '/Quotes/Entries', { customerGuid: who.guid, title: 'Lane', entry }),
        201,
      )
      const used = ok(await use(template, { customerGuid: who.guid }), 201)
      for (const { quote } of [begun, used]) expect([quote.contactGuid, quote.siteGuid]).toEqual(found)
    }
    const without = ok(await use(template, { customerGuid: one.guid, contactGuid: null, siteGuid: null }), 201).quote
    expect([without.contactGuid, without.siteGuid]).toEqual([null, null])
  })

  it('needs a draft in the version that was read, the right, and a quote that one may see', async () => {
    const section = { type: 'section', name: 'A' }
    const sent = await aSentQuote(app, office, customerGuid)
    expect((await add(sent, section)).error).toBe('INVALID_TRANSITION')
    const quote = await aQuote(app, office, customerGuid)
    ok(await add(quote, section))
    expect((await add(quote, section)).error).toBe('STALE_VERSION')
    expect((await add(quote, section, {}, people.readOnly)).status).toBe(403)
    const rules = [
      { subject: 'Quotes:Create:Entry', action: 'create' as const },
      { subject: 'Quotes', action: 'read' as const, conditions: { scope: 'own' as const } },
    ]
    const person = await aPerson(app, 'entries', await aRole(app, 'Entries', rules))
    expect((await add({ ...quote, version: quote.version + 1 }, section, {}, person)).status).toBe(404)
  })

  it('is there once of two that are added at the same time', async () => {
    const quote = await aQuote(app, office, customerGuid)
    const both = await Promise.all([1, 2].map((n) => add(quote, { type: 'section', name: `Part ${n}` })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('keeps to the catalogue’s price for whoever may not set prices', async () => {
    const gate = await aProduct('Priced gate', 10_000)
    const rules = [
      { subject: 'Quotes:Create:Entry', action: 'create' as const },
      ...['Quotes', 'Products'].map((subject) => ({ subject, action: 'read' as const })),
    ]
    const person = await aPerson(app, 'unpriced', await aRole(app, 'Without prices', rules))
    const quote = await aQuote(app, office, customerGuid, { lines: [aLine()] })
    const line = aLine({ name: 'Gate', productGuid: gate.guid, unitPriceCents: 1 })
    const refused = await add(quote, { type: 'line', line }, {}, person)
    expect([refused.status, refused.errors[0]?.path]).toEqual([403, 'entry.line.unitPriceCents'])
    ok(await add(quote, { type: 'product', productGuid: gate.guid }, {}, person))
  })
})

describe('A quote template', () => {
  it('asks the prices that were agreed with the customer, and keeps no discount of another', async () => {
    const gate = await aProduct('Agreed gate', 10_000)
    const dear = await aCustomer(app, office, { displayName: 'Dear friends', terms: { discountBp: 1000 } })
    const quote = await aQuote(app, office, dear.guid, { lines: [{ name: 'Gate', productGuid: gate.guid }] })
    const { lines } = ok(await app.call<{ quote: Quote }>(office, 'GET', `/Quotes/${quote.guid}`)).quote
    expect(lines[0]?.discount).toEqual({ type: 'percent', value: 1000 })
    const template = ok(
      await send<One>('POST', `/Quotes/Templates/FromQuote/${quote.guid}`, { name: 'Agreed' }),
      201,
    ).quoteTemplate
    expect(template.lines[0]).toMatchObject({ unitPriceCents: 10_000, discount: null })
    expect(ok(await use(template), 201).quote.lines[0]?.discount).toBeNull()
    const again = ok(await use(template, { customerGuid: dear.guid }), 201).quote
    expect(again.lines[0]?.discount).toEqual({ type: 'percent', value: 1000 })
  })

  it('is made of a quote as it is, and its lines become an entry of another', async () => {
    const gate = await aProduct('Copied gate', 10_000)
    const quote = await aQuote(app, office, customerGuid, {
      title: 'Yard',
      intro: 'Hello',
      lines: [
        { kind: 'section', name: 'Yard' },
        { name: 'Gate', productGuid: gate.guid, unitPriceCents: 8000, isOptional: true },
        aLine({ name: 'Travel', unitPriceCents: 1100 }),
      ],
    })
    const template = ok(
      await send<One>('POST', `/Quotes/Templates/FromQuote/${quote.guid}`, { name: 'Yard' }),
      201,
    ).quoteTemplate
    expect(template).toMatchObject({ title: 'Yard', intro: 'Hello', terms: null })
    expect(template.lines.map((line) => [line.name, line.unitPriceCents, line.isOptional])).toEqual([
      ['Yard', 0, false],
      ['Gate', 10_000, true],
      ['Travel', 1100, false],
    ])
    const gross = await aQuote(app, office, customerGuid, { priceMode: 'inclusive', lines: [aLine()] })
    const { quote: grown } = ok(await add(gross, { type: 'template', templateGuid: template.guid }))
    expect(brief(grown).slice(1)).toEqual([
      ['Yard', '1', 0],
      ['Gate', '1', 11_000],
      ['Travel', '1', 1210],
    ])
  })

  it('leaves out what is sold no more, and says so', async () => {
    const [gate, post] = [await aProduct('Old gate', 10_000), await aProduct('Old post', 1000)]
    const lines = [gate, post].map(({ guid }, i) => ({ name: ['Old gate', 'Old post'][i], productGuid: guid }))
    const template = await aTemplate({ lines })
    await archive(gate.guid)
    expect(await read(template.guid)).toMatchObject({ missing: ['Old gate'], totals: { totalCents: 1100 } })
    const { quote, missing } = ok(await use(template), 201)
    expect([brief(quote), missing]).toEqual([[['Old post', '1', 1000]], ['Old gate']])
    await archive(post.guid)
    const empty = await add(quote, { type: 'template', templateGuid: template.guid })
    expect(empty.errors).toEqual([
      { path: 'entry.templateGuid', message: 'Nothing in this template can be quoted any more.' },
    ])
  })

  it('is changed in the version that was read, has a name of its own, and is put away', async () => {
    const template = await aTemplate({ name: 'Named', lines: [aLine({ unitPriceCents: 500 })] })
    const patch = (body: object) => send<One>('PATCH', `/Quotes/Templates/${template.guid}`, body)
    const changed = ok(await patch({ version: 1, validityDays: 21, intro: '' })).quoteTemplate
    expect(changed).toMatchObject({ validityDays: 21, intro: null, totals: { totalCents: 550 } })
    expect((await patch({ version: 1, title: 'X' })).error).toBe('STALE_VERSION')
    const bad = async (body: object) => (await patch({ version: changed.version, ...body })).errors[0]?.path
    expect(await bad({ validityDays: 0 })).toBe('validityDays')
    expect(await bad({ lines: [{ name: 'X', productGuid: crypto.randomUUID() }] })).toBe('lines.0.productGuid')
    expect(await bad({ jobTypeGuid: crypto.randomUUID() })).toBe('jobTypeGuid')
    expect(
      await bad({ schedule: [{ label: 'A', amount: { type: 'percent', bp: 1 }, due: { type: 'start' } }] }),
    ).toMatch(/^schedule/)
    expect((await send('POST', '/Quotes/Templates', { name: 'named', title: 'X' })).errors[0]?.path).toBe('name')
    ok(await app.call(office, 'DELETE', `/Quotes/Templates/${template.guid}`))
    expect((await use(template)).errors[0]?.path).toBe('templateGuid')
    const items = async (query: string) =>
      ok(await app.call<{ items: { guid: string }[] }>(office, 'GET', `/Quotes/Templates${query}`)).items
    expect((await items('?search=named')).length).toBe(0)
    expect((await items('?search=named&archived=true')).map(({ guid }) => guid)).toEqual([template.guid])
    ok(await send('POST', `/Quotes/Templates/Restore/${template.guid}`))
    expect((await items('?search=NAM')).length).toBe(1)
  })

  it('tells nobody of a quote that is not theirs', async () => {
    const rules = [
      { subject: 'Quotes:Templates:Create', action: 'create' as const },
      { subject: 'Quotes', action: 'read' as const, conditions: { scope: 'own' as const } },
    ]
    const person = await aPerson(app, 'copies', await aRole(app, 'All templates', rules))
    const quote = await aQuote(app, office, customerGuid)
    expect((await send('POST', `/Quotes/Templates/FromQuote/${quote.guid}`, { name: 'Theirs' }, person)).status).toBe(
      404,
    )
  })

  it('is of those who may read it', async () => {
    const template = await aTemplate({ lines: [aLine()] })
    const rules = [
      { subject: 'Quotes:Templates', action: 'manage' as const, conditions: { scope: 'own' as const } },
      { subject: 'Quotes', action: 'manage' as const, conditions: { scope: 'own' as const } },
      { subject: 'Customers', action: 'read' as const },
    ]
    const person = await aPerson(app, 'own-templates', await aRole(app, 'Own templates', rules))
    expect((await app.call(person, 'GET', `/Quotes/Templates/${template.guid}`)).status).toBe(404)
    expect((await use(template, {}, person)).errors[0]?.path).toBe('templateGuid')
    const quote = await aQuote(app, office, customerGuid)
    expect((await send('POST', `/Quotes/Templates/FromQuote/${quote.guid}`, { name: 'Theirs' }, person)).status).toBe(
      404,
    )
    const own = await aTemplate({ lines: [aLine()] }, person)
    expect((await use(own, {}, person)).status).toBe(201)
    const listed = ok(await app.call<{ items: { guid: string }[] }>(person, 'GET', '/Quotes/Templates')).items
    expect(listed.map(({ guid }) => guid)).toEqual([own.guid])
    expect((await send('POST', '/Quotes/Templates', { name: 'No', title: 'No' }, people.readOnly)).status).toBe(403)
  })
})

describe('Pricing again', () => {
  type Repriced = { quote: Quote; changes: RepricedLine[]; beforeCents: number; afterCents: number; missing: string[] }
  const again = ({ guid, version }: Quote, more: object = {}) =>
    send<Repriced>('POST', `/Quotes/Reprice/${guid}`, { version, ...more })

  it('tells first and then does: the catalogue’s prices of today, but not those entered by hand', async () => {
    const [gate, post, old] = [
      await aProduct('Repriced gate', 10_000),
      await aProduct('Repriced post', 1000),
      await aProduct('Sold no more', 2000),
    ]
    const { guid } = await aQuote(app, office, customerGuid, {
      lines: [
        { name: 'Gate', productGuid: gate.guid, quantity: '2' },
        { name: 'By hand', productGuid: post.guid, unitPriceCents: 800 },
        { name: 'Old', productGuid: old.guid },
        aLine({ name: 'Free', unitPriceCents: 100 }),
      ],
    })
    const quote = ok(await app.call<{ quote: Quote }>(office, 'GET', `/Quotes/${guid}`)).quote
    expect(ok(await again(quote))).toMatchObject({ changes: [], quote: { version: quote.version } })
    await reprice(gate, 12_000)
    await reprice(post, 1100)
    await reprice(old, 9000)
    await archive(old.guid)
    const dry = ok(await again(quote, { dryRun: true }))
    expect(dry).toMatchObject({
      changes: [{ lineGuid: quote.lines[0]?.guid, name: 'Gate', beforeCents: 22_000, afterCents: 26_400 }],
      missing: ['Old'],
      beforeCents: 25_190,
      afterCents: 29_590,
      quote: { version: quote.version, totals: { totalCents: 25_190 } },
    })
    const done = ok(await again(quote))
    expect(done.changes).toEqual(dry.changes)
    expect(done.quote).toMatchObject({ version: quote.version + 1, totals: { totalCents: 29_590 } })
    expect(done.quote.lines.map((line) => line.guid)).toEqual(quote.lines.map((line) => line.guid))
    expect((await again(quote)).error).toBe('STALE_VERSION')
  })

  it('is for drafts', async () => {
    const { guid } = await aSentQuote(app, office, customerGuid)
    const quote = ok(await app.call<{ quote: Quote }>(office, 'GET', `/Quotes/${guid}`)).quote
    expect((await again(quote)).error).toBe('INVALID_TRANSITION')
  })
})

describe('The day', () => {
  it('follows the catalogue and the day; what is free keeps its price', async () => {
    const gate = await aProduct('Template gate', 10_000)
    const tent = await aProduct('Template tent', 1000, { kind: 'hire', unit: 'day' })
    const template = await aTemplate({
      validityDays: 10,
      terms: 'Ours',
      depositRule: { type: 'percent', value: 2000 },
      schedule: [
        { label: 'Now', amount: { type: 'percent', bp: 5000 }, due: { type: 'acceptance' } },
        { label: 'Later', amount: { type: 'rest' }, due: { type: 'day', on: '2026-03-12' } },
      ],
      lines: [
        { name: 'Gate', productGuid: gate.guid, unitPriceCents: 10_000 },
        { name: 'Tent', kind: 'hire', productGuid: tent.guid, hireFrom: '2026-03-04', hireTo: '2026-03-06' },
        { name: 'Travel', unitPriceCents: 900 },
      ],
    })
    expect(template.lines.map((line) => line.unitPriceCents)).toEqual([10_000, 1000, 900])
    await reprice(gate, 12_000)
    clock = new Date('2026-05-01T02:00:00Z')
    office = { headers: await logIn(app, people.office.authId) }
    const { quote, missing } = ok(await use(template), 201)
    expect(missing).toEqual([])
    expect(brief(quote).map(([name, , cents]) => [name, cents])).toEqual([
      ['Gate', 12_000],
      ['Tent', 1000],
      ['Travel', 900],
    ])
    expect(quote).toMatchObject({ title: 'Fence', validUntil: '2026-05-11', terms: 'Ours', status: 'draft' })
    expect(quote.lines[1]).toMatchObject({ hireFrom: '2026-05-03', hireTo: '2026-05-05' })
    expect(quote.schedule?.[1]?.due).toEqual({ type: 'day', on: '2026-05-11' })
    // Whatever is not said is the business's own, from the day of sending.
    const plain = ok(await use(await aTemplate({ lines: [aLine()] }), { title: 'Other' }), 201).quote
    expect(plain).toMatchObject({ title: 'Other', validUntil: null })
    const sent = ok(
      await send<{ quote: Quote }>('POST', `/Quotes/Send/${plain.guid}`, {
        version: plain.version,
        to: ['a@b.example'],
      }),
    ).quote
    expect(sent.validUntil).toBe('2026-05-31')
  })
})
