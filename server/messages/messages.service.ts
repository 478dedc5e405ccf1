import { sql } from 'kysely'
import { invalid } from '../../contract/core/errors.ts'
import type { inboundApi } from '../../contract/inbound.ts'
import type { AccountEmailKind, messagesApi, TemplateKind } from '../../contract/messages.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import { newGuid } from '../core/guid.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { seal } from '../core/secrets.ts'
import {
  acceptedFacts,
  type MessageFacts,
  type MessageOwner,
  messageVariables,
  type UpcomingDeposit,
  upcomingFacts,
} from '../documents/document-messages.service.ts'
import type { DocumentKind, SnapshotFacts } from '../documents/documents.service.ts'
import { defaultTheme } from '../themes/dressing.service.ts'
import { assign } from './assigning.ts'
import type { FilledWords } from './chosen.service.ts'
import { frozenFacts } from './facts.ts'
import { countMail, workOffQueue } from './mailing.ts'
import { insertMessage } from './messages.queries.ts'
import { records } from './messages.records.ts'
import { notes } from './notes.ts'
import { outbox } from './outbox.ts'
import { answeredTo, messageIdOf, senderOf } from './sender.ts'
import { suppressionHandlers } from './suppressions.ts'
import { firstTemplates, oneLine } from './templates.ts'
import { namesFields, recordFields, withFields } from './template-fields.ts'
import { activeTemplate, type ChosenTemplate, fillLine, valuesWith } from './templates.service.ts'

export { liftUnsubscribed, suppress, suppressedAmong } from './suppressions.ts'
export { findUnsubscribe, noteFollowed } from './unsubscribing.ts'

export interface DocumentMessage {
  template: TemplateKind
  ownerType: MessageOwner
  ownerGuid: string
  /** The customer's own address when not given. */
  to?: readonly string[] | undefined
  /** Instead of the template's. */
  subject?: string | undefined
  /** A personal paragraph. */
  note?: string | null | undefined
  /** What a template says that somebody chose, filled in already. */
  filled?: FilledWords['facts'] | undefined
  /** No person sends it: it waits out quiet hours and days. */
  isAutomatic?: true
}

/**
 * Puts a message about a document into the outbox, within the caller's transaction: it is sent if and only if the rest
 * happens. What it says is frozen now; its words are composed and its PDF is drawn when it goes out. Throws
 * VALIDATION_FAILED on `to` when there is no address; with `quietly`, answers null instead.
 */
export function queueDocumentMessage(ctx: Ctx, message: DocumentMessage): Promise<{ guid: string }>
export function queueDocumentMessage(
  ctx: Ctx,
  message: DocumentMessage & { quietly: true },
): Promise<{ guid: string } | null>
export async function queueDocumentMessage(
  ctx: Ctx,
  message: DocumentMessage & { quietly?: true },
): Promise<{ guid: string } | null> {
  const facts = await messageVariables(ctx, message.template, message.ownerType, message.ownerGuid)
  return queueAbout(ctx, message, facts)
}

/** The same where somebody else knows what there is to say. */
export async function queueAbout(
  ctx: Ctx,
  message: DocumentMessage & { quietly?: true },
  facts: MessageFacts,
): Promise<{ guid: string } | null> {
  if (!(await mayGo(ctx, message, addressesOf(message, facts)))) return null
  return keep(ctx, message, facts, await subjectTemplate(ctx, message, facts))
}

/** Fills in a number and keeps the message. */
type Keep = (number: string) => Promise<{ guid: string }>

/**
 * The same for a document that is about to get its number, for which others wait: all is read and checked here. Null
 * when it is sent quietly and nobody has an address.
 */
export async function prepareDocumentMessage(
  ctx: Ctx,
  message: DocumentMessage & { ownerType: DocumentKind; quietly?: true },
  facts?: SnapshotFacts,
): Promise<Keep | null> {
  return prepare(ctx, message, await upcomingFacts(ctx, message.ownerType, message.ownerGuid, facts))
}

/** The word that a quote is accepted, before the invoice for its deposit gets its number. */
export async function prepareAcceptance(
  ctx: Ctx,
  quoteGuid: string,
  deposit: UpcomingDeposit | undefined,
): Promise<Keep | null> {
  const message = { template: 'quote_accepted', ownerType: 'quote', ownerGuid: quoteGuid, quietly: true } as const
  return prepare(ctx, message, await acceptedFacts(ctx, quoteGuid, deposit))
}

async function prepare(
  ctx: Ctx,
  message: DocumentMessage & { quietly?: true },
  factsWith: (number: string) => MessageFacts,
): Promise<Keep | null> {
  const unnumbered = factsWith('')
  if (!(await mayGo(ctx, message, addressesOf(message, unnumbered)))) return null
  const template = await subjectTemplate(ctx, message, unnumbered)
  return (number) => keep(ctx, message, factsWith(number), template)
}

async function mayGo(ctx: Ctx, message: { quietly?: true }, to: readonly string[]): Promise<boolean> {
  if (to.length === 0) {
    if (message.quietly) return false
    throw invalid('to', 'This customer has no email address. Enter one, or add it to the customer.')
  }
  await countMail(ctx)
  return true
}

const addressesOf = (message: DocumentMessage, facts: MessageFacts) => [
  ...new Set((message.to ?? facts.recipients).map((address) => address.trim()).filter(Boolean)),
]

/** The words in use, with what they name beside the words that are there in any case. */
async function subjectTemplate(ctx: Pick<Ctx, 'db' | 'deps' | 'now'>, message: DocumentMessage, facts: MessageFacts) {
  const { template, ownerType, ownerGuid } = message
  const chosen = await activeTemplate(ctx.db, facts.businessGuid, template, facts.language)
  const source = { businessGuid: facts.businessGuid, kind: template, record: ownerType, guid: ownerGuid }
  return { ...chosen, fields: namesFields(chosen) ? await recordFields(ctx, source) : null }
}
type Chosen = Awaited<ReturnType<typeof subjectTemplate>>

/**
 * Nobody's acceptance or payment fails because a template does: its subject is then the one every business starts with.
 */
function subjectOf(
  ctx: Pick<Ctx, 'log'>,
  { template: kind, subject }: DocumentMessage,
  { values: words, fields, link, language: wanted }: FrozenFacts,
  { subject: template, language }: ChosenTemplate,
): string {
  if (subject) return oneLine(subject)
  const values = valuesWith({ ...words, link: link ?? '' }, fields ?? {})
  try {
    return fillLine(template, kind, values, { language, timeZone: 'UTC' })
  } catch (error) {
    ctx.log.warn({ err: error, kind, language }, 'the subject of a message template is broken')
    return fillLine(firstTemplates[wanted][kind].subject, kind, values, { language: wanted, timeZone: 'UTC' })
  }
}

async function keep(
  ctx: Ctx,
  message: DocumentMessage,
  about: MessageFacts,
  template: Chosen,
): Promise<{ guid: string }> {
  const guid = newGuid()
  const own = withFields(frozenFacts(about, message.note), template.fields, message.ownerType, about.ownerNumber)
  const facts = { ...own, ...message.filled }
  const to = addressesOf(message, about)
  const subject = subjectOf(ctx, message, facts, template)
  const { from, replyTo } = senderOf(ctx.deps.settings, about.business)
  await insertMessage(ctx, {
    guid,
    businessGuid: about.businessGuid,
    customerGuid: about.customerGuid,
    ownerType: message.ownerType,
    ownerGuid: message.ownerGuid,
    ownerNumber: about.ownerNumber,
    template: message.template,
    isAutomatic: message.isAutomatic === true,
    sender: from,
    replyTo,
    recipients: to,
    subject,
    facts: JSON.stringify(facts),
    attachments: JSON.stringify(about.attachments),
    ...answeredTo(from),
    themeVersionGuid: (await defaultTheme(ctx.db, about.businessGuid))?.guid ?? null,
  })
  ctx.audit({
    action: 'message.queued',
    entity: 'Messages',
    guid,
    after: { to: to.join(', '), subject, number: about.ownerNumber },
  })
  await workOffQueue(ctx)
  return { guid }
}

interface AccountEmail {
  kind: AccountEmailKind
  userGuid: string
  to: string
  facts: FrozenFacts
}

/**
 * Puts an email about somebody's login into the outbox. Its link opens an account, so it is
 * kept sealed, and not for long.
 */
export async function queueAccountEmail(ctx: Ctx, { kind, userGuid, to, facts }: AccountEmail): Promise<void> {
  const guid = newGuid()
  const { from, replyTo } = senderOf(ctx.deps.settings, { email: null, ...facts.business })
  await insertMessage(ctx, {
    guid,
    ownerType: 'user',
    ownerGuid: userGuid,
    template: kind,
    sender: from,
    replyTo,
    recipients: [to],
    subject: phrases('people', facts.language)(`email.${kind}.subject`, facts.values),
    facts: JSON.stringify({ ...facts, link: facts.link && seal(ctx.deps.keys, facts.link, guid) }),
    messageId: messageIdOf(guid, from),
  })
  await workOffQueue(ctx)
}

/** Takes back what is still to be written to somebody who is a user no more. */
export const cancelAccountEmails = (ctx: Ctx, userGuid: string) =>
  ctx.db
    .updateTable('messages')
    .set({ status: 'cancelled', nextAttemptAt: null })
    .where('ownerType', '=', 'user')
    .where('ownerGuid', '=', userGuid)
    .where('status', 'in', ['queued', 'deferred'])
    .execute()

export const suppressions = suppressionHandlers

/** What comes in is filed by hand where nothing else says where it belongs. */
export const inbound: Handlers<typeof inboundApi> = { assign }

export { workOffQueue } from './mailing.ts'

/** Whoever reads the page that a message leads to came by it: noted once, and only of a message with this very link. */
export const noteOpened = (ctx: Pick<Ctx, 'db' | 'now'>, messageGuid: string, serviceGuid: string) =>
  ctx.db
    .insertInto('messageViews')
    .columns(['messageGuid', 'at'])
    .expression(
      ctx.db
        .selectFrom('messages as m')
        .select(['m.guid', sql<string>`${ctx.now}::timestamptz`.as('at')])
        .where('m.guid', '=', messageGuid)
        .where('m.direction', '=', 'out')
        .where(sql<boolean>`position(${serviceGuid} in coalesce(m.body_html, '')) > 0`),
    )
    .onConflict((c) => c.column('messageGuid').doNothing())
    .execute()

export const messages: Handlers<typeof messagesApi> = { ...records, notes, ...outbox }
