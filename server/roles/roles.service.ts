import type { EventName } from '../../contract/events.ts'
import type { Rule } from '../../contract/core/ability.ts'
import { buildAbility } from '../../contract/core/ability.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../contract/core/errors.ts'
import type { Output } from '../../contract/core/op.ts'
import { type RuleInput, rolesApi } from '../../contract/roles.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { archivedIf, likeText } from '../core/records.ts'
import { subjects } from './catalogue.ts'
import { compare } from './compare.ts'
import { explanationOf, guestFacts, rulesWithNotes, userFacts } from './explaining.service.ts'
import { keepSuperUser, refuseBeyond, refuseOwnRole } from './granting.service.ts'
import { memberRows, roleRows, ruleRows, rulesOfRole } from './roles.queries.ts'
import { checkRules, insertRules, saveRules } from './rules.ts'

type Api = Handlers<typeof rolesApi>
type RoleWithRules = Output<(typeof rolesApi)['get']>['role']

const list: Api['list'] = (ctx, { search, archived, kind, ...input }) => {
  let query = roleRows(ctx).where(archivedIf('roles', archived))
  if (search) query = query.where('roles.name', 'ilike', likeText(search))
  if (kind) query = query.where('roles.kind', 'in', kind.split(',') as ('staff' | 'guest')[])
  return pageOf({
    query,
    sorts: { name: 'roles.name', createdAt: 'roles.createdAt' },
    guid: 'roles.guid',
    input,
    defaultSort: 'name',
  })
}

async function find(ctx: Ctx, guid: string) {
  const role = await roleRows(ctx).where('roles.guid', '=', guid).executeTakeFirst()
  if (!role) throw notFound()
  return role
}

async function withRules(ctx: Ctx, guid: string): Promise<{ role: RoleWithRules }> {
  const role = await find(withCtx(ctx, { rows: 'all' }), guid)
  return { role: { ...role, permissions: await rulesOfRole(ctx, guid) } }
}

/** Locks a role for a change: seen as it is, not the caller's own, and reaching no further than the caller does. */
async function lockRole(ctx: Ctx, guid: string, version?: number): Promise<RoleWithRules> {
  const locked = await ctx.db.selectFrom('roles').select('guid').where('guid', '=', guid).forUpdate().executeTakeFirst()
  if (!locked) throw notFound()
  await find(ctx, guid)
  const { role } = await withRules(ctx, guid)
  if (version !== undefined) await checkVersion(role, version, rolesApi.get, () => ({ role }))
  refuseOwnRole(ctx, guid)
  await refuseBeyond(ctx, guid, role.kind)
  return role
}

/**
 * What a role became: checked against what the caller may give, and told in the log with
 * the rules as they were and are.
 */
async function finish(ctx: Ctx, before: RoleWithRules | null, guid: string, action: EventName) {
  const after = await withRules(ctx, guid)
  await refuseBeyond(ctx, guid, after.role.kind)
  if (before && before.userCount > 0) await keepSuperUser(ctx)
  ctx.audit({ action, entity: 'Roles', guid, ...(before ? { before: inLog(before) } : {}), after: inLog(after.role) })
  return after
}
const inLog = ({ name, description, requiresTwoStep, archivedAt, permissions }: RoleWithRules) => ({
  name,
  description,
  requiresTwoStep,
  archivedAt,
  permissions: permissions.map(({ subject, action, conditions, enabled, priority, inverted }) => ({
    subject,
    action,
    conditions,
    enabled,
    priority,
    inverted,
  })),
})

const raise = (
  ctx: Ctx,
  role: Pick<RoleWithRules, 'guid' | 'version'>,
  change: { name?: string; description?: string; requiresTwoStep?: boolean; archivedAt?: Date | null } = {},
) =>
  ctx.db
    .updateTable('roles')
    .set({ ...change, version: role.version + 1, updatedAt: ctx.now })
    .where('guid', '=', role.guid)
    .execute()

async function make(
  ctx: Ctx,
  fields: { name: string; description?: string | undefined; requiresTwoStep?: boolean | undefined },
  rules: readonly RuleInput[],
  action: EventName,
) {
  const { guid } = await ctx.db
    .insertInto('roles')
    .values({
      name: fields.name,
      description: fields.description ?? '',
      requiresTwoStep: fields.requiresTwoStep ?? false,
    })
    .returning('guid')
    .executeTakeFirstOrThrow()
  await insertRules(ctx, guid, rules)
  return finish(ctx, null, guid, action)
}

const create: Api['create'] = (ctx, { permissions = [], ...fields }) => {
  checkRules(permissions, [])
  return make(ctx, fields, permissions, 'role.created')
}

const clone: Api['clone'] = async (ctx, { guid, name, description }) => {
  const source = await find(ctx, guid)
  if (source.kind === 'guest') throw conflict('There can only be one guest role.')
  const rules = await rulesOfRole(ctx, guid)
  return make(
    ctx,
    { name, description: description ?? source.description, requiresTwoStep: source.requiresTwoStep },
    rules,
    'role.created',
  )
}

const update: Api['update'] = async (ctx, { guid, version, name, description, requiresTwoStep }) => {
  const before = await lockRole(ctx, guid, version)
  if (requiresTwoStep && before.kind === 'guest') throw invalid('requiresTwoStep', 'This isn’t available to customers.')
  await raise(ctx, before, {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(requiresTwoStep === undefined ? {} : { requiresTwoStep }),
  })
  return finish(ctx, before, guid, 'role.updated')
}

const replaceRules: Api['replaceRules'] = async (ctx, { guid, version, permissions }) => {
  const before = await lockRole(ctx, guid, version)
  checkRules(permissions, before.permissions)
  await saveRules(ctx, guid, permissions, before.permissions)
  await raise(ctx, before)
  return finish(ctx, before, guid, 'role.updated')
}

const remove: Api['remove'] = async (ctx, { guid }) => {
  const before = await lockRole(ctx, guid)
  if (before.kind === 'guest') throw conflict('The guest role can’t be removed.')
  if (before.userCount > 0) throw conflict('Users still have this role. Give them another role first.')
  await raise(ctx, before, { archivedAt: ctx.now })
  return finish(ctx, before, guid, 'role.archived')
}

const restore: Api['restore'] = async (ctx, { guid }) => {
  const before = await lockRole(ctx, guid)
  await raise(ctx, before, { archivedAt: null })
  return finish(ctx, before, guid, 'role.restored')
}

const members: Api['members'] = async (ctx, { guid, search, ...input }) => {
  await find(ctx, guid)
  const all = memberRows(ctx, guid)
  const query = search
    ? all.where((eb) =>
        eb.or([eb('users.name', 'ilike', likeText(search)), eb('users.authId', 'ilike', likeText(search))]),
      )
    : all
  const page = await pageOf({
    query,
    sorts: { name: 'users.name', createdAt: 'users.createdAt' },
    guid: 'users.guid',
    input,
    defaultSort: 'name',
  })
  return { ...page, items: page.items.map(({ authId, ...member }) => ({ ...member, authID: authId })) }
}

const compareRoles: Api['compare'] = async (ctx, input) => {
  const [left, right] = [await find(ctx, input.left), await find(ctx, input.right)]
  return { left, right, items: compare(await side(ctx, left), await side(ctx, right)) }
}
const side = async (ctx: Ctx, role: { guid: string; kind: 'staff' | 'guest' }) => {
  const rules = await rulesWithNotes(ctx.db, role.guid)
  return { rules, ability: buildAbility(rules), facts: role.kind === 'guest' ? guestFacts : userFacts }
}

const startTrying: Api['startTrying'] = async (ctx, { guid }) => {
  if (ctx.actor.kind !== 'user') throw forbidden()
  const role = await find(ctx, guid)
  if (role.archivedAt !== null) throw notFound()
  if (role.kind === 'guest') throw conflict('Open the customer link to see what customers see.')
  await refuseBeyond(ctx, guid, role.kind)
  await ctx.db.updateTable('sessions').set({ tryingRole: guid }).where('guid', '=', ctx.actor.sessionGuid).execute()
  ctx.audit({ action: 'role.tried', entity: 'Roles', guid, after: { name: role.name } })
  return { trying: { guid, name: role.name } }
}

const stopTrying: Api['stopTrying'] = async (ctx) => {
  if (ctx.actor.kind !== 'user') throw forbidden()
  const { sessionGuid, userGuid } = ctx.actor
  await ctx.db.updateTable('sessions').set({ tryingRole: null }).where('guid', '=', sessionGuid).execute()
  ctx.audit({ action: 'user.role_left', entity: 'Users', guid: userGuid })
  return null
}

const permissions: Api['permissions'] = (ctx, { search, roleGuid, subject, action, ...input }) => {
  let query = ruleRows(ctx)
  if (search) query = query.where('permissions.subject', 'ilike', likeText(search))
  if (roleGuid) query = query.where('permissions.roleGuid', '=', roleGuid)
  if (subject) query = query.where('permissions.subject', '=', subject)
  if (action) query = query.where('permissions.action', '=', action)
  return pageOf({
    query,
    sorts: { subject: 'permissions.subject', priority: 'permissions.priority' },
    guid: 'permissions.guid',
    input,
    defaultSort: 'subject',
  })
}

const findRule = async (ctx: Ctx, guid: string) => {
  const permission = await ruleRows(ctx).where('permissions.guid', '=', guid).executeTakeFirst()
  if (!permission) throw notFound()
  return permission
}

const createPermission: Api['createPermission'] = async (ctx, { roleGuid, ...rule }) => {
  const known = await ctx.db.selectFrom('roles').select('guid').where('guid', '=', roleGuid).executeTakeFirst()
  if (!known) throw invalid('roleGuid', 'Choose a role.')
  const before = await lockRole(withCtx(ctx, { rows: 'all' }), roleGuid)
  checkRules([rule], [])
  const [guid] = await insertRules(ctx, roleGuid, [rule])
  await raise(ctx, before)
  await finish(ctx, before, roleGuid, 'role.updated')
  return { permission: await findRule(withCtx(ctx, { rows: 'all' }), guid ?? '') }
}

const updatePermission: Api['updatePermission'] = async (ctx, { guid, version, ...change }) => {
  const rule = await findRule(ctx, guid)
  const before = await lockRole(withCtx(ctx, { rows: 'all' }), rule.roleGuid)
  const locked = await findRule(ctx, guid)
  await checkVersion(locked, version, rolesApi.updatePermission, () => ({ permission: locked }))
  const merged = {
    ...locked,
    ...(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<RuleInput>),
  }
  checkRules([merged], before.permissions)
  await saveRules(
    ctx,
    rule.roleGuid,
    before.permissions.map((p) => (p.guid === guid ? merged : p)),
    before.permissions,
  )
  await raise(ctx, before)
  await finish(ctx, before, rule.roleGuid, 'role.updated')
  return { permission: await findRule(withCtx(ctx, { rows: 'all' }), guid) }
}

const removePermission: Api['removePermission'] = async (ctx, { guid }) => {
  const rule = await findRule(ctx, guid)
  const before = await lockRole(withCtx(ctx, { rows: 'all' }), rule.roleGuid)
  await ctx.db.deleteFrom('permissions').where('guid', '=', guid).execute()
  await raise(ctx, before)
  await finish(ctx, before, rule.roleGuid, 'role.updated')
  return null
}

const explain: Api['explain'] = async (ctx, { userGuid, roleGuid, guest, ...question }) => {
  if ([userGuid, roleGuid, guest].filter(Boolean).length !== 1)
    throw new AppError('MALFORMED', 'Choose one: a user, a role or guests.', {
      fields: [{ path: 'userGuid', message: 'or roleGuid or guest' }],
    })
  const user = userGuid
    ? await ctx.db
        .selectFrom('users')
        .select(['guid', 'name', 'authId', 'roleGuid'])
        .where('guid', '=', userGuid)
        .executeTakeFirst()
    : null
  if (userGuid && !user) throw notFound()
  const wanted = user?.roleGuid ?? roleGuid
  let query = ctx.db.selectFrom('roles').select(['guid', 'name', 'kind'])
  query = wanted ? query.where('guid', '=', wanted) : query.where('kind', '=', 'guest').where('archivedAt', 'is', null)
  const role = await query.executeTakeFirst()
  if (!role) throw notFound()
  const isGuest = role.kind === 'guest'
  const rules: readonly (Rule & { guid: string; note: string })[] = await rulesWithNotes(ctx.db, role.guid)
  const who = {
    kind: user ? ('user' as const) : isGuest ? ('guest' as const) : ('role' as const),
    name: user ? user.name || user.authId : isGuest ? '' : role.name,
    roleGuid: role.guid,
    roleName: role.name,
  }
  return { explanation: explanationOf({ who, rules, facts: isGuest ? guestFacts : userFacts }, question) }
}

export const roles: Api = {
  list,
  compare: compareRoles,
  get: async (ctx, { guid }) => {
    await find(ctx, guid)
    return withRules(ctx, guid)
  },
  members,
  create,
  clone,
  update,
  replaceRules,
  remove,
  restore,
  startTrying,
  stopTrying,
  permissions,
  catalogue: async () => ({ items: [...subjects] }),
  explain,
  permission: async (ctx, { guid }) => ({ permission: await findRule(ctx, guid) }),
  createPermission,
  updatePermission,
  removePermission,
}
