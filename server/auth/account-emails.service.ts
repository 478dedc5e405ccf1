import { createHash } from 'node:crypto'
import { invitationHours, invitationPath, resetMinutes, resetPath } from '../../contract/credentials.ts'
import { AppError } from '../../contract/core/errors.ts'
import { firstBusiness, nameOf } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { countUse } from '../core/http/limits.ts'
import { defineJob } from '../core/jobs/jobs.ts'
import { queueAccountEmail } from '../messages/messages.service.ts'
import { type Account, findAccount, findUserByLogin, readPreferences } from './auth.queries.ts'
import { issueToken } from './one-time-tokens.ts'

/** Called as it was when jobs that may still be waiting were queued. */
const queue = 'people.letter'
/** Emails with a link that one login may cause in a quarter of an hour; more are kept back without a word. */
const linksPerLogin = { most: 5, seconds: 900 }

/** Emails that tell an owner of a change, and those that carry a link. */
export type AccountEmail =
  | {
      kind: 'password_changed' | 'two_step_on' | 'two_step_off' | 'recovery_codes' | 'recovery_used' | 'login_changed'
      userGuid: string
    }
  /** To the address that was: whoever takes an account over changes it first. */
  | { kind: 'email_changed'; userGuid: string; address: string }
  | { kind: 'invitation'; userGuid: string; invitedBy: string }
  | { kind: 'reset'; authID: string }

/**
 * Puts an email into the outbox in the transaction of the change it tells of, and after that
 * change: it says what is now.
 */
export async function sendAccountEmail(ctx: Ctx, email: AccountEmail): Promise<void> {
  const to = await recipientOf(ctx, email)
  if (!to || (email.kind === 'reset' && !(await isWithinLimit(ctx, to.account)))) return
  const { account, address } = to
  const business = await firstBusiness(ctx.db)
  const { appTitle, defaultLanguage } = ctx.deps.settings
  const name = business ? nameOf(business) : appTitle
  await queueAccountEmail(ctx, {
    kind: email.kind,
    userGuid: account.guid,
    to: address,
    facts: {
      language: readPreferences(account.preferences).language ?? defaultLanguage,
      values: {
        product: appTitle,
        business: name,
        login: account.authId,
        role: account.roleName,
        greeting: account.firstName || account.authId,
        invitedBy: email.kind === 'invitation' ? email.invitedBy : '',
        hours: String(invitationHours),
        minutes: String(resetMinutes),
      },
      business: { name, email: business?.email ?? null, primaryColour: business?.primaryColour ?? '#675DD8' },
      ...(await linkOf(ctx, email, account)),
    },
  })
}

/**
 * Whether the login exists is found out by a job: nothing about the answer, nor the time it takes, can depend on it.
 */
export const askForReset = (ctx: Pick<Ctx, 'enqueue'>, authID: string) => ctx.enqueue(queue, { kind: 'reset', authID })

interface Recipient {
  account: Account
  address: string
}

async function recipientOf(ctx: Ctx, email: AccountEmail): Promise<Recipient | null> {
  const account =
    email.kind === 'reset' ? await findUserByLogin(ctx.db, email.authID) : await findAccount(ctx.db, email.userGuid)
  if (!account) return null
  if (email.kind === 'reset' && (account.status !== 'active' || account.roleArchivedAt !== null)) return null
  if (email.kind === 'invitation' && account.status !== 'invited') return null
  if (email.kind === 'email_changed') return { account, address: email.address }
  const address = account.email || (/^[^\s@<>]+@[^\s@<>]+$/.test(account.authId) ? account.authId : '')
  return address ? { account, address } : null
}

async function isWithinLimit(ctx: Ctx, account: Account): Promise<boolean> {
  try {
    await countUse(
      ctx.db,
      `account-email:${createHash('sha256').update(account.guid).digest('base64url')}`,
      linksPerLogin,
    )
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

/** The link of an email, and until when it works. */
async function linkOf(ctx: Ctx, { kind }: AccountEmail, account: Account) {
  if (kind !== 'reset' && kind !== 'invitation') return { link: null }
  const [path, minutes] = kind === 'reset' ? [resetPath, resetMinutes] : [invitationPath, invitationHours * 60]
  const token = await issueToken(ctx, kind, account, minutes)
  return {
    link: `${ctx.deps.settings.publicUrl}${path}#${token}`,
    until: new Date(ctx.now.getTime() + minutes * 60_000).toISOString(),
  }
}

/** Works off requests for a reset. */
export const accountEmailJob = defineJob(
  queue,
  { effect: 'transaction', concurrency: 2, retryLimit: 8, expireInSeconds: 120 },
  (ctx, data) => sendAccountEmail(ctx, data as unknown as AccountEmail),
)
