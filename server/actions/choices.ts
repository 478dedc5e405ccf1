import { type ActionChoices, actionsApi } from '../../contract/actions.ts'
import type { Ctx } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { userName } from '../core/records.ts'
import { worksAt } from '../core/works-in.ts'
import { namedBy, visibleActions } from './actions.queries.ts'

/** More than anybody looks through. */
const most = 500

/** What effects may name: templates and webhooks that are in use, roles, and those who work in the business. */
export async function choices(ctx: Ctx): Promise<ActionChoices> {
  const { db, business } = ctx
  const templates = await db
    .selectFrom('templates')
    .select(['guid', 'name as label', 'kind'])
    .where('businessGuid', '=', business.guid)
    .where('archivedAt', 'is', null)
    .where('activeVersionGuid', 'is not', null)
    .orderBy('name')
    .limit(most)
    .execute()
  const roles = await db
    .selectFrom('roles')
    .select(['guid', 'name as label'])
    .where('kind', '=', 'staff')
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .limit(most)
    .execute()
  const users = await db
    .selectFrom('users')
    .select(['guid', userName('users').as('label')])
    .where('status', '=', 'active')
    .where(worksAt(business.guid))
    .orderBy('label')
    .limit(most)
    .execute()
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['guid', 'name as label'])
    .where('businessGuid', '=', business.guid)
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .limit(most)
    .execute()
  const all = { templates, roles, users, webhooks }
  if ([actionsApi.create, actionsApi.update].some(({ can }) => may(ctx.actor, ...can))) return all
  // Whoever only reads is told what the sentences tell.
  const rows = await visibleActions(ctx).select('a.effects').where('a.businessGuid', '=', business.guid).execute()
  const named = new Set(rows.flatMap(({ effects }) => effects.flatMap(namedBy)))
  const told = <T extends { guid: string }>(some: T[]) => some.filter(({ guid }) => named.has(guid))
  return { templates: told(templates), roles: told(roles), users: told(users), webhooks: told(webhooks) }
}
