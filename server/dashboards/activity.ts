import { sql } from 'kysely'
import { isNoun, rowOf } from '../../contract/nouns.ts'
import type { TimelineEntry } from '../../contract/customers.ts'
import type { Ctx } from '../core/ctx.ts'
import { readable } from '../core/http/permission.ts'
import { namesIn, type Reach } from '../core/reach.ts'
import { filterVisible } from '../row-scope/row-scope.service.ts'
import { timelineEntryOf, told } from '../timeline/timeline.service.ts'
import { activityNouns, newestLines } from './dashboards.queries.ts'

type Entry = TimelineEntry & { noun: string; guid: string | null; businessName: string | null }
type Line = Awaited<ReturnType<typeof newestLines>>[number]

const shown = 12
/** Some lines are about records of other businesses, or such as the caller may not know of: more are read. */
const read = { first: 100, most: 1500 }

/** What happened last in some businesses, as far as the caller may read the records it happened to. */
export async function activity(ctx: Ctx, reach: Reach): Promise<Entry[]> {
  const listed = new Map(
    activityNouns.flatMap((noun) => {
      const rows = readable(ctx.actor, noun, 'All')
      return rows === 'none' ? [] : [[noun, rows] as const]
    }),
  )
  if (listed.size === 0) return []
  const among = async (limit: number) => {
    const lines = await newestLines(ctx, [...listed.keys()], limit)
    const owners = await ownersOf(ctx, lines)
    const ours = lines.flatMap((line) => {
      const businessName = nameOf(reach, line, owners)
      return businessName === undefined ? [] : [{ line, businessName }]
    })
    const visible = new Map<string, Set<string>>()
    for (const [noun, rows] of listed) {
      if (rows === 'all') continue
      const guids = ours.flatMap(({ line }) => (line.entity === noun && line.entityGuid ? [line.entityGuid] : []))
      visible.set(noun, await filterVisible(ctx, rows, noun, [...new Set(guids)]))
    }
    const entries = ours
      .filter(({ line: { entity, entityGuid } }) => visible.get(entity)?.has(entityGuid ?? '') ?? true)
      .map(({ line, businessName }) => ({
        ...timelineEntryOf(ctx.actor, line),
        noun: line.entity,
        guid: line.entityGuid,
        businessName,
      }))
    return { entries: told(entries).slice(0, shown), isWhole: lines.length < limit }
  }
  const newest = await among(read.first)
  return newest.isWhole || newest.entries.length === shown ? newest.entries : (await among(read.most)).entries
}

/** The business of each record, or the pool it is of: in one statement, whatever happened to. */
async function ownersOf(ctx: Ctx, lines: readonly Line[]): Promise<Map<string, string>> {
  const parts = [...Map.groupBy(lines, ({ entity }) => entity)].flatMap(([entity, some]) => {
    if (!isNoun(entity)) return []
    const { table, scope } = rowOf(entity)
    const guids = [...new Set(some.flatMap(({ entityGuid }) => entityGuid ?? []))]
    return scope?.business
      ? [
          sql`(select guid, ${sql.ref(`d.${scope.business}`)} as owner from ${sql.table(table)} d
            where guid = any(${guids}::uuid[]))`,
        ]
      : []
  })
  if (parts.length === 0) return new Map()
  const { rows } = await sql<{ guid: string; owner: string }>`${sql.join(parts, sql` union all `)}`.execute(ctx.db)
  return new Map(rows.map(({ guid, owner }) => [guid, owner]))
}

/** The business of a line by name, null where it is of none; undefined where it is another one's. */
function nameOf(reach: Reach, { entity, entityGuid }: Line, owners: ReadonlyMap<string, string>) {
  if (!isNoun(entity) || !rowOf(entity).scope?.business) return null
  const owner = owners.get(entityGuid ?? '')
  return owner === undefined ? undefined : namesIn(reach, owner, rowOf(entity).pool) || undefined
}
