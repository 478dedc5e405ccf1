import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, type Actors, aPerson, aRole, logIn, type RuleFacts, seedActors } from '../support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, ok } from '../support/factories.ts'
import { heardDuring } from '../support/live.ts'
import { csvRows, listed } from '../support/rows.ts'
import { type Running, startApp } from '../support/start.ts'

let app: Running
let actors: Actors
let address: string
const people: Record<string, Actor> = {}

const nouns = {
  Customers: { path: '/Customers', table: 'customers', label: 'Name', of: 'displayName' },
  Quotes: { path: '/Quotes', table: 'quotes', label: 'Title', of: 'title' },
  Orders: { path: '/Orders', table: 'orders', label: 'Title', of: 'title' },
  Invoices: { path: '/Invoices', table: 'invoices', label: 'Title', of: 'title' },
} as const
type Noun = keyof typeof nouns

const conditions: Record<string, Record<string, unknown>> = {
  'own records': { scope: 'own' },
  'assigned records': { scope: 'assigned' },
  'some states': { statusIn: ['confirmed', 'sent', 'issued'] },
  'small amounts': { amountBelowCents: 50_000 },
  'own small ones': { scope: 'own', amountBelowCents: 50_000 },
}
const reads = ['Dashboards:Ecommerce'].map((subject): RuleFacts => ({ subject, action: 'read' }))

/**
 * Customers, quotes, orders and invoices by two people, small and large, in several states,
 * some of them the field's work.
 */
async function makeRecords(by: Actor, name: string) {
  const customer = await aCustomer(app, by, { displayName: `Zebra ${name}` })
  for (const cents of [10_000, 90_000]) {
    const lines = [aLine({ quantity: '1', unitPriceCents: cents })]
    const quote = await aQuote(app, by, customer.guid, { title: `Zebra quote ${name} ${cents}`, lines })
    if (cents > 50_000)
      ok(
        await app.call(actors.administrator, 'POST', `/Quotes/Send/${quote.guid}`, { version: 1, to: ['a@b.example'] }),
      )
    const { order } = ok(
      await app.call<{ order: { guid: string; version: number } }>(by, 'POST', '/Orders', {
        customerGuid: customer.guid,
        title: `Zebra order ${name} ${cents}`,
        lines,
        assignedGuid: name === 'one' ? people['field']?.userGuid : null,
      }),
      201,
    )
    if (cents < 50_000)
      ok(
        await app.call(actors.administrator, 'POST', `/Orders/Status/${order.guid}`, {
          version: order.version,
          deed: 'start',
        }),
      )
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string; version: number } }>(by, 'POST', '/Invoices', {
        customerGuid: customer.guid,
        title: `Zebra invoice ${name} ${cents}`,
        lines,
      }),
      201,
    )
    if (name === 'two')
      ok(await app.call(actors.administrator, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }))
    if (name !== 'one') continue
    await app.deps.db.updateTable('invoices').set({ orderGuid: order.guid }).where('guid', '=', invoice.guid).execute()
    await app.deps.db.updateTable('orders').set({ quoteGuid: quote.guid }).where('guid', '=', order.guid).execute()
  }
}

beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  await aBusiness(app, { abn: '53004085616' })
  address = await app.listen()
  people['field'] = actors.field
  const maker = await aRole(
    app,
    'Maker',
    ['Customers', 'Quotes', 'Orders', 'Invoices'].map((subject) => ({ subject, action: 'manage' as const })),
  )
  const [one, two] = [await aPerson(app, 'one', maker), await aPerson(app, 'two', maker)]
  await makeRecords(one, 'one')
  await makeRecords(two, 'two')
  for (const [name, when] of Object.entries(conditions)) {
    const role = await aRole(app, name, [
      ...reads,
      ...Object.keys(nouns).map((subject): RuleFacts => ({ subject, action: 'manage', conditions: when })),
    ])
    const person = await aPerson(app, name.replaceAll(' ', '-'), name.startsWith('own') ? maker : role)
    if (name.startsWith('assigned'))
      await app.deps.db
        .updateTable('orders')
        .set({ assignedGuid: person.userGuid })
        .where('title', 'like', '%one 10000')
        .execute()
    if (name.startsWith('own')) await makeRecords(person, name)
    await app.deps.db.updateTable('users').set({ roleGuid: role }).where('guid', '=', person.userGuid).execute()
    people[name] = { ...person, headers: await logIn(app, person.authId) }
  }
}, 120_000)
afterAll(() => app.stop())

interface Record_ {
  guid: string
  name: string
  totalCents: number
  status: string
}
const allOf = async (noun: Noun) => {
  const { table } = nouns[noun]
  const isCustomer = table === 'customers'
  const { rows } = await sql<Record_>`select guid, ${sql.ref(isCustomer ? 'display_name' : 'title')} as name,
      ${isCustomer ? sql`0` : sql`total_cents`} as total_cents, ${isCustomer ? sql`''` : sql`status`} as status
      from ${sql.table(table)} order by guid`.execute(app.deps.db)
  return rows
}
/** What can be read one by one: the measure for everything else. */
const readable = async (who: Actor, noun: Noun) => {
  const found: Record_[] = []
  for (const record of await allOf(noun)) {
    const { status } = await app.call(who, 'GET', `${nouns[noun].path}/${record.guid}`)
    expect([200, 403, 404]).toContain(status)
    if (status === 200) found.push(record)
  }
  return found
}
const guidsOf = (records: { guid: string }[]) => records.map((r) => r.guid).toSorted()

const cases = ['field', ...Object.keys(conditions)].flatMap((person) =>
  (Object.keys(nouns) as Noun[]).map((noun) => ({ person, noun })),
)

describe.each(cases)('AZ-10: $noun seen by the person with $person', ({ person, noun }) => {
  const who = () => people[person] as Actor
  const mayList = person !== 'field' || noun === 'Orders' || noun === 'Customers'
  it('are the same one by one, in the list, the export, the search, the tiles, bulk deeds and live', async () => {
    const seen = await readable(who(), noun)
    const guids = guidsOf(seen)
    const list = await app.call(who(), 'GET', nouns[noun].path)
    expect(list.status).toBe(mayList ? 200 : 403)
    if (!mayList) return expect(guids).toEqual([])
    const all = await allOf(noun)
    if (person !== 'field' && !(noun === 'Customers' && (person === 'some states' || person.includes('small'))))
      expect([guids.length > 0, guids.length < all.length]).toEqual([true, true])

    expect((await listed(app, who(), nouns[noun].path)).toSorted()).toEqual(guids)
    expect((list.data as { page: { total: { value: number } } }).page.total.value).toBe(guids.length)
    const exported = csvRows((await app.call(who(), 'GET', `${nouns[noun].path}/Export`)).body)
    expect(exported.map((row) => row[nouns[noun].label]).toSorted()).toEqual(seen.map((r) => r.name).toSorted())
    const { groups } = ok(
      await app.call<{ groups: { kind: string; items: { guid: string }[] }[] }>(
        who(),
        'GET',
        `/Search?q=zebra&kinds=${noun.toLowerCase()}`,
      ),
    )
    expect(guidsOf(groups.flatMap((g) => g.items))).toEqual(guids)

    if (noun !== 'Customers') {
      const tiles = ok(
        await app.call<{ items: { count: number; totalCents: number | null }[] }>(
          who(),
          'GET',
          `${nouns[noun].path}/Metrics/StatusMetrics`,
        ),
      ).items
      expect(tiles.reduce((n, t) => n + t.count, 0)).toBe(seen.length)
      // Those who only do the work see no amounts of orders.
      const sum = person === 'field' ? null : seen.reduce((n, r) => n + r.totalCents, 0)
      expect(
        sum === null ? tiles.every((t) => t.totalCents === null) : tiles.reduce((n, t) => n + (t.totalCents ?? 0), 0),
      ).toBe(sum ?? true)
    }
    if (person !== 'field') {
      // Nothing is archived, so that bringing back fails for each, but differently for what is not there.
      const { results } = ok(
        await app.call<{ results: { guid: string; ok: boolean; message: string }[] }>(
          who(),
          'POST',
          `${nouns[noun].path}/Bulk`,
          { action: 'restore', guids: all.map((r) => r.guid) },
        ),
      )
      expect(results.every((r) => !r.ok)).toBe(true)
      expect(guidsOf(results.filter((r) => r.message !== 'We can’t find that record.'))).toEqual(guids)
    }
    const heard = await heardDuring(app, address, who(), noun, () =>
      sql`update ${sql.table(nouns[noun].table)} set version = version
        where ${sql.ref(nouns[noun].table === 'invoices' ? 'status' : 'guid')}::text <> 'x'`.execute(app.deps.db),
    )
    expect([...new Set(heard)].toSorted()).toEqual(guids)
  })
})

it('AZ-10: the board adds up what its reader can read, and nothing more', async () => {
  for (const person of Object.keys(conditions)) {
    const who = people[person] as Actor
    const board = ok(
      await app.call<{
        quotes: { byStatus: { count: number }[] }
        money: { outstandingCents: number }
        activity: { noun: string; guid: string }[]
      }>(who, 'GET', '/Dashboards/Ecommerce'),
    )
    expect(board.quotes.byStatus.reduce((n, s) => n + s.count, 0)).toBe((await readable(who, 'Quotes')).length)
    const invoices = await readable(who, 'Invoices')
    expect(board.money.outstandingCents).toBe(
      invoices.filter((i) => i.status === 'issued').reduce((n, i) => n + i.totalCents, 0),
    )
    for (const noun of Object.keys(nouns) as Noun[]) {
      const guids = guidsOf(await readable(who, noun))
      expect(board.activity.filter((a) => a.noun === noun).every((a) => guids.includes(a.guid))).toBe(true)
    }
  }
})

it('AZ-10: what stands beside a record tells nothing of records its reader cannot read', async () => {
  const [order] = await readable(actors.field, 'Orders')
  const { order: shown } = ok(
    await app.call<{ order: { related: { invoices: unknown[] } } }>(actors.field, 'GET', `/Orders/${order?.guid}`),
  )
  const full = ok(
    await app.call<{ order: { related: { invoices: unknown[] } } }>(
      actors.administrator,
      'GET',
      `/Orders/${order?.guid}`,
    ),
  )
  expect([shown.related.invoices.length, full.order.related.invoices.length]).toEqual([0, 1])
  const customer = (await readable(actors.field, 'Customers'))[0]
  const { items } = ok(
    await app.call<{ items: { what: string }[] }>(actors.field, 'GET', `/Customers/Timeline/${customer?.guid}`),
  )
  expect(items.map((i) => i.what).filter((what) => !/^(customer|order)\./.test(what))).toEqual([])
})
