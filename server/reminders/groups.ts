import { money } from '../core/i18n/format.ts'
import type { AskedInvoice } from './plan.queries.ts'

/** Invoices that one reminder speaks of: of one customer of a business, to the same addresses. */
export interface Group {
  key: string
  businessGuid: string
  customerGuid: string
  customerName: string
  to: readonly string[]
  invoices: readonly AskedInvoice[]
  totalCents: number
  /** The greatest of their steps: its template is used. */
  step: number
}

const groupKey = ({ businessGuid, customerGuid, to }: AskedInvoice) => `${businessGuid} ${customerGuid} ${to.join(',')}`

/** Whose reminder a key of a group names. */
export function customerOf(key: string): { businessGuid: string; customerGuid: string } {
  const [businessGuid = '', customerGuid = ''] = key.split(' ')
  return { businessGuid, customerGuid }
}

/** What may be reminded of, as it goes out together: in the order of what is due first. */
export function groupsOf(rows: readonly AskedInvoice[]): Group[] {
  const asked = rows.filter(({ reason }) => reason === null)
  return [...Map.groupBy(asked, groupKey)].flatMap(([key, invoices]) => {
    const [first] = invoices
    if (!first) return []
    const { businessGuid, customerGuid, customerName, to } = first
    const totalCents = invoices.reduce((sum, { cents }) => sum + cents, 0)
    const step = Math.max(...invoices.map((invoice) => invoice.step))
    return { ...{ key, businessGuid, customerGuid, customerName, to, invoices, totalCents, step } }
  })
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** What a run is going to do, in a sentence. */
export const effectOf = ({ customerName, invoices, totalCents }: Group): string =>
  `Remind ${customerName} about ${listed(invoices.map(({ number }) => number))}, ${money(totalCents)}.`
