import { useState } from 'react'
import type { OpenInvoice } from '../../contract/service-statements.ts'

/** What of an invoice is to be paid now; null while what was typed is no amount. */
interface Chosen {
  isTicked: boolean
  cents: number | null
}

export interface ChoiceRow extends Chosen {
  invoice: OpenInvoice
  /** Whether the amount can be paid: at least a cent, and no more than is owing. */
  isAmount: boolean
}

const isWithin = (cents: number | null, { balanceCents }: OpenInvoice) =>
  cents !== null && cents >= 1 && cents <= balanceCents

/**
 * Which invoices are paid now, and how much of each. All of it to begin with; what was changed stays while the page
 * reads what is owing anew.
 */
export function useStatementChoice(invoices: readonly OpenInvoice[]) {
  const [changed, setChanged] = useState<Readonly<Record<string, Partial<Chosen>>>>({})
  const rows: ChoiceRow[] = invoices.map((invoice) => {
    const { isTicked = true, cents = invoice.balanceCents } = changed[invoice.serviceGuid] ?? {}
    return { invoice, isTicked, cents, isAmount: isWithin(cents, invoice) }
  })
  const change = (guid: string, what: Partial<Chosen>) =>
    setChanged((before) => ({ ...before, [guid]: { ...before[guid], ...what } }))
  const ticked = rows.filter(({ isTicked }) => isTicked)
  return {
    rows,
    ticked,
    totalCents: ticked.reduce((sum, { cents }) => sum + (cents ?? 0), 0),
    isReady: ticked.length > 0 && ticked.every(({ isAmount }) => isAmount),
    tick: (guid: string, isTicked: boolean) => change(guid, { isTicked }),
    type: (guid: string, cents: number | null) => change(guid, { cents, isTicked: true }),
    tickAll: (isTicked: boolean) => {
      for (const { invoice } of rows) change(invoice.serviceGuid, { isTicked })
    },
    reset: () => setChanged({}),
  }
}
export type StatementChoice = ReturnType<typeof useStatementChoice>
