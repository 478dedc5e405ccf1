import { setImmediate } from 'node:timers/promises'
import { guessMapping, type Mapping } from '../../contract/customer-files.ts'
import {
  type FileCustomer,
  findRepeated,
  readRow,
  type ReadRow,
  type RowProblem,
} from '../../contract/customer-file-rows.ts'
import type { ImportAction } from '../../contract/imports.ts'
import type { Db } from '../core/ctx.ts'
import { type Fillable, fillable, findMatches, type Into, type Match } from './match.queries.ts'
import type { FileTable } from './read-file.ts'

/** Rows that are read, matched and written together. */
export const chunkSize = 1000

interface PlannedRow {
  row: number
  action: ImportAction
  name: string
  /** Null where something is wrong. */
  customer: FileCustomer | null
  matchGuid: string | null
  matchName: string | null
  /** What the match has none of and the row brings. */
  fills: Fillable[]
  warnings: string[]
}

export interface Plan {
  mapping: Mapping
  rows: PlannedRow[]
  problems: RowProblem[]
}

interface SentMapping {
  index: number
  field: Mapping[number]
}

/** The mapping that was sent, above the one that the headings say. */
export function mappingOf({ source, headers }: FileTable, sent: readonly SentMapping[] = []): Mapping {
  const mapping = [...guessMapping(source, headers)]
  for (const { index, field } of sent) if (index < mapping.length) mapping[index] = field
  return mapping
}

export function* chunksOf<T>(all: readonly T[], size = chunkSize): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

async function readRows(table: FileTable, mapping: Mapping): Promise<ReadRow[]> {
  const read: ReadRow[] = []
  for (const chunk of chunksOf(table.rows)) {
    for (const { row, cells } of chunk) {
      const one = readRow(row, cells, { ...table, mapping })
      if (one) read.push(one)
    }
    await setImmediate()
  }
  return read
}

/** The customers of a file that has no problems, each once. */
export async function readCustomers(table: FileTable, mapping: Mapping) {
  const read = await readRows(table, mapping)
  const { sameAs } = findRepeated(read)
  return read.flatMap(({ row, customer }) => (customer && !sameAs.has(row) ? [{ row, customer }] : []))
}

/** What every row of a file would do, and what is wrong with it. Reads the database and writes nothing. */
export async function planOf(db: Db, into: Into, table: FileTable, mapping: Mapping): Promise<Plan> {
  const read = await readRows(table, mapping)
  const { sameAs, problems: repeated } = findRepeated(read)
  const problems = [...read.flatMap((one) => one.problems), ...repeated]
  const rows: PlannedRow[] = []
  for (const chunk of chunksOf(read)) {
    const asked = chunk.flatMap(({ row, customer }) => (customer && !sameAs.has(row) ? [{ row, customer }] : []))
    const matches = asked.length > 0 ? await findMatches(db, into, asked) : new Map<number, Match>()
    for (const one of chunk) {
      const match = matches.get(one.row)
      if (match && match.found > 1) problems.push(ambiguous(one.row, match.found))
      rows.push(plannedOf(one, match, sameAs.get(one.row)))
    }
  }
  const bad = new Set(problems.map(({ row }) => row))
  return {
    mapping,
    rows: rows.map((row) => (bad.has(row.row) ? { ...row, action: 'bad', customer: null } : row)),
    problems: problems.toSorted((a, b) => a.row - b.row),
  }
}

export const ambiguous = (row: number, found: number): RowProblem => ({
  row,
  column: '',
  field: null,
  message: `Row ${row}: ${found} customers match. Add a reference to choose one.`,
  what: `${found} customers match. Add a reference to choose one.`,
})

function plannedOf(read: ReadRow, match: Match | undefined, sameAs: number | undefined): PlannedRow {
  const { row, name, customer, warnings } = read
  const base = { row, name, customer, warnings, matchGuid: null, matchName: null, fills: [] }
  if (sameAs !== undefined) return { ...base, action: 'skip', warnings: [...warnings, `Same as row ${sameAs}.`] }
  if (!match || !customer) return { ...base, action: 'create' }
  const fills = fillsOf(customer, match)
  return { ...base, action: fills.length > 0 ? 'fill' : 'skip', matchGuid: match.guid, matchName: match.name, fills }
}

/** What a row brings that its match has none of. */
export const fillsOf = (customer: FileCustomer, { blank }: Match): Fillable[] =>
  fillable.filter((field) => {
    const value = customer[field]
    return blank.includes(field) && value !== null && (!Array.isArray(value) || value.length > 0)
  })
