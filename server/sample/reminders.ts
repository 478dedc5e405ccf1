import { addDays, startOfDay } from '../../contract/core/dates.ts'
import { customersApi } from '../../contract/customers.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { remindersApi } from '../../contract/reminders.ts'
import { customers } from '../customers/customers.service.ts'
import { invoices } from '../invoices/invoices.service.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { payments } from '../payments/payments.service.ts'
import { reminders } from '../reminders/reminders.service.ts'
import { onStage, play, type Stage } from './actors.ts'

const hourMs = 3_600_000
const termsDays = 14
/** Reminders were turned on so many days ago. */
const onForDays = 14

/** What each customer owes: how many days ago it was due, and dollars. */
interface Late {
  name: string
  email: string | null
  owes: readonly (readonly [daysAgo: number, title: string, dollars: string])[]
}
const late = {
  disputed: {
    name: 'Wattlebird Events',
    email: 'accounts@wattlebird.example',
    owes: [
      [9, 'Marquee, spring fair', '1480.00'],
      [8, 'Stage, spring fair', '960.00'],
      [2, 'Lighting towers, spring fair', '640.00'],
    ],
  },
  promised: { name: 'Northline Roofing', email: 'pay@northline.example', owes: [[8, 'Edge protection', '2350.00']] },
  small: { name: 'Bluegum Café', email: 'hello@bluegum.example', owes: [[3, 'Key cut again', '12.50']] },
  old: { name: 'Tidewater Signs', email: 'office@tidewater.example', owes: [[29, 'Boom lift, two days', '780.00']] },
  paying: { name: 'Larkspur Studio', email: 'mia@larkspur.example', owes: [[4, 'Backdrop frame', '415.00']] },
  written: { name: 'Mirabooka Motors', email: 'ap@mirabooka.example', owes: [[3, 'Temporary fence', '1120.00']] },
  unknown: { name: 'Quay Street Deli', email: null, owes: [[5, 'Awning repair', '290.00']] },
  closed: { name: 'Stonehaven Tiling', email: 'old@stonehaven.example', owes: [[5, 'Scaffold hire', '530.00']] },
} as const satisfies Record<string, Late>
type Name = keyof typeof late

interface Made {
  customerGuid: string
  invoiceGuids: string[]
}

async function owing(stage: Stage, { name, email, owes }: Late, today: string, zone: string): Promise<Made> {
  const { customer } = await play(stage, customersApi.create, customers.create, { displayName: name, email })
  const invoiceGuids: string[] = []
  for (const [daysAgo, title, dollars] of owes) {
    const day = addDays(today, -daysAgo - termsDays)
    const then = { ...stage, at: new Date(new Date(startOfDay(day, zone)).getTime() + 10 * hourMs) }
    const { invoice } = await play(then, invoicesApi.create, invoices.create, {
      customerGuid: customer.guid,
      ...{ title, termsDays, priceMode: 'inclusive' },
      lines: [{ name: title, quantity: '1', unitPriceCents: Math.round(Number(dollars) * 100) }],
    })
    await play(then, invoicesApi.issue, invoices.issue, { guid: invoice.guid, version: invoice.version })
    invoiceGuids.push(invoice.guid)
  }
  return { customerGuid: customer.guid, invoiceGuids }
}

/** Reminders are on, and eight invoices that are late show why some are left out; two of them are held. */
export async function makeReminders(stage: Stage, businessGuid: string, today: string, zone: string): Promise<void> {
  const made = {} as Record<Name, Made>
  for (const key of Object.keys(late) as Name[]) made[key] = await owing(stage, late[key], today, zone)
  const disputed = made.disputed.invoiceGuids.at(-1)
  await play(stage, remindersApi.hold, reminders.hold, {
    invoiceGuid: disputed,
    reason: 'disputed',
    note: 'One tower was out for an evening.',
  })
  await play(stage, remindersApi.hold, reminders.hold, {
    customerGuid: made.promised.customerGuid,
    until: addDays(today, 10),
    reason: 'promised',
    note: 'Pays when the builder has paid him.',
  })
  await play(stage, paymentsApi.create, payments.create, {
    customerGuid: made.paying.customerGuid,
    ...{ method: 'bank_transfer', receivedOn: today, amountCents: 10_000, allocations: [] },
  })
  await wroteYesterday(stage, made.written)
  await stage.deps.db
    .insertInto('suppressions')
    .values({
      ...{ businessGuid, address: late.closed.email, scope: 'all', reason: 'bounced', createdAt: stage.at },
      said: '550 5.1.1 The address does not exist.',
    })
    .execute()
  const { policy } = await onStage(stage, (ctx) => reminders.policy(ctx, {}))
  const startsOn = addDays(today, -onForDays)
  await play(stage, remindersApi.savePolicy, reminders.savePolicy, { version: policy.version, isOn: true, startsOn })
}

/** Somebody sent the invoice once more. */
async function wroteYesterday(stage: Stage, { invoiceGuids }: Made): Promise<void> {
  const at = new Date(stage.at.getTime() - 20 * hourMs)
  const [invoiceGuid = ''] = invoiceGuids
  const { guid } = await onStage({ ...stage, at }, (ctx) =>
    queueDocumentMessage(ctx, { template: 'invoice', ownerType: 'invoice', ownerGuid: invoiceGuid }),
  )
  await stage.deps.db
    .updateTable('messages')
    .set({ status: 'sent', attempts: 1, nextAttemptAt: null, sentAt: at, settledAt: at })
    .where('guid', '=', guid)
    .execute()
}
