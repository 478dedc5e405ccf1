import { leadsFrom, type Transitions } from './core/transitions.ts'
import type { InvoiceStatus } from './invoices.ts'

export const invoiceTransitions = {
  update: { from: ['draft'] },
  archive: { from: ['draft'] },
  issue: { from: ['draft', 'scheduled'], to: 'issued' },
  send: { from: ['draft', 'scheduled', 'issued'], to: 'issued' },
  pay: { from: ['issued'] },
  adjust: { from: ['issued'] },
  void: { from: ['issued'], to: 'void' },
  reissueLink: { from: ['issued', 'void', 'written_off'] },
} as const satisfies Transitions<InvoiceStatus>
/** Has no number yet; `scheduled` waits for its day. */
export const isUnissued = (status: string): boolean => leadsFrom(invoiceTransitions, 'issue', status)

/** Owes, and takes money and notes: what is issued and not itself a note. */
export const takesMoney = ({ status, kind }: { status: string; kind: string }): boolean =>
  leadsFrom(invoiceTransitions, 'pay', status) && kind !== 'adjustment_note'
