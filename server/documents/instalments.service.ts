import { sql } from 'kysely'
import { fillInstalments, type Instalment } from '../../contract/instalments.ts'

type Part = Omit<Instalment, 'paidCents'>

/** The parts of the newest plan of the invoice `i`, in their order. */
export const instalmentsJson = sql<
  Part[]
>`(select coalesce(json_agg(json_build_object('label', t.label, 'dueOn', t.due_on, 'cents', t.cents)
  order by t.position), '[]'::json) from invoice_instalments t where t.invoice_guid = i.guid
  and t.plan = (select max(x.plan) from invoice_instalments x where x.invoice_guid = i.guid))`

interface Settled {
  instalments: Part[]
  creditedCents: number
  writtenOffCents: number
  paidCents: number
  refundedCents: number
}

/** The parts, filled with what is settled: the oldest first. */
export const filledInstalments = (row: Settled): Instalment[] =>
  fillInstalments(row.instalments, row.creditedCents + row.writtenOffCents + row.paidCents - row.refundedCents)
