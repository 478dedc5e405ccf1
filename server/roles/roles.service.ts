import { sql } from 'kysely'
import type { Conditions } from '../../contract/core/ability.ts'
import type { rolesApi } from '../../contract/roles.ts'
import { notFound } from '../../contract/core/errors.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows } from '../core/db/rows.ts'

type Api = Handlers<typeof rolesApi>

const roleRows = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('roles'), {}).select([
    'roles.guid',
    'roles.version',
    'roles.createdAt',
    'roles.updatedAt',
    'roles.archivedAt',
    'roles.name',
    'roles.description',
    'roles.kind',
    sql<number>`(select count(*)::int from users u where u.role_guid = roles.guid)`.as('userCount'),
    sql<number>`(select count(*)::int from permissions p where p.role_guid = roles.guid)`.as('ruleCount'),
    sql<boolean>`exists (select from permissions p where p.role_guid = roles.guid and p.enabled and not p.inverted and p.action = 'manage' and p.subject = 'all')`.as('isSuper'),
  ])

const ruleRows = (ctx: Ctx) =>
  ctx.db
    .selectFrom('permissions')
    .innerJoin('roles', 'roles.guid', 'permissions.roleGuid')
    .select([
      'permissions.guid',
      'permissions.roleGuid',
      'roles.name as roleName',
      'permissions.subject',
      'permissions.action',
      sql<Conditions>`permissions.conditions`.as('conditions'),
      'permissions.enabled',
      'permissions.priority',
      'permissions.inverted',
      'permissions.apiGuidRequired',
      'permissions.authorizationHeaderRequired',
      'permissions.note',
    ])

const like = (search: string) => `%${search.replace(/[\\%_]/g, '\\$&')}%`

const list: Api['list'] = (ctx, { search, ...input }) => {
  const query = search ? roleRows(ctx).where('roles.name', 'ilike', like(search)) : roleRows(ctx)
  return pageOf({ query, sorts: { name: 'roles.name', createdAt: 'roles.createdAt' }, guid: 'roles.guid', input, defaultSort: 'name' })
}

const get: Api['get'] = async (ctx, { guid }) => {
  const role = await roleRows(ctx).where('roles.guid', '=', guid).executeTakeFirst()
  if (!role) throw notFound()
  const permissions = await ruleRows(ctx).where('permissions.roleGuid', '=', guid).orderBy('permissions.priority').orderBy('permissions.guid').execute()
  return { role: { ...role, permissions } }
}

const permissions: Api['permissions'] = (ctx, { search, roleGuid, subject, action, ...input }) => {
  let query = applyRows(ctx, ruleRows(ctx), {})
  if (search) query = query.where('permissions.subject', 'ilike', like(search))
  if (roleGuid) query = query.where('permissions.roleGuid', '=', roleGuid)
  if (subject) query = query.where('permissions.subject', '=', subject)
  if (action) query = query.where('permissions.action', '=', action)
  return pageOf({ query, sorts: { subject: 'permissions.subject', priority: 'permissions.priority' }, guid: 'permissions.guid', input, defaultSort: 'subject' })
}

export const roles: Api = { list, get, permissions }
