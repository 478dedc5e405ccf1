import { isUnissued, type Invoice } from './invoices.ts'

export type InvoiceDeed = 'issue' | 'send' | 'pay' | 'refund' | 'void'
/** Why not, as a word that the screens have a phrase for. */
export type InvoiceRefusal =
  | 'notDraft'
  | 'notIssued'
  | 'writtenOff'
  | 'void'
  | 'adjustment'
  | 'problems'
  | 'nothingOwing'
  | 'nothingToRefund'
  | 'hasMoney'

interface Facts extends Pick<Invoice, 'status' | 'kind' | 'balanceCents' | 'paidCents' | 'refundedCents'> {
  problems?: Invoice['problems']
  related?: Pick<Invoice['related'], 'payments'>
}

const ended = ({ status }: Facts): InvoiceRefusal | null =>
  status === 'written_off' ? 'writtenOff' : status === 'void' ? 'void' : null

const unissued = ({ status }: Facts): InvoiceRefusal | null => (isUnissued(status) ? 'notIssued' : null)
const note = ({ kind }: Facts): InvoiceRefusal | null => (kind === 'adjustment_note' ? 'adjustment' : null)
const blocked = ({ status, problems = [] }: Facts): InvoiceRefusal | null =>
  isUnissued(status) && problems.some((problem) => problem.blocks) ? 'problems' : null

/** What has to hold for each deed, in the order it is said. */
const needs: Record<InvoiceDeed, readonly ((invoice: Facts) => InvoiceRefusal | null)[]> = {
  issue: [({ status }) => (isUnissued(status) ? null : 'notDraft'), blocked],
  send: [ended, blocked],
  pay: [ended, unissued, note, ({ balanceCents }) => (balanceCents > 0 ? null : 'nothingOwing')],
  refund: [
    note,
    ({ related }) => (related?.payments.some((one) => one.refundableCents > 0) ? null : 'nothingToRefund'),
  ],
  void: [ended, unissued, note, ({ paidCents, refundedCents }) => (paidCents === refundedCents ? null : 'hasMoney')],
}

/** Why something cannot be done with an invoice now; null when it can. The server refuses by it, the web says why. */
export function invoiceRefusal(deed: InvoiceDeed, invoice: Facts): InvoiceRefusal | null {
  for (const need of needs[deed]) {
    const refusal = need(invoice)
    if (refusal) return refusal
  }
  return null
}
