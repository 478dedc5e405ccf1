import type { credentialsApi } from '../../contract/credentials.ts'
import { conflict, invalid, invalidTransition } from '../../contract/core/errors.ts'
import { firstBusiness, nameOf } from '../businesses/businesses.service.ts'
import type { Actor, Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { hashPassword } from '../core/passwords.ts'
import { qrPath } from '../core/qr.ts'
import { newSecret, otpauthUrl, stepOfCode } from '../core/totp.ts'
import { findAccount, lockAccount } from './auth.queries.ts'
import { forgetGuesses, guess } from './login-throttle.ts'
import { askForReset, sendAccountEmail } from './account-emails.service.ts'
import { findByLink, spendLink } from './one-time-tokens.ts'
import { me, withPassword } from './own.service.ts'
import { revokeSessionsOf } from './sessions.service.ts'
import { newRecoveryCodes, openSecret, sealSecret, spendCode } from './two-step.ts'

type Api = Handlers<typeof credentialsApi>

const forgot: Api['forgot'] = async (ctx, { authID }) => {
  await askForReset(ctx, authID)
  return null
}

const checkReset: Api['checkReset'] = async (ctx, { token }) => {
  const { authId, expiresAt } = await findByLink(ctx, 'reset', token)
  return { authID: authId, expiresAt }
}

const reset: Api['reset'] = async (ctx, { token, password }) => {
  await findByLink(ctx, 'reset', token)
  const passwordHash = await hashPassword(password)
  const answer = await ctx.tx(async (tx) => {
    const { guid, authId } = await spendLink(tx, 'reset', token)
    await tx.db
      .updateTable('users')
      .set({ passwordHash, updatedAt: tx.now, updatedBy: guid })
      .where('guid', '=', guid)
      .execute()
    await revokeSessionsOf(tx.db, guid, tx.now)
    await sendAccountEmail(tx, { kind: 'password_changed', userGuid: guid })
    tx.audit({ action: 'user.password_reset', entity: 'Users', guid })
    return { authID: authId }
  })
  await forgetGuesses(ctx, answer.authID)
  return answer
}

const checkInvitation: Api['checkInvitation'] = async (ctx, { token }) => {
  const found = await findByLink(ctx, 'invitation', token)
  const inviter = found.createdBy ? await findAccount(ctx.db, found.createdBy) : undefined
  const business = await firstBusiness(ctx.db)
  return {
    authID: found.authId,
    firstName: found.firstName,
    lastName: found.lastName,
    roleName: found.roleName,
    invitedBy: inviter?.name ?? '',
    businessName: business ? nameOf(business) : '',
    asksForTwoStep: found.requiresTwoStep,
    expiresAt: found.expiresAt,
  }
}

const acceptInvitation: Api['acceptInvitation'] = async (ctx, { token, firstName, lastName, password }) => {
  await findByLink(ctx, 'invitation', token)
  const passwordHash = await hashPassword(password)
  return ctx.tx(async (tx) => {
    const { guid, authId } = await spendLink(tx, 'invitation', token)
    await tx.db
      .updateTable('users')
      .set({ firstName, lastName: lastName ?? '', passwordHash, status: 'active', updatedAt: tx.now, updatedBy: guid })
      .where('guid', '=', guid)
      .execute()
    tx.audit({
      action: 'user.invitation_accepted',
      entity: 'Users',
      guid,
      after: { firstName, lastName: lastName ?? '' },
    })
    return { authID: authId }
  })
}

const setupTwoStep: Api['setupTwoStep'] = async (ctx, { currentPassword }) => {
  const account = await withPassword(ctx, currentPassword)
  if (account.twoStepOnAt) throw invalidTransition('Two-step login is already on.')
  const secret = newSecret()
  await ctx.tx(async (tx) => {
    await tx.db
      .updateTable('users')
      .set({ twoStepPending: sealSecret(tx.deps, account.guid, secret) })
      .where('guid', '=', account.guid)
      .execute()
    tx.audit({ action: 'user.two_step_begun', entity: 'Users', guid: account.guid })
  })
  const url = otpauthUrl(ctx.deps.settings.appTitle, account.authId, secret)
  return { secret, otpauthUrl: url, qr: qrPath(url) }
}

const enableTwoStep: Api['enableTwoStep'] = async (ctx, { authCode }) => {
  const { userGuid, sessionGuid } = me(ctx)
  const answer = await ctx.tx(async (tx) => {
    const row = await lockAccount(tx.db, userGuid)
    if (!row?.twoStepPending) throw invalidTransition('Start by scanning the code with your authenticator app.')
    const step = stepOfCode(openSecret(tx.deps, userGuid, row.twoStepPending), authCode.replace(/\s/g, ''), tx.now, 0)
    if (step === null) return null
    const { codes, hashes } = newRecoveryCodes(tx.deps, userGuid)
    await tx.db
      .updateTable('users')
      .set({
        twoStepSecret: row.twoStepPending,
        twoStepPending: null,
        twoStepOnAt: tx.now,
        twoStepUsed: step,
        recoveryHashes: hashes,
        updatedAt: tx.now,
        updatedBy: userGuid,
      })
      .where('guid', '=', userGuid)
      .execute()
    // Sessions that were opened without the second factor do not go on beside it.
    await revokeSessionsOf(tx.db, userGuid, tx.now, sessionGuid)
    await sendAccountEmail(tx, { kind: 'two_step_on', userGuid })
    tx.audit({ action: 'user.two_step_enabled', entity: 'Users', guid: userGuid })
    return { recoveryCodes: codes }
  })
  if (!answer) throw invalid('authCode', 'Incorrect code.')
  return answer
}

/** The password and a code that is used up by it: both count as guesses. */
async function withBoth(ctx: OpenCtx, currentPassword: string, authCode: string) {
  const account = await withPassword(ctx, currentPassword)
  if (!account.twoStepOnAt) throw invalidTransition('Two-step login is off.')
  const { isRight } = await guess(ctx, account.authId, async () => ({
    isRight: (await spendCode(ctx, account, authCode)) !== null,
  }))
  if (!isRight) throw invalid('authCode', 'Incorrect code.')
  return account
}

const disableTwoStep: Api['disableTwoStep'] = async (ctx, { currentPassword, authCode }) => {
  const { guid, requiresTwoStep } = await withBoth(ctx, currentPassword, authCode)
  if (requiresTwoStep) throw conflict('Your role requires two-step login.')
  return ctx.tx(async (tx) => {
    await turnOff(tx, guid)
    tx.audit({ action: 'user.two_step_disabled', entity: 'Users', guid })
    return null
  })
}

/** Turns two-step login off and tells the owner; who may do that has been decided. */
export async function turnOff(ctx: Ctx, userGuid: string) {
  await ctx.db
    .updateTable('users')
    .set({
      twoStepSecret: null,
      twoStepPending: null,
      twoStepOnAt: null,
      recoveryHashes: [],
      updatedAt: ctx.now,
      updatedBy: actorGuid(ctx.actor),
    })
    .where('guid', '=', userGuid)
    .execute()
  await sendAccountEmail(ctx, { kind: 'two_step_off', userGuid })
}
const actorGuid = (actor: Actor) => (actor.kind === 'user' ? actor.userGuid : null)

const newCodes: Api['newRecoveryCodes'] = async (ctx, { currentPassword, authCode }) => {
  const { guid } = await withBoth(ctx, currentPassword, authCode)
  const { codes, hashes } = newRecoveryCodes(ctx.deps, guid)
  return ctx.tx(async (tx) => {
    await tx.db
      .updateTable('users')
      .set({ recoveryHashes: hashes, updatedAt: tx.now, updatedBy: guid })
      .where('guid', '=', guid)
      .execute()
    await sendAccountEmail(tx, { kind: 'recovery_codes', userGuid: guid })
    tx.audit({ action: 'user.recovery_codes_created', entity: 'Users', guid })
    return { recoveryCodes: codes }
  })
}

export const credentials: Api = {
  forgot,
  checkReset,
  reset,
  checkInvitation,
  acceptInvitation,
  setupTwoStep,
  enableTwoStep,
  disableTwoStep,
  newRecoveryCodes: newCodes,
}
