import { gstBroughtForward } from './gst-state.ts'
import type { SupplyBasis } from './supplies.ts'

interface Amounts {
  totalCents: number
  gstCents: number
}
type Dated = Amounts & { on: string }

/** What an order went through as far as its GST depends on it, each on the day of its entry; amounts in cents. */
export interface OrderLife {
  /** What it came to since each day, oldest first. */
  supplies: readonly (Dated & { basis: SupplyBasis; isOpen: boolean })[]
  /** Every invoice that was issued, notes apart. */
  invoices: readonly (Amounts & {
    guid: string
    isDeposit: boolean
    issuedOn: string
    voidedOn: string | null
    /** What it credits of deposits. */
    credits: readonly (Amounts & { depositGuid: string })[]
    /** Adjustment notes of it. */
    notes: readonly Dated[]
  })[]
  /** Notes over hire that ended early: so much less is billed of the order. */
  hireNotes: readonly Dated[]
  /** Money that came for the order, and below zero what pays an invoice or went back. */
  prepaid: readonly { on: string; cents: number }[]
}

const sum = <T>(items: readonly T[], cents: (item: T) => number) => items.reduce((total, one) => total + cents(one), 0)

/** The invoices of an order that stand at the end of a day. */
const standingAt = ({ invoices }: OrderLife, day: string) =>
  invoices.filter(({ issuedOn, voidedOn }) => issuedOn <= day && (voidedOn === null || voidedOn > day))

/**
 * What is billed of an order at the end of a day: its work, and deposits as far as they wait to be credited. A note
 * that lowers a price changes nothing of what is still to be billed.
 */
function billedAt(life: OrderLife, day: string): Amounts {
  const standing = standingAt(life, day)
  const credits = standing.flatMap((invoice) => invoice.credits)
  const until = (notes: readonly Dated[]) => notes.filter(({ on }) => on <= day)
  const of = (field: 'totalCents' | 'gstCents') =>
    sum(standing, (invoice) => {
      if (!invoice.isDeposit) return invoice[field] + sum(invoice.credits, (credit) => credit[field])
      const credited = credits.filter(({ depositGuid }) => depositGuid === invoice.guid)
      const gone = sum(until(invoice.notes), (note) => note[field]) + sum(credited, (credit) => credit[field])
      return Math.max(invoice[field] - gone, 0)
    }) - sum(until(life.hireNotes), (note) => note[field])
  return { totalCents: of('totalCents'), gstCents: of('gstCents') }
}

/** GST of an order that counts at the end of a day and is on no invoice yet, on the accrual basis. */
export function forwardAt(life: OrderLife, day: string): number {
  const supply = life.supplies.findLast(({ on }) => on <= day)
  if (!supply?.isOpen) return 0
  const billed = billedAt(life, day)
  // With the last of its amount the last cent of its GST is billed, wherever rounding left it.
  if (supply.totalCents <= billed.totalCents) return 0
  const hasMoney = sum(life.prepaid, ({ on, cents }) => (on <= day ? cents : 0)) > 0
  const begunOn = hasMoney || standingAt(life, day).length > 0 ? day : null
  return gstBroughtForward({ gstCents: supply.gstCents, supply: supply.basis, begunOn }, billed.gstCents, day)
}

/** The days on which something happened, oldest first. */
export const daysOf = ({ supplies, invoices, hireNotes, prepaid }: OrderLife): string[] =>
  [
    ...new Set([
      ...[...supplies, ...hireNotes, ...prepaid].map(({ on }) => on),
      ...invoices.flatMap(({ issuedOn, voidedOn, notes }) => [
        issuedOn,
        ...(voidedOn === null ? [] : [voidedOn]),
        ...notes.map(({ on }) => on),
      ]),
    ]),
  ].toSorted()
