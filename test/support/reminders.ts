import { randomUUID } from 'node:crypto'
import { instantAt, localDay } from '../../contract/core/dates.ts'
import type { Page } from '../../contract/core/common.ts'
import type { JobPreview } from '../../contract/jobs.ts'
import type { ReminderHold, ReminderPolicy } from '../../contract/reminders.ts'
import { openCtx, systemRun } from '../../server/core/run.ts'
import { scheduledJob } from '../../server/messages/scheduled.ts'
import { reminderJob } from '../../server/reminders/ladder.ts'
import { aCustomer, aLine, ok, startStaffed } from './factories.ts'
import { type Caller, keyed } from './start.ts'

export const zone = 'Australia/Sydney'
/** Monday noon, before anything is due. */
export const start = new Date('2026-02-02T01:00:00Z')

export interface Customer {
  guid: string
  name: string
}
export interface Invoice {
  guid: string
  version: number
  number: string
}
export interface ShownPolicy {
  policy: ReminderPolicy
  templates: { guid: string; name: string; isDefault: boolean }[]
}

/** A business in Sydney that reminds its customers, with a clock that is moved, and all that is done with it. */
export async function startReminding() {
  const clock = { at: start }
  const { app, actors } = await startStaffed({ now: () => clock.at })
  const office = actors.office
  await app.deps.db.updateTable('businesses').set({ holidayState: 'NSW' }).execute()
  let made = 0

  const policy = async () => ok(await app.call<ShownPolicy>(office, 'GET', '/Reminders/Policy'))
  const save = async (changes: Partial<Omit<ReminderPolicy, 'version'>>, who: Caller = office) =>
    app.call<ShownPolicy>(who, 'PATCH', '/Reminders/Policy', { version: (await policy()).policy.version, ...changes })
  const holds = async (query = '', who: Caller = office) =>
    ok(await app.call<Page<ReminderHold>>(who, 'GET', `/Reminders/Holds${query}`)).items
  const hold = (facts: Record<string, unknown>, who: Caller = office) =>
    app.call<{ hold: ReminderHold }>(who, 'POST', '/Reminders/Holds', { reason: 'other', ...facts })
  const refusal = ({ status, errors }: { status: number; errors: { path: string; message: string }[] }) => [
    status,
    errors[0]?.path,
    errors[0]?.message,
  ]

  const at = (day: string, time: string) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    clock.at = new Date(instantAt(day, hours * 60 + minutes, zone))
  }
  /** Has the ladder climbed at a time of a day, on the clocks of the business. */
  const climb = (day: string, time: string) => {
    at(day, time)
    return reminderJob.run(app.deps)
  }
  const release = (day: string, time: string) => {
    at(day, time)
    return scheduledJob.run(app.deps)
  }
  const preview = (): Promise<JobPreview> => reminderJob.preview(openCtx(systemRun(app.deps, 'test')))

  async function customer(facts: Record<string, unknown> = {}): Promise<Customer> {
    const name = `Customer ${++made}`
    const { guid } = await aCustomer(app, office, { displayName: name, email: `c${made}@customer.example`, ...facts })
    return { guid, name }
  }
  /** An issued invoice over so many cents, that is due on a day. */
  async function invoice({ guid: customerGuid }: Customer, dueOn: string, cents = 11_000): Promise<Invoice> {
    clock.at = start
    const issueOn = localDay(start.toISOString(), zone)
    const termsDays = Math.round((Date.parse(dueOn) - Date.parse(issueOn)) / 86_400_000)
    const body = { customerGuid, title: 'Fence', termsDays, priceMode: 'inclusive' }
    const line = aLine({ quantity: '1', unitPriceCents: cents })
    const draft = ok(await app.call<{ invoice: Invoice }>(office, 'POST', '/Invoices', { ...body, lines: [line] }), 201)
    const path = `/Invoices/Issue/${draft.invoice.guid}`
    const issued = ok(await app.call<{ invoice: Invoice & { dueOn: string } }>(office, 'POST', path, { version: 1 }))
    if (issued.invoice.dueOn !== dueOn) throw new Error(`due on ${issued.invoice.dueOn}`)
    return issued.invoice
  }
  const pay = async ({ guid: customerGuid }: Customer, amountCents: number, invoiceGuid?: string) => {
    const now = clock.at
    clock.at = start
    const allocations = invoiceGuid ? [{ invoiceGuid, cents: amountCents }] : []
    const body = { customerGuid, method: 'bank_transfer', amountCents, receivedOn: '2026-02-02', allocations }
    const { payment } = ok(
      await app.call<{ payment: { guid: string } }>(office, 'POST', '/Payments', body, keyed()),
      201,
    )
    clock.at = now
    return payment
  }
  const mails = ({ guid }: Customer) =>
    app.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('customerGuid', '=', guid)
      .where('isAutomatic', '=', true)
      .orderBy('createdAt')
      .execute()
  const statuses = async (whom: Customer) => (await mails(whom)).map(({ status }) => status)
  const log = (invoiceGuid: string) =>
    app.deps.db
      .selectFrom('reminderLog')
      .select(['step', 'outcome'])
      .where('invoiceGuid', '=', invoiceGuid)
      .orderBy('step')
      .execute()
  const itemsOf = async (whom: Customer, ...invoices: Invoice[]) => {
    const guids = [whom.guid, ...invoices.map(({ guid }) => guid)]
    return (await preview()).items.filter(({ record }) => guids.includes(record.guid))
  }
  const reasonsOf = async (whom: Customer, ...invoices: Invoice[]) =>
    (await itemsOf(whom, ...invoices)).map((item) => (item.do ? item.effect : item.reason))

  /** A ladder for what follows: on all days of the week, since long ago. */
  async function ladder(changes: Partial<Omit<ReminderPolicy, 'version'>> = {}) {
    clock.at = start
    const quiet = { from: '19:00', to: '07:30', weekdays: [], holidays: false }
    const { templates } = await policy()
    const templateGuid = templates.find(({ isDefault }) => isDefault)?.guid ?? ''
    const final = templates.find(({ name }) => name === 'Final reminder')?.guid ?? ''
    const steps = [-3, 1, 7, 14, 30].map((days) => ({ days, templateGuid: days < 14 ? templateGuid : final }))
    const usual = { isOn: true, startsOn: '2026-01-01', sendAt: '09:00', minimumCents: 2000, steps, quiet }
    ok(await save({ ...usual, ...changes }))
  }

  const mine = () =>
    app.deps.db.selectFrom('businesses').select('guid').orderBy('createdAt').limit(1).executeTakeFirstOrThrow()

  /** An email about an invoice that went out. */
  async function aSentMail(whom: Customer, bill: Invoice, sentAt: Date): Promise<string> {
    const guid = randomUUID()
    const { guid: businessGuid } = await mine()
    await app.deps.db
      .insertInto('messages')
      .values({
        ...{
          guid,
          businessGuid,
          customerGuid: whom.guid,
          ownerType: 'invoice',
          ownerGuid: bill.guid,
          purpose: 'billing',
        },
        ...{
          sender: 'a@b.example',
          recipients: ['c@d.example'],
          subject: 'Invoice',
          bodyHtml: '<p>x</p>',
          bodyText: 'x',
        },
        ...{ status: 'sent', sentAt, settledAt: sentAt, messageId: `<${guid}@b.example>` },
      })
      .execute()
    return guid
  }

  return {
    app,
    actors,
    office,
    clock,
    policy,
    save,
    holds,
    hold,
    refusal,
    at,
    climb,
    release,
    preview,
    customer,
    invoice,
    pay,
    mails,
    statuses,
    log,
    itemsOf,
    reasonsOf,
    ladder,
    mine,
    aSentMail,
  }
}
export type Reminding = Awaited<ReturnType<typeof startReminding>>
