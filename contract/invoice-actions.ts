import { leadsFrom } from './core/transitions.ts'
import { invoiceTransitions, isUnissued } from './invoice-transitions.ts'
import type { Invoice, InvoiceStatus } from './invoices.ts'

export type InvoiceDeed =
  | 'issue'
  | 'send'
  | 'pay'
  | 'refund'
  | 'void'
  | 'writeOff'
  | 'recover'
  | 'adjust'
  | 'plan'
  /** Applying, forfeiting and returning a security deposit. */
  | 'useDeposit'
/** Why not, as a word that the screens have a phrase for. */
export type InvoiceRefusal =
  | 'archived'
  | 'notDraft'
  | 'notIssued'
  | 'writtenOff'
  | 'void'
  | 'adjustment'
  | 'problems'
  | 'nothingOwing'
  | 'nothingToRefund'
  | 'hasMoney'
  | 'nothingWrittenOff'
  | 'security'
  | 'nothingHeld'
  | 'moneyHeld'

type Known = 'status' | 'kind' | 'depositNature' | 'balanceCents' | 'paidCents' | 'refundedCents' | 'writtenOffCents'
interface Facts extends Pick<Invoice, Known> {
  archivedAt: unknown
  problems?: Invoice['problems']
  related?: Pick<Invoice['related'], 'payments'>
  security?: Invoice['security']
}

/** What is said where the table of statuses does not lead on. */
const byStatus: Record<InvoiceStatus, InvoiceRefusal> = {
  draft: 'notIssued',
  scheduled: 'notIssued',
  issued: 'notDraft',
  void: 'void',
  written_off: 'writtenOff',
}

const archived = ({ archivedAt }: Facts): InvoiceRefusal | null => (archivedAt === null ? null : 'archived')
const note = ({ kind }: Facts): InvoiceRefusal | null => (kind === 'adjustment_note' ? 'adjustment' : null)
/** Nothing was earned with it that could be lost. */
const security = ({ depositNature }: Facts): InvoiceRefusal | null => (depositNature === 'security' ? 'security' : null)
const blocked = ({ status, problems = [] }: Facts): InvoiceRefusal | null =>
  isUnissued(status) && problems.some((problem) => problem.blocks) ? 'problems' : null

/** What has to hold for each deed beside its status, in the order it is said. */
const needs: Record<InvoiceDeed, readonly ((invoice: Facts) => InvoiceRefusal | null)[]> = {
  issue: [archived, blocked],
  send: [archived, blocked],
  pay: [note, ({ balanceCents, writtenOffCents }) => (balanceCents + writtenOffCents > 0 ? null : 'nothingOwing')],
  refund: [
    note,
    ({ related }) => (related?.payments.some((one) => one.refundableCents > 0) ? null : 'nothingToRefund'),
  ],
  void: [
    note,
    // What was held and used or returned has been received all the same.
    ({ paidCents, depositNature }) => (depositNature === 'security' && paidCents > 0 ? 'moneyHeld' : null),
    ({ paidCents, refundedCents }) => (paidCents === refundedCents ? null : 'hasMoney'),
    ({ writtenOffCents }) => (writtenOffCents === 0 ? null : 'writtenOff'),
  ],
  adjust: [
    note,
    ({ balanceCents, paidCents, refundedCents }) =>
      balanceCents > 0 || paidCents > refundedCents ? null : 'nothingOwing',
  ],
  plan: [note, ({ balanceCents }) => (balanceCents > 0 ? null : 'nothingOwing')],
  writeOff: [note, security, ({ balanceCents }) => (balanceCents > 0 ? null : 'nothingOwing')],
  useDeposit: [({ security: held }) => (held && held.heldCents > 0 ? null : 'nothingHeld')],
  recover: [note, ({ writtenOffCents }) => (writtenOffCents > 0 ? null : 'nothingWrittenOff')],
}

/** Why something cannot be done with an invoice now; null when it can. The server refuses by it, the web says why. */
export function invoiceRefusal(deed: InvoiceDeed, invoice: Facts): InvoiceRefusal | null {
  const isOfMoney = deed === 'refund' || deed === 'useDeposit'
  if (!isOfMoney && !leadsFrom(invoiceTransitions, deed, invoice.status)) return byStatus[invoice.status]
  for (const need of needs[deed]) {
    const refusal = need(invoice)
    if (refusal) return refusal
  }
  return null
}
