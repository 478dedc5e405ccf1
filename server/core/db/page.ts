import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Page, parseSort } from '../../../contract/core/common.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isDatabaseFailure } from '../http/errors.ts'
import { planByValues } from './connect.ts'

export const exactUpTo = 10_000
/** A filter may leave three rows or all of them: such a statement is planned anew each time, for what it asks now. */
const plannedByValues = sql.raw(planByValues)
const defaultSize = 25

/** A column a list may be sorted by. Those that may be null say so: they cost a little more to page through. */
export type SortColumn = string | { column: string; nullable: true }

export interface PageOptions<D, T extends keyof D, O> {
  /** The rows with filters, without order. */
  query: SelectQueryBuilder<D, T, O>
  /** How many rows there are, when that is known already; more than 10,000 count as 10,001. */
  total?: number | undefined
  /** The same rows counted more cheaply, when the selection needs joins that the filters do not. */
  count?: SelectQueryBuilder<D, T, object>
  /** Field of the list query to column: nothing else can be sorted by. */
  sorts: Readonly<Record<string, SortColumn>>
  /** The unique column that breaks ties. */
  guid: string
  input: { sort?: string | undefined; size?: number | undefined; page?: number | undefined; after?: string | undefined }
  defaultSort: string
}

interface Key {
  column: string
  nullable: boolean
  descending: boolean
}
type Value = string | number | boolean | null

const cursorSchema = z.strictObject({
  s: z.string(),
  v: z.array(z.union([z.string().max(500), z.number(), z.boolean(), z.null()])),
  t: z.tuple([z.int(), z.boolean()]),
})
type Cursor = z.output<typeof cursorSchema>

/**
 * One page and the total in one statement. `after` goes on where a page ended, whatever was added before it meanwhile; `page`
 * jumps. The total is counted to 10,000 once and then travels in the cursor.
 */
export async function pageOf<D, T extends keyof D, O>(options: PageOptions<D, T, O>): Promise<Page<O>> {
  const { query, input, guid } = options
  const sort = input.sort ?? options.defaultSort
  const size = input.size ?? defaultSize
  const keys = keysOf(options, sort)
  const cursor = input.after === undefined ? null : readCursor(input.after, sort, keys.length)
  const paged = paging(query, keys, cursor, size, input.page ?? 1)
  const marks = keys.map((key, i) => sql<Value>`${sql.ref(key.column)}`.as(`sort${i}`))
  const counted = cursor || options.total !== undefined ? [] : [sql<number>`(${countOf(options)})`.as('rowTotal')]
  const rows = (await run(paged.select([...marks, ...counted] as never).modifyFront(plannedByValues), cursor)) as (O & Record<string, Value>)[]
  const total = cursor ? { value: cursor.t[0], isExact: cursor.t[1] } : totalOf(options.total ?? (await counter(options, rows[0]?.['rowTotal'], input.page)))
  const items = rows.slice(0, size)
  const last = items.at(-1)
  const next = rows.length > size && last ? writeCursor({ s: sort, v: keys.map((_, i) => last[`sort${i}`] ?? null), t: [total.value, total.isExact] }) : null
  return { items: items.map((row) => strip(row, keys.length)), page: { size, total, next } }

  function keysOf(given: PageOptions<D, T, O>, text: string): Key[] {
    const sorted = parseSort(text).flatMap(({ field, descending }): Key[] => {
      const column = given.sorts[field]
      if (column === undefined) throw new AppError('MALFORMED', undefined, { fields: [{ path: 'sort', message: `may be made of ${Object.keys(given.sorts).join(', ')}` }] })
      return [typeof column === 'string' ? { column, nullable: false, descending } : { ...column, descending }]
    })
    return [...sorted, { column: guid, nullable: false, descending: sorted.at(-1)?.descending ?? false }]
  }
}

function paging<D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>, keys: Key[], cursor: Cursor | null, size: number, page: number) {
  let paged = query.limit(size + 1)
  for (const { column, descending } of keys) paged = paged.orderBy(descending ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)} asc`)
  if (cursor) return paged.where(beyond(keys, cursor.v))
  return page > 1 ? paged.offset((page - 1) * size) : paged
}

/** Rows behind the cursor. With one direction and no nulls a row comparison, which an index answers directly. */
function beyond(keys: Key[], values: Value[]): RawBuilder<boolean> {
  const [first] = keys
  if (first && keys.every((k) => k.descending === first.descending && !k.nullable)) {
    const columns = sql.join(keys.map((k) => sql.ref(k.column)))
    const marks = sql.join(values)
    return first.descending ? sql<boolean>`(${columns}) < (${marks})` : sql<boolean>`(${columns}) > (${marks})`
  }
  const branches = keys.map((_, i) => sql`(${sql.join([...keys.slice(0, i).map((key, j) => equal(key, values[j] ?? null)), past(keys[i], values[i] ?? null)], sql` and `)})`)
  return sql<boolean>`(${sql.join(branches, sql` or `)})`
}
const equal = (key: Key, value: Value) => (value === null ? sql`${sql.ref(key.column)} is null` : sql`${sql.ref(key.column)} = ${value}`)

/** PostgreSQL puts nulls last going up and first going down. */
function past(key: Key | undefined, value: Value) {
  if (!key) return sql`false`
  const column = sql.ref(key.column)
  if (value === null) return key.descending ? sql`${column} is not null` : sql`false`
  if (key.descending) return sql`${column} < ${value}`
  return key.nullable ? sql`(${column} > ${value} or ${column} is null)` : sql`${column} > ${value}`
}

const countOf = <D, T extends keyof D, O>({ count, query }: PageOptions<D, T, O>) => {
  const rows = (count ?? query.clearSelect()).clearOrderBy().select(sql`1`.as('one') as never).limit(exactUpTo + 1)
  return sql<number>`select count(*)::int from (${rows}) as counted`
}

/** A page without rows brings no total along. */
async function counter<D, T extends keyof D, O>(options: PageOptions<D, T, O>, found: Value | undefined, page: number | undefined): Promise<number> {
  if (typeof found === 'number') return found
  if ((page ?? 1) === 1) return 0
  const [row] = (await options.query.clearSelect().clearOrderBy().select(sql`(${countOf(options)})`.as('rowTotal') as never).limit(1).execute()) as unknown[] as { rowTotal: number }[]
  return row?.rowTotal ?? 0
}
const totalOf = (counted: number) => ({ value: Math.min(counted, exactUpTo), isExact: counted <= exactUpTo })

function strip<O>(row: O & Record<string, Value>, marks: number): O {
  const item: Record<string, unknown> = row
  for (let i = 0; i < marks; i++) delete item[`sort${i}`]
  delete item['rowTotal']
  return item as O
}

const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
const badCursor = (cause?: unknown) => new AppError('MALFORMED', 'That page cannot be continued; start from the first one.', { fields: [{ path: 'after', message: 'is not a cursor of this list' }], cause })

function readCursor(text: string, sort: string, keyCount: number): Cursor {
  try {
    const cursor = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    if (cursor.s === sort && cursor.v.length === keyCount && cursor.v.at(-1) !== null) return cursor
  } catch (error) {
    throw badCursor(error)
  }
  throw badCursor()
}

/** A cursor is not signed: what the database cannot compare was not written by us. */
async function run<D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>, cursor: Cursor | null): Promise<unknown[]> {
  try {
    return await query.execute()
  } catch (error) {
    if (cursor && isDatabaseFailure(error) && error.code.startsWith('22')) throw badCursor(error)
    throw error
  }
}
