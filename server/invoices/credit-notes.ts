import { totalOf } from '../../contract/code-amounts.ts'
import { type Creditable, creditedGst, type CreditNoteInput } from '../../contract/credit-notes.ts'
import { AppError, conflict, invalid, invalidTransition, refuseFields } from '../../contract/core/errors.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import { invoiceTransitions } from '../../contract/invoice-transitions.ts'
import type { GstCode } from '../../contract/lines.ts'
import type { Ctx } from '../core/ctx.ts'
import { lockVisibleInvoice } from './invoices.drafts.ts'
import { creditDraftsAgain } from './invoices.credits.ts'
import { issueLocked } from './invoices.issue.ts'
import { insertCreditNote, leavingByCode } from './invoices.notes.ts'
import { isPartPayment } from './security.queries.ts'
import { invoiceLines, leftByCode, openAttempt, rowForUpdate, waitingOf, type InvoiceRow } from './invoices.queries.ts'

/** What can be credited of an invoice: of a deposit what no invoice has credited; never what is being refunded. */
export async function creditableOf(
  ctx: Ctx,
  invoice: Pick<InvoiceRow, 'guid' | 'kind' | 'depositNature'>,
): Promise<Creditable[]> {
  const left = isPartPayment(invoice) ? await waitingOf(ctx.db, invoice.guid) : await leftByCode(ctx.db, invoice.guid)
  const leaving = await leavingByCode(ctx, invoice.guid)
  return left.flatMap((part) => {
    const { gstCode, gstCents } = part
    const cents = totalOf(part) - leaving.reduce((sum, given) => sum + (given[gstCode] ?? 0), 0)
    return cents > 0 ? [{ gstCode, cents, gstCents: Math.min(gstCents, cents) }] : []
  })
}

const onlyLeft: Record<GstCode, (cents: string) => string> = {
  GST: (cents) => `Only $${cents} of the part with GST can still be credited.`,
  FREE: (cents) => `Only $${cents} of the GST-free part can still be credited.`,
  EXPORT: (cents) => `Only $${cents} of the export part can still be credited.`,
  INPUT_TAXED: (cents) => `Only $${cents} of the input taxed part can still be credited.`,
  NOT_REGISTERED: (cents) => `Only $${cents} of the part without GST can still be credited.`,
}
const neverThere: Record<GstCode, string> = {
  GST: 'This invoice has nothing with the GST code “GST 10%”.',
  FREE: 'This invoice has nothing with the GST code “GST-free”.',
  EXPORT: 'This invoice has nothing with the GST code “Export”.',
  INPUT_TAXED: 'This invoice has nothing with the GST code “Input taxed”.',
  NOT_REGISTERED: 'This invoice has nothing with the GST code “No GST”.',
}

function refusalOf(gstCode: GstCode, leftCents: number, isThere: boolean): string {
  if (!isThere) return neverThere[gstCode]
  return leftCents > 0
    ? onlyLeft[gstCode](centsToDecimal(leftCents))
    : 'Nothing more with this GST code can be credited.'
}

/** The money that paid an invoice, for a note of more than is owing. */
interface Money {
  /** How much of it can become the customer's credit. */
  freeCents: (invoice: InvoiceRow) => Promise<number>
  release: (invoice: InvoiceRow, cents: number) => Promise<void>
}

/**
 * Credits a part of an invoice, by kind of GST, without giving money back: first what is owing, then what was paid,
 * which becomes the customer's credit. Returns the note's guid.
 */
export async function makeCreditNote(
  ctx: Ctx,
  { invoiceGuid, lines, reason }: CreditNoteInput,
  money: Money,
): Promise<string> {
  const invoice = await lockVisibleInvoice(ctx, invoiceGuid).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw invalid('invoiceGuid', 'We can’t find that invoice.')
    throw error
  })
  await refuseCredit(ctx, invoice)
  const left = await creditableOf(ctx, invoice)
  await refuseLines(ctx, invoice, lines, left)
  const cents = lines.reduce((sum, line) => sum + line.cents, 0)
  const surplusCents = cents - invoice.balanceCents
  if (surplusCents > 0) {
    const most = invoice.balanceCents + (await money.freeCents(invoice))
    if (cents > most)
      throw invalid(
        'lines',
        `Only $${centsToDecimal(most)} can still be credited. The rest is written off or being refunded.`,
      )
    await money.release(invoice, surplusCents)
  }
  const gst = creditedGst(lines, left)
  const guid = await insertCreditNote(
    ctx,
    invoice,
    lines.map((line, i) => ({ ...line, gstCents: gst[i] ?? 0 })),
    reason,
  )
  const note = await rowForUpdate(ctx.db, guid)
  if (note) await issueLocked(ctx, note)
  if (isPartPayment(invoice) && invoice.orderGuid) await creditDraftsAgain(ctx, invoice.orderGuid, invoice)
  return guid
}

/** Kinds of GST that an invoice has an amount of, whatever was credited since. */
async function codesOf(ctx: Ctx, invoiceGuid: string): Promise<Set<GstCode>> {
  const amounts = (await invoiceLines(ctx.db, invoiceGuid)).filter(({ totalCents }) => totalCents !== 0)
  return new Set(amounts.map(({ gstCode }) => gstCode))
}

/** No line may take more of its kind than the lines before it have left. */
async function refuseLines(
  ctx: Ctx,
  invoice: InvoiceRow,
  lines: CreditNoteInput['lines'],
  left: readonly Creditable[],
) {
  const most = new Map(left.map(({ gstCode, cents }) => [gstCode, cents]))
  const there = lines.every(({ gstCode }) => most.has(gstCode)) ? most : await codesOf(ctx, invoice.guid)
  refuseFields(
    lines.flatMap(({ gstCode, cents }, i) => {
      const room = Math.max(most.get(gstCode) ?? 0, 0)
      most.set(gstCode, room - cents)
      return cents > room ? [{ path: `lines.${i}.cents`, message: refusalOf(gstCode, room, there.has(gstCode)) }] : []
    }),
  )
}

async function refuseCredit(ctx: Ctx, { guid, number, status, kind }: InvoiceRow) {
  if (kind === 'adjustment_note') throw invalidTransition('An adjustment note can’t be adjusted.')
  if (status === 'written_off') throw invalidTransition(`Invoice ${number} is written off.`)
  if (!leadsFrom(invoiceTransitions, 'adjust', status))
    throw invalidTransition('Issue the invoice before adjusting it.')
  if (await openAttempt(ctx.db, guid))
    throw conflict(`A card payment for invoice ${number} is processing. Wait until it settles.`)
}
