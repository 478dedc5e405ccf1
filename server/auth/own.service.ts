import { authApi, type Preferences } from '../../contract/auth.ts'
import { AppError, invalid, notFound } from '../../contract/core/errors.ts'
import type { Actor, Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { hashPassword, isPassword } from '../core/passwords.ts'
import { type Account, findAccount, lockAccount, readPreferences } from './auth.queries.ts'
import { activityOf } from './activity.service.ts'
import { avatarOf, readAvatar } from './avatars.service.ts'
import { documentsOf } from './documents-of.ts'
import { guess } from './login-throttle.ts'
import { sendAccountEmail } from './account-emails.service.ts'
import { listLiveSessions, revokeSession, revokeSessionsOf } from './sessions.service.ts'
import { userDataOf } from './tokens-of.ts'

type Api = Handlers<typeof authApi>
type UserActor = Extract<Actor, { kind: 'user' }>

export function me(ctx: Ctx): UserActor {
  if (ctx.actor.kind !== 'user') throw new AppError('NOT_AUTHENTICATED')
  return ctx.actor
}

/** The caller's account once his password has been checked; guesses are counted like those at the login. */
export async function withPassword(ctx: OpenCtx, currentPassword: string): Promise<Account> {
  const account = await findAccount(ctx.db, me(ctx).userGuid)
  if (!account) throw new AppError('NOT_AUTHENTICATED')
  const { isRight } = await guess(ctx, account.authId, async () => ({
    isRight: await isPassword(account.passwordHash, currentPassword),
  }))
  if (!isRight) throw invalid('currentPassword', 'Incorrect password.')
  return account
}

const sessions: Api['sessions'] = async (ctx) => {
  const { userGuid, sessionGuid } = me(ctx)
  const items = await listLiveSessions(ctx.db, userGuid, ctx.now)
  return { items: items.map((s) => ({ ...s, isCurrent: s.guid === sessionGuid })) }
}

const endSession: Api['endSession'] = async (ctx, { guid }) => {
  const { userGuid } = me(ctx)
  const mine = await ctx.db
    .selectFrom('sessions')
    .select('guid')
    .where('guid', '=', guid)
    .where('userGuid', '=', userGuid)
    .executeTakeFirst()
  if (!mine) throw notFound()
  await revokeSession(ctx.db, guid, ctx.now)
  ctx.audit({ action: 'user.session_ended', entity: 'Users', guid: userGuid, after: { session: guid } })
  return null
}

const endOtherSessions: Api['endOtherSessions'] = async (ctx) => {
  const { userGuid, sessionGuid } = me(ctx)
  const ended = await revokeSessionsOf(ctx.db, userGuid, ctx.now, sessionGuid)
  ctx.audit({ action: 'user.sessions_ended', entity: 'Users', guid: userGuid, after: { ended } })
  return { ended }
}

const changePassword: Api['changePassword'] = async (ctx, { currentPassword, newPassword }) => {
  const { userGuid, sessionGuid } = me(ctx)
  await withPassword(ctx, currentPassword)
  const passwordHash = await hashPassword(newPassword)
  return ctx.tx(async (tx) => {
    const { authVersion } = await tx.db
      .updateTable('users')
      .set({ passwordHash, updatedAt: tx.now, updatedBy: userGuid })
      .where('guid', '=', userGuid)
      .returning('authVersion')
      .executeTakeFirstOrThrow()
    await revokeSessionsOf(tx.db, userGuid, tx.now, sessionGuid)
    await tx.db.updateTable('sessions').set({ authVersion }).where('guid', '=', sessionGuid).execute()
    await sendAccountEmail(tx, { kind: 'password_changed', userGuid })
    tx.audit({ action: 'user.password_changed', entity: 'Users', guid: userGuid })
    return null
  })
}

async function ownAnswer(ctx: Ctx) {
  const account = await findAccount(ctx.db, me(ctx).userGuid)
  if (!account) throw notFound()
  const { version, firstName, lastName, phone, roleGuid, lastLoginAt, createdAt } = account
  const twoStep = {
    isOn: account.twoStepOnAt !== null,
    isRequired: account.requiresTwoStep,
    recoveryCodesLeft: account.recoveryHashes.length,
  }
  return {
    user: {
      ...userDataOf(ctx.deps, account),
      version,
      firstName,
      lastName,
      phone,
      roleGuid,
      avatar: await avatarOf(ctx.deps.files, account),
      twoStep,
      lastLoginAt,
      createdAt,
    },
  }
}

const updateAccount: Api['updateAccount'] = async (ctx, { version, preferences, ...fields }) => {
  const { userGuid } = me(ctx)
  const before = await lockAccount(ctx.db, userGuid)
  if (!before) throw notFound()
  await checkVersion(before, version, authApi.account, () => ownAnswer(ctx))
  const merged: Preferences = { ...readPreferences(before.preferences), ...withoutUndefined(preferences ?? {}) }
  await ctx.db
    .updateTable('users')
    .set({
      ...withoutUndefined(fields),
      preferences: JSON.stringify(merged),
      version: version + 1,
      updatedAt: ctx.now,
      updatedBy: userGuid,
    })
    .where('guid', '=', userGuid)
    .execute()
  if (fields.email !== undefined && before.email && fields.email !== before.email)
    await sendAccountEmail(ctx, { kind: 'email_changed', userGuid, address: before.email })
  const answer = await ownAnswer(ctx)
  ctx.audit({
    action: 'user.updated',
    entity: 'Users',
    guid: userGuid,
    before: { ...fieldsOf(before), preferences: before.preferences },
    after: { ...fieldsOf(answer.user), preferences: merged },
  })
  return answer
}
const fieldsOf = ({
  firstName,
  lastName,
  email,
  phone,
}: Pick<Account, 'firstName' | 'lastName' | 'email' | 'phone'>) => ({ firstName, lastName, email, phone })

const setAvatar: Api['setAvatar'] = async (ctx, { avatar }) => {
  const { userGuid } = me(ctx)
  const columns = await readAvatar(ctx, avatar)
  return ctx.tx(async (tx) => {
    await tx.db
      .updateTable('users')
      .set({ ...columns, updatedAt: tx.now, updatedBy: userGuid })
      .where('guid', '=', userGuid)
      .execute()
    tx.audit({ action: 'user.photo_changed', entity: 'Users', guid: userGuid, after: { avatar: columns.avatarSha256 } })
    return ownAnswer(tx)
  })
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
/** What was sent, without the keys that were not. */
export const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>

export const own: Pick<
  Api,
  | 'sessions'
  | 'endSession'
  | 'endOtherSessions'
  | 'changePassword'
  | 'account'
  | 'updateAccount'
  | 'setAvatar'
  | 'activity'
  | 'documents'
> = {
  sessions,
  endSession,
  endOtherSessions,
  changePassword,
  account: ownAnswer,
  updateAccount,
  setAvatar,
  activity: async (ctx) => ({ items: await activityOf(ctx, me(ctx).userGuid, 'by') }),
  documents: async (ctx) => ({ items: await documentsOf(ctx) }),
}
