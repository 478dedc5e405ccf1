import { languages } from '../../contract/core/languages.ts'
import { invalid, notFound } from '../../contract/core/errors.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import type { messagesApi, TemplateKind } from '../../contract/messages.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { countUse } from '../core/http/limits.ts'
import { newGuid } from '../core/guid.ts'
import { phrases } from '../core/i18n/phrases.ts'
import {
  type MessageFacts,
  type MessageOwner,
  messageVariables,
  upcomingFacts,
} from '../documents/document-messages.service.ts'
import type { DocumentKind } from '../documents/document.ts'
import type { SnapshotFacts } from '../documents/documents.service.ts'
import { addressLines } from '../core/i18n/format.ts'
import { htmlOf, type LayoutData, textOf } from './layout.ts'
import { queueName } from './messages.queue.ts'
import { insertMessage, isVisibleOwner, templateOf } from './messages.queries.ts'
import { records } from './messages.records.ts'
import { outbox } from './outbox.ts'
import { messageIdOf, senderOf } from './sender.ts'
import { allTemplateKinds, fillBody, fillSubject, firstTemplates, oneLine } from './templates.ts'

/** A stolen login must not become a mail cannon. */
const maxPerDay = { most: 2000, seconds: 86_400 }

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
}

/** Gives a new business its first templates, one per kind of message and language. */
export async function seedTemplates(ctx: Pick<Ctx, 'db'>, businessGuid: string): Promise<void> {
  const rows = languages.flatMap((language) =>
    allTemplateKinds.map((kind) => ({
      guid: newGuid(),
      businessGuid,
      kind,
      language,
      ...firstTemplates[language][kind],
    })),
  )
  await ctx.db
    .insertInto('messageTemplates')
    .values(rows)
    .onConflict((c) => c.columns(['businessGuid', 'kind', 'language']).doNothing())
    .execute()
}

/**
 * Puts a message about a document into the outbox, within the caller's transaction: it is sent if and only if the rest happens.
 * Its words are fixed now; the attached PDF is drawn when it goes out. Throws VALIDATION_FAILED on `to` when there is no address;
 * with `quietly`, answers null instead.
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
  const composed = await composeMessage(ctx, message)
  return (await mayGo(ctx, message, composed.to)) ? keep(ctx, message, composed) : null
}

/**
 * The same for a document that is about to get its number, for which others wait: all is read and checked here, and what
 * comes back fills in the words and keeps the message. Null when it is sent quietly and nobody has an address.
 */
export async function prepareDocumentMessage(
  ctx: Ctx,
  message: DocumentMessage & { ownerType: DocumentKind; quietly?: true },
  facts?: SnapshotFacts,
): Promise<((number: string) => Promise<{ guid: string }>) | null> {
  const factsWith = await upcomingFacts(ctx, message.ownerType, message.ownerGuid, facts)
  const unnumbered = factsWith('')
  const template = await templateOf(ctx.db, unnumbered.businessGuid, message.template, unnumbered.language)
  if (!(await mayGo(ctx, message, addressesOf(message, unnumbered)))) return null
  return async (number) => keep(ctx, message, await fillIn(ctx, message, factsWith(number), template))
}

async function mayGo(ctx: Ctx, message: { quietly?: true }, to: readonly string[]): Promise<boolean> {
  if (to.length === 0) {
    if (message.quietly) return false
    throw invalid('to', 'This customer has no email address. Enter one, or add it to the customer.')
  }
  if (ctx.actor.kind === 'user')
    await countUse(
      ctx.db,
      `mail:${ctx.actor.userGuid}`,
      maxPerDay,
      'You’ve reached today’s limit for sending messages. Try again tomorrow.',
    )
  return true
}

async function keep(ctx: Ctx, message: DocumentMessage, composed: Composed): Promise<{ guid: string }> {
  const guid = newGuid()
  const { facts } = composed
  await insertMessage(ctx, {
    guid,
    businessGuid: facts.businessGuid,
    customerGuid: facts.customerGuid,
    ownerType: message.ownerType,
    ownerGuid: message.ownerGuid,
    ownerNumber: facts.ownerNumber,
    template: message.template,
    sender: composed.from,
    replyTo: composed.replyTo,
    recipients: composed.to,
    subject: composed.subject,
    bodyHtml: composed.bodyHtml,
    bodyText: composed.bodyText,
    attachments: JSON.stringify(facts.attachments),
    messageId: messageIdOf(guid, composed.from),
  })
  ctx.audit({
    action: 'message.queued',
    entity: 'Messages',
    guid,
    after: { to: composed.to.join(', '), subject: composed.subject, number: facts.ownerNumber },
  })
  await ctx.enqueue(queueName, {})
  return { guid }
}

export interface Composed {
  facts: MessageFacts
  from: string
  replyTo: string | null
  to: string[]
  subject: string
  bodyHtml: string
  bodyText: string
}

/** The message as it would go out now; nothing is kept. */
export async function composeMessage(ctx: Pick<Ctx, 'db' | 'deps'>, message: DocumentMessage): Promise<Composed> {
  const facts = await messageVariables(ctx, message.template, message.ownerType, message.ownerGuid)
  return fillIn(ctx, message, facts, await templateOf(ctx.db, facts.businessGuid, message.template, facts.language))
}

const addressesOf = (message: DocumentMessage, facts: MessageFacts) => [
  ...new Set((message.to ?? facts.recipients).map((address) => address.trim()).filter(Boolean)),
]

async function fillIn(
  ctx: Pick<Ctx, 'deps'>,
  message: DocumentMessage,
  facts: MessageFacts,
  template: Awaited<ReturnType<typeof templateOf>>,
): Promise<Composed> {
  const values = {
    ...Object.fromEntries(Object.entries(facts.variables).map(([name, value]) => [name, oneLine(value)])),
    note: message.note?.trim() ?? '',
  }
  const subject = message.subject ? oneLine(message.subject) : fillSubject(template.subject, values)
  const layout = layoutOf(facts, subject, fillBody(template.body, values), template.button)
  const { from, replyTo } = senderOf(ctx.deps.settings, facts.business)
  return {
    facts,
    from,
    replyTo,
    to: addressesOf(message, facts),
    subject,
    bodyHtml: await htmlOf(layout, facts.business.primaryColour),
    bodyText: textOf(layout),
  }
}

function layoutOf(facts: MessageFacts, subject: string, paragraphs: string[][], button: string | null): LayoutData {
  const t = phrases('messages', facts.language)
  const { business, language } = facts
  const contact = [business.phone, business.email, business.website].filter(Boolean).join(' · ')
  const address = addressLines(business.address).join(', ')
  const abn = business.abn ? t('layout.abn', { abn: formatAbn(business.abn) }) : ''
  return {
    language,
    subject,
    preview: (paragraphs[1] ?? paragraphs[0] ?? []).join(' ').slice(0, 140),
    business: business.name,
    paragraphs,
    button: button && facts.link ? { label: button, link: facts.link, hint: t('layout.linkHint') } : null,
    footer: [
      [business.legalName, abn].filter(Boolean).join(' · '),
      address,
      contact,
      t('layout.why', { business: business.name }),
    ].filter(Boolean),
  }
}

/** A message about a document as it would go out now, for those who may read the document. */
async function compose(ctx: Ctx, { guid, ownerType }: { guid: string; ownerType: 'quote' | 'order' | 'invoice' }) {
  if (!(await isVisibleOwner(ctx, ownerType, guid))) throw notFound()
  const { to, from, subject, bodyHtml, facts } = await composeMessage(ctx, {
    template: ownerType,
    ownerType,
    ownerGuid: guid,
  })
  return { to, from, subject, bodyHtml, attachments: facts.attachments.map(({ name }) => ({ name })) }
}

export const messages: Handlers<typeof messagesApi> = { ...records, ...outbox, compose }
