import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Customer } from '../../contract/customers.ts'
import type { Product } from '../../contract/products.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let office: Caller
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
})
afterAll(() => app.stop())

interface Row {
  guid: string
  version: number
}
interface Results {
  results: { guid: string; ok: boolean; message: string }[]
}
const edit = (noun: string, set: object, rows: readonly Row[], who = office) =>
  app.call<Results>(who, 'PATCH', `/${noun}/Bulk`, {
    action: 'edit',
    set,
    rows: rows.map(({ guid, version }) => ({ guid, version })),
  })
const customer = async (guid: string) =>
  ok(await app.call<{ customer: Customer }>(office, 'GET', `/Customers/${guid}`)).customer
const aProduct = async (facts: object) =>
  ok(await app.call<{ product: Product }>(office, 'POST', '/Products', { name: 'Panel', ...facts }), 201).product
const product = async (guid: string) =>
  ok(await app.call<{ product: Product }>(office, 'GET', `/Products/${guid}`)).product

describe('many records changed alike', () => {
  it('have what was set, keep everything else, and each tells of it in its log', async () => {
    const some = [await aCustomer(app, office), await aCustomer(app, office)]
    const before = await Promise.all(some.map(({ guid }) => customer(guid)))
    const { results } = ok(await edit('Customers', { paymentTermsDays: 21, kind: 'government' }, before))
    expect(results.map(({ ok: isOk, message }) => [isOk, message])).toEqual([
      [true, 'Saved.'],
      [true, 'Saved.'],
    ])
    for (const was of before) {
      const now = await customer(was.guid)
      expect([now.paymentTermsDays, now.kind, now.displayName, now.version]).toEqual([
        21,
        'government',
        was.displayName,
        was.version + 1,
      ])
    }
  })
  it('are left alone where somebody was there first, and only there', async () => {
    const [first, second] = [
      await customer((await aCustomer(app, office)).guid),
      await customer((await aCustomer(app, office)).guid),
    ]
    await app.call(office, 'PATCH', `/Customers/${first.guid}`, { version: first.version, kind: 'trust' })
    const { results } = ok(await edit('Customers', { kind: 'charity' }, [first, second]))
    expect(results).toEqual([
      { guid: first.guid, ok: false, message: 'Someone else changed this record while you were editing.' },
      { guid: second.guid, ok: true, message: 'Saved.' },
    ])
    expect([(await customer(first.guid)).kind, (await customer(second.guid)).kind]).toEqual(['trust', 'charity'])
  })
  it('are refused for what makes no sense, and to those who may not change them', async () => {
    const row = await customer((await aCustomer(app, office)).guid)
    for (const [set, rows, path, code] of [
      [{}, [row], 'set', 422],
      [{ displayName: 'All the same' }, [row], 'set', 400],
      [{ kind: 'nothing' }, [row], 'set.kind', 422],
      [{ kind: 'trust' }, [], 'rows', 422],
      [{ kind: 'trust' }, [row, row], 'rows', 422],
    ] as const) {
      const { status, errors } = await edit('Customers', set, rows)
      expect([set, status, errors[0]?.path.startsWith(path)]).toEqual([set, code, true])
    }
    expect((await edit('Customers', { kind: 'trust' }, [row], actors.readOnly)).status).toBe(403)
  })
  it('follow the rules of each: what was sent to a customer is not changed', async () => {
    const quote = await aSentQuote(app, office, (await aCustomer(app, office)).guid)
    const { results } = ok(await edit('Quotes', { validUntil: '2099-01-01' }, [quote]))
    expect(results).toMatchObject([{ ok: false }])
  })
  it('rise in price with their tiers and rates of hire, to the step', async () => {
    const hired = await aProduct({
      kind: 'hire',
      priceCents: 4500,
      hire: { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 },
    })
    const tiered = await aProduct({ priceCents: 12_345, tiers: [{ from: '10', priceCents: 10_000 }] })
    ok(await edit('Products', { priceRise: { bp: 350, stepCents: 5 } }, [hired, tiered]))
    expect(await product(hired.guid)).toMatchObject({
      priceCents: 4660,
      hire: { dayCents: 4660, weekCents: 18_630, fourWeekCents: 55_890 },
    })
    expect(await product(tiered.guid)).toMatchObject({ priceCents: 12_775, tiers: [{ priceCents: 10_350 }] })
    const { results } = ok(
      await edit('Products', { priceRise: { bp: 100_000, stepCents: 1 } }, [
        await aProduct({ priceCents: 999_999_999_999 }),
      ]),
    )
    expect(results).toMatchObject([{ ok: false, message: expect.stringContaining('smaller percentage') as string }])
  })
  it('are counted in another stream, found in other categories, and given to somebody', async () => {
    const made = async <D>(path: string, body: object) => ok(await app.call<D>(office, 'POST', path, body), 201)
    const { stream: hire } = await made<{ stream: Row }>('/RevenueStreams', { code: '41', name: 'Hire' })
    const { category } = await made<{ category: Row }>('/Products/Categories', { name: 'Fences' })
    const some = [await aProduct({ priceCents: 100 }), await aProduct({ priceCents: 200 })]
    ok(await edit('Products', { revenueStreamGuid: hire.guid, categoryGuids: [category.guid] }, some))
    for (const { guid } of some)
      expect(await product(guid)).toMatchObject({ stream: { label: 'Hire' }, categoryGuids: [category.guid] })
    const [first] = some
    const unknown = await edit('Products', { revenueStreamGuid: crypto.randomUUID() }, [
      await product(first?.guid ?? ''),
    ])
    expect(ok(unknown).results).toMatchObject([{ ok: false }])

    const { stream: all } = await made<{ stream: Row }>('/RevenueStreams', { code: '4', name: 'Revenue' })
    const { results } = ok(await edit('RevenueStreams', { accountCode: '4-1000', parentGuid: all.guid }, [hire, all]))
    expect(results).toMatchObject([{ ok: true }, { ok: false, message: 'A stream can’t be part of itself.' }])
    expect((await edit('RevenueStreams', { addTags: ['x'] }, [all])).status).toBe(400)

    const { jobType } = await made<{ jobType: Row }>('/JobTypes', { name: 'Fencing' })
    const customerGuid = (await aCustomer(app, office)).guid
    const work = async () => (await made<{ order: Row }>('/Orders', { customerGuid, title: 'Fence' })).order
    const orders = [await work(), await work()]
    ok(await edit('Orders', { assignedGuid: actors.field.userGuid, jobTypeGuid: jobType.guid }, orders))
    const listed = ok(
      await app.call<{ items: object[] }>(actors.field, 'GET', `/Orders?assignedGuid=${actors.field.userGuid}`),
    ).items
    expect(listed).toMatchObject(orders.map(() => ({ assignedName: 'field', jobTypeName: 'Fencing' })))
  })
})
