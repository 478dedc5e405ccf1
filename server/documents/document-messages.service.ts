import { notFound } from '../../contract/core/errors.ts'
import { changeNumber, type ChangeReason } from '../../contract/change-orders.ts'
import type { messageOwners, TemplateKind } from '../../contract/messages.ts'
import { wordsIn } from '../core/i18n/format.ts'
import { linkOf, serviceUrl } from '../service-links/service-links.service.ts'
import { documentFacts, type From, frozen, type MessageFacts, titles } from './document-messages.facts.ts'
import { moneyFacts, receiptFacts, refundFacts } from './document-messages.money.ts'
import { loadDocument } from './documents.queries.ts'
import type { SnapshotFacts } from './documents.service.ts'

export {
  addressOfDocument,
  customerRecipients,
  empty as noValues,
  type From,
  type MessageFacts,
  upcomingFacts,
} from './document-messages.facts.ts'
export { moneyFacts } from './document-messages.money.ts'
export { statementFacts } from './document-messages.statement.ts'
/** What a letter to a customer says that is about no document of his. */
export const customerFacts = (from: From, businessGuid: string, customerGuid: string): Promise<MessageFacts> =>
  moneyFacts(from, businessGuid, customerGuid, null)

export type MessageOwner = (typeof messageOwners)[number]

/** The values for a message of this kind. Throws NOT_FOUND when there is no such record. */
export async function messageVariables(
  from: From,
  template: TemplateKind,
  ownerType: MessageOwner,
  ownerGuid: string,
): Promise<MessageFacts> {
  if (ownerType === 'payment') return receiptFacts(from, ownerGuid)
  if (ownerType === 'refund') return refundFacts(from, ownerGuid)
  // What is said of a customer as a whole is said by whoever says it.
  if (ownerType === 'customer') throw notFound()
  if (template === 'quote_accepted' && ownerType === 'quote') return (await acceptedFacts(from, ownerGuid))()
  const facts = await documentFacts(from, ownerType, ownerGuid, await frozen(from.db, ownerType, ownerGuid))
  if (template === 'change_order') return { ...facts, ...(await changeFacts(from, ownerGuid, 'sent', facts)) }
  if (template === 'change_accepted') return { ...facts, ...(await changeFacts(from, ownerGuid, 'accepted', facts)) }
  if (template === 'request_received') return { ...facts, ...(await requestFacts(from, ownerGuid, facts)) }
  // What is said stands on the page alone.
  return template === 'quote_answered' ? { ...facts, attachments: [] } : facts
}

/** The change of an order that waits for its customer, or that was accepted last. All else of it stands on the page. */
async function changeFacts(
  from: From,
  orderGuid: string,
  reason: Extract<ChangeReason, 'sent' | 'accepted'>,
  { variables, language }: MessageFacts,
): Promise<Pick<MessageFacts, 'variables' | 'attachments'>> {
  const { money, t } = wordsIn(language)
  const change = await from.db
    .selectFrom('changeEvents as e')
    .innerJoin('changeOrders as c', 'c.guid', 'e.changeGuid')
    .select(['c.position', 'c.title', 'c.contractBeforeCents', 'c.contractAfterCents', 'e.chainSha256'])
    .where('e.orderGuid', '=', orderGuid)
    .where('e.reason', '=', reason)
    .orderBy('e.position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const said = {
    change: change ? changeNumber(change.position) : '',
    changeTitle: change?.title ?? '',
    contractBefore: change ? money(change.contractBeforeCents) : '',
    contractAfter: change ? money(change.contractAfterCents) : '',
    evidence: change ? t('sentence.evidence', { sha256: change.chainSha256 }) : '',
  }
  return { variables: { ...variables, ...said }, attachments: [] }
}

/**
 * The word that a request has come. Anybody can enter anybody's address, so it says nothing that was typed, not even a
 * name, and leads nowhere: the draft is for staff.
 */
async function requestFacts(
  from: From,
  quoteGuid: string,
  { variables, language }: MessageFacts,
): Promise<Pick<MessageFacts, 'variables' | 'attachments' | 'link'>> {
  const request = await from.db
    .selectFrom('requests')
    .select('reference')
    .where('quoteGuid', '=', quoteGuid)
    .executeTakeFirst()
  const greeting = wordsIn(language).t('greetingFallback')
  return { variables: { ...variables, greeting, reference: request?.reference ?? '' }, attachments: [], link: null }
}

/** A deposit invoice that is about to be issued, and what it will say. */
export interface UpcomingDeposit {
  guid: string
  facts: SnapshotFacts
}

/**
 * After acceptance: the order, what was chosen, and the deposit invoice with its own page. All is read here; what comes
 * back needs only the number of a deposit invoice that has none yet.
 */
export async function acceptedFacts(
  from: From,
  quoteGuid: string,
  upcoming?: UpcomingDeposit,
): Promise<(depositNumber?: string) => MessageFacts> {
  const loaded = await frozen(from.db, 'quote', quoteGuid)
  const base = await documentFacts(from, 'quote', quoteGuid, loaded)
  const w = wordsIn(base.language)
  const order = await from.db
    .selectFrom('orders as o')
    .select(['o.guid', 'o.number', linkOf('order', 'o.guid').as('link')])
    .where('o.quoteGuid', '=', quoteGuid)
    .executeTakeFirst()
  const sha256 = loaded.state.accepted?.evidenceSha256
  const deposit = await depositOf(from, quoteGuid, upcoming)
  const payLink = deposit?.link ? serviceUrl(from.deps.settings, 'invoice', deposit.link) : ''
  const askedFor = (number: string | undefined) =>
    deposit
      ? w.t('sentence.depositDue', {
          amount: w.money(deposit.balanceCents),
          documentName: titles(deposit.content, w).documentName,
          number: number ?? deposit.content.number ?? '',
        })
      : w.t('sentence.depositPaid')
  return (depositNumber) => ({
    ...base,
    variables: {
      ...base.variables,
      orderNumber: order?.number ?? '',
      deposit: [askedFor(depositNumber), payLink].filter(Boolean).join(' '),
      evidence: sha256 ? w.t('sentence.evidence', { sha256 }) : '',
      validity: '',
    },
    link: order?.link ? serviceUrl(from.deps.settings, 'order', order.link) : base.link,
    // The deposit invoice comes with a message of its own.
    attachments: [],
    ownerNumber: loaded.content.number,
  })
}

/** The invoice for the deposit of a quote as it was issued, or as it is about to be. */
async function depositOf(from: From, quoteGuid: string, upcoming: UpcomingDeposit | undefined) {
  if (upcoming) {
    const { content, state } = await loadDocument(from.db, 'invoice', upcoming.guid)
    const balanceCents = content.totals.totalCents
    return { content: { ...content, ...upcoming.facts }, balanceCents, link: state.serviceGuid }
  }
  const issued = await from.db
    .selectFrom('invoices')
    .select('guid')
    .where('quoteGuid', '=', quoteGuid)
    .where('kind', '=', 'deposit')
    .where('status', '=', 'issued')
    .executeTakeFirst()
  if (!issued) return null
  const { content, state } = await frozen(from.db, 'invoice', issued.guid)
  return { content, balanceCents: state.balanceCents, link: state.serviceGuid }
}
