import { sql } from 'kysely'
import type { ActionEffect } from '../../contract/actions.ts'
import type { EventName } from '../../contract/events.ts'
import type { Actor, Ctx, WorksIn } from '../core/ctx.ts'
import { userName } from '../core/records.ts'
import { worksInText } from '../core/works-in.ts'
import { lackedRight } from './effect-rights.ts'

export type Owner = Extract<Actor, { kind: 'user' }>

/** The owner of an action with the rights of now; null of somebody who may not log in any more. */
export async function ownerActor(ctx: Pick<Ctx, 'db' | 'deps'>, userGuid: string): Promise<Owner | null> {
  const user = await ctx.db
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.guid', 'u.roleGuid')
    .select(['u.guid', 'u.roleGuid', 'r.rulesVersion', userName('u').as('name')])
    .select(sql<WorksIn | null>`${sql.raw(worksInText)}`.as('worksIn'))
    .where('u.guid', '=', userGuid)
    .where('u.status', '=', 'active')
    .where('r.archivedAt', 'is', null)
    .executeTakeFirst()
  if (!user) return null
  const { guid, name, roleGuid, rulesVersion, worksIn } = user
  const rights = await ctx.deps.rights.of(ctx.db, roleGuid, rulesVersion)
  return { kind: 'user', apiGuid: '', sessionGuid: '', userGuid: guid, name, roleGuid, ...rights, worksIn }
}

/** Whether an owner may do what the action does, where it does it. */
export const isFit = (
  owner: Owner | null,
  action: { businessGuid: string; eventKey: EventName; effects: readonly ActionEffect[] },
): owner is Owner =>
  owner !== null &&
  (owner.worksIn === null || owner.worksIn.guid.includes(action.businessGuid)) &&
  lackedRight(owner, action) === null
