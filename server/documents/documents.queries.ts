import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import { depositAmount } from '../../contract/core/money.ts'
import { shownStages } from '../../contract/stages.ts'
import { isUnissued } from '../../contract/invoice-transitions.ts'
import type { Db } from '../core/ctx.ts'
import { claimOf } from './claims.service.ts'
import { filledInstalments, instalmentsJson } from './instalments.service.ts'
import { usesOfDeposit } from './deposit-uses.service.ts'
import { linesJson } from './lines.service.ts'
import { linkOf } from '../service-links/service-links.service.ts'
import { businessColumns, common, linesOf, type Loaded, nothingHappened, partyColumns, totalsOf } from './content.ts'
import type { DocumentContent, DocumentKind, DocumentState } from './document.ts'

/** The local day of an instant column in the business's zone. */
const localDay = (column: string) => sql<string | null>`(${sql.ref(column)} at time zone b.time_zone)::date`

async function loadQuote(db: Db, guid: string): Promise<Loaded> {
  const row = await db
    .selectFrom('quotes as q')
    .innerJoin('businesses as b', 'b.guid', 'q.businessGuid')
    .innerJoin('parties as c', 'c.memberGuid', 'q.customerGuid')
    .leftJoin('contacts as p', 'p.guid', 'q.contactGuid')
    .leftJoin('sites as s', 's.guid', 'q.siteGuid')
    .select([...businessColumns, ...partyColumns])
    .select([
      'q.number',
      'q.revision',
      'q.title',
      'q.status',
      'q.priceMode',
      'q.discount',
      'q.validUntil',
      'q.depositRule',
      'q.schedule',
      'q.intro',
      'q.terms',
      'q.acceptance',
      'q.snapshot',
    ])
    .select([
      'q.subtotalCents',
      'q.discountCents',
      'q.gstCents',
      'q.totalCents',
      'q.optionalTotalCents',
      localDay('q.sentAt').as('sentOn'),
      linkOf('quote', 'q.guid').as('serviceGuid'),
    ])
    .select(linesJson('quote_lines', 'q.guid').as('lines'))
    .where('q.guid', '=', guid)
    .executeTakeFirst()
  if (!row) throw notFound()
  const lines = linesOf(row.lines, row.language)
  const totals = totalsOf(row)
  const hasDeposit = row.schedule === null && row.depositRule !== null && row.depositRule.type !== 'none'
  const content: DocumentContent = {
    ...common(row, lines, totals),
    kind: 'quote',
    revision: row.revision,
    issueOn: row.sentOn,
    validUntil: row.validUntil,
    deposit:
      hasDeposit && row.depositRule
        ? { rule: row.depositRule, cents: depositAmount(row.depositRule, totals.totalCents) }
        : null,
    ...(row.schedule ? { stages: shownStages(row.schedule, totals.totalCents) } : {}),
    intro: row.intro,
    terms: row.terms,
  }
  const isDecided = row.status === 'accepted' || row.status === 'converted'
  const chosen = isDecided ? { lineGuids: lines.filter((l) => l.isSelected).map((l) => l.guid), totals } : null
  const state = {
    ...nothingHappened,
    status: row.status,
    accepted:
      isDecided && row.acceptance
        ? {
            name: row.acceptance.name,
            at: row.acceptance.at,
            signature: row.acceptance.signature?.method === 'drawn' ? row.acceptance.signature.png : null,
            evidenceSha256: row.acceptance.evidenceSha256,
          }
        : null,
    chosen,
    serviceGuid: row.serviceGuid,
  }
  return {
    content,
    state,
    businessGuid: row.businessGuid,
    customerGuid: row.customerGuid,
    language: row.language,
    // With what its customer answered, where he did; else what was sent.
    frozen: (isDecided && row.acceptance?.document ? row.acceptance.document : row.snapshot) as DocumentContent | null,
  }
}

async function loadOrder(db: Db, guid: string): Promise<Loaded> {
  const row = await db
    .selectFrom('orders as o')
    .innerJoin('businesses as b', 'b.guid', 'o.businessGuid')
    .innerJoin('parties as c', 'c.memberGuid', 'o.customerGuid')
    .leftJoin('contacts as p', 'p.guid', 'o.contactGuid')
    .leftJoin('sites as s', 's.guid', 'o.siteGuid')
    .select([...businessColumns, ...partyColumns])
    .select([
      'o.number',
      'o.title',
      'o.status',
      'o.priceMode',
      'o.discount',
      'o.scheduledOn',
      'o.customerReference',
      'o.subtotalCents',
      'o.discountCents',
      'o.gstCents',
      'o.totalCents',
    ])
    .select([localDay('o.createdAt').as('createdOn'), linkOf('order', 'o.guid').as('serviceGuid')])
    .select(linesJson('order_lines', 'o.guid').as('lines'))
    .where('o.guid', '=', guid)
    .executeTakeFirst()
  if (!row) throw notFound()
  const lines = linesOf(row.lines, row.language)
  const content: DocumentContent = {
    ...common(row, lines, totalsOf(row)),
    kind: 'order',
    reference: row.customerReference,
    issueOn: row.createdOn,
    scheduledOn: row.scheduledOn,
  }
  return {
    content,
    state: { ...nothingHappened, status: row.status, serviceGuid: row.serviceGuid },
    businessGuid: row.businessGuid,
    customerGuid: row.customerGuid,
    language: row.language,
    frozen: null,
  }
}

async function loadInvoice(db: Db, guid: string): Promise<Loaded> {
  const row = await invoiceRow(db, guid)
  if (!row) throw notFound()
  const lines = linesOf(row.lines, row.language)
  const content: DocumentContent = {
    ...common(row, lines, totalsOf(row)),
    kind: 'invoice',
    invoiceKind: row.kind,
    // A draft says what it is going to be.
    isTaxInvoice: isUnissued(row.status) ? row.gstRegistered && row.depositNature !== 'security' : row.isTaxInvoice,
    reference: row.reference,
    issueOn: row.issueOn,
    dueOn: row.dueOn,
    notes: row.notes,
    ...(row.claim ? { claim: row.claim } : {}),
    ...(row.depositNature === 'security' && row.kind === 'deposit'
      ? { forfeitureClause: row.forfeitureClause ?? '' }
      : {}),
    adjusts: row.adjustsNumber
      ? {
          number: row.adjustsNumber,
          issueOn: row.adjustsIssueOn,
          totalCents: row.adjustsTotalCents ?? 0,
          reason: row.adjustmentReason,
        }
      : null,
  }
  const state: DocumentState = {
    ...nothingHappened,
    status: row.status,
    paymentStatus: row.paymentStatus,
    paidCents: row.paidCents,
    creditedCents: row.creditedCents,
    writtenOffCents: row.writtenOffCents,
    instalments: filledInstalments(row),
    refundedCents: row.refundedCents,
    balanceCents: row.balanceCents,
    paidOn: row.paidOn,
    depositUses: row.depositUses,
    serviceGuid: row.serviceGuid,
  }
  return {
    content,
    state,
    businessGuid: row.businessGuid,
    customerGuid: row.customerGuid,
    language: row.language,
    frozen: row.snapshot as DocumentContent | null,
  }
}

const invoiceRow = (db: Db, guid: string) =>
  db
    .selectFrom('invoices as i')
    .innerJoin('businesses as b', 'b.guid', 'i.businessGuid')
    .innerJoin('parties as c', 'c.memberGuid', 'i.customerGuid')
    .leftJoin('contacts as p', 'p.guid', 'i.contactGuid')
    .leftJoin('sites as s', 's.guid', 'i.siteGuid')
    .leftJoin('invoices as a', 'a.guid', 'i.adjustsInvoiceGuid')
    .select([...businessColumns, ...partyColumns])
    .select([
      'i.number',
      'i.kind',
      'i.title',
      'i.status',
      'i.isTaxInvoice',
      'i.reference',
      'i.issueOn',
      'i.dueOn',
      'i.priceMode',
      'i.discount',
      'i.notes',
      'i.adjustmentReason',
      'i.depositNature',
      'i.forfeitureClause',
      'i.snapshot',
    ])
    .select([
      'i.subtotalCents',
      'i.discountCents',
      'i.gstCents',
      'i.totalCents',
      'i.paidCents',
      'i.creditedCents',
      'i.writtenOffCents',
      'i.refundedCents',
      'i.balanceCents',
      'i.paymentStatus',
    ])
    .select([
      'a.number as adjustsNumber',
      'a.issueOn as adjustsIssueOn',
      'a.totalCents as adjustsTotalCents',
      linkOf('invoice', 'i.guid').as('serviceGuid'),
    ])
    .select(
      sql<
        string | null
      >`(select max(py.received_on) from payment_allocations al join payments py on py.guid = al.payment_guid
        where al.invoice_guid = i.guid and al.reverses_guid is null
        and not exists (select from payment_allocations back where back.reverses_guid = al.guid))`.as('paidOn'),
    )
    .select([claimOf('i').as('claim'), linesJson('invoice_lines', 'i.guid').as('lines')])
    .select([instalmentsJson.as('instalments'), usesOfDeposit.as('depositUses')])
    .where('i.guid', '=', guid)
    .executeTakeFirst()

const loaders: Record<DocumentKind, (db: Db, guid: string) => Promise<Loaded>> = {
  quote: loadQuote,
  order: loadOrder,
  invoice: loadInvoice,
}
export const loadDocument = (db: Db, kind: DocumentKind, guid: string): Promise<Loaded> => loaders[kind](db, guid)
