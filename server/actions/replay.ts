import type { Selectable } from 'kysely'
import { invalidTransition, invalid } from '../../contract/core/errors.ts'
import type { Ctx } from '../core/ctx.ts'
import type { ActionTables } from '../core/db/schema-actions.ts'
import { newGuid } from '../core/guid.ts'
import { eventsAgain } from '../events/events.service.ts'
import { readFacts } from '../events/taking.service.ts'
import { begin } from './beginning.ts'

type ActionRow = Selectable<ActionTables['actions']>

async function nextReplay(ctx: Ctx, action: ActionRow, event: { guid: string }): Promise<number> {
  const { last } = await ctx.db
    .selectFrom('actionRuns')
    .select((eb) => eb.fn.max('replay').as('last'))
    .where('actionGuid', '=', action.guid)
    .where('eventGuid', '=', event.guid)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/**
 * Runs an action once more for events that happened: with what is known of their records today, each as the beginning
 * of a chain of its own, and counted by every guard. The guids of the runs.
 */
export async function replayEvents(ctx: Ctx, action: ActionRow, eventGuids: readonly string[]): Promise<string[]> {
  if (action.status !== 'active') throw invalidTransition('Turn this action on first.')
  const wanted = [...new Set(eventGuids)]
  const events = await eventsAgain(ctx, { guids: wanted, key: action.eventKey, businessGuid: action.businessGuid })
  if (events.length < wanted.length) throw invalid('eventGuids', 'We can’t find that event.')
  const runs: string[] = []
  for (const event of events) {
    const begun = await begin(ctx, action, {
      ...event,
      ...{ facts: await readFacts(ctx, event), rootGuid: newGuid(), depth: 0, recordLabel: event.record.label },
      replay: await nextReplay(ctx, action, event),
    })
    if (begun) runs.push(begun)
  }
  return runs
}
