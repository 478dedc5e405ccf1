import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aCustomer, ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface Item {
  productGuid: string
  from: string
  priceCents: number
}
interface PriceList {
  guid: string
  version: number
  name: string
  isActive: boolean
  items: Item[]
  products: { guid: string; name: string; sku: string | null; priceCents: number }[]
  customers: { guid: string; label: string }[]
  customerCount: number
  archivedAt: string | null
}
interface Answer {
  priceList: PriceList
}
interface Totals {
  lines: { unitPriceCents: number; why: { step: string; label: string; cents: number }[] }[]
}

let app: Running
let people: Actors
let product: { guid: string; name: string; sku: string }
let count = 0
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())
beforeEach(async () => {
  count++
  const tiers = [{ from: '3', priceCents: 74_000 }]
  product = await aProduct({ name: `Marquee ${count}`, sku: `MAR-${count}`, priceCents: 78_000, tiers })
})

const aProduct = async (body: Record<string, unknown>) =>
  ok(
    await app.call<{ product: { guid: string; version: number; name: string; sku: string } }>(
      people.office,
      'POST',
      '/Products',
      { priceCents: 1000, ...body },
    ),
    201,
  ).product
const send = (body: Record<string, unknown>, who = people.office) =>
  app.call<Answer>(who, 'POST', '/PriceLists', { name: `List ${count}`, ...body })
const make = async (body: Record<string, unknown> = {}) => ok(await send(body), 201).priceList
const get = async (guid: string, who = people.office) =>
  ok(await app.call<Answer>(who, 'GET', `/PriceLists/${guid}`)).priceList
const change = (guid: string, body: Record<string, unknown>) =>
  app.call<Answer>(people.office, 'PATCH', `/PriceLists/${guid}`, body)
const price = (priceCents: number, from = '1', productGuid = product.guid) => ({ productGuid, from, priceCents })
const withList = (priceListGuid: string | null, more = {}) =>
  aCustomer(app, people.office, { terms: { priceListGuid, ...more } })

describe('what a customer pays', () => {
  const priceOf = async (customerGuid: string | null, quantity: string) => {
    const line = { kind: 'item', name: 'Marquee', quantity, unit: 'each', gstCode: 'GST', productGuid: product.guid }
    const totals = ok(
      await app.call<Totals>(people.office, 'POST', '/Calculators/CalculateTotals', {
        priceMode: 'exclusive',
        lines: [line],
        ...(customerGuid ? { customerGuid } : {}),
      }),
    )
    return { cents: totals.lines[0]?.unitPriceCents, why: totals.lines[0]?.why }
  }

  test('is the tier without a list, and with one the list, be it dearer than the tier', async () => {
    expect(await priceOf(null, '4')).toEqual({ cents: 74_000, why: [{ step: 'tier', label: '3', cents: 74_000 }] })
    for (const cents of [70_000, 76_000]) {
      const { guid, name } = await make({ name: `At ${cents} ${count}`, items: [price(cents)] })
      const customer = await withList(guid)
      expect(await priceOf(customer.guid, '4')).toEqual({
        cents,
        why: [{ step: 'list', label: name, cents, from: '1', insteadOfCents: 74_000 }],
      })
      const listed = await app.call<{ items: { listPrices?: unknown }[] }>(
        people.office,
        'GET',
        `/Products?search=${encodeURIComponent(product.name)}&customerGuid=${customer.guid}`,
      )
      expect(ok(listed).items[0]?.listPrices).toEqual([{ from: '1', priceCents: cents }])
    }
  })

  test('is the highest quantity of the list that is reached, in whatever order they are sent', async () => {
    const list = await make({ items: [price(60_000, '10'), price(70_000, '2'), price(65_000, '4.5')] })
    expect(list.items.map(({ from }) => from)).toEqual(['2', '4.5', '10'])
    const customer = await withList(list.guid)
    const cents = await Promise.all(['1', '2', '4.5', '9', '10'].map((q) => priceOf(customer.guid, q)))
    expect(cents.map((one) => one.cents)).toEqual([78_000, 70_000, 65_000, 65_000, 60_000])
  })

  test('is the catalogue’s while the list is switched off or archived', async () => {
    const list = await make({ items: [price(70_000)] })
    const customer = await withList(list.guid)
    const paid = async () => (await priceOf(customer.guid, '4')).cents
    expect(await paid()).toBe(70_000)
    ok(await change(list.guid, { version: 1, isActive: false }))
    expect(await paid()).toBe(74_000)
    ok(await change(list.guid, { version: 2, isActive: true }))
    ok(await app.call(people.office, 'DELETE', `/PriceLists/${list.guid}`))
    expect(await paid()).toBe(74_000)
    ok(await app.call(people.office, 'POST', `/PriceLists/Restore/${list.guid}`))
    expect(await paid()).toBe(70_000)
  })
})

describe('a price list', () => {
  test('has one price a product and quantity, and says at the row which is there already', async () => {
    const twice = await send({ items: [price(70_000, '3'), price(1, '1'), price(60_000, '3.0')] })
    expect([twice.status, twice.errors]).toEqual([
      422,
      [{ path: 'items.2.from', message: 'This product already has a price from 3.0.' }],
    ])
    const wrong = await send({ items: [price(1), price(-1, '2'), price(1, '0')] })
    expect(wrong.errors.map(({ path }) => path)).toEqual(['items.1.priceCents', 'items.2.from'])
    expect((await send({ items: [{ ...price(1), note: 'x' }] })).errors[0]?.path).toBe('items.0.note')
    const unknown = await send({ items: [price(1), price(2, '1', '00000000-0000-4000-8000-000000000000')] })
    expect(unknown.errors).toEqual([{ path: 'items.1.productGuid', message: 'We can’t find that product.' }])
  })

  test('prices what has a price of its own: no product that was put away, and no bundle by its parts', async () => {
    const old = await aProduct({ name: `Old ${count}` })
    const list = await make({ items: [price(500, '1', old.guid)] })
    ok(await app.call(people.office, 'DELETE', `/Products/${old.guid}`))
    expect((await send({ name: 'x', items: [price(1, '1', old.guid)] })).errors[0]?.path).toBe('items.0.productGuid')
    // What is there may stay.
    ok(await change(list.guid, { version: 1, items: [price(600, '1', old.guid), price(700)] }))
    const bundle = { mode: 'sum', showParts: true, items: [{ productGuid: product.guid, quantity: '2' }] }
    const summed = await aProduct({ name: `Summed ${count}`, kind: 'bundle', bundle })
    expect((await send({ name: 'x', items: [price(1, '1', summed.guid)] })).errors[0]).toEqual({
      path: 'items.0.productGuid',
      message: 'The price of this bundle comes from its parts.',
    })
  })

  test('is saved as a whole, keeps what is not sent, and refuses an older version', async () => {
    const other = await aProduct({ name: `Lights ${count}` })
    const list = await make({ items: [price(70_000), price(65_000, '5'), price(900, '1', other.guid)] })
    const renamed = ok(await change(list.guid, { version: 1, name: `Renamed ${count}` })).priceList
    expect(renamed.items).toHaveLength(3)
    const items = [price(71_000), price(800, '1', other.guid)]
    expect(ok(await change(list.guid, { version: 2, items })).priceList.items).toEqual(
      expect.arrayContaining(items) as Item[],
    )
    expect((await get(list.guid)).items).toHaveLength(2)
    expect((await change(list.guid, { version: 2, items: [] })).error).toBe('STALE_VERSION')
    const log = await app.deps.db
      .selectFrom('auditLog')
      .select(['before', 'after'])
      .where('entityGuid', '=', list.guid)
      .where('action', '=', 'price_list.updated')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([log.before, log.after]).toMatchObject([
      { items: { [`${product.guid} 1`]: 70_000, [`${product.guid} 5`]: 65_000, [`${other.guid} 1`]: 900 } },
      { items: { [`${product.guid} 1`]: 71_000, [`${other.guid} 1`]: 800 } },
    ])
  })

  test('holds 5,000 prices, no more', async () => {
    const items = Array.from({ length: 5000 }, (_, i) => price(100_000 - i, String(i + 1)))
    const list = await make({ items })
    expect(list.items).toHaveLength(5000)
    const more = await change(list.guid, { version: 1, items: [...items, price(1, '5001')] })
    expect([more.status, more.errors[0]?.path]).toEqual([422, 'items'])
  })

  test('has a name no other in use has, and is listed with what it holds', async () => {
    const list = await make({ name: `Schools ${count}`, items: [price(1), price(2, '2')] })
    await withList(list.guid)
    expect((await send({ name: `SCHOOLS ${count}` })).errors[0]?.path).toBe('name')
    const names = async (query: string) =>
      ok(await app.call<{ items: { name: string }[] }>(people.sales, 'GET', `/PriceLists?${query}`)).items
    expect(await names(`search=schools ${count}`)).toMatchObject([{ itemCount: 2, customerCount: 1, isActive: true }])
    ok(await change(list.guid, { version: 1, isActive: false }))
    expect(await names(`search=schools ${count}&active=true`)).toEqual([])
    ok(await app.call(people.office, 'DELETE', `/PriceLists/${list.guid}`))
    expect(await names(`search=schools ${count}`)).toEqual([])
    expect(await names(`search=schools ${count}&archived=true`)).toHaveLength(1)
    await make({ name: `Schools ${count}` })
    expect((await app.call(people.office, 'POST', `/PriceLists/Restore/${list.guid}`)).errors[0]?.path).toBe('name')
  })

  test('tells which customers it holds for, of those the reader may see', async () => {
    const list = await make()
    const first = await withList(list.guid)
    const away = await withList(list.guid)
    ok(await app.call(people.office, 'DELETE', `/Customers/${away.guid}`))
    expect(await get(list.guid)).toMatchObject({ customerCount: 1, customers: [{ guid: first.guid }] })
    const role = await aRole(app, 'Lists alone', [{ subject: 'PriceLists', action: 'read' }])
    const narrow = await aPerson(app, `narrow-${count}`, role)
    expect(await get(list.guid, narrow)).toMatchObject({ customerCount: 1, customers: [], products: [] })
  })

  test('finds products by code or name, and says which it can’t tell apart', async () => {
    const other = await aProduct({ name: `  Marquee   ${count}` })
    ok(await app.call(people.office, 'DELETE', `/Products/${(await aProduct({ name: `Gone ${count}` })).guid}`))
    const texts = [` mar-${count} `, `MARQUEE ${count}`, 'nothing', `Gone ${count}`, '']
    const found = ok(
      await app.call<{ products: { guid: string }[]; matches: unknown[] }>(people.office, 'POST', '/PriceLists/Match', {
        texts,
      }),
    )
    const none = { productGuid: null, count: 0 }
    expect(found.matches).toEqual([
      { productGuid: product.guid, count: 1 },
      { productGuid: null, count: 2 },
      none,
      none,
      none,
    ])
    expect(found.products.map(({ guid }) => guid)).toEqual([product.guid])
    expect(other.name).not.toBe(product.name)
  })

  test('is for those who may set it', async () => {
    const list = await make()
    expect((await send({ name: 'x' }, people.sales)).status).toBe(403)
    expect((await app.call(people.sales, 'DELETE', `/PriceLists/${list.guid}`)).status).toBe(403)
    expect((await app.call(people.field, 'GET', '/PriceLists')).status).toBe(403)
    expect((await app.call(people.sales, 'POST', '/PriceLists/Match', { texts: ['x'] })).status).toBe(403)
  })
})

describe('a customer’s terms', () => {
  const termsOf = async (guid: string, who = people.office) =>
    ok(await app.call<{ customer: { terms: object; version: number } }>(who, 'GET', `/Customers/${guid}`)).customer

  test('name a list that is there, and show it to those who may see lists', async () => {
    const list = await make()
    const customer = await withList(list.guid, { discountBp: 500 })
    const shown = { priceListGuid: list.guid, discountBp: 500, priceList: { label: list.name, isActive: true } }
    expect((await termsOf(customer.guid)).terms).toMatchObject(shown)
    const bad = await app.call(people.office, 'PATCH', `/Customers/${customer.guid}`, {
      version: 1,
      terms: { priceListGuid: product.guid },
    })
    expect(bad.errors).toEqual([{ path: 'terms.priceListGuid', message: 'Choose a price list.' }])
    const role = await aRole(app, 'Customers alone', [{ subject: 'Customers', action: 'read' }])
    const narrow = await aPerson(app, `customers-${count}`, role)
    expect((await termsOf(customer.guid, narrow)).terms).toMatchObject({ priceList: null })
  })

  test('keep their list when other terms change, many at once or after it was archived', async () => {
    const list = await make()
    const customer = await withList(list.guid)
    ok(await app.call(people.office, 'DELETE', `/PriceLists/${list.guid}`))
    const path = `/Customers/${customer.guid}`
    ok(await app.call(people.office, 'PATCH', path, { version: 1, terms: { limitCents: 5000 } }))
    const rows = [{ guid: customer.guid, version: 2 }]
    const edited = await app.call<{ results: { ok: boolean }[] }>(people.office, 'PATCH', '/Customers/Bulk', {
      action: 'edit',
      set: { paymentTermsDays: 7 },
      rows,
    })
    expect(ok(edited).results).toMatchObject([{ ok: true }])
    // What stays as it is is not asked about.
    ok(await app.call(people.office, 'PATCH', path, { version: 3, terms: { priceListGuid: list.guid } }))
    const archived = { termsDays: 7, limitCents: 5000, priceListGuid: list.guid, priceList: { isActive: false } }
    expect((await termsOf(customer.guid)).terms).toMatchObject(archived)
    expect((await send({ name: 'x' })).status).toBe(201)
    const fresh = await app.call(people.office, 'POST', '/Customers', {
      displayName: 'Late',
      terms: { priceListGuid: list.guid },
    })
    expect(fresh.errors[0]?.path).toBe('terms.priceListGuid')
    ok(await app.call(people.office, 'PATCH', path, { version: 4, terms: { priceListGuid: null } }))
    expect((await termsOf(customer.guid)).terms).toMatchObject({ priceListGuid: null, priceList: null })
  })

  test('take the other’s list in a merge where the kept one has none, and give it back', async () => {
    const list = await make()
    const [keep, from] = [await aCustomer(app, people.office), await withList(list.guid)]
    const merged = ok(
      await app.call<{ merge: { guid: string; version: number }; customer: { terms: object } }>(
        people.office,
        'POST',
        '/Customers/Merge',
        { keepGuid: keep.guid, keepVersion: 1, fromGuid: from.guid, fromVersion: 1, choices: {} },
      ),
      201,
    )
    expect(merged.customer.terms).toMatchObject({ priceListGuid: list.guid, priceList: { label: list.name } })
    expect((await get(list.guid)).customers).toMatchObject([{ guid: keep.guid }])
    const undo = await app.call(people.office, 'POST', `/Customers/Merge/Undo/${merged.merge.guid}`, {
      version: merged.merge.version,
    })
    ok(undo)
    expect((await termsOf(keep.guid)).terms).toMatchObject({ priceListGuid: null })
    expect((await get(list.guid)).customers).toMatchObject([{ guid: from.guid }])
  })
})
