import { sql } from 'kysely'
import type { ActionEffect, RunState } from '../../contract/actions.ts'
import type { NameOf } from '../../contract/action-sentence.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { userName } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleActions = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('actions as a'), rowColumns(ctx, 'Actions', 'a'))

const failuresAreTold = '30 days'
const lastRun = sql<{ at: string; state: RunState } | null>`(select json_build_object('at', r.created_at, 'state',
  r.state) from action_runs r where r.action_guid = a.guid order by r.created_at desc, r.guid desc limit 1)`

/** Actions with their owner, and in lists with what became of them. */
export const toldActions = (ctx: Ctx) =>
  ctx.db
    .selectFrom('actions as a')
    .selectAll('a')
    .select(sql<string>`(select ${userName('u')} from users u where u.guid = a.owner_guid)`.as('ownerName'))
export const listedActions = (ctx: Ctx) =>
  toldActions(ctx).select([
    lastRun.as('lastRun'),
    sql<number>`(select count(*)::int from action_runs r where r.action_guid = a.guid and r.state = 'failed'
      and r.created_at > ${ctx.now}::timestamptz - ${failuresAreTold}::interval)`.as('failed'),
  ])
export type ToldAction = Awaited<ReturnType<ReturnType<typeof toldActions>['execute']>>[number]

export const lockAction = (ctx: Ctx, guid: string) =>
  visibleActions(ctx).selectAll('a').where('a.guid', '=', guid).forUpdate('a').executeTakeFirst()

/** Runs of the actions that the caller may read. */
export const visibleRuns = (ctx: Ctx) =>
  applyRows(
    ctx,
    ctx.db.selectFrom('actionRuns as r').innerJoin('actions as a', 'a.guid', 'r.actionGuid'),
    rowColumns(ctx, 'Actions', 'a'),
  )
export const shownRun = [
  'r.guid',
  'r.eventGuid as event',
  'r.noun',
  'r.replay',
  'r.state',
  'r.reason',
  'r.createdAt as at',
  'r.dueAt',
  'r.endedAt',
  'r.trace',
  'r.recordGuid',
  'r.recordLabel',
  'r.actionGuid',
  'a.name as actionName',
] as const

/** The template, webhook, role or user that an effect names. */
export function namedBy(effect: ActionEffect): string[] {
  if (effect.type === 'message') return [effect.templateGuid]
  if (effect.type === 'webhook') return [effect.webhookGuid]
  if (effect.type !== 'notify' || effect.to === 'recordOwner') return []
  return ['roleGuid' in effect.to ? effect.to.roleGuid : effect.to.userGuid]
}

/** What templates, webhooks, roles and users are called that the effects of some actions name. */
export async function namesOf(
  ctx: Pick<Ctx, 'db'>,
  actions: readonly { effects: readonly ActionEffect[] }[],
): Promise<NameOf> {
  const guids = actions.flatMap(({ effects }) => effects.flatMap(namedBy))
  if (guids.length === 0) return () => undefined
  const { rows } = await sql<{ guid: string; name: string }>`
    select guid, name from templates where guid = any(${guids}::uuid[])
    union all select guid, name from webhooks where guid = any(${guids}::uuid[])
    union all select guid, name from roles where guid = any(${guids}::uuid[])
    union all select u.guid, ${userName('u')} from users u where u.guid = any(${guids}::uuid[])`.execute(ctx.db)
  const names = new Map(rows.map(({ guid, name }) => [guid, name]))
  return (guid) => names.get(guid)
}
