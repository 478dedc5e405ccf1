import { useState } from 'react'
import type { OpenInvoice } from '../../contract/service-statements.ts'

/** What of an invoice is to be paid now; null while what was typed is no amount. */
interface Chosen {
  isTicked: boolean
  cents: number | null
  /** What was owing when it was typed. */
  ofCents: number
}

export interface ChoiceRow extends Omit<Chosen, 'ofCents'> {
  invoice: OpenInvoice
  /** Whether the amount can be paid: at least a cent, and no more than is owing. */
  isAmount: boolean
  /** Less is owing than when the page was opened or the amount typed, so that it was set to what is left. */
  isLowered: boolean
}

const isWithin = (cents: number | null, { balanceCents }: OpenInvoice) =>
  cents !== null && cents >= 1 && cents <= balanceCents

const owedOf = (invoices: readonly OpenInvoice[]): Readonly<Record<string, number>> =>
  Object.fromEntries(invoices.map(({ serviceGuid, balanceCents }) => [serviceGuid, balanceCents]))

/**
 * Which invoices are paid now, and how much of each. All of it to begin with; what was changed stays while the page
 * reads what is owing anew, unless less is owing by then.
 */
export function useStatementChoice(invoices: readonly OpenInvoice[]) {
  const [changed, setChanged] = useState<Readonly<Record<string, Partial<Chosen>>>>({})
  const [owed, setOwed] = useState(() => owedOf(invoices))
  const rows: ChoiceRow[] = invoices.map((invoice) => {
    const { serviceGuid, balanceCents } = invoice
    const opened = owed[serviceGuid] ?? balanceCents
    const { isTicked = true, cents: wished = opened, ofCents = opened } = changed[serviceGuid] ?? {}
    const isLowered = balanceCents < ofCents && wished !== null && wished > balanceCents
    const cents = isLowered ? balanceCents : wished
    return { invoice, isTicked, cents, isAmount: isWithin(cents, invoice), isLowered }
  })
  const change = (guid: string, what: Partial<Chosen>) =>
    setChanged((before) => ({ ...before, [guid]: { ...before[guid], ...what } }))
  const ticked = rows.filter(({ isTicked }) => isTicked)
  return {
    rows,
    ticked,
    totalCents: ticked.reduce((sum, { cents, isAmount }) => sum + (isAmount ? (cents ?? 0) : 0), 0),
    isReady: ticked.length > 0 && ticked.every(({ isAmount }) => isAmount),
    tick: (guid: string, isTicked: boolean) => change(guid, { isTicked }),
    type: ({ serviceGuid, balanceCents }: OpenInvoice, cents: number | null) =>
      change(serviceGuid, { cents, ofCents: balanceCents, isTicked: true }),
    tickAll: (isTicked: boolean) => {
      for (const { invoice } of rows) change(invoice.serviceGuid, { isTicked })
    },
    reset: () => {
      setOwed(owedOf(invoices))
      setChanged({})
    },
  }
}
export type StatementChoice = ReturnType<typeof useStatementChoice>
