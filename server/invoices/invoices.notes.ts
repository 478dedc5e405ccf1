import { type CodeAmount, type Given, givenBack, totalOf } from '../../contract/code-amounts.ts'
import { leftFor, type RefundBasis } from '../../contract/refund-effects.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { AppError, conflict } from '../../contract/core/errors.ts'
import type { Language } from '../../contract/core/languages.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import { type DocumentProblem, documentProblems } from '../../contract/invoice-rules.ts'
import { invoiceTransitions } from '../../contract/invoice-transitions.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { uncatalogued } from '../documents/lines.service.ts'
import { lockOrder } from '../orders/order.service.ts'
import { namedByCode } from './codes.ts'
import { type ChosenLine, givenOf } from './give-back.ts'
import { creditDraftsAgain } from './invoices.credits.ts'
import { insertDraft } from './invoices.drafts.ts'
import { issueLocked, refuseProblems } from './invoices.issue.ts'
import { invoiceLines, leftByCode, rowForUpdate, waitingOf, type InvoiceRow } from './invoices.queries.ts'
import { isPartPayment } from './security.queries.ts'

export interface GiveBack {
  invoiceGuid: string
  amountCents: number
  reason: string
  /** How much of each kind of GST; by proportion when it does not say. */
  given?: Given | null
}

/**
 * Locks an invoice that money of is given back, after its order, as everything does: the note that lowers its price is
 * of that order, and drafts of it may credit a deposit.
 */
export async function lockForGivingBack(ctx: Ctx, invoiceGuid: string): Promise<InvoiceRow | undefined> {
  const known = await ctx.db
    .selectFrom('invoices')
    .select('orderGuid')
    .where('guid', '=', invoiceGuid)
    .executeTakeFirst()
  if (known?.orderGuid) await lockOrder(ctx, known.orderGuid)
  return rowForUpdate(ctx.db, invoiceGuid)
}

/** What can be given back of an invoice: of a deposit first what waits to be credited, while there is enough of it. */
async function leftOf(
  ctx: Ctx,
  invoice: Pick<InvoiceRow, 'guid' | 'kind' | 'depositNature'>,
  amountCents: number,
): Promise<CodeAmount[]> {
  return leftFor(await partsLeft(ctx, invoice), amountCents)
}

async function partsLeft(ctx: Ctx, invoice: Pick<InvoiceRow, 'guid' | 'kind' | 'depositNature'>) {
  const left = await leftByCode(ctx.db, invoice.guid)
  return { left, waiting: isPartPayment(invoice) ? await waitingOf(ctx.db, invoice.guid) : null }
}

/** How an invoice stands that money is to be given back of. */
export async function standingForRefund(ctx: Ctx, invoiceGuid: string): Promise<RefundBasis> {
  const { gstBasis, number, creditedCents, refundedCents, ...invoice } = await ctx.db
    .selectFrom('invoices as i')
    .innerJoin('businesses as b', 'b.guid', 'i.entityGuid')
    .select([
      'i.guid',
      'i.kind',
      'i.depositNature',
      'i.number',
      'i.totalCents',
      'i.gstCents',
      'i.creditedCents',
      'i.paidCents',
    ])
    .select(['i.refundedCents', 'i.balanceCents', 'b.gstBasis'])
    .where('i.guid', '=', invoiceGuid)
    .executeTakeFirstOrThrow()
  const parts = await partsLeft(ctx, invoice)
  return {
    invoiceGuid,
    invoiceNumber: number ?? '',
    gstBasis,
    totalCents: invoice.totalCents - creditedCents,
    gstCents: parts.left.reduce((sum, part) => sum + part.gstCents, 0),
    paidCents: invoice.paidCents - refundedCents,
    balanceCents: invoice.balanceCents,
    ...parts,
  }
}

function mustTakeNote(invoice: InvoiceRow | undefined): asserts invoice is InvoiceRow {
  if (!invoice || !leadsFrom(invoiceTransitions, 'adjust', invoice.status) || invoice.kind === 'adjustment_note')
    throw conflict('Issue the invoice before adjusting it.')
}

/**
 * Before money is moved: what kinds of GST are given back, or the sentence why the note could not be issued. Null is by
 * proportion.
 */
export async function planNote(
  ctx: Ctx,
  invoice: InvoiceRow,
  amountCents: number,
  chosen: readonly ChosenLine[] | undefined,
): Promise<Given | null> {
  mustTakeNote(invoice)
  const left = await leftOf(ctx, invoice, amountCents)
  const given = chosen
    ? givenOf(
        await invoiceLines(ctx.db, invoice.guid),
        withoutLeaving(left, await leavingByCode(ctx, invoice.guid)),
        chosen,
        amountCents,
      )
    : null
  refuseProblems(await problemsOfNote(ctx, invoice, givenBack(left, amountCents, given)))
  return given
}

/** What was chosen of each kind of GST by refunds that are still on their way. */
export async function leavingByCode(ctx: Ctx, invoiceGuid: string): Promise<Given[]> {
  const rows = await ctx.db
    .selectFrom('refundAttempts')
    .select('given')
    .where('invoiceGuid', '=', invoiceGuid)
    .where('status', '=', 'processing')
    .where('given', 'is not', null)
    .execute()
  return rows.flatMap(({ given }) => given ?? [])
}

const withoutLeaving = (left: readonly CodeAmount[], leaving: readonly Given[]): CodeAmount[] =>
  left.map((part) => ({
    ...part,
    netCents: part.netCents - leaving.reduce((sum, given) => sum + (given[part.gstCode] ?? 0), 0),
  }))

/** The rules of tax invoices hold for what corrects one; what was taxed stays taxed, whatever the business is today. */
async function problemsOfNote(ctx: Ctx, invoice: InvoiceRow, parts: readonly CodeAmount[]): Promise<DocumentProblem[]> {
  const business = await ctx.db
    .selectFrom('businesses')
    .select(['abn', 'gstRegistered'])
    .where('guid', '=', invoice.businessGuid)
    .executeTakeFirstOrThrow()
  const buyer = await ctx.db
    .selectFrom('parties')
    .select(['displayName as name', 'abn'])
    .where('memberGuid', '=', invoice.customerGuid)
    .executeTakeFirstOrThrow()
  const gstCents = parts.reduce((sum, part) => sum + part.gstCents, 0)
  const totalCents = parts.reduce((sum, part) => sum + totalOf(part), 0)
  const lines = parts.map(({ gstCode, gstCents: gst }) => ({
    kind: 'item' as const,
    name: `Adjustment to ${invoice.number}`,
    gstCode,
    gstCents: gst,
  }))
  return documentProblems({
    supplier: { abn: business.abn, gstRegistered: business.gstRegistered || invoice.isTaxInvoice },
    buyer,
    lines,
    totals: { gstCents, totalCents },
  })
}

/**
 * Takes back a part of an issued invoice, with a line for each kind of GST; the last part takes the GST that is left.
 * The note is issued and posted at once; the balance of the invoice moves with the refund that refers to the note. What
 * drafts credit of a deposit goes down with it.
 */
export async function createAdjustmentNote(
  ctx: Ctx,
  { invoiceGuid, amountCents, reason, given = null }: GiveBack,
): Promise<{ guid: string; number: string; gstCents: number }> {
  const invoice = await lockForGivingBack(ctx, invoiceGuid)
  mustTakeNote(invoice)
  const leftCents = (await leftByCode(ctx.db, invoiceGuid)).reduce((sum, part) => sum + totalOf(part), 0)
  if (amountCents > leftCents)
    throw new AppError(
      'REFUND_EXCEEDED',
      `You can adjust up to $${centsToDecimal(Math.max(leftCents, 0))} of invoice ${invoice.number}.`,
    )
  const parts = givenBack(await leftOf(ctx, invoice, amountCents), amountCents, given)
  const language = await languageOf(ctx, invoice)
  const guid = await insertNote(ctx, invoice, parts, reason, language)
  const note = await ctx.db.selectFrom('invoices').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
  const { number } = await issueLocked(ctx, note)
  if (isPartPayment(invoice) && invoice.orderGuid) await creditDraftsAgain(ctx, invoice.orderGuid, invoice)
  return { guid, number, gstCents: note.gstCents }
}

/** Drafts a note of an invoice that is locked, over what is left of it: nothing moves until it is issued. */
export async function draftNote(
  ctx: Ctx,
  invoice: InvoiceRow,
  {
    amountCents,
    given,
    reason,
  }: { amountCents: number; given: Given; reason: (t: ReturnType<typeof phrases>) => string },
): Promise<string> {
  const language = await languageOf(ctx, invoice)
  const parts = givenBack(await leftByCode(ctx.db, invoice.guid), amountCents, given)
  return insertNote(ctx, invoice, parts, reason(phrases('documents', language)), language)
}

const languageOf = async (ctx: Ctx, { customerGuid }: Pick<InvoiceRow, 'customerGuid'>): Promise<Language> =>
  (
    await ctx.db
      .selectFrom('parties')
      .select('language')
      .where('memberGuid', '=', customerGuid)
      .executeTakeFirstOrThrow()
  ).language

/** Drafts a note that stands by itself: with the texts that somebody wrote, and no money given back. */
export const insertCreditNote = async (
  ctx: Ctx,
  invoice: InvoiceRow,
  lines: readonly { gstCode: CodeAmount['gstCode']; cents: number; gstCents: number; text: string }[],
  reason: string,
): Promise<string> =>
  insertNote(
    ctx,
    invoice,
    lines.map(({ gstCode, cents, gstCents, text }) => ({ gstCode, gstCents, netCents: cents - gstCents, text })),
    reason,
    await languageOf(ctx, invoice),
    { isCredit: true },
  )

function insertNote(
  ctx: Ctx,
  invoice: InvoiceRow,
  parts: readonly (CodeAmount & { text?: string })[],
  reason: string,
  language: Language,
  more: { isCredit?: boolean } = {},
): Promise<string> {
  const t = phrases('documents', language)
  const number = invoice.number ?? ''
  const gstCents = parts.reduce((sum, part) => sum + part.gstCents, 0)
  const subtotalCents = parts.reduce((sum, part) => sum + part.netCents, 0)
  const lines = parts.map((part, i) => ({
    ...uncatalogued,
    gstCode: part.gstCode,
    netCents: part.netCents,
    gstCents: part.gstCents,
    totalCents: totalOf(part),
    guid: newGuid(),
    position: i + 1,
    kind: 'item' as const,
    productGuid: null,
    name:
      part.text ?? namedByCode(t('made.adjustmentLine', { number, reason }), part.gstCode, parts.length > 1, language),
    description: null,
    quantity: '1',
    unit: 'each',
    unitPriceCents: totalOf(part),
    discount: null,
    hireRates: null,
    options: null,
    isOptional: false,
    alternativeGroup: null,
    isSelected: true,
  }))
  const {
    businessGuid,
    customerGuid,
    contactGuid,
    siteGuid,
    orderGuid,
    quoteGuid,
    ownerGuid,
    reference,
    roundingRule,
  } = invoice
  return insertDraft(
    ctx,
    {
      ...{
        businessGuid,
        customerGuid,
        contactGuid,
        siteGuid,
        orderGuid,
        quoteGuid,
        ownerGuid,
        reference,
        roundingRule,
        depositNature: invoice.depositNature,
      },
      ...more,
      kind: 'adjustment_note',
      title: t('made.adjustment', { number }),
      adjustsInvoiceGuid: invoice.guid,
      adjustmentReason: reason,
      termsDays: 0,
      priceMode: 'inclusive',
      discount: null,
    },
    lines,
    { subtotalCents, discountCents: 0, gstCents, totalCents: subtotalCents + gstCents },
  )
}
