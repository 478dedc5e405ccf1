import type { BasLine } from '../../contract/bas.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import { type GstState, salesLabels } from '../../contract/gst-state.ts'
import { byteOrderMark, cell, lineEnd } from '../core/http/cells.ts'
import type { WrittenFile } from '../core/http/csv.ts'

interface MovedDocument extends Pick<BasLine, 'number' | 'customerName' | 'on'> {
  before: GstState
  after: GstState
}

function* written(headings: readonly string[], rows: Iterable<readonly string[]>): Generator<string> {
  yield byteOrderMark + headings.join(',') + lineEnd
  for (const row of rows) yield row.join(',') + lineEnd
}

async function* inTurn(lines: Iterable<string>): AsyncGenerator<string> {
  yield* lines
}

/** The documents of one label, as the page shows them. */
export const labelFile = (fileName: string, lines: readonly BasLine[]): WrittenFile => ({
  fileName,
  lines: inTurn(
    written(
      ['Document', 'Customer', 'Date', 'Before', 'After', 'Moved'],
      lines.map(({ number, customerName, on, beforeCents, afterCents, cents }) => [
        ...[number, customerName, on].map(cell),
        ...[beforeCents, afterCents, cents].map(centsToDecimal),
      ]),
    ),
  ),
})

const columns = [...salesLabels, 'gstCents'] as const

/** All documents of a period with what each moved: sales by kind of GST, and the GST on them; falls below zero. */
export const detailFile = (fileName: string, moved: readonly MovedDocument[]): WrittenFile => ({
  fileName,
  lines: inTurn(
    written(
      ['Document', 'Customer', 'Date', ...salesLabels, 'GST'],
      moved
        .map((one) => ({ ...one, cents: columns.map((column) => one.after[column] - one.before[column]) }))
        .filter(({ cents }) => cents.some((one) => one !== 0))
        .map(({ number, customerName, on, cents }) => [
          ...[number, customerName, on].map(cell),
          ...cents.map(centsToDecimal),
        ]),
    ),
  ),
})
