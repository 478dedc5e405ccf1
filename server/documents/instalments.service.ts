import { type RawBuilder, sql } from 'kysely'
import { fillInstalments, type Instalment } from '../../contract/instalments.ts'

type Part = Omit<Instalment, 'paidCents'>

/** The parts of the newest plan of the invoice `i`, in their order. */
export const instalmentsJson = sql<
  Part[]
>`(select coalesce(json_agg(json_build_object('label', t.label, 'dueOn', t.due_on, 'cents', t.cents)
  order by t.position), '[]'::json) from invoice_instalments t where t.invoice_guid = i.guid
  and t.plan = (select max(x.plan) from invoice_instalments x where x.invoice_guid = i.guid))`

/**
 * What the invoice of a name owes of parts of its newest plan that aren’t due before today: the oldest are filled
 * first, as `fillInstalments` of the contract does it. Nothing where it is due as a whole.
 */
export const laterCents = (invoice: string, today: RawBuilder<string>) => {
  const of = sql.ref(`${invoice}.guid`)
  const settled = sql`(${sql.ref(`${invoice}.totalCents`)} - ${sql.ref(`${invoice}.balanceCents`)})`
  return sql<number>`coalesce((select sum(least(t.cents, t.up_to - ${settled})) from (
    select x.due_on, x.cents, sum(x.cents) over (order by x.position) as up_to from invoice_instalments x
    where x.invoice_guid = ${of} and x.plan = (select max(y.plan) from invoice_instalments y
      where y.invoice_guid = ${of})) t
    where t.due_on >= ${today}::date and t.up_to > ${settled}), 0)::bigint`
}

/** What an invoice asks for by the day it is due: what it owes, less the parts that are due later. */
export const askedCents = (invoice: string) => {
  const later = laterCents(invoice, sql<string>`(${sql.ref(`${invoice}.dueOn`)} + 1)`)
  return sql<number>`(${sql.ref(`${invoice}.balanceCents`)} - ${later})`
}

/** What of an issued invoice is overdue: what it owes, less the parts that aren’t due before today. */
export const overdueCents = (invoice: string, today: RawBuilder<string>) => {
  const [dueOn, balance] = [sql.ref(`${invoice}.dueOn`), sql.ref(`${invoice}.balanceCents`)]
  return sql<number>`case when ${dueOn} < ${today}::date and ${balance} > 0
    then ${balance} - ${laterCents(invoice, today)} else 0 end`
}

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
