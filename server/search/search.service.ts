import { nounOfKind, type SearchKind, searchKinds } from '../../contract/search.ts'
import type { searchApi, SearchHit } from '../../contract/search.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { may, readable } from '../core/http/permission.ts'
import { reachOf } from '../core/reach.ts'
import { findByTerms, type Found, numberPrefixes, show, someCustomers } from './search.queries.ts'
import { noAmount, type Source, sources } from './sources.ts'
import { termsOf } from '../documents/search-terms.service.ts'

type Api = Handlers<typeof searchApi>

const shown = 6

/** The rows of a kind that the caller may list; `null` when he may list none. */
function rowsOf(ctx: Ctx, kind: SearchKind): Ctx['rows'] | null {
  const access = readable(ctx.actor, nounOfKind(kind), 'All')
  return access === 'none' ? null : access
}

/** A kind without its amounts, for those who may not see them: neither found by them nor shown with them. */
function asSeen(ctx: Ctx, source: Source): Source {
  if (!source.amountFor || may(ctx.actor, ...source.amountFor)) return source
  const { amount: _amount, ...rest } = source
  return { ...rest, amountShown: noAmount }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The best first; among equals the newest, and of the same moment the later guid. A record that is found in two
 * ways counts with the better one.
 */
function best(found: readonly Found[]): Found[] {
  const byGuid = new Map<string, Found>()
  for (const hit of found.toSorted(
    (a, b) => b.score - a.score || -compare(a.newest, b.newest) || -compare(a.guid, b.guid),
  ))
    if (!byGuid.has(hit.guid)) byGuid.set(hit.guid, hit)
  return [...byGuid.values()]
}

interface Group {
  kind: SearchKind
  items: SearchHit[]
  hasMore: boolean
}

const all: Api['all'] = async (ctx, { q, kinds, business }) => {
  const wanted = new Set<string>(kinds ? kinds.split(',') : searchKinds)
  const reach = await reachOf(ctx, { business })
  const terms = termsOf(q)
  const [prefixes, customers] = await Promise.all([numberPrefixes(ctx.db), someCustomers(ctx.db, reach, terms)])
  const given = { terms, reach, prefixes, customers }
  const group = async (source: Source, rows: Ctx['rows']): Promise<Group[]> => {
    const found = best(await findByTerms(ctx, source, rows, given))
    if (found.length === 0) return []
    const items = await show(ctx.db, source, found.slice(0, shown), reach)
    return [{ kind: source.kind, items, hasMore: found.length > shown }]
  }
  const groups = await Promise.all(
    sources.flatMap((source) => {
      const rows = wanted.has(source.kind) ? rowsOf(ctx, source.kind) : null
      return rows === null ? [] : [group(asSeen(ctx, source), rows)]
    }),
  )
  return {
    groups: groups
      .flat()
      .toSorted(
        (a, b) =>
          (b.items[0]?.score ?? 0) - (a.items[0]?.score ?? 0) ||
          searchKinds.indexOf(a.kind) - searchKinds.indexOf(b.kind),
      ),
  }
}

export const search: Api = { all }
