import { sql } from 'kysely'
import type { CodeAmount } from '../../contract/code-amounts.ts'
import { conflict } from '../../contract/core/errors.ts'
import { defaultEffect } from '../../contract/refunds.ts'
import type { Ctx } from '../core/ctx.ts'
import { stamp } from '../core/records.ts'
import { byCode } from './codes.ts'
import { depositCredits } from './credits.ts'
import { asNewLine, insertLines } from './invoices.drafts.ts'
import { invoiceLines, lockOpenDeposits, type InvoiceLineRow, type InvoiceRow, waitingOf } from './invoices.queries.ts'

const sumOf = (lines: readonly CodeAmount[]) => ({
  netCents: lines.reduce((sum, l) => sum + l.netCents, 0),
  gstCents: lines.reduce((sum, l) => sum + l.gstCents, 0),
})
const isCredit = (line: InvoiceLineRow) => line.depositInvoiceGuid !== null

/**
 * After a deposit was given back: what drafts of its order credit is worked out anew. The
 * order is locked by the caller.
 */
export async function creditDraftsAgain(ctx: Ctx, orderGuid: string, deposit: Pick<InvoiceRow, 'guid' | 'number'>) {
  const drafts = await ctx.db
    .selectFrom('invoices')
    .selectAll()
    .where('orderGuid', '=', orderGuid)
    .where('status', 'in', ['draft', 'scheduled'])
    .where('archivedAt', 'is', null)
    .where((is) =>
      is.exists(
        is
          .selectFrom('invoiceLines as l')
          .select('l.guid')
          .whereRef('l.invoiceGuid', '=', 'invoices.guid')
          .where('l.depositInvoiceGuid', '=', deposit.guid),
      ),
    )
    .orderBy('guid')
    .forUpdate()
    .execute()
  for (const draft of drafts) await creditAgain(ctx, orderGuid, draft, deposit.number)
}

async function creditAgain(ctx: Ctx, orderGuid: string, draft: InvoiceRow, depositNumber: string | null) {
  const lines = await invoiceLines(ctx.db, draft.guid)
  const work = lines.filter((line) => !isCredit(line))
  const credits = depositCredits(
    draft.priceMode,
    await lockOpenDeposits(ctx.db, orderGuid, { without: draft.guid }),
    byCode(work),
    draft.kind === 'final',
  )
  const [before, after] = [sumOf(lines.filter(isCredit)), sumOf(credits)]
  const net = after.netCents - before.netCents
  const gst = after.gstCents - before.gstCents
  if (net === 0 && gst === 0) return
  await ctx.db
    .deleteFrom('invoiceLines')
    .where('invoiceGuid', '=', draft.guid)
    .where('depositInvoiceGuid', 'is not', null)
    .execute()
  const last = work.at(-1)?.position ?? 0
  await insertLines(
    ctx,
    draft.guid,
    credits.map((line, i) => asNewLine({ ...line, position: last + i + 1 })),
  )
  const totals = {
    subtotalCents: draft.subtotalCents + net,
    gstCents: draft.gstCents + gst,
    totalCents: draft.totalCents + net + gst,
    depositAppliedCents: -(after.netCents + after.gstCents),
  }
  await ctx.db
    .updateTable('invoices')
    .set({ ...totals, ...stamp(ctx, draft.version) })
    .where('guid', '=', draft.guid)
    .execute()
  ctx.audit({
    action: 'invoice.updated',
    entity: 'Invoices',
    guid: draft.guid,
    before: { totalCents: draft.totalCents },
    after: { title: draft.title, totalCents: totals.totalCents, reason: `Deposit ${depositNumber} was given back` },
  })
}

/** A draft may have been written before a deposit was given back, or be issued while that is under way. */
export async function mustStillCredit(ctx: Ctx, invoice: InvoiceRow) {
  if (invoice.depositAppliedCents === 0 || !invoice.orderGuid) return
  const credits = (await invoiceLines(ctx.db, invoice.guid)).filter(isCredit)
  const open = await lockOpenDeposits(ctx.db, invoice.orderGuid, { without: invoice.guid, isIssuedOnly: true })
  for (const guid of new Set(credits.flatMap((line) => line.depositInvoiceGuid ?? []))) {
    const mine = sumOf(credits.filter((line) => line.depositInvoiceGuid === guid))
    const deposit = open.find((d) => d.guid === guid)
    const left = sumOf(deposit?.parts ?? [])
    if (left.netCents + mine.netCents < 0 || left.gstCents + mine.gstCents < 0)
      throw conflict(
        'A deposit credited on this draft has been refunded. Archive the draft and invoice the order again.',
      )
    const leaving = await leavingOf(ctx, guid)
    if (leaving > 0 && left.netCents + left.gstCents - leaving + mine.netCents + mine.gstCents < 0)
      throw conflict(`A refund of deposit ${deposit?.number} is processing. Try again when it settles.`)
  }
}

/** What is on its way back of a deposit, and will lessen it. */
async function leavingOf(ctx: Ctx, depositGuid: string): Promise<number> {
  const rows = await ctx.db
    .selectFrom('refundAttempts')
    .select(['amountCents', 'reasonCode', 'effect'])
    .where('invoiceGuid', '=', depositGuid)
    .where('status', '=', 'processing')
    .execute()
  const lowering = rows.filter((row) => (row.effect ?? defaultEffect(row.reasonCode)) === 'price_reduced')
  return lowering.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

/**
 * What voiding an invoice does not put back among the deposits it credited: what was given back of them since. The
 * books took that from sales, because the deposits were used up. To be asked while the invoice still counts.
 */
export async function givenBackSince(ctx: Ctx, invoice: InvoiceRow): Promise<number> {
  if (invoice.depositAppliedCents === 0) return 0
  const credits = (await invoiceLines(ctx.db, invoice.guid)).filter(isCredit)
  let since = 0
  for (const guid of new Set(credits.flatMap((line) => line.depositInvoiceGuid ?? []))) {
    await sql`select 1 from invoices where guid = ${guid}::uuid for update`.execute(ctx.db)
    const waiting = sumOf(await waitingOf(ctx.db, guid)).netCents
    const after = sumOf(await waitingOf(ctx.db, guid, invoice.guid)).netCents
    since += -sumOf(credits.filter((line) => line.depositInvoiceGuid === guid)).netCents - (after - waiting)
  }
  return since
}

/** A note of hire takes what is still owed: what was paid since it was drafted can only be refunded. */
export async function mustStillOwe(ctx: Ctx, note: InvoiceRow) {
  const { rows } = await sql<{ number: string | null; status: string; balanceCents: number }>`select i.number, i.status,
    i.balance_cents from invoices i where i.guid = ${note.adjustsInvoiceGuid}::uuid
    and exists (select from hire_bills b where b.invoice_guid = ${note.guid}::uuid and b.voided_at is null)`.execute(
    ctx.db,
  )
  const [invoice] = rows
  if (invoice && (invoice.status !== 'issued' || invoice.balanceCents < note.totalCents))
    throw conflict(`Invoice ${invoice.number} has been paid since. Archive this draft and refund the payment instead.`)
}
