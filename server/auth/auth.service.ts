import { pageOf } from '../../contract/nouns.ts'
import { createHash } from 'node:crypto'
import { isSuper, type Rule } from '../../contract/core/ability.ts'
import type { authApi } from '../../contract/auth.ts'
import { AppError, type ErrorCode, notFound } from '../../contract/core/errors.ts'
import { type Actor, type Ctx, type Handlers, type OpenCtx, withCtx } from '../core/ctx.ts'
import { findLiveSession, isIssued, isTrue } from '../core/http/identify.ts'
import { may } from '../core/http/permission.ts'
import { underMaintenance } from '../core/maintenance.ts'
import { isPassword } from '../core/passwords.ts'
import { abilityOfRole, everyoneRules, loadRules } from '../core/rights.ts'
import {
  type Account,
  findAccount,
  findGuestRole,
  findListDefaults,
  findUserByLogin,
  noteLogin,
  noteRenewal,
  noteSeen,
} from './auth.queries.ts'
import { explain, mayAll } from '../roles/explaining.service.ts'
import { type Guess, guess } from './login-throttle.ts'
import { sendAccountEmail } from './account-emails.service.ts'
import { own } from './own.service.ts'
import { insertSession, revokeSession } from './sessions.service.ts'
import { issueHeaders } from './tokens-of.ts'
import { spendCode } from './two-step.ts'

type Api = Handlers<typeof authApi>

const hour = 3_600_000
/** A session ends this long after the login, however often it was renewed. */
const sessionMs = 12 * hour
const rememberedMs = 30 * 24 * hour

const login: Api['login'] = async (ctx, { authID, authPassword, authCode, rememberMe }) => {
  const check = async (): Promise<Guess & { account: Account | null; refusal: ErrorCode }> => {
    const found = await findUserByLogin(ctx.db, authID)
    const isRight = await isPassword(found?.passwordHash ?? null, authPassword)
    if (!found || !isRight || found.status !== 'active' || found.roleArchivedAt !== null)
      return { isRight: false, account: null, refusal: 'LOGIN_FAILED' }
    // Only who knows the password hears of a second factor; a code that is missing or wrong
    // counts as a guess like any other.
    const second = await secondFactor(ctx, found, authCode)
    return { isRight: second === null, account: second ? null : found, refusal: second ?? 'LOGIN_FAILED' }
  }
  // A code is good for one login; a password alone is right for everybody who gives it at the same moment.
  const same = authCode === undefined ? createHash('sha256').update(authPassword).digest('base64url') : undefined
  const { account, refusal } = await guess(ctx, authID, check, same)
  if (!account) throw new AppError(refusal)
  await refuseDuringMaintenance(ctx, account)
  return ctx.tx(async (tx) => {
    const opened = await open(tx, account, rememberMe ?? false)
    await noteLogin(tx.db, account.guid, tx.now)
    tx.audit({
      action: 'user.logged_in',
      entity: 'Users',
      guid: account.guid,
      after: { session: opened.sessionGuid, isRemembered: rememberMe ?? false },
    })
    const twoStep = account.twoStepOnAt
      ? ('on' as const)
      : account.requiresTwoStep
        ? ('setup' as const)
        : ('off' as const)
    return { ...(await issueHeaders(tx.deps, tx.now, opened)), twoStep }
  })
}

async function secondFactor(ctx: OpenCtx, account: Account, code: string | undefined): Promise<ErrorCode | null> {
  if (!account.twoStepOnAt) return null
  if (!code) return 'TWO_STEP_REQUIRED'
  const used = await spendCode(ctx, account, code)
  if (used === 'recovery') await ctx.tx((tx) => sendAccountEmail(tx, { kind: 'recovery_used', userGuid: account.guid }))
  return used ? null : 'TWO_STEP_FAILED'
}

async function refuseDuringMaintenance(ctx: Ctx, account: Account) {
  const state = await ctx.deps.maintenance.current(ctx.db)
  if (state.isOn && !isSuper((await abilityOfRole(ctx.db, account.roleGuid)).ability))
    throw underMaintenance(state, ctx.now)
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
  const role = isIssued(ctx.deps.keys, ctx.request.apiGuid) ? await findGuestRole(ctx.db) : undefined
  if (!role) throw new AppError('NOT_AUTHENTICATED', 'Guest Authentication Failed')
  // The visitor's own guid, also when a staff member looks at a page as a guest would.
  return issueHeaders(
    ctx.deps,
    ctx.now,
    await open(
      withCtx(ctx, { actor: { ...ctx.actor, apiGuid: ctx.request.apiGuid } as Actor }),
      null,
      false,
      role.guid,
    ),
  )
}

const renew: Api['renew'] = async (ctx) => {
  const over = () => new AppError('NOT_AUTHENTICATED', 'Your session has ended. Please log in again.')
  const claims = ctx.request.bearer ? await ctx.deps.tokens.read(ctx.request.bearer) : null
  if (!claims) throw new AppError('NOT_AUTHENTICATED')
  const session = await findLiveSession(ctx.db, claims.sid)
  if (!session || !isTrue(claims, session, ctx.request.apiGuid)) throw over()
  const renewableUntil = new Date(session.renewableUntil)
  if (renewableUntil <= ctx.now || !claims.isRenewAllowed) throw over()
  const account = session.userGuid ? ((await findAccount(ctx.db, session.userGuid)) ?? null) : null
  await noteRenewal(ctx.db, claims.sid, ctx.now)
  if (account) await noteSeen(ctx.db, account.guid, ctx.now)
  return issueHeaders(ctx.deps, ctx.now, {
    sessionGuid: claims.sid,
    apiGuid: session.apiGuid,
    roleGuid: session.roleGuid,
    renewableUntil,
    account,
  })
}

const logout: Api['logout'] = async (ctx) => {
  const claims = ctx.request.bearer ? await ctx.deps.tokens.read(ctx.request.bearer) : null
  const ended = claims ? await revokeSession(ctx.db, claims.sid, ctx.now) : undefined
  if (ended?.userGuid)
    ctx.audit({ action: 'user.logged_out', entity: 'Users', guid: ended.userGuid, after: { session: ended.guid } })
  return null
}

const triedBy = (actor: Actor) =>
  actor.kind === 'user' && actor.standing?.trying
    ? { guid: actor.standing.trying.guid, name: actor.standing.trying.name }
    : null
/** Everyone's rules first: they are the weakest. */
const shown = async (ctx: Ctx, rules: readonly Rule[]) => ({
  permissions: [...everyoneRules, ...rules],
  trying: triedBy(ctx.actor),
  lists: ctx.actor.kind === 'user' ? await findListDefaults(ctx.db, ctx.actor.userGuid) : [],
})

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
  return shown(ctx, rulesOf(ctx.actor))
}

const rolePermissions: Api['rolePermissions'] = async (ctx, { roleGUID }) => {
  await refuseEndedToken(ctx)
  // Who tries a role still asks by the guid in his token.
  if (roleOf(ctx.actor) === roleGUID) return shown(ctx, rulesOf(ctx.actor))
  if (ctx.actor.kind === 'none') {
    const visitors = await ctx.deps.rights.ofVisitors(ctx.db)
    if (visitors.roleGuid === roleGUID) return shown(ctx, visitors.rules)
    throw new AppError('NOT_AUTHENTICATED')
  }
  return shown(ctx, await storedRules(ctx, roleGUID))
}

/** The rules of a role as the database has them now: one's own, or with the right to see roles of any. */
async function storedRules(ctx: Ctx, roleGuid: string): Promise<Rule[]> {
  const { can } = pageOf('Permissions', 'list')
  if (!may(ctx.actor, ...can) && roleOf(ctx.actor) !== roleGuid)
    throw new AppError('FORBIDDEN', undefined, {
      fields: [{ path: 'permission', message: can.join(' ') }],
    })
  const role = await ctx.db.selectFrom('roles').select('guid').where('guid', '=', roleGuid).executeTakeFirst()
  if (!role) throw notFound()
  return loadRules(ctx.db, roleGuid)
}

const devPermissions: Api['devPermissions'] = async (ctx, { roleGUID }) =>
  shown(ctx, await storedRules(ctx, roleGUID ?? roleOf(ctx.actor) ?? ''))
const devReload: Api['devReload'] = async (ctx, input) => {
  ctx.deps.rights.forget()
  return devPermissions(ctx, input)
}

export const auth: Api = {
  login,
  guest,
  renew,
  logout,
  permissions,
  rolePermissions,
  devPermissions,
  devReload,
  explain,
  mayAll,
  ...own,
}
