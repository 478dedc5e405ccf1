import { can, type Rule } from '../../contract/core/ability.ts'
import { AppError, conflict, invalid, notFound } from '../../contract/core/errors.ts'
import type { User, usersApi } from '../../contract/users.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { factsOf } from '../core/http/permission.ts'
import { accessFor, loadRules } from '../core/rights.ts'
import { hashPassword } from '../core/passwords.ts'
import { withoutUndefined } from '../auth/auth.service.ts'
import { revokeSessionsOf } from '../auth/sessions.ts'

type Api = Handlers<typeof usersApi>

/** The users a caller may see; "own" is oneself. */
const visibleUsers = (ctx: Ctx) => applyRows(ctx, ctx.db.selectFrom('users').innerJoin('roles', 'roles.guid', 'users.roleGuid'), { owner: 'users.guid', status: 'users.status' })

const columns = [
  'users.guid',
  'users.version',
  'users.createdAt',
  'users.updatedAt',
  'users.archivedAt',
  'users.authId',
  'users.name',
  'users.firstName',
  'users.lastName',
  'users.email',
  'users.phone',
  'users.roleGuid',
  'roles.name as roleName',
  'users.status',
  'users.lastSeenAt',
  'users.lastLoginAt',
] as const

const list: Api['list'] = (ctx, { search, status, roleGuid, ...input }) => {
  let query = visibleUsers(ctx).select(columns)
  if (status) query = query.where('users.status', 'in', status.split(',') as User['status'][])
  if (roleGuid) query = query.where('users.roleGuid', '=', roleGuid)
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((eb) => eb.or([eb('users.name', 'ilike', pattern), eb('users.authId', 'ilike', pattern), eb('users.email', 'ilike', pattern)]))
  }
  const sorts = { name: 'users.name', authId: 'users.authId', createdAt: 'users.createdAt', lastSeenAt: { column: 'users.lastSeenAt', nullable: true } } as const
  return pageOf({ query, sorts, guid: 'users.guid', input, defaultSort: 'name' })
}

async function find(ctx: Ctx, guid: string): Promise<User> {
  const found = await visibleUsers(ctx).select(columns).where('users.guid', '=', guid).executeTakeFirst()
  if (!found) throw notFound()
  return found
}

const get: Api['get'] = async (ctx, { guid }) => ({ user: await find(ctx, guid) })

const create: Api['create'] = async (ctx, { password, ...fields }) => {
  await mayGrant(ctx, ctx.db, fields.roleGuid)
  const passwordHash = await hashPassword(password)
  return ctx.tx(async (tx) => {
    const { guid } = await tx.db
      .insertInto('users')
      .values({ ...withoutUndefined(fields), authId: fields.authId, roleGuid: fields.roleGuid, passwordHash, createdBy: self(tx), updatedBy: self(tx) })
      .returning('guid')
      .executeTakeFirstOrThrow()
    tx.audit({ action: 'create', entity: 'User', guid, after: fields })
    return { user: await find({ ...tx, rows: 'all' }, guid) }
  })
}

const update: Api['update'] = async (ctx, { guid, version, ...fields }) => {
  const before = await lock(ctx, guid, version)
  if (fields.roleGuid !== undefined && fields.roleGuid !== before.roleGuid) {
    if (guid === self(ctx)) throw conflict('Nobody changes his own role.')
    await mayGrant(ctx, ctx.db, fields.roleGuid)
    await revokeSessionsOf(ctx.db, guid, ctx.now)
  }
  return save(ctx, before, withoutUndefined(fields), 'update')
}

const setPassword: Api['setPassword'] = async (ctx, { guid, version, password }) => {
  await find(ctx, guid)
  const passwordHash = await hashPassword(password)
  return ctx.tx(async (tx) => {
    const before = await lock(tx, guid, version)
    await revokeSessionsOf(tx.db, guid, tx.now)
    return save(tx, before, { passwordHash }, 'set-password')
  })
}

const disable: Api['disable'] = async (ctx, { guid, version }) => {
  const before = await lock(ctx, guid, version)
  if (guid === self(ctx)) throw conflict('Nobody locks himself out.')
  await revokeSessionsOf(ctx.db, guid, ctx.now)
  return save(ctx, before, { status: 'suspended' }, 'disable')
}

const enable: Api['enable'] = async (ctx, { guid, version }) => {
  const before = await lock(ctx, guid, version)
  const stored = await ctx.db.selectFrom('users').select('passwordHash').where('guid', '=', guid).executeTakeFirstOrThrow()
  if (stored.passwordHash === null) throw conflict('This user has no password yet.')
  return save(ctx, before, { status: 'active' }, 'enable')
}

const endSessions: Api['endSessions'] = async (ctx, { guid }) => {
  const found = await find(ctx, guid)
  await mayGrant(ctx, ctx.db, found.roleGuid)
  const ended = await revokeSessionsOf(ctx.db, guid, ctx.now)
  ctx.audit({ action: 'end-sessions', entity: 'User', guid, after: { ended } })
  return { ended }
}

const self = (ctx: Ctx) => (ctx.actor.kind === 'user' ? ctx.actor.userGuid : null)

/** Locks a user for a change: one that is visible, is as the caller saw it, and stands no higher than the caller. */
async function lock(ctx: Ctx, guid: string, version: number): Promise<User> {
  const locked = await ctx.db.selectFrom('users').select('guid').where('guid', '=', guid).forUpdate().executeTakeFirst()
  if (!locked) throw notFound()
  const before = await find(ctx, guid)
  checkVersion(before, version, { user: before })
  await mayGrant(ctx, ctx.db, before.roleGuid)
  return before
}

type Change = Partial<Pick<User, 'authId' | 'firstName' | 'lastName' | 'email' | 'phone' | 'roleGuid' | 'status'>> & { passwordHash?: string }

async function save(ctx: Ctx, before: User, change: Change, action: string) {
  await ctx.db
    .updateTable('users')
    .set({ ...change, version: before.version + 1, updatedAt: ctx.now, updatedBy: self(ctx) })
    .where('guid', '=', before.guid)
    .execute()
  const after = await find({ ...ctx, rows: 'all' }, before.guid)
  ctx.audit({ action, entity: 'User', guid: before.guid, before, after })
  return { user: after }
}

/** Nobody grants what he lacks, and nobody changes people who may do more than he. */
async function mayGrant(ctx: Ctx, db: Db, roleGuid: string): Promise<void> {
  const role = await db.selectFrom('roles').select('kind').where('guid', '=', roleGuid).where('archivedAt', 'is', null).executeTakeFirst()
  if (!role) throw invalid('roleGuid', 'is not a role')
  if (role.kind === 'guest') throw invalid('roleGuid', 'is for guests only')
  const { actor } = ctx
  if (actor.kind === 'system') return
  const facts = factsOf(actor, true)
  const lacks = (rule: Rule) => rule.enabled && !rule.inverted && (!can(actor.ability, rule.action, rule.subject, facts) || (accessFor(actor.ability, rule.action, rule.subject, facts) !== 'all' && !isLimited(rule)))
  const missing = (await loadRules(db, roleGuid)).find(lacks)
  if (missing) throw new AppError('FORBIDDEN', 'Insufficient permissions', { fields: [{ path: 'permission', message: `${missing.action} ${missing.subject}` }] })
}
const isLimited = ({ conditions }: Rule) => conditions !== null && (conditions.scope !== undefined || conditions.business !== undefined || conditions.statusIn !== undefined || conditions.amountBelowCents !== undefined)

export const users: Api = { list, get, create, update, setPassword, disable, enable, endSessions }
