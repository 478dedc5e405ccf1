import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchHit } from '../../contract/search.ts'
import { type Actors, aPersonWho, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, aSentQuote, ok } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running, startApp } from '../../test/support/start.ts'
import { termsOf } from '../documents/search-terms.service.ts'

let app: Running
let actors: Actors
let customerGuid: string
let quote: { guid: string; number: string }
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  await aBusiness(app, { abn: '53004085616' })
  const customer = await aCustomer(app, actors.office, {
    displayName: 'Wattle & Daub Pty Ltd',
    email: 'hello@wattle.example',
    phone: '(02) 9876 5432',
    abn: '51824753556',
    contacts: [{ name: 'Zelda Quince', email: 'zelda@quince.example', phone: '0412 345 678' }],
  })
  customerGuid = customer.guid
  const lines = [aLine({ quantity: '1', unitPriceCents: 1_122_334 })]
  quote = await aSentQuote(app, actors.office, customerGuid, { title: 'Verandah roof', priceMode: 'inclusive', lines })
  await aQuote(app, actors.sales, customerGuid, { title: 'Pergola 100% cedar' })
  ok(await app.call(actors.office, 'POST', '/Orders', { customerGuid, title: 'Gutter guard', lines: [aLine()] }), 201)
  ok(
    await app.call(actors.office, 'POST', '/Invoices', {
      customerGuid,
      title: 'Site visit',
      reference: 'PO-7781',
      lines: [aLine()],
    }),
    201,
  )
  ok(
    await app.call(actors.office, 'POST', '/Products', {
      name: 'Colorbond sheet',
      sku: 'CB-42',
      kind: 'goods',
      unit: 'each',
      priceCents: 3550,
    }),
    201,
  )
  const { invoice } = ok(
    await app.call<{ invoice: { guid: string; version: number } }>(actors.office, 'POST', '/Invoices', {
      customerGuid,
      title: 'Deck',
      lines: [aLine({ quantity: '1', unitPriceCents: 707_000 })],
    }),
    201,
  )
  ok(await app.call(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }))
  ok(
    await app.call(
      actors.office,
      'POST',
      '/Payments',
      {
        method: 'bank_transfer',
        receivedOn: '2026-07-01',
        amountCents: 777_700,
        reference: 'WATTLE TFR',
        allocations: [{ invoiceGuid: invoice.guid, cents: 777_700 }],
      },
      keyed(),
    ),
    201,
  )
})
afterAll(() => app.stop())

type Groups = { groups: { kind: string; items: SearchHit[]; hasMore: boolean }[] }
const search = async (q: string, who: Caller = actors.administrator, more = '') =>
  ok(await app.call<Groups>(who, 'GET', `/Search?q=${encodeURIComponent(q)}${more}`)).groups
const found = async (q: string, who?: Caller) =>
  (await search(q, who)).map((g) => `${g.kind}: ${g.items.map((i) => i.label).join(', ')}`)

describe('the search of everything', () => {
  it.each([
    ['wattle', /customers: Wattle & Daub Pty Ltd/],
    ['DAUB pty', /customers: Wattle/],
    ['lo@wat', /customers: Wattle/],
    ['98765432', /customers: Wattle/],
    ['+61 2 9876 5432', /customers: Wattle/],
    ['51 824 753 556', /customers: Wattle/],
    ['8247535', /customers: Wattle/],
    ['quince', /contacts: Zelda Quince/],
    ['+61 412 345 678', /contacts: Zelda Quince/],
    ['randah', /quotes: Q-1001/],
    ['100%', /quotes: Pergola/],
    ['q-1001', /^quotes: Q-1001/],
    ['Q-1001 R1', /^quotes: Q-1001/],
    ['1001', /quotes: Q-1001(.|\n)*orders: O-1001/],
    ['gutter', /orders: O-1001/],
    ['po-7781', /invoices: Site visit/],
    ['cb-42', /products: Colorbond sheet/],
    ['35.50', /products: Colorbond sheet/],
    ['wattle tfr', /payments: R-1001/],
    ['7777', /payments: R-1001/],
    ['$7,777', /payments: R-1001/],
    ['7,777.00', /payments: R-1001/],
    ['11223.3', /quotes: Q-1001/],
    ['112', /quotes: Q-1001/],
    ['11,200', /quotes: Q-1001/],
  ])('finds by %s', async (q, expected) => {
    expect((await found(q)).join('\n')).toMatch(expected)
  })
  it.each(['zzzz', '%%', '__', '11224', '\\\\', 'wattle wattle', '99999999999999'])(
    'finds nothing by %s',
    async (q) => {
      expect(await found(q)).toEqual([])
    },
  )
  it('puts the number that was asked for first, and opens the customer of a contact', async () => {
    const [first] = await search(quote.number.toLowerCase())
    expect(first?.items[0]).toMatchObject({
      kind: 'quotes',
      guid: quote.guid,
      openGuid: quote.guid,
      score: 100,
      status: 'sent',
      amountCents: 1_122_334,
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      detail: 'Wattle & Daub Pty Ltd · Verandah roof',
    })
    const contacts = (await search('zelda')).find((g) => g.kind === 'contacts')
    expect(contacts?.items[0]).toMatchObject({ openGuid: customerGuid, label: 'Zelda Quince', score: 80 })
  })
  it('says of which day a document and a payment are, and of nothing else', async () => {
    const { business } = ok(
      await app.call<{ business: { today: string } }>(actors.office, 'GET', '/Businesses/Current'),
    )
    const dayOf = async (q: string, kind: string) => (await search(q)).find((g) => g.kind === kind)?.items[0]?.day
    expect(await dayOf('inv-1001', 'invoices')).toBe(business.today)
    expect(await dayOf('site visit', 'invoices')).toBe(business.today)
    expect(await dayOf('o-1001', 'orders')).toBe(business.today)
    expect(await dayOf('wattle tfr', 'payments')).toBe('2026-07-01')
    expect(await dayOf('wattle', 'customers')).toBeNull()
  })
  it('finds the documents of a customer by the customer’s name', async () => {
    // Some were made within one moment of another.
    const groups = (await search('daub')).map((g) => [g.kind, ...g.items.map((i) => i.label).toSorted()])
    expect(groups).toEqual([
      ['customers', 'Wattle & Daub Pty Ltd'],
      ['quotes', 'Pergola 100% cedar', 'Q-1001'],
      ['orders', 'O-1001'],
      ['invoices', 'INV-1001', 'Site visit'],
    ])
  })
  it('says where a record stands now, and what an adjustment note takes back', async () => {
    const hit = async (q: string) => (await search(q)).find((g) => g.kind === 'invoices')?.items[0]
    const paid = await hit('inv-1001')
    expect(paid).toMatchObject({ status: 'paid', amountCents: 777_700 })
    const { items } = ok(await app.call<{ items: { guid: string }[] }>(actors.accountant, 'GET', '/Payments?size=2'))
    ok(
      await app.call(
        actors.accountant,
        'POST',
        '/Payments/Refunds',
        { paymentGuid: items[0]?.guid, invoiceGuid: paid?.guid, amountCents: 11_000, reasonCode: 'goodwill' },
        { 'idempotency-key': 'search-note' },
      ),
      201,
    )
    expect(await hit('inv-1001')).toMatchObject({ status: 'partially_refunded' })
    expect(await hit('adj-')).toMatchObject({ status: 'issued', amountCents: -11_000 })
  })
  it.each([
    'wattle',
    'zelda',
    'quince.example',
    '98765432',
    '+61 412 345 678',
    '51 824',
    '1001',
    'inv-1001',
    '7777',
    '7,777.00',
    '$7,777',
    '11223.3',
    '100%',
    'po-7781',
    'ro',
    'zzzz',
    '11224',
  ])('is the search of each list: %s', async (q) => {
    const groups = await search(q)
    for (const [kind, path] of [
      ['quotes', '/Quotes'],
      ['orders', '/Orders'],
      ['invoices', '/Invoices'],
      ['payments', '/Payments'],
    ] as const) {
      const { items } = ok(
        await app.call<{ items: { guid: string; customerName: string }[] }>(
          actors.administrator,
          'GET',
          `${path}?search=${encodeURIComponent(q)}&size=100`,
        ),
      )
      const hits = groups.find((g) => g.kind === kind)?.items.map((i) => i.guid) ?? []
      expect(items.map((i) => i.guid)).toEqual(expect.arrayContaining(hits))
      if (['zelda', '98765432', '51 824'].includes(q)) expect([kind, items.length > 0]).toEqual([kind, true])
      if (['zzzz', '11224'].includes(q)) expect(items).toEqual([])
    }
  })
  it('can be narrowed to kinds, and refuses what is no question', async () => {
    expect((await search('wattle', actors.administrator, '&kinds=orders')).map((g) => g.kind)).toEqual(['orders'])
    for (const query of ['', '?q=a', '?q=ab&kinds=roles', `?q=${'x'.repeat(101)}`])
      expect((await app.call(actors.administrator, 'GET', `/Search${query}`)).status).toBe(400)
  })
  it('finds users by name and login for those who may list them, after the records of the business', async () => {
    const { userGuid, authId } = actors.accountant
    const names = { firstName: 'Zelda', lastName: 'Quill' }
    await app.deps.db.updateTable('users').set(names).where('guid', '=', userGuid).execute()
    const foundBy = async (who: Caller, q: string) =>
      ok(await app.call<Groups>(who, 'GET', `/Search?q=${encodeURIComponent(q)}`)).groups
    const groups = await foundBy(actors.administrator, 'zelda')
    expect(groups.map(({ kind }) => kind)).toEqual(['contacts', 'users'])
    expect(groups[1]?.items).toMatchObject([
      { guid: userGuid, openGuid: userGuid, label: 'Zelda Quill', detail: authId, status: 'active' },
    ])
    expect((await foundBy(actors.administrator, authId)).map(({ kind }) => kind)).toContain('users')
    expect((await foundBy(actors.sales, 'zelda')).map(({ kind }) => kind)).toEqual(['contacts'])
    // Under conditions, those alone.
    const own = [{ subject: 'Users', action: 'read' as const, conditions: { scope: 'own' } }]
    const rules = [...own, { subject: 'Search', action: 'read' as const }]
    const oneself = await aPersonWho(app, 'zelda.second', rules)
    const [found] = await foundBy(oneself, 'zelda')
    expect(found?.items.map(({ guid }) => guid)).toEqual([oneself.userGuid])
  })

  it('finds quote templates by name and by the title of their quotes, for those who may list them', async () => {
    const made = {
      name: 'Zephyr canopy',
      title: 'Shade over the quay',
      lines: [{ name: 'Canopy', unitPriceCents: 100 }],
    }
    ok(await app.call(actors.office, 'POST', '/Quotes/Templates', made), 201)
    for (const q of ['zephyr', 'the quay']) {
      const [group] = await search(q)
      expect(group).toMatchObject({ kind: 'quotetemplates', items: [{ label: made.name, detail: made.title }] })
    }
    expect(await found('zephyr', actors.emptyRole)).toEqual([])
    const quotesAlone = await aPersonWho(app, 'quotes.alone', [
      { subject: 'Search', action: 'read' },
      { subject: 'Quotes:Preview', action: 'read' },
    ])
    expect(await found('zephyr', quotesAlone)).toEqual([])
  })

  it('shows each person what he may list, and nothing else', async () => {
    expect(await found('wattle', actors.emptyRole)).toEqual([])
    expect(await found('wattle', actors.field)).toEqual([])
    expect(
      (await found('1001', actors.sales)).some((line) => line.startsWith('payments') || line.startsWith('invoices')),
    ).toBe(false)
    const own = await aPersonWho(app, 'own', [{ subject: 'Quotes', action: 'read', conditions: { scope: 'own' } }])
    expect(await found('wattle', own)).toEqual([])
    expect((await app.call(null, 'GET', '/Search?q=wattle')).status).toBe(401)
    expect((await app.call(actors.guest, 'GET', '/Search?q=wattle')).status).toBe(403)
  })
})

describe('what is looked for', () => {
  it('is an amount when it reads like one', () => {
    expect(termsOf('12').spans.slice(0, 3)).toEqual([
      { from: 1200, to: 1299 },
      { from: 12_000, to: 12_999 },
      { from: 120_000, to: 129_999 },
    ])
    expect(termsOf('$1,250.5').spans).toEqual([{ from: 125_050, to: 125_059 }])
    expect(termsOf('1250.50')).toMatchObject({ spans: [{ from: 125_050, to: 125_050 }], isAmount: true })
    expect(termsOf('9800').spans.slice(0, 4)).toEqual([
      { from: 980_000, to: 980_099 },
      { from: 970_200, to: 979_999 },
      { from: 980_100, to: 989_800 },
      { from: 9_800_000, to: 9_800_999 },
    ])
    for (const text of ['12,50', 'q12', '1.2.3', '0', '12345678901']) expect(termsOf(text).spans).toEqual([])
  })
})
