import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { AppError } from '../../../contract/core/errors.ts'
import { planByValues } from './connect.ts'
import { beyond, beyondBranches, type Cursor, inOrder, type Key, type Value } from './page-keys.ts'

/*
 * Which rows stand on a page. No list reads 10,000 rows for it: up to 4,000 that match are found by
 * indexes, counted and put in order; of more the list is read in its own order, so far and no further, and
 * its total says that there are more.
 */

/** So many rows are counted. */
export const exactUpTo = 4000
/** So many are read in the order of the list where more match than are counted. */
const walkedRows = 5000
const leastWalked = 1000
/**
 * The first rows of a list tell whether many have a text: then an index of words would give very many and help nobody.
 */
const windowRows = 500
/**
 * So many of them are many in any list; some are where by their share the whole list has clearly more than are counted.
 */
const manyInWindow = { always: windowRows / 2, inLongLists: windowRows / 25 }
const clearlyMore = exactUpTo * 1.2
/** A filter may leave three rows or all of them: such a statement is planned anew each time, for what it asks now. */
export const plannedByValues = sql.raw(planByValues)

export type Mark = ReturnType<RawBuilder<Value>['as']>

export interface FoundOptions<D, T extends keyof D, O> {
  /** What a page shows of its rows. With `found` it needs no filters. */
  query: SelectQueryBuilder<D, T, O>
  /** The lists that this one is of, where it is of several: each is read as it would be alone. */
  lists?: readonly RawBuilder<boolean>[] | undefined
  /** Conditions of which no row meets two: the list is the merge of the lists by each. */
  anyOf?: readonly RawBuilder<boolean>[] | undefined
  /** What else the rows meet, which no index has in every order: spans of days, other records, a search. */
  within?: readonly RawBuilder<boolean>[] | undefined
  /** Each condition of `anyOf` names one value of an index and no span, so its rows lie in order. */
  isPlain?: boolean
  /** More match than are counted: that is known already. */
  areMany?: boolean
  /** The rows of a search, found by indexes; one may come twice. Null where that would be too many. */
  searched?: ((marks: readonly Mark[]) => RawBuilder<unknown>) | null
  /** How many rows may be read in the order of the list, where that is fewer than usual. */
  walked?: number | undefined
  /** About how many rows the table of a search has; zero where nobody has counted them yet. */
  there?: number | undefined
}

export interface Place {
  keys: Key[]
  cursor: Cursor | null
  size: number
  skipped: number
}
export interface Total {
  value: number
  isExact: boolean
}
/** The rows of a page and one more, and the total; behind a cursor that has travelled along. */
interface Listed {
  guids: RawBuilder<unknown>
  total: Total | null
}

const marksOf = (keys: readonly Key[]) => keys.map((key, i) => sql<Value>`${sql.ref(key.column)}`.as(`sort${i}`))
const orderOf = (keys: readonly Key[]) =>
  sql.join(keys.map(({ descending }, i) => sql`${sql.ref(`sort${i}`)} ${sql.raw(descending ? 'desc' : 'asc')}`))
const guidOf = (keys: readonly Key[]) => sql.ref(`sort${keys.length - 1}`)
const given = (guids: readonly string[]) => sql`${guids}::uuid[]`
const more: Total = { value: exactUpTo, isExact: false }

export async function findPage<D, T extends keyof D, O>(
  options: FoundOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
  place: Place,
): Promise<Listed> {
  const { anyOf = [], within = [], isPlain = false, areMany = false, searched, there = 0 } = options
  const walked = walkedIn(options)
  const { cursor } = place
  // The merge of several lists reads as much of each; a search has read its part already.
  if (searched !== undefined && anyOf.length > 0 && !(isPlain && anyOf.length === 1))
    return findPage(
      { ...options, anyOf: [], within: [...within, sql<boolean>`(${sql.join(anyOf, sql` or `)})`] },
      found,
      place,
    )
  if (within.length === 0) {
    const listed = { guids: merged(options, found, place), total: null }
    if (cursor) return listed
    if (isPlain || anyOf.length === 0) return { ...listed, total: await count(options, found) }
    return (await count(options, found)).isExact
      ? ((await few(options, found, place)) ?? listed)
      : { ...listed, total: more }
  }
  const readInOrder = () => walk(options, found, place, walked)
  if (cursor) return (cursor.t[1] ? await few(options, found, place) : null) ?? ofWalk(await readInOrder(), place)
  if (areMany || searched === null) return ofWalk(await readInOrder(), place)
  if (searched) {
    const window = await walk(options, found, place, windowRows)
    if (window.isWhole) return ofWalk(window, place)
    if (window.met >= manyInWindow.always)
      return ofWalk(await walk(options, found, place, walkedIn({ lists: options.lists })), place)
    const share = window.met / windowRows
    if (window.met >= manyInWindow.inLongLists && share * there > clearlyMore) {
      const seen = await readInOrder()
      if (isFilled(seen, place)) return ofWalk(seen, place)
    }
  } else if (!(await count(options, found)).isExact) return ofWalk(await readInOrder(), place)
  return (await few(options, found, place)) ?? ofWalk(await readInOrder(), place)
}

/** The guids of a page in the order of indexes; of several conditions merged from as many of each. */
function merged<D, T extends keyof D, O>(
  options: FoundOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
  { keys, cursor, size, skipped }: Place,
): RawBuilder<unknown> {
  const marks = marksOf(keys)
  const branches = branchesOf(options, cursor && beyondBranches(keys, cursor.v), found).map(
    (rows) => sql`(${inOrder(rows.select(marks as never), keys).limit(skipped + size + 1)})`,
  )
  return sql`array(select ${guidOf(keys)} from (${sql.join(branches, sql` union all `)}) as merged
    order by ${orderOf(keys)} limit ${size + 1} offset ${skipped})`
}

const branchesOf = <D, T extends keyof D>(
  { anyOf = [], lists = [] }: Pick<FoundOptions<D, T, unknown>, 'anyOf' | 'lists'>,
  from: readonly RawBuilder<boolean>[] | null,
  found: SelectQueryBuilder<D, T, object>,
) =>
  orNone(lists).flatMap((list) =>
    orNone(anyOf).flatMap((condition) =>
      orNone(from ?? []).map((part) =>
        [list, condition, part].reduce((query, one) => (one ? query.where(one) : query), found),
      ),
    ),
  )
const orNone = (conditions: readonly RawBuilder<boolean>[]) => (conditions.length === 0 ? [undefined] : conditions)

/** Of several lists fewer rows of each are read, so that it is about as much in all. */
function walkedIn({
  lists = [],
  walked = walkedRows,
}: {
  lists?: readonly unknown[] | undefined
  walked?: number | undefined
}) {
  return lists.length > 1 ? Math.max(Math.ceil(walked / lists.length), leastWalked) : walked
}

/** All that match, counted and put in order; null when they are too many for it. */
async function few<D, T extends keyof D, O>(
  { query, anyOf, lists, within = [], searched }: FoundOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
  { keys, cursor, size, skipped }: Place,
): Promise<Listed | null> {
  const marks = marksOf(keys)
  const narrowed = within.reduce((all, one) => all.where(one), found)
  const branches = branchesOf({ anyOf, lists }, null, narrowed).map((rows) => sql`(${rows.select(marks as never)})`)
  const rows = searched ? searched(marks) : sql.join(branches, sql` union all `)
  // Others were counted before: with a limit they would be planned as if the first ones were quickly found.
  const atMost = searched ? sql`limit ${exactUpTo + 1}` : sql``
  // A row that a search found twice stands there once.
  const once = sql`select ${sql.raw(searched ? 'distinct' : '')} * from few`
  const behind = cursor
    ? sql`where ${beyond(
        keys.map((key, i) => ({ ...key, column: `sort${i}` })),
        cursor.v,
      )}`
    : sql``
  const [row] = await facts<{ read: number; total: number; guids: string[] }>(
    query,
    sql`with few as materialized (select * from (${rows}) as found ${atMost}), one as materialized (${once})
    select json_build_object('read', (select count(*) from few), 'total', (select count(*) from one),
      'guids', array(select ${guidOf(keys)} from one ${behind} order by ${orderOf(keys)}
      limit ${size + 1} offset ${skipped}))`,
  )
  if (!row) return { guids: given([]), total: { value: 0, isExact: true } }
  if (searched && row.read > exactUpTo) return null
  return { guids: given(row.guids), total: cursor ? null : { value: row.total, isExact: true } }
}

interface Walk {
  /** Of the rows read, how many are those of the list. */
  met: number
  /** The list ended before the reading did. */
  isWhole: boolean
  guids: string[]
}

/** Those that match among the first rows of a list in its order. */
async function walk<D, T extends keyof D, O>(
  { query, anyOf, lists, within = [] }: FoundOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
  { keys, cursor, size, skipped }: Place,
  most: number,
): Promise<Walk> {
  const met = sql<boolean>`(${sql.join(within, sql` and `)})`.as('met')
  const branches = branchesOf({ anyOf, lists }, cursor && beyondBranches(keys, cursor.v), found).map(
    (rows) => sql`(${inOrder(rows.select([...marksOf(keys), met] as never), keys).limit(most)})`,
  )
  const [row] = await facts<{ read: number; met: number; guids: string[] }>(
    query,
    sql`with seen as materialized (select * from (${sql.join(branches, sql` union all `)}) as merged
      order by ${orderOf(keys)} limit ${most})
    select json_build_object('read', (select count(*) from seen), 'met', (select count(*) from seen where met),
      'guids', array(select ${guidOf(keys)} from seen where met order by ${orderOf(keys)}
      limit ${size + 1} offset ${skipped}))`,
  )
  return { met: row?.met ?? 0, isWhole: (row?.read ?? 0) < most, guids: row?.guids ?? [] }
}

/** A page behind the first may be the last one that the total names. */
const isFilled = ({ isWhole, guids }: Walk, { size, skipped }: Place) =>
  isWhole || guids.length > (skipped > 0 ? 0 : size)

function ofWalk(seen: Walk, place: Place): Listed {
  const { met, isWhole, guids } = seen
  const { cursor } = place
  if (!isFilled(seen, place)) throw tooMany()
  if (cursor) return { guids: given(guids), total: null }
  return {
    guids: given(guids),
    total:
      isWhole && met <= exactUpTo ? { value: met, isExact: true } : { value: Math.min(met, exactUpTo), isExact: false },
  }
}

const tooMany = () =>
  new AppError(
    'MALFORMED',
    'Very many records match, and too few of them come first in this order. ' +
      'Ask for fewer, or sort them by what you ask for.',
    { fields: [{ path: 'sort', message: 'is too far from what is asked for' }] },
  )

/** How many rows a list has, up to one more than are counted. */
async function count<D, T extends keyof D, O>(
  { anyOf, lists, within = [], query }: FoundOptions<D, T, O>,
  found: SelectQueryBuilder<D, T, object>,
): Promise<Total> {
  const rows = within.reduce((all, one) => all.where(one), found)
  const [counted = 0] = await facts<number>(query, countOf(...branchesOf({ anyOf, lists }, null, rows)))
  return totalOf(counted)
}

export const totalOf = (counted: number): Total => ({
  value: Math.min(counted, exactUpTo),
  isExact: counted <= exactUpTo,
})

export const countOf = <D, T extends keyof D>(...branches: SelectQueryBuilder<D, T, object>[]) => {
  const rows = branches.map(
    (one) =>
      sql`(${one
        .clearOrderBy()
        .select(sql`1`.as('one') as never)
        .limit(exactUpTo + 1)})`,
  )
  return sql<number>`select count(*)::int from (select from (${sql.join(rows, sql` union all `)}) as found
    limit ${exactUpTo + 1}) as counted`
}

/** Asks for one value beside the rows of a query; nothing where its table is empty. */
export async function facts<F>(query: { clearSelect(): unknown }, asked: RawBuilder<unknown>): Promise<F[]> {
  const bare = query.clearSelect() as SelectQueryBuilder<Record<string, object>, string, object>
  const rows = (await bare
    .clearOrderBy()
    .select(sql<F>`(${asked})`.as('fact'))
    .limit(1)
    .modifyFront(plannedByValues)
    .execute()) as { fact: F }[]
  return rows.map((row) => row.fact)
}
