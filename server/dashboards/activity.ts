import type { TimelineEntry } from '../../contract/customers.ts'
import type { Ctx } from '../core/ctx.ts'
import { readable } from '../core/http/permission.ts'
import { filterVisible } from '../row-scope/row-scope.service.ts'
import { timelineEntryOf, told } from '../timeline/timeline.service.ts'
import { activityNouns, newestLines } from './dashboards.queries.ts'

const shown = 12
/** Some lines are about records the caller may not know of, so more are read. */
const read = 100

/** What happened last, as far as the caller may read the records it happened to. */
export async function activity(ctx: Ctx): Promise<(TimelineEntry & { noun: string; guid: string | null })[]> {
  const listed = new Map(
    activityNouns.flatMap((noun) => {
      const rows = readable(ctx.actor, noun, 'All')
      return rows === 'none' ? [] : [[noun, rows] as const]
    }),
  )
  if (listed.size === 0) return []
  const lines = await newestLines(ctx, [...listed.keys()], read)
  const visible = new Map<string, Set<string>>()
  for (const [noun, rows] of listed) {
    if (rows === 'all') continue
    const guids = lines.flatMap((line) => (line.entity === noun && line.entityGuid ? [line.entityGuid] : []))
    visible.set(noun, await filterVisible(ctx, rows, noun, [...new Set(guids)]))
  }
  const entries = lines
    .filter(({ entity, entityGuid }) => visible.get(entity)?.has(entityGuid ?? '') ?? true)
    .map((line) => ({ ...timelineEntryOf(ctx.actor, line), noun: line.entity, guid: line.entityGuid }))
  return told(entries).slice(0, shown)
}
