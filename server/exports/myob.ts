import { centsToDecimal } from '../../contract/core/money.ts'
import { accounts } from '../../contract/ledger.ts'
import type { GstCode } from '../../contract/lines.ts'
import { byteOrderMark, lineEnd, tabCell } from '../core/http/cells.ts'
import type { SoldDocument } from './exports.queries.ts'
import { salesLinesOf, slashed } from './sales.ts'

/** MYOB's columns of sales, in their order. */
const columns = [
  'Co./Last Name',
  'Invoice No.',
  'Date',
  'Customer PO',
  'Description',
  'Account No.',
  'Amount',
  'Inc-Tax Amount',
  'Tax Code',
  'Tax Amount',
] as const

const taxCodes: Record<GstCode, string> = {
  GST: 'GST',
  FREE: 'FRE',
  EXPORT: 'EXP',
  INPUT_TAXED: 'ITS',
  NOT_REGISTERED: 'N-T',
}

export const myobHead = byteOrderMark + columns.join('\t') + lineEnd

/** The rows of a document, as it has its amounts, and the empty line behind it that begins another. */
export function myobRows(document: SoldDocument): string {
  const sign = document.kind === 'adjustment_note' ? -1 : 1
  const lines = salesLinesOf(document).map(({ text, account, netCents, gstCents, gstCode }) => ({
    text,
    account,
    netCents,
    gstCents,
    code: taxCodes[gstCode],
  }))
  const sum = lines.reduce((total, line) => total + line.netCents + line.gstCents, 0)
  const off = sign * document.totalCents - sum
  const rounding = { text: 'Rounding', account: accounts.rounding, netCents: off, gstCents: 0, code: 'N-T' }
  const head = [document.customerName, document.number, slashed(document.issueOn), document.reference ?? '']
  return [...lines, ...(off === 0 ? [] : [rounding])]
    .map(({ text, account, netCents, gstCents, code }) =>
      [
        ...[...head, text, account].map(tabCell),
        centsToDecimal(netCents),
        centsToDecimal(netCents + gstCents),
        code,
        centsToDecimal(gstCents),
      ].join('\t'),
    )
    .concat('')
    .map((row) => row + lineEnd)
    .join('')
}
