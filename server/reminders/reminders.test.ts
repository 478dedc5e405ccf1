import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, instantAt } from '../../contract/core/dates.ts'
import type { ThreadItem } from '../../contract/message-writes.ts'
import { holdReasons, type RemindersToday, skipReasons } from '../../contract/reminders.ts'
import { aPersonWho } from '../../test/support/actors.ts'
import { ok } from '../../test/support/factories.ts'
import {
  type Customer,
  type Invoice,
  type Reminding,
  start,
  startReminding,
  zone,
} from '../../test/support/reminders.ts'
import type { Caller } from '../../test/support/start.ts'
import { noteStatements } from '../../test/support/statements.ts'
import { newHold, writeHold } from '../core/hold.ts'
import { sendingJob } from '../messages/messages.queue.ts'
import { makeDice } from '../sample/random.ts'
import { reminderJob } from './ladder.ts'

let r: Reminding
beforeAll(async () => {
  r = await startReminding()
})
afterAll(() => r.app.stop())
beforeEach(() => (r.clock.at = start))

describe('a step', () => {
  it('waits out Easter: due on Thursday 2 April 2026, it leaves at 2026-04-06T23:00Z', async () => {
    await r.ladder({ quiet: { from: '19:00', to: '07:30', weekdays: [6, 7], holidays: true } })
    const whom = await r.customer()
    await r.invoice(whom, '2026-04-02')
    await r.ladder({
      steps: (await r.policy()).policy.steps.slice(1),
      quiet: { from: '19:00', to: '07:30', weekdays: [6, 7], holidays: true },
    })
    for (const day of ['2026-04-02', '2026-04-03', '2026-04-04', '2026-04-05', '2026-04-06'])
      for (const time of ['00:10', '08:50', '12:00', '23:50']) await r.climb(day, time)
    expect(await r.mails(whom)).toEqual([])
    expect((await r.climb('2026-04-07', '00:15')).succeeded).toBeGreaterThan(0)
    const [mail] = await r.mails(whom)
    expect(mail).toMatchObject({
      status: 'scheduled',
      scheduledFor: '2026-04-07T09:00',
      timeZone: zone,
      cancelWhen: 'settled',
      template: 'reminder',
    })
    expect(new Date(mail?.scheduledAt ?? 0).toISOString()).toBe('2026-04-06T23:00:00.000Z')
    await r.climb('2026-04-07', '00:30')
    await r.release('2026-04-07', '08:59')
    expect(await r.statuses(whom)).toEqual(['scheduled'])
    await r.release('2026-04-07', '09:00')
    expect(await r.statuses(whom)).toEqual(['queued'])
  })

  it('is not climbed to once quiet hours have begun, and after the hour of the day goes at once', async () => {
    await r.ladder()
    const whom = await r.customer()
    await r.invoice(whom, '2026-03-02')
    for (const time of ['19:00', '23:59']) await r.climb('2026-03-03', time)
    expect(await r.mails(whom)).toEqual([])
    await r.climb('2026-03-03', '18:59')
    expect(await r.statuses(whom)).toEqual(['queued'])
  })

  it('before the policy is left out; the greatest is taken later, and those below it are over', async () => {
    await r.ladder({ startsOn: '2026-03-10' })
    const whom = await r.customer()
    const bill = await r.invoice(whom, '2026-03-01')
    r.at('2026-03-10', '10:00')
    expect(await r.reasonsOf(whom, bill)).toEqual(['before_policy'])
    await r.climb('2026-03-10', '10:00')
    expect(await r.log(bill.guid)).toEqual([])
    await r.climb('2026-03-15', '10:00')
    expect(await r.log(bill.guid)).toEqual([
      { step: -3, outcome: 'passed_over' },
      { step: 1, outcome: 'passed_over' },
      { step: 7, outcome: 'passed_over' },
      { step: 14, outcome: 'made' },
    ])
    const [mail] = await r.mails(whom)
    expect(mail?.subject).toBe('Final reminder: $110.00 is owing to Brolga Fencing Pty Ltd')
    await r.climb('2026-03-16', '10:00')
    expect(await r.mails(whom)).toHaveLength(1)
  })

  it('that was held goes when the hold is lifted: skips are not written down', async () => {
    await r.ladder({ startsOn: '2026-03-10' })
    const whom = await r.customer()
    const bill = await r.invoice(whom, '2026-03-01')
    const { hold: held } = ok(await r.hold({ invoiceGuid: bill.guid, until: '2026-03-19' }), 201)
    for (const day of ['2026-03-15', '2026-03-19']) await r.climb(day, '10:00')
    expect(await r.log(bill.guid)).toEqual([])
    expect(held.until).toBe('2026-03-19')
    await r.climb('2026-03-20', '10:00')
    expect((await r.log(bill.guid)).at(-1)).toEqual({ step: 14, outcome: 'made' })
  })

  it('of a second instalment has a ladder of its own, and asks for what is due by its day', async () => {
    await r.ladder()
    const whom = await r.customer()
    const bill = await r.invoice(whom, '2026-03-02', 30_000)
    const parts = ['2026-03-02', '2026-04-20'].map((dueOn, i) => ({ label: `Part ${i + 1}`, dueOn, cents: 15_000 }))
    ok(
      await r.app.call(r.office, 'POST', `/Invoices/Instalments/${bill.guid}`, {
        version: bill.version,
        instalments: parts,
      }),
    )
    r.at('2026-03-03', '10:00')
    expect(await r.reasonsOf(whom, bill)).toEqual([`Remind ${whom.name} about ${bill.number}, $150.00.`])
    await r.climb('2026-03-03', '10:00')
    expect((await r.mails(whom))[0]?.facts?.words?.bodyHtml).toContain('$150.00')
    await r.pay(whom, 15_000, bill.guid)
    await r.climb('2026-04-16', '10:00')
    expect(await r.mails(whom)).toHaveLength(1)
    await r.climb('2026-04-17', '10:00')
    expect((await r.mails(whom)).map(({ subject }) => subject.includes('$150.00'))).toEqual([true, true])
    const rows = await sql<{ dueOn: string; step: number }>`select due_on as "dueOn", step from reminder_log
      where invoice_guid = ${bill.guid}::uuid and outcome = 'made' order by due_on`.execute(r.app.deps.db)
    expect(rows.rows).toEqual([
      { dueOn: '2026-03-02', step: 1 },
      { dueOn: '2026-04-20', step: -3 },
    ])
  })
})

describe('a reminder', () => {
  it('names what a customer owes in one email, less what is disputed, and shows in each thread', async () => {
    await r.ladder()
    const whom = await r.customer({
      contacts: [
        { name: 'Zoe', email: 'Zoe@customer.example', isPrimary: true },
        { name: 'Ann', email: 'ann@customer.example' },
        { name: 'Bob', email: 'bob@customer.example', receivesReminders: false },
      ],
    })
    const [one, two, three] = [
      await r.invoice(whom, '2026-03-02', 100_000),
      await r.invoice(whom, '2026-03-09', 24_000),
      await r.invoice(whom, '2026-03-09', 50_000),
    ]
    ok(await r.hold({ invoiceGuid: three.guid, reason: 'disputed' }), 201)
    r.at('2026-03-10', '10:00')
    const effect = `Remind ${whom.name} about ${one.number} and ${two.number}, $1,240.00.`
    expect(await r.reasonsOf(whom, one, two, three)).toEqual([effect, 'disputed'])
    await r.climb('2026-03-10', '10:00')
    const sent = await r.mails(whom)
    expect(sent).toHaveLength(1)
    const [mail] = sent
    expect(mail).toMatchObject({
      ownerType: 'customer',
      ownerGuid: whom.guid,
      recipients: ['ann@customer.example', 'zoe@customer.example'],
      purpose: 'billing',
    })
    expect(mail?.attachments.map(({ guid }) => guid)).toEqual([one.guid, two.guid])
    const body = mail?.facts?.words?.bodyHtml ?? ''
    for (const said of [one.number, two.number, '$1,240.00', '$240.00']) expect(body).toContain(said)
    expect(body).not.toContain(three.number)
    r.clock.at = start
    for (const bill of [one, two]) {
      const thread = await r.app.call<{ items: ThreadItem[] }>(
        r.office,
        'GET',
        `/Invoices/Messages/load_new/${bill.guid}`,
      )
      expect(ok(thread).items.map(({ guid }) => guid)).toContain(mail?.guid)
    }
    const other = await r.app.call<{ items: ThreadItem[] }>(
      r.office,
      'GET',
      `/Invoices/Messages/load_new/${three.guid}`,
    )
    expect(ok(other).items.map(({ guid }) => guid)).not.toContain(mail?.guid)
  })

  it('that waits is read only by who reads each of its invoices', async () => {
    await r.ladder()
    const whom = await r.customer()
    const [one, other] = [await r.invoice(whom, '2026-03-02', 5000), await r.invoice(whom, '2026-03-02', 50_000)]
    await r.climb('2026-03-03', '08:00')
    r.clock.at = start
    const clerk = await aPersonWho(r.app, 'reader', [
      { action: 'read', subject: 'Messages' },
      { action: 'read', subject: 'Customers' },
      { action: 'read', subject: 'Invoices', conditions: { amountBelowCents: 10_000 } },
    ])
    const thread = await r.app.call<{ items: ThreadItem[] }>(clerk, 'GET', `/Invoices/Messages/load_new/${one.guid}`)
    const [item] = ok(thread).items
    expect(item).toMatchObject({ status: 'scheduled', isBodyHidden: true, text: null })
    const office = await r.app.call<{ items: ThreadItem[] }>(r.office, 'GET', `/Invoices/Messages/load_new/${one.guid}`)
    expect(ok(office).items[0]?.text).toContain(other.number)
  })

  it('of one invoice is that invoice’s, and of six has no papers', async () => {
    await r.ladder()
    const [single, several] = [await r.customer(), await r.customer()]
    const bill = await r.invoice(single, '2026-03-02')
    for (let i = 0; i < 6; i++) await r.invoice(several, '2026-03-02')
    await r.climb('2026-03-03', '10:00')
    expect((await r.mails(single))[0]).toMatchObject({ ownerType: 'invoice', ownerGuid: bill.guid })
    expect((await r.mails(several)).map(({ attachments }) => attachments.length)).toEqual([0])
  })

  it('goes to a contact for money where nobody is to receive reminders, else to the customer', async () => {
    await r.ladder()
    const [billed, own] = [
      await r.customer({
        contacts: [
          { name: 'Ann', email: 'ann@billed.example', receivesReminders: false },
          { name: 'Bob', email: 'bob@billed.example', receivesReminders: false, role: 'billing' },
        ],
      }),
      await r.customer({ contacts: [{ name: 'Cy', email: 'cy@own.example', receivesReminders: false }] }),
    ]
    await r.invoice(billed, '2026-03-02')
    await r.invoice(own, '2026-03-02')
    await r.climb('2026-03-03', '10:00')
    expect((await r.mails(billed))[0]?.recipients).toEqual(['bob@billed.example'])
    expect((await r.mails(own))[0]?.recipients).toEqual([expect.stringMatching(/^c\d+@customer.example$/)])
  })

  it('drops what need not be asked for any more when it goes, and is taken back where nothing is left', async () => {
    await r.ladder()
    const [some, none, paid] = [await r.customer(), await r.customer(), await r.customer()]
    const [kept, dropped] = [await r.invoice(some, '2026-03-02'), await r.invoice(some, '2026-03-02')]
    const held = await r.invoice(none, '2026-03-02')
    const settled = await r.invoice(paid, '2026-03-02')
    await r.climb('2026-03-03', '08:00')
    for (const whom of [some, none, paid]) expect(await r.statuses(whom)).toEqual(['scheduled'])
    r.clock.at = start
    ok(await r.hold({ invoiceGuid: dropped.guid, until: '2026-03-03' }), 201)
    ok(await r.hold({ customerGuid: none.guid, reason: 'disputed' }), 201)
    await r.pay(paid, 11_000, settled.guid)
    await r.release('2026-03-03', '09:00')
    const [mail] = await r.mails(some)
    expect(mail?.status).toBe('queued')
    expect(mail?.facts?.words?.bodyHtml).toContain(kept.number)
    expect(mail?.facts?.words?.bodyHtml).not.toContain(dropped.number)
    expect(mail?.attachments.map(({ guid }) => guid)).toEqual([kept.guid])
    expect((await r.mails(none))[0]).toMatchObject({
      status: 'cancelled',
      failureReason: 'Disputed. This step isn’t repeated.',
    })
    expect((await r.mails(paid))[0]).toMatchObject({
      status: 'cancelled',
      failureReason: 'Nothing is owing. This step isn’t repeated.',
    })
    // What was taken back is not made again, and the next step comes as if nothing had been.
    await r.climb('2026-03-04', '10:00')
    expect(await r.mails(paid)).toHaveLength(1)
    expect((await r.log(held.guid)).at(-1)).toEqual({ step: 1, outcome: 'made' })
  })

  it('that the office cancels is not made again that step', async () => {
    await r.ladder()
    const whom = await r.customer()
    await r.invoice(whom, '2026-03-02')
    await r.climb('2026-03-03', '08:00')
    const [mail] = await r.mails(whom)
    r.clock.at = start
    ok(await r.app.call(r.office, 'DELETE', `/Messages/${mail?.guid}`))
    for (const day of ['2026-03-03', '2026-03-06']) await r.climb(day, '10:00')
    expect(await r.statuses(whom)).toEqual(['cancelled'])
    await r.climb('2026-03-09', '10:00')
    expect(await r.statuses(whom)).toEqual(['cancelled', 'queued'])
  })

  it('is taken back once reminders are turned off', async () => {
    await r.ladder()
    const whom = await r.customer()
    await r.invoice(whom, '2026-03-02')
    await r.climb('2026-03-03', '08:00')
    await r.ladder({ isOn: false })
    await r.release('2026-03-03', '09:00')
    expect((await r.mails(whom))[0]).toMatchObject({
      status: 'cancelled',
      failureReason: 'Reminders are turned off. This step isn’t repeated.',
    })
  })

  it('that comes too late waits out the night, in every queue, and says that no person sent it', async () => {
    await r.ladder()
    const whom = await r.customer()
    await r.invoice(whom, '2026-03-02')
    await r.climb('2026-03-03', '08:00')
    await r.release('2026-03-03', '19:30')
    expect(await r.statuses(whom)).toEqual(['scheduled'])
    await r.release('2026-03-03', '18:59')
    expect(await r.statuses(whom)).toEqual(['queued'])
    r.at('2026-03-03', '20:00')
    await sendingJob.run(r.app.deps)
    const [waiting] = await r.mails(whom)
    // It says in the morning what is so then.
    expect(waiting).toMatchObject({ status: 'scheduled', attempts: 0, scheduledFor: '2026-03-04T07:30', facts: null })
    expect(new Date(waiting?.scheduledAt ?? 0).toISOString()).toBe(instantAt('2026-03-04', 450, zone))
    await sql`update messages set status = 'cancelled', next_attempt_at = null where status = 'queued'
      and customer_guid <> ${whom.guid}::uuid`.execute(r.app.deps.db)
    await r.release('2026-03-04', '07:30')
    await sendingJob.run(r.app.deps)
    const [sent] = await r.mails(whom)
    expect(sent?.status).toBe('sent')
    const bytes = await r.app.deps.files.get(sent?.rawSha256 ?? '')
    expect(Buffer.from(bytes ?? []).toString('utf8')).toContain('Auto-Submitted: auto-generated')
  })
})

describe('the reasons why an invoice is left out', () => {
  const day = '2026-03-03'
  /** When the reasons are asked. */
  const midday = () => r.at(day, '10:00')

  it('are twelve, asked in one order', () => {
    expect(skipReasons).toHaveLength(12)
  })

  it('disputed comes before a hold, and both count through their last day', async () => {
    await r.ladder()
    const whom = await r.customer()
    const bill = await r.invoice(whom, '2026-03-02')
    const { hold: promised } = ok(await r.hold({ customerGuid: whom.guid, reason: 'promised', until: day }), 201)
    midday()
    expect(await r.reasonsOf(whom, bill)).toEqual(['on_hold'])
    r.at(addDays(day, 1), '10:00')
    expect(await r.reasonsOf(whom, bill)).toEqual([expect.stringMatching(/^Remind /)])
    r.clock.at = start
    ok(await r.hold({ invoiceGuid: bill.guid, reason: 'disputed', until: day }), 201)
    midday()
    expect(await r.reasonsOf(whom, bill)).toEqual(['disputed'])
    expect(promised.until).toBe(day)
  })

  it('below the minimum is asked of each invoice, and exactly $20.00 passes', async () => {
    await r.ladder()
    const whom = await r.customer()
    const [less, just] = [await r.invoice(whom, '2026-03-02', 1999), await r.invoice(whom, '2026-03-02', 2000)]
    midday()
    expect(await r.reasonsOf(whom, less, just)).toEqual([
      `Remind ${whom.name} about ${just.number}, $20.00.`,
      'below_minimum',
    ])
  })

  it('a payment of today, allocated or not, and one that is being processed', async () => {
    await r.ladder()
    const [paying, payer] = [await r.customer(), await r.customer()]
    const bill = await r.invoice(paying, '2026-03-02')
    const other = await r.invoice(payer, '2026-03-02')
    const payment = await r.pay(payer, 100)
    await r.app.deps.db
      .insertInto('paymentAttempts')
      .values({
        ...{ guid: randomUUID(), businessGuid: (await r.mine()).guid, invoiceGuid: bill.guid, amountCents: 11_000 },
        ...{ provider: 'sandbox', providerKey: randomUUID(), createdAt: start },
      })
      .execute()
    midday()
    expect(await r.reasonsOf(paying, bill)).toEqual(['payment_processing'])
    expect(await r.reasonsOf(payer, other)).toEqual([expect.stringMatching(/^Remind /)])
    expect(payment.guid).toBeTruthy()
    // The same day as the payment came.
    const early = await r.invoice(payer, '2026-02-03')
    r.clock.at = new Date(start.getTime() + 3_600_000)
    expect(await r.reasonsOf(payer, early)).toEqual(['paid_today'])
  })

  it('an email about money in the last 48 hours; exactly 48 pass', async () => {
    await r.ladder()
    const whom = await r.customer()
    const bill = await r.invoice(whom, '2026-03-02')
    midday()
    const sentAt = new Date(r.clock.at.getTime() - 48 * 3_600_000)
    const guid = await r.aSentMail(whom, bill, sentAt)
    expect(await r.reasonsOf(whom, bill)).toEqual([expect.stringMatching(/^Remind /)])
    r.clock.at = new Date(r.clock.at.getTime() - 1)
    expect(await r.reasonsOf(whom, bill)).toEqual(['messaged_recently'])
    expect(guid).toBeTruthy()
  })

  it('nobody to write to, and nobody who may be written to', async () => {
    await r.ladder()
    const [nobody, closed] = [await r.customer({ email: null }), await r.customer()]
    const [one, two] = [await r.invoice(nobody, '2026-03-02'), await r.invoice(closed, '2026-03-02')]
    const { email } = await r.app.deps.db
      .selectFrom('customers')
      .select('email')
      .where('guid', '=', closed.guid)
      .executeTakeFirstOrThrow()
    await r.app.deps.db
      .insertInto('suppressions')
      .values({
        ...{ businessGuid: (await r.mine()).guid, address: email ?? '', scope: 'all' as const },
        ...{ reason: 'bounced' as const, createdAt: start },
      })
      .execute()
    midday()
    expect(await r.reasonsOf(nobody, one)).toEqual(['no_address'])
    expect(await r.reasonsOf(closed, two)).toEqual(['suppressed'])
  })

  it('one reminder a customer and day', async () => {
    await r.ladder()
    const whom = await r.customer()
    const [one, held] = [await r.invoice(whom, '2026-03-02'), await r.invoice(whom, '2026-03-02')]
    const { hold: holding } = ok(await r.hold({ invoiceGuid: held.guid }), 201)
    await r.climb(day, '10:00')
    r.clock.at = start
    ok(await r.app.call(r.office, 'DELETE', `/Reminders/Holds/${holding.guid}`))
    r.at(day, '11:00')
    expect(await r.reasonsOf(whom, one, held)).toEqual(['reminded_today'])
    await r.climb(addDays(day, 1), '10:00')
    expect(await r.mails(whom)).toHaveLength(2)
  })

  it('what is void or paid in the meantime is left out of a reminder that waits', async () => {
    await r.ladder()
    const whom = await r.customer()
    const bills = [
      await r.invoice(whom, '2026-03-02'),
      await r.invoice(whom, '2026-03-02'),
      await r.invoice(whom, '2026-03-02'),
    ]
    const [gone, paid, left] = bills as [Invoice, Invoice, Invoice]
    await r.climb(day, '08:00')
    r.clock.at = start
    const version = gone.version
    ok(await r.app.call(r.office, 'POST', `/Invoices/Void/${gone.guid}`, { version, reason: 'Twice' }))
    await r.pay(whom, 11_000, paid.guid)
    await r.release(day, '09:00')
    const [mail] = await r.mails(whom)
    expect(mail?.status).toBe('queued')
    expect(bills.filter(({ number }) => mail?.facts?.words?.bodyHtml.includes(number))).toEqual([left])
  })
})

describe('what is shown of a day', () => {
  it('has the reminders that were made, what comes next, and why others are left out', async () => {
    await r.ladder()
    const [whom, later, held] = [await r.customer(), await r.customer(), await r.customer()]
    const bill = await r.invoice(whom, '2026-02-05')
    const next = await r.invoice(later, '2026-02-05')
    const waits = await r.invoice(held, '2026-02-05')
    ok(await r.hold({ invoiceGuid: waits.guid, until: '2026-02-20' }), 201)
    ok(await r.hold({ invoiceGuid: next.guid }), 201)
    const seen = async (who: Caller = r.office) => ok(await r.app.call<RemindersToday>(who, 'GET', '/Reminders/Today'))
    r.clock.at = new Date(start.getTime() + 60_000)
    await reminderJob.run(r.app.deps)
    const [releasing] = await r.holds(`?invoiceGuid=${next.guid}`)
    ok(await r.app.call(r.office, 'DELETE', `/Reminders/Holds/${releasing?.guid}`))
    const today = await seen()
    expect(today).toMatchObject({ day: '2026-02-02', isOn: true, isQuiet: false, isPartial: false })
    expect(today.reminders.find(({ customer: { guid } }) => guid === whom.guid)).toMatchObject({
      status: 'queued',
      totalCents: 11_000,
      invoices: [{ label: bill.number, dueOn: '2026-02-05', days: -3, cents: 11_000 }],
    })
    expect(today.planned.find(({ customer: { guid } }) => guid === later.guid)).toMatchObject({
      invoices: [{ guid: next.guid }],
      totalCents: 11_000,
    })
    expect(today.skipped.find(({ invoice: { guid } }) => guid === waits.guid)).toMatchObject({
      reason: 'on_hold',
      until: '2026-02-20',
    })
    const clerk = await aPersonWho(r.app, 'looker', [
      { action: 'read', subject: 'Reminders' },
      { action: 'read', subject: 'Customers', conditions: { scope: 'own' } },
      { action: 'read', subject: 'Invoices' },
    ])
    expect(await seen(clerk)).toMatchObject({ reminders: [], planned: [], skipped: [] })
  })
})

describe('the plan', () => {
  it('reads three statements at most, and a run does what was previewed', async () => {
    await r.ladder()
    for (let i = 0; i < 6; i++) await r.invoice(await r.customer(), '2026-05-04', 2000 + i)
    r.at('2026-05-05', '10:00')
    const noted = noteStatements(r.app.deps.db)
    const statements = await noted(r.preview)
    const result = await r.preview()
    expect(statements.filter((text) => !/^(begin|commit|set|start)/i.test(text)).length).toBeLessThanOrEqual(3)
    const effects = result.items.flatMap((item) => (item.do ? item.effect : []))
    const report = await reminderJob.run(r.app.deps)
    expect(report).toMatchObject({
      succeeded: effects.length,
      failed: 0,
      skipped: result.items.length - effects.length,
    })
    expect(effects.length).toBeGreaterThanOrEqual(6)
    expect((await r.preview()).items.filter((item) => item.do)).toEqual([])
  })

  it('does in a run what its preview says, whatever there is', async () => {
    await r.ladder()
    const rounds = process.env['PROVE'] === '1' ? 60 : 8
    const seed = Number(process.env['REMINDER_SEED'] ?? Math.floor(Math.random() * 1e9))
    const dice = makeDice(seed)
    const people: { whom: Customer; bills: Invoice[] }[] = []
    for (let i = 0; i < 5; i++) {
      const whom = await r.customer(dice.chance(20) ? { email: null } : {})
      const bills: Invoice[] = []
      for (let n = 0; n < 3; n++)
        bills.push(await r.invoice(whom, addDays('2026-06-01', dice.between(0, 40)), dice.between(1500, 50_000)))
      people.push({ whom, bills })
    }
    for (let day = '2026-06-01', round = 0; round < rounds; round++, day = addDays(day, dice.between(1, 4))) {
      const { whom, bills } = dice.pick(people)
      r.clock.at = start
      const what = dice.pick(['hold', 'lift', 'pay', 'nothing'])
      if (what === 'hold') ok(await r.hold({ invoiceGuid: dice.pick(bills).guid, reason: dice.pick(holdReasons) }), 201)
      const [held] = what === 'lift' ? await r.holds(`?customerGuid=${whom.guid}&isInForce=true`) : []
      if (held) ok(await r.app.call(r.office, 'DELETE', `/Reminders/Holds/${held.guid}`))
      if (what === 'pay') await r.pay(whom, 100)
      r.at(day, dice.pick(['00:15', '08:45', '12:00', '18:59', '19:00']))
      const { items } = await r.preview()
      const planned = items.map((item) => [item.key, item.do ? item.effect : item.reason])
      const report = await reminderJob.run(r.app.deps, { actor: { kind: 'system', name: 'test' } })
      const [run] = (await reminderJob.runs({ db: r.app.deps.db, actor: { kind: 'system', name: 'test' } }, {})).items
      const did = run?.items.map((item) => [item.key, item.outcome === 'done' ? item.effect : item.reason])
      expect([seed, day, did?.toSorted()]).toEqual([seed, day, planned.toSorted()])
      expect(report).toMatchObject({ considered: items.length, failed: 0, remaining: 0 })
      await r.release(day, '09:00')
    }
  })

  it('rests while it is paused, and while a restored database is looked at', async () => {
    await r.ladder()
    const whom = await r.customer()
    await r.invoice(whom, '2026-03-02')
    const pause = { name: 'reminders', isPaused: true, reason: 'Moving house' }
    ok(await r.app.call(r.actors.administrator, 'PATCH', '/Cron/Jobs', pause))
    expect(await r.climb('2026-03-03', '10:00')).toMatchObject({ isPaused: true, processed: 0 })
    expect(await r.mails(whom)).toEqual([])
    r.clock.at = start
    const told = async () => ok(await r.app.call<RemindersToday>(r.office, 'GET', '/Reminders/Today'))
    expect(await told()).toMatchObject({ isPaused: true, pausedReason: 'Moving house', hasSteps: true })
    ok(await r.app.call(r.actors.administrator, 'PATCH', '/Cron/Jobs', { ...pause, isPaused: false }))
    await writeHold(r.app.deps.db, newHold(start.toISOString(), start.toISOString(), 'report.txt'), start)
    expect(await r.climb('2026-03-03', '10:00')).toMatchObject({ isPaused: true, processed: 0 })
    r.clock.at = start
    expect(await told()).toMatchObject({ isPaused: true, pausedReason: 'restored' })
    await sql`delete from app_state where key = 'hold'`.execute(r.app.deps.db)
    expect((await r.climb('2026-03-03', '10:00')).succeeded).toBeGreaterThan(0)
    r.clock.at = start
    expect(await told()).toMatchObject({ isPaused: false, pausedReason: null })
  })
})
