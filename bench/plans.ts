import { operations as allOperations } from '../contract/api.ts'
import type { Op } from '../contract/core/op.ts'
import type { App } from '../server/app.ts'
import { poolOf } from '../server/core/db/connect.ts'
import type { Embedded } from '../server/core/db/embedded.ts'
import { fieldsOf, rowsOf, valuesOf } from './explain.ts'
import { type InProcess, type Look, openInProcess } from './in-process.ts'
import { argument } from './output.ts'
import { apiRoot } from './product.ts'

const wanted = argument('paths')?.split(',') ?? null

/** A table with more rows than this is never read from end to end. */
const maxScanned = 10_000

interface Seen extends Look {
  /** The large tables that were read from end to end. */
  scanned: string[]
}

const paging = ['sort', 'size', 'page', 'after']
/** A text few records match, one that many do, one that none does, and one too short for the index. */
const searches = ['INV-0100', 'Harbour', 'Hoarding', 'accounts1234@', 'zzzz', 'st']

function queriesOf(op: Op, customerGuid: string): string[] {
  const filters = fieldsOf(op).filter((field) => !paging.includes(field))
  const values = (field: string) => {
    if (field === 'search') return searches
    if (/guid$/i.test(field)) return [customerGuid]
    if (/\.(gte|lte)$/.test(field)) return /At\./.test(field) ? ['2026-08-01T00:00:00Z'] : ['2026-08-01']
    return valuesOf(op, field)
  }
  const pairs = [
    '',
    ...filters.flatMap((field) => values(field).map((value) => `${field}=${encodeURIComponent(value)}`)),
  ]
  const sorts = ['', ...valuesOf(op, 'sort').flatMap((field) => [`sort=${field}`, `sort=-${field}`])]
  return pairs.flatMap((pair) => sorts.map((sort) => [pair, sort, 'size=50'].filter(Boolean).join('&')))
}

/**
 * Every list with every sort and every filter, every tile, chart and search: how long, how many rows, and
 * what was read from end to end.
 */
export async function planReport(server: Embedded, say: (text: string) => void) {
  const product = await openInProcess(server, 'brolga')
  const { app } = product
  try {
    const big = new Map((await rowsOfTables(app)).filter(([, rows]) => rows > maxScanned))
    const { guid = '' } =
      (await app.deps.db
        .selectFrom('customers')
        .select('guid')
        .where('displayName', '=', 'Harbour Builders 7')
        .limit(1)
        .executeTakeFirst()) ?? {}
    say(
      '\n| list, tiles or search | requests | slowest ms | rows read at most | the slowest ' +
        '| tables read from end to end |\n|---|--:|--:|--:|---|---|',
    )
    for (const { op } of allOperations) {
      if (
        (wanted && !wanted.includes(op.path)) ||
        op.method !== 'GET' ||
        op.who !== 'staff' ||
        op.columns ||
        op.produces ||
        op.path.includes(':')
      )
        continue
      const paths = queriesOf(op, guid).map((query) => {
        const known = fieldsOf(op).includes('size') ? query : query.replace(/&?size=50/, '')
        return `${apiRoot}${op.path}${known && `?${known}`}`
      })
      const seen: Seen[] = []
      for (const path of new Set(paths)) seen.push(...[await look(product, path, big)].filter((one) => one !== null))
      tell(op, seen, say)
    }
  } finally {
    await product.close()
  }
}

async function rowsOfTables(app: App): Promise<[string, number][]> {
  const { rows } = (await poolOf.get(app.deps.db)?.query<{ name: string; rows: number }>(
    `select relname as name, reltuples::float8 as rows from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )) ?? { rows: [] }
  return rows.map(({ name, rows: count }) => [name, count])
}

async function look(product: InProcess, path: string, big: Map<string, number>): Promise<Seen | null> {
  const seen = await product.look(path)
  return (
    seen && {
      ...seen,
      scanned: [
        ...new Set(
          seen.nodes.flatMap((node) =>
            node['Node Type'] === 'Seq Scan' && big.has(node['Relation Name'] ?? '') && rowsOf(node) > maxScanned + 1
              ? [node['Relation Name'] ?? '']
              : [],
          ),
        ),
      ],
    }
  )
}

function tell(op: Op, seen: readonly Seen[], say: (text: string) => void) {
  const slowest = seen.toSorted((a, b) => b.ms - a.ms)[0]
  if (!slowest) return
  const scans = seen.filter((s) => s.scanned.length > 0)
  const scanned =
    scans.length === 0
      ? 'none'
      : `${[...new Set(scans.flatMap((s) => s.scanned))].join(', ')} in ${scans.length} requests, ` +
        `such as ${queryOf(scans[0]?.path ?? '')}`
  const most = Math.max(...seen.map((s) => s.rowsRead)).toLocaleString('en')
  const cells = [op.path, seen.length, slowest.ms.toFixed(1), most, queryOf(slowest.path), scanned]
  say(`| ${cells.join(' | ')} |`)
  if (process.argv.includes('--all'))
    for (const s of seen)
      if (s.ms > 20 || s.scanned.length > 0)
        console.log(`    ${s.ms.toFixed(1)} ms  ${s.rowsRead} rows  ${s.scanned.join(',')}  ${s.path}`)
}
const queryOf = (path: string) => path.split('?')[1] ?? '(all)'
