import type { Selectable } from 'kysely'
import { addDays } from '../../contract/core/dates.ts'
import { AppError, invalidTransition } from '../../contract/core/errors.ts'
import { documentProblems, problemPaths, type DocumentProblem } from '../../contract/invoice-rules.ts'
import { accounts } from '../../contract/ledger.ts'
import { nextNumber, today } from '../businesses/businesses.service.ts'
import type { Businesses } from '../core/db/schema-business.ts'
import type { Ctx } from '../core/ctx.ts'
import { asJson, stamp } from '../core/records.ts'
import { mustHaveCredit } from '../customers/credit.service.ts'
import { type DocumentContent, documentData, type SnapshotFacts, snapshotOf } from '../documents/documents.service.ts'
import { postEntry, salesOf, type EntryLine } from '../journal/journal.service.ts'
import { refreshInvoicing } from '../orders/order.service.ts'
import { openLink } from '../service-links/service-links.service.ts'
import { allow, lockVisibleInvoice } from './invoices.drafts.ts'
import { mustStillCredit, mustStillOwe } from './invoices.credits.ts'
import { waitingOf, type InvoiceRow } from './invoices.queries.ts'

export interface Issued {
  guid: string
  number: string
  serviceGuid: string
}

/**
 * Gives a draft its number, freezes it and posts it. The caller's rows and the version he
 * saw decide, as in every change.
 */
export async function issueInvoice(
  ctx: Ctx,
  guid: string,
  seen?: Parameters<typeof lockVisibleInvoice>[2],
): Promise<Issued> {
  return issueLocked(ctx, await lockVisibleInvoice(ctx, guid, seen))
}

/**
 * The same for a draft that is lockVisibleInvoice, or was made in this transaction. What else needs time is done by
 * `before`, which is told what the document will say, while nobody waits for a number yet.
 */
export async function issueLocked(
  ctx: Ctx,
  invoice: InvoiceRow,
  before?: (facts: SnapshotFacts) => Promise<unknown>,
  /** Pays it with money that is held, before it is posted: what was paid by then decides where its GST goes. */
  pay?: () => Promise<unknown>,
): Promise<Issued> {
  allow('issue', invoice)
  if (invoice.archivedAt !== null) throw invalidTransition('This draft is archived. Restore it first.')
  if (invoice.termsDays > 0 && invoice.kind !== 'adjustment_note')
    // What an order comes to was counted when it was confirmed.
    await mustHaveCredit(ctx, { ...invoice, addsCents: invoice.orderGuid ? 0 : invoice.totalCents, noun: 'invoice' })
  if (invoice.kind === 'adjustment_note') await mustStillOwe(ctx, invoice)
  await mustStillCredit(ctx, invoice)
  const { content } = await documentData(ctx.db, 'invoice', invoice.guid)
  // What is printed of a draft is its business as it is now.
  const { business } = content
  const issueOn = today(business, ctx.now)
  refuseProblems(invoice.kind === 'adjustment_note' ? [] : problemsOf(business, content, invoice, issueOn))
  const serviceGuid = await openLink(ctx, 'invoice', invoice.guid)
  const entry = await entryLines(ctx, invoice, content)
  const facts = {
    isTaxInvoice:
      (business.gstRegistered || invoice.kind === 'adjustment_note') && content.lines.some((l) => l.gstCents !== 0),
    issueOn,
    dueOn: addDays(issueOn, invoice.termsDays),
  }
  await before?.(facts)
  // From here on every other issue of this business waits: nothing slow may follow.
  const number = await nextNumber(
    ctx.db,
    invoice.businessGuid,
    invoice.kind === 'adjustment_note' ? 'adjustment_note' : 'invoice',
  )
  await ctx.db
    .updateTable('invoices')
    .set({
      ...facts,
      status: 'issued',
      number,
      supplier: asJson(party(content.business)),
      billTo: asJson(party(content.billTo)),
      ...snapshotOf({ ...content, ...facts, number }),
      issuedAt: ctx.now,
      ...stamp(ctx, invoice.version),
    })
    .where('guid', '=', invoice.guid)
    .execute()
  await pay?.()
  const source = sourceOf(invoice)
  await postEntry(ctx, {
    businessGuid: invoice.businessGuid,
    source,
    sourceGuid: invoice.guid,
    postedOn: issueOn,
    narrative: `${narratives[source]} ${number} for ${content.billTo.name}`,
    lines: entry,
  })
  if (invoice.orderGuid) await refreshInvoicing(ctx, invoice.orderGuid)
  ctx.audit({
    action: 'invoice.issued',
    entity: 'Invoices',
    guid: invoice.guid,
    after: { number, title: invoice.title, kind: invoice.kind, totalCents: invoice.totalCents },
  })
  return { guid: invoice.guid, number, serviceGuid }
}

const narratives = {
  invoice: 'Invoice',
  adjustment_note: 'Adjustment note',
  deposit_forfeited: 'Deposit kept, invoice',
}
const sourceOf = ({ kind, forfeitsGuid }: InvoiceRow): keyof typeof narratives =>
  kind === 'adjustment_note' ? 'adjustment_note' : forfeitsGuid ? 'deposit_forfeited' : 'invoice'

const party = ({
  name,
  abn,
  email,
  address,
}: Pick<DocumentContent['billTo'], 'name' | 'abn' | 'email' | 'address'>) => ({ name, abn, email, address })

export const problemsOf = (
  supplier: Pick<Selectable<Businesses>, 'abn' | 'gstRegistered'>,
  content: Pick<DocumentContent, 'billTo' | 'lines' | 'totals' | 'notes'>,
  invoice: Pick<InvoiceRow, 'depositAppliedCents'> & Partial<Pick<InvoiceRow, 'depositNature' | 'forfeitureClause'>>,
  issueOn: string,
): DocumentProblem[] =>
  documentProblems({
    supplier,
    buyer: content.billTo,
    lines: content.lines,
    totals: content.totals,
    depositAppliedCents: invoice.depositAppliedCents,
    issueOn,
    texts: [content.notes],
    security:
      invoice.depositNature === 'security' ? { clause: invoice.forfeitureClause ?? null, orderCents: null } : null,
  })

/** Where a problem is mended: the lines that it names, or its place in the form. */
const fieldsOf = ({ code, message, lines = [] }: DocumentProblem) =>
  lines.length > 0
    ? lines.map(({ index }) => ({ path: `lines.${index}.name`, message }))
    : [{ path: problemPaths[code] ?? 'lines', message }]

export function refuseProblems(problems: readonly DocumentProblem[]) {
  const blocking = problems.filter((p) => p.blocks)
  if (blocking.length === 0) return
  throw new AppError('VALIDATION_FAILED', [...new Set(blocking.map((p) => p.message))].join(' '), {
    fields: blocking.flatMap(fieldsOf),
  })
}

/** What issuing moves: the customer owes, sales and GST are earned; deposits wait until they are credited. */
async function entryLines(ctx: Ctx, invoice: InvoiceRow, { lines, totals }: DocumentContent): Promise<EntryLine[]> {
  const netCents = totals.totalCents - totals.gstCents
  if (invoice.kind === 'adjustment_note') return noteLines(ctx, invoice, netCents)
  const { customerGuid } = invoice
  // What is forfeited was received before: it is owed by nobody.
  const account = invoice.forfeitsGuid ? accounts.securityDeposits : accounts.receivable
  const receivable = { account, debitCents: totals.totalCents, customerGuid }
  if (invoice.depositNature === 'security')
    return [receivable, { account: accounts.securityDeposits, creditCents: totals.totalCents, customerGuid }]
  if (invoice.kind === 'deposit')
    return [
      receivable,
      { account: accounts.customerDeposits, creditCents: netCents },
      { account: accounts.gstCollected, creditCents: totals.gstCents, gstOf: invoice.guid },
    ]
  const credits = lines.filter((l) => l.kind === 'deposit_credit')
  const creditNet = credits.reduce((sum, l) => sum - l.netCents, 0)
  const creditGst = credits.reduce((sum, l) => sum - l.gstCents, 0)
  const sales = await salesLines(ctx, invoice, netCents + creditNet)
  return [
    receivable,
    { account: accounts.customerDeposits, debitCents: creditNet },
    { account: accounts.gstCollected, debitCents: creditGst, gstOf: invoice.guid },
    ...sales.map(({ cents, ...line }) => ({ ...line, creditCents: cents })),
    { account: accounts.gstCollected, creditCents: totals.gstCents + creditGst, gstOf: invoice.guid },
  ]
}

/** Sales by stream and GST code. A cent that rounding left beside the lines goes with the largest part. */
async function salesLines(ctx: Ctx, { guid }: InvoiceRow, netCents: number) {
  const parts = await salesOf(ctx.db, guid)
  const restCents = netCents - parts.reduce((sum, part) => sum + part.cents, 0)
  const largest = parts.toSorted((a, b) => Math.abs(b.cents) - Math.abs(a.cents))[0]
  const account = accounts.sales
  if (!largest) return [{ account, cents: netCents }]
  return parts.map((part) => ({ ...part, account, cents: part === largest ? part.cents + restCents : part.cents }))
}

/**
 * A note on a deposit takes it out of the deposits as far as it waits there; what was
 * credited already has become sales.
 */
async function noteLines(ctx: Ctx, note: InvoiceRow, netCents: number): Promise<EntryLine[]> {
  const adjusted = await ctx.db
    .selectFrom('invoices')
    .select(['guid', 'kind'])
    .where('guid', '=', note.adjustsInvoiceGuid)
    .executeTakeFirstOrThrow()
  if (note.depositNature === 'security')
    return [
      { account: accounts.securityDeposits, debitCents: note.totalCents, customerGuid: note.customerGuid },
      { account: accounts.receivable, creditCents: note.totalCents, customerGuid: note.customerGuid },
    ]
  const isDeposit = adjusted.kind === 'deposit'
  const waiting = isDeposit ? (await waitingOf(ctx.db, adjusted.guid)).reduce((sum, part) => sum + part.netCents, 0) : 0
  const fromDeposits = Math.min(waiting, netCents)
  const soldCents = netCents - fromDeposits
  const sales = isDeposit ? [{ account: accounts.sales, cents: soldCents }] : await salesLines(ctx, note, soldCents)
  return [
    { account: accounts.customerDeposits, debitCents: fromDeposits },
    ...sales.map(({ cents, ...line }) => ({ ...line, debitCents: cents })),
    { account: accounts.gstCollected, debitCents: note.gstCents, gstOf: adjusted.guid },
    { account: accounts.receivable, creditCents: note.totalCents, customerGuid: note.customerGuid },
  ]
}
