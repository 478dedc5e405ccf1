import { randomBytes } from 'node:crypto'
import { businessesApi } from '../../contract/businesses.ts'
import { customersApi } from '../../contract/customers.ts'
import { startOfDay, localDay, addDays } from '../../contract/core/dates.ts'
import { businesses, createFirstBusiness } from '../businesses/businesses.service.ts'
import type { Actor } from '../core/ctx.ts'
import type { Deps } from '../core/deps.ts'
import { customers as customersService } from '../customers/customers.service.ts'
import { noticeQueue } from '../core/notices.ts'
import { viewsQueue } from '../files/files.service.ts'
import { spread } from '../notifications/notifications.service.ts'
import { tell, tellQueue, type Told } from '../payments/payments.service.ts'
import type { FirstRun } from '../users/setup.service.ts'
import { makeBatch } from './batches.ts'
import { makeBusinesses, makeBusinessWork } from './businesses.ts'
import { makeCrew, play, onStage, withoutQueue } from './actors.ts'
import { customers } from './company.customers.ts'
import { makeCatalogue, makeProducts } from './catalogue.ts'
import { company, habits } from './company.ts'
import {
  directInvoice,
  directOrder,
  quoteDeal,
  type Deal,
  type Ground,
  type InvoiceFate,
  type QuoteFate,
  type World,
} from './deals.ts'
import { makeDice } from './random.ts'
import { makeActions } from './actions.ts'
import { makeAutomatic } from './automatic.ts'
import { makeAnswers } from './answers.ts'
import { makeImports } from './imports.ts'
import { type LostReason, negotiation, type Negotiation } from './negotiations.ts'
import { makeLetters } from './letters.ts'
import { settleOldMessages } from './messages.ts'
import { makeChanges } from './changes.ts'
import { makeHolidays } from './holidays.ts'
import { makeHires } from './hire.ts'
import { makeLateMoney } from './late-money.ts'
import { makeDeposits } from './deposits.ts'
import { makeLocks } from './locks.ts'
import { makeEmailAccounts } from './email-accounts.ts'
import { makeEntries } from './journal.ts'
import { makeOrderParts } from './order-parts.ts'
import { makePriceLists } from './price-lists.ts'
import { makeOptions } from './options.ts'
import { makeReceived } from './received.ts'
import { makeQuoteTemplates } from './quote-templates.ts'
import { makeRefundEffects } from './refund-effects.ts'
import { makeRefundRequests } from './refund-requests.ts'
import { makeRequests } from './requests.ts'
import { makeReminders } from './reminders.ts'
import { makeSeries } from './series.ts'
import { makeCredits } from './credits.ts'
import { makePrepayments } from './prepayments.ts'
import { makeSets } from './sets.ts'
import { makeStandings } from './standings.ts'
import { settleEvents } from './events.ts'
import { makeFiles, makePictures } from './files.ts'
import { makeViews } from './views.ts'
import { makeEmailTemplates } from './email-templates.ts'
import { makeThemes } from './themes.ts'
import { makeStatements } from './statements.ts'
import { makeWriteOffs } from './write-offs.ts'
import { makeWebhooks } from './webhooks.ts'
import { makeWords } from './words.ts'

/**
 * The sample company as it is, all its logins with one password; or the business and the administrator of a first run.
 */
export type SampleOptions = { password: string } | { owner: FirstRun }

const hourMs = 3_600_000
const daysBack = 545
/** How far back people were told of what happened, and how long they have not looked. */
const newsDays = 60
const unreadDays = 12
/** Mails of the sample company that are still on their way. A real business sends none to people who do not exist. */
const queuedDays = 7

/** How often each ending happens among the quotes that have had time to end. */
const fates: readonly QuoteFate[] = [
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'declined',
  'expired',
  'declined',
  'revised',
  'accepted',
  'cancelled',
  'accepted',
  'expired',
  'accepted',
]
const recentFates: readonly QuoteFate[] = [
  'open',
  'viewed',
  'draft',
  'accepted',
  'changes',
  'viewed',
  'accepted',
  'open',
  'draft',
  'revised',
]

/**
 * Makes the sample company with the product's own services, so that it cannot disagree with the rules: deterministic,
 * with dates relative to today. Needs a database that is migrated and empty.
 */
export async function seedSample(
  app: { deps: Deps },
  options: SampleOptions,
): Promise<{ businessGuid: string; adminGuid: string }> {
  const { deps, left } = withoutQueue(app.deps)
  const owner = 'owner' in options ? options.owner : null
  const zone = deps.settings.timeZone
  const now = deps.now()
  const today = localDay(now.toISOString(), zone)
  const start = new Date(startOfDay(addDays(today, -daysBack), zone))
  // A password that is kept nowhere: nobody can log in as one of the sample staff.
  const password = 'password' in options ? options.password : randomBytes(32).toString('base64url')
  const crew = await makeCrew(deps, password, start, owner?.administrator)
  const stage = { at: start, by: crew.admin, deps }
  const { legalName, abn, gstRegistered, email } = owner?.business ?? company
  const business = await onStage(stage, (ctx) => createFirstBusiness(ctx, { legalName, abn, gstRegistered, email }))
  await play(stage, businessesApi.update, businesses.update, {
    guid: business.guid,
    version: business.version,
    ...(owner ? habits : company),
  })
  const sorted = await makeCatalogue(stage, today)
  const ground: Ground = { deps, crew, zone, customers: [], products: new Map(), jobTypes: new Map() }
  await makeProducts(stage, sorted, ground.products)
  for (const { contact, position, sites = [], ...input } of customers) {
    const { customer } = await play(stage, customersApi.create, customersService.create, {
      ...input,
      contacts: [
        { name: contact, position: position ?? null, email: input.email, phone: input.phone, isPrimary: true },
      ],
      sites: sites.map(([name, line1, suburb, postcode]) => ({
        name,
        address: { line1, suburb, state: 'NSW', postcode },
      })),
    })
    ground.customers.push({
      guid: customer.guid,
      name: customer.displayName,
      contactGuid: customer.contacts[0]?.guid ?? null,
      siteGuids: customer.sites.map((site) => site.guid),
    })
  }
  ground.jobTypes = await makeOptions(stage, ground.products)
  // A real business sends by accounts of its own.
  if (!owner) await makeEmailAccounts(stage)
  if (!owner) await makeBusinesses(stage, business.guid, guidOf(crew.sales))
  await makeViews({ ...stage, by: crew.office })
  await playAll(deals(ground, start, today), zone, now, async (at) => {
    const system = (name: string) => ({ at, by: { kind: 'system' as const, name }, deps })
    for (const { queue, data } of left.splice(0)) {
      if (queue === tellQueue) await onStage(system('payments'), (ctx) => tell(ctx, data as Told))
      if (queue === noticeQueue && now.getTime() - at.getTime() < newsDays * 24 * hourMs)
        await onStage(system('notifications'), (ctx) => spread(ctx, data as Parameters<typeof spread>[1]))
    }
  })
  const yesterday = new Date(new Date(startOfDay(addDays(today, -1), zone)).getTime() + 9 * hourMs)
  await makeSets({ at: yesterday, by: crew.office, deps }, ground)
  await makeAnswers({ at: yesterday, by: crew.office, deps }, ground, addDays(today, 10))
  await makeImports({ at: inWorkingHours(new Date(now.getTime() - 5 * 24 * hourMs), zone), by: crew.office, deps })
  await makeFiles({ at: inWorkingHours(new Date(now.getTime() - 2 * 24 * hourMs), zone), by: crew.office, deps }, crew)
  if (!owner) await makeBusinessWork({ at: now, by: crew.office, deps }, business.guid, ground.customers.at(-1)?.guid)
  await makePictures({ at: now, by: crew.office, deps }, ground.products)
  // Pictures are drawn by those who draw for everybody, as soon as they are there.
  for (const { queue, data } of left.splice(0)) if (queue === viewsQueue) await app.deps.boss.send(queue, data)
  await deps.db
    .updateTable('notifications')
    .set({ readAt: now })
    .where('createdAt', '<', new Date(now.getTime() - unreadDays * 24 * hourMs).toISOString())
    .execute()
  await deps.db
    .updateTable('orders')
    .set({ assignedGuid: guidOf(crew.field) })
    .where('status', 'in', ['confirmed', 'in_progress', 'on_hold'])
    .execute()
  await makeOrderParts({ at: yesterday, by: crew.office, deps }, crew, business.guid)
  await makeChanges({ at: yesterday, by: crew.office, deps }, crew, business.guid)
  await makeWriteOffs({ at: now, by: crew.accountant, deps }, business.guid, today)
  await makeCredits({ at: now, by: crew.accountant, deps }, business.guid, today)
  await makePrepayments({ at: now, by: crew.admin, deps }, business.guid, today)
  await makeDeposits({ at: now, by: crew.office, deps }, ground.customers, today)
  await makeRefundRequests({ at: now, by: crew.accountant, deps }, crew, ground)
  await makeRefundEffects({ at: now, by: crew.accountant, deps }, crew, ground)
  await makeHires({ at: inWorkingHours(now, zone), by: crew.office, deps }, business.guid, today)
  await makePriceLists({ ...stage, at: now, by: crew.admin }, ground)
  await makeQuoteTemplates({ ...stage, at: now, by: crew.office }, ground)
  if (!owner) {
    await makeSeries({ at: inWorkingHours(now, zone), by: crew.office, deps }, ground, today)
    await makeHolidays({ at: inWorkingHours(now, zone), by: crew.office, deps }, today)
    await makeThemes({ at: inWorkingHours(now, zone), by: crew.office, deps })
    await makeEmailTemplates({ at: inWorkingHours(now, zone), by: crew.office, deps })
    await makeRequests({ at: inWorkingHours(now, zone), by: crew.office, deps }, today)
    await makeWords({ ...stage, at: now, by: crew.office }, ground.customers)
    const letters = { ...stage, at: new Date(now.getTime() - hourMs), by: crew.admin }
    await makeLetters(letters, business.guid, business.tradingName ?? business.legalName, today)
    await makeReceived(letters, business.guid)
    await makeWebhooks({ ...stage, at: now, by: crew.admin })
    await makeStandings({ ...stage, at: now, by: crew.admin }, ground.customers)
    await makeActions({ ...stage, at: now, by: crew.admin }, crew, business.guid)
    await makeBatch({ ...stage, at: now, by: crew.office }, business.guid)
    await makeReminders({ ...stage, at: now, by: crew.office }, business.guid, today, zone)
  }
  await makeStatements({ ...stage, at: now, by: crew.office }, business.guid)
  await makeLocks({ at: now, by: crew.accountant, deps }, today)
  await makeLateMoney({ at: now, by: crew.accountant, deps }, business.guid, today)
  await makeEntries({ at: now, by: crew.accountant, deps }, business.guid, today)
  await makeAutomatic({ ...stage, at: now }, owner !== null)
  // Last, so that no letter of a real business stays in its queue.
  await settleOldMessages(deps, now, owner ? 0 : queuedDays)
  await settleEvents(deps, now)
  return { businessGuid: business.guid, adminGuid: guidOf(crew.admin) }
}

/** So that each state can be seen on any day: how many days ago it began, and what became of it. */
const recentInvoices: readonly [number, InvoiceFate][] = [
  [24, 'overdue'],
  [47, 'overdue'],
  [78, 'overdue'],
  [20, 'partly'],
  [12, 'partly'],
  [9, 'viewed'],
  [6, 'sent'],
  [4, 'viewed'],
  [3, 'sent'],
  [2, 'draft'],
  [1.2, 'draft'],
  [15, 'void'],
  [60, 'refunded'],
  [19, 'any'],
  [26, 'any'],
  [33, 'any'],
]
const recentOrders: readonly [
  daysAgo: number,
  fate: 'waiting' | 'on_hold' | 'cancelled' | 'working',
  dueInDays: number,
][] = [
  [11, 'cancelled', -2],
  [9, 'on_hold', 4],
  [6, 'working', 0],
  [4, 'working', 0],
  [3, 'waiting', 1],
  [2, 'waiting', 2],
  [1.3, 'waiting', 5],
]

/** How many days ago each of the quotes that are talked about was sent. */
const negotiations: readonly [daysAgo: number, kind: Negotiation, reason?: LostReason][] = [
  [64, 'expired'],
  [30, 'lost', 'price'],
  [25, 'lost', 'timing'],
  [21, 'lost', 'other'],
  [9, 'settled'],
  [3, 'ranged'],
  [2, 'asking'],
]

const guidOf = (actor: Actor) => (actor.kind === 'user' ? actor.userGuid : '')

/**
 * When each deal begins: more of them lately, so that every state can be seen today. Each has dice of its own, so that
 * it is the same deal at whatever hour the company is made.
 */
function deals(ground: Ground, start: Date, today: string): { at: Date; deal: Deal }[] {
  let seed = 20_261_120
  const dice = makeDice(seed)
  const alone = (): World => ({ ...ground, dice: makeDice(++seed) })
  const at = (daysIn: number) => new Date(start.getTime() + daysIn * 86_400_000 + (8 + dice.next() * 9) * hourMs)
  const list: { at: Date; deal: Deal }[] = []
  const oldQuotes = 76
  for (let i = 0; i < oldQuotes; i++)
    list.push({
      at: at(2 + ((daysBack - 40) * i) / oldQuotes),
      deal: quoteDeal(alone(), fates[i % fates.length] ?? 'accepted'),
    })
  for (let i = 0; i < 19; i++)
    list.push({
      at: at(daysBack - 34 + 1.75 * i),
      deal: quoteDeal(alone(), recentFates[i % recentFates.length] ?? 'open'),
    })
  const steady = 16
  for (let i = 0; i < steady; i++)
    list.push({ at: at(12 + ((daysBack - 16) * i) / steady), deal: directInvoice(alone(), 'any') })
  for (const [daysAgo, fate] of recentInvoices)
    list.push({ at: at(daysBack - daysAgo), deal: directInvoice(alone(), fate) })
  for (let i = 0; i < 6; i++) list.push({ at: at(20 + ((daysBack - 30) * i) / 6), deal: directOrder(alone(), 'any') })
  for (const [daysAgo, fate, dueIn] of recentOrders)
    list.push({ at: at(daysBack - daysAgo), deal: directOrder(alone(), fate, addDays(today, dueIn)) })
  for (const [daysAgo, ...what] of negotiations)
    list.push({ at: at(daysBack - daysAgo), deal: negotiation(alone(), ...what) })
  return list
}

/** Nobody works at night: what would happen then happens the next morning. */
function inWorkingHours(at: Date, zone: string): Date {
  const midnight = new Date(startOfDay(localDay(at.toISOString(), zone), zone)).getTime()
  const hours = (at.getTime() - midnight) / hourMs
  if (hours < 7) return new Date(midnight + (7 + hours / 7) * hourMs)
  if (hours > 18) return new Date(midnight + (31 + (hours - 18) / 6) * hourMs)
  return at
}

/**
 * All deals side by side, always the one whose time comes first, so that numbers rise with the dates. What
 * lies ahead of now stays open.
 */
async function playAll(
  list: { at: Date; deal: Deal }[],
  zone: string,
  now: Date,
  afterwards: (at: Date) => Promise<void>,
): Promise<void> {
  const waiting = list.map(({ at, deal }) => ({ at: inWorkingHours(at, zone), deal, hasBegun: false }))
  for (;;) {
    const next = waiting.reduce<(typeof waiting)[number] | null>(
      (first, entry) => (entry.at <= now && (!first || entry.at < first.at) ? entry : first),
      null,
    )
    if (!next) return
    if (!next.hasBegun) {
      // The first step only says when it wants to begin.
      await next.deal.next(next.at)
      next.hasBegun = true
    }
    const { value, done } = await next.deal.next(next.at)
    await afterwards(next.at)
    if (done) waiting.splice(waiting.indexOf(next), 1)
    else next.at = inWorkingHours(new Date(next.at.getTime() + value * hourMs), zone)
  }
}
