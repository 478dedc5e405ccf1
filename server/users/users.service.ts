import { isDeepStrictEqual } from 'node:util'
import type { EventName } from '../../contract/events.ts'
import { AppError, conflict, notFound } from '../../contract/core/errors.ts'
import { type User, usersApi } from '../../contract/users.ts'
import { activityOf } from '../auth/activity.service.ts'
import { avatarOf, readAvatar } from '../auth/avatars.service.ts'
import { turnOff } from '../auth/credentials.service.ts'
import { sendAccountEmail } from '../auth/account-emails.service.ts'
import { cancelAccountEmails } from '../messages/messages.service.ts'
import { withoutUndefined } from '../auth/own.service.ts'
import { listLiveSessions, revokeSession, revokeSessionsOf } from '../auth/sessions.service.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { hashPassword } from '../core/passwords.ts'
import { userOf } from '../core/records.ts'
import { keepSuperUser, mayGrant } from '../roles/granting.service.ts'
import { mayPlace, mayReach, placesOf } from './placing.ts'
import { findUser, isTaken, listPeople, listUsers, withAuthID } from './users.queries.ts'

type Api = Handlers<typeof usersApi>
type Shown = User & { avatar: string | null }

const list: Api['list'] = async (ctx, input) => {
  const sorts = {
    name: 'users.name',
    authID: 'users.authId',
    createdAt: 'users.createdAt',
    lastSeenAt: { column: 'users.lastSeenAt', nullable: true },
  } as const
  const page = await pageOf({ query: listUsers(ctx, input), sorts, guid: 'users.guid', input, defaultSort: 'name' })
  return { ...page, items: page.items.map(withAuthID) }
}

async function find(ctx: Ctx, guid: string): Promise<Shown> {
  const found = await findUser(ctx, guid)
  if (!found) throw notFound()
  const { avatarSha256, avatarMime, ...user } = found
  return { ...withAuthID(user), avatar: await avatarOf(ctx.deps.files, { avatarSha256, avatarMime }) }
}
const findAny = (ctx: Ctx, guid: string) => find(withCtx(ctx, { rows: 'all' }), guid)

const get: Api['get'] = async (ctx, { guid }) => ({ user: await find(ctx, guid) })

const activity: Api['activity'] = async (ctx, { guid }) => {
  await find(ctx, guid)
  return { items: await activityOf(ctx, guid, 'about') }
}

const sessions: Api['sessions'] = async (ctx, { guid }) => {
  await find(ctx, guid)
  return { items: await listLiveSessions(ctx.db, guid, ctx.now) }
}

const create: Api['create'] = async (ctx, { password, ...shown }) => {
  const { authID: authId, ...given } = shown
  const fields = { ...given, businessGuids: given.businessGuids ?? placesOf(ctx) }
  await mayGrant(ctx, fields.roleGuid)
  await mayPlace(ctx, fields.businessGuids)
  const passwordHash = await hashPassword(password)
  return ctx.tx(async (tx) => {
    const { guid } = await tx.db
      .insertInto('users')
      .values({
        ...withoutUndefined(fields),
        authId,
        roleGuid: fields.roleGuid,
        passwordHash,
        createdBy: userOf(tx),
        updatedBy: userOf(tx),
      })
      .returning('guid')
      .executeTakeFirstOrThrow()
    tx.audit({ action: 'user.created', entity: 'Users', guid, after: shown })
    return { user: await findAny(tx, guid) }
  })
}

const invite: Api['invite'] = async (ctx, { language, authID, ...given }) => {
  const fields = { ...given, businessGuids: given.businessGuids ?? placesOf(ctx) }
  await mayGrant(ctx, fields.roleGuid)
  await mayPlace(ctx, fields.businessGuids)
  const login = authID ?? fields.email
  if (await isTaken(ctx, login, fields.email))
    throw new AppError('ALREADY_EXISTS', 'A user with this login or email address already exists.', {
      fields: [{ path: 'email', message: 'A user already has this email address.' }],
    })
  const { guid } = await ctx.db
    .insertInto('users')
    .values({
      ...withoutUndefined(fields),
      email: fields.email,
      roleGuid: fields.roleGuid,
      authId: login,
      status: 'invited',
      preferences: JSON.stringify(language ? { language } : {}),
      createdBy: userOf(ctx),
      updatedBy: userOf(ctx),
    })
    .returning('guid')
    .executeTakeFirstOrThrow()
  await sendInvitation(ctx, guid)
  ctx.audit({ action: 'user.invited', entity: 'Users', guid, after: { ...fields, authID: login } })
  return { user: await findAny(ctx, guid) }
}

const sendInvitation = (ctx: Ctx, userGuid: string) =>
  sendAccountEmail(ctx, { kind: 'invitation', userGuid, invitedBy: ctx.actor.kind === 'user' ? ctx.actor.name : '' })

const resendInvite: Api['resendInvite'] = async (ctx, { guid, version }) => {
  const before = await lock(ctx, guid, version)
  if (before.status !== 'invited') throw conflict('This user has already accepted the invitation.')
  await ctx.db.deleteFrom('credentialLinks').where('userGuid', '=', guid).where('kind', '=', 'invitation').execute()
  await sendInvitation(ctx, guid)
  return save(ctx, before, {}, 'user.invitation_resent')
}

const cancelInvite: Api['cancelInvite'] = async (ctx, { guid }) => {
  const before = await lock(ctx, guid)
  if (before.status !== 'invited') throw conflict('This user has already accepted the invitation.')
  ctx.audit({ action: 'user.invitation_cancelled', entity: 'Users', guid, before: shownInLog(before) })
  await ctx.db.deleteFrom('users').where('guid', '=', guid).execute()
  await cancelAccountEmails(ctx, guid)
  return null
}

const update: Api['update'] = async (ctx, { guid, version, authID, ...fields }) => {
  const before = await lock(ctx, guid, version)
  const changesRole = fields.roleGuid !== undefined && fields.roleGuid !== before.roleGuid
  if (fields.roleGuid !== undefined && changesRole) {
    if (guid === userOf(ctx)) throw conflict('You can’t change your own role.')
    await mayGrant(ctx, fields.roleGuid)
    await revokeSessionsOf(ctx.db, guid, ctx.now)
  }
  if (fields.businessGuids && !isDeepStrictEqual(new Set(fields.businessGuids), new Set(before.businessGuids))) {
    if (guid === userOf(ctx)) throw conflict('You can’t change your own businesses.')
    await mayPlace(ctx, fields.businessGuids)
  }
  const changes = withoutUndefined({ ...fields, authId: authID })
  const changesMore = Object.keys(changes).some((name) => name !== 'roleGuid')
  const saved = await save(ctx, before, changes, changesRole && !changesMore ? 'user.role_changed' : 'user.updated')
  if (changesRole && changesMore)
    ctx.audit({ action: 'user.role_changed', entity: 'Users', guid, after: { to: saved.user.roleName } })
  if (authID !== undefined && authID !== before.authID)
    await sendAccountEmail(ctx, { kind: 'login_changed', userGuid: guid })
  if (fields.email !== undefined && before.email && fields.email !== before.email)
    await sendAccountEmail(ctx, { kind: 'email_changed', userGuid: guid, address: before.email })
  return saved
}

const setPassword: Api['setPassword'] = async (ctx, { guid, version, password }) => {
  await find(ctx, guid)
  const passwordHash = await hashPassword(password)
  return ctx.tx(async (tx) => {
    const before = await lock(tx, guid, version)
    if (before.status === 'invited') throw conflict('This user sets a password when they accept the invitation.')
    await revokeSessionsOf(tx.db, guid, tx.now)
    await sendAccountEmail(tx, { kind: 'password_changed', userGuid: guid })
    return save(tx, before, { passwordHash }, 'user.password_set')
  })
}

const setAvatar: Api['setAvatar'] = async (ctx, { guid, version, avatar }) => {
  await find(ctx, guid)
  const columns = await readAvatar(ctx, avatar)
  return ctx.tx(async (tx) => save(tx, await lock(tx, guid, version), columns, 'user.photo_changed'))
}

const disable: Api['disable'] = async (ctx, { guid, version }) => {
  const before = await lock(ctx, guid, version)
  if (guid === userOf(ctx)) throw conflict('You can’t lock yourself out.')
  await revokeSessionsOf(ctx.db, guid, ctx.now)
  return save(ctx, before, { status: 'suspended' }, 'user.disabled')
}

const enable: Api['enable'] = async (ctx, { guid, version }) => {
  const before = await lock(ctx, guid, version)
  const stored = await ctx.db
    .selectFrom('users')
    .select('passwordHash')
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow()
  if (stored.passwordHash === null) throw conflict('This user has no password yet.')
  return save(ctx, before, { status: 'active' }, 'user.enabled')
}

const resetTwoStep: Api['resetTwoStep'] = async (ctx, { guid, version }) => {
  const before = await lock(ctx, guid, version)
  if (!before.hasTwoStep) throw conflict('Two-step login is off for this user.')
  if (guid === userOf(ctx)) throw conflict('Turn off your own two-step login in your account settings.')
  await turnOff(ctx, guid)
  await revokeSessionsOf(ctx.db, guid, ctx.now)
  return save(ctx, before, {}, 'user.two_step_removed')
}

const endSession: Api['endSession'] = async (ctx, { guid }) => {
  const session = await ctx.db.selectFrom('sessions').select('userGuid').where('guid', '=', guid).executeTakeFirst()
  if (!session?.userGuid) throw notFound()
  const { roleGuid } = await find(ctx, session.userGuid)
  await mayGrant(ctx, roleGuid)
  await revokeSession(ctx.db, guid, ctx.now)
  ctx.audit({ action: 'user.session_ended', entity: 'Users', guid: session.userGuid, after: { session: guid } })
  return null
}

const endSessions: Api['endSessions'] = async (ctx, { guid }) => {
  const found = await find(ctx, guid)
  await mayGrant(ctx, found.roleGuid)
  const ended = await revokeSessionsOf(ctx.db, guid, ctx.now)
  ctx.audit({ action: 'user.sessions_ended', entity: 'Users', guid, after: { ended } })
  return { ended }
}

/** Locks a user for a change: one that is visible, is as the caller saw it, and stands no higher than the caller. */
async function lock(ctx: Ctx, guid: string, version?: number): Promise<Shown> {
  const locked = await ctx.db.selectFrom('users').select('guid').where('guid', '=', guid).forUpdate().executeTakeFirst()
  if (!locked) throw notFound()
  const before = await find(ctx, guid)
  if (version !== undefined) await checkVersion(before, version, usersApi.get, () => ({ user: before }))
  await mayGrant(ctx, before.roleGuid)
  mayReach(ctx, before.businessGuids)
  return before
}

type Change = Partial<
  Pick<User, 'firstName' | 'lastName' | 'email' | 'phone' | 'roleGuid' | 'status' | 'businessGuids'>
> & {
  authId?: string
  passwordHash?: string
  avatarSha256?: string | null
  avatarMime?: string | null
}

/** A picture is no reading matter for a log. */
const shownInLog = ({ avatar, ...user }: Shown) => ({ ...user, hasAvatar: avatar !== null })

async function save(ctx: Ctx, before: Shown, change: Change, action: EventName) {
  await ctx.db
    .updateTable('users')
    .set({ ...change, version: before.version + 1, updatedAt: ctx.now, updatedBy: userOf(ctx) })
    .where('guid', '=', before.guid)
    .execute()
  if (change.roleGuid !== undefined || change.businessGuids || change.status === 'suspended') await keepSuperUser(ctx)
  const after = await findAny(ctx, before.guid)
  const shown = { ...shownInLog(after), ...(action === 'user.role_changed' ? { to: after.roleName } : {}) }
  ctx.audit({ action, entity: 'Users', guid: before.guid, before: shownInLog(before), after: shown })
  return { user: after }
}

const people: Api['people'] = async (ctx, { search, guid }) => ({ items: await listPeople(ctx, search, guid) })

export const users: Api = {
  list,
  people,
  get,
  activity,
  sessions,
  create,
  invite,
  resendInvite,
  cancelInvite,
  update,
  setPassword,
  setAvatar,
  disable,
  enable,
  resetTwoStep,
  endSession,
  endSessions,
}
