import { big, divideRounded, quantityScale, quantityUnits, small } from '../../contract/core/cents.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import { accounts } from '../../contract/ledger.ts'
import { type GstCode, trimQuantity } from '../../contract/lines.ts'
import { byteOrderMark, cell, lineEnd } from '../core/http/cells.ts'
import type { SoldDocument } from './exports.queries.ts'
import { type SalesLine, salesLinesOf, slashed } from './sales.ts'

/** Xero's template of sales invoices, in its order. */
const columns = [
  '*ContactName',
  'EmailAddress',
  'POAddressLine1',
  'POAddressLine2',
  'POAddressLine3',
  'POAddressLine4',
  'POCity',
  'PORegion',
  'POPostalCode',
  'POCountry',
  '*InvoiceNumber',
  'Reference',
  '*InvoiceDate',
  '*DueDate',
  'InventoryItemCode',
  '*Description',
  '*Quantity',
  '*UnitAmount',
  'Discount',
  '*AccountCode',
  '*TaxType',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
  'Currency',
  'BrandingTheme',
] as const

const taxTypes: Record<GstCode, string> = {
  GST: 'GST on Income',
  FREE: 'GST Free Income',
  EXPORT: 'GST Free Exports',
  INPUT_TAXED: 'Input Taxed',
  NOT_REGISTERED: 'BAS Excluded',
}

/** The most that Xero takes of a description. */
const longestText = 4000

export const xeroHead = byteOrderMark + columns.join(',') + lineEnd

interface Row {
  text: string
  quantity: string
  unitCents: number
  account: string
  taxType: string
  stream: string | null
}

/**
 * Quantity and price so that Xero, which multiplies and rounds to the cent, has the line's own amount. Prices have two
 * decimals; where none does it, the line is one of its amount and says how many it is of.
 */
function priced({ line, text, netCents, ...rest }: SalesLine, document: SoldDocument): Row {
  const { account, gstCode } = rest
  const row = { account, taxType: taxTypes[gstCode], stream: line.stream }
  const units = quantityUnits(line.quantity)
  const net = big(netCents)
  const sign = document.kind === 'adjustment_note' ? -1n : 1n
  const isExact = (unit: bigint) => units * sign * unit === net * quantityScale
  const signedQuantity = `${sign < 0n && units !== 0n ? '-' : ''}${trimQuantity(line.quantity)}`
  const own = big(line.unitPriceCents)
  const shared = units === 0n ? 0n : divideRounded(net * quantityScale, units * sign)
  const unit = [own, shared].find(isExact)
  if (unit !== undefined && units !== 0n) return { ...row, text, quantity: signedQuantity, unitCents: small(unit) }
  const many = trimQuantity(line.quantity)
  return {
    ...row,
    text: many === '1' ? text : `${many} × ${text}`,
    quantity: sign < 0n ? '-1' : '1',
    unitCents: small(net * sign),
  }
}

/** Xero adds up the tax of each line, a tenth to the cent. */
const taxOf = ({ gstCode, netCents }: SalesLine) => (gstCode === 'GST' ? small(divideRounded(big(netCents), 10n)) : 0)

/** What Xero's own sum lacks of the total, as a line without GST. */
function roundingOf(document: SoldDocument, lines: readonly SalesLine[]): Row[] {
  const isNote = document.kind === 'adjustment_note'
  const total = isNote ? -document.totalCents : document.totalCents
  const off = total - lines.reduce((sum, line) => sum + line.netCents + taxOf(line), 0)
  if (off === 0) return []
  return [
    {
      text: 'Rounding',
      quantity: isNote ? '-1' : '1',
      unitCents: isNote ? -off : off,
      account: accounts.rounding,
      taxType: taxTypes.NOT_REGISTERED,
      stream: null,
    },
  ]
}

/** The rows of a document, prices without GST; those of a note have quantities below zero. */
export function xeroRows(document: SoldDocument): string {
  const lines = salesLinesOf(document)
  const rows = [...lines.map((line) => priced(line, document)), ...roundingOf(document, lines)]
  const { address } = document
  const head = [
    cell(document.customerName),
    cell(document.email ?? ''),
    cell(address?.line1 ?? ''),
    cell(address?.line2 ?? ''),
    ...['', ''],
    cell(address?.suburb ?? ''),
    address?.state ?? '',
    address?.postcode ?? '',
    address ? 'Australia' : '',
    cell(document.number),
    cell(document.reference ?? ''),
    slashed(document.issueOn),
    slashed(document.dueOn),
    '',
  ]
  return rows
    .map(({ text, quantity, unitCents, account, taxType, stream }) => {
      const of = [cell(text.slice(0, longestText)), quantity, centsToDecimal(unitCents), '', cell(account), taxType]
      const tracking = stream === null ? ['', ''] : ['Revenue stream', cell(stream)]
      return [...head, ...of, ...tracking, '', '', 'AUD', ''].join(',') + lineEnd
    })
    .join('')
}
