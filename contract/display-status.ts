import { type InvoiceDisplayStatus, owingInvoiceStatuses } from './invoices.ts'
import { type QuoteDisplayStatus, waitingQuoteStatuses } from './quotes.ts'

/**
 * What decides the status of documents that wait: from the day after `day` they wear `late`,
 * in the zone of their business.
 */
export const lateness = {
  Quotes: { day: 'validUntil', waiting: waitingQuoteStatuses, late: 'expired' },
  Invoices: { day: 'dueOn', waiting: owingInvoiceStatuses, late: 'overdue' },
} as const

export type Dated = keyof typeof lateness
export const isDated = (noun: string): noun is Dated => Object.hasOwn(lateness, noun)
export interface DisplayStatuses {
  Quotes: QuoteDisplayStatus
  Invoices: InvoiceDisplayStatus
}

/** A row as its table keeps it: its status as far as no day decides, and the day. */
type Row<N extends Dated> = Record<(typeof lateness)[N]['day'], string | null> & {
  baseStatus: Exclude<DisplayStatuses[N], (typeof lateness)[N]['late']>
}

/** The one word that lists, tiles and previews show of a quote or an invoice. */
export function displayStatus<N extends Dated>(noun: N, row: Row<N>, today: string): DisplayStatuses[N] {
  const { day, waiting, late } = lateness[noun]
  const last = row[day as keyof Row<N>] as string | null
  const isLate = last !== null && last < today && (waiting as readonly string[]).includes(row.baseStatus)
  return isLate ? (late as DisplayStatuses[N]) : row.baseStatus
}
