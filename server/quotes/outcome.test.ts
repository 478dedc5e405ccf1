import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actor, type Actors, aGuest, aPerson, aPersonWho } from '../../test/support/actors.ts'
import { aLine, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { quarterOf, quotesOfOutcome, type OutcomeRow } from '../../contract/outcome.ts'

interface Report {
  items: OutcomeRow[]
  total: Omit<OutcomeRow, 'key' | 'label'>
  isComplete: boolean
}

let app: Running
let people: Actors
let customerGuid: string
let streamGuid: string
let office: Actor
let seller: Actor
let now = new Date('2026-08-10T02:00:00Z')
const period = { from: '2026-07-01', to: '2026-09-30' }
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness({ now: () => now }))
  office = people.office
  const made = await post<{ stream: { guid: string } }>('/RevenueStreams', { code: 'HIRE', name: 'Hire' })
  streamGuid = ok(made, 201).stream.guid
  const hired = aLine({ revenueStreamGuid: streamGuid })
  // $275.00 each; one with half of it in a stream of its own.
  await decline(await sent(), 'price')
  await decline(await sent({ lines: [hired, aLine({ quantity: '4' })] }), 'competitor', 'Gimbal Fencing')
  await accept(await sent({ lines: [hired] }))
  await accept(await sent())
  // Revised: what counts is what was sent last.
  const first = await sent()
  await decline(first, 'scope')
  const revision = ok(await post<Named>(`/Quotes/Revise/${first.guid}`, { version: first.version + 1 }), 201).quote
  await accept(ok(await post<Named>(`/Quotes/Send/${revision.guid}`, { version: revision.version })).quote)
  // Ran out on 21 August, so lost on the 22nd; a draft, an open one, a cancelled and an archived one are neither.
  await sent({ validUntil: '2026-08-21' })
  await sent({ validUntil: '2026-12-31' })
  const cancelled = await sent()
  ok(await post(`/Quotes/Cancel/${cancelled.guid}`, { version: cancelled.version, reason: 'Twice' }))
  const archived = await sent()
  await decline(archived, 'timing')
  ok(await app.call(office, 'DELETE', `/Quotes/${archived.guid}`))
  // Answered in the last hour of September in Sydney, and in the first of October.
  const [late, later] = [await sent({ validUntil: '2026-12-31' }), await sent({ validUntil: '2026-12-31' })]
  await moveTo('2026-09-30T13:30:00Z')
  await decline(late, 'not_needed')
  await moveTo('2026-09-30T14:30:00Z')
  await decline(later, 'other')
  seller = await aPersonWho(app, 'seller', [
    { subject: 'Quotes', action: 'manage', conditions: { scope: 'own' } },
    { subject: 'Customers', action: 'read' },
  ])
})
afterAll(() => app.stop())

/** Sessions end meanwhile, so that somebody else of the office goes on. */
async function moveTo(instant: string) {
  now = new Date(instant)
  office = await aPerson(app, `office${now.getTime()}`, people.roles.Office)
}

interface Named {
  quote: { guid: string; version: number }
}
const post = <D>(path: string, body: object, who: Caller = office) => app.call<D>(who, 'POST', path, body)
const sent = (facts: object = {}, who: Caller = office) => aSentQuote(app, who, customerGuid, { ...facts })
const decline = async ({ guid, version }: Named['quote'], reasonCode: string, competitor?: string) =>
  ok(
    await post<{ quote: { competitor: string | null } }>(`/Quotes/Decline/${guid}`, {
      version,
      reasonCode,
      competitor,
    }),
  )
const accept = async ({ guid, version }: Named['quote']) =>
  ok(await post(`/Quotes/Accept/${guid}`, { version, name: 'Anna', method: 'phone' }))
const report = async (by: string, days = period, who: Caller = office) =>
  ok(await app.call<Report>(who, 'GET', `/Quotes/Reports/Outcome?from=${days.from}&to=${days.to}&by=${by}`))
const listed = async (filters: object, who: Caller = office) => {
  const query = new URLSearchParams({ size: '100', ...filters }).toString()
  const answer = await app.call<{ items: { guid: string; totalCents: number }[] }>(who, 'GET', `/Quotes?${query}`)
  return ok(answer).items
}

test('Of each quote the newest sent revision counts, on the day it was answered where the business is', async () => {
  const { items, total } = await report('reason')
  // Three of $275.00 were accepted; $275.00, $825.00, $275.00 and $275.00 lost. 3 of 7 is 42.857 %.
  expect(total).toEqual({ won: 3, lost: 4, wonCents: 82_500, lostCents: 165_000, rateBp: 4286 })
  const lost = (key: string, lostCents: number) => ({
    key,
    label: null,
    won: 0,
    lost: 1,
    wonCents: 0,
    lostCents,
    rateBp: null,
  })
  expect(items.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
    lost('competitor', 82_500),
    lost('expired', 27_500),
    lost('not_needed', 27_500),
    lost('price', 27_500),
  ])
  expect((await report('reason', { from: '2026-10-01', to: '2026-10-01' })).items.map(({ key }) => key)).toEqual([
    'other',
  ])
  expect((await report('reason', { from: '2026-08-22', to: '2026-08-22' })).items.map(({ key }) => key)).toEqual([
    'expired',
  ])
  expect((await report('reason', { from: '2026-08-21', to: '2026-08-21' })).total.lost).toBe(0)
})

test('It is told by month, owner, customer and job type, each quote once', async () => {
  const months = (await report('month')).items
  expect(months.map(({ key, won, lost, rateBp }) => [key, won, lost, rateBp])).toEqual([
    ['2026-08', 3, 3, 5000],
    ['2026-09', 0, 1, 0],
  ])
  for (const by of ['owner', 'customer', 'jobType']) {
    const { items, total } = await report(by)
    expect(items).toEqual([{ ...total, key: items[0]?.key, label: items[0]?.label }])
  }
  expect((await report('customer')).items[0]).toMatchObject({ key: customerGuid, label: 'Hartmann Builders' })
  expect((await report('jobType')).items[0]).toMatchObject({ key: 'none', label: null })
})

test('A quote with lines of two streams counts in both, with what its lines there come to', async () => {
  const { items, total } = await report('stream')
  expect(items).toEqual([
    { key: 'none', label: null, won: 2, lost: 4, wonCents: 55_000, lostCents: 137_500, rateBp: 3333 },
    { key: streamGuid, label: 'Hire', won: 1, lost: 1, wonCents: 27_500, lostCents: 27_500, rateBp: 5000 },
  ])
  expect(total).toMatchObject({ won: 3, lost: 4, wonCents: 82_500, lostCents: 165_000 })
})

test('Each row opens the list with just its quotes', async () => {
  for (const by of ['reason', 'owner', 'customer', 'stream', 'jobType', 'month'] as const) {
    const { items } = await report(by)
    for (const { key, won, lost, wonCents, lostCents } of items) {
      const filters = quotesOfOutcome(by, period, key)
      const [ofWon, ofLost] = [
        await listed({ ...filters, outcome: 'won' }),
        await listed({ ...filters, outcome: 'lost' }),
      ]
      expect([by, key, ofWon.length, ofLost.length]).toEqual([by, key, won, lost])
      expect((await listed(filters)).length).toBe(won + lost)
      if (by === 'stream') continue
      const sum = (rows: { totalCents: number }[]) => rows.reduce((all, { totalCents }) => all + totalCents, 0)
      expect([sum(ofWon), sum(ofLost)]).toEqual([wonCents, lostCents])
    }
  }
})

test('Who sees some quotes is told of those; who may not see the report is refused', async () => {
  const mine = await aSentQuote(app, seller, customerGuid, {}).catch(() => null)
  if (!mine) throw new Error('the seller made no quote')
  ok(await post(`/Quotes/Decline/${mine.guid}`, { version: mine.version, reasonCode: 'price' }, seller))
  const days = { from: '2026-10-01', to: '2026-10-01' }
  expect((await report('owner', days, seller)).items).toMatchObject([{ key: seller.userGuid, lost: 1 }])
  expect((await report('owner', days)).total.lost).toBe(2)
  const path = '/Quotes/Reports/Outcome?from=2026-10-01&to=2026-10-01&by=owner'
  const nobody = await aPersonWho(app, 'nobody', [])
  for (const who of [nobody, await aGuest(app)]) expect((await app.call(who, 'GET', path)).status).toBe(403)
})

test('The period and what it is told by are checked', async () => {
  const wrong = await app.call(office, 'GET', '/Quotes/Reports/Outcome?from=2026-10-02&to=2026-10-01&by=owner')
  expect(wrong.errors).toEqual([{ path: 'to', message: 'The last day can’t be before the first.' }])
  expect((await app.call(office, 'GET', '/Quotes/Reports/Outcome?from=2026-10-02&by=colour')).status).toBe(400)
})

test('A competitor is named where that is the reason, and nowhere else', async () => {
  const { guid, version } = await aSentQuote(app, office, customerGuid, {})
  const named = { version, reasonCode: 'price', competitor: 'Gimbal Fencing' }
  const refused = await post(`/Quotes/Decline/${guid}`, named)
  expect(refused.errors).toEqual([
    { path: 'competitor', message: 'Choose “Chose someone else” as the reason to name who it was.' },
  ])
  const { quote } = await decline({ guid, version }, 'competitor', 'Gimbal Fencing')
  expect(quote.competitor).toBe('Gimbal Fencing')
})

test('Quarters begin in January, April, July and October', () => {
  expect(quarterOf('2026-11-23')).toEqual({ from: '2026-10-01', to: '2026-12-31' })
  expect(quarterOf('2026-02-28', 1)).toEqual({ from: '2025-10-01', to: '2025-12-31' })
})
