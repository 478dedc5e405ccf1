import { sql } from 'kysely'
import { addDays, localDay } from '../../contract/core/dates.ts'
import { isUnissued } from '../../contract/invoices.ts'
import type { messageOwners, TemplateKind } from '../../contract/messages.ts'
import type { CardDetails } from '../core/db/schema-money.ts'
import { notFound } from '../../contract/core/errors.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { Language } from '../../contract/core/languages.ts'
import { linkOf, serviceUrl } from '../service-links/service-links.service.ts'
import type { DocumentBusiness, DocumentContent, DocumentKind } from './document.ts'
import { loadDocument, type Loaded } from './documents.queries.ts'
import { fileNameOf } from './documents.service.ts'
import { wordsIn, type Words } from '../core/i18n/format.ts'
import { titleOf } from './title.ts'

export type MessageOwner = (typeof messageOwners)[number]

/** All a message about a document needs: the values its template may name, where its button leads, who gets it. */
export interface MessageFacts {
  variables: Record<string, string>
  link: string | null
  businessGuid: string
  business: DocumentBusiness
  customerGuid: string
  /** What the customer reads. */
  language: Language
  ownerNumber: string | null
  /** Addresses it goes to when nobody says otherwise; empty when the customer has none. */
  recipients: string[]
  attachments: { name: string; kind: DocumentKind; guid: string }[]
}

type From = Pick<Ctx, 'db' | 'deps'>

/** Every value a template may name; those that do not apply are empty. Nothing else is ever put into a message. */
export const templateVariables = [
  ...[
    'greeting',
    'business',
    'number',
    'title',
    'documentTitle',
    'documentName',
    'total',
    'gstWords',
    'note',
    'deposit',
    'validity',
    'replaces',
    'orderNumber',
    'schedule',
    'payment',
  ],
  ...['amount', 'receivedOn', 'method', 'allocation', 'balanceSentence', 'paymentNumber', 'adjustment', 'wayBack'],
] as const

const empty = (): Record<string, string> => Object.fromEntries(templateVariables.map((name) => [name, '']))

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

async function frozen(db: Db, kind: DocumentKind, guid: string): Promise<Loaded> {
  const loaded = await loadDocument(db, kind, guid)
  return loaded.frozen && loaded.state.status !== 'draft' ? { ...loaded, content: loaded.frozen } : loaded
}

async function documentFacts(from: From, kind: DocumentKind, guid: string, loaded: Loaded): Promise<MessageFacts> {
  const w = wordsIn(loaded.language)
  const { t, money } = w
  const { content, state } = loaded
  const link = state.serviceGuid ? serviceUrl(from.deps.settings, kind, state.serviceGuid) : null
  const takesCards = from.deps.settings.paymentProvider !== 'none'
  const totalCents = state.chosen?.totals.totalCents ?? content.totals.totalCents
  return {
    variables: {
      ...empty(),
      ...greetingOf(
        {
          contact: content.billTo.contact ?? (await contactOf(from.db, loaded.customerGuid)),
          name: content.billTo.name,
        },
        content.business.name,
        w,
      ),
      ...titles(content, w),
      number: numberOf(content),
      title: content.title,
      total: money(totalCents),
      gstWords: gstWords(content, w),
      deposit:
        content.deposit && content.deposit.cents > 0
          ? t('sentence.depositAsked', { amount: money(content.deposit.cents) })
          : '',
      replaces: content.revision > 0 ? t('sentence.replaces', { number: content.number ?? '' }) : '',
      validity: content.validUntil ? t('sentence.validUntil', { day: w.day(content.validUntil) }) : '',
      schedule: content.scheduledOn ? t('sentence.scheduled', { day: w.day(content.scheduledOn) }) : '',
      payment:
        kind !== 'invoice'
          ? ''
          : isUnissued(state.status)
            ? paymentSentence(await asIssued(from, guid, content, w), content.totals.totalCents, takesCards, w)
            : paymentSentence(content, state.balanceCents, takesCards && link !== null, w),
    },
    link,
    businessGuid: loaded.businessGuid,
    business: content.business,
    customerGuid: loaded.customerGuid,
    language: loaded.language,
    ownerNumber: content.number,
    recipients: await recipientsOf(from.db, loaded.customerGuid, kind, guid),
    attachments: [{ name: fileNameOf(content), kind, guid }],
  }
}

const numberOf = (content: DocumentContent) =>
  `${content.number ?? ''}${content.revision > 0 ? ` R${content.revision}` : ''}`
const gstWords = (content: DocumentContent, { t }: Words) =>
  t(content.business.gstRegistered && content.totals.gstCents !== 0 ? 'sentence.withGst' : 'sentence.withoutGst')

/** By the first name of whom one deals with there, else by the name of the customer. */
const greetingOf = (to: { contact: string | null; name: string }, business: string, { t }: Words) => ({
  greeting: (to.contact ?? '').trim().split(/\s+/)[0] || to.name || t('greetingFallback'),
  business,
})

/** The contact of a customer, where the document itself names none. */
async function contactOf(db: Db, customerGuid: string): Promise<string | null> {
  const contact = await db
    .selectFrom('contacts')
    .select('name')
    .where('customerGuid', '=', customerGuid)
    .where('archivedAt', 'is', null)
    .orderBy('isPrimary', 'desc')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return contact?.name ?? null
}

function titles(content: DocumentContent, { t, document }: Words) {
  const documentTitle = titleOf(content, document)
  if (content.kind !== 'invoice') return { documentTitle, documentName: documentTitle.toLowerCase() }
  const suffix = content.isTaxInvoice ? 'TaxInvoice' : 'Invoice'
  if (content.invoiceKind === 'adjustment_note')
    return {
      documentTitle,
      documentName: t(content.isTaxInvoice ? 'documentName.adjustmentNote' : 'documentName.creditNote'),
    }
  return {
    documentTitle,
    documentName: t(
      content.invoiceKind === 'deposit'
        ? `documentName.deposit${suffix}`
        : `documentName.${content.isTaxInvoice ? 'taxInvoice' : 'invoice'}`,
    ),
  }
}

/** An invoice that is still to be issued, as it would be today: until then it has no day, no number and no balance. */
async function asIssued(from: From, guid: string, content: DocumentContent, { t }: Words): Promise<DocumentContent> {
  const { termsDays, timeZone } = await from.db
    .selectFrom('invoices as i')
    .innerJoin('businesses as b', 'b.guid', 'i.businessGuid')
    .select(['i.termsDays', 'b.timeZone'])
    .where('i.guid', '=', guid)
    .executeTakeFirstOrThrow()
  return {
    ...content,
    number: t('sentence.numberToCome'),
    dueOn: addDays(localDay(from.deps.now().toISOString(), timeZone), termsDays),
  }
}

function paymentSentence(
  content: DocumentContent,
  balanceCents: number,
  canPayByCard: boolean,
  { t, money, day: dayOf }: Words,
): string {
  if (content.adjusts)
    return t('sentence.adjustmentEffect', {
      original: content.adjusts.number,
      amount: money(Math.abs(content.totals.totalCents)),
    })
  if (balanceCents <= 0) return t('sentence.nothingOwing')
  const day = content.dueOn ? dayOf(content.dueOn) : ''
  return t(canPayByCard ? 'sentence.payBy' : 'sentence.payByNoCard', {
    amount: money(balanceCents),
    day,
    number: content.number ?? '',
  })
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

/** The address on the document's contact, else the customer's own, else of contacts who receive such documents. */
async function recipientsOf(db: Db, customerGuid: string, kind: DocumentKind, guid: string): Promise<string[]> {
  const wants = kind === 'quote' ? 'k.receivesQuotes' : 'k.receivesInvoices'
  const { rows } = await sql<{
    email: string | null
  }>`select k.email from ${sql.table(`${kind}s`)} d join contacts k on k.guid = d.contact_guid where d.guid = ${guid}`.execute(
    db,
  )
  const named = rows[0]
  if (named?.email) return [named.email]
  return customerRecipients(db, customerGuid, wants)
}

async function customerRecipients(
  db: Db,
  customerGuid: string,
  wants: 'k.receivesQuotes' | 'k.receivesInvoices',
): Promise<string[]> {
  const own = await db.selectFrom('customers').select('email').where('guid', '=', customerGuid).executeTakeFirst()
  if (own?.email) return [own.email]
  const contacts = await db
    .selectFrom('contacts as k')
    .select('k.email')
    .where('k.customerGuid', '=', customerGuid)
    .where('k.archivedAt', 'is', null)
    .where(wants, '=', true)
    .where('k.email', 'is not', null)
    .orderBy('k.isPrimary', 'desc')
    .orderBy('k.createdAt')
    .limit(1)
    .execute()
  return contacts.flatMap(({ email }) => (email ? [email] : []))
}

async function receiptFacts(from: From, guid: string): Promise<MessageFacts> {
  const payment = await from.db.selectFrom('payments').selectAll().where('guid', '=', guid).executeTakeFirst()
  if (!payment) throw notFound()
  const allocated = await from.db
    .selectFrom('paymentAllocations as a')
    .innerJoin('invoices as i', 'i.guid', 'a.invoiceGuid')
    .select(['i.guid', 'i.number', 'i.balanceCents', 'a.cents'])
    .where('a.paymentGuid', '=', guid)
    .orderBy('i.issueOn')
    .execute()
  const owing = allocated.reduce((sum, a) => sum + a.balanceCents, 0)
  const creditCents = payment.amountCents - allocated.reduce((sum, a) => sum + a.cents, 0)
  const base = await moneyFacts(from, payment.businessGuid, payment.customerGuid, allocated[0]?.guid ?? null)
  const { t, money, day } = wordsIn(base.language)
  return {
    ...base,
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
      balanceSentence:
        allocated.length === 0
          ? ''
          : owing > 0
            ? t('sentence.stillOwing', { amount: money(owing) })
            : t(allocated.length === 1 ? 'sentence.settled' : 'sentence.settledAll'),
    },
  }
}

async function refundFacts(from: From, guid: string): Promise<MessageFacts> {
  const refund = await from.db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.guid', 'r.paymentGuid')
    .leftJoin('invoices as n', 'n.guid', 'r.adjustmentNoteGuid')
    .select([
      'r.number',
      'r.amountCents',
      'r.businessGuid',
      'r.invoiceGuid',
      'r.adjustmentNoteGuid',
      'r.method',
      'p.number as paymentNumber',
      'p.customerGuid',
      'p.method as paidBy',
      'p.card',
      'n.number as noteNumber',
      'n.status as noteStatus',
    ])
    .where('r.guid', '=', guid)
    .executeTakeFirst()
  if (!refund) throw notFound()
  const base = await moneyFacts(from, refund.businessGuid, refund.customerGuid, refund.invoiceGuid)
  const { t, money } = wordsIn(base.language)
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
      wayBack: wayBack(refund, t),
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
  if (card) return t('sentence.refundedToCard', { card: cardNames[card.brand] ?? card.brand, last4: card.last4 })
  const way = method ?? paidBy
  if (byCard.includes(way)) return t('sentence.refundedToYourCard')
  return way === 'other' ? '' : t('sentence.refundedBy', { method: t(`method.${way}`) })
}

/** What messages about money share: the parties, and the page of the invoice it was for. */
async function moneyFacts(
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
    .selectFrom('customers')
    .select(['displayName', 'language'])
    .where('guid', '=', customerGuid)
    .executeTakeFirstOrThrow()
  const shown: DocumentBusiness = { ...business, name: business.tradingName ?? business.legalName, logo: null }
  return {
    variables: {
      ...empty(),
      ...greetingOf(
        { contact: await contactOf(from.db, customerGuid), name: customer.displayName },
        shown.name,
        wordsIn(customer.language),
      ),
    },
    link: null,
    businessGuid,
    business: shown,
    customerGuid,
    language: customer.language,
    ownerNumber: null,
    recipients: await customerRecipients(from.db, customerGuid, 'k.receivesInvoices'),
    attachments: [],
  }
}
