import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { PlannedReport } from '../../contract/jobs.ts'
import type { ReminderHold, ReminderPolicy } from '../../contract/reminders.ts'
import { type Actors, openSession, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, ok } from '../../test/support/factories.ts'
import {
  type Debt,
  type Debtor,
  plusDays,
  type Reminder,
  ReminderModel,
  sydney,
} from '../../test/support/reminders-model.ts'
import { type Caller, keyed, type Running, startApp } from '../../test/support/start.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { processQueue } from '../messages/messages.queue.ts'

/*
 * Reminders under a clock that runs on its own: through both Sundays on which the clocks of Sydney change, Easter and
 * weekends; a year of it where it is proven. Invoices, payments, holds and bounces come as they may, and each run of
 * the clock is held against a model that shares no line with the product.
 */

/** The days that are lived through: all of a year, or a week around each change of the clocks. */
const spans = process.env.PROVE
  ? [['2026-03-02', '2027-04-09'] as const]
  : [['2026-03-30', '2026-04-08'] as const, ['2026-09-29', '2026-10-08'] as const]
/** One in so many runs of the clock finds something new. */
const rarity = process.env.PROVE ? 5 : 2
const patienceMs = process.env.PROVE ? 3_600_000 : 90_000
/** When the clock runs: in the night, about the end and the beginning of the quiet hours, and about nine. */
const ticks = ['00:05', '07:29', '07:30', '08:55', '09:00', '12:15', '18:59', '19:00', '23:45'].map((clock) => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
})

let clock = sydney(spans[0]?.[0] ?? '', 0)
let app: Running
let actors: Actors
let office: Caller
let accountant: Caller
let businessGuid: string
beforeAll(async () => {
  app = await startApp({ now: () => clock })
  actors = await seedActors(app)
  await aBusiness(app)
  businessGuid = (await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()).guid
  await app.deps.db.updateTable('businesses').set({ timeZone: 'Australia/Sydney', holidayState: 'NSW' }).execute()
})
afterAll(() => app.stop())

/** A number from 0 on, below `below`: the same ones in every run. */
let seed = 20_260_330
function pick(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * below)
}
const one = <T>(list: readonly T[]): T | undefined => list[pick(list.length)]

interface Person extends Debtor {
  guid: string
}
interface Bill extends Debt {
  guid: string
}
const people: Person[] = []
const bills: Bill[] = []
const holds: { guid: string; model: ReminderModel['holds'][number] }[] = []

async function meet() {
  const name = `Customer ${people.length + 1}`
  const address = people.length % 6 === 5 ? null : `customer${people.length + 1}@example.com`
  const { guid } = await aCustomer(app, office, { displayName: name, email: address })
  people.push({ guid, name, address })
}

const amounts = [[1500], [1999], [2000], [27_500], [110_000], [40_000, 30_000], [2500, 1900, 5000]]

async function bill(model: ReminderModel, day: string) {
  const of = one(people)
  const cents = one(amounts)
  if (!of || !cents) return
  const total = cents.reduce((sum, part) => sum + part, 0)
  const lines = [{ name: 'Hoarding', unitPriceCents: total }]
  const body = { customerGuid: of.guid, title: 'Hoarding', priceMode: 'inclusive', lines }
  const draft = ok(await app.call<{ invoice: Invoice }>(office, 'POST', '/Invoices', body), 201).invoice
  const issue = { version: draft.version }
  let { invoice } = ok(await app.call<{ invoice: Invoice }>(office, 'POST', `/Invoices/Issue/${draft.guid}`, issue))
  const begin = plusDays(day, 1 + pick(12))
  const instalments = cents.map((part, i) => ({ label: `Part ${i + 1}`, dueOn: plusDays(begin, 17 * i), cents: part }))
  const plan = { version: invoice.version, instalments }
  invoice = ok(
    await app.call<{ invoice: Invoice }>(office, 'POST', `/Invoices/Instalments/${draft.guid}`, plan),
  ).invoice
  const { guid, number } = invoice
  const made = { guid, number: number ?? '', of, parts: instalments, paidCents: 0, isVoid: false }
  bills.push(made)
  model.debts.push(made)
}

const owing = ({ parts, paidCents }: Debt) => parts.reduce((sum, { cents }) => sum + cents, 0) - paidCents

async function pay(model: ReminderModel, day: string) {
  const debt = one(bills.filter((some) => owing(some) > 0 && !some.isVoid))
  if (!debt) return
  const whole = owing(debt)
  const amountCents = pick(3) === 0 ? Math.ceil(whole / 2) : whole
  const allocations = [{ invoiceGuid: debt.guid, cents: amountCents }]
  const payment = { amountCents, allocations, method: 'bank_transfer', receivedOn: day }
  ok(await app.call(accountant, 'POST', '/Payments', payment, keyed()), 201)
  model.paid(debt, amountCents, clock)
}

async function hold(model: ReminderModel, day: string) {
  const of = pick(2) === 0 ? one(people) : one(bills)
  if (!of) return
  const until = pick(3) === 0 ? null : plusDays(day, pick(9))
  const whose = 'parts' in of ? { invoiceGuid: of.guid } : { customerGuid: of.guid }
  const reason = one(['promised', 'disputed', 'other'])
  const body = { ...whose, reason, ...(until ? { until } : {}) }
  const made = ok(await app.call<{ hold: ReminderHold }>(office, 'POST', '/Reminders/Holds', body), 201).hold
  const kept = { of, until, isLifted: false }
  model.holds.push(kept)
  holds.push({ guid: made.guid, model: kept })
}

async function lift() {
  const held = one(holds.filter(({ model }) => !model.isLifted))
  if (!held) return
  ok(await app.call(office, 'DELETE', `/Reminders/Holds/${held.guid}`))
  held.model.isLifted = true
}

async function bounce(model: ReminderModel) {
  const address = one(people)?.address
  if (!address || model.suppressed.has(address) || model.suppressed.size > 1) return
  model.suppressed.add(address)
  const closed = { businessGuid, address, scope: 'all' as const, reason: 'bounced' as const, createdAt: clock }
  await app.deps.db.insertInto('suppressions').values(closed).execute()
}

async function giveUp() {
  const debt = one(bills.filter((some) => some.paidCents === 0 && !some.isVoid))
  if (!debt || pick(4) > 0) return
  const { version } = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${debt.guid}`)).invoice
  ok(await app.call(accountant, 'POST', `/Invoices/Void/${debt.guid}`, { version, reason: 'Not done' }))
  debt.isVoid = true
}

const sendAll = () => processQueue(openCtx(systemRun(app.deps, 'test')), () => true)

async function write(model: ReminderModel) {
  const debt = one(bills.filter((some) => owing(some) > 0 && !some.isVoid && some.of.address !== null))
  if (!debt) return
  const { address } = debt.of
  const body = { invoiceGuid: debt.guid, intent: 'send', to: [address], subject: 'About it', bodyHtml: '<p>Hello</p>' }
  if (model.suppressed.has(address ?? '')) return
  ok(await app.call(office, 'POST', '/Invoices/Messages', body), 201)
  await sendAll()
  model.wrote(debt, clock)
}

/** What the clock calls, one behind the other. */
async function runClock(): Promise<void> {
  const key = { authorization: `Cron ${app.deps.keys.cron}` }
  const run = async (path: string) => ok(await app.call<PlannedReport>(null, 'GET', path, undefined, key))
  const reports = [
    await run('/Cron/Orders/Billing/Messages/Outstanding'),
    await run('/Cron/Process/Messages/Scheduled'),
  ]
  expect(reports.map(({ failed, remaining }) => failed + remaining)).toEqual([0, 0])
  await sendAll()
}

/** What happened longer ago does not change any more. */
const since = () => new Date(clock.getTime() - 3 * 86_400_000)

/** The reminders of these days, as lines that say all that matters of each. */
async function told(): Promise<string[]> {
  const rows = await app.deps.db
    .selectFrom('messages as m')
    .innerJoin('messageInvoices as x', 'x.messageGuid', 'm.guid')
    .innerJoin('invoices as i', 'i.guid', 'x.invoiceGuid')
    .select(['m.guid', 'm.status', 'm.scheduledAt', 'm.recipients', 'i.number'])
    .where('m.template', '=', 'reminder')
    .where('m.scheduledAt', '>', since().toISOString())
    .execute()
  const byMessage = Map.groupBy(rows, ({ guid }) => guid)
  return [...byMessage.values()]
    .map((some) =>
      line({
        to: some[0]?.recipients.join(', ') ?? '',
        at: new Date(some[0]?.scheduledAt ?? 0),
        status: some[0]?.status ?? '',
        numbers: some.map(({ number }) => number ?? ''),
      }),
    )
    .toSorted()
}

interface Told {
  to: string
  at: Date
  status: string
  numbers: string[]
}
const line = ({ to, at, status, numbers }: Told) =>
  `${at.toISOString()} ${to} ${status}${status === 'cancelled' ? '' : `: ${numbers.toSorted().join(', ')}`}`
const lineOf = ({ to, scheduledAt: at, status, asked }: Reminder) =>
  line({ to, at, status, numbers: asked.map(({ debt }) => debt.number) })

const expected = ({ reminders }: ReminderModel) =>
  reminders
    .filter(({ scheduledAt }) => scheduledAt > since())
    .map(lineOf)
    .toSorted()

test(
  'the ladder asks whom a model of it would ask, and when, through every change of the clocks',
  async () => {
    const model = new ReminderModel(spans[0]?.[0] ?? '')
    const logInAnew = async () => {
      office = { headers: await openSession(app, actors.office.userGuid) }
      accountant = { headers: await openSession(app, actors.accountant.userGuid) }
    }
    await logInAnew()
    const { policy } = ok(await app.call<{ policy: ReminderPolicy }>(office, 'GET', '/Reminders/Policy'))
    const { version } = policy
    ok(await app.call(office, 'PATCH', '/Reminders/Policy', { version, isOn: true, startsOn: spans[0]?.[0] }))
    for (const [first, last] of spans)
      for (let day: string = first; day <= last; day = plusDays(day, 1)) {
        for (const minutes of ticks) {
          clock = new Date(sydney(day, minutes).getTime() - 60_000)
          const deeds = pick(rarity) === 0 ? 1 + pick(2) : 0
          if (deeds > 0) await logInAnew()
          for (let i = 0; i < deeds; i++) {
            const deed = pick(20)
            if (people.length < 14 && deed < 5) await meet()
            else if (deed < 11) await bill(model, day)
            else if (deed < 15) await pay(model, day)
            else if (deed < 17) await hold(model, day)
            else if (deed < 18) await lift()
            else if (deed < 19) await (pick(2) === 0 ? giveUp() : write(model))
            else await bounce(model)
          }
          clock = sydney(day, minutes)
          await runClock()
          model.plan(clock)
          model.release(clock)
          expect(await told(), `${day} ${minutes / 60}`).toEqual(expected(model))
        }
      }
    const sent = model.reminders.filter(({ status }) => status === 'sent')
    expect(sent.length).toBeGreaterThan(10)
    expect(sent.some(({ asked }) => asked.length > 1)).toBe(true)
  },
  patienceMs,
)
