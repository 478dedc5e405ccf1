import { sql } from 'kysely'
import { addDays, localDay } from '../../contract/core/dates.ts'
import type { Language } from '../../contract/core/languages.ts'
import { isUnissued } from '../../contract/invoice-transitions.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { wordsIn, type Words } from '../core/i18n/format.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'
import type { DocumentBusiness, DocumentContent, DocumentKind } from './document.ts'
import type { Loaded } from './content.ts'
import { loadDocument } from './documents.queries.ts'
import { fileNameOf, type SnapshotFacts } from './documents.service.ts'
import { titleOf } from './title.ts'

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
  attachments: { name: string; kind: DocumentKind | 'statement'; guid: string }[]
}

/** `language`: in these words, whatever the customer reads. */
export type From = Pick<Ctx, 'db' | 'deps'> & { language?: Language }

/** Every value a template may name; those that do not apply are empty. Nothing else is ever put into a message. */
const templateVariables = [
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
    'evidence',
    'validity',
    'replaces',
    'orderNumber',
    'schedule',
    'payment',
  ],
  ...['period', 'owing'],
  ...['change', 'changeTitle', 'contractBefore', 'contractAfter', 'reference'],
  ...['amount', 'receivedOn', 'method', 'allocation', 'balanceSentence', 'paymentNumber', 'adjustment', 'wayBack'],
] as const

export const empty = (): Record<string, string> => Object.fromEntries(templateVariables.map((name) => [name, '']))

export async function frozen(db: Db, kind: DocumentKind, guid: string): Promise<Loaded> {
  const loaded = await loadDocument(db, kind, guid)
  return loaded.frozen && loaded.state.status !== 'draft' ? { ...loaded, content: loaded.frozen } : loaded
}

/** What is said of an invoice that is to be paid. */
interface Bill {
  content: DocumentContent
  balanceCents: number
  canPayByCard: boolean
}

export async function documentFacts(
  from: From,
  kind: DocumentKind,
  guid: string,
  loaded: Loaded,
): Promise<MessageFacts> {
  const { content, state } = loaded
  const factsOf = await readFacts(from, kind, guid, loaded)
  if (kind !== 'invoice') return factsOf(content, null)
  const takesCards = from.deps.settings.paymentProvider !== 'none'
  if (isUnissued(state.status))
    return factsOf(content, {
      content: await asIssued(from, guid, content, wordsIn(from.language ?? loaded.language)),
      balanceCents: content.totals.totalCents,
      canPayByCard: takesCards,
    })
  return factsOf(content, {
    content,
    balanceCents: state.balanceCents,
    canPayByCard: takesCards && state.serviceGuid !== null,
  })
}

/**
 * The values for a message about a document that is being sent or issued. All is read here, so that what comes back
 * needs only the number, which is taken last of all.
 */
export async function upcomingFacts(
  from: From,
  kind: DocumentKind,
  guid: string,
  facts: SnapshotFacts = {},
): Promise<(number: string) => MessageFacts> {
  const loaded = await loadDocument(from.db, kind, guid)
  const factsOf = await readFacts(from, kind, guid, loaded)
  const canPayByCard = from.deps.settings.paymentProvider !== 'none'
  return (number) => {
    const content = { ...loaded.content, ...facts, number }
    const bill = kind === 'invoice' ? { content, balanceCents: content.totals.totalCents, canPayByCard } : null
    return factsOf(content, bill)
  }
}

/** Reads what a message about a document needs beside the document. */
async function readFacts(
  from: From,
  kind: DocumentKind,
  guid: string,
  loaded: Loaded,
): Promise<(content: DocumentContent, bill: Bill | null) => MessageFacts> {
  const language = from.language ?? loaded.language
  const w = wordsIn(language)
  const { t, money } = w
  const { state } = loaded
  const contact = loaded.content.billTo.contact ?? (await contactOf(from.db, loaded.customerGuid))
  const recipients = await recipientsOf(from.db, kind, guid)
  const link = state.serviceGuid ? serviceUrl(from.deps.settings, kind, state.serviceGuid) : null
  return (content, bill) => ({
    variables: {
      ...empty(),
      ...greetingOf({ contact, name: content.billTo.name }, content.business.name, w),
      ...titles(content, w),
      number: numberOf(content),
      title: content.title,
      total: money(state.chosen?.totals.totalCents ?? content.totals.totalCents),
      gstWords: gstWords(content, w),
      deposit:
        content.deposit && content.deposit.cents > 0
          ? t('sentence.depositAsked', { amount: money(content.deposit.cents) })
          : '',
      replaces: content.revision > 0 ? t('sentence.replaces', { number: content.number ?? '' }) : '',
      validity: content.validUntil ? t('sentence.validUntil', { day: w.day(content.validUntil) }) : '',
      schedule: content.scheduledOn ? t('sentence.scheduled', { day: w.day(content.scheduledOn) }) : '',
      payment: bill ? paymentSentence(bill, w) : '',
    },
    link,
    businessGuid: loaded.businessGuid,
    business: content.business,
    customerGuid: loaded.customerGuid,
    language,
    ownerNumber: content.number,
    recipients,
    // A draft gets its number when it is sent.
    attachments: [{ name: fileNameOf(content, ''), kind, guid }],
  })
}

const numberOf = (content: DocumentContent) =>
  `${content.number ?? ''}${content.revision > 0 ? ` R${content.revision}` : ''}`
const gstWords = (content: DocumentContent, { t }: Words) =>
  t(content.business.gstRegistered && content.totals.gstCents !== 0 ? 'sentence.withGst' : 'sentence.withoutGst')

/** By the first name of whom one deals with there, else by the name of the customer. */
export const greetingOf = (to: { contact: string | null; name: string }, business: string, { t }: Words) => ({
  greeting: (to.contact ?? '').trim().split(/\s+/)[0] || to.name || t('greetingFallback'),
  business,
})

/** Those who are a customer's contacts now, whom one writes to first at the head. */
const contactsOf = (db: Db, customerGuid: string) =>
  db
    .selectFrom('contactLinks as l')
    .innerJoin('contacts as k', 'k.guid', 'l.contactGuid')
    .where(inFamily('l', customerGuid))
    .where('l.endedAt', 'is', null)
    .where('k.archivedAt', 'is', null)
    .orderBy('l.isPrimary', 'desc')
    .orderBy('l.createdAt')

/** The contact of a customer, where the document itself names none. */
export async function contactOf(db: Db, customerGuid: string): Promise<string | null> {
  const contact = await contactsOf(db, customerGuid).select('k.name').limit(1).executeTakeFirst()
  return contact?.name ?? null
}

export function titles(content: DocumentContent, { t, document }: Words) {
  const documentTitle = titleOf(content, document)
  if (content.kind !== 'invoice') return { documentTitle, documentName: documentTitle.toLowerCase() }
  const suffix = content.isTaxInvoice ? 'TaxInvoice' : 'Invoice'
  if (content.invoiceKind === 'adjustment_note')
    return {
      documentTitle,
      documentName: t(content.isTaxInvoice ? 'documentName.adjustmentNote' : 'documentName.creditNote'),
    }
  if (content.forfeitureClause !== undefined) return { documentTitle, documentName: t('documentName.depositRequest') }
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
    number: t(content.forfeitureClause === undefined ? 'sentence.numberToCome' : 'sentence.requestNumberToCome'),
    dueOn: addDays(localDay(from.deps.now().toISOString(), timeZone), termsDays),
  }
}

function paymentSentence({ content, balanceCents, canPayByCard }: Bill, { t, money, day: dayOf }: Words): string {
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

const wantedBy = { quote: 'receivesQuotes', order: 'receivesInvoices', invoice: 'receivesInvoices' } as const

/**
 * Where a message about a document goes, by its alias in a query: the address of its contact, else the customer's own,
 * else that of a contact who receives such documents; null where there is none.
 */
export const addressOfDocument = (alias: string, kind: DocumentKind) => {
  const customer = sql.ref(`${alias}.customerGuid`)
  return sql<string | null>`coalesce(
    (select k.email from contacts k where k.guid = ${sql.ref(`${alias}.contactGuid`)}),
    (select p.email from parties p where p.member_guid = ${customer}),
    (select k.email from contact_links l join contacts k on k.guid = l.contact_guid
      where ${inFamily('l', customer)} and l.ended_at is null and k.archived_at is null and k.email is not null
        and ${sql.ref(`l.${wantedBy[kind]}`)} order by l.is_primary desc, l.created_at limit 1))`
}

async function recipientsOf(db: Db, kind: DocumentKind, guid: string): Promise<string[]> {
  const { rows } = await sql<{ email: string | null }>`select ${addressOfDocument('d', kind)} as email
    from ${sql.table(`${kind}s`)} d where d.guid = ${guid}`.execute(db)
  return rows.flatMap(({ email }) => email ?? [])
}

export async function customerRecipients(
  db: Db,
  customerGuid: string,
  wants: 'l.receivesQuotes' | 'l.receivesInvoices',
): Promise<string[]> {
  const own = await db.selectFrom('parties').select('email').where('memberGuid', '=', customerGuid).executeTakeFirst()
  if (own?.email) return [own.email]
  const contacts = await contactsOf(db, customerGuid)
    .select('k.email')
    .where(wants, '=', true)
    .where('k.email', 'is not', null)
    .limit(1)
    .execute()
  return contacts.flatMap(({ email }) => (email ? [email] : []))
}
