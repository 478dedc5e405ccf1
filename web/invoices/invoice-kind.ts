import type { Invoice } from '../../contract/invoices.ts'

export const isNote = (kind: string) => kind === 'adjustment_note'

/** A deposit that is only held. */
export const isSecurity = ({ kind, depositNature }: Pick<Invoice, 'kind' | 'depositNature'>): boolean =>
  kind === 'deposit' && depositNature === 'security'

/** What an invoice is called among others. */
export const kindKey = (invoice: Pick<Invoice, 'kind' | 'depositNature'>): string =>
  isSecurity(invoice) ? 'security' : invoice.kind

/** The amounts of an adjustment note are kept without a sign; among invoices they are taken away. */
export const signedCents = (kind: string, cents: number): number => (isNote(kind) ? -cents : cents)

/** The lines and totals of an invoice as they stand among others. */
export const signedAmounts = ({ kind, lines, totals }: Invoice): Pick<Invoice, 'lines' | 'totals'> =>
  isNote(kind)
    ? {
        lines: lines.map((line) => ({
          ...line,
          unitPriceCents: -line.unitPriceCents,
          netCents: -line.netCents,
          gstCents: -line.gstCents,
          totalCents: -line.totalCents,
        })),
        totals: {
          subtotalCents: -totals.subtotalCents,
          discountCents: -totals.discountCents,
          gstCents: -totals.gstCents,
          totalCents: -totals.totalCents,
        },
      }
    : { lines, totals }
