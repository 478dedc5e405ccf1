import type { GstBasis } from './businesses.ts'
import { big, divideRounded, small } from './core/cents.ts'
import type { GstCode } from './lines.ts'

/** Amounts of one GST code, in cents, GST included. */
export interface CodePart {
  gstCode: GstCode
  totalCents: number
  gstCents: number
}

/**
 * What an issued invoice went through, each on its day; amounts in cents. Money that came for an order has a life of
 * its own from its receipt: its parts are the order's, its money is what pays no invoice.
 */
export interface InvoiceLife {
  issuedOn: string
  isPrepaid?: boolean
  voidedOn: string | null
  parts: readonly CodePart[]
  /** Adjustment notes: what they take off. */
  notes: readonly { on: string; parts: readonly CodePart[] }[]
  /** Money that was applied, and below zero what was taken back or refunded. */
  money: readonly { on: string; cents: number }[]
  /** Written off, and below zero what is owed again. */
  writeOffs: readonly { on: string; cents: number; gstCents: number }[]
}

/** Labels of the activity statement for sales: all with GST, exports, other GST-free, input taxed. */
export const salesLabels = ['G1', 'G2', 'G3', 'G4'] as const
type SalesLabel = (typeof salesLabels)[number]
const labelOf: Partial<Record<GstCode, SalesLabel>> = { EXPORT: 'G2', FREE: 'G3', INPUT_TAXED: 'G4' }

/** What counts of an invoice at the end of a day, in cents. */
export type GstState = Record<SalesLabel, number> & { gstCents: number }

const nothing = (): GstState => ({ G1: 0, G2: 0, G3: 0, G4: 0, gstCents: 0 })
const sum = <T>(items: readonly T[], cents: (item: T) => number) => items.reduce((total, one) => total + cents(one), 0)

/** Half up: `part` of `whole` that `of` comes to; 0 of nothing. */
export const shareOf = (part: number, of: number, whole: number): number =>
  whole === 0 ? 0 : small(divideRounded(big(part) * big(of), big(whole)))

/**
 * How an invoice stands at the end of a day. On the accrual basis all of it counts from its issue, less the GST of what
 * was written off; on the cash basis what was received of it does, with its share of the GST. Notes lessen it, and from
 * the day it is voided it is nothing. Money for an order counts by itself on the cash basis alone: on the other the
 * order tells of it. (GST Act s 29-5, Div 19, s 21-5; to be confirmed by a registered agent.)
 */
export function gstStateAt(life: InvoiceLife, day: string, basis: GstBasis): GstState {
  const state = nothing()
  if (day < life.issuedOn || (life.voidedOn !== null && day >= life.voidedOn)) return state
  if (life.isPrepaid && basis === 'accrual') return state
  const until = <T extends { on: string }>(events: readonly T[]) => events.filter(({ on }) => on <= day)
  const byCode = new Map<GstCode, { totalCents: number; gstCents: number }>()
  const add = ({ gstCode, totalCents, gstCents }: CodePart, sign: 1 | -1) => {
    const known = byCode.get(gstCode) ?? { totalCents: 0, gstCents: 0 }
    byCode.set(gstCode, {
      totalCents: known.totalCents + sign * totalCents,
      gstCents: known.gstCents + sign * gstCents,
    })
  }
  for (const part of life.parts) add(part, 1)
  for (const note of until(life.notes)) for (const part of note.parts) add(part, -1)
  const codes = [...byCode]
  const totalCents = sum(codes, ([, part]) => part.totalCents)
  const gstCents = sum(codes, ([, part]) => part.gstCents)
  const paidCents = sum(until(life.money), ({ cents }) => cents)
  const counted = (cents: number) => (basis === 'accrual' ? cents : shareOf(paidCents, cents, totalCents))
  for (const [code, part] of codes) {
    const label = labelOf[code]
    if (label) state[label] += counted(part.totalCents)
  }
  state.G1 = basis === 'accrual' ? totalCents : totalCents === 0 ? 0 : paidCents
  state.gstCents =
    basis === 'accrual' ? gstCents - sum(until(life.writeOffs), (off) => off.gstCents) : counted(gstCents)
  return state
}

/** How a legal entity counts GST: the basis it began with, and what it changed from a day on, oldest first. */
export interface BasisHistory {
  first: GstBasis
  changes: readonly { from: string; basis: GstBasis }[]
}

export const basisOn = ({ first, changes }: BasisHistory, day: string): GstBasis =>
  changes.findLast(({ from }) => from <= day)?.basis ?? first

/**
 * The basis an invoice counts on at the end of a day. Whoever starts on the cash basis leaves what was due where it was
 * reported; whoever ceases owes the rest of what is open with the period he ceases in. So an invoice that once counted
 * on the accrual basis stays on it. (GST Act s 159-5, 159-10, 159-20; to be confirmed by a registered agent.) Money for
 * an order was reported with no invoice, and counts as each day does.
 */
function basisFor(history: BasisHistory, { issuedOn, isPrepaid }: InvoiceLife, day: string): GstBasis {
  if (isPrepaid) return basisOn(history, day)
  if (basisOn(history, issuedOn) === 'accrual') return 'accrual'
  const ceased = history.changes.some(({ from, basis }) => basis === 'accrual' && from > issuedOn && from <= day)
  return ceased ? 'accrual' : 'cash'
}

/** How an invoice stands at the end of a day, on whichever basis it counts by then. */
export const gstStateOn = (life: InvoiceLife, day: string, history: BasisHistory): GstState =>
  gstStateAt(life, day, basisFor(history, life, day))

/** Days on which what counts of an invoice may have moved, in order. */
export function daysOf(life: InvoiceLife, { changes }: BasisHistory): string[] {
  const { issuedOn, voidedOn, notes, money, writeOffs } = life
  const days = [...notes, ...money, ...writeOffs].map(({ on }) => on)
  for (const { from } of changes) if (from > issuedOn) days.push(from)
  if (voidedOn !== null) days.push(voidedOn)
  return [...new Set([issuedOn, ...days])].toSorted()
}

/** What a period reports, in cents: sales that came, GST on them, GST that falls, and sales that fall. */
export interface PeriodFigures {
  labels: Record<SalesLabel | '1A' | '1B', number>
  decreases: Record<SalesLabel, number>
}

export const noFigures = (): PeriodFigures => ({
  labels: { G1: 0, G2: 0, G3: 0, G4: 0, '1A': 0, '1B': 0 },
  decreases: { G1: 0, G2: 0, G3: 0, G4: 0 },
})

/**
 * Adds to a period what one invoice moved in it: its state at the end less its state before. A rise counts as sales and
 * at 1A, a fall below what an earlier period reported at 1B and among the decreases; within a period it nets.
 */
export function addMovement(figures: PeriodFigures, before: GstState, after: GstState): void {
  const gst = after.gstCents - before.gstCents
  if (gst > 0) figures.labels['1A'] += gst
  else figures.labels['1B'] -= gst
  for (const label of salesLabels) {
    const moved = after[label] - before[label]
    if (moved > 0) figures.labels[label] += moved
    else figures.decreases[label] -= moved
  }
}

/** A figure as the form takes it: whole dollars, cents dropped, sign kept. */
export const wholeDollars = (cents: number): number => {
  const dollars = Math.trunc(cents / 100)
  return dollars === 0 ? 0 : dollars
}

/**
 * GST of an order that counts before its invoices carry it, on the accrual basis: a single supply belongs whole to the
 * period of its first invoice or money, a progressive one to each invoice. `invoices` are states of GST by day.
 */
export function gstBroughtForward(
  order: { gstCents: number; supply: 'single' | 'progressive'; begunOn: string | null },
  invoicedGstCents: number,
  day: string,
): number {
  if (order.supply === 'progressive' || order.begunOn === null || day < order.begunOn) return 0
  return Math.max(order.gstCents - invoicedGstCents, 0)
}
