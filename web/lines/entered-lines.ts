import type { LineInput } from '../../contract/lines.ts'
import { type EditorLine, newLine } from './line-state.ts'

/** A line that was entered and not saved yet, as it is edited again: what it left to the catalogue is asked for. */
export const editorLine = (line: LineInput): EditorLine => ({
  ...newLine(line.kind, line.gstCode),
  productGuid: line.productGuid ?? null,
  name: line.name,
  description: line.description ?? '',
  quantity: line.quantity,
  unit: line.unit,
  unitPriceCents: line.unitPriceCents ?? 0,
  hireFrom: line.hireFrom ?? null,
  hireTo: line.hireTo ?? null,
  discount: line.discount ?? null,
  revenueStreamGuid: line.revenueStreamGuid,
  isPriceManual: line.unitPriceCents !== undefined,
  awaits: line.unitPriceCents === undefined && (line.productGuid ?? null) !== null,
  ...(line.answers ? { answers: line.answers } : {}),
})
