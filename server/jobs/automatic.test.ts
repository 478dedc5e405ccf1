import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AutomaticEmails } from '../../contract/automatic-emails.ts'
import { addDays, instantAt } from '../../contract/core/dates.ts'
import type { Page } from '../../contract/core/common.ts'
import type { JobPreview, JobRun, PlannedReport } from '../../contract/jobs.ts'
import { type Actors, aPersonWho, logIn } from '../../test/support/actors.ts'
import { aCustomer, aLine, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running } from '../../test/support/start.ts'
import { overdueJob } from '../invoices/overdue.service.ts'
import { welcomeJob } from '../orders/welcomes.service.ts'

const zone = 'Australia/Sydney'
const at = (day: string, hour = 12) => new Date(instantAt(day, hour * 60, zone))
/** A Thursday. */
const first = '2026-09-03'
let clock = at(first)
let app: Running
let actors: Actors
let office: Caller
let customerGuid: string

beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness({ now: () => clock }))
  await sql`update businesses set created_at = ${at('2026-01-01')}`.execute(app.deps.db)
})
afterAll(() => app.stop())
beforeEach(() => on(first))

/** Goes to a time; sessions do not last that long. */
async function on(day: string, hour = 12) {
  clock = at(day, hour)
  office = { headers: await logIn(app, actors.office.authId) }
}
const post = <D>(path: string, body: unknown, who: Caller = office) => app.call<D>(who, 'POST', path, body, keyed())
const overduePath = '/Cron/Process/Invoices/Overdue'
const welcomePath = '/Cron/Orders/Messages/WelcomeMessages'
const cron = async (path: string) =>
  ok(await app.call<PlannedReport>(null, 'GET', path, undefined, { authorization: `Cron ${app.deps.keys.cron}` }))
/** What a preview says of one record: its effect, or why not. */
async function foreseen(path: string, guid: string) {
  const admin = { headers: await logIn(app, actors.administrator.authId) }
  const { items } = ok(await app.call<JobPreview>(admin, 'GET', `${path}/Preview`))
  const item = items.find(({ record }) => record.guid === guid)
  return item && (item.do ? item.effect : item.reason)
}
const emails = async (guid: string, template: 'welcome' | 'quote_followup') =>
  (
    await app.deps.db
      .selectFrom('messages')
      .select(['recipients', 'subject'])
      .where('ownerGuid', '=', guid)
      .where('template', '=', template)
      .where('isAutomatic', '=', true)
      .execute()
  ).length

interface Invoice {
  guid: string
  version: number
  number: string
  totalCents: number
}
async function anIssued(facts: object = {}) {
  const draft = ok(
    await post<{ invoice: Invoice }>('/Invoices', { customerGuid, title: 'Fence', lines: [aLine()] }),
    201,
  )
  const { guid, version } = draft.invoice
  ok(await app.call(office, 'PATCH', `/Invoices/${guid}`, { version, termsDays: 7, ...facts }))
  return ok(await post<{ invoice: Invoice }>(`/Invoices/Issue/${guid}`, { version: version + 1 })).invoice
}
const told = async (guid: string) =>
  (
    await app.deps.db
      .selectFrom('auditLog')
      .select(sql<{ amountCents: number; dueOn: string }>`after`.as('after'))
      .where('entityGuid', '=', guid)
      .where('action', '=', 'invoice.overdue')
      .orderBy('id')
      .execute()
  ).map(({ after }) => [after.amountCents, after.dueOn])

describe('overdue invoices', () => {
  it('are told of once, from the first hour after their due day by the clocks of the business', async () => {
    const { guid, number } = await anIssued()
    const due = addDays(first, 7)
    clock = new Date(instantAt(due, 23 * 60 + 59, zone))
    expect(await foreseen(overduePath, guid)).toBeUndefined()
    await cron(overduePath)
    expect(await told(guid)).toEqual([])
    clock = new Date(instantAt(addDays(due, 1), 0, zone))
    expect(await foreseen(overduePath, guid)).toBe(`Record that ${number} is overdue: $275.00 was due on 10-09-2026.`)
    expect(await cron(overduePath)).toMatchObject({ succeeded: 1, skipped: 0, failed: 0 })
    expect(await told(guid)).toEqual([[27_500, due]])
    expect(await foreseen(overduePath, guid)).toBe('emitted')
    expect(await cron(overduePath)).toMatchObject({ processed: 0, considered: 1, skipped: 1 })
  })

  it('are told of for each instalment, and not once nothing is owing', async () => {
    const { guid, version } = await anIssued()
    const parts = [
      { label: 'First', dueOn: addDays(first, 2), cents: 10_000 },
      { label: 'Second', dueOn: addDays(first, 4), cents: 17_500 },
    ]
    ok(await post(`/Invoices/Instalments/${guid}`, { version, instalments: parts }))
    await on(addDays(first, 3))
    await cron(overduePath)
    const pay = (cents: number) =>
      post('/Payments', {
        customerGuid,
        amountCents: cents,
        method: 'bank_transfer',
        receivedOn: addDays(first, 3),
        allocations: [{ invoiceGuid: guid, cents }],
      })
    ok(await pay(10_000), 201)
    await cron(overduePath)
    await on(addDays(first, 5))
    await cron(overduePath)
    expect(await told(guid)).toEqual([
      [10_000, parts[0]?.dueOn],
      [17_500, parts[1]?.dueOn],
    ])
    ok(await pay(17_500), 201)
    expect(await foreseen(overduePath, guid)).toBeUndefined()
  })

  it('are told of once by four at once', async () => {
    const { guid } = await anIssued()
    clock = at(addDays(first, 8))
    const done = await Promise.all([1, 2, 3, 4].map(() => overdueJob.act(app.deps, guid)))
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await told(guid)).toHaveLength(1)
  })
})

interface Order {
  guid: string
  number: string
  version: number
}
const anOrder = async (facts: object = {}) =>
  ok(await post<{ order: Order }>('/Orders', { customerGuid, title: 'Fence', lines: [aLine()], ...facts }), 201).order
const switchTo = async (body: Partial<AutomaticEmails>, who?: Caller) => {
  const admin = { headers: await logIn(app, actors.administrator.authId) }
  const { automatic } = ok(await app.call<{ automatic: AutomaticEmails }>(admin, 'GET', '/Reminders/Bookings'))
  return app.call<{ automatic: AutomaticEmails }>(who ?? admin, 'PATCH', '/Reminders/Bookings', {
    version: automatic.version,
    ...body,
  })
}

describe('a welcome', () => {
  it('goes once to the customer of an order that was confirmed', async () => {
    const { guid, number } = await anOrder()
    expect(await foreseen(welcomePath, guid)).toBe(`Welcome anna@hartmann.example for order ${number}.`)
    await cron(welcomePath)
    expect(await emails(guid, 'welcome')).toBe(1)
    expect(await foreseen(welcomePath, guid)).toBe('welcomed')
    await cron(welcomePath)
    expect(await emails(guid, 'welcome')).toBe(1)
  })

  it('is left where it would come late, the order is archived or nobody has an address', async () => {
    const silent = await aCustomer(app, office, { email: null, displayName: 'Silent' })
    const [archived, late, mute] = [await anOrder(), await anOrder(), await anOrder({ customerGuid: silent.guid })]
    await sql`update orders set archived_at = now() where guid = ${archived.guid}`.execute(app.deps.db)
    expect(await foreseen(welcomePath, archived.guid)).toBe('archived')
    expect(await foreseen(welcomePath, mute.guid)).toBe('no_address')
    clock = at(addDays(first, 14))
    expect(await foreseen(welcomePath, late.guid)).toContain('Welcome')
    clock = at(addDays(first, 14), 13)
    expect(await foreseen(welcomePath, late.guid)).toBe('too_old')
    await cron(welcomePath)
    for (const { guid } of [archived, late, mute]) expect(await emails(guid, 'welcome')).toBe(0)
  })

  it('goes once by four at once, and not for work that was cancelled', async () => {
    const { guid } = await anOrder()
    const done = await Promise.all([1, 2, 3, 4].map(() => welcomeJob.act(app.deps, `order:${guid}`)))
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await emails(guid, 'welcome')).toBe(1)
    const off = await anOrder()
    ok(await post(`/Orders/Status/${off.guid}`, { version: off.version, deed: 'cancel', reason: 'Changed plans' }))
    expect(await foreseen(welcomePath, off.guid)).toBeUndefined()
  })

  it('can be turned off, and catches nothing up when it is turned on', async () => {
    ok(await switchTo({ sendsWelcome: false }))
    const { guid } = await anOrder()
    expect(await foreseen(welcomePath, guid)).toBeUndefined()
    expect(await welcomeJob.act(app.deps, `order:${guid}`)).toBe(false)
    await on(addDays(first, 1))
    ok(await switchTo({ sendsWelcome: true }))
    expect(await foreseen(welcomePath, guid)).toBe('too_old')
    expect(await foreseen(welcomePath, (await anOrder()).guid)).toContain('Welcome')
    await sql`delete from automatic_emails`.execute(app.deps.db)
  })
})

describe('a follow-up', () => {
  const aQuote = (facts: object = {}) => aSentQuote(app, office, customerGuid, { validUntil: '2026-10-03', ...facts })
  const sentOn = async (day: string, guid: string, hour = 12) => {
    clock = at(day, hour)
    const item = await foreseen(welcomePath, guid)
    await cron(welcomePath)
    return item
  }

  it('goes 3 and 7 days after a quote was sent and 2 before it expires, from nine, each once', async () => {
    const { guid, number } = await aQuote()
    const text = `Follow up quote ${number} “Pool fence” with anna@hartmann.example.`
    expect(await sentOn(addDays(first, 3), guid, 8)).toBeUndefined()
    expect(await sentOn(addDays(first, 3), guid, 9)).toBe(text)
    expect(await sentOn(addDays(first, 3), guid)).toBe('followed_up')
    expect(await sentOn(addDays(first, 7), guid, 9)).toBe(text)
    expect(await sentOn('2026-10-01', guid, 9)).toBe(text)
    expect(await sentOn('2026-10-02', guid, 9)).toBe('followed_up')
    expect(await emails(guid, 'quote_followup')).toBe(3)
    expect(await sentOn('2026-10-04', guid)).toBeUndefined()
  })

  it('is passed over when it was missed by more than two days, and so are those before it', async () => {
    const { guid } = await aQuote()
    expect(await sentOn(addDays(first, 5), guid, 10)).toBe('passed_over')
    expect(await sentOn(addDays(first, 9), guid, 9)).toContain('Follow up')
    expect(await welcomeJob.act(app.deps, `quote:${guid}:after_3`)).toBe(false)
    expect(await emails(guid, 'quote_followup')).toBe(1)
  })

  it('is left while the customer was written to, has replied or has no address, and once he answered', async () => {
    const [written, replied, away] = [await aQuote(), await aQuote(), await aQuote()]
    const [cancelled, silent] = [await aQuote(), await aQuote()]
    ok(await post(`/Quotes/Cancel/${cancelled.guid}`, { version: cancelled.version, reason: 'Not wanted' }))
    const mute = await aCustomer(app, office, { email: null, displayName: 'Mute' })
    clock = at(addDays(first, 2))
    await sql`update messages set sent_at = ${clock} where owner_guid = ${written.guid}`.execute(app.deps.db)
    const arrived = {
      ...{ owner_type: 'quote', direction: 'in', status: 'received', filing: 'filed', subject: 'Re: Pool fence' },
      ...{ sender: 'anna@hartmann.example', body_html: '<p>Soon.</p>', body_text: 'Soon.' },
    }
    const columns = sql.join(Object.keys(arrived).map((column) => sql.ref(column)))
    for (const { guid } of [replied, away])
      await sql`insert into messages (guid, business_guid, owner_guid, message_id, created_at, recipients, is_automatic,
          ${columns}) select gen_random_uuid(), business_guid, guid, ${`<${guid}@test>`}, ${clock}, '{}',
          ${guid === away.guid}, ${sql.join(Object.values(arrived))} from quotes where guid = ${guid}`.execute(
        app.deps.db,
      )
    await sql`update quotes set customer_guid = ${mute.guid} where guid = ${silent.guid}`.execute(app.deps.db)
    clock = at(addDays(first, 3))
    expect(await foreseen(welcomePath, written.guid)).toBe('messaged_recently')
    expect(await foreseen(welcomePath, replied.guid)).toBe('replied')
    expect(await foreseen(welcomePath, away.guid), 'an absence is no reply').toContain('Follow up')
    expect(await foreseen(welcomePath, cancelled.guid)).toBeUndefined()
    expect(await foreseen(welcomePath, silent.guid)).toBe('no_address')
    clock = at(addDays(first, 4))
    expect(await foreseen(welcomePath, written.guid)).toContain('Follow up')
  })

  it('goes once by four at once, and not where a business turned it off', async () => {
    const [one, off] = [await aQuote(), await aQuote()]
    clock = at(addDays(first, 3))
    const done = await Promise.all([1, 2, 3, 4].map(() => welcomeJob.act(app.deps, `quote:${one.guid}:after_3`)))
    expect(done.filter(Boolean)).toHaveLength(1)
    await on(addDays(first, 3))
    ok(await switchTo({ sendsFollowUps: false }))
    expect(await foreseen(welcomePath, off.guid)).toBeUndefined()
    expect(await welcomeJob.act(app.deps, `quote:${off.guid}:after_3`)).toBe(false)
    await sql`delete from automatic_emails`.execute(app.deps.db)
  })
})

describe('each of them', () => {
  it.each([overduePath, welcomePath])('does what its preview said, in its order: %s', async (path) => {
    await anIssued()
    await anOrder()
    await aSentQuote(app, office, customerGuid, { validUntil: '2026-10-03' })
    await on(addDays(first, 9), 9)
    await anOrder()
    const admin = { headers: await logIn(app, actors.administrator.authId) }
    const { items, considered } = ok(await app.call<JobPreview>(admin, 'GET', `${path}/Preview`))
    const planned = items.filter((item) => item.do)
    expect(planned.length).toBeGreaterThan(0)
    await sql`delete from cron_runs`.execute(app.deps.db)
    expect(await cron(path)).toMatchObject({ considered, succeeded: planned.length, failed: 0 })
    const [run] = ok(await app.call<Page<JobRun>>(admin, 'GET', `${path}/Runs`)).items
    const done = run?.items.filter(({ outcome }) => outcome === 'done') ?? []
    expect(done.map(({ key, effect }) => [key, effect])).toEqual(planned.map(({ key, effect }) => [key, effect]))
    expect(await cron(path)).toMatchObject({ processed: 0 })
  })
})

describe('the switches', () => {
  it('are read and changed with their rights, in the version that was seen', async () => {
    const reader = await aPersonWho(app, 'Reader', [{ subject: 'Reminders:Preview:All', action: 'read' }])
    const none = await aPersonWho(app, 'None', [])
    expect((await app.call(reader, 'GET', '/Reminders/Bookings')).status).toBe(200)
    expect((await app.call(none, 'GET', '/Reminders/Bookings')).status).toBe(403)
    expect((await switchTo({ sendsWelcome: false }, reader)).status).toBe(403)
    const saved = ok(await switchTo({ sendsWelcome: false })).automatic
    expect(saved.sendsWelcome).toBe(false)
    const admin = { headers: await logIn(app, actors.administrator.authId) }
    const late = await app.call(admin, 'PATCH', '/Reminders/Bookings', { version: saved.version - 1 })
    expect(late.status).toBe(409)
    const log = await app.deps.db
      .selectFrom('auditLog')
      .select('action')
      .where('action', '=', 'business.emails_switched')
      .execute()
    expect(log.length).toBeGreaterThan(0)
  })
})
