import { type RawBuilder, sql } from 'kysely'
import { type InvoiceBaseStatus, type InvoiceDisplayStatus, owingInvoiceStatuses } from '../../contract/invoices.ts'
import { type QuoteBaseStatus, type QuoteDisplayStatus, waitingQuoteStatuses } from '../../contract/quotes.ts'

/*
 * The one word a document wears: its base status, which the table keeps, unless its day has passed. Lists, tiles, boards and
 * references share it; `invoiceDisplayStatus` of the contract says the same of a row that was read.
 */

const texts = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)))

export const quoteDisplayStatus = (q: string, today: string): RawBuilder<QuoteDisplayStatus> =>
  sql<QuoteDisplayStatus>`case when ${sql.ref(`${q}.validUntil`)} < ${today}::date and ${sql.ref(`${q}.baseStatus`)} in (${texts(waitingQuoteStatuses)}) then 'expired' else ${sql.ref(`${q}.baseStatus`)} end`

export const invoiceDisplayStatus = (i: string, today: string): RawBuilder<InvoiceDisplayStatus> =>
  sql<InvoiceDisplayStatus>`case when ${sql.ref(`${i}.dueOn`)} < ${today}::date and ${sql.ref(`${i}.baseStatus`)} in (${texts(owingInvoiceStatuses)}) then 'overdue' else ${sql.ref(`${i}.baseStatus`)} end`

interface Words<B extends string> {
  base: string
  day: string
  /** The word of those whose day has passed. */
  late: string
  timed: readonly B[]
}

/** Conditions of which each is one range of an index by status, and of which no row meets two. */
function wearing<B extends string>(
  { base, day, late, timed }: Words<B>,
  wanted: readonly string[],
  today: string,
): RawBuilder<boolean>[] {
  const is = (status: string) => sql<boolean>`${sql.ref(base)} = ${status}`
  return [...new Set(wanted)].flatMap((status) => {
    if (status === late) return timed.map((of) => sql<boolean>`(${is(of)} and ${sql.ref(day)} < ${today}::date)`)
    if (!timed.some((of) => of === status)) return [is(status)]
    return [
      sql<boolean>`(${is(status)} and ${sql.ref(day)} >= ${today}::date)`,
      sql<boolean>`(${is(status)} and ${sql.ref(day)} is null)`,
    ]
  })
}

/** The quotes that wear one of these words. */
export const quotesWearing = (q: string, wanted: readonly string[], today: string) =>
  wearing<QuoteBaseStatus>(
    { base: `${q}.baseStatus`, day: `${q}.validUntil`, late: 'expired', timed: waitingQuoteStatuses },
    wanted,
    today,
  )
/** The invoices that wear one of these words. */
export const invoicesWearing = (i: string, wanted: readonly string[], today: string) =>
  wearing<InvoiceBaseStatus>(
    { base: `${i}.baseStatus`, day: `${i}.dueOn`, late: 'overdue', timed: owingInvoiceStatuses },
    wanted,
    today,
  )

const timed: readonly string[] = ['expired', 'overdue', ...waitingQuoteStatuses, ...owingInvoiceStatuses]
/** Whether no day decides on any of these words, so that each lies in one stretch of an index, in any order. */
export const areTimeless = (wanted: readonly string[]): boolean => wanted.every((status) => !timed.includes(status))
