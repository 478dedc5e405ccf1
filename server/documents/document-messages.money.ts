import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import type { CardDetails } from '../core/db/schema-money.ts'
import { wordsIn, type Words } from '../core/i18n/format.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'
import type { DocumentBusiness } from './document.ts'
import {
  contactOf,
  customerRecipients,
  documentFacts,
  empty,
  type From,
  frozen,
  greetingOf,
  type MessageFacts,
} from './document-messages.facts.ts'
import { fileNameOf } from './documents.service.ts'

export async function receiptFacts(from: From, guid: string): Promise<MessageFacts> {
  const payment = await from.db.selectFrom('payments').selectAll().where('guid', '=', guid).executeTakeFirst()
  if (!payment) throw notFound()
  const allocated = await from.db
    .selectFrom('paymentAllocations as a')
    .innerJoin('invoices as i', 'i.guid', 'a.invoiceGuid')
    .select(['i.guid', 'i.number', 'i.balanceCents', 'a.cents'])
    .where('a.paymentGuid', '=', guid)
    .where(sql<boolean>`a.reverses_guid is null
      and not exists (select from payment_allocations b where b.reverses_guid = a.guid)`)
    .orderBy('i.issueOn')
    .execute()
  const page = payment.attemptGuid ? await pageOfAttempt(from, payment.attemptGuid) : null
  const owing = allocated.reduce((sum, a) => sum + a.balanceCents, 0)
  const creditCents = payment.amountCents - allocated.reduce((sum, a) => sum + a.cents, 0)
  const base = await moneyFacts(from, payment.businessGuid, payment.customerGuid, allocated[0]?.guid ?? null)
  const { t, money, day } = wordsIn(base.language)
  const balanceSentence = () => {
    if (allocated.length === 0) return ''
    if (owing > 0) return t('sentence.stillOwing', { amount: money(owing) })
    return t(allocated.length === 1 ? 'sentence.settled' : 'sentence.settledAll')
  }
  return {
    ...base,
    ...(page ? { link: page } : {}),
    ownerNumber: payment.number,
    variables: {
      ...base.variables,
      number: payment.number,
      amount: money(payment.amountCents),
      receivedOn: day(payment.receivedOn),
      method: t(`method.${payment.method}`),
      allocation: [
        allocated.length > 0
          ? t('sentence.allocated', { invoices: allocated.map((a) => `${a.number} (${money(a.cents)})`).join(', ') })
          : '',
        creditCents > 0 ? t('sentence.keptAsCredit', { amount: money(creditCents) }) : '',
      ]
        .filter(Boolean)
        .join(' '),
      balanceSentence: balanceSentence(),
    },
  }
}

/** The page on which several invoices were paid in one go, while its link is open. */
async function pageOfAttempt({ db, deps }: From, attemptGuid: string): Promise<string | null> {
  const page = await db
    .selectFrom('paymentAttempts as a')
    .innerJoin('serviceLinks as l', 'l.recordGuid', 'a.statementPageGuid')
    .select('l.guid')
    .where('a.guid', '=', attemptGuid)
    .where('l.kind', '=', 'statement')
    .where('l.revokedAt', 'is', null)
    .executeTakeFirst()
  return page ? serviceUrl(deps.settings, 'statement', page.guid) : null
}

export async function refundFacts(from: From, guid: string): Promise<MessageFacts> {
  const refund = await from.db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.guid', 'r.paymentGuid')
    .leftJoin('invoices as n', 'n.guid', 'r.adjustmentNoteGuid')
    .leftJoin('invoices as i', (join) => join.on('i.guid', '=', sql<string>`coalesce(r.invoice_guid, r.reopens_guid)`))
    .select([
      'r.number',
      'r.amountCents',
      'r.businessGuid',
      'i.guid as invoiceGuid',
      'r.adjustmentNoteGuid',
      'r.method',
      'p.number as paymentNumber',
      'p.customerGuid',
      'p.method as paidBy',
      'p.card',
      'n.number as noteNumber',
      'n.status as noteStatus',
      'i.number as invoiceNumber',
      'i.balanceCents as owingCents',
    ])
    .where('r.guid', '=', guid)
    .executeTakeFirst()
  if (!refund) throw notFound()
  const base = await moneyFacts(from, refund.businessGuid, refund.customerGuid, refund.invoiceGuid)
  const { t, money } = wordsIn(base.language)
  const { owingCents, invoiceNumber } = refund
  const owing =
    owingCents && owingCents > 0
      ? t('sentence.owingAgain', { amount: money(owingCents), number: invoiceNumber ?? '' })
      : ''
  const note = refund.adjustmentNoteGuid ? await frozen(from.db, 'invoice', refund.adjustmentNoteGuid) : null
  return {
    ...base,
    ownerNumber: refund.number,
    attachments:
      note && refund.adjustmentNoteGuid
        ? [{ name: fileNameOf(note.content), kind: 'invoice', guid: refund.adjustmentNoteGuid }]
        : [],
    variables: {
      ...base.variables,
      number: refund.number,
      amount: money(refund.amountCents),
      paymentNumber: refund.paymentNumber,
      adjustment: refund.noteNumber ? t('sentence.adjustmentNote', { number: refund.noteNumber }) : '',
      wayBack: [wayBack(refund, t), owing].filter(Boolean).join(' '),
    },
  }
}

const cardNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  eftpos_au: 'eftpos',
}
const byCard = ['card', 'apple_pay', 'google_pay']

/** How the money went back: to the card it came from, or as it was paid out by hand. */
function wayBack(
  { method, paidBy, card }: { method: string | null; paidBy: string; card: CardDetails | null },
  t: Words['t'],
): string {
  if (card && !method)
    return t('sentence.refundedToCard', { card: cardNames[card.brand] ?? card.brand, last4: card.last4 })
  const way = method ?? paidBy
  if (byCard.includes(way)) return t('sentence.refundedToYourCard')
  return way === 'other' ? '' : t('sentence.refundedBy', { method: t(`method.${way}`) })
}

/** What messages about money share: the parties, and the page of the invoice it was for. */
export async function moneyFacts(
  from: From,
  businessGuid: string,
  customerGuid: string,
  invoiceGuid: string | null,
): Promise<MessageFacts> {
  if (invoiceGuid) {
    const loaded = await frozen(from.db, 'invoice', invoiceGuid)
    return { ...(await documentFacts(from, 'invoice', invoiceGuid, loaded)), customerGuid, attachments: [] }
  }
  const business = await from.db
    .selectFrom('businesses')
    .selectAll()
    .where('guid', '=', businessGuid)
    .executeTakeFirstOrThrow()
  const customer = await from.db
    .selectFrom('parties')
    .select(['displayName', 'language'])
    .where('memberGuid', '=', customerGuid)
    .executeTakeFirstOrThrow()
  const language = from.language ?? customer.language
  const shown: DocumentBusiness = {
    ...business,
    name: business.tradingName ?? business.legalName,
    ...(business.parentGuid === null ? {} : { isBrand: true }),
    logo: null,
  }
  return {
    variables: {
      ...empty(),
      ...greetingOf(
        { contact: await contactOf(from.db, customerGuid), name: customer.displayName },
        shown.name,
        wordsIn(language),
      ),
    },
    link: null,
    businessGuid,
    business: shown,
    customerGuid,
    language,
    ownerNumber: null,
    recipients: await customerRecipients(from.db, customerGuid, 'l.receivesInvoices'),
    attachments: [],
  }
}
