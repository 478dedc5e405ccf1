import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JobPreview, PlannedReport } from '../../contract/jobs.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { RiseItem, Series } from '../../contract/series.ts'
import { type Actors, aPerson, aRole, logIn } from '../../test/support/actors.ts'
import { aCustomer, aLine, ok, startBusiness } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running } from '../../test/support/start.ts'
import { noticeQueue } from '../core/notices.ts'
import { seriesJob } from './cycles.service.ts'

/** Midday in Sydney. */
const noonOf = (day: string) => new Date(`${day}T02:00:00Z`)
let clock = noonOf('2026-02-20')
let app: Running
let actors: Actors
let office: Caller
let customerGuid: string

beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness({ now: () => clock }))
})
afterAll(() => app.stop())
beforeEach(() => on('2026-02-20'))

/** Goes to a day; sessions do not last that long. */
async function on(day: string) {
  clock = noonOf(day)
  office = { headers: await logIn(app, actors.office.authId) }
}

type One = { series: Series }
const post = <D = One>(path: string, body: unknown = {}, who: Caller = office) =>
  app.call<D>(who, 'POST', path, body, keyed())
const read = async (guid: string) => ok(await app.call<One>(office, 'GET', `/Quotes/Series/${guid}`)).series
const quote = async (guid: string) => ok(await app.call<{ quote: Quote }>(office, 'GET', `/Quotes/${guid}`)).quote
const line = (facts: Record<string, unknown> = {}) => aLine({ quantity: '1', unitPriceCents: 12_345, ...facts })
const aDraft = async (facts: Record<string, unknown> = {}) =>
  ok(
    await post('/Quotes/Series', {
      customerGuid,
      title: 'Garden care',
      anchorOn: '2026-02-28',
      lines: [line()],
      ...facts,
    }),
    201,
  ).series
const deed = (series: Series, name: string, more = {}) =>
  post(`/Quotes/Series/Status/${series.guid}`, { version: series.version, deed: name, ...more })
const aSeries = async (facts: Record<string, unknown> = {}) => ok(await deed(await aDraft(facts), 'start')).series
const cron = async (day?: string) => {
  if (day) clock = noonOf(day)
  return ok(
    await app.call<PlannedReport>(null, 'GET', '/Cron/Process/Recurring/Quotes', undefined, {
      authorization: `Cron ${app.deps.keys.cron}`,
    }),
  )
}
/** Days with the price of one of the first line, or why there is no quote; the oldest first. */
async function cyclesOf(guid: string) {
  await on(clock.toISOString().slice(0, 10))
  const { cycles } = await read(guid)
  const told = cycles.map(async ({ on: day, quote: made, reason }) => [
    day,
    made ? (await quote(made.guid)).lines[0]?.unitPriceCents : reason,
  ])
  return (await Promise.all(told)).toReversed()
}
/** Ends all series of tests before, so that a run finds those of one test alone. */
const endOthers = () =>
  app.deps.db
    .updateTable('quoteSeries')
    .set({ status: 'cancelled', pausedOn: null, nextOn: null, dueOn: null })
    .execute()
beforeEach(endOthers)

describe('a series of quotes', () => {
  it('is made, changed field by field, and tells its next five days', async () => {
    const draft = await aDraft({ anchorOn: '2026-11-30', every: { n: 3, unit: 'month' }, leadDays: 7 })
    expect(draft).toMatchObject({
      status: 'draft',
      next: ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30'],
      dueOn: '2026-11-23',
      totals: { totalCents: 13_580 },
      ends: { type: 'never' },
      mode: 'draft',
      catchUp: 1,
      cycles: [],
    })
    const patch = (body: object) => app.call<One>(office, 'PATCH', `/Quotes/Series/${draft.guid}`, body)
    const changed = ok(await patch({ version: 1, title: 'Lawns', ends: { type: 'count', n: 2 } })).series
    expect(changed).toMatchObject({ title: 'Lawns', next: ['2026-11-30', '2027-02-28'], lines: draft.lines })
    expect((await patch({ version: 1, title: 'Hedges' })).error).toBe('STALE_VERSION')
    const dearer = ok(await patch({ version: 2, lines: [{ ...line({ unitPriceCents: 20_000 }) }] })).series
    expect(dearer.totals.totalCents).toBe(22_000)
    const listed = ok(
      await app.call<{ items: { guid: string }[] }>(office, 'GET', '/Quotes/Series?search=lawns&status=draft,active'),
    )
    expect(listed.items).toMatchObject([
      { guid: draft.guid, nextOn: '2026-11-30', dueOn: '2026-11-23', totalCents: 22_000 },
    ])
    const due = (until: string) =>
      app.call<{ items: unknown[] }>(office, 'GET', `/Quotes/Series?search=lawns&dueOn.lte=${until}`)
    expect(ok(await due('2026-11-22')).items).toEqual([])
    expect(ok(await due('2026-11-23')).items).toHaveLength(1)
  })

  it('refuses what makes no sense, at its field', async () => {
    const refused = async (facts: object) =>
      (await post('/Quotes/Series', { customerGuid, title: 'X', anchorOn: '2026-03-01', lines: [line()], ...facts }))
        .errors[0]?.path
    expect(await refused({ anchorOn: '2020-01-01' })).toBe('anchorOn')
    expect(await refused({ anchorOn: '2046-01-01' })).toBe('anchorOn')
    expect(await refused({ ends: { type: 'until', on: '2026-02-28' } })).toBe('ends.on')
    expect(await refused({ ends: { type: 'count', n: 0 } })).toBe('ends.n')
    expect(await refused({ every: { n: 0, unit: 'month' } })).toBe('every.n')
    expect(await refused({ catchUp: 13 })).toBe('catchUp')
    expect(await refused({ leadDays: -1 })).toBe('leadDays')
    expect(await refused({ validUntil: '2026-03-01' })).toBe('validUntil')
    expect(await refused({ customerGuid: crypto.randomUUID() })).toBe('customerGuid')
    const empty = await aDraft({ lines: [] })
    expect((await deed(empty, 'start')).errors[0]?.path).toBe('lines')
    expect((await deed(empty, 'pause')).error).toBe('INVALID_TRANSITION')
  })

  it('is made seven days ahead, as a quote of its customer, and never twice', async () => {
    const { guid } = await aSeries({ leadDays: 7, internalNotes: 'Ring first' })
    expect(await cron('2026-02-20')).toMatchObject({ processed: 0, considered: 0, isPaused: false })
    expect(await cron('2026-02-21')).toMatchObject({ processed: 1, succeeded: 1, considered: 1, skipped: 0 })
    expect(await cron('2026-02-21')).toMatchObject({ processed: 0, considered: 0 })
    expect(await cyclesOf(guid)).toEqual([['2026-02-28', 12_345]])
    const series = await read(guid)
    expect(series).toMatchObject({
      next: expect.arrayContaining(['2026-03-28']),
      dueOn: '2026-03-21',
      status: 'active',
    })
    const [made] = series.cycles
    expect(await quote(made?.quote?.guid ?? '')).toMatchObject({
      status: 'draft',
      title: 'Garden care',
      customerGuid,
      internalNotes: 'Ring first',
      totals: { totalCents: 13_580 },
      related: { series: { guid, label: 'Garden care' } },
    })
  })

  it('goes by the day of its business', async () => {
    const { guid } = await aSeries()
    // In Sydney the 28th begins at 13:00 the day before.
    clock = new Date('2026-02-27T12:59:00Z')
    expect(await cron()).toMatchObject({ considered: 0 })
    clock = new Date('2026-02-27T13:01:00Z')
    expect(await cron()).toMatchObject({ succeeded: 1 })
    expect(await cyclesOf(guid)).toHaveLength(1)
  })

  it('ends after so many, of which those that were only logged are some, and after a day', async () => {
    const some = await aSeries({ ends: { type: 'count', n: 3 } })
    const until = await aSeries({ ends: { type: 'until', on: '2026-03-28' } })
    await cron('2026-02-28')
    await cron('2026-04-30')
    expect(await cyclesOf(some.guid)).toEqual([
      ['2026-02-28', 12_345],
      ['2026-03-28', 'catch_up'],
      ['2026-04-28', 12_345],
    ])
    expect(await cyclesOf(until.guid)).toEqual([
      ['2026-02-28', 12_345],
      ['2026-03-28', 12_345],
    ])
    expect(await read(some.guid)).toMatchObject({ status: 'completed', next: [], dueOn: null })
    expect((await read(until.guid)).status).toBe('completed')
    expect((await deed(await read(some.guid), 'cancel')).error).toBe('INVALID_TRANSITION')
  })

  it('catches up with the newest of those that were missed', async () => {
    const { guid } = await aSeries({ every: { n: 1, unit: 'week' }, catchUp: 2 })
    expect(await cron('2026-03-30')).toMatchObject({ succeeded: 1 })
    expect(await cyclesOf(guid)).toEqual([
      ['2026-02-28', 'catch_up'],
      ['2026-03-07', 'catch_up'],
      ['2026-03-14', 'catch_up'],
      ['2026-03-21', 12_345],
      ['2026-03-28', 12_345],
    ])
  })

  it('makes nothing of what falls into a pause, and what is due on the day it goes on', async () => {
    const { guid } = await aSeries({ every: { n: 1, unit: 'week' }, catchUp: 12 })
    await on('2026-03-01')
    // The first was missed before the pause, and is made after it.
    ok(await deed(await read(guid), 'pause'))
    expect(await cron('2026-03-20')).toMatchObject({ considered: 1, skipped: 1, processed: 0 })
    await on('2026-03-21')
    expect((await read(guid)).next[0]).toBe('2026-03-21')
    ok(await deed(await read(guid), 'resume'))
    expect(await cron()).toMatchObject({ succeeded: 1 })
    expect(await cyclesOf(guid)).toEqual([
      ['2026-02-28', 12_345],
      ['2026-03-07', 'paused'],
      ['2026-03-14', 'paused'],
      ['2026-03-21', 12_345],
    ])
  })

  it('is run by hand ahead of its time, once', async () => {
    const series = await aSeries()
    const answer = ok(
      await post<One & { quotes: { guid: string }[] }>(`/Quotes/Series/Run/${series.guid}`, {
        version: series.version,
      }),
    )
    expect(answer.quotes).toHaveLength(1)
    expect(answer.series.next[0]).toBe('2026-03-28')
    expect((await post(`/Quotes/Series/Run/${series.guid}`, { version: series.version })).error).toBe('STALE_VERSION')
    const draft = await aDraft()
    expect((await post(`/Quotes/Series/Run/${draft.guid}`, { version: 1 })).error).toBe('INVALID_TRANSITION')
    expect(await cron('2026-02-28')).toMatchObject({ considered: 0 })
  })

  it('takes other days once it has begun, counted from then on', async () => {
    const series = await aSeries()
    await cron('2026-02-28')
    const patch = async (body: object) => {
      const { version } = await read(series.guid)
      return app.call<One>(office, 'PATCH', `/Quotes/Series/${series.guid}`, { version, ...body })
    }
    await on('2026-02-28')
    expect((await patch({ anchorOn: '2026-02-28', every: { n: 1, unit: 'week' } })).errors[0]?.path).toBe('anchorOn')
    expect(ok(await patch({ every: { n: 2, unit: 'week' } })).series.next.slice(0, 2)).toEqual([
      '2026-03-28',
      '2026-04-11',
    ])
    expect(ok(await patch({ anchorOn: '2026-03-31', every: { n: 1, unit: 'month' } })).series.next.slice(0, 2)).toEqual(
      ['2026-03-31', '2026-04-30'],
    )
    expect((await patch({ ends: { type: 'count', n: 1 } })).errors[0]?.path).toBe('ends')
    await cron('2026-03-31')
    expect(await cyclesOf(series.guid)).toEqual([
      ['2026-02-28', 12_345],
      ['2026-03-31', 12_345],
    ])
  })

  it('sends its quote as staff do; without an address it stays a draft, and somebody is told', async () => {
    const silent = await aCustomer(app, office, { displayName: 'No Mail', email: null })
    const sent = await aSeries({ mode: 'send' })
    const kept = await aSeries({ mode: 'send', customerGuid: silent.guid })
    await app.deps.boss.deleteAllJobs(noticeQueue)
    expect(await cron('2026-02-28')).toMatchObject({ succeeded: 2, failed: 0 })
    await on('2026-02-28')
    expect((await read(sent.guid)).cycles[0]?.quote).toMatchObject({ displayStatus: 'sent' })
    expect((await read(sent.guid)).cycles[0]?.quote?.label).toMatch(/^Q-/)
    expect((await read(kept.guid)).cycles[0]?.quote).toMatchObject({ displayStatus: 'draft' })
    const told = await app.deps.boss.fetch<{ kind: string; values: { reason: string } }>(noticeQueue, { batchSize: 50 })
    expect(told.map(({ data }) => [data.kind, data.values.reason])).toEqual([
      ['series.quote_unsent', 'This customer has no email address. Enter one, or add it to the customer.'],
    ])
    const messages = await app.deps.db
      .selectFrom('messages')
      .select('recipients')
      .where('status', '=', 'queued')
      .execute()
    expect(messages).toMatchObject([{ recipients: ['anna@hartmann.example'] }])
  })

  it('stops where a rule refuses its quote, tells why, and the others go on', async () => {
    const gone = await aCustomer(app, office, { displayName: 'Gone' })
    const failing = await aSeries({ customerGuid: gone.guid })
    const other = await aSeries()
    ok(await app.call(office, 'DELETE', `/Customers/${gone.guid}`))
    expect(await cron('2026-02-28')).toMatchObject({ processed: 2, succeeded: 1, failed: 1 })
    await on('2026-02-28')
    expect(await read(failing.guid)).toMatchObject({
      status: 'failed',
      reason: 'This customer is archived. Restore it first.',
      cycles: [],
    })
    expect((await read(other.guid)).cycles).toHaveLength(1)
    expect(await cron()).toMatchObject({ considered: 0 })
    expect((await deed(await read(failing.guid), 'resume')).errors[0]?.path).toBe('customerGuid')
    ok(await post(`/Customers/Restore/${gone.guid}`))
    ok(await deed(await read(failing.guid), 'resume'))
    expect(await cron()).toMatchObject({ succeeded: 1 })
    expect((await read(failing.guid)).cycles).toHaveLength(1)
  })

  it('prices its first quote by the catalogue of that day, and keeps that price', async () => {
    const { product } = ok(
      await post<{ product: { guid: string; version: number } }>('/Products', { name: 'Visit', priceCents: 10_000 }),
      201,
    )
    const priced = (priceCents: number, version: number) =>
      app.call(office, 'PATCH', `/Products/${product.guid}`, { version, priceCents })
    const series = await aSeries({ lines: [{ productGuid: product.guid, name: 'Visit' }] })
    ok(await priced(11_000, 1))
    await cron('2026-02-28')
    await on('2026-02-28')
    ok(await priced(15_000, 2))
    await cron('2026-03-28')
    expect(await cyclesOf(series.guid)).toEqual([
      ['2026-02-28', 11_000],
      ['2026-03-28', 11_000],
    ])
  })

  it('moves its days of hire along, and those of its payments', async () => {
    const hire = { kind: 'hire', hireFrom: '2026-03-02', hireTo: '2026-03-08' }
    const schedule = [
      { label: 'Start', amount: { type: 'percent', bp: 5000 }, due: { type: 'start' } },
      { label: 'Later', amount: { type: 'rest' }, due: { type: 'day', on: '2026-03-08' } },
    ]
    const series = await aSeries({ lines: [line(hire)], schedule })
    await cron('2026-02-28')
    await cron('2026-03-28')
    await on('2026-03-28')
    const { cycles, lines } = await read(series.guid)
    const days = await Promise.all(cycles.map(async (cycle) => (await quote(cycle.quote?.guid ?? '')).lines[0]))
    expect(days.map((one) => [one?.hireFrom, one?.hireTo])).toEqual([
      ['2026-03-30', '2026-04-05'],
      ['2026-03-02', '2026-03-08'],
    ])
    expect(lines[0]).toMatchObject({ hireFrom: '2026-03-02', hireTo: '2026-03-08' })
    const made = await quote(cycles[0]?.quote?.guid ?? '')
    expect(made.schedule?.map(({ due }) => due)).toEqual([{ type: 'start' }, { type: 'day', on: '2026-04-05' }])
    const wrong = [schedule[1], schedule[0]]
    const refused = await post('/Quotes/Series', { customerGuid, title: 'X', anchorOn: '2026-03-28', schedule: wrong })
    expect(refused.errors[0]?.path).toBe('schedule.0.amount')
  })
})

describe('the job', () => {
  it('makes one quote of a cycle, however many processes are at it', async () => {
    const { guid } = await aSeries({ every: { n: 1, unit: 'week' }, catchUp: 12 })
    clock = noonOf('2026-03-21')
    const reports = await Promise.all(Array.from({ length: 10 }, () => seriesJob.run(app.deps)))
    expect(reports.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(1)
    expect(await cyclesOf(guid)).toHaveLength(4)
  })

  it('does the same where no lock keeps the processes apart, and by hand at the same time', async () => {
    const series = await aSeries()
    clock = noonOf('2026-02-28')
    await on('2026-02-28')
    const { act } = seriesJob
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => act(app.deps, series.guid)),
      post(`/Quotes/Series/Run/${series.guid}`, { version: series.version }),
    ])
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
    const { cycles } = await read(series.guid)
    expect(cycles.map(({ on: day }) => day)).toEqual(['2026-02-28'])
    const quotes = await app.deps.db.selectFrom('quotes').select('guid').where('title', '=', 'Garden care').execute()
    const used = await app.deps.db.selectFrom('seriesCycles').select('quoteGuid').execute()
    expect(quotes.filter(({ guid }) => !used.some((cycle) => cycle.quoteGuid === guid))).toEqual([])
  })

  it('leaves neither quote nor cycle behind where it breaks between them, and makes both the next time', async () => {
    const { guid } = await aSeries({ title: 'Broken off' })
    const count = () => app.deps.db.selectFrom('quotes').select('guid').where('title', '=', 'Broken off').execute()
    const owner = new pg.Client(app.database.owner)
    await owner.connect()
    await owner.query(`create function break_off() returns trigger language plpgsql as
      $$ begin raise exception 'the process ended here'; end $$;
      create trigger broken before insert on series_cycles for each row execute function break_off()`)
    expect(await cron('2026-02-28')).toMatchObject({ succeeded: 0, failed: 1 })
    await owner.query('drop trigger broken on series_cycles; drop function break_off()')
    await owner.end()
    expect(await count()).toEqual([])
    expect(await cron()).toMatchObject({ succeeded: 1, failed: 0 })
    expect(await count()).toHaveLength(1)
    expect(await cyclesOf(guid)).toHaveLength(1)
  })

  it('is previewed without doing anything, and the run does what was previewed', async () => {
    const { guid } = await aSeries()
    const resting = await aSeries({ title: 'Resting' })
    ok(await deed(resting, 'pause'))
    await on('2026-02-28')
    const admin = { headers: await logIn(app, actors.administrator.authId) }
    const preview = () => app.call<JobPreview>(admin, 'GET', '/Cron/Process/Recurring/Quotes/Preview')
    const { items, skipped, considered } = ok(await preview())
    expect(items.toSorted((a) => (a.do ? -1 : 1))).toEqual([
      {
        do: true,
        key: guid,
        record: { guid, label: 'Garden care' },
        effect: 'Create the quote “Garden care” for Hartmann Builders: 28-02-2026.',
      },
      { do: false, key: resting.guid, record: { guid: resting.guid, label: 'Resting' }, reason: 'paused' },
    ])
    expect({ skipped, considered }).toEqual({ skipped: { paused: 1 }, considered: 2 })
    expect((await read(guid)).cycles).toEqual([])
    expect(await cron()).toMatchObject({ considered: 2, skipped: 1, succeeded: 1 })
    expect((await app.call(actors.field, 'GET', '/Cron/Process/Recurring/Quotes/Preview')).status).not.toBe(200)
    expect((await app.call(null, 'GET', '/Cron/Process/Recurring/Quotes')).status).toBe(401)
  })

  it('rests while somebody has stopped it', async () => {
    await aSeries()
    await app.deps.db
      .insertInto('cronJobs')
      .values({ name: 'recurring-quotes', isPaused: true })
      .onConflict((c) => c.column('name').doUpdateSet({ isPaused: true }))
      .execute()
    expect(await cron('2026-02-28')).toMatchObject({ considered: 0, processed: 0, isPaused: true })
    await app.deps.db.deleteFrom('cronJobs').execute()
    expect(await cron()).toMatchObject({ succeeded: 1, isPaused: false })
  })
})

interface RiseAnswer {
  rise: { guid: string; count: number; undoneAt: string | null } | null
  items: RiseItem[]
}
const rise = (series: readonly Series[], facts: Record<string, unknown>, who: Caller = office) =>
  post<RiseAnswer>(
    '/Quotes/PriceRise',
    { seriesGuids: series.map(({ guid }) => guid), bp: 350, fromOn: '2026-03-01', ...facts },
    who,
  )

describe('a rise of prices', () => {
  it('is told beforehand, then holds from its day on, rounded half up and then to the step', async () => {
    const series = await aSeries()
    const stepped = await aSeries({ title: 'Stepped' })
    const dry = ok(await rise([series, stepped], { dryRun: true, step: 5 }))
    expect(dry.rise).toBeNull()
    expect(dry.items).toMatchObject([
      {
        seriesGuid: series.guid,
        firstOn: '2026-03-28',
        beforeCents: 13_580,
        afterCents: 14_053,
        lines: [{ beforeCents: 12_345, afterCents: 12_775, isExcluded: false }],
        refusal: null,
      },
      { seriesGuid: stepped.guid },
    ])
    expect((await read(series.guid)).rises).toEqual([])
    expect(ok(await rise([series], { step: 1 })).rise).toMatchObject({ count: 1, undoneAt: null })
    ok(await rise([stepped], { step: 5 }))
    await cron('2026-02-28')
    await cron('2026-03-28')
    await cron('2026-04-28')
    expect(await cyclesOf(series.guid)).toEqual([
      ['2026-02-28', 12_345],
      ['2026-03-28', 12_777],
      ['2026-04-28', 12_777],
    ])
    expect((await cyclesOf(stepped.guid)).at(-1)).toEqual(['2026-04-28', 12_775])
  })

  it('comes on top of another in the same interval, and leaves lines that are excluded', async () => {
    const series = await aSeries({ lines: [line(), line({ name: 'Agreed' })] })
    const agreed = series.lines[1]?.guid
    await cron('2026-02-28')
    await on('2026-03-01')
    ok(await rise([series], { fromOn: '2026-03-05', excludeLines: [agreed] }))
    ok(await rise([series], { fromOn: '2026-03-10', bp: 200, excludeLines: [agreed] }))
    await cron('2026-03-28')
    expect((await cyclesOf(series.guid)).at(-1)).toEqual(['2026-03-28', 13_033])
    const { lines } = await read(series.guid)
    expect(lines.map(({ unitPriceCents, guid }) => [unitPriceCents, guid === agreed])).toEqual([
      [13_033, false],
      [12_345, true],
    ])
  })

  it('counts over cycles that were only logged', async () => {
    const series = await aSeries()
    ok(await rise([series], { fromOn: '2026-03-28' }))
    await cron('2026-02-28')
    await cron('2026-04-28')
    expect(await cyclesOf(series.guid)).toEqual([
      ['2026-02-28', 12_345],
      ['2026-03-28', 'catch_up'],
      ['2026-04-28', 12_777],
    ])
  })

  it('is undone until a quote was made with it', async () => {
    const series = await aSeries()
    const other = await aSeries({ title: 'Other' })
    const first = ok(await rise([series, other], {})).rise
    expect(ok(await post<RiseAnswer>(`/Quotes/PriceRise/Undo/${first?.guid}`)).rise?.undoneAt).toBe(clock.toISOString())
    expect((await post(`/Quotes/PriceRise/Undo/${first?.guid}`)).error).toBe('INVALID_TRANSITION')
    // The day is free again.
    const second = ok(await rise([series, other], { bp: 200 })).rise
    await cron('2026-02-28')
    await cron('2026-03-28')
    expect((await cyclesOf(series.guid)).at(-1)).toEqual(['2026-03-28', 12_592])
    const refused = await post(`/Quotes/PriceRise/Undo/${second?.guid}`)
    expect([refused.status, refused.message]).toEqual([409, 'This rise has been used, so it can’t be undone.'])
    expect((await read(series.guid)).rises.map(({ isUsed, undoneAt }) => [isUsed, undoneAt !== null])).toEqual(
      expect.arrayContaining([
        [true, false],
        [false, true],
      ]),
    )
    await expect(
      app.deps.db.updateTable('seriesRises').set({ bp: 1 }).where('seriesGuid', '=', series.guid).execute(),
    ).rejects.toThrow('does not change')
  })

  it('tells of each series why it can’t have it', async () => {
    const ended = ok(await deed(await aDraft({ title: 'Ended' }), 'cancel')).series
    const made = await aSeries({ title: 'Made' })
    await cron('2026-02-28')
    await on('2026-02-28')
    const planned = await aSeries({ title: 'Planned', anchorOn: '2026-03-28' })
    ok(await rise([planned], { fromOn: '2026-03-20' }))
    const free = await aSeries({ title: 'Free', anchorOn: '2026-03-28', lines: [line({ unitPriceCents: 0 })] })
    const dear = await aSeries({
      title: 'Dear',
      anchorOn: '2026-03-28',
      lines: [line({ unitPriceCents: 800_000_000_000 })],
    })
    const short = await aSeries({ title: 'Short', anchorOn: '2026-03-01', ends: { type: 'count', n: 1 } })
    const all = [ended, made, planned, free, dear, short]
    const { items } = ok(await rise(all, { fromOn: '2026-03-20', dryRun: true, bp: 9000 }))
    expect(items.map(({ title, refusal }) => [title, refusal])).toEqual([
      ['Ended', 'ended'],
      ['Made', null],
      ['Planned', 'planned'],
      ['Free', 'unpriced'],
      ['Dear', 'tooMuch'],
      ['Short', 'ended'],
    ])
    expect(ok(await rise([made], { fromOn: '2026-02-28', dryRun: true })).items[0]?.refusal).toBe('made')
    expect((await rise([ended], {})).status).toBe(409)
    expect((await rise([made], { bp: 0 })).errors[0]?.path).toBe('bp')
    expect((await rise([made], { bp: 9001 })).errors[0]?.path).toBe('bp')
    expect((await rise([{ ...made, guid: crypto.randomUUID() }], {})).errors[0]?.path).toBe('seriesGuids.0')
  })

  it('is planned once of two that are planned at the same time', async () => {
    const series = await aSeries()
    const answers = await Promise.all([rise([series], {}), rise([series], {}), rise([series], {})])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await read(series.guid)).rises).toHaveLength(1)
  })
})

describe('rights', () => {
  it('keep series back row by row, on every road', async () => {
    const rules = [
      { subject: 'Quotes', action: 'manage' as const, conditions: { scope: 'own' } },
      { subject: 'Customers', action: 'read' as const },
    ]
    const person = await aPerson(app, `own-${crypto.randomUUID()}`, await aRole(app, crypto.randomUUID(), rules))
    const theirs = await aSeries({ title: 'Not yours' })
    const guid = theirs.guid
    const calls: [Parameters<typeof app.call>[1], string, unknown?][] = [
      ['GET', `/Quotes/Series/${guid}`],
      ['GET', `/Quotes/Series/Timeline/${guid}`],
      ['PATCH', `/Quotes/Series/${guid}`, { version: 1, title: 'Mine' }],
      ['POST', `/Quotes/Series/Status/${guid}`, { version: 2, deed: 'pause' }],
      ['POST', `/Quotes/Series/Run/${guid}`, { version: 2 }],
    ]
    for (const [method, path, body] of calls)
      expect([path, (await app.call(person, method, path, body, keyed())).status]).toEqual([path, 404])
    expect((await rise([theirs], { dryRun: true }, person)).status).toBe(422)
    const planned = ok(await rise([theirs], {})).rise
    expect((await post(`/Quotes/PriceRise/Undo/${planned?.guid}`, {}, person)).status).toBe(404)
    const listed = ok(await app.call<{ items: unknown[] }>(person, 'GET', '/Quotes/Series'))
    expect(listed.items).toEqual([])
    const own = ok(
      await post('/Quotes/Series', { customerGuid, title: 'Mine', anchorOn: '2026-03-01', lines: [line()] }, person),
      201,
    ).series
    expect((await app.call(person, 'GET', `/Quotes/Series/${own.guid}`)).status).toBe(200)
    // Its quotes are of whoever it is of.
    ok(await post(`/Quotes/Series/Status/${own.guid}`, { version: 1, deed: 'start' }, person))
    const run = await post<One>(`/Quotes/Series/Run/${own.guid}`, { version: 2 }, person)
    const made = ok(run).series.cycles[0]?.quote?.guid
    expect((await app.call(person, 'GET', `/Quotes/${made}`)).status).toBe(200)
  })

  it('tell of quotes to those alone who may read them', async () => {
    const series = await aSeries()
    await cron('2026-02-28')
    await on('2026-02-28')
    const rules = [{ subject: 'Quotes:Series:Preview:Guid', action: 'read' as const }]
    const person = await aPerson(app, `reads-${crypto.randomUUID()}`, await aRole(app, crypto.randomUUID(), rules))
    const seen = ok(await app.call<One>(person, 'GET', `/Quotes/Series/${series.guid}`)).series
    expect(seen.cycles).toMatchObject([{ quote: null }])
  })
})
