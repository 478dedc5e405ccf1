import { leadsFrom, type Transitions } from './core/transitions.ts'
import type { InvoiceStatus } from './invoices.ts'

export const invoiceTransitions = {
  update: { from: ['draft'] },
  archive: { from: ['draft'] },
  issue: { from: ['draft', 'scheduled'], to: 'issued' },
  send: { from: ['draft', 'scheduled', 'issued'], to: 'issued' },
  /** What was written off and is paid after all is owed again first. */
  pay: { from: ['issued', 'written_off'] },
  adjust: { from: ['issued'] },
  void: { from: ['issued'], to: 'void' },
  plan: { from: ['issued'] },
  writeOff: { from: ['issued'], to: 'written_off' },
  recover: { from: ['issued', 'written_off'], to: 'issued' },
  reissueLink: { from: ['issued', 'void', 'written_off'] },
} as const satisfies Transitions<InvoiceStatus>
/** Has no number yet; `scheduled` waits for its day. */
export const isUnissued = (status: string): boolean => leadsFrom(invoiceTransitions, 'issue', status)

/** Owes, and takes money and notes: what is issued and not itself a note. */
export const takesMoney = ({ status, kind }: { status: string; kind: string }): boolean =>
  leadsFrom(invoiceTransitions, 'adjust', status) && kind !== 'adjustment_note'

/** May be paid: also what was written off, of which as much is owed again first. */
export const mayBePaid = ({ status, kind }: { status: string; kind: string }): boolean =>
  leadsFrom(invoiceTransitions, 'pay', status) && kind !== 'adjustment_note'
