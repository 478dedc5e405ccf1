import { sql } from 'kysely'
import { AppError, invalidTransition, refuseFields } from '../../contract/core/errors.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { type messagesApi, type Message, messageTransitions } from '../../contract/messages.ts'
import type { Input } from '../../contract/core/op.ts'
import { messageSentences } from '../../contract/message-writes.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { pageOf } from '../core/db/page.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { narrowed, oneOf } from '../documents/list-search.service.ts'
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
import { countMail, workOffQueue } from './mailing.ts'
import { auditOf, sendingJob } from './messages.queue.ts'
import { answeredTo } from './sender.ts'
import { shownOffer } from './unsubscribing.ts'
import { saidNow } from './unsent.ts'
import { type About, aboutMessage, withFieldsOf } from './writing-about.ts'
import { peopleOf, recipientErrors } from './writing-people.ts'
import { fillDraft, usedTemplate } from './writing-words.ts'

/** Messages as records: lists, one of them, and what a person may do with it. */
export const records: Pick<
  Handlers<typeof messagesApi>,
  'list' | 'get' | 'resend' | 'cancel' | 'queue' | 'previewQueue' | 'queueRuns'
> = {
  list,
  get,
  resend,
  cancel,
  queue: (ctx) => sendingJob.run(ctx.deps, ctx),
  previewQueue: (ctx) => sendingJob.preview(ctx),
  queueRuns: (ctx, input) => sendingJob.runs(ctx, input),
}

async function list(ctx: Ctx, input: Input<(typeof messagesApi)['list']>) {
  const reach = await reachOf(ctx, input)
  const found = foundMessages(ctx).where('m.isTest', '=', input.isTest === 'true')
  const page = await pageOf({
    query: listedMessages(ctx),
    ...(await narrowed(ctx.db, found, 'Messages', 'm', {
      search: input.search,
      lists: listsIn(reach, 'm.businessGuid'),
      anyOf: oneOf('m.status', input.status),
      within: [...messagesWithin(input), ...countedWithin(reach, input)],
    })),
    isPlain: true,
    sorts: {
      createdAt: 'm.createdAt',
      sentAt: { column: 'm.sentAt', nullable: true },
      scheduledAt: { column: 'm.scheduledAt', nullable: true },
      subject: 'm.subject',
    },
    guid: 'm.guid',
    input,
    defaultSort: '-createdAt',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}

async function get(ctx: Ctx, { guid }: { guid: string }) {
  const row = await found(ctx, guid)
  const message = await shown(ctx, row)
  if (message.isBodyHidden) return { message }
  // Not sent yet: it is read as it is going to be.
  const facts = row.facts ?? (row.bodyHtml === null ? await saidNow(ctx, row) : null)
  if (!facts) return { message }
  const themeVersion = await themeVersionOf(ctx.db, row.themeVersionGuid)
  const words = await composeWords(ctx, { ...row, facts, themeVersion }).catch((error: unknown) => {
    ctx.log.warn({ err: error, message: guid }, 'a message could not be composed')
    return null
  })
  if (!words) return { message }
  const seen = asSeen(row, words)
  const bodyHtml = await withLogos(ctx.deps.files, seen.bodyHtml, themeVersion)
  return { message: { ...message, ...seen, bodyHtml } }
}

/** The words of a message as its reader has them: an offer has its link. */
const asSeen = <W extends { bodyHtml: string; bodyText: string }>(
  { category, source, facts }: Pick<MessageRow, 'category' | 'source' | 'facts'>,
  words: W,
): W =>
  category === 'commercial' ? { ...words, ...shownOffer(words, source?.language ?? facts?.language ?? 'en') } : words

const noMessage = () =>
  new AppError('NOT_FOUND', undefined, { fields: [{ path: 'guid', message: 'Failed to fetch message' }] })

async function found(ctx: Ctx, guid: string) {
  const row = await findMessage(ctx, guid)
  if (!row) throw noMessage()
  return row
}

/** A message as its page shows it, with the words that are there. */
export const shownMessage = async (ctx: Ctx, guid: string): Promise<Message> => shown(ctx, await found(ctx, guid))

const noBody = { bodyHtml: null, bodyText: null, source: null, attachments: [], files: [] }

async function shown(ctx: Ctx, row: Awaited<ReturnType<typeof found>>): Promise<Message> {
  const { facts: _, filing, themeVersionGuid, ...kept } = row
  const message = { ...kept, isUnmatched: filing === 'unmatched', isIgnored: filing === 'ignored' }
  if (!(await mayReadBody(ctx, row))) return { ...message, isBodyHidden: true, ...noBody }
  const { bodyHtml: html, bodyText } =
    row.bodyHtml === null ? row : asSeen(row, { bodyHtml: row.bodyHtml, bodyText: row.bodyText ?? '' })
  const bodyHtml = html?.includes('"cid:')
    ? await withLogos(ctx.deps.files, html, await themeVersionOf(ctx.db, themeVersionGuid))
    : html
  return {
    ...message,
    bodyHtml,
    bodyText,
    isBodyHidden: false,
    attachments: row.attachments.map(({ name, kind }) => ({ name, kind })),
  }
}

/** Locks a message for a change; what the caller may not see is not found. */
export async function lockVisibleMessage(ctx: Ctx, guid: string): Promise<MessageRow> {
  const row = await lockMessage(ctx, guid)
  if (!row) throw noMessage()
  return row
}

async function resend(ctx: Ctx, input: { guid: string; to?: string[] | undefined }) {
  const old = await lockVisibleMessage(ctx, input.guid)
  if (!leadsFrom(messageTransitions, 'resend', old.status))
    throw invalidTransition('Failed to resend message: it still waits to be sent.')
  await needBody(ctx, old)
  const guid = newGuid()
  const to = input.to ?? old.recipients
  const about = await aboutOld(ctx, old)
  if (input.to && about) refuseFields(await recipientErrors(ctx, peopleOf({ to }), about))
  const words = await wordsAgain(ctx, old, about)
  await countMail(ctx)
  await insertMessage(ctx, {
    ...again(old),
    ...words,
    guid,
    recipients: to,
    ...(input.to ? {} : { cc: old.cc, bcc: old.bcc }),
    ...answeredTo(old.sender),
    resendOfGuid: old.guid,
  })
  const files = await ctx.db
    .selectFrom('messageFiles')
    .select(['fileGuid', 'position'])
    .where('messageGuid', '=', old.guid)
    .execute()
  if (files.length > 0)
    await ctx.db
      .insertInto('messageFiles')
      .values(files.map((file) => ({ ...file, messageGuid: guid })))
      .execute()
  await ctx.db
    .insertInto('messageInvoices')
    .columns(['messageGuid', 'invoiceGuid'])
    .expression(
      ctx.db
        .selectFrom('messageInvoices')
        .select([sql<string>`${guid}::uuid`.as('messageGuid'), 'invoiceGuid'])
        .where('messageGuid', '=', old.guid),
    )
    .execute()
  ctx.audit({
    action: 'message.queued',
    entity: 'Messages',
    guid,
    after: { to: to.join(', '), subject: words.subject, number: old.ownerNumber, resendOf: old.guid },
  })
  await workOffQueue(ctx)
  return { message: await shownMessage(ctx, guid) }
}

/** What goes out again as it was. */
function again(old: MessageRow) {
  const { businessGuid, ownerType, ownerGuid, ownerNumber, customerGuid, template, sender, replyTo } = old
  const { category, purpose, themeVersionGuid, source, attachments } = old
  return {
    ...{ businessGuid, ownerType, ownerGuid, ownerNumber, customerGuid, template, sender, replyTo },
    ...{ category, purpose, themeVersionGuid },
    source: source && JSON.stringify(source),
    attachments: JSON.stringify(attachments),
  }
}

const aboutOld = (ctx: Ctx, old: MessageRow): Promise<About | null> =>
  old.ownerType === 'payment' || old.ownerType === 'refund' ? Promise.resolve(null) : aboutMessage(ctx, old)

/** The words of a message stay; one that was taken back before it had any gets those of now. */
async function wordsAgain(ctx: Ctx, old: MessageRow, about: About | null) {
  const { subject, facts, bodyHtml, bodyText, source } = old
  if (facts || bodyHtml !== null || !source || !about)
    return { subject, facts: facts && JSON.stringify(facts), bodyHtml, bodyText }
  const template = await usedTemplate(ctx.db, source.templateVersionGuid, source.language)
  const now = fillDraft({ source, template }, await withFieldsOf(ctx, about, template?.kind))
  return { subject: now.subject, facts: JSON.stringify(now.facts), bodyHtml: null, bodyText: null }
}

async function cancel(ctx: Ctx, { guid }: { guid: string }) {
  const row = await lockVisibleMessage(ctx, guid)
  if (row.status === 'sent' || row.status === 'delivered' || row.status === 'bounced')
    throw invalidTransition(messageSentences.markedSent)
  if (row.status === 'sending') throw invalidTransition('Failed to delete message: it is being sent right now.')
  if (!leadsFrom(messageTransitions, 'cancel', row.status))
    throw invalidTransition('Failed to delete message: it isn’t queued.')
  await ctx.db
    .updateTable('messages')
    .set({ status: 'cancelled', nextAttemptAt: null })
    .where('guid', '=', guid)
    .execute()
  ctx.audit(auditOf(row, 'message.cancelled'))
  return { message: await shown(ctx, await found(ctx, guid)) }
}
