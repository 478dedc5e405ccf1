import { sql } from 'kysely'
import { instantAt } from '../../contract/core/dates.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import { remindersApi, type SkipReason } from '../../contract/reminders.ts'
import type { Ctx } from '../core/ctx.ts'
import { money } from '../core/i18n/format.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { keepAutomatic } from '../messages/automatic.service.ts'
import { askAgainOf, type StillSo } from '../messages/releasing.service.ts'
import { customerOf, effectOf, type Group, groupsOf } from './groups.ts'
import {
  type AskedInvoice,
  findDue,
  findLadders,
  findMade,
  isOpen,
  type Ladder,
  type PlanMark,
} from './plan.queries.ts'

const skippedItem = ({ guid, number, reason }: AskedInvoice & { reason: SkipReason }): PlanItem => ({
  ...{ key: guid, record: { guid, label: number }, do: false, reason },
})
const groupItem = (group: Group): PlanItem => ({
  key: group.key,
  record: { guid: group.customerGuid, label: group.customerName },
  do: true,
  effect: effectOf(group),
})

/** Customers one after the other, as many as have so many invoices; none is taken apart. */
export function wholeCustomers(rows: readonly AskedInvoice[], limit: number) {
  const customers: AskedInvoice[][] = []
  let count = 0
  for (const [, some] of Map.groupBy(rows, (row) => `${row.businessGuid} ${row.customerGuid}`)) {
    if (count > 0 && count + some.length > limit) return { customers, isPartial: true }
    customers.push(some)
    count += some.length
  }
  return { customers, isPartial: false }
}

function itemsOf(rows: readonly AskedInvoice[]) {
  const [first] = rows
  if (!first) return []
  const { businessGuid, customerGuid, firstOn } = first
  const mark: PlanMark = { firstOn, businessGuid, customerGuid }
  const skipped = rows.flatMap((row) => (row.reason === null ? [] : skippedItem({ ...row, reason: row.reason })))
  return [...groupsOf(rows).map(groupItem), ...skipped].map((item) => ({ item, mark, businessGuid }))
}

async function plan(ctx: Ctx, after: PlanMark | null, limit: number) {
  const ladders = (await findLadders(ctx.db, ctx.now)).filter((ladder) => isOpen(ladder, ctx.now))
  const rows = await findDue(ctx.db, ctx.now, ladders, { after, limit: limit + 1 })
  const { customers, isPartial } = wholeCustomers(rows, limit)
  return { items: customers.flatMap(itemsOf), isPartial }
}

/** Steps before it are over with the one that is taken. */
async function logSteps(ctx: Ctx, { steps }: Ladder, { guid, dueOn, step, cents }: AskedInvoice, messageGuid: string) {
  const invoice = { invoiceGuid: guid, dueOn, at: ctx.now }
  await ctx.db
    .insertInto('reminderLog')
    .values({ ...invoice, step, outcome: 'made', messageGuid, cents })
    .execute()
  const lower = steps.filter(({ days }) => days < step)
  if (lower.length === 0) return
  await ctx.db
    .insertInto('reminderLog')
    .values(lower.map(({ days }) => ({ ...invoice, step: days, outcome: 'passed_over' as const })))
    .onConflict((c) => c.columns(['invoiceGuid', 'dueOn', 'step']).doNothing())
    .execute()
}

/** Before the hour of the day it waits for it, where the office may still take it back. */
const timeOf = ({ sendAt, today, place }: Ladder, now: Date): Date => {
  const at = new Date(instantAt(today, sendAt, place.zone))
  return at > now ? at : now
}

/** Reminds a customer, if that is still to be done. Whoever is at the same customer waits here, and finds it done. */
async function remind(ctx: Ctx, key: string): Promise<boolean> {
  const { businessGuid, customerGuid } = customerOf(key)
  await sql`select from customers where guid = ${customerGuid}::uuid for no key update`.execute(ctx.db)
  const ladder = (await findLadders(ctx.db, ctx.now, businessGuid)).find((one) => isOpen(one, ctx.now))
  if (!ladder) return false
  const rows = await findDue(ctx.db, ctx.now, [ladder], { customerGuid })
  const group = groupsOf(rows).find((one) => one.key === key)
  const templateGuid = ladder.steps.find(({ days }) => days === group?.step)?.templateGuid
  if (!group || !templateGuid) return false
  await ctx.workFor(businessGuid)
  await keepAutomatic(ctx, {
    ...{ kind: 'reminder', templateGuid, customerGuid, to: group.to, at: timeOf(ladder, ctx.now) },
    invoiceGuids: group.invoices.map(({ guid }) => guid),
    keep: async (guid) => {
      for (const invoice of group.invoices) await logSteps(ctx, ladder, invoice, guid)
    },
  })
  return true
}

/** What is said of a reminder that has nothing left to say. */
const left = (reason: SkipReason | null | undefined, { minimumCents }: Ladder): string => {
  switch (reason) {
    case 'disputed':
      return 'Disputed.'
    case 'on_hold':
      return 'On hold.'
    case 'below_minimum':
      return `Below ${money(minimumCents)}.`
    case 'before_policy':
      return 'This step fell before reminders began.'
    case 'payment_processing':
      return 'A payment is being processed.'
    case 'paid_today':
      return 'Paid something today.'
    case 'messaged_recently':
      return 'Emailed in the last 48 hours.'
    case 'no_address':
      return 'No email address.'
    case 'suppressed':
      return 'Every recipient is suppressed.'
    default:
      return 'Nothing is owing.'
  }
}

/** Asks again about a reminder whose time has come. */
async function askAgain(ctx: Ctx, messageGuid: string): Promise<StillSo | null> {
  const [ladder] = await findLadders(ctx.db, ctx.now, ctx.business.guid)
  if (!ladder?.isOn) return { invoiceGuids: [], reason: 'Reminders are turned off.' }
  const rows = await findMade(ctx.db, ctx.now, ladder, messageGuid)
  if (rows.length === 0) return null
  const still = rows.filter(({ reason }) => reason === null)
  return {
    invoiceGuids: still.map(({ guid }) => guid),
    reason: still.length > 0 ? null : left(rows[0]?.reason, ladder),
  }
}
askAgainOf('reminder', askAgain)

/** Looks four times an hour for what is due; what it makes before the hour of the day waits for it. */
export const reminderJob = definePlanned<PlanMark>({
  name: 'reminders',
  call: remindersApi.process,
  cron: '*/15 * * * *',
  isSending: true,
  plan,
  act: remind,
})
