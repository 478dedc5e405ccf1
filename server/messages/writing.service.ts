import { AppError, invalid, refuseFields, type FieldError } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { offerQuestion, readsLikeOffer } from '../../contract/offer-words.ts'
import { type MessageIntent, messageIsPast, messageSentences, messageWritesApi } from '../../contract/message-writes.ts'
import type { MessageCategory, MessageStatus } from '../../contract/messages.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { textOfBody } from '../core/html/text.ts'
import { chosenTheme } from '../themes/dressing.service.ts'
import { insertMessage, type MessageRow, purposeOf } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { lockVisibleMessage, shownMessage } from './messages.records.ts'
import { countMail, workOffQueue } from './mailing.ts'
import { editNote, writeNote } from './notes.ts'
import { scheduledJob } from './scheduled.ts'
import { answeredTo, senderOf } from './sender.ts'
import { templateByGuid } from './templates.service.ts'
import { loadNew, previewed } from './thread.ts'
import { type About, aboutMessage, aboutOf, withFieldsOf } from './writing-about.ts'
import { type DocumentPart, partsOf, sizeErrors, type When, whenOf } from './writing-parts.ts'
import { everybody, offerErrors, type People, peopleOf, recipientErrors, suppressionErrors } from './writing-people.ts'
import {
  cleanSource,
  type Draft,
  fillDraft,
  fillOrRefuse,
  fits,
  usedTemplate,
  asUsed,
  variableErrors,
  isOffer,
} from './writing-words.ts'

type Api = typeof messageWritesApi
type Content = Omit<Input<Api['edit']>, 'guid' | 'version' | 'intent'>

/** A message as it is to be kept, with all that was chosen for it. */
interface Prepared {
  about: About
  draft: Draft
  people: People
  category: MessageCategory
  themeVersionGuid: string | null
  documents: DocumentPart[]
  files: string[]
  when: When | null
}

const statusOf = { draft: 'draft', schedule: 'scheduled', send: 'queued' } as const satisfies Record<
  Exclude<MessageIntent, 'note'>,
  MessageStatus
>

async function themeFor(ctx: Ctx, given: string | null | undefined, businessGuid: string, before: string | null) {
  if (given === undefined && before) return before
  const version = await chosenTheme(ctx.db, businessGuid, given)
  if (given && !version) throw invalid('themeGuid', 'We can’t find that theme.')
  return version?.guid ?? null
}

async function templateFor(ctx: Ctx, content: Content, about: About, before: MessageRow | null) {
  const language = content.language ?? before?.source?.language ?? about.facts.language
  if (content.templateGuid === undefined && before)
    return { language, template: await usedTemplate(ctx.db, before.source?.templateVersionGuid ?? null, language) }
  if (!content.templateGuid) return { language, template: null }
  const found = await templateByGuid(ctx.db, about.facts.businessGuid, content.templateGuid, language)
  if (!found || !fits(found.kind, about)) throw invalid('templateGuid', 'We can’t find that template.')
  return { language, template: asUsed(found, found) }
}

/**
 * Brings together what was given and what was there. Asks in the order of the design, and what is wrong within a
 * group is said together; a draft may be unfinished.
 */
async function prepare(
  ctx: Ctx,
  intent: Exclude<MessageIntent, 'note'>,
  content: Content,
  bare: About,
  before: MessageRow | null = null,
): Promise<Prepared> {
  const { language, template } = await templateFor(ctx, content, bare, before)
  const about = await withFieldsOf(ctx, bare, template?.kind)
  const { businessGuid } = about.facts
  const themeVersionGuid = await themeFor(ctx, content.themeGuid, businessGuid, before?.themeVersionGuid ?? null)
  const draft: Draft = {
    template,
    source: {
      templateVersionGuid: template?.versionGuid ?? null,
      language,
      subject: (content.subject ?? before?.source?.subject ?? before?.subject ?? '').trim(),
      bodyHtml: cleanSource(content.bodyHtml ?? before?.source?.bodyHtml ?? '', template !== null),
      ...(isFactsOnly(content, before) ? { isFactsOnly: true } : {}),
    },
  }
  const people = peopleOf({
    to: content.to ?? before?.recipients ?? [],
    cc: content.cc ?? before?.cc ?? [],
    bcc: content.bcc ?? before?.bcc ?? [],
  })
  const category = isOffer(template, content.category ?? before?.category) ? 'commercial' : 'transactional'
  const keptFiles = before ? await filesOf(ctx, before.guid) : []
  const parts = content.attachments
    ? await partsOf(ctx, content.attachments, about, keptFiles)
    : { documents: before?.attachments ?? [], files: keptFiles, errors: [] }
  const { when, errors: whenErrors } =
    intent === 'schedule'
      ? whenOf(
          {
            scheduledFor: content.scheduledFor ?? before?.scheduledFor ?? null,
            timeZone: content.timeZone ?? before?.timeZone ?? ctx.business.timeZone,
          },
          ctx.now,
        )
      : { when: null, errors: [] }
  if (intent === 'draft') refuseFields(parts.errors)
  else {
    if (!keepsWords(content, before)) refuseFields(emptyErrors(draft))
    refuseFields(await recipientErrors(ctx, people, about))
    refuseFields(await suppressionErrors(ctx, people, businessGuid, category))
    // What is scheduled was asked about when it was; a draft never was.
    const isNew = content.bodyHtml !== undefined || before?.status === 'draft'
    if (category === 'commercial') refuseFields(await offerErrors(ctx.db, people, businessGuid))
    else if (isNew && !draft.source.isFactsOnly) refuseFields(soundsLikeOffer(draft))
    refuseFields(variableErrors(draft))
    refuseFields([...parts.errors, ...(await sizeErrors(ctx.db, parts.files))])
    refuseFields(whenErrors)
  }
  const { documents, files } = parts
  return { about, draft, people, category, themeVersionGuid, documents, files, when }
}

/** What was said of words holds as long as they do: others are asked about anew. */
const isFactsOnly = (content: Content, before: MessageRow | null): boolean =>
  content.isFactsOnly ?? (content.bodyHtml === undefined && before?.source?.isFactsOnly === true)

/** Whoever writes what reads like an offer is asked, unless it is called one or said to be facts. */
const soundsLikeOffer = ({ source }: Draft): FieldError[] =>
  readsLikeOffer(`${source.subject}\n${textOfBody(source.bodyHtml)}`)
    ? [{ path: 'bodyHtml', message: offerQuestion }]
    : []

/** What a template composes when it goes keeps its words until somebody writes others. */
const keepsWords = ({ bodyHtml }: Content, before: MessageRow | null): boolean =>
  before !== null && before.source === null && bodyHtml === undefined

function emptyErrors({ source }: Draft): FieldError[] {
  return [
    ...(source.subject ? [] : [{ path: 'subject', message: 'Enter a subject.' }]),
    ...(source.bodyHtml ? [] : [{ path: 'bodyHtml', message: 'Write a message.' }]),
  ]
}

const filesOf = async (ctx: Ctx, messageGuid: string): Promise<string[]> => {
  const rows = await ctx.db
    .selectFrom('messageFiles')
    .select('fileGuid')
    .where('messageGuid', '=', messageGuid)
    .orderBy('position')
    .execute()
  return rows.map(({ fileGuid }) => fileGuid)
}

/** How a subject reads in a list while its message is still written. */
function subjectNow(draft: Draft, about: About): string {
  try {
    return fillDraft(draft, about).subject
  } catch {
    return draft.source.subject
  }
}

/** The columns of a message in the status that it goes to. */
function columnsOf(ctx: Ctx, intent: Exclude<MessageIntent, 'note'>, prepared: Prepared) {
  const { about, draft, people, category, themeVersionGuid, documents, when } = prepared
  const kind = draft.template?.kind ?? null
  const words = intent === 'send' ? fillOrRefuse(draft, about) : null
  return {
    template: kind,
    recipients: people.to,
    cc: people.cc,
    bcc: people.bcc,
    subject: words?.subject ?? subjectNow(draft, about),
    source: JSON.stringify(draft.source),
    facts: words ? JSON.stringify(words.facts) : null,
    category,
    purpose:
      category === 'commercial'
        ? ('marketing' as const)
        : purposeOf(about.ownerType === 'customer' ? null : about.ownerType),
    themeVersionGuid,
    attachments: JSON.stringify(documents),
    scheduledFor: when?.scheduledFor ?? null,
    timeZone: when?.timeZone ?? null,
    scheduledAt: when?.scheduledAt ?? null,
    cancelWhen: when && kind === 'reminder' ? ('settled' as const) : null,
    nextAttemptAt: intent === 'send' ? ctx.now : null,
  }
}

async function keepFiles(ctx: Ctx, messageGuid: string, files: readonly string[]) {
  await ctx.db.deleteFrom('messageFiles').where('messageGuid', '=', messageGuid).execute()
  if (files.length === 0) return
  await ctx.db
    .insertInto('messageFiles')
    .values(files.map((fileGuid, position) => ({ messageGuid, fileGuid, position })))
    .execute()
}

const events = { draft: 'message.drafted', schedule: 'message.scheduled', send: 'message.queued' } as const

function tell(
  ctx: Ctx,
  intent: Exclude<MessageIntent, 'note'>,
  guid: string,
  { about, people }: Prepared,
  subject: string,
) {
  const { ownerType, ownerGuid, facts } = about
  const told = { guid, ownerType, ownerGuid, ownerNumber: facts.ownerNumber, recipients: everybody(people), subject }
  // The record's timeline tells what is going to happen; steps on the way there are the message's own.
  const line = auditOf(told, events[intent])
  ctx.audit(intent === 'schedule' ? line : { ...line, entity: 'Messages', guid })
}

async function write(
  ctx: Ctx,
  { intent, customerGuid, quoteGuid, orderGuid, invoiceGuid, ...content }: Input<Api['write']>,
) {
  const about = await aboutOf(ctx, { customerGuid, quoteGuid, orderGuid, invoiceGuid })
  if (intent === 'note') return writeNote(ctx, about, content)
  const prepared = await prepare(ctx, intent, content, about)
  if (intent !== 'draft') await countMail(ctx)
  const guid = newGuid()
  const { facts, ownerType, ownerGuid } = about
  const { from, replyTo } = senderOf(ctx.deps.settings, facts.business)
  const columns = columnsOf(ctx, intent, prepared)
  await insertMessage(
    ctx,
    {
      ...{ guid, businessGuid: facts.businessGuid, customerGuid: facts.customerGuid, ownerType, ownerGuid },
      ...{ ownerNumber: facts.ownerNumber, sender: from, replyTo },
      ...columns,
      ...answeredTo(from),
    },
    statusOf[intent],
  )
  await keepFiles(ctx, guid, prepared.files)
  tell(ctx, intent, guid, prepared, columns.subject)
  if (intent === 'send') await workOffQueue(ctx)
  return { message: await shownMessage(ctx, guid), note: null }
}

const intentOf = { draft: 'draft', scheduled: 'schedule', queued: 'send', deferred: 'send' } as const
const leads: Readonly<Record<string, readonly MessageIntent[]>> = {
  draft: ['draft', 'send', 'schedule'],
  scheduled: ['schedule', 'send'],
  queued: ['send'],
  deferred: ['send'],
}

/** A message that is past what is asked of it: with what became of it. */
const past = (message: string, { status }: Pick<MessageRow, 'status'>, said: string = messageIsPast[status]) =>
  new AppError('INVALID_TRANSITION', message, { fields: [{ path: 'status', message: said }] })

function mustBeEditable(row: MessageRow, intent: MessageIntent): asserts intent is Exclude<MessageIntent, 'note'> {
  const { status } = row
  if (status === 'sent' || status === 'delivered' || status === 'bounced') throw past(messageSentences.sentAlready, row)
  if (!leads[status]?.includes(intent)) throw past(messageSentences.beingSent, row)
}

async function edit(ctx: Ctx, { guid, version, intent: given, ...content }: Input<Api['edit']>) {
  const row = await lockVisibleMessage(ctx, guid)
  if (row.direction === 'internal') return editNote(ctx, row, { version, ...content })
  const intent = given ?? intentOf[row.status as keyof typeof intentOf] ?? 'send'
  mustBeEditable(row, intent)
  if (row.ownerType === 'payment' || row.ownerType === 'refund')
    throw past(messageSentences.beingSent, row, messageSentences.composed)
  const about = await aboutMessage(ctx, row)
  await checkVersion(row, version, messageWritesApi.edit, async () => ({
    message: await shownMessage(ctx, guid),
    note: null,
  }))
  const prepared = await prepare(ctx, intent, content, about, row)
  if (intent !== 'draft' && row.status === 'draft') await countMail(ctx)
  const { facts, source, template, subject, ...columns } = columnsOf(ctx, intent, prepared)
  const words = keepsWords(content, row)
    ? { subject: content.subject ?? row.subject }
    : { facts, source, template, subject, bodyHtml: null, bodyText: null }
  await ctx.db
    .updateTable('messages')
    .set({ ...columns, ...words })
    .set({ status: statusOf[intent], version: row.version + 1, updatedAt: ctx.now, isAutomatic: false })
    .where('guid', '=', guid)
    .execute()
  await keepFiles(ctx, guid, prepared.files)
  tell(ctx, intent, guid, prepared, words.subject)
  if (intent === 'send') await workOffQueue(ctx)
  return { message: await shownMessage(ctx, guid), note: null }
}

/** Sends what is a draft, or waits for its time, with the words of now. */
async function send(ctx: Ctx, { guid, version }: Input<Api['send']>) {
  const row = await lockVisibleMessage(ctx, guid)
  if (row.status === 'sent' || row.status === 'delivered' || row.status === 'bounced')
    throw past(messageSentences.markedSent, row)
  if (row.status !== 'draft' && row.status !== 'scheduled') throw past('Failed to send message', row)
  const { message } = await edit(ctx, { guid, version, intent: 'send' })
  if (!message) throw new AppError('INTERNAL')
  return { message }
}

/** Puts files to a message that is still to be sent, and takes others off. */
async function attachments(ctx: Ctx, { guid, version, add = [], remove = [] }: Input<Api['attachments']>) {
  const row = await lockVisibleMessage(ctx, guid)
  if (row.status === 'sent' || row.status === 'delivered' || row.status === 'bounced')
    throw past(messageSentences.markedSent, row)
  if (!leads[row.status]) throw past('Failed to add attachments', row)
  const about = await aboutMessage(ctx, row)
  const before = await filesOf(ctx, guid)
  await checkVersion(row, version, messageWritesApi.attachments, async () => ({
    message: await shownMessage(ctx, guid),
  }))
  const files = [...before.filter((file) => !remove.includes(file)), ...add.filter((file) => !before.includes(file))]
  const given = files.map((fileGuid) => ({ kind: 'file' as const, fileGuid }))
  const parts = await partsOf(ctx, given, about, before)
  refuseFields([...parts.errors, ...(await sizeErrors(ctx.db, parts.files))])
  await keepFiles(ctx, guid, parts.files)
  await ctx.db
    .updateTable('messages')
    .set({ version: row.version + 1, updatedAt: ctx.now })
    .where('guid', '=', guid)
    .execute()
  ctx.audit(auditOf(row, 'message.attached'))
  return { message: await shownMessage(ctx, guid) }
}

export const messageWrites: Handlers<Api> = {
  write,
  writeOnQuote: write,
  writeOnOrder: write,
  writeOnInvoice: write,
  edit,
  editOnQuote: edit,
  send,
  attachments,
  preview: previewed,
  loadNew: (ctx, input) => loadNew(ctx, 'customer', input),
  loadNewOfQuote: (ctx, input) => loadNew(ctx, 'quote', input),
  loadNewOfOrder: (ctx, input) => loadNew(ctx, 'order', input),
  loadNewOfInvoice: (ctx, input) => loadNew(ctx, 'invoice', input),
  scheduled: (ctx) => scheduledJob.run(ctx.deps, ctx),
  previewScheduled: (ctx) => scheduledJob.preview(ctx),
  scheduledRuns: (ctx, input) => scheduledJob.runs(ctx, input),
}
