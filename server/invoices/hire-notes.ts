import { sql } from 'kysely'
import { scaleCents } from '../../contract/core/money.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { GstCode } from '../../contract/lines.ts'
import { type FoundRun, keepHireBill } from '../orders/hire.service.ts'
import { putAway } from './invoices.drafts.ts'
import { draftNote } from './invoices.notes.ts'
import { rowForUpdate } from './invoices.queries.ts'

/** What can be taken back of one invoice. */
interface Credit {
  invoiceGuid: string
  /** Its number. */
  label: string
  gstCode: GstCode
  /** GST included. */
  cents: number
}

const owed = sql<number>`i.balance_cents - coalesce((select sum(n.total_cents) from invoices n
  where n.adjusts_invoice_guid = i.guid and n.status in ('draft', 'scheduled') and n.archived_at is null), 0)::bigint`

/**
 * By which invoices so much that a hire was billed too much can be taken back, the newest first: none by more than it
 * billed of the hire, or than is owed of it. What was paid can only be refunded.
 */
export async function creditsOf(db: Db, run: Pick<FoundRun, 'bills'>, amountCents: number): Promise<Credit[]> {
  const lineGuids = run.bills.flatMap(({ cents, invoiceLineGuid }) => (cents > 0 ? (invoiceLineGuid ?? []) : []))
  if (lineGuids.length === 0) return []
  const rows = await db
    .selectFrom('invoiceLines as l')
    .innerJoin('invoices as i', 'i.guid', 'l.invoiceGuid')
    .select(['i.guid', 'i.number', 'l.gstCode', 'l.totalCents'])
    // What a draft is about to take is owed no more.
    .select(owed.as('owedCents'))
    .where('l.guid', 'in', lineGuids)
    .where('i.status', '=', 'issued')
    .orderBy('i.issuedAt', 'desc')
    .orderBy('i.guid')
    .execute()
  let left = amountCents
  return rows.flatMap(({ guid, number, gstCode, totalCents, owedCents }) => {
    const cents = Math.max(Math.min(left, totalCents, owedCents), 0)
    left -= cents
    return cents > 0 ? [{ invoiceGuid: guid, label: number ?? '', gstCode, cents }] : []
  })
}

interface Overbilled {
  run: FoundRun
  spans: readonly { from: string; to: string }[]
  /** Below zero, as bills have it: in the price mode of the order. */
  cents: number
  /** The same with GST, above zero. */
  amountCents: number
}

/**
 * Drafts the notes for what an ended hire was billed too much, and keeps what they take as its bills, with what is left
 * to be refunded. The order is locked.
 */
export async function draftHireNotes(ctx: Ctx, { run, spans, cents, amountCents }: Overbilled) {
  const notes: { guid: string; totalCents: number }[] = []
  let [days, leftCents] = [spans, cents]
  for (const { invoiceGuid, gstCode, cents: taken } of await creditsOf(ctx.db, run, amountCents)) {
    const invoice = await rowForUpdate(ctx.db, invoiceGuid)
    if (!invoice) continue
    const guid = await draftNote(ctx, invoice, {
      amountCents: taken,
      given: { [gstCode]: taken },
      reason: (t) => t('made.offHire', { name: run.name }),
    })
    const line = await ctx.db
      .selectFrom('invoiceLines')
      .select('guid')
      .where('invoiceGuid', '=', guid)
      .orderBy('position')
      .limit(1)
      .executeTakeFirstOrThrow()
    const part = taken === amountCents ? cents : scaleCents(cents, taken, amountCents)
    await keepHireBill(ctx, { runGuid: run.guid, spans: days, cents: part, invoice: { guid, lineGuid: line.guid } })
    ctx.audit({
      action: 'invoice.created',
      entity: 'Invoices',
      guid,
      after: { title: run.name, kind: 'adjustment_note', totalCents: taken },
    })
    notes.push({ guid, totalCents: taken })
    days = []
    leftCents -= part
  }
  if (notes.length === 0 || leftCents !== 0)
    await keepHireBill(ctx, { runGuid: run.guid, spans: days, cents: leftCents, invoice: null })
  return notes
}

/** Drafts of notes on an invoice that is taken back as a whole have nothing to take any more. */
export async function putNotesAway(ctx: Ctx, invoiceGuid: string) {
  const drafts = await ctx.db
    .selectFrom('invoices')
    .select('guid')
    .where('adjustsInvoiceGuid', '=', invoiceGuid)
    .where('status', 'in', ['draft', 'scheduled'])
    .where('archivedAt', 'is', null)
    .orderBy('guid')
    .execute()
  for (const { guid } of drafts) await putAway(ctx, guid)
}
