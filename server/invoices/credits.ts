import { type CodeAmount, partOf, totalOf } from '../../contract/code-amounts.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { PriceMode } from '../../contract/core/money.ts'
import type { GstCode } from '../../contract/lines.ts'
import { newGuid } from '../core/guid.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { type EnteredLine, uncatalogued } from '../documents/lines.service.ts'
import { namedByCode } from './codes.ts'

/** A billed deposit of which something is left to credit. */
export interface OpenDeposit {
  guid: string
  number: string
  /** Of the customer, who reads what is credited. */
  language: Language
  /** What is left of each kind of GST; none is below zero. */
  parts: CodeAmount[]
}

export interface DraftLine extends EnteredLine {
  orderLineGuid: string | null
  depositInvoiceGuid: string | null
  position: number
  netCents: number
  gstCents: number
  totalCents: number
}

/** What deposits are credited against: what is left of what the invoice asks for, by kind of GST and in all. */
interface Room {
  byCode: Map<GstCode, number>
  totalCents: number
}

/** Cents that rounding may leave of a kind of GST. */
const residueCents = 5

/**
 * Deposits are credited up to the total of the invoice, each kind of GST against its own kind first. What is left of a
 * deposit goes against other kinds where that makes no negative GST; the last invoice takes all of it.
 */
export function depositCredits(
  priceMode: PriceMode,
  deposits: readonly OpenDeposit[],
  due: readonly CodeAmount[],
  isLast: boolean,
): DraftLine[] {
  const room: Room = {
    byCode: new Map(due.map((d) => [d.gstCode, totalOf(d)])),
    totalCents: due.reduce((sum, d) => sum + totalOf(d), 0),
  }
  const parts = deposits.flatMap((deposit) => deposit.parts.map((part) => ({ deposit, part, cents: 0 })))
  for (const entry of parts)
    entry.cents = take(
      room,
      entry.part.gstCode,
      Math.min(totalOf(entry.part), room.byCode.get(entry.part.gstCode) ?? 0),
    )
  for (const entry of parts) {
    const left = totalOf(entry.part) - entry.cents
    if (isLast || entry.part.gstCents === 0 || left <= residueCents) entry.cents += take(room, entry.part.gstCode, left)
  }
  return parts.flatMap(({ deposit, part, cents }) =>
    cents > 0 ? [creditLine(priceMode, deposit, partOf(part, cents))] : [],
  )
}

function take(room: Room, gstCode: GstCode, wishedCents: number): number {
  const cents = Math.max(Math.min(wishedCents, room.totalCents), 0)
  room.totalCents -= cents
  room.byCode.set(gstCode, (room.byCode.get(gstCode) ?? 0) - cents)
  return cents
}

const creditLine = (
  priceMode: PriceMode,
  { guid, number, language, parts }: OpenDeposit,
  credit: CodeAmount,
): DraftLine => ({
  ...uncatalogued,
  guid: newGuid(),
  orderLineGuid: null,
  depositInvoiceGuid: guid,
  position: 0,
  kind: 'deposit_credit',
  productGuid: null,
  name: namedByCode(
    phrases('documents', language)('made.depositCredited', { number }),
    credit.gstCode,
    parts.length > 1,
    language,
  ),
  description: null,
  quantity: '1',
  unit: 'each',
  unitPriceCents: priceMode === 'inclusive' ? -totalOf(credit) : -credit.netCents,
  discount: null,
  gstCode: credit.gstCode,
  netCents: -credit.netCents,
  gstCents: credit.gstCents === 0 ? 0 : -credit.gstCents,
  totalCents: -totalOf(credit),
})
