import { type Selectable, sql } from 'kysely'
import { actionLimits, type SkipReason, type TraceLine } from '../../contract/actions.ts'
import { meets } from '../../contract/core/conditions.ts'
import { AppError } from '../../contract/core/errors.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import type { ActionTables } from '../core/db/schema-actions.ts'
import type { Deps } from '../core/deps.ts'
import { readHold } from '../core/hold.ts'
import { toAppError } from '../core/http/errors.ts'
import { inTransaction, type Run, systemRun } from '../core/run.ts'
import { readFacts } from '../events/taking.service.ts'
import { pauseAction } from './beginning.ts'
import { decideAgain } from './decide.ts'
import { leavesHouse, type Occasion, perform } from './effects.ts'
import { isFit, type Owner, ownerActor } from './owner.ts'

type ActionRow = Selectable<ActionTables['actions']>
type RunRow = Selectable<ActionTables['actionRuns']>

interface Held {
  action: ActionRow
  run: RunRow
}

/** How long after each try the next one is; after the last of them a run has failed. */
const retryMinutes = [1, 5, 30]
const longestSaid = 400
const isOpen = ({ state }: Pick<RunRow, 'state'>) => state === 'waiting' || state === 'running'

/** Holds an action and one of its runs; null where the run is over, or others are at it. The action goes first. */
async function hold(ctx: Ctx, guid: string): Promise<Held | null> {
  const action = await ctx.db
    .selectFrom('actions')
    .selectAll()
    .where('guid', '=', (eb) => eb.selectFrom('actionRuns').select('actionGuid').where('guid', '=', guid))
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!action) return null
  const run = await ctx.db.selectFrom('actionRuns').selectAll().where('guid', '=', guid).forUpdate().executeTakeFirst()
  return run && isOpen(run) ? { action, run } : null
}

const line = (ctx: Ctx, told: Omit<TraceLine, 'at'>): TraceLine => ({
  ...told,
  at: ctx.now.toISOString(),
  said: told.said.slice(0, longestSaid),
})
const write = (ctx: Ctx, { guid }: RunRow, values: object, ...lines: TraceLine[]) =>
  ctx.db
    .updateTable('actionRuns')
    .set({ ...values, trace: sql`trace || ${JSON.stringify(lines)}::jsonb` })
    .where('guid', '=', guid)
    .execute()

const skip = (ctx: Ctx, run: RunRow, reason: SkipReason, ...lines: TraceLine[]) =>
  write(ctx, run, { state: 'skipped', reason, endedAt: ctx.now }, ...lines)

/** What an event said and what is known of its record now; of one that was forgotten nothing. */
async function knownNow(ctx: Ctx, { eventGuid }: RunRow) {
  const event = await ctx.db.selectFrom('events').selectAll().where('guid', '=', eventGuid).executeTakeFirstOrThrow()
  return { ...event, facts: await readFacts(ctx, event) }
}

/** What waits while its action rests, and what is not done any more. */
async function isStopped(ctx: Ctx, { action, run }: Held): Promise<boolean> {
  if (action.archivedAt) await skip(ctx, run, 'archived')
  else if (action.status !== 'active') await write(ctx, run, { state: 'waiting' })
  else return false
  return true
}

const conditionsAsked = (ctx: Ctx, ok: boolean) => line(ctx, { what: 'conditions', index: 0, ok, said: '' })

/** One effect of a run with what it says of itself, in one transaction; whether another one may follow now. */
async function step(ctx: Ctx, guid: string, owner: Owner | null): Promise<boolean> {
  const held = await hold(ctx, guid)
  if (!held || new Date(held.run.dueAt) > ctx.now || (await isStopped(ctx, held))) return false
  const { action, run } = held
  // Saved by somebody else meanwhile: done in the name of the new owner, the next time.
  if (owner && owner.userGuid !== action.ownerGuid) return false
  await ctx.workFor(action.businessGuid)
  const event = await knownNow(ctx, run)
  const isFirst = run.effectsDone === 0 && run.attempts === 0
  const areConditionsMet = !isFirst || action.conditions === null || meets(action.conditions, event)
  const asked = isFirst && action.conditions ? [conditionsAsked(ctx, areConditionsMet)] : []
  const decision = decideAgain({ isOwnerFit: isFit(owner, action), areConditionsMet })
  if (decision.do === 'skip') {
    await skip(ctx, run, decision.reason, ...asked)
    if (decision.pauses) await pauseAction(ctx, action, decision.pauses)
    return false
  }
  const effect = action.effects[run.effectsDone]
  if (effect && leavesHouse(effect) && (await readHold(ctx.db))) return false
  return doEffect(ctx, { action, run, event }, asked)
}

/** Of an action that does less than it did when the run began, nothing may be left. */
async function doEffect(ctx: Ctx, occasion: Occasion, asked: TraceLine[]): Promise<boolean> {
  const { action, run } = occasion
  const index = run.effectsDone
  const effect = action.effects[index]
  const told = effect
    ? [line(ctx, { what: 'effect', index, ok: true, said: await perform(ctx, effect, occasion) })]
    : []
  const isLast = index + 1 >= action.effects.length
  const now = isLast ? { state: 'done', endedAt: ctx.now } : { state: 'running' }
  await write(ctx, run, { ...now, effectsDone: index + 1, attempts: 0 }, ...asked, ...told)
  if (isLast && action.failures > 0)
    await ctx.db.updateTable('actions').set({ failures: 0 }).where('guid', '=', action.guid).execute()
  return !isLast
}

/** What its rules refuse is refused tomorrow, too. */
const isFinal = (action: ActionRow, { effectsDone }: RunRow, error: unknown) =>
  error instanceof AppError &&
  error.status < 500 &&
  (action.effects[effectsDone]?.type === 'transition' || error.status === 403 || error.status === 404)

/** Keeps that an effect failed, for another try or for good. */
async function fail(ctx: Ctx, guid: string, effectsDone: number, error: unknown): Promise<void> {
  const held = await hold(ctx, guid)
  if (!held || held.run.effectsDone !== effectsDone) return
  const { action, run } = held
  const { message, fields } = toAppError(error)
  const failed = line(ctx, { what: 'effect', index: effectsDone, ok: false, said: fields[0]?.message ?? message })
  const wait = isFinal(action, run, error) ? undefined : retryMinutes[run.attempts]
  const attempts = run.attempts + 1
  if (wait !== undefined) {
    const dueAt = new Date(ctx.now.getTime() + wait * 60_000)
    await write(ctx, run, { state: 'waiting', attempts, dueAt }, failed)
    return
  }
  await write(ctx, run, { state: 'failed', attempts, reason: failed.said, endedAt: ctx.now }, failed)
  const failures = action.failures + 1
  await ctx.db.updateTable('actions').set({ failures }).where('guid', '=', action.guid).execute()
  if (failures >= actionLimits.failuresInARow) await pauseAction(ctx, action, 'failures')
}

/** In whose name a run is worked off, and the chain that what it does belongs to. */
async function inNameOf(deps: Deps, guid: string) {
  const found = await deps.db
    .selectFrom('actionRuns as r')
    .innerJoin('actions as a', 'a.guid', 'r.actionGuid')
    .select(['a.ownerGuid', 'r.effectsDone', 'r.rootGuid', 'r.depth'])
    .where('r.guid', '=', guid)
    .executeTakeFirst()
  if (!found) return null
  const owner = await ownerActor({ db: deps.db, deps }, found.ownerGuid)
  const system = systemRun(deps, 'actions')
  const chain = { rootGuid: found.rootGuid, depth: found.depth + 1 }
  const run: Run = owner ? { ...system, actor: owner, chain } : system
  return { run: { ...run, request: { ...run.request, id: guid } }, owner, effectsDone: found.effectsDone }
}

/** Does the next effect of a run; whether another one may follow at once. */
export async function stepRun(deps: Deps, guid: string): Promise<boolean> {
  const found = await inNameOf(deps, guid)
  if (!found) return false
  const { run, owner, effectsDone } = found
  try {
    return await inTransaction(run, (ctx) => step(ctx, guid, owner))
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500
    deps.log[isRefused ? 'debug' : 'warn']({ err: error, run: guid }, 'an effect of an action failed')
    await inTransaction(systemRun(deps, 'actions'), (ctx) => fail(ctx, guid, effectsDone, error))
    return false
  }
}

/** The next run that is due; those that a pause keeps wait, and what a process left half done is settled. */
const nextDue = ({ deps }: Pick<OpenCtx, 'deps'>, passedOver: readonly string[]) =>
  deps.db
    .selectFrom('actionRuns as r')
    .innerJoin('actions as a', 'a.guid', 'r.actionGuid')
    .select('r.guid')
    .where('r.state', 'in', ['waiting', 'running'])
    .where('r.dueAt', '<=', deps.now().toISOString())
    .where(sql<boolean>`(r.state = 'running' or a.status = 'active' and a.archived_at is null)`)
    .where(sql<boolean>`not r.guid = any(${passedOver}::uuid[])`)
    .orderBy('r.dueAt')
    .orderBy('r.guid')
    .limit(1)
    .executeTakeFirst()

/** Works off the runs that are due, whoever else is at it: each effect is done once. */
export async function runDue(
  ctx: Pick<OpenCtx, 'deps'>,
  hasTime: () => boolean,
): Promise<{ succeeded: number; failed: number; remaining: number }> {
  const tried: string[] = []
  while (hasTime()) {
    const next = await nextDue(ctx, tried)
    if (!next) return { succeeded: tried.length, failed: 0, remaining: 0 }
    tried.push(next.guid)
    while (hasTime() && (await stepRun(ctx.deps, next.guid)));
  }
  return { succeeded: tried.length, failed: 0, remaining: 1 }
}
