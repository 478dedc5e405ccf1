import { sql } from 'kysely'
import { addDays } from '../../contract/core/dates.ts'
import { messageWritesApi, type MessageIntent } from '../../contract/message-writes.ts'
import { messagesApi } from '../../contract/messages.ts'
import { messages } from '../messages/messages.service.ts'
import { hear } from '../messages/talk.service.ts'
import { messageWrites } from '../messages/writing.service.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { onStage, play, type Stage } from './actors.ts'

interface Letter {
  subject: string
  bodyHtml: string
}
const aboutAccess: Letter = {
  subject: 'Access on Friday',
  bodyHtml:
    '<p>Hello,</p><p>We’ll be on site from <strong>7:30 am</strong> on Friday. Please leave the side gate unlocked, ' +
    'and keep these clear:</p><ul><li>the driveway</li><li>the power point beside the shed</li></ul><p>Thanks!</p>',
}
const aboutColours: Letter = {
  subject: 'Colours for the panels',
  bodyHtml: '<p>Hello,</p><p>Would you like the panels in white or in charcoal? Both are in stock.</p>',
}
const aboutAccount: Letter = {
  subject: 'Your account with us',
  bodyHtml: '<p>Hello,</p><p>Our bank details stay the same. If anybody tells you otherwise, please ring us first.</p>',
}

async function recordsOf(stage: Stage, table: 'orders' | 'quotes' | 'invoices', businessGuid: string, count: number) {
  const statuses = { orders: ['confirmed', 'in_progress'], quotes: ['sent'], invoices: ['issued'] }[table]
  const { rows } = await sql<{
    guid: string
    customerGuid: string
    number: string
    customerName: string
    email: string
  }>`select d.guid, d.customer_guid as "customerGuid", d.number, c.display_name as "customerName", c.email
    from ${sql.table(table)} d join parties c on c.member_guid = d.customer_guid
    where d.business_guid = ${businessGuid}::uuid and d.status = any(${statuses}::text[]) and c.email is not null
      and d.archived_at is null and d.number is not null
    order by d.created_at desc, d.guid limit ${count}`.execute(stage.deps.db)
  return rows
}

/** What people write by hand, in every status it may have, and what customers answer on the pages of their orders. */
export async function makeLetters(stage: Stage, businessGuid: string, businessName: string, today: string) {
  const minutesOn = (minutes: number): Stage => ({ ...stage, at: new Date(stage.at.getTime() + minutes * 60_000) })
  const write = async (intent: MessageIntent, input: object, at = stage): Promise<string> => {
    const { message } = await play(at, messageWritesApi.write, messageWrites.write, { intent, ...input })
    return message?.guid ?? ''
  }
  const orders = await recordsOf(stage, 'orders', businessGuid, 3)
  for (const [i, { guid, email, number, customerGuid, customerName }] of orders.entries()) {
    const about = { orderGuid: guid, to: [email] }
    // It has gone out by the time it is answered.
    await markSent(stage, await write('send', { ...about, ...(i === 1 ? aboutColours : aboutAccess) }))
    const talk = { guid, businessGuid, customerGuid, number, customerName, businessName }
    const answer =
      i === 1 ? 'Charcoal, please. Can you come a bit later, around nine?' : 'Friday is fine. The gate code is 4412.'
    await onStage({ ...minutesOn(20), by: { kind: 'system', name: 'sample' } }, async (ctx) => {
      await ctx.workFor(businessGuid)
      await hear(ctx, talk, guid, answer)
    })
    if (i === 0) await write('note', { orderGuid: guid, bodyText: 'Gate code passed on to the crew.' }, minutesOn(25))
  }
  for (const { guid, email } of await recordsOf(stage, 'quotes', businessGuid, 2))
    await write('draft', { quoteGuid: guid, to: [email], subject: 'Any questions?', bodyHtml: aboutColours.bodyHtml })
  const invoices = await recordsOf(stage, 'invoices', businessGuid, 2)
  for (const [i, { guid, email }] of invoices.entries()) {
    const scheduledFor = `${addDays(today, i + 2)}T09:00`
    await write('schedule', {
      invoiceGuid: guid,
      to: [email],
      ...aboutAccount,
      scheduledFor,
      timeZone: 'Australia/Sydney',
    })
    const cancelled = await write('schedule', {
      ...{ invoiceGuid: guid, to: [email], ...aboutAccount },
      ...{ scheduledFor, timeZone: 'Australia/Sydney' },
    })
    await play(stage, messagesApi.cancel, messages.cancel, { guid: cancelled })
  }
  const [first, second] = orders
  if (first && second) await makeTroubles(stage, businessGuid, [first, second], write)
}

async function markSent({ deps: { db }, at }: Stage, guid: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ nextAttemptAt: null, settledAt: at, updatedAt: at, status: 'sent', attempts: 1, sentAt: at })
    .where('guid', '=', guid)
    .execute()
  await db.updateTable('messageRecipients').set({ state: 'sent', at }).where('messageGuid', '=', guid).execute()
}

type Write = (intent: MessageIntent, input: object) => Promise<string>

/** Addresses that are wrong, closed, or of a server that is busy. */
async function makeTroubles(stage: Stage, businessGuid: string, orders: readonly { guid: string }[], write: Write) {
  const { at } = stage
  const { db } = stage.deps
  for (const [i, { guid: orderGuid }] of orders.entries()) {
    const former = `former.${i + 1}@left.example`
    const to = (address: string) => write('send', { orderGuid, to: [address], ...aboutAccess })
    const settled = { nextAttemptAt: null, settledAt: at, updatedAt: at }
    const bounced = await to(former)
    await markSent(stage, bounced)
    const reason = '550 5.1.1 The address does not exist.'
    await db
      .updateTable('messageRecipients')
      .set({ state: 'bounced', at, reason })
      .where('messageGuid', '=', bounced)
      .execute()
    await db
      .updateTable('messages')
      .set({ status: 'bounced', failureReason: reason })
      .where('guid', '=', bounced)
      .execute()
    await db
      .insertInto('suppressions')
      .values({
        businessGuid,
        address: former,
        scope: 'all',
        reason: 'bounced',
        said: reason,
        messageGuid: bounced,
        createdAt: at,
      })
      .execute()
    const left = `closed.${i + 1}@left.example`
    const closed = await to(left)
    await db
      .insertInto('suppressions')
      .values({ businessGuid, address: left, scope: 'all', reason: 'bounced', said: reason, createdAt: at })
      .execute()
    await db
      .updateTable('messageRecipients')
      .set({ state: 'suppressed', at, reason: 'bounced' })
      .where('messageGuid', '=', closed)
      .execute()
    await db
      .updateTable('messages')
      .set({ ...settled, status: 'suppressed', failureReason: phrases('messages')('failure.suppressed') })
      .where('guid', '=', closed)
      .execute()
    const reached = await to(`reached.${i + 1}@site.example`)
    await markSent(stage, reached)
    await db
      .updateTable('messageRecipients')
      .set({ state: 'delivered', at })
      .where('messageGuid', '=', reached)
      .execute()
    await db.updateTable('messages').set({ status: 'delivered' }).where('guid', '=', reached).execute()
    const busy = await to(`busy.${i + 1}@site.example`)
    const again = new Date(at.getTime() + 8 * 3_600_000)
    await db
      .updateTable('messages')
      .set({ status: 'deferred', attempts: 3, nextAttemptAt: again, failureReason: '451 4.3.2 Try again later.' })
      .where('guid', '=', busy)
      .execute()
  }
}
