import { type CodeAmount, type Given, totalOf } from '../../contract/code-amounts.ts'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { centsToDecimal, isHeading } from '../../contract/core/money.ts'
import type { InvoiceLineRow } from './invoices.queries.ts'

/** What of an invoice's lines somebody chose to give back. */
export interface ChosenLine {
  lineGuid: string
  cents: number
}

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
