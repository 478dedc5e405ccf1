import { invoicesApi, isUnissued, type Invoice } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import type { useMay } from '../core/api/can.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'
import type { IconName } from '../core/ui/icons.ts'

/** Why something cannot be done with an invoice now; null when it can. The server refuses the same. */
export function refusals(invoice: Invoice): Record<'issue' | 'send' | 'pay' | 'refund' | 'void', PhraseKey | null> {
  const isDraft = isUnissued(invoice.status)
  const isGone = invoice.status === 'written_off'
  const isVoid = invoice.status === 'void'
  const isNote = invoice.kind === 'adjustment_note'
  const isBlocked = isDraft && invoice.problems.some((problem) => problem.blocks)
  return {
    issue: !isDraft ? 'invoices:why.notDraft' : isBlocked ? 'invoices:why.problems' : null,
    send: isGone
      ? 'invoices:why.writtenOff'
      : isVoid
        ? 'invoices:why.void'
        : isBlocked
          ? 'invoices:why.problems'
          : null,
    pay: isGone
      ? 'invoices:why.writtenOff'
      : isVoid
        ? 'invoices:why.void'
        : isDraft
          ? 'invoices:why.notIssued'
          : isNote
            ? 'invoices:why.adjustment'
            : invoice.balanceCents <= 0
              ? 'invoices:why.nothingOwing'
              : null,
    refund: isNote
      ? 'invoices:why.adjustment'
      : invoice.related.payments.some((payment) => payment.refundableCents > 0)
        ? null
        : 'invoices:why.nothingToRefund',
    void: isGone
      ? 'invoices:why.writtenOff'
      : isVoid
        ? 'invoices:why.void'
        : isDraft
          ? 'invoices:why.notIssued'
          : isNote
            ? 'invoices:why.adjustment'
            : invoice.paidCents - invoice.refundedCents > 0
              ? 'invoices:why.hasMoney'
              : null,
  }
}

/** What is sensibly done next: in the words of the invoice's own page. */
export function nextOf(invoice: Invoice, may: ReturnType<typeof useMay>): { label: PhraseKey; icon: IconName } | null {
  const why = refusals(invoice)
  if (isUnissued(invoice.status)) {
    if (!why.send && may(invoicesApi.send)) return { label: 'invoices:issueAndSend', icon: 'send' }
    return !why.issue && may(invoicesApi.issue)
      ? { label: 'invoices:issue', icon: 'invoice' }
      : may(invoicesApi.update)
        ? { label: 'invoices:editAction', icon: 'edit' }
        : null
  }
  if (!why.pay && may(paymentsApi.create)) return { label: 'invoices:recordPayment', icon: 'cash' }
  return null
}
