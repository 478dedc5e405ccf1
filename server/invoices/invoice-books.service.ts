import { conflict, invalid, invalidTransition } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import { invoiceRefusal } from '../../contract/invoice-actions.ts'
import type { invoiceBooksApi } from '../../contract/invoice-books.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { stamp } from '../core/records.ts'
import { planInstalments } from './instalments.ts'
import { lockVisibleInvoice } from './invoices.drafts.ts'
import { openAttempt, rowForUpdate, waitingOf, type InvoiceRow } from './invoices.queries.ts'
import { showInvoice } from './invoices.service.ts'
import { addRecovery, addWriteOff, deedDay, upTo } from './write-offs.ts'
import { openRefund, writtenParts } from './write-offs.queries.ts'

type Api = typeof invoiceBooksApi

sayConstraints({
  write_off_needs_issued: ['INVALID_TRANSITION', 'Issue the invoice before writing it off.'],
  recovery_exceeded: ['CONFLICT', 'This write-off is already reversed.'],
  written_off_is_cleared: ['CONFLICT', 'This invoice is still owing.'],
})

const lockedFor = (ctx: Ctx, guid: string, version: number) =>
  lockVisibleInvoice(ctx, guid, { version, shown: () => showInvoice(ctx, guid) })

/** Gives up what is owing of an issued invoice, or a part of it. */
async function writeOff(ctx: Ctx, input: Input<Api['writeOff']>) {
  const invoice = await lockedFor(ctx, input.guid, input.version)
  await refuseWriteOff(ctx, invoice)
  const cents = input.cents ?? invoice.balanceCents
  if (cents > invoice.balanceCents) throw invalid('cents', upTo(invoice.balanceCents))
  const { reasonCode } = input
  if (reasonCode === 'small_difference') await mustBeSmall(ctx, invoice, cents, 'cents')
  const on = await deedDay(ctx, invoice, input.on)
  await addWriteOff(ctx, invoice, { cents, reasonCode, note: input.note || null, on })
  await stamped(ctx, invoice)
  return showInvoice(ctx, invoice.guid)
}

async function refuseWriteOff(ctx: Ctx, invoice: InvoiceRow) {
  const { guid, number } = invoice
  const refusal = invoiceRefusal('writeOff', invoice)
  if (refusal === 'notIssued') throw invalidTransition('Issue the invoice before writing it off.')
  if (refusal === 'writtenOff') throw invalidTransition(`Invoice ${number} is written off.`)
  if (refusal === 'void') throw invalidTransition(`Invoice ${number} is void.`)
  if (refusal === 'adjustment') throw invalidTransition('An adjustment note can’t be written off.')
  if (refusal === 'security')
    throw invalidTransition('A security deposit can’t be written off. Void it, or credit what won’t be paid.')
  if (refusal) throw conflict('This invoice is already paid.')
  if (await openAttempt(ctx.db, guid))
    throw conflict(`A card payment for invoice ${number} is processing. Wait until it settles.`)
  if (await openRefund(ctx.db, guid))
    throw conflict(`A refund of invoice ${number} is processing. Wait until it settles.`)
  if (invoice.kind === 'deposit' && (await waitingOf(ctx.db, guid)).length > 0)
    throw conflict('This deposit isn’t credited on an invoice yet. Void it, or create an adjustment note.')
}

/** In all, small differences of one invoice stay within what the business allows. */
async function mustBeSmall(ctx: Ctx, invoice: InvoiceRow, cents: number, path: string) {
  const { writeOffLimitCents } = await ctx.db
    .selectFrom('businesses')
    .select('writeOffLimitCents')
    .where('guid', '=', invoice.entityGuid)
    .executeTakeFirstOrThrow()
  const parts = (await writtenParts(ctx.db, invoice.guid)).filter((part) => part.reasonCode === 'small_difference')
  const leftCents = writeOffLimitCents - parts.reduce((sum, part) => sum + part.leftCents, 0)
  const [limit, left] = [centsToDecimal(writeOffLimitCents), centsToDecimal(Math.max(leftCents, 0))]
  if (cents > leftCents)
    throw invalid(
      path,
      leftCents > 0
        ? `Small differences may come to $${limit}. Enter $${left} or less.`
        : `Small differences may come to $${limit}. Write the rest off as a bad debt.`,
    )
}

/** Makes an invoice owe again what was written off. */
async function recover(ctx: Ctx, input: Input<Api['recover']>) {
  const invoice = await lockedFor(ctx, input.guid, input.version)
  const refusal = invoiceRefusal('recover', invoice)
  if (refusal) throw invalidTransition(`Nothing is written off on invoice ${invoice.number ?? invoice.title}.`)
  const cents = input.cents ?? invoice.writtenOffCents
  if (cents > invoice.writtenOffCents) throw invalid('cents', upTo(invoice.writtenOffCents))
  const on = await deedDay(ctx, invoice, input.on)
  const last = (await writtenParts(ctx.db, invoice.guid))[0]
  if (input.on && last && last.effectiveOn > on) throw invalid('on', 'Choose the date of the write-off or later.')
  await addRecovery(ctx, invoice, { cents, on })
  await stamped(ctx, invoice)
  return showInvoice(ctx, invoice.guid)
}

/** The row was moved by triggers in between: only what a person changed is stamped. */
const stamped = (ctx: Ctx, { guid, version }: Pick<InvoiceRow, 'guid' | 'version'>) =>
  ctx.db.updateTable('invoices').set(stamp(ctx, version)).where('guid', '=', guid).execute()

/** Money has come for what was written off: so much of it is owed again first. The invoice is locked. */
export async function recoverForMoney(
  ctx: Ctx,
  { invoiceGuid, cents, on, paymentGuid }: { invoiceGuid: string; cents: number; on: string; paymentGuid: string },
): Promise<void> {
  const invoice = await rowForUpdate(ctx.db, invoiceGuid)
  if (invoice) await addRecovery(ctx, invoice, { cents, on, paymentGuid })
}

/** What is left under a payment and given up with it; `path` is where it was entered. The invoice is locked. */
export async function writeOffDifference(
  ctx: Ctx,
  difference: { invoiceGuid: string; cents: number; on: string; paymentGuid: string; path: string },
): Promise<void> {
  const { invoiceGuid, cents, paymentGuid, path } = difference
  const invoice = await rowForUpdate(ctx.db, invoiceGuid)
  if (!invoice) return
  // Nothing is given up of an invoice before it is issued.
  const on = invoice.issueOn && invoice.issueOn > difference.on ? invoice.issueOn : difference.on
  if (cents > invoice.balanceCents) throw invalid(path, upTo(invoice.balanceCents))
  if (invoice.depositNature === 'security') throw invalid(path, 'A security deposit can’t be written off.')
  await mustBeSmall(ctx, invoice, cents, path)
  await addWriteOff(ctx, invoice, { cents, reasonCode: 'small_difference', on, paymentGuid })
}

async function instalments(ctx: Ctx, input: Input<Api['instalments']>) {
  await planInstalments(ctx, await lockedFor(ctx, input.guid, input.version), input.instalments)
  return showInvoice(ctx, input.guid)
}

/** Notes by line stand beside the payments that they move. */
export const invoiceBooks: Omit<Handlers<Api>, 'creditable' | 'credit'> = { writeOff, recover, instalments }
