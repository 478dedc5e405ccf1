import { sql } from 'kysely'
import { conflict, invalid, notFound, refuseFields } from '../../contract/core/errors.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import type { Ctx } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import {
  customerFacts,
  type MessageFacts,
  type MessageOwner,
  messageVariables,
  noValues,
} from '../documents/document-messages.service.ts'
import { defaultTheme } from '../themes/dressing.service.ts'
import { frozenFacts } from './facts.ts'
import { workOffQueue } from './mailing.ts'
import { insertMessage, isVisibleOwner, purposeOf } from './messages.queries.ts'
import { answeredTo, senderOf } from './sender.ts'
import { recordFields } from './template-fields.ts'
import { fillTemplateVersion, templateByGuid, valuesWith } from './templates.service.ts'
import { unsubscribePlace } from './unsubscribing.ts'
import { offerErrors, peopleOf } from './writing-people.ts'

interface RuledMessage {
  templateGuid: string
  /** What it is about: a document, money, or the customer as a whole. */
  ownerType: MessageOwner
  ownerGuid: string
  customerGuid: string
  to: 'customer' | 'billing'
  attachDocument: boolean
  /** The run that has it sent. */
  runGuid: string
}

/** A contact for money matters, the first one; none where nobody is. */
async function billingAddress({ db }: Pick<Ctx, 'db'>, customerGuid: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select k.email from contact_links l
    join contacts k on k.guid = l.contact_guid where ${inFamily('l', customerGuid)} and l.role = 'billing'
    and l.ended_at is null and k.archived_at is null and k.email is not null
    order by l.is_primary desc, l.created_at, l.guid limit 1`.execute(db)
  return rows.map(({ email }) => email)
}

async function recipientsOf(ctx: Ctx, { to, customerGuid }: RuledMessage, facts: MessageFacts): Promise<string[]> {
  const billing = to === 'billing' ? await billingAddress(ctx, customerGuid) : []
  const found = billing.length > 0 ? billing : facts.recipients
  if (found.length === 0)
    throw invalid('to', 'This customer has no email address. Enter one, or add it to the customer.')
  return found
}

const isDocument = (owner: MessageOwner) => owner === 'quote' || owner === 'order' || owner === 'invoice'

/**
 * Puts a message that no person writes into the outbox, by the template that a rule names: its words are fixed now. It
 * waits out quiet hours and days there. `ctx.rows` are those that the rule’s owner may write about. The addresses it
 * goes to.
 */
export async function queueByRule(ctx: Ctx, message: RuledMessage): Promise<string[]> {
  const { templateGuid, ownerType, ownerGuid, customerGuid, attachDocument, runGuid } = message
  const { guid: businessGuid } = ctx.business
  const found = await templateByGuid(ctx.db, businessGuid, templateGuid, 'en')
  if (!found) throw conflict('This template is not in use. Choose another.')
  if (isDocument(ownerType) && !(await isVisibleOwner(ctx, ownerType, ownerGuid))) throw notFound()
  const { kind, category } = found
  const { record } = templateKindFacts[kind]
  const facts =
    ownerType === 'customer'
      ? await customerFacts(ctx, businessGuid, customerGuid)
      : await messageVariables(ctx, kind, ownerType, ownerGuid)
  const chosen = await templateByGuid(ctx.db, businessGuid, templateGuid, facts.language)
  if (!chosen) throw conflict('This template is not in use. Choose another.')
  const to = await recipientsOf(ctx, message, facts)
  if (category === 'commercial') refuseFields(await offerErrors(ctx.db, peopleOf({ to }), businessGuid))
  const fields = await recordFields(ctx, {
    ...{ businessGuid, kind, record },
    guid: record === 'customer' ? customerGuid : ownerGuid,
  })
  const values = valuesWith(
    { ...noValues(), ...frozenFacts(facts).values, link: facts.link ?? '', unsubscribe_link: unsubscribePlace },
    fields,
  )
  const { language } = chosen
  const { subject, ...words } = fillTemplateVersion(chosen, kind, values, { language, timeZone: 'UTC' })
  const guid = newGuid()
  const { from, replyTo } = senderOf(ctx.deps.settings, facts.business)
  await insertMessage(ctx, {
    ...{ guid, businessGuid, customerGuid, ownerType, ownerGuid, ownerNumber: facts.ownerNumber },
    ...{ template: kind, category, sender: from, replyTo, recipients: to, subject, runGuid },
    isAutomatic: true,
    purpose: category === 'commercial' ? 'marketing' : purposeOf(ownerType === 'customer' ? null : ownerType),
    facts: JSON.stringify({ ...frozenFacts(facts), language, words, fields }),
    attachments: JSON.stringify(attachDocument ? facts.attachments : []),
    themeVersionGuid: (await defaultTheme(ctx.db, businessGuid))?.guid ?? null,
    ...answeredTo(from),
  })
  ctx.audit({
    action: 'message.queued',
    entity: 'Messages',
    guid,
    after: { to: to.join(', '), subject, number: facts.ownerNumber },
  })
  await workOffQueue(ctx)
  return to
}
