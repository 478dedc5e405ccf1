import { centsToDecimal } from '../../../contract/core/money.ts'
import { byteOrderMark, cell, lineEnd } from './cells.ts'
import type { WrittenFile } from './csv.ts'

/** A text, or cents as a number that spreadsheets add up. */
type TableCell = string | null | { cents: number }

export const inCents = (cents: number): TableCell => ({ cents })

const written = (value: TableCell) =>
  value === null ? '' : typeof value === 'string' ? cell(value) : centsToDecimal(value.cents)

async function* linesOf(headings: readonly string[], rows: Iterable<readonly TableCell[]>): AsyncGenerator<string> {
  yield byteOrderMark + headings.map(cell).join(',') + lineEnd
  for (const row of rows) yield row.map(written).join(',') + lineEnd
}

/** A report as CSV: its headings, then its rows as they are shown. */
export const tableFile = (
  fileName: string,
  headings: readonly string[],
  rows: Iterable<readonly TableCell[]>,
): WrittenFile => ({ fileName, lines: linesOf(headings, rows) })
