import type { TimelineEntry } from '../../contract/customers.ts'
import { rightsOf } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { factsOf } from '../core/http/permission.ts'
import { accessFor } from '../core/rights.ts'
import { filterVisible } from '../row-scope/row-scope.service.ts'
import { timelineEntryOf, told } from '../timeline/timeline.service.ts'
import { type ActivityNoun, activityNouns, newestLines } from './dashboards.queries.ts'

const shown = 12
/** Some lines are about records the caller may not know of, so more are read. */
const read = 100

/** Rows of a noun the caller may read; refunds stand with their payments. */
function rowsOf(ctx: Ctx, noun: ActivityNoun): Ctx['rows'] | 'none' {
  if (ctx.actor.kind === 'system') return 'all'
  return accessFor(ctx.actor.ability, 'read', `${rightsOf(noun)}:Preview:All`, factsOf(ctx.actor, true))
}

/** What happened last, as far as the caller may read the records it happened to. */
export async function activity(ctx: Ctx): Promise<(TimelineEntry & { noun: string; guid: string | null })[]> {
  const readable = new Map(
    activityNouns.flatMap((noun) => {
      const rows = rowsOf(ctx, noun)
      return rows === 'none' ? [] : [[noun, rows] as const]
    }),
  )
  if (readable.size === 0) return []
  const lines = await newestLines(ctx, [...readable.keys()], read)
  const visible = new Map<string, Set<string>>()
  for (const [noun, rows] of readable) {
    if (rows === 'all') continue
    const guids = lines.flatMap((line) => (line.entity === noun && line.entityGuid ? [line.entityGuid] : []))
    visible.set(noun, await filterVisible(ctx, rows, noun, [...new Set(guids)]))
  }
  const entries = lines
    .filter(({ entity, entityGuid }) => visible.get(entity)?.has(entityGuid ?? '') ?? true)
    .map((line) => ({ ...timelineEntryOf(ctx.actor, line), noun: line.entity, guid: line.entityGuid }))
  return told(entries).slice(0, shown)
}
