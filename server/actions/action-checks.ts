import { type ActionInput, deedsFor, effectsFor, templateFits } from '../../contract/actions.ts'
import { AppError, type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { conditionProblems, eventFields } from '../../contract/event-fields.ts'
import { events } from '../../contract/events.ts'
import type { Ctx } from '../core/ctx.ts'
import { lackedRight } from './effect-rights.ts'

export type Checked = Pick<ActionInput, 'eventKey' | 'conditions' | 'effects'>
type Effect = Checked['effects'][number]

const refused = (path: string, message: string): FieldError => ({ path, message })

async function templateProblem(ctx: Ctx, { eventKey }: Checked, guid: string): Promise<string | null> {
  const found = await ctx.db
    .selectFrom('templates')
    .select(['kind', 'activeVersionGuid'])
    .where('guid', '=', guid)
    .where('businessGuid', '=', ctx.business.guid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!found) return 'We can’t find that template.'
  if (!templateFits(found.kind, events[eventKey].noun)) return 'This template doesn’t fit the event.'
  return found.activeVersionGuid ? null : 'Activate this template first.'
}

async function listenerProblem(ctx: Ctx, to: Extract<Effect, { type: 'notify' }>['to']): Promise<string | null> {
  if (to === 'recordOwner') return null
  if ('roleGuid' in to) {
    const role = await ctx.db
      .selectFrom('roles')
      .select('guid')
      .where('guid', '=', to.roleGuid)
      .where('kind', '=', 'staff')
      .where('archivedAt', 'is', null)
      .executeTakeFirst()
    return role ? null : 'Choose a role.'
  }
  const user = await ctx.db
    .selectFrom('users')
    .select('guid')
    .where('guid', '=', to.userGuid)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return user ? null : 'Choose a user.'
}

async function webhookProblem(ctx: Ctx, guid: string): Promise<string | null> {
  const webhook = await ctx.db
    .selectFrom('webhooks')
    .select('guid')
    .where('guid', '=', guid)
    .where('businessGuid', '=', ctx.business.guid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  return webhook ? null : 'We can’t find that webhook.'
}

/** What is wrong with an effect, at its place. */
async function effectProblems(ctx: Ctx, action: Checked, effect: Effect, at: string): Promise<FieldError[]> {
  const { noun } = events[action.eventKey]
  if (!effectsFor(noun).includes(effect.type)) return [refused(`${at}.type`, 'This event can’t do that.')]
  if (effect.type === 'message') {
    const problem = await templateProblem(ctx, action, effect.templateGuid)
    return problem ? [refused(`${at}.templateGuid`, problem)] : []
  }
  if (effect.type === 'notify') {
    const problem = await listenerProblem(ctx, effect.to)
    return problem ? [refused(`${at}.to`, problem)] : []
  }
  if (effect.type === 'tag')
    return effect.add.length + effect.remove.length > 0 ? [] : [refused(`${at}.add`, 'Enter a tag.')]
  if (effect.type === 'webhook') {
    const problem = await webhookProblem(ctx, effect.webhookGuid)
    return problem ? [refused(`${at}.webhookGuid`, problem)] : []
  }
  return deedsFor(noun)[effect.deed] ? [] : [refused(`${at}.deed`, 'This event can’t do that.')]
}

/** Refuses conditions that the event cannot answer and effects that it cannot have. */
export async function checkAction(ctx: Ctx, action: Checked): Promise<void> {
  const problems = action.conditions
    ? conditionProblems(action.conditions, eventFields(action.eventKey), 'conditions')
    : []
  for (const [i, effect] of action.effects.entries())
    problems.push(...(await effectProblems(ctx, action, effect, `effects.${i}`)))
  refuseFields(problems)
}

/** Whoever saves an action has it done with the own rights, and so needs those of its effects. */
export function checkRights(ctx: Ctx, action: Pick<Checked, 'eventKey' | 'effects'>): void {
  const lacked = lackedRight(ctx.actor, action)
  if (!lacked) return
  const message = `You need the right to ${lacked.said} to save this action.`
  throw new AppError('FORBIDDEN', message, { fields: [{ path: `effects.${lacked.index}`, message }] })
}
