import type { BasLine } from '../../contract/bas.ts'
import { type GstState, salesLabels } from '../../contract/gst-state.ts'
import type { WrittenFile } from '../core/http/csv.ts'
import { inCents, tableFile } from '../core/http/table-file.ts'

interface MovedDocument extends Pick<BasLine, 'number' | 'customerName' | 'on'> {
  before: GstState
  after: GstState
}

/** The documents of one label, as the page shows them. */
export const labelFile = (fileName: string, lines: readonly BasLine[]): WrittenFile =>
  tableFile(
    fileName,
    ['Document', 'Customer', 'Date', 'Before', 'After', 'Moved'],
    lines.map(({ number, customerName, on, beforeCents, afterCents, cents }) => [
      ...[number, customerName, on],
      ...[beforeCents, afterCents, cents].map(inCents),
    ]),
  )

const columns = [...salesLabels, 'gstCents'] as const

/** All documents of a period with what each moved: sales by kind of GST, and the GST on them; falls below zero. */
export const detailFile = (fileName: string, moved: readonly MovedDocument[]): WrittenFile =>
  tableFile(
    fileName,
    ['Document', 'Customer', 'Date', ...salesLabels, 'GST'],
    moved
      .map((one) => ({ ...one, cents: columns.map((column) => one.after[column] - one.before[column]) }))
      .filter(({ cents }) => cents.some((one) => one !== 0))
      .map(({ number, customerName, on, cents }) => [number, customerName, on, ...cents.map(inCents)]),
  )
