import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { allocateProportionally, centsToDecimal, isHeading } from '../../contract/core/money.ts'
import type { GstCode } from '../../contract/lines.ts'
import { type CodeAmount, partOf, totalOf } from './codes.ts'
import type { InvoiceLineRow } from './invoices.queries.ts'

/** What of an invoice's lines somebody chose to give back. */
export interface ChosenLine {
  lineGuid: string
  cents: number
}
/** How much of each kind of GST is given back. */
export type Given = Partial<Record<GstCode, number>>

const money = (cents: number) => `$${centsToDecimal(Math.max(cents, 0))}`

/** The kinds of GST of the lines somebody chose; never more of a line, or of a kind, than is left of it. */
export function givenOf(
  lines: readonly InvoiceLineRow[],
  left: readonly CodeAmount[],
  chosen: readonly ChosenLine[],
  amountCents: number,
): Given {
  const given: Given = {}
  const fields: FieldError[] = []
  const seen = new Set<string>()
  chosen.forEach(({ lineGuid, cents }, i) => {
    const line = lines.find((l) => l.guid === lineGuid)
    if (!line || isHeading(line) || line.totalCents <= 0)
      return fields.push({ path: `lines.${i}.lineGuid`, message: 'Choose a priced line on this invoice.' })
    if (seen.has(lineGuid)) return fields.push({ path: `lines.${i}.lineGuid`, message: 'This is listed twice.' })
    seen.add(lineGuid)
    given[line.gstCode] = (given[line.gstCode] ?? 0) + cents
    const room = left.find((part) => part.gstCode === line.gstCode)
    const most = Math.min(line.totalCents, (room ? totalOf(room) : 0) - (given[line.gstCode] ?? 0) + cents)
    return cents > most
      ? fields.push({
          path: `lines.${i}.cents`,
          message: `Enter ${money(most)} or less. The rest is already refunded.`,
        })
      : 0
  })
  const sum = chosen.reduce((total, { cents }) => total + cents, 0)
  if (fields.length === 0 && sum !== amountCents)
    fields.push({ path: 'lines', message: `Make the lines add up to ${money(amountCents)}.` })
  refuseFields(fields)
  return given
}

/**
 * An amount by kind of GST: as it was chosen, else by proportion of what is left. Whoever gives back the
 * last of it gives back all the GST there is. No part is ever below zero, except where the whole of an
 * invoice with reductions goes back.
 */
export function givenBack(left: readonly CodeAmount[], amountCents: number, given: Given | null): CodeAmount[] {
  const leftCents = left.reduce((sum, part) => sum + totalOf(part), 0)
  const isWhole = amountCents === leftCents && left.every((part) => part.gstCents >= 0)
  if (isWhole) return left.filter((part) => totalOf(part) !== 0)
  const parts = left.filter((part) => totalOf(part) > 0)
  const chosen = parts.map((part) => Math.min(given?.[part.gstCode] ?? 0, totalOf(part)))
  const rest = amountCents - chosen.reduce((sum, cents) => sum + cents, 0)
  const room = parts.map((part, i) => totalOf(part) - (chosen[i] ?? 0))
  const shares = rest > 0 ? allocateProportionally(rest, room) : room.map(() => 0)
  return parts.flatMap((part, i) => {
    const cents = (chosen[i] ?? 0) + (shares[i] ?? 0)
    return cents > 0
      ? [
          partOf(
            { ...part, gstCents: Math.max(part.gstCents, 0), netCents: totalOf(part) - Math.max(part.gstCents, 0) },
            cents,
          ),
        ]
      : []
  })
}
