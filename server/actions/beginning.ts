import { sql, type Selectable } from 'kysely'
import type { PausedReason } from '../../contract/actions.ts'
import type { Ctx } from '../core/ctx.ts'
import type { ActionTables } from '../core/db/schema-actions.ts'
import { newGuid } from '../core/guid.ts'
import { decide } from './decide.ts'
import { type Asked, consider } from './guards.ts'
import { isFit, ownerActor } from './owner.ts'

type ActionRow = Selectable<ActionTables['actions']>

/** An event as an action is asked about it: as it happened, or played again. */
export interface Occasion extends Asked {
  guid: string
  noun: string
  recordLabel: string
  replay: number
}

/** Turns an action off that must not go on, and tells why. */
export async function pauseAction(
  ctx: Ctx,
  action: Pick<ActionRow, 'guid' | 'name'>,
  reason: Exclude<PausedReason, 'person'>,
): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('actions')
    .set({
      status: 'paused',
      pausedReason: reason,
      stoppedAt: ctx.now,
      version: sql<number>`version + 1`,
      updatedAt: ctx.now,
      updatedBy: null,
    })
    .where('guid', '=', action.guid)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (numUpdatedRows > 0n)
    ctx.audit({
      action: 'action.paused',
      entity: 'Actions',
      guid: action.guid,
      after: { name: action.name, reason },
    })
}

/**
 * Asks an action, locked by the caller, about an event, and keeps what was decided as a run: one that waits until it is
 * due, or one that says why it was skipped. Its guid; null where the action is off.
 */
export async function begin(ctx: Ctx, action: ActionRow, occasion: Occasion): Promise<string | null> {
  const isOwnerFit = isFit(await ownerActor(ctx, action.ownerGuid), action)
  const decision = decide(await consider(ctx, action, occasion, isOwnerFit))
  if (decision.do === 'nothing') return null
  const guid = newGuid()
  const isRun = decision.do === 'run'
  const kept = await ctx.db
    .insertInto('actionRuns')
    .values({
      guid,
      businessGuid: action.businessGuid,
      actionGuid: action.guid,
      eventGuid: occasion.guid,
      replay: occasion.replay,
      rootGuid: occasion.rootGuid,
      depth: occasion.depth,
      noun: occasion.noun,
      recordGuid: occasion.recordGuid,
      recordLabel: occasion.recordLabel,
      dueAt: new Date(ctx.now.getTime() + action.delayMinutes * 60_000),
      trace: '[]',
      createdAt: ctx.now,
      ...(isRun
        ? { state: 'waiting' as const }
        : { state: 'skipped' as const, reason: decision.reason, endedAt: ctx.now }),
    })
    .onConflict((c) => c.columns(['actionGuid', 'eventGuid', 'replay']).doNothing())
    .returning('guid')
    .executeTakeFirst()
  if (!kept) return null
  if (!isRun && decision.pauses) await pauseAction(ctx, action, decision.pauses)
  return guid
}
