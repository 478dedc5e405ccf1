import { sql } from 'kysely'
import { type Condition, type Known, meets } from '../../contract/core/conditions.ts'
import type { Ctx } from '../core/ctx.ts'
import type { Considered } from './decide.ts'

/** What an action is asked about: an event, or one that is played again, with its chain and what is known of it. */
export interface Asked extends Known {
  recordGuid: string
  rootGuid: string
  depth: number
}
interface Asking {
  guid: string
  businessGuid: string
  status: string
  archivedAt: string | null
  conditions: Condition | null
}

/**
 * What the guards of an action have to know, of runs that were not skipped. The action is locked by whoever asks: else
 * two events at once would both be the last that may run.
 */
export async function consider(
  ctx: Pick<Ctx, 'db' | 'now'>,
  action: Asking,
  asked: Asked,
  isOwnerFit: boolean,
): Promise<Considered> {
  const counted = await ctx.db
    .selectFrom('actionRuns as r')
    .select([
      sql<number>`count(*) filter (where r.root_guid = ${asked.rootGuid}::uuid)::int`.as('inChain'),
      sql<number>`count(*) filter (where r.record_guid = ${asked.recordGuid}::uuid and r.created_at >=
        (select date_trunc('day', ${ctx.now}::timestamptz, b.time_zone) from businesses b
        where b.guid = ${action.businessGuid}::uuid))::int`.as('ofRecordToday'),
      sql<number>`count(*) filter (where r.created_at > ${ctx.now}::timestamptz - interval '60 minutes')::int`.as(
        'inHour',
      ),
    ])
    .where('r.actionGuid', '=', action.guid)
    .where('r.state', '<>', 'skipped')
    .where(
      sql<boolean>`(r.root_guid = ${asked.rootGuid}::uuid
        or r.created_at > ${ctx.now}::timestamptz - interval '25 hours')`,
    )
    .executeTakeFirstOrThrow()
  return {
    isActive: action.status === 'active' && action.archivedAt === null,
    isOwnerFit,
    depth: asked.depth,
    isInChain: counted.inChain > 0,
    runsOfRecordToday: counted.ofRecordToday,
    runsInHour: counted.inHour,
    areConditionsMet: action.conditions === null || meets(action.conditions, asked),
  }
}
