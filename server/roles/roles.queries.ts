import { sql } from 'kysely'
import type { Conditions } from '../../contract/core/ability.ts'
import { type Ctx, withCtx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'

export const roleRows = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('roles'), {}).select([
    'roles.guid',
    'roles.version',
    'roles.createdAt',
    'roles.updatedAt',
    'roles.archivedAt',
    'roles.name',
    'roles.description',
    'roles.kind',
    'roles.requiresTwoStep',
    sql<number>`(select count(*)::int from users u where u.role_guid = roles.guid)`.as('userCount'),
    sql<number>`(select count(*)::int from permissions p where p.role_guid = roles.guid)`.as('ruleCount'),
    sql<boolean>`exists (select from permissions p where p.role_guid = roles.guid and p.enabled and not p.inverted
      and p.action = 'manage' and p.subject = 'all')`.as('isSuper'),
  ])

export const ruleRows = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('permissions').innerJoin('roles', 'roles.guid', 'permissions.roleGuid'), {}).select([
    'permissions.guid',
    'permissions.version',
    'permissions.roleGuid',
    'roles.name as roleName',
    'permissions.subject',
    'permissions.action',
    sql<Conditions | null>`nullif(permissions.conditions, '{}')`.as('conditions'),
    'permissions.enabled',
    'permissions.priority',
    'permissions.inverted',
    'permissions.apiGuidRequired',
    'permissions.authorizationHeaderRequired',
    'permissions.note',
  ])

export const rulesOfRole = (ctx: Ctx, roleGuid: string) =>
  ruleRows(withCtx(ctx, { rows: 'all' }))
    .where('permissions.roleGuid', '=', roleGuid)
    .orderBy('permissions.priority')
    .orderBy('permissions.guid')
    .execute()

export const memberRows = (ctx: Ctx, roleGuid: string) =>
  ctx.db
    .selectFrom('users')
    .select([
      'users.guid',
      'users.name',
      'users.authId',
      'users.status',
      'users.lastSeenAt',
      sql<boolean>`users.two_step_on_at is not null`.as('hasTwoStep'),
    ])
    .where('users.roleGuid', '=', roleGuid)
