import { effectSentence } from '../../contract/action-sentence.ts'
import { type ActionInput, actionLimits, type ActionPreview } from '../../contract/actions.ts'
import { valueAt } from '../../contract/core/conditions.ts'
import type { Ctx } from '../core/ctx.ts'
import { pastEvents } from '../events/events.service.ts'
import { checkAction } from './action-checks.ts'
import { namesOf } from './actions.queries.ts'
import { simulate } from './simulate.ts'

/** So many are shown, the newest. */
const shownItems = 500
const dayMs = 86_400_000

/** What an action would have done with what happened: by the guards of a real run, and without doing any of it. */
export async function preview(
  ctx: Ctx,
  { action, days }: { action: ActionInput; days: number },
): Promise<ActionPreview> {
  await checkAction(ctx, action)
  const events = await pastEvents(ctx, {
    key: action.eventKey,
    since: new Date(ctx.now.getTime() - days * dayMs),
    limit: actionLimits.previewEvents,
  })
  const outcomes = simulate(events, action, ctx.business.timeZone)
  const nameOf = await namesOf(ctx, [action])
  const { language } = ctx.request
  const items = events
    .map((event, i) => ({ event, outcome: outcomes[i] ?? { wouldRun: false, reason: null } }))
    .slice(-shownItems)
    .toReversed()
    .map(({ event, outcome }) => {
      const customer = valueAt('customer.name', event)
      const named = typeof customer === 'string' ? customer : undefined
      return {
        event: { guid: event.guid, key: action.eventKey, at: event.at, record: event.record, noun: event.noun },
        ...outcome,
        effects: outcome.wouldRun
          ? action.effects.map((effect) => effectSentence(effect, action.eventKey, language, nameOf, named))
          : [],
      }
    })
  return { considered: events.length, wouldRun: outcomes.filter(({ wouldRun }) => wouldRun).length, items }
}
