import { type RawBuilder, sql } from 'kysely'
import type { InvoiceDisplayStatus } from '../../contract/invoices.ts'
import type { QuoteDisplayStatus } from '../../contract/quotes.ts'

/** Until when a quote waits for its answer, as its index has it. */
const openUntil = (q: string) => sql`open_until(${sql.ref(`${q}.status`)}, ${sql.ref(`${q}.validUntil`)})`

/** A quote that waits for an answer and is past its last day. */
const quoteExpired = (q: string, today: string) => sql<boolean>`(${sql.ref(`${q}.status`)} in ('sent', 'changes_requested') and ${openUntil(q)} < ${today}::date)`

/** The one word a quote wears, by the precedence of the contract; lists, tiles and references share it. */
export const quoteDisplayStatus = (q: string, today: string): RawBuilder<QuoteDisplayStatus> =>
  sql<QuoteDisplayStatus>`case when ${quoteExpired(q, today)} then 'expired' when ${sql.ref(`${q}.status`)} = 'sent' and ${sql.ref(`${q}.firstViewedAt`)} is not null then 'viewed' else ${sql.ref(`${q}.status`)} end`

/** The same the other way round: the rows that wear one of these words, said of base columns so that indexes answer. */
export function quoteWears(q: string, wanted: readonly string[], today: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${q}.${name}`)
  const isOpen = sql`${openUntil(q)} >= ${today}::date`
  const branch = (status: string): RawBuilder<unknown> => {
    if (status === 'expired') return quoteExpired(q, today)
    if (status === 'viewed') return sql`(${column('status')} = 'sent' and ${column('firstViewedAt')} is not null and ${isOpen})`
    if (status === 'sent') return sql`(${column('status')} = 'sent' and ${column('firstViewedAt')} is null and ${isOpen})`
    if (status === 'changes_requested') return sql`(${column('status')} = 'changes_requested' and ${isOpen})`
    return sql`${column('status')} = ${status}`
  }
  return sql<boolean>`(${sql.join([...new Set(wanted)].map(branch), sql` or `)})`
}

/** The one word an invoice wears, by the precedence of the contract. */
export const invoiceDisplayStatus = (i: string, today: string): RawBuilder<InvoiceDisplayStatus> => {
  const column = (name: string) => sql.ref(`${i}.${name}`)
  return sql<InvoiceDisplayStatus>`case when ${column('status')} <> 'issued' then ${column('status')}
    when ${column('paymentStatus')} in ('refunded', 'partially_refunded', 'paid') then ${column('paymentStatus')}
    when ${column('balanceCents')} > 0 and ${column('dueOn')} < ${today}::date then 'overdue'
    when ${column('paymentStatus')} = 'partially_paid' then 'partially_paid'
    when ${column('firstViewedAt')} is not null then 'viewed' else 'sent' end`
}
