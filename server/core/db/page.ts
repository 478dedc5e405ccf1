import { type SelectQueryBuilder, sql } from 'kysely'
import type { Page } from '../../../contract/core/common.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isDatabaseFailure } from '../http/errors.ts'
import { countOf, exactUpTo, facts, findPage, type FoundOptions, plannedByValues, totalOf } from './page-found.ts'
import {
  badCursor,
  beyond,
  type Cursor,
  inOrder,
  keysOf,
  readCursor,
  type SortColumn,
  type Value,
  writeCursor,
} from './page-keys.ts'

const defaultSize = 25

export interface PageOptions<D, T extends keyof D, O> extends FoundOptions<D, T, O> {
  /**
   * The rows of the list, without selection: found and put in order first, by indexes alone where they have all that is
   * asked for; only those of the page are then read whole.
   */
  found?: SelectQueryBuilder<D, T, object>
  /** Field of the list query to column: nothing else can be sorted by. */
  sorts: Readonly<Record<string, SortColumn>>
  /** The unique column that breaks ties. */
  guid: string
  input: { sort?: string | undefined; size?: number | undefined; page?: number | undefined; after?: string | undefined }
  defaultSort: string
}

/**
 * One page and the total. `after` goes on where a page ended, whatever was added before it meanwhile; `page` jumps, as
 * far as the total is counted: to 4,000. The total is counted once and then travels in the cursor.
 */
export async function pageOf<D, T extends keyof D, O>(options: PageOptions<D, T, O>): Promise<Page<O>> {
  const { query, found, input, guid } = options
  const sort = input.sort ?? options.defaultSort
  const size = input.size ?? defaultSize
  const keys = keysOf(options.sorts, guid, sort)
  const cursor = input.after === undefined ? null : readCursor(input.after, sort, keys.length)
  const skipped = cursor ? 0 : ((input.page ?? 1) - 1) * size
  if (skipped >= exactUpTo) throw tooFar()
  const listed = found ? await run(() => findPage(options, found, { keys, cursor, size, skipped }), cursor) : null
  const marks = keys.map((key, i) => sql<Value>`${sql.ref(key.column)}`.as(`sort${i}`))
  const paged = listed
    ? query.where(sql<boolean>`${sql.ref(guid)} = any(${listed.guids})`)
    : cursor
      ? query.where(beyond(keys, cursor.v))
      : query.offset(skipped)
  const asked = listed
    ? paged.select(marks as never)
    : paged.select([...marks, sql<number>`(${countOf(query.clearSelect())})`.as('rowTotal')] as never)
  const rows = (await run(
    () =>
      inOrder(asked, keys)
        .limit(size + 1)
        .modifyFront(plannedByValues)
        .execute(),
    cursor,
  )) as (O & Record<string, Value>)[]
  const total = cursor
    ? { value: cursor.t[0], isExact: cursor.t[1] }
    : (listed?.total ?? totalOf(await counter(query, rows[0]?.['rowTotal'], input.page)))
  const items = rows.slice(0, size)
  const last = items.at(-1)
  const next =
    rows.length > size && last
      ? writeCursor({ s: sort, v: keys.map((_, i) => last[`sort${i}`] ?? null), t: [total.value, total.isExact] })
      : null
  return { items: items.map((row) => strip(row, keys.length)), page: { size, total, next } }
}

const tooFar = () =>
  new AppError('MALFORMED', 'Pages reach the first 4,000 records. Filter the list, or sort it the other way round.', {
    fields: [{ path: 'page', message: 'is too far back' }],
  })

/** A page without rows brings no total along. */
async function counter<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
  found: Value | undefined,
  page: number | undefined,
): Promise<number> {
  if (typeof found === 'number') return found
  return (page ?? 1) === 1 ? 0 : ((await facts<number>(query, countOf(query.clearSelect())))[0] ?? 0)
}

function strip<O>(row: O & Record<string, Value>, marks: number): O {
  const item: Record<string, unknown> = row
  for (let i = 0; i < marks; i++) delete item[`sort${i}`]
  delete item['rowTotal']
  return item as O
}

/** A cursor is not signed: what the database cannot compare was not written by us. */
async function run<R>(ask: () => Promise<R>, cursor: Cursor | null): Promise<R> {
  try {
    return await ask()
  } catch (error) {
    if (cursor && isDatabaseFailure(error) && error.code.startsWith('22')) throw badCursor(error)
    throw error
  }
}
