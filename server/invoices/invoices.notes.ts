import { AppError, conflict } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { insertDraft } from './invoices.drafts.ts'
import { issueLocked } from './invoices.issue.ts'
import { lockRow, notesOf, type InvoiceRow } from './invoices.queries.ts'

/** The GST in a part of an amount, rounded half up; both run the same way. */
export function gstShare(amountCents: number, gstCents: number, totalCents: number): number {
  if (totalCents <= 0) return 0
  const dividend = 2n * BigInt(amountCents) * BigInt(Math.abs(gstCents)) + BigInt(totalCents)
  const share = Number(dividend / (2n * BigInt(totalCents)))
  return gstCents < 0 ? -share : share
}

/**
 * Takes back a part of an issued invoice, with its part of the GST; the last part takes the GST that is left. The note is
 * issued and posted at once; the balance of the invoice moves with the refund that refers to the note.
 */
export async function createAdjustmentNote(ctx: Ctx, { invoiceGuid, amountCents, reason }: { invoiceGuid: string; amountCents: number; reason: string }): Promise<{ guid: string; number: string; gstCents: number }> {
  const invoice = await lockRow(ctx.db, invoiceGuid)
  if (!invoice || invoice.status !== 'issued' || invoice.kind === 'adjustment_note') throw conflict('Only an issued invoice can be adjusted.')
  const notes = await notesOf(ctx.db, invoiceGuid)
  const leftCents = invoice.totalCents - notes.reduce((sum, n) => sum + n.totalCents, 0)
  const leftGst = invoice.gstCents - notes.reduce((sum, n) => sum + n.gstCents, 0)
  if (amountCents > leftCents) throw new AppError('REFUND_EXCEEDED', `Only $${centsToDecimal(Math.max(leftCents, 0))} of invoice ${invoice.number} can still be adjusted.`)
  const share = gstShare(amountCents, invoice.gstCents, invoice.totalCents)
  const gstCents = amountCents === leftCents ? leftGst : invoice.gstCents < 0 ? Math.max(share, leftGst) : Math.min(share, leftGst)
  const guid = await insertNote(ctx, invoice, { amountCents, gstCents, reason })
  const note = await ctx.db.selectFrom('invoices').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
  const { number } = await issueLocked(ctx, note)
  return { guid, number, gstCents }
}

function insertNote(ctx: Ctx, invoice: InvoiceRow, { amountCents, gstCents, reason }: { amountCents: number; gstCents: number; reason: string }): Promise<string> {
  const amounts = { netCents: amountCents - gstCents, gstCents, totalCents: amountCents }
  const line = {
    ...amounts,
    guid: newGuid(),
    position: 1,
    kind: 'item' as const,
    productGuid: null,
    name: `Adjustment to ${invoice.number}: ${reason}`.slice(0, 200),
    description: null,
    quantity: '1',
    unit: 'each',
    unitPriceCents: amountCents,
    discount: null,
    gstCode: gstCents === 0 ? ('FREE' as const) : ('GST' as const),
    isOptional: false,
    alternativeGroup: null,
    isSelected: true,
  }
  const { businessGuid, customerGuid, contactGuid, siteGuid, orderGuid, quoteGuid, ownerGuid, reference, roundingRule } = invoice
  return insertDraft(
    ctx,
    {
      ...{ businessGuid, customerGuid, contactGuid, siteGuid, orderGuid, quoteGuid, ownerGuid, reference, roundingRule },
      kind: 'adjustment_note',
      title: `Adjustment of ${invoice.number}`,
      adjustsInvoiceGuid: invoice.guid,
      adjustmentReason: reason,
      termsDays: 0,
      priceMode: 'inclusive',
      discount: null,
    },
    [line],
    { subtotalCents: amounts.netCents, discountCents: 0, gstCents, totalCents: amountCents },
  )
}
