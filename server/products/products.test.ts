import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aCustomer, aLine, aQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface One {
  product: {
    guid: string
    version: number
    name: string
    sku: string | null
    kind: string
    unit: string
    gstCode: string
    priceCents: number
    costCents: number | null
    archivedAt: string | null
    usage: { quoted: number; invoicedCents: number }
  }
}

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const make = (body: Record<string, unknown>) =>
  app.call<One>(people.office, 'POST', '/Products', { name: 'Panel', priceCents: 12_500, ...body })
const get = async (guid: string) => ok(await app.call<One>(people.office, 'GET', `/Products/${guid}`)).product
const change = (guid: string, body: Record<string, unknown>) =>
  app.call<One>(people.office, 'PATCH', `/Products/${guid}`, body)

describe('a product that is looked up', () => {
  test('is found by its text, and by the kinds the reader calls so', async () => {
    const { name } = ok(await make({ name: 'Back again soon', kind: 'discount' }), 201).product
    const names = async (query: string) =>
      ok(await app.call<{ items: { name: string }[] }>(people.office, 'GET', `/Products?${query}`)).items.map(
        (item) => item.name,
      )
    expect(await names('search=rabais')).toEqual([])
    expect(await names('search=rabais&searchKinds=discount')).toEqual([name])
    expect(await names('search=rabais&searchKinds=bundle,labour')).toEqual([])
    expect((await app.call(people.office, 'GET', '/Products?search=x&searchKinds=odd')).status).toBe(400)
  })
})

describe('a product', () => {
  test('is made, changed only where said, archived and restored', async () => {
    const made = ok(
      await make({ sku: 'P-1', kind: 'hire', unit: 'week', gstCode: 'FREE', costCents: 900 }),
      201,
    ).product
    expect(ok(await change(made.guid, { version: 1, priceCents: 13_000 })).product).toMatchObject({
      kind: 'hire',
      unit: 'week',
      gstCode: 'FREE',
      priceCents: 13_000,
      costCents: 900,
      version: 2,
    })
    expect((await change(made.guid, { version: 1, priceCents: 1 })).error).toBe('STALE_VERSION')
    expect(ok(await app.call<One>(people.office, 'DELETE', `/Products/${made.guid}`)).product.archivedAt).not.toBeNull()
    expect(
      ok(await app.call<One>(people.office, 'POST', `/Products/Restore/${made.guid}`)).product.archivedAt,
    ).toBeNull()
  })

  test('has a code that no other product in use has, whatever the case', async () => {
    const first = ok(await make({ sku: 'Code-7' }), 201).product
    const second = await make({ sku: 'code-7' })
    expect([second.status, second.error, second.errors[0]?.path]).toEqual([409, 'ALREADY_EXISTS', 'sku'])
    ok(await app.call(people.office, 'DELETE', `/Products/${first.guid}`))
    ok(await make({ sku: 'code-7' }), 201)
    const back = ok(
      await app.call<{ results: { ok: boolean; message: string }[] }>(people.office, 'POST', '/Products/Bulk', {
        action: 'restore',
        guids: [first.guid],
      }),
    )
    expect(back.results).toMatchObject([{ ok: false, message: 'Another product has this code.' }])
  })

  test('is made once of two with the same code that arrive together', async () => {
    const answers = await Promise.all([make({ sku: 'RACE' }), make({ sku: 'race' })])
    expect(answers.map((a) => a.status).toSorted()).toEqual([201, 409])
  })

  test('refuses prices below zero and fields it does not have', async () => {
    expect((await make({ priceCents: -1 })).errors[0]?.path).toBe('priceCents')
    expect((await make({ priceCents: 1.5 })).errors[0]?.path).toBe('priceCents')
    expect((await make({ margin: 1 })).error).toBe('UNKNOWN_PARAMETER')
  })

  test('says how often it was quoted, and stays on documents when its price changes', async () => {
    const made = ok(await make({ name: 'Gate' }), 201).product
    const customer = await aCustomer(app, people.office)
    const quote = await aQuote(app, people.office, customer.guid, {
      lines: [aLine({ productGuid: made.guid }), aLine({ productGuid: made.guid })],
    })
    expect((await get(made.guid)).usage).toMatchObject({ quoted: 1, invoicedCents: 0 })
    ok(await change(made.guid, { version: 1, priceCents: 99 }))
    expect(quote.totals.totalCents).toBe(55_000)
  })

  test('shows what it costs us to those alone who may see costs', async () => {
    const role = await aRole(app, 'Shop', [
      { subject: 'Products', action: 'manage' },
      { subject: 'Products:Costs', action: 'read', inverted: true, priority: 5 },
    ])
    const seller = await aPerson(app, 'seller', role)
    const made = ok(await make({ name: 'Secret', costCents: 4000 }), 201).product
    expect(ok(await app.call<One>(seller, 'GET', `/Products/${made.guid}`)).product.costCents).toBeNull()
    expect((await app.call(seller, 'PATCH', `/Products/${made.guid}`, { version: 1, costCents: 1 })).status).toBe(403)
    ok(await app.call(seller, 'PATCH', `/Products/${made.guid}`, { version: 1, name: 'Secret 2', costCents: null }))
    expect((await get(made.guid)).costCents).toBe(4000)
  })

  test('is listed by kind, searched by name, code and description, and sorted by code or without', async () => {
    await make({ name: 'Concrete', sku: 'Z-9', kind: 'goods', description: 'twenty kilograms' })
    const names = async (query: string) =>
      ok(await app.call<{ items: { name: string }[] }>(people.readOnly, 'GET', `/Products?${query}`)).items.map(
        (p) => p.name,
      )
    expect(await names('search=KILOGRAMS')).toEqual(['Concrete'])
    expect(await names('kind=goods,fee')).toEqual(['Concrete'])
    expect(await names('search=z-9')).toEqual(['Concrete'])
    const { items } = ok(
      await app.call<{ items: { sku: string | null }[] }>(people.office, 'GET', '/Products?sort=sku&size=100'),
    )
    const codes = items.map((p) => p.sku)
    expect(codes.indexOf(null)).toBeGreaterThan(codes.indexOf('Z-9'))
  })

  test('is exported with its price in dollars', async () => {
    const csv = await app.call(people.office, 'GET', '/Products/Export?search=z-9')
    expect(csv.body).toContain('Z-9,Concrete,goods,active,each,125.00,GST')
  })

  test('is priced by tiers that rise and by hire rates that make sense', async () => {
    const tiers = ['10', '5'].map((from) => ({ from, priceCents: 100 }))
    const falling = await make({ tiers })
    expect(falling.errors).toEqual([{ path: 'tiers.1.from', message: 'Tiers must rise: 10 comes before 5.' }])
    const hire = { dayCents: 4500, weekCents: 4000 }
    expect((await make({ kind: 'hire', hire })).errors[0]).toEqual({
      path: 'hire.weekCents',
      message: 'A week can’t cost less than a day.',
    })
    expect((await make({ kind: 'goods', hire: { dayCents: 1 } })).errors[0]?.path).toBe('hire')
    const made = ok(await make({ kind: 'hire', hire: { dayCents: 4500 }, tiers: tiers.toReversed() }), 201).product
    // What is sent is judged with what stays.
    expect((await change(made.guid, { version: 1, kind: 'goods' })).errors[0]?.path).toBe('hire')
    const least = await change(made.guid, { version: 1, quantityMin: '4', quantityMax: '3.5' })
    expect(least.errors[0]?.path).toBe('quantityMax')
    ok(await change(made.guid, { version: 1, quantityMin: '4', quantityStep: '0.5', hire: null }))
    expect(await get(made.guid)).toMatchObject({ quantityMin: '4', quantityStep: '0.5', hire: null, version: 2 })
  })

  test('is a bundle of products that are sold, and no bundle holds a bundle', async () => {
    const part = ok(await make({ name: 'Table' }), 201).product
    const draft = ok(await make({ name: 'Not yet', status: 'draft' }), 201).product
    const bundle = (guid: string, more = {}) => ({
      kind: 'bundle',
      bundle: { mode: 'sum', showParts: true, items: [{ productGuid: guid, quantity: '8' }], ...more },
    })
    const made = ok(await make({ name: 'Party', ...bundle(part.guid) }), 201).product
    const { items } = ok(
      await app.call<{ items: { guid: string; isPricedByParts: boolean }[] }>(
        people.office,
        'GET',
        '/Products?size=100',
      ),
    )
    const isByParts = (guid: string) => items.find((item) => item.guid === guid)?.isPricedByParts
    expect([isByParts(made.guid), isByParts(part.guid)]).toEqual([true, false])
    expect(made).toMatchObject({ parts: [{ name: 'Table', quantity: '8', priceCents: 12_500 }] })
    for (const guid of [made.guid, draft.guid])
      expect((await make(bundle(guid))).errors[0]?.path).toBe('bundle.items.0.productGuid')
    expect((await make({ kind: 'bundle' })).errors[0]?.path).toBe('bundle.items')
    expect((await make(bundle(part.guid, { mode: 'percent' }))).errors[0]?.path).toBe('bundle.bp')
    expect((await make({ ...bundle(part.guid), kind: 'goods' })).errors[0]?.path).toBe('bundle')
    const held = await change(part.guid, { version: 1, kind: 'discount' })
    expect(held.errors[0]).toEqual({ path: 'kind', message: 'This product is part of Party.' })
    expect((await get(part.guid)).usage).toMatchObject({ bundles: [{ guid: made.guid, label: 'Party' }] })
  })

  test('is a draft until it is activated, and cannot be chosen before', async () => {
    const draft = ok(await make({ name: 'Soon', status: 'draft' }), 201).product
    const customer = await aCustomer(app, people.office)
    const body = { customerGuid: customer.guid, title: 'x', lines: [aLine({ productGuid: draft.guid })] }
    expect((await app.call(people.office, 'POST', '/Quotes', body)).errors[0]?.path).toBe('lines.0.productGuid')
    ok(await app.call(people.office, 'POST', `/Products/Activate/${draft.guid}`, { version: 1 }))
    ok(await app.call(people.office, 'POST', '/Quotes', body), 201)
    expect((await app.call(people.office, 'POST', `/Products/Activate/${draft.guid}`, { version: 2 })).status).toBe(409)
  })

  test('is found in its categories and in those around them, and by its stream', async () => {
    const category = async (name: string, parentGuid?: string) =>
      ok(
        await app.call<{ category: { guid: string } }>(people.office, 'POST', '/Products/Categories', {
          name,
          parentGuid,
        }),
        201,
      ).category.guid
    const outer = await category('Outer')
    const inner = await category('Inner', outer)
    const { stream } = ok(
      await app.call<{ stream: { guid: string } }>(people.office, 'POST', '/RevenueStreams', { code: 'S', name: 'S' }),
      201,
    )
    const facts = { name: 'Sorted', categoryGuids: [inner], revenueStreamGuid: stream.guid }
    const made = ok(await make(facts), 201).product
    const found = async (query: string) =>
      ok(await app.call<{ items: { name: string }[] }>(people.sales, 'GET', `/Products?${query}`)).items.map(
        (p) => p.name,
      )
    expect(await found(`category=${outer}`)).toEqual(['Sorted'])
    expect(await found(`stream=${stream.guid}&status=active`)).toEqual(['Sorted'])
    ok(await change(made.guid, { version: 1, categoryGuids: [] }))
    expect(await found(`category=${outer}`)).toEqual([])
    expect((await make({ categoryGuids: [made.guid] })).errors[0]?.path).toBe('categoryGuids.0')
    expect((await make({ revenueStreamGuid: made.guid })).errors[0]?.path).toBe('revenueStreamGuid')
  })

  test('shows and sorts margins for those alone who may see costs', async () => {
    ok(await make({ name: 'Gold', priceCents: 133_200, costCents: 89_000 }), 201)
    const margin = async (who: typeof people.office) =>
      ok(await app.call<{ items: { marginBp: number | null }[] }>(who, 'GET', '/Products?search=gold')).items[0]
        ?.marginBp
    expect([await margin(people.office), await margin(people.sales)]).toEqual([3318, null])
    expect((await app.call(people.sales, 'GET', '/Products?sort=-marginBp')).status).toBe(403)
    ok(await app.call(people.office, 'GET', '/Products?sort=-marginBp'))
  })

  test('is nothing for those without the right', async () => {
    expect((await app.call(people.sales, 'POST', '/Products', { name: 'x', priceCents: 1 })).status).toBe(403)
    expect((await app.call(people.guest, 'GET', '/Products')).status).toBe(403)
  })
})
