import { accounts } from '../../contract/ledger.ts'
import type { GstCode } from '../../contract/lines.ts'
import type { SoldDocument, SoldLine } from './exports.queries.ts'

/** A line as another program takes it; amounts in cents, below zero on a note. */
export interface SalesLine {
  line: SoldLine
  text: string
  account: string
  /** A security deposit is no supply yet, whatever its lines say: GST Act s 99-5. */
  gstCode: GstCode
  netCents: number
  gstCents: number
}

const textOf = ({ bundle, name, description }: SoldLine) =>
  `${bundle === null ? '' : `${bundle}: `}${name}${description === null ? '' : `\n${description}`}`

/**
 * The lines of a document on the accounts that its entry has: deposits and what is credited of them, and sales by their
 * stream's account. A note takes out of the deposits first; the line that reaches into sales becomes two.
 */
export function salesLinesOf(document: SoldDocument): SalesLine[] {
  const sign = document.kind === 'adjustment_note' ? -1 : 1
  const isSecurity = document.kind === 'deposit' && document.depositAccount === accounts.securityDeposits
  let leftOfDeposits = document.fromDepositsCents
  return document.lines.flatMap((line): SalesLine[] => {
    const on = (account: string, netCents: number, gstCents: number): SalesLine => ({
      line,
      text: textOf(line),
      account,
      gstCode: isSecurity ? 'NOT_REGISTERED' : line.gstCode,
      netCents: sign * netCents || 0,
      gstCents: sign * gstCents || 0,
    })
    const sales = line.account ?? accounts.sales
    if (line.kind === 'deposit_credit') return [on(accounts.customerDeposits, line.netCents, line.gstCents)]
    if (document.kind === 'deposit')
      return [on(document.depositAccount ?? accounts.customerDeposits, line.netCents, line.gstCents)]
    const waiting = Math.min(leftOfDeposits, line.netCents)
    if (waiting <= 0) return [on(sales, line.netCents, line.gstCents)]
    leftOfDeposits -= waiting
    const deposits = document.depositAccount ?? accounts.customerDeposits
    if (waiting === line.netCents) return [on(deposits, line.netCents, line.gstCents)]
    const gstWaiting = Math.round((line.gstCents * waiting) / line.netCents)
    return [on(deposits, waiting, gstWaiting), on(sales, line.netCents - waiting, line.gstCents - gstWaiting)]
  })
}

/** `2026-07-01` as `01/07/2026`. */
export const slashed = (day: string): string => day.split('-').toReversed().join('/')
