import type { LineInput } from '../../contract/lines.ts'
import { newGuid } from '../core/guid.ts'
import { type Catalogued, type CataloguedInput, cataloguedOf, type EnteredLine } from './lines.service.ts'

/** Lines under new guids, with those below them still below them. */
export function renewed<L extends { guid: string; parentLineGuid: string | null }>(lines: readonly L[]): L[] {
  const guids = new Map(lines.map((line) => [line.guid, newGuid()]))
  return lines.map((line) => ({
    ...line,
    guid: guids.get(line.guid) ?? newGuid(),
    parentLineGuid: line.parentLineGuid === null ? null : (guids.get(line.parentLineGuid) ?? null),
  }))
}

/** Stored lines of an order or an invoice as they would be sent, each with those below it. */
export function inputsOf(rows: readonly EnteredLine[]): CataloguedInput[] {
  const below = childrenOf(rows)
  return rows
    .filter((row) => row.parentLineGuid === null)
    .map((row) => ({ ...inputOf(row), children: (below.get(row.guid) ?? []).map(inputOf) }))
}

/** The lines below each line, in their order. */
export const childrenOf = <L extends Pick<Catalogued, 'parentLineGuid'>>(rows: readonly L[]) =>
  Map.groupBy(
    rows.filter((row) => row.parentLineGuid !== null),
    (row) => row.parentLineGuid,
  )

/** A stored line as it would be sent. */
export const inputOf = (row: EnteredLine): CataloguedInput => ({
  guid: row.guid,
  kind: row.kind,
  productGuid: row.productGuid,
  name: row.name,
  description: row.description,
  quantity: row.quantity,
  unit: row.unit as LineInput['unit'],
  unitPriceCents: row.unitPriceCents,
  discount: row.discount,
  gstCode: row.gstCode,
  isOptional: false,
  catalogued: cataloguedOf(row),
})
