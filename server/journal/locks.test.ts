import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import { basPeriodOf, lockedSentence } from '../../contract/periods.ts'
import { aLine, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'
import { holdBooks, insertLock } from './locks.queries.ts'

let p: Paying
let today: string
/** The last day of the quarter before this one. */
let through: string
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
  through = addDays(basPeriodOf(today, 'quarterly').from, -1)
})
afterAll(() => p.stop())

interface State {
  lock: { lockedThrough: string; reopensUntil: string | null } | null
  standingThrough: string | null
  reason: string | null
  posted: { postedOn: string; narrative: string }[]
  postedCount: number
}
const lock = async (day: string, who: Caller = p.actors.accountant) =>
  p.app.call<{ lock: State['lock'] }>(who, 'POST', '/Tax/Lock', { through: day })
const unlock = async (body: object, who: Caller = p.actors.accountant) =>
  p.app.call<{ lock: State['lock'] }>(who, 'POST', '/Tax/Unlock', body)
const state = async () => ok(await p.app.call<State>(p.actors.accountant, 'GET', '/Tax/Lock'))
/** What whoever records money is told, whatever he may do with locks. */
const toldToAll = async () =>
  ok(await p.app.call<{ business: { lockedThrough: string | null } }>(p.actors.office, 'GET', '/Businesses/Current'))
    .business.lockedThrough
const forgetLocks = async () => {
  await p.rows('alter table period_locks disable trigger user')
  await p.rows('delete from period_locks')
  await p.rows('alter table period_locks enable trigger user')
}
const receive = async (receivedOn: string) => {
  const customerGuid = p.customer.guid
  const { payment } = ok(await p.byHand({ customerGuid, receivedOn, amountCents: 5000, allocations: [] }), 201)
  const [entry] = await p.rows<{ posted: string; received: string }>(
    `select e.posted_on::text as posted, p.received_on::text as received
      from payments p join journal_entries e on e.source_guid = p.guid where p.guid = $1`,
    [payment.guid],
  )
  return entry
}
/** An entry as any road into the books writes it. */
const post = async (day: string) =>
  p.rows(
    `insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative)
      select gen_random_uuid(), guid, $1, 'manual', gen_random_uuid(), 'By a test' from businesses
      where parent_guid is null`,
    [day],
  )

describe('period locks', () => {
  it('close the books up to a day: nothing is posted on it, and money is posted on the next one', async () => {
    await forgetLocks()
    expect(await receive(through)).toEqual({ posted: through, received: through })
    expect([(await state()).lock, await toldToAll()]).toEqual([null, null])
    expect(ok(await lock(through)).lock).toEqual({ lockedThrough: through, reopensUntil: null })
    expect(await toldToAll()).toBe(through)
    await expect(post(through)).rejects.toMatchObject({ constraint: 'period_locked' })
    await expect(post(addDays(through, 1))).resolves.toBeDefined()
    expect(await receive(through)).toEqual({ posted: addDays(through, 1), received: through })
    expect(await receive(today)).toEqual({ posted: today, received: today })
    expect((await p.problems()).filter(({ code, number }) => code === 'JOURNAL_DAY' && number)).toEqual([])
  })

  it('refuse a document of a locked day, and say from which day on', async () => {
    await p.rows(
      `insert into period_locks (guid, business_guid, locked_through) select gen_random_uuid(), guid, $1
        from businesses where parent_guid is null`,
      [today],
    )
    const draft = await p.app.call<{ invoice: { guid: string; version: number } }>(
      p.actors.office,
      'POST',
      '/Invoices',
      {
        customerGuid: p.customer.guid,
        title: 'Late',
        lines: [aLine()],
      },
    )
    const { guid, version } = ok(draft, 201).invoice
    const refused = await p.app.call(p.actors.office, 'POST', `/Invoices/Issue/${guid}`, { version })
    expect(refused.status).toBe(409)
    expect(refused).toMatchObject({
      error: 'PERIOD_LOCKED',
      message: lockedSentence(today, today, 'quarterly'),
    })
    await forgetLocks()
    ok(await lock(through))
  })

  it('refuse days that are not over, days before the lock, and the lock that is there', async () => {
    for (const day of [today, addDays(today, 1), addDays(through, -1), through])
      expect((await lock(day)).status).toBe(422)
  })

  it('refuse while suspense holds money', async () => {
    const day = addDays(through, 1)
    const [entry] = await p.rows<{ guid: string }>(
      `insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative)
        select gen_random_uuid(), guid, $1, 'manual', gen_random_uuid(), 'Unknown' from businesses
        where parent_guid is null returning guid`,
      [day],
    )
    const side = (account: string, debit: number, credit: number, position: number) =>
      p.rows(
        `insert into journal_lines (entry_guid, position, account, debit_cents, credit_cents)
          values ($1, $2, $3, $4, $5)`,
        [entry?.guid, position, account, debit, credit],
      )
    await p.rows('begin')
    await side('1000', 4210, 0, 1)
    await side('2900', 0, 4210, 2)
    await p.rows('commit')
    const isOver = day < today
    const refused = await lock(isOver ? day : addDays(today, -1))
    if (isOver) {
      expect(refused.status).toBe(409)
      expect(refused).toMatchObject({ message: 'Suspense holds $42.10. Sort these bank lines first.' })
    } else expect(refused.status).toBe(422)
  })

  it('open again for a reason and some days, list what was posted meanwhile, and close by themselves', async () => {
    const from = addDays(through, -9)
    const good = { from, reason: 'An invoice of the builder came late', days: 7 }
    for (const bad of [{ reason: 'Too short' }, { days: 8 }, { days: 0 }, { from: addDays(through, 1) }])
      expect((await unlock({ ...good, ...bad })).status).toBe(422)
    expect(ok(await unlock(good)).lock?.lockedThrough).toBe(addDays(from, -1))
    await post(from)
    await receive(from)
    await expect(post(addDays(from, -1))).rejects.toMatchObject({ constraint: 'period_locked' })
    expect(await state()).toMatchObject({
      lock: { lockedThrough: addDays(from, -1) },
      standingThrough: through,
      reason: good.reason,
      posted: [
        { postedOn: from, source: 'payment', document: { noun: 'Payments' }, cents: 5000 },
        { postedOn: from, narrative: 'By a test', document: null, cents: 0 },
      ],
      postedCount: 2,
    })
    // A lapsed one lets the lock before it count again.
    await p.rows('alter table period_locks disable trigger user')
    await p.rows(`update period_locks set reopens_until = now() - interval '1 second' where reopens_until is not null`)
    await p.rows('alter table period_locks enable trigger user')
    await expect(post(from)).rejects.toMatchObject({ constraint: 'period_locked' })
    expect((await state()).lock).toEqual({ lockedThrough: through, reopensUntil: null })
    ok(await unlock(good))
    expect(ok(await lock(through)).lock).toEqual({ lockedThrough: through, reopensUntil: null })
    await expect(post(from)).rejects.toMatchObject({ constraint: 'period_locked' })
  })

  it('refuse entries by hand and their reversals, and nobody reverses what is of a payment or of others', async () => {
    const { accounts } = ok(
      await p.app.call<{ accounts: { guid: string; code: string }[] }>(p.actors.accountant, 'GET', '/Journal/Accounts'),
    )
    const guidOf = (code: string) => accounts.find((account) => account.code === code)?.guid
    const write = (path: string, body: object) =>
      p.app.call<{ entry: { guid: string } }>(p.actors.accountant, 'POST', path, body, {
        'idempotency-key': randomUUID(),
      })
    const byHand = (postedOn: string) =>
      write('/Journal', {
        postedOn,
        narrative: 'Bank fees',
        lines: [
          { accountGuid: guidOf('6100'), debitCents: 500 },
          { accountGuid: guidOf('1000'), creditCents: 500 },
        ],
      })
    const said = { status: 409, error: 'PERIOD_LOCKED', message: lockedSentence(through, through, 'quarterly') }
    expect(await byHand(through)).toMatchObject(said)
    // Made before the lock it is reversed on a day after it.
    await forgetLocks()
    const { entry } = ok(await byHand(through), 201)
    ok(await lock(through))
    const reverse = (guid: string, more: object = {}) =>
      write(`/Journal/Reverse/${guid}`, { reason: 'Entered twice', ...more })
    expect(await reverse(entry.guid, { on: through })).toMatchObject(said)
    ok(await reverse(entry.guid), 201)
    const [paid] = await p.rows<{ guid: string; number: string }>(
      `select e.guid, p.number from journal_entries e join payments p on p.guid = e.source_guid limit 1`,
    )
    expect(await reverse(paid?.guid ?? '')).toMatchObject({
      status: 409,
      message: `This entry belongs to ${paid?.number}. Reverse the payment.`,
    })
    expect((await reverse(randomUUID())).status).toBe(404)
  })

  it('are for those who may, one right each', async () => {
    for (const who of [p.actors.office, p.actors.sales, p.actors.readOnly]) {
      expect((await lock(through, who)).status).toBe(403)
      expect((await unlock({ from: through, reason: 'An invoice came late', days: 1 }, who)).status).toBe(403)
    }
  })

  it('keep their rows', async () => {
    await expect(p.rows('delete from period_locks')).rejects.toThrow()
    await expect(p.rows(`update period_locks set locked_through = '2020-01-01'`)).rejects.toThrow()
  })

  it('raced by postings: each is there before the lock or meets it, and money finds its day', async () => {
    await forgetLocks()
    const customerGuid = p.customer.guid
    const money = Array.from({ length: 12 }, async () =>
      p.byHand({ customerGuid, receivedOn: through, amountCents: 100, allocations: [] }),
    )
    const [locked, ...received] = await Promise.all([lock(through), ...money])
    expect(locked.status).toBe(200)
    for (const answer of received) ok(answer, 201)
    // Somebody locks; whoever posts waits for it and is refused.
    await forgetLocks()
    const { db } = p.app.deps
    let waiting: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (tx) => {
      const { guid } = await tx.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()
      await holdBooks(tx, guid)
      const row = { guid: randomUUID(), businessGuid: guid, lockedThrough: through, reason: null }
      await insertLock(tx, { ...row, reopensUntil: null, createdAt: new Date(), createdBy: null })
      const entry = { guid: randomUUID(), businessGuid: guid, postedOn: through, sourceGuid: randomUUID() }
      waiting = db
        .insertInto('journalEntries')
        .values({ ...entry, source: 'manual', narrative: 'By a test' })
        .execute()
        .catch((error: unknown) => error)
      await vi.waitUntil(async () => {
        const [held] = await p.rows<{ n: number }>(
          `select count(*)::int as n from pg_locks where not granted and locktype in ('transactionid', 'tuple')`,
        )
        return (held?.n ?? 0) > 0
      })
    })
    expect(await waiting).toMatchObject({ constraint: 'period_locked' })
  })
})
