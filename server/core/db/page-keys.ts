import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import { parseSort } from '../../../contract/core/common.ts'
import { AppError } from '../../../contract/core/errors.ts'

/** A column a list may be sorted by. Those that may be null say so: they cost a little more to page through. */
export type SortColumn = string | { column: string; nullable: true }

export interface Key {
  column: string
  nullable: boolean
  descending: boolean
}
export type Value = string | number | boolean | null

const cursorSchema = z.strictObject({
  s: z.string(),
  v: z.array(z.union([z.string().max(500), z.number(), z.boolean(), z.null()])),
  t: z.tuple([z.int(), z.boolean()]),
})
export type Cursor = z.output<typeof cursorSchema>

/** What a list is sorted by, and the unique column that breaks ties. */
export function keysOf(sorts: Readonly<Record<string, SortColumn>>, guid: string, text: string): Key[] {
  const sorted = parseSort(text).flatMap(({ field, descending }): Key[] => {
    const column = sorts[field]
    if (column === undefined)
      throw new AppError('MALFORMED', undefined, {
        fields: [{ path: 'sort', message: `Use only ${Object.keys(sorts).join(', ')}.` }],
      })
    return [typeof column === 'string' ? { column, nullable: false, descending } : { ...column, descending }]
  })
  return [...sorted, { column: guid, nullable: false, descending: sorted.at(-1)?.descending ?? false }]
}

export const inOrder = <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>, keys: readonly Key[]) => {
  let ordered = query
  for (const { column, descending } of keys)
    ordered = ordered.orderBy(descending ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)} asc`)
  return ordered
}

/**
 * Rows behind the cursor, as parts of which each is one range of an index. With one direction and no
 * nulls that is one row comparison.
 */
export function beyondBranches(keys: Key[], values: Value[]): RawBuilder<boolean>[] {
  const [first] = keys
  if (first && keys.every((k) => k.descending === first.descending && !k.nullable)) {
    const columns = sql.join(keys.map((k) => sql.ref(k.column)))
    const marks = sql.join(values)
    return [first.descending ? sql<boolean>`(${columns}) < (${marks})` : sql<boolean>`(${columns}) > (${marks})`]
  }
  return keys.flatMap((last, i) => {
    const before = keys.slice(0, i).map((key, j) => equal(key, values[j] ?? null))
    return past(last, values[i] ?? null).map((part) => sql<boolean>`(${sql.join([...before, part], sql` and `)})`)
  })
}
export const beyond = (keys: Key[], values: Value[]) =>
  sql<boolean>`(${sql.join(beyondBranches(keys, values), sql` or `)})`
const equal = (key: Key, value: Value) =>
  value === null ? sql`${sql.ref(key.column)} is null` : sql`${sql.ref(key.column)} = ${value}`

/** PostgreSQL puts nulls last going up and first going down. */
function past({ column: name, nullable, descending }: Key, value: Value): RawBuilder<unknown>[] {
  const column = sql.ref(name)
  if (value === null) return descending ? [sql`${column} is not null`] : []
  if (descending) return [sql`${column} < ${value}`]
  return [sql`${column} > ${value}`, ...(nullable ? [sql`${column} is null`] : [])]
}

export const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
export const badCursor = (cause?: unknown) =>
  new AppError('MALFORMED', 'This list can’t continue from here. Start from the first page.', {
    fields: [{ path: 'after', message: 'Use a cursor from this list.' }],
    cause,
  })

export function readCursor(text: string, sort: string, keyCount: number): Cursor {
  try {
    const cursor = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    if (cursor.s === sort && cursor.v.length === keyCount && cursor.v.at(-1) !== null) return cursor
  } catch (error) {
    throw badCursor(error)
  }
  throw badCursor()
}
