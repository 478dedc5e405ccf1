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
  /** What a page shows of its rows. With `found` it needs no filters. */
  query: SelectQueryBuilder<D, T, O>
  /**
   * The rows of the list, without selection: found and put in order first, by indexes alone where they have all that is asked for;
   * only those of the page are then read whole.
   */
  found?: SelectQueryBuilder<D, T, object>
  /** Conditions of which no row meets two: the list is the merge of the lists by each. Only with `found`. */
  anyOf?: readonly RawBuilder<boolean>[] | undefined
  /** What else the rows meet, which no index has in every order: spans of days, other records, a search. Only with `found`. */
  within?: readonly RawBuilder<boolean>[] | undefined
  /** Each condition of `anyOf` names one value of an index and no span, so its rows lie in order. */
  isPlain?: boolean
  /** How many rows there are, when that is known already; more than 10,000 count as 10,001. */
  total?: number | undefined
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
 * jumps, as far as the total is counted: to 10,000. The total is counted once and then travels in the cursor.
 */
export async function pageOf<D, T extends keyof D, O>(options: PageOptions<D, T, O>): Promise<Page<O>> {
  const { query, found, input, guid } = options
  const sort = input.sort ?? options.defaultSort
  const size = input.size ?? defaultSize
  const keys = keysOf(options, sort)
  const cursor = input.after === undefined ? null : readCursor(input.after, sort, keys.length)
  const skipped = cursor ? 0 : ((input.page ?? 1) - 1) * size
  if (skipped >= exactUpTo) throw tooFar()
  const counted = cursor ? 0 : (options.total ?? (found ? await countFound(options, found) : undefined))
  const marks = keys.map((key, i) => sql<Value>`${sql.ref(key.column)}`.as(`sort${i}`))
  const paged = found
    ? query.where(
        sql<boolean>`${sql.ref(guid)} = any(array(${foundKeys(options, found, { keys, cursor, size, skipped, counted })}))`,
      )
    : cursor
      ? query.where(beyond(keys, cursor.v))
      : query.offset(skipped)
  const asked =
    counted === undefined
      ? paged.select([...marks, sql<number>`(${countOf(query.clearSelect())})`.as('rowTotal')] as never)
      : paged.select(marks as never)
  const rows = (await run(
    inOrder(asked, keys)
      .limit(size + 1)
      .modifyFront(plannedByValues),
    cursor,
  )) as (O & Record<string, Value>)[]
  if (options.within?.length && counted && counted > exactUpTo && rows.length <= size) throw tooMany()
  const total = cursor
    ? { value: cursor.t[0], isExact: cursor.t[1] }
    : totalOf(counted ?? (await counter(query, rows[0]?.['rowTotal'], input.page)))
  const items = rows.slice(0, size)
  const last = items.at(-1)
  const next =
    rows.length > size && last
      ? writeCursor({ s: sort, v: keys.map((_, i) => last[`sort${i}`] ?? null), t: [total.value, total.isExact] })
      : null
  return { items: items.map((row) => strip(row, keys.length)), page: { size, total, next } }

  function keysOf(given: PageOptions<D, T, O>, text: string): Key[] {
    const sorted = parseSort(text).flatMap(({ field, descending }): Key[] => {
      const column = given.sorts[field]
      if (column === undefined)
        throw new AppError('MALFORMED', undefined, {
          fields: [{ path: 'sort', message: `Use only ${Object.keys(given.sorts).join(', ')}.` }],
        })
      return [typeof column === 'string' ? { column, nullable: false, descending } : { ...column, descending }]
    })
    return [...sorted, { column: guid, nullable: false, descending: sorted.at(-1)?.descending ?? false }]
  }
}

const tooMany = () =>
  new AppError(
    'MALFORMED',
    'More than 10,000 records match, and too few of them come first in this order. Ask for fewer, or sort them by what you ask for.',
    { fields: [{ path: 'sort', message: 'is too far from what is asked for' }] },
  )
const tooFar = () =>
  new AppError('MALFORMED', 'Pages reach the first 10,000 records. Filter the list, or sort it the other way round.', {
    fields: [{ path: 'page', message: 'is too far back' }],
  })

const inOrder = <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>, keys: readonly Key[]) => {
  let ordered = query
  for (const { column, descending } of keys)
    ordered = ordered.orderBy(descending ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)} asc`)
  return ordered
}

interface Place {
  keys: Key[]
  cursor: Cursor | null
  size: number
  skipped: number
  /** How many rows the list has; not known behind a cursor. */
  counted: number | undefined
}

/**
 * The guids of a page and of one row more; of several conditions merged from as many of each. Rows that no index has in the order
 * wanted are, where they are few enough, all found and sorted; of more the list is read in its order, so far and no further.
 */
function foundKeys<D, T extends keyof D, O>(
  { anyOf = [], within = [], isPlain = false }: PageOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
  { keys, cursor, size, skipped, counted }: Place,
): RawBuilder<unknown> {
  const columns = keys.map((key, i) => sql<Value>`${sql.ref(key.column)}`.as(`sort${i}`))
  const order = sql.join(
    keys.map(({ descending }, i) => sql`${sql.ref(`sort${i}`)} ${sql.raw(descending ? 'desc' : 'asc')}`),
  )
  const isFew =
    counted !== undefined && counted <= exactUpTo && !cursor && (within.length > 0 || (anyOf.length > 0 && !isPlain))
  const read = skipped + size + 1
  const branch = (condition: RawBuilder<boolean> | undefined, from: RawBuilder<boolean> | undefined) => {
    const asked = [condition, from].reduce((query, one) => (one ? query.where(one) : query), found)
    const all = within.reduce((query, one) => query.where(one), asked)
    if (isFew)
      return sql`select * from (${all.select(columns as never)} offset 0) as few order by ${order} limit ${read}`
    if (cursor || within.length === 0) return sql`${inOrder(all.select(columns as never), keys).limit(read)}`
    const met = sql<boolean>`(${sql.join(within, sql` and `)})`.as('met')
    return sql`select ${sql.join(keys.map((_, i) => sql.ref(`sort${i}`)))} from (${inOrder(asked.select([...columns, met] as never), keys).limit(exactUpTo + read)}) as walked where met limit ${read}`
  }
  const from = cursor ? beyondBranches(keys, cursor.v) : [undefined]
  const branches = (anyOf.length === 0 ? [undefined] : anyOf).flatMap((condition) =>
    from.map((part) => branch(condition, part)),
  )
  return sql`select ${sql.ref(`sort${keys.length - 1}`)} from (${sql.join(
    branches.map((one) => sql`(${one})`),
    sql` union all `,
  )}) as merged order by ${order} limit ${size + 1} offset ${skipped}`
}

/** How many rows a list has, up to 10,001. */
async function countFound<D, T extends keyof D, O>(
  { anyOf = [], within = [], query }: PageOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
): Promise<number> {
  const rows = within.reduce((all, one) => all.where(one), found)
  const branches = anyOf.length === 0 ? [rows] : anyOf.map((condition) => rows.where(condition))
  return count(query, countOf(...branches))
}

/** Rows behind the cursor, as parts of which each is one range of an index. With one direction and no nulls that is one row comparison. */
function beyondBranches(keys: Key[], values: Value[]): RawBuilder<boolean>[] {
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
const beyond = (keys: Key[], values: Value[]) => sql<boolean>`(${sql.join(beyondBranches(keys, values), sql` or `)})`
const equal = (key: Key, value: Value) =>
  value === null ? sql`${sql.ref(key.column)} is null` : sql`${sql.ref(key.column)} = ${value}`

/** PostgreSQL puts nulls last going up and first going down. */
function past({ column: name, nullable, descending }: Key, value: Value): RawBuilder<unknown>[] {
  const column = sql.ref(name)
  if (value === null) return descending ? [sql`${column} is not null`] : []
  if (descending) return [sql`${column} < ${value}`]
  return [sql`${column} > ${value}`, ...(nullable ? [sql`${column} is null`] : [])]
}

const countOf = <D, T extends keyof D>(...branches: SelectQueryBuilder<D, T, object>[]) => {
  const rows = branches.map(
    (one) =>
      sql`(${one
        .clearOrderBy()
        .select(sql`1`.as('one') as never)
        .limit(exactUpTo + 1)})`,
  )
  return sql<number>`select count(*)::int from (select from (${sql.join(rows, sql` union all `)}) as found limit ${exactUpTo + 1}) as counted`
}

/** A page without rows brings no total along. */
async function counter<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
  found: Value | undefined,
  page: number | undefined,
): Promise<number> {
  if (typeof found === 'number') return found
  return (page ?? 1) === 1 ? 0 : count(query, countOf(query.clearSelect()))
}

async function count<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
  counting: RawBuilder<number>,
): Promise<number> {
  const [row] = (await query
    .clearSelect()
    .clearOrderBy()
    .select(sql`(${counting})`.as('rowTotal') as never)
    .limit(1)
    .modifyFront(plannedByValues)
    .execute()) as unknown[] as { rowTotal: number }[]
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
const badCursor = (cause?: unknown) =>
  new AppError('MALFORMED', 'This list can’t continue from here. Start from the first page.', {
    fields: [{ path: 'after', message: 'Use a cursor from this list.' }],
    cause,
  })

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
async function run<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
  cursor: Cursor | null,
): Promise<unknown[]> {
  try {
    return await query.execute()
  } catch (error) {
    if (cursor && isDatabaseFailure(error) && error.code.startsWith('22')) throw badCursor(error)
    throw error
  }
}
