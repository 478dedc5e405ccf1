import { z } from 'zod'
import { big, divideRounded, quantityUnits, small } from './core/cents.ts'
import { cents, guid, positiveCents, text } from './core/common.ts'
import { compareQuantities, isHeading, scaleCents } from './core/money.ts'
import { type GstCode, gstCodes, type Line } from './lines.ts'

/** What of an invoice can still be credited, of one kind of GST. */
export const creditable = z.object({
  gstCode: z.enum(gstCodes),
  /** GST included. */
  cents,
  gstCents: cents,
})
export type Creditable = z.infer<typeof creditable>

export const creditNoteInput = z.strictObject({
  invoiceGuid: guid,
  lines: z
    .array(z.strictObject({ gstCode: z.enum(gstCodes), cents: positiveCents, text: text(200) }))
    .min(1, 'Add at least one line.')
    .max(20, 'Use up to 20 lines.'),
  reason: text(400),
})
export type CreditNoteInput = z.infer<typeof creditNoteInput>

export interface CreditedLine {
  gstCode: GstCode
  /** GST included. */
  cents: number
}

/**
 * The GST of each line of a note: of what is left of its kind, half up over all of its lines together, so that the last
 * cent of a kind takes all the GST that is left of it.
 */
export function creditedGst(lines: readonly CreditedLine[], left: readonly Creditable[]): number[] {
  const taken = new Map<GstCode, { cents: number; gstCents: number }>()
  return lines.map(({ gstCode, cents: own }) => {
    const room = left.find((part) => part.gstCode === gstCode)
    if (!room || room.cents <= 0) return 0
    const before = taken.get(gstCode) ?? { cents: 0, gstCents: 0 }
    const sum = before.cents + own
    const gst = small(divideRounded(big(sum) * big(Math.max(room.gstCents, 0)), big(room.cents)))
    taken.set(gstCode, { cents: sum, gstCents: gst })
    return gst - before.gstCents
  })
}

/** Lines of an invoice that a note can take back: they have money of their own, of a kind that is not all credited. */
export const linesToCredit = <L extends Pick<Line, 'kind' | 'gstCode' | 'totalCents' | 'isOptional' | 'isSelected'>>(
  lines: readonly L[],
  left: readonly Creditable[],
): L[] =>
  lines.filter(
    (line) =>
      line.totalCents > 0 &&
      !isHeading(line) &&
      (line.isSelected || !line.isOptional) &&
      left.some(({ gstCode, cents: room }) => gstCode === line.gstCode && room > 0),
  )

type Counted = Pick<Line, 'quantity' | 'totalCents'>

/** What a quantity of a line comes to, GST included: its share of the line; more than there is comes to all of it. */
export function creditOfQuantity({ quantity, totalCents }: Counted, taken: string): number {
  if (compareQuantities(taken, quantity) >= 0) return totalCents
  return scaleCents(totalCents, Number(quantityUnits(taken)), Number(quantityUnits(quantity)))
}
