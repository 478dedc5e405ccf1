import { sql } from 'kysely'
import type { Invoice } from '../../contract/invoices.ts'
import type { OwedState, WriteOffReason, WrittenPart } from '../../contract/write-offs.ts'
import type { Db } from '../core/ctx.ts'
import type { InvoiceRow } from './invoices.queries.ts'

/** How an invoice stands, less its adjustment notes. */
export async function owedState(
  db: Db,
  invoice: Pick<InvoiceRow, 'guid' | 'totalCents' | 'gstCents' | 'creditedCents' | 'paidCents' | 'refundedCents'>,
): Promise<OwedState> {
  const { rows } = await sql<{ notesGst: number; writtenOffCents: number; writtenOffGst: number }>`select
    coalesce((select sum(n.gst_cents) from invoices n where n.adjusts_invoice_guid = ${invoice.guid}::uuid
      and n.status = 'issued'), 0)::bigint as notes_gst,
    coalesce(sum(case when w.reverses_guid is null then w.cents else -w.cents end), 0)::bigint as written_off_cents,
    coalesce(sum(case when w.reverses_guid is null then w.gst_cents else -w.gst_cents end), 0)::bigint
      as written_off_gst
    from write_offs w where w.invoice_guid = ${invoice.guid}::uuid`.execute(db)
  const found = rows[0] ?? { notesGst: 0, writtenOffCents: 0, writtenOffGst: 0 }
  return {
    totalCents: invoice.totalCents - invoice.creditedCents,
    gstCents: invoice.gstCents - found.notesGst,
    paidCents: invoice.paidCents - invoice.refundedCents,
    writtenOffCents: found.writtenOffCents,
    writtenOffGstCents: found.writtenOffGst,
  }
}

interface PartRow extends WrittenPart {
  effectiveOn: string
  reasonCode: WriteOffReason
}

/** What is still written off of an invoice, the newest part first. */
export async function writtenParts(db: Db, invoiceGuid: string): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`select w.guid, w.effective_on, w.reason_code,
    (w.cents - coalesce(sum(r.cents), 0))::bigint as left_cents,
    (w.gst_cents - coalesce(sum(r.gst_cents), 0))::bigint as left_gst_cents
    from write_offs w left join write_offs r on r.reverses_guid = w.guid
    where w.invoice_guid = ${invoiceGuid}::uuid and w.reverses_guid is null
    group by w.guid having w.cents > coalesce(sum(r.cents), 0)
    order by w.created_at desc, w.effective_on desc, w.guid desc`.execute(db)
  return rows
}

export const insertWriteOff = (
  db: Db,
  row: {
    guid: string
    invoiceGuid: string
    paymentGuid: string | null
    cents: number
    gstCents: number
    reasonCode: WriteOffReason
    note: string | null
    effectiveOn: string
    reversesGuid: string | null
    createdAt: Date
    createdBy: string | null
  },
) => db.insertInto('writeOffs').values(row).execute()

/** A refund of an invoice that is on its way. */
export const openRefund = (db: Db, invoiceGuid: string) =>
  db
    .selectFrom('refundAttempts')
    .select('guid')
    .where('invoiceGuid', '=', invoiceGuid)
    .where('status', '=', 'processing')
    .limit(1)
    .executeTakeFirst()

export const writeOffsJson = sql<
  Invoice['related']['writeOffs']
>`(select coalesce(json_agg(json_build_object('guid', w.guid, 'on', w.effective_on, 'cents', w.cents, 'gstCents',
  w.gst_cents, 'reasonCode', w.reason_code, 'note', w.note, 'isRecovery', w.reverses_guid is not null)
  order by w.created_at, w.guid), '[]'::json) from write_offs w where w.invoice_guid = i.guid)`
