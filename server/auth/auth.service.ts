import type { authApi, Preferences } from '../../contract/auth.ts'
import { AppError, notFound } from '../../contract/core/errors.ts'
import type { Actor, Ctx, Handlers } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { may } from '../core/http/permission.ts'
import { findLiveSession, isTrue } from '../core/http/identify.ts'
import { hashPassword, isPassword } from '../core/passwords.ts'
import { everyoneRules, loadRules } from '../core/rights.ts'
import type { Rule } from '../../contract/core/ability.ts'
import { type Account, findAccount, findGuestRole, findUserByLogin, lockAccount, noteLogin, noteRenewal, noteSeen, readPreferences } from './auth.queries.ts'
import { guess } from './guesses.ts'
import { insertSession, listLiveSessions, revokeSession, revokeSessionsOf } from './sessions.ts'
import { issueHeaders, userDataOf } from './tokens-of.ts'

type Api = Handlers<typeof authApi>
type UserActor = Extract<Actor, { kind: 'user' }>

const hour = 3_600_000
/** A session ends this long after the login, however often it was renewed. */
const sessionMs = 12 * hour
const rememberedMs = 30 * 24 * hour

const login: Api['login'] = async (ctx, { authID, authPassword, rememberMe }) => {
  const account = await guess(ctx.deps, authID, async () => {
    const found = await findUserByLogin(ctx.db, authID)
    const isRight = await isPassword(found?.passwordHash ?? null, authPassword)
    return found && isRight && found.status === 'active' && found.roleArchivedAt === null ? found : null
  })
  if (!account) throw new AppError('LOGIN_FAILED')
  return ctx.tx(async (tx) => {
    const opened = await open(tx, account, rememberMe ?? false)
    await noteLogin(tx.db, account.guid, tx.now)
    tx.audit({ action: 'login', entity: 'User', guid: account.guid, after: { session: opened.sessionGuid, isRemembered: rememberMe ?? false } })
    return issueHeaders(tx.deps, tx.now, opened)
  })
}

async function open(ctx: Ctx, account: Account | null, isRemembered: boolean, guestRole = '') {
  const apiGuid = ctx.actor.kind === 'system' ? '' : ctx.actor.apiGuid
  const renewableUntil = new Date(ctx.now.getTime() + (isRemembered ? rememberedMs : sessionMs))
  const roleGuid = account?.roleGuid ?? guestRole
  const { guid } = await insertSession(ctx.db, {
    kind: account ? 'user' : 'guest',
    apiGuid,
    userGuid: account?.guid ?? null,
    roleGuid,
    authVersion: account?.authVersion ?? 0,
    isRemembered,
    renewableUntil,
    userAgent: ctx.request.userAgent ?? '',
    ip: ctx.request.ip ?? '',
  })
  return { sessionGuid: guid, apiGuid, roleGuid, renewableUntil, account }
}

const guest: Api['guest'] = async (ctx) => {
  if (ctx.request.apiGuid === null) throw new AppError('NOT_AUTHENTICATED', 'No GUID was found')
  const role = await findGuestRole(ctx.db)
  if (!role) throw new AppError('NOT_AUTHENTICATED', 'Guest Authentication Failed')
  // The visitor's own guid, also when a staff member looks at a page as a guest would.
  return issueHeaders(ctx.deps, ctx.now, await open({ ...ctx, actor: { ...ctx.actor, apiGuid: ctx.request.apiGuid } as Actor }, null, false, role.guid))
}

const renew: Api['renew'] = async (ctx) => {
  const over = () => new AppError('NOT_AUTHENTICATED', 'Your session has ended. Please log in again.')
  const claims = ctx.request.bearer ? await ctx.deps.tokens.read(ctx.request.bearer) : null
  if (!claims) throw new AppError('NOT_AUTHENTICATED')
  const session = await findLiveSession({ db: ctx.db as typeof ctx.deps.db }, claims.sid)
  if (!session || !isTrue(claims, session, ctx.request.apiGuid)) throw over()
  const renewableUntil = new Date(session.renewableUntil)
  if (renewableUntil <= ctx.now || !claims.isRenewAllowed) throw over()
  const account = session.userGuid ? ((await findAccount(ctx.db, session.userGuid)) ?? null) : null
  await noteRenewal(ctx.db, claims.sid, ctx.now)
  if (account) await noteSeen(ctx.db, account.guid, ctx.now)
  return issueHeaders(ctx.deps, ctx.now, { sessionGuid: claims.sid, apiGuid: session.apiGuid, roleGuid: session.roleGuid, renewableUntil, account })
}

const logout: Api['logout'] = async (ctx) => {
  const claims = ctx.request.bearer ? await ctx.deps.tokens.read(ctx.request.bearer) : null
  const ended = claims ? await revokeSession(ctx.db, claims.sid, ctx.now) : undefined
  if (ended?.userGuid) ctx.audit({ action: 'logout', entity: 'User', guid: ended.userGuid, after: { session: ended.guid } })
  return null
}

/** Everyone's rules first: they are the weakest. */
const shown = (rules: readonly Rule[]) => ({ permissions: [...everyoneRules, ...rules] })

/** A visitor whose token has ended must renew it, not be taken for a stranger. */
async function refuseEndedToken(ctx: Ctx) {
  if (ctx.actor.kind !== 'none' || ctx.request.bearer === null) return
  const claims = await ctx.deps.tokens.read(ctx.request.bearer)
  throw new AppError(claims && claims.exp * 1000 <= ctx.now.getTime() ? 'TOKEN_EXPIRED' : 'NOT_AUTHENTICATED')
}
const rulesOf = (actor: Actor): readonly Rule[] => (actor.kind === 'system' ? [] : actor.rules)
const roleOf = (actor: Actor) => (actor.kind === 'user' || actor.kind === 'guest' ? actor.roleGuid : null)

const permissions: Api['permissions'] = async (ctx) => {
  await refuseEndedToken(ctx)
  return shown(rulesOf(ctx.actor))
}

const rolePermissions: Api['rolePermissions'] = async (ctx, { roleGUID }) => {
  await refuseEndedToken(ctx)
  if (roleOf(ctx.actor) === roleGUID) return shown(rulesOf(ctx.actor))
  if (ctx.actor.kind === 'none') {
    const visitors = await ctx.deps.rights.ofVisitors()
    if (visitors.roleGuid === roleGUID) return shown(visitors.rules)
    throw new AppError('NOT_AUTHENTICATED')
  }
  if (!may(ctx.actor, 'read', 'Permissions:Preview:All')) throw new AppError('FORBIDDEN', undefined, { fields: [{ path: 'permission', message: 'read Permissions:Preview:All' }] })
  const role = await ctx.db.selectFrom('roles').select('guid').where('guid', '=', roleGUID).executeTakeFirst()
  if (!role) throw notFound()
  return shown(await loadRules(ctx.deps.db, roleGUID))
}

const devPermissions: Api['devPermissions'] = async (ctx) => {
  if (ctx.deps.settings.mode === 'production') throw notFound()
  return shown(await loadRules(ctx.deps.db, roleOf(ctx.actor) ?? ''))
}
const devReload: Api['devReload'] = async (ctx, input) => {
  if (ctx.deps.settings.mode !== 'production') ctx.deps.rights.forget()
  return devPermissions(ctx, input)
}

function me(ctx: Ctx): UserActor {
  if (ctx.actor.kind !== 'user') throw new AppError('NOT_AUTHENTICATED')
  return ctx.actor
}

const sessions: Api['sessions'] = async (ctx) => {
  const { userGuid, sessionGuid } = me(ctx)
  const items = await listLiveSessions(ctx.db, userGuid, ctx.now)
  return { items: items.map((s) => ({ ...s, isCurrent: s.guid === sessionGuid })) }
}

const endSession: Api['endSession'] = async (ctx, { guid }) => {
  const { userGuid } = me(ctx)
  const own = await ctx.db.selectFrom('sessions').select('guid').where('guid', '=', guid).where('userGuid', '=', userGuid).executeTakeFirst()
  if (!own) throw notFound()
  await revokeSession(ctx.db, guid, ctx.now)
  ctx.audit({ action: 'end-session', entity: 'User', guid: userGuid, after: { session: guid } })
  return null
}

const changePassword: Api['changePassword'] = async (ctx, { currentPassword, newPassword }) => {
  const { userGuid, sessionGuid } = me(ctx)
  const account = await findAccount(ctx.db, userGuid)
  if (!account) throw new AppError('NOT_AUTHENTICATED')
  const isRight = await guess(ctx.deps, account.authId, async () => ((await isPassword(account.passwordHash, currentPassword)) ? true : null))
  if (!isRight) throw new AppError('VALIDATION_FAILED', undefined, { fields: [{ path: 'currentPassword', message: 'is not right' }] })
  const passwordHash = await hashPassword(newPassword)
  return ctx.tx(async (tx) => {
    const { authVersion } = await tx.db.updateTable('users').set({ passwordHash, updatedAt: tx.now, updatedBy: userGuid }).where('guid', '=', userGuid).returning('authVersion').executeTakeFirstOrThrow()
    await revokeSessionsOf(tx.db, userGuid, tx.now, sessionGuid)
    await tx.db.updateTable('sessions').set({ authVersion }).where('guid', '=', sessionGuid).execute()
    tx.audit({ action: 'change-password', entity: 'User', guid: userGuid })
    return null
  })
}

const accountAnswer = (account: Account) => ({ user: { ...userDataOf(account), version: account.version, firstName: account.firstName, lastName: account.lastName, phone: account.phone } })

const account: Api['account'] = async (ctx) => {
  const found = await findAccount(ctx.db, me(ctx).userGuid)
  if (!found) throw notFound()
  return accountAnswer(found)
}

const updateAccount: Api['updateAccount'] = async (ctx, { version, preferences, ...fields }) => {
  const { userGuid } = me(ctx)
  const before = await lockAccount(ctx.db, userGuid)
  if (!before) throw notFound()
  const shownBefore = await findAccount(ctx.db, userGuid)
  checkVersion(before, version, shownBefore ? accountAnswer(shownBefore) : null)
  const merged: Preferences = { ...readPreferences(before.preferences), ...withoutUndefined(preferences ?? {}) }
  await ctx.db
    .updateTable('users')
    .set({ ...withoutUndefined(fields), preferences: JSON.stringify(merged), version: version + 1, updatedAt: ctx.now, updatedBy: userGuid })
    .where('guid', '=', userGuid)
    .execute()
  const after = await findAccount(ctx.db, userGuid)
  if (!after) throw notFound()
  ctx.audit({ action: 'update', entity: 'User', guid: userGuid, before: { ...fieldsOf(before), preferences: before.preferences }, after: { ...fieldsOf(after), preferences: merged } })
  return accountAnswer(after)
}
const fieldsOf = ({ firstName, lastName, email, phone }: Pick<Account, 'firstName' | 'lastName' | 'email' | 'phone'>) => ({ firstName, lastName, email, phone })

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
/** What was sent, without the keys that were not. */
export const withoutUndefined = <T extends object>(fields: T) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>

export const auth: Api = { login, guest, renew, logout, permissions, rolePermissions, devPermissions, devReload, sessions, endSession, changePassword, account, updateAccount }
