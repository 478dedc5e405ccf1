import { AppError, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { type messagesApi, type Message, messageTransitions } from '../../contract/messages.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { pageOf } from '../core/db/page.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { oneOf } from '../documents/list-search.service.ts'
import { themeVersionOf } from '../themes/dressing.service.ts'
import { composeWords } from './compose.ts'
import { withLogos } from './logos.ts'
import { countedWithin } from './counted.ts'
import { mayReadBody, needBody } from './messages.body.ts'
import {
  findMessage,
  insertMessage,
  listedMessages,
  foundMessages,
  messagesWithin,
  lockMessage,
  type MessageRow,
} from './messages.queries.ts'
import { auditOf, queueBatch, queueName } from './messages.queue.ts'
import { answeredTo } from './sender.ts'

/** Messages as records: lists, one of them, and what a person may do with it. */
export const records: Pick<Handlers<typeof messagesApi>, 'list' | 'get' | 'resend' | 'cancel' | 'queue'> = {
  list,
  get,
  resend,
  cancel,
  queue: (ctx) => runJobBatch(ctx.deps, queueBatch),
}

async function list(ctx: Ctx, input: Input<(typeof messagesApi)['list']>) {
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: listedMessages(ctx),
    found: foundMessages(ctx).where('m.isTest', '=', input.isTest === 'true'),
    lists: listsIn(reach, 'm.businessGuid'),
    anyOf: oneOf('m.status', input.status),
    within: [...messagesWithin(input), ...countedWithin(reach, input)],
    isPlain: true,
    sorts: { createdAt: 'm.createdAt', sentAt: { column: 'm.sentAt', nullable: true }, subject: 'm.subject' },
    guid: 'm.guid',
    input,
    defaultSort: '-createdAt',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}

async function get(ctx: Ctx, { guid }: { guid: string }) {
  const row = await found(ctx, guid)
  const message = await shown(ctx, row)
  if (message.isBodyHidden || !row.facts) return { message }
  // Not sent yet: it is read as it is going to be.
  const themeVersion = await themeVersionOf(ctx.db, row.themeVersionGuid)
  const words = await composeWords(ctx, { ...row, facts: row.facts, themeVersion }).catch((error: unknown) => {
    ctx.log.warn({ err: error, message: guid }, 'a message could not be composed')
    return null
  })
  if (!words) return { message }
  const bodyHtml = await withLogos(ctx.deps.files, words.bodyHtml, themeVersion)
  return { message: { ...message, ...words, bodyHtml } }
}

async function found(ctx: Ctx, guid: string) {
  const row = await findMessage(ctx, guid)
  if (!row) throw notFound()
  return row
}

const noBody = { bodyHtml: null, bodyText: null, source: null, attachments: [], files: [] }

async function shown(ctx: Ctx, row: Awaited<ReturnType<typeof found>>): Promise<Message> {
  const { facts: _, filing, themeVersionGuid, ...kept } = row
  const message = { ...kept, isUnmatched: filing === 'unmatched' }
  if (!(await mayReadBody(ctx, row))) return { ...message, isBodyHidden: true, ...noBody }
  const bodyHtml = row.bodyHtml?.includes('"cid:')
    ? await withLogos(ctx.deps.files, row.bodyHtml, await themeVersionOf(ctx.db, themeVersionGuid))
    : row.bodyHtml
  return {
    ...message,
    bodyHtml,
    isBodyHidden: false,
    attachments: row.attachments.map(({ name, kind }) => ({ name, kind })),
  }
}

async function lockVisibleMessage(ctx: Ctx, guid: string): Promise<MessageRow> {
  const row = await lockMessage(ctx, guid)
  if (!row) throw notFound()
  return row
}

async function resend(ctx: Ctx, input: { guid: string; to?: string[] | undefined }) {
  const old = await lockVisibleMessage(ctx, input.guid)
  if (!leadsFrom(messageTransitions, 'resend', old.status))
    throw new AppError('INVALID_TRANSITION', 'Failed to resend message: it still waits to be sent.')
  await needBody(ctx, old)
  const guid = newGuid()
  const to = input.to ?? old.recipients
  const {
    businessGuid,
    ownerType,
    ownerGuid,
    ownerNumber,
    customerGuid,
    template,
    sender,
    replyTo,
    subject,
    facts,
    bodyHtml,
    bodyText,
    themeVersionGuid,
  } = old
  await insertMessage(ctx, {
    ...{
      guid,
      businessGuid,
      ownerType,
      ownerGuid,
      ownerNumber,
      customerGuid,
      template,
      sender,
      replyTo,
      subject,
      bodyHtml,
      bodyText,
      themeVersionGuid,
    },
    facts: facts && JSON.stringify(facts),
    recipients: to,
    attachments: JSON.stringify(old.attachments),
    ...answeredTo(sender),
    resendOfGuid: old.guid,
  })
  ctx.audit({
    action: 'message.queued',
    entity: 'Messages',
    guid,
    after: { to: to.join(', '), subject, number: ownerNumber, resendOf: old.guid },
  })
  await ctx.enqueue(queueName, {})
  return { message: await shown(ctx, await found(ctx, guid)) }
}

async function cancel(ctx: Ctx, { guid }: { guid: string }) {
  const row = await lockVisibleMessage(ctx, guid)
  if (row.status === 'sent' || row.status === 'delivered' || row.status === 'bounced')
    throw invalidTransition('This message is already marked as sent')
  if (row.status === 'sending') throw invalidTransition('This message is being sent right now.')
  if (!leadsFrom(messageTransitions, 'cancel', row.status)) throw invalidTransition('This message isn’t queued.')
  await ctx.db
    .updateTable('messages')
    .set({ status: 'cancelled', nextAttemptAt: null })
    .where('guid', '=', guid)
    .execute()
  ctx.audit(auditOf(row, 'message.cancelled'))
  return { message: await shown(ctx, await found(ctx, guid)) }
}
