import { sql } from 'kysely'
import { startOfDay } from '../../contract/core/dates.ts'
import type { MessageStatus } from '../../contract/messages.ts'
import type { RemindersToday } from '../../contract/reminders.ts'
import type { Ctx } from '../core/ctx.ts'
import { stopOf } from '../core/jobs/runs.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { groupsOf } from './groups.ts'
import { today } from './holds.ts'
import { reminderJob, wholeCustomers } from './ladder.ts'
import { type AskedInvoice, findDue, findLadders, isOpen } from './plan.queries.ts'

/** So many are told of at once. */
const atOnce = 500

type Asked = RemindersToday['planned'][number]['invoices'][number]
const askedOf = ({ guid, number, dueOn, step, cents }: AskedInvoice): Asked => ({
  ...{ guid, label: number, dueOn, days: step, cents },
})

interface MadeRow {
  messageGuid: string
  customerGuid: string
  customerName: string
  to: string[]
  status: MessageStatus
  scheduledAt: string | null
  sentAt: string | null
  failureReason: string | null
  invoices: Asked[]
}

/** The reminders of a day, with the invoices each was made of. */
async function findReminders(ctx: Ctx, midnight: string): Promise<MadeRow[]> {
  const { rows } = await sql<MadeRow>`select m.guid as "messageGuid", k.guid as "customerGuid",
      k.display_name as "customerName", m.recipients as "to", m.status, m.scheduled_at as "scheduledAt",
      m.sent_at as "sentAt", m.failure_reason as "failureReason",
      (select coalesce(json_agg(json_build_object('guid', i.guid, 'label', i.number, 'dueOn', l.due_on, 'days', l.step,
        'cents', l.cents) order by l.due_on, i.guid), '[]'::json)
        from reminder_log l join invoices i on i.guid = l.invoice_guid where l.message_guid = m.guid) as invoices
    from messages m join parties k on k.member_guid = m.customer_guid
    where m.business_guid = ${ctx.business.guid}::uuid and m.is_automatic and m.template = 'reminder'
      and m.created_at >= ${midnight}::timestamptz order by m.created_at, m.guid limit ${atOnce + 1}`.execute(ctx.db)
  return rows
}

/** Whether the caller reads whatever is told of: the customer and each invoice. */
async function readers(ctx: Ctx, customers: readonly string[], invoices: readonly string[]) {
  const subjects = [
    ...[...new Set(customers)].map((guid) => ({ entity: 'Customers', guid })),
    ...[...new Set(invoices)].map((guid) => ({ entity: 'Invoices', guid })),
  ]
  const known = new Set((await filterReadable(ctx, subjects)).map(({ guid }) => guid))
  return (customerGuid: string, invoiceGuids: readonly string[]) =>
    known.has(customerGuid) && invoiceGuids.every((guid) => known.has(guid))
}

const guidsOf = (invoices: readonly { guid: string }[]) => invoices.map(({ guid }) => guid)

export async function remindersToday(ctx: Ctx): Promise<RemindersToday> {
  const day = today(ctx)
  const [ladder] = await findLadders(ctx.db, ctx.now, ctx.business.guid)
  const isOn = ladder?.isOn === true
  const isQuiet = isOn && !isOpen(ladder, ctx.now)
  const stop = await stopOf(ctx, reminderJob)
  const made = await findReminders(ctx, startOfDay(day, ctx.business.timeZone))
  const open = ladder && isOn && !isQuiet ? [ladder] : []
  const due = await findDue(ctx.db, ctx.now, open, { limit: atOnce + 1 })
  const { customers, isPartial } = wholeCustomers(due, atOnce)
  const rows = customers.flat()
  const isTold = await readers(
    ctx,
    [...rows, ...made].map(({ customerGuid }) => customerGuid),
    [...guidsOf(rows), ...made.flatMap(({ invoices }) => guidsOf(invoices))],
  )
  return {
    day,
    isOn,
    hasSteps: ladder !== undefined,
    isPaused: stop !== null,
    pausedReason: stop || null,
    isQuiet,
    reminders: made.slice(0, atOnce).flatMap(({ customerGuid, customerName, invoices, ...row }) =>
      isTold(customerGuid, guidsOf(invoices))
        ? {
            ...row,
            customer: { guid: customerGuid, label: customerName },
            invoices,
            totalCents: invoices.reduce((sum, { cents }) => sum + cents, 0),
          }
        : [],
    ),
    planned: groupsOf(rows).flatMap(({ customerGuid, customerName, to, invoices, totalCents }) =>
      isTold(customerGuid, guidsOf(invoices))
        ? {
            customer: { guid: customerGuid, label: customerName },
            to: [...to],
            totalCents,
            invoices: invoices.map(askedOf),
          }
        : [],
    ),
    skipped: rows.flatMap((row) =>
      row.reason !== null && isTold(row.customerGuid, [row.guid])
        ? {
            customer: { guid: row.customerGuid, label: row.customerName },
            invoice: askedOf(row),
            reason: row.reason,
            until: row.reason === 'on_hold' ? row.until : null,
          }
        : [],
    ),
    isPartial: isPartial || made.length > atOnce,
  }
}
