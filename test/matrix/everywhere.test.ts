import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type Actors, aPerson, seedActors } from '../support/actors.ts'
import { aBusiness, aCustomer, aLine, aSentQuote, many, ok } from '../support/factories.ts'
import { type Caller, keyed, type Running, startApp } from '../support/start.ts'
import { noteStatements } from '../support/statements.ts'

/** A company and its brand, which share their lists, and a second company with lists of its own. */
interface Item {
  guid: string
  businessGuid: string
  businessName: string
}
interface Page {
  items: Item[]
  page: { total: { value: number }; next: string | null }
}

const lists = [
  '/Quotes',
  '/Orders',
  '/Invoices',
  '/Payments',
  '/Customers',
  '/Products',
  '/Contacts',
  '/Messages',
  '/BookingOptions/Selections',
]
const names = { company: 'Brolga Fencing Pty Ltd', brand: 'Lantern Marquees', second: 'Kookaburra Pty Ltd' }
type Which = keyof typeof names

let app: Running
let people: Actors
let of: Record<Which, string>
/** Works in the second company alone, and in the company and the second one. */
let one: Actor
let two: Actor
beforeAll(async () => {
  // Eight in the evening of the first of July in Perth is the second in Sydney after two hours.
  app = await startApp({ now: () => new Date('2026-07-01T14:30:00Z') })
  people = await seedActors(app)
  const company = (await aBusiness(app)).guid
  const make = async (facts: object) =>
    ok(await app.call<{ business: { guid: string } }>(people.administrator, 'POST', '/Businesses', facts), 201).business
  const brand = (
    await make({ parentGuid: company, tradingName: names.brand, customersOf: company, catalogueOf: company })
  ).guid
  const second = (
    await make({
      legalName: names.second,
      gstRegistered: true,
      abn: '88666333000',
      timeZone: 'Australia/Perth',
      beganOn: '2020-07-01',
    })
  ).guid
  of = { company, brand, second }
  for (const which of ['company', 'brand', 'second'] as const) await aBusyDay(which)
  const { roleGuid } = await app.deps.db
    .selectFrom('users')
    .select('roleGuid')
    .where('guid', '=', people.administrator.userGuid)
    .executeTakeFirstOrThrow()
  one = await aPerson(app, 'one', roleGuid)
  two = await aPerson(app, 'two', roleGuid)
  await limit(one, [second])
  await limit(two, [company, second])
}, 120_000)
afterAll(() => app.stop())

const limit = (person: Actor, businessGuids: string[]) =>
  app.deps.db.updateTable('users').set({ businessGuids }).where('guid', '=', person.userGuid).execute()
const at = (which: Which, who: Caller = people.administrator): Caller => ({
  headers: { ...who.headers, 'x-business-guid': of[which] },
})

/** One of everything, and each business has its own customer. */
async function aBusyDay(which: Which) {
  const here = at(which)
  const post = async <D>(path: string, body: object, status = 201) =>
    ok(await app.call<D>(here, 'POST', path, body, keyed()), status)
  const customer = await aCustomer(app, here, {
    displayName: `Wharf ${which}`,
    contacts: [{ name: `Pip ${which}`, email: `${which}@wharf.example` }],
  })
  const { bookingOption } = await post<{ bookingOption: { guid: string } }>('/Products/BookingOptions', {
    code: which,
    label: { en: `Colour ${which}` },
    input: 'text',
  })
  const tent = { name: `Wharf tent ${which}`, kind: 'hire', priceCents: 5000, optionGuids: [bookingOption.guid] }
  const { product } = await post<{ product: { guid: string } }>('/Products', tent)
  const sale = { customerGuid: customer.guid, title: `Wharf ${which}`, lines: [aLine()] }
  await aSentQuote(app, here, customer.guid, { title: `Wharf ${which}` })
  const answers = [{ option: which, value: { text: 'White' } }]
  await post('/Orders', { ...sale, lines: [aLine({ productGuid: product.guid, answers })] })
  const { invoice } = await post<{ invoice: { guid: string; version: number } }>('/Invoices', { ...sale, termsDays: 0 })
  await post(`/Invoices/Issue/${invoice.guid}`, { version: invoice.version }, 200)
  await post('/Payments', {
    method: 'cash',
    receivedOn: '2026-07-01',
    amountCents: 100,
    allocations: [{ invoiceGuid: invoice.guid, cents: 100 }],
  })
}

const get = async <D = Page>(who: Caller, path: string) => ok(await app.call<D>(who, 'GET', path))
const guids = ({ items }: Page) => new Set(items.map(({ guid }) => guid))

describe('all businesses together', () => {
  test.each(lists)('%s has those of each, once, and says whose they are', async (path) => {
    const each = await Promise.all(
      (['company', 'brand', 'second'] as const).map(async (which) => get(at(which), `${path}?size=100`)),
    )
    const whole = await get(people.administrator, `${path}?business=all&size=100`)
    const wanted = new Set(each.flatMap(({ items }) => items.map(({ guid }) => guid)))
    expect(guids(whole)).toEqual(wanted)
    expect(whole.items.length).toBe(wanted.size)
    expect(whole.page.total.value).toBe(wanted.size)
    const isShared = ['/Customers', '/Products', '/Contacts'].includes(path)
    const said = new Set(whole.items.map(({ businessName }) => businessName))
    expect(said).toEqual(new Set(isShared ? [`${names.company}, ${names.brand}`, names.second] : Object.values(names)))
  })

  test.each(lists)('%s is paged through by cursor in its order, whatever business comes next', async (path) => {
    const whole = await get(people.administrator, `${path}?business=all&size=100`)
    const read: string[] = []
    for (let after = ''; ;) {
      const page = await get(people.administrator, `${path}?business=all&size=2${after}`)
      read.push(...page.items.map(({ guid }) => guid))
      if (page.page.next === null) break
      after = `&after=${page.page.next}`
    }
    expect(read).toEqual(whole.items.map(({ guid }) => guid))
  })

  test.each(lists)('%s is asked for by name, and of those alone one works in', async (path) => {
    const own = await get(one, `${path}?size=100`)
    expect(own.items.length).toBeGreaterThan(0)
    expect(guids(await get(one, `${path}?business=all&size=100`))).toEqual(guids(own))
    expect(guids(await get(people.administrator, `${path}?business=${of.second}&size=100`))).toEqual(guids(own))
    const refused = await app.call(one, 'GET', `${path}?business=${of.company}`)
    expect([refused.status, refused.message]).toEqual([403, 'You do not work in this business.'])
    const both = await get(two, `${path}?business=all&size=100`)
    const isShared = ['/Customers', '/Products', '/Contacts'].includes(path)
    // What the brand has of its own is not told; the lists that it shares with its company are the company's.
    const some = isShared ? 'company' : 'brand'
    const brand = guids(await get(at('brand'), `${path}?size=100`))
    expect(both.items.some(({ guid }) => brand.has(guid))).toBe(some === 'company')
    expect(both.items.some(({ businessGuid }) => businessGuid === of.brand)).toBe(false)
    expect((await app.call(one, 'GET', `${path}?business=x`)).errors[0]?.path).toBe('business')
  })

  test('is searched, filtered by status and exported the same way', async () => {
    for (const path of ['/Quotes', '/Orders', '/Invoices', '/Payments', '/Customers', '/Products', '/Contacts'])
      expect([path, (await get(people.administrator, `${path}?business=all&search=wharf`)).items.length]).toEqual([
        path,
        3,
      ])
    expect((await get(people.administrator, '/Quotes?business=all&status=sent,accepted')).items).toHaveLength(3)
    const csv = await app.call(people.administrator, 'GET', '/Invoices/Export?business=all')
    for (const name of Object.values(names)) expect(csv.body).toContain(name)
  })

  test('has a document late by the day of its own business', async () => {
    // It is the second of July in Sydney, and still the first in Perth, where the second company's is due.
    type Late = { items: { businessName: string; dueOn: string; displayStatus: string }[] }
    const { items } = await get<Late>(at('company'), '/Invoices?business=all')
    expect(items.find(({ businessName }) => businessName === names.second)?.dueOn).toBe('2026-07-01')
    expect(items.map(({ displayStatus }) => displayStatus)).not.toContain('overdue')
    expect((await get(at('company'), '/Invoices?business=all&status=overdue')).items).toEqual([])
    const tiles = await get<{ items: { status: string; count: number }[] }>(
      at('company'),
      '/Invoices/Metrics/StatusMetrics?business=all',
    )
    expect(tiles.items.find(({ status }) => status === 'overdue')?.count).toBe(0)
  })

  test('counts and adds up what the lists have', async () => {
    type Tiles = { items: { status: string; count: number; totalCents: number }[] }
    for (const path of ['/Quotes', '/Orders', '/Invoices']) {
      const tiles = (who: Caller, business: string) =>
        get<Tiles>(who, `${path}/Metrics/StatusMetrics?business=${business}`)
      const sums = async (who: Caller, business: string) => {
        const { items } = await tiles(who, business)
        return [
          items.reduce((sum, { count }) => sum + count, 0),
          items.reduce((sum, { totalCents }) => sum + totalCents, 0),
        ] as const
      }
      const own = await sums(one, of.second)
      expect(await sums(one, 'all')).toEqual(own)
      const [count, cents] = await sums(people.administrator, 'all')
      expect([count, cents]).toEqual([3 * own[0], 3 * own[1]])
    }
  })

  test('is found by the search of everything, each hit with its business', async () => {
    interface Found {
      groups: { kind: string; items: { label: string; businessName: string | null }[] }[]
    }
    const said = async (who: Caller, business: string) =>
      new Map(
        (await get<Found>(who, `/Search?q=wharf&business=${business}`)).groups.map(({ kind, items }) => [
          kind,
          items.map(({ businessName }) => businessName).toSorted(),
        ]),
      )
    const all = await said(people.administrator, 'all')
    const [shared, three] = [`${names.company}, ${names.brand}`, Object.values(names).toSorted()]
    expect(all.get('quotes')).toEqual(three)
    expect(all.get('invoices')).toEqual(three)
    expect(all.get('customers')).toEqual([shared, shared, names.second].toSorted())
    const own = [...(await said(one, 'all')).values()].flat()
    expect(new Set(own)).toEqual(new Set([names.second]))
  })

  test('stands on one dashboard, and GST is told of each legal entity', async () => {
    interface Board {
      money: { issuedCents: number; collectedCents: number; gstToSetAsideCents: number }
      gstByEntity: { name: string; cents: number }[]
      work: { upcoming: unknown[] }
      activity: { businessName: string | null }[]
    }
    const board = (who: Caller, business: string) => get<Board>(who, `/Dashboards/Ecommerce?business=${business}`)
    const [all, company, brand, second] = [
      await board(people.administrator, 'all'),
      await board(people.administrator, of.company),
      await board(people.administrator, of.brand),
      await board(people.administrator, of.second),
    ]
    expect(all.money.issuedCents).toBe(3 * second.money.issuedCents)
    expect(all.money.collectedCents).toBe(300)
    const gst = second.gstByEntity[0]?.cents ?? 0
    expect(gst).toBeGreaterThan(0)
    // A brand's GST is its company's: both windows tell of both.
    for (const { gstByEntity } of [company, brand])
      expect(gstByEntity).toEqual([{ name: names.company, cents: 2 * gst }])
    expect(all.gstByEntity).toEqual([
      { name: names.company, cents: 2 * gst },
      { name: names.second, cents: gst },
    ])
    expect(new Set(second.activity.map(({ businessName }) => businessName))).toEqual(new Set([names.second]))
    await aCustomer(app, at('brand'), { displayName: 'A late one' })
    const { activity } = await board(people.administrator, 'all')
    const told = new Set(activity.map(({ businessName }) => businessName))
    expect(told).toEqual(new Set([names.second, `${names.company}, ${names.brand}`]))
    expect(await board(one, 'all')).toMatchObject({ money: second.money, gstByEntity: second.gstByEntity })
  })

  test('tells of a customer what is owed to each business that shares the list and one works in', async () => {
    interface Money {
      balanceCents: number
      byBusiness: { name: string; balanceCents: number }[]
    }
    const customer = await aCustomer(app, at('company'), { displayName: 'Both of them' })
    const bill = async (which: Which, unitPriceCents: number) => {
      type Bill = { invoice: { guid: string; version: number } }
      const sale = { customerGuid: customer.guid, title: 'Hire', priceMode: 'inclusive' }
      const made = ok(
        await app.call<Bill>(at(which), 'POST', '/Invoices', {
          ...sale,
          lines: [aLine({ quantity: '1', unitPriceCents })],
        }),
        201,
      )
      const { guid, version } = made.invoice
      ok(await app.call(at(which), 'POST', `/Invoices/Issue/${guid}`, { version }))
    }
    await bill('company', 1100)
    await bill('brand', 3300)
    const money = async (who: Caller, query = '') =>
      (await get<{ customer: { money: Money } }>(who, `/Customers/${customer.guid}${query}`)).customer.money
    const owed = [
      { name: names.company, balanceCents: 1100 },
      { name: names.brand, balanceCents: 3300 },
    ]
    expect(await money(at('company'))).toMatchObject({ balanceCents: 1100, byBusiness: owed })
    expect(await money(at('brand'))).toMatchObject({ balanceCents: 3300, byBusiness: owed })
    expect(await money(at('brand'), '?business=all')).toMatchObject({ balanceCents: 4400, byBusiness: owed })
    // Whoever does not work for the brand hears nothing of it.
    expect(await money(at('company', two), '?business=all')).toMatchObject({
      balanceCents: 1100,
      byBusiness: owed.slice(0, 1),
    })
  })

  test('costs one statement more, however many businesses there are', async () => {
    const counting = noteStatements(app.deps.db)
    const asked = [
      ...lists.map((path) => `${path}?business=all`),
      '/Search?q=wharf&business=all',
      '/Dashboards/Ecommerce?business=all',
    ]
    // What works in the background meanwhile is none of a list's.
    const fewest = async (path: string) => {
      const tries: number[] = []
      for (let i = 0; i < 3; i++) tries.push((await counting(() => get(people.administrator, path))).length)
      return Math.min(...tries)
    }
    const counts = async () => {
      const found: [string, number][] = []
      for (const path of asked) found.push([path, await fewest(path)])
      return found
    }
    await counts()
    const before = await counts()
    await many(5, async (i) =>
      ok(
        await app.call(people.administrator, 'POST', '/Businesses', {
          parentGuid: of.company,
          tradingName: `Brand ${i}`,
        }),
        201,
      ),
    )
    await counts()
    expect(await counts()).toEqual(before)
    for (const path of lists) {
      const single = await fewest(path)
      const all = before.find(([one]) => one === `${path}?business=all`)?.[1] ?? 0
      expect([path, all - single]).toEqual([path, 1])
    }
  })
})
