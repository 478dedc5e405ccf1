import type { messageOwners, TemplateKind } from '../../contract/messages.ts'
import { wordsIn } from '../core/i18n/format.ts'
import { linkOf, serviceUrl } from '../service-links/service-links.service.ts'
import { documentFacts, type From, frozen, type MessageFacts, titles } from './document-messages.facts.ts'
import { receiptFacts, refundFacts } from './document-messages.money.ts'
import type { Loaded } from './documents.queries.ts'

export { type MessageFacts, upcomingFacts } from './document-messages.facts.ts'

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
  const loaded = await frozen(from.db, ownerType, ownerGuid)
  const base = await documentFacts(from, ownerType, ownerGuid, loaded)
  if (template === 'quote_accepted' && ownerType === 'quote') return acceptedFacts(from, ownerGuid, loaded, base)
  return base
}

/** After acceptance: the order, what was chosen, and the deposit invoice with its own page. */
async function acceptedFacts(from: From, quoteGuid: string, loaded: Loaded, base: MessageFacts): Promise<MessageFacts> {
  const w = wordsIn(loaded.language)
  const order = await from.db
    .selectFrom('orders as o')
    .select(['o.guid', 'o.number', linkOf('order', 'o.guid').as('link')])
    .where('o.quoteGuid', '=', quoteGuid)
    .executeTakeFirst()
  const deposit = await from.db
    .selectFrom('invoices as i')
    .select(['i.guid', linkOf('invoice', 'i.guid').as('link')])
    .where('i.quoteGuid', '=', quoteGuid)
    .where('i.kind', '=', 'deposit')
    .where('i.status', '=', 'issued')
    .executeTakeFirst()
  const invoice = deposit ? await frozen(from.db, 'invoice', deposit.guid) : null
  const asked = invoice
    ? w.t('sentence.depositDue', {
        amount: w.money(invoice.state.balanceCents),
        documentName: titles(invoice.content, w).documentName,
        number: invoice.content.number ?? '',
      })
    : w.t('sentence.depositPaid')
  const payLink = deposit?.link ? serviceUrl(from.deps.settings, 'invoice', deposit.link) : ''
  return {
    ...base,
    variables: {
      ...base.variables,
      orderNumber: order?.number ?? '',
      deposit: [asked, payLink].filter(Boolean).join(' '),
      validity: '',
    },
    link: order?.link ? serviceUrl(from.deps.settings, 'order', order.link) : base.link,
    // The deposit invoice comes with a message of its own.
    attachments: [],
    ownerNumber: loaded.content.number,
  }
}
