import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import type { Output } from '../../contract/core/op.ts'
import type { dashboardsApi } from '../../contract/dashboards.ts'
import { accounts } from '../../contract/ledger.ts'
import { type Actor, type Actors, aPerson, aRole, logIn, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, ok } from '../../test/support/factories.ts'
import { keyed, type Running, startApp } from '../../test/support/start.ts'
import { figureBatch } from '../core/figures.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { makeDice } from '../sample/random.ts'
import { quarterStart } from './dashboards.service.ts'

const seed = Number(process.env['FIGURES_SEED'] ?? 7)
const dice = makeDice(seed)
let app: Running
let actors: Actors
let clock = new Date('2026-05-20T02:00:00Z')
let customerGuid: string
const people: Record<string, Actor> = {}
let owner: pg.Client

/** Rows by conditions that all rows meet: the same sums must come by the list's own query as from the figures. */
const everything = { amountBelowCents: 1_000_000_000_000 }
const nouns = ['Quotes', 'Orders', 'Invoices'] as const
type Noun = (typeof nouns)[number]

beforeAll(async () => {
  app = await startApp({ now: () => clock })
  owner = new pg.Client(app.database.owner)
  await owner.connect()
  actors = await seedActors(app)
  await aBusiness(app)
  customerGuid = (await aCustomer(app, actors.office)).guid
  const rules = (conditions: Record<string, unknown>) =>
    ['Dashboards', ...nouns, 'Payments', 'Messages', 'Customers'].map((subject) => ({
      subject,
      action: 'manage' as const,
      ...(nouns.some((noun) => noun === subject) || subject === 'Payments' ? { conditions } : {}),
    }))
  for (const [name, conditions] of Object.entries({
    counting: everything,
    own: { scope: 'own' },
    small: { amountBelowCents: 20_000 },
  }))
    people[name] = await aPerson(app, name, await aRole(app, name, rules(conditions)))
})
afterAll(async () => {
  await owner.end()
  await app.stop()
})

/** Moves the clock; sessions of the old time are over. */
const at = async (instant: string) => {
  clock = new Date(instant)
  for (const who of [actors.administrator, actors.office, ...Object.values(people)])
    who.headers = await logIn(app, who.authId)
}
/** A deed that may be refused, but never by a fault of ours. */
const attempt = async <D>(who: Actor, method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => {
  const answer = await app.call<D>(who, method, path, body, keyed())
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.body}`)
  return answer.status < 300 ? answer.data : null
}

const today = () => clock.toISOString().slice(0, 10)
const lines = () => [aLine({ quantity: String(dice.between(1, 3)), unitPriceCents: dice.between(100, 20_000) })]
const maker = () => (dice.chance(50) ? (people['own'] as Actor) : actors.administrator)
const steps = (count: number, most: number) => Array.from({ length: dice.between(count, most) })

async function aQuoteLife() {
  const who = maker()
  let { quote } = (await attempt<{ quote: { guid: string; version: number } }>(who, 'POST', '/Quotes', {
    customerGuid,
    title: 'Fence',
    lines: lines(),
    ...(dice.chance(80) ? { validUntil: addDays(today(), dice.between(0, 40)) } : {}),
  })) ?? { quote: null }
  for (const _ of steps(0, 4)) {
    if (!quote) return
    const { guid, version } = quote
    const deeds: readonly (readonly ['POST' | 'DELETE', string, object])[] = [
      ['POST', 'Send', {}],
      ['POST', 'Send', {}],
      ['POST', 'Accept', { name: 'Anna', method: 'phone' }],
      ['POST', 'Decline', { reasonCode: 'price' }],
      ['POST', 'Revise', {}],
      ['POST', 'Cancel', { reason: 'No' }],
      ['DELETE', '', {}],
    ]
    const [method, deed, body] = dice.pick(deeds)
    const done = await attempt<{ quote?: { guid: string; version: number } }>(
      actors.administrator,
      method,
      `/Quotes/${deed ? `${deed}/` : ''}${guid}`,
      { version, ...body },
    )
    quote = done?.quote ?? quote
  }
}

async function anOrderLife() {
  let { order } = (await attempt<{ order: { guid: string; version: number } }>(maker(), 'POST', '/Orders', {
    customerGuid,
    title: 'Fence',
    lines: lines(),
  })) ?? { order: null }
  for (const _ of steps(0, 5)) {
    if (!order) return
    const { guid, version } = order
    const deeds: readonly (readonly ['POST' | 'PATCH' | 'DELETE', string, object])[] = [
      ['PATCH', '', { scheduledOn: dice.chance(80) ? addDays(today(), dice.between(-9, 9)) : null }],
      [
        'POST',
        'Status/',
        { deed: dice.pick(['start', 'hold', 'complete', 'complete', 'reopen', 'close', 'cancel']), reason: 'Rain' },
      ],
      ['POST', 'Invoice/', { kind: 'progress', shareBp: 3000 }],
      ['POST', 'Invoice/', { kind: 'final' }],
      ['DELETE', '', {}],
    ]
    const [method, deed, body] = dice.pick(deeds)
    const done = await attempt<{ order?: typeof order; invoice?: { guid: string } }>(
      actors.administrator,
      method,
      `/Orders/${deed}${guid}`,
      { version, ...body },
    )
    if (done?.invoice && dice.chance(60))
      await attempt(actors.administrator, 'POST', `/Invoices/Issue/${done.invoice.guid}`, { version: 1 })
    order = ok(await app.call<{ order: typeof order }>(actors.administrator, 'GET', `/Orders/${guid}`)).order
  }
}

interface InvoiceFacts {
  guid: string
  version: number
  balanceCents: number
}
async function anInvoiceLife() {
  const { invoice } = (await attempt<{ invoice: InvoiceFacts }>(maker(), 'POST', '/Invoices', {
    customerGuid,
    title: 'Fence',
    termsDays: dice.between(0, 30),
    lines: lines(),
  })) ?? { invoice: null }
  if (!invoice || dice.chance(15)) return
  if (dice.chance(15))
    return void (await attempt(actors.administrator, 'DELETE', `/Invoices/${invoice.guid}`, {
      version: invoice.version,
    }))
  const issued = (
    await attempt<{ invoice: InvoiceFacts }>(actors.administrator, 'POST', `/Invoices/Issue/${invoice.guid}`, {
      version: invoice.version,
    })
  )?.invoice
  if (!issued) return
  if (dice.chance(20))
    return void (await attempt(actors.administrator, 'POST', `/Invoices/Void/${issued.guid}`, {
      version: issued.version,
      reason: 'Twice',
    }))
  if (dice.chance(30))
    await app.deps.db.updateTable('invoices').set({ firstViewedAt: clock }).where('guid', '=', issued.guid).execute()
  if (dice.chance(30)) return
  const cents = dice.chance(50) ? issued.balanceCents : dice.between(1, issued.balanceCents)
  const paid = await attempt<{ payment: { guid: string } }>(actors.administrator, 'POST', '/Payments', {
    method: 'bank_transfer',
    receivedOn: addDays(today(), -dice.between(0, 20)),
    amountCents: cents,
    allocations: [{ invoiceGuid: issued.guid, cents }],
  })
  if (paid && dice.chance(40))
    await attempt(actors.administrator, 'POST', '/Payments/Refunds', {
      paymentGuid: paid.payment.guid,
      invoiceGuid: issued.guid,
      amountCents: dice.between(1, cents),
      reasonCode: dice.pick(['price_adjustment', 'duplicate']),
    })
}

interface Tile {
  status: string
  count: number
  totalCents: number
}
interface Row {
  totalCents: number
  balanceCents?: number
}
const tilesOf = async (who: Actor, noun: Noun) =>
  ok(await app.call<{ items: Tile[] }>(who, 'GET', `/${noun}/Metrics/StatusMetrics`)).items

/** Of what waits for money the part that is owed. */
const owing = ['sent', 'viewed', 'partially_paid', 'overdue']
async function listSum(who: Actor, noun: Noun, status: string): Promise<Tile> {
  const found: Row[] = []
  for (let after = ''; ;) {
    const { items, page } = ok(
      await app.call<{ items: Row[]; page: { next: string | null } }>(
        who,
        'GET',
        `/${noun}?status=${status}&size=100${after}`,
      ),
    )
    found.push(...items)
    if (page.next === null) break
    after = `&after=${page.next}`
  }
  return {
    status,
    count: found.length,
    totalCents: found.reduce(
      (sum, row) => sum + (noun === 'Invoices' && owing.includes(status) ? (row.balanceCents ?? 0) : row.totalCents),
      0,
    ),
  }
}

/** What was credited to the account of GST collected since a day. */
const gstCollected = async (from: string) =>
  (
    await sql<{ cents: number }>`select coalesce(sum(l.credit_cents - l.debit_cents), 0)::bigint as cents
      from journal_lines l join journal_entries e on e.guid = l.entry_guid
      where l.account = ${accounts.gstCollected} and e.posted_on >= ${from}::date`.execute(app.deps.db)
  ).rows[0]?.cents

async function boardOf(who: Actor) {
  const {
    activity: _,
    at: __,
    // Who may not see all invoices is told of the GST in those he sees; the others what the ledger says.
    gstByEntity: ___,
    money: { gstToSetAsideCents, ...money },
    ...board
  } = ok(await app.call<Output<(typeof dashboardsApi)['ecommerce']>>(who, 'GET', '/Dashboards/Ecommerce'))
  if (who === actors.administrator) expect(gstToSetAsideCents).toBe(await gstCollected(quarterStart(board.today)))
  return {
    ...board,
    money,
    quotes: { ...board.quotes, byStatus: board.quotes.byStatus.toSorted((a, b) => (a.status < b.status ? -1 : 1)) },
  }
}

async function expectAllToAgree() {
  for (const noun of nouns) {
    for (const who of [actors.administrator, people['own'], people['small']] as Actor[]) {
      const tiles = await tilesOf(who, noun)
      expect([who.authId, noun, await Promise.all(tiles.map(({ status }) => listSum(who, noun, status)))]).toEqual([
        who.authId,
        noun,
        tiles,
      ])
    }
    expect(await tilesOf(people['counting'] as Actor, noun)).toEqual(await tilesOf(actors.administrator, noun))
  }
  expect(await boardOf(people['counting'] as Actor)).toEqual(await boardOf(actors.administrator))
}
const fold = () => runJobBatch(app.deps, figureBatch)
const entries = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from figure_entries`.execute(app.deps.db)).rows[0]?.n ?? 0
const live = async (count: number) => {
  for (let i = 0; i < count; i++) await dice.pick([aQuoteLife, anOrderLife, anInvoiceLife])()
}

test(`tiles, board and lists say the same of what happened, before and after it is folded (seed ${seed})`, async () => {
  await live(30)
  expect(await entries()).toBeGreaterThan(30)
  await expectAllToAgree()
  await fold()
  expect(await entries()).toBe(0)
  await expectAllToAgree()
  // What nobody changed becomes overdue and expires by the day alone.
  await at('2026-06-14T20:30:00Z')
  await expectAllToAgree()
  await live(15)
  await expectAllToAgree()
  // A business that moves: what was decided and given back late in the evening falls on another day.
  await app.deps.db.updateTable('businesses').set({ timeZone: 'America/New_York' }).execute()
  await expectAllToAgree()
  await app.deps.db.updateTable('businesses').set({ timeZone: 'Australia/Sydney' }).execute()
  await fold()
  await expectAllToAgree()
  expect((await verifyLedger(app.deps.db)).problems).toEqual([])
}, 180_000)

test('whoever reads while it is folded sees every entry once', async () => {
  const total = async () =>
    (await sql<{ n: number }>`select sum(count)::int as n from figures where measure = 'orders'`.execute(app.deps.db))
      .rows[0]?.n
  const [business] = (await sql<{ guid: string }>`select guid from businesses`.execute(app.deps.db)).rows
  await owner.query(
    `insert into figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
      select $1, 'orders', 'test', 'infinity', 1, 0, 1 from generate_series(1, 12000)`,
    [business?.guid],
  )
  const before = await total()
  const [{ processed }, ...seen] = await Promise.all([fold(), ...Array.from({ length: 20 }, total)])
  expect([processed, new Set(seen), await total()]).toEqual([12_000, new Set([before]), before])
  await owner.query(`delete from figure_days where stream = 'test'`)
  // A sum that was changed by hand is named, and only triggers write sums.
  await owner.query(
    `update figure_days set cents = cents + 100
      where measure = 'received' and day = (select min(day) from figure_days where measure = 'received')`,
  )
  const { problems } = await verifyLedger(app.deps.db)
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
    expect.stringMatching(
      /^FIGURES The sum of received of \d{4}-\d\d-\d\d says \d+\.\d\d in \d+, its records come to \d+\.\d\d in \d+$/,
    ),
  ])
  await owner.query('select rebuild_figures()')
  expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  for (const statement of [
    'delete from figure_entries',
    `update figure_days set cents = 0`,
    'delete from held_money',
    `insert into figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
      select guid, 'received', '', 'infinity', 1, 0, 1 from businesses`,
  ])
    await expect(sql.raw(statement).execute(app.deps.db)).rejects.toMatchObject({ code: '42501' })
})
