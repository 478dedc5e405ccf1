import { createHash } from 'node:crypto'
import { invitationHours, invitationPath, resetMinutes, resetPath } from '../../contract/credentials.ts'
import { AppError } from '../../contract/core/errors.ts'
import { currentBusiness, nameOf } from '../businesses/businesses.service.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { countUse } from '../core/http/limits.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { maxUnanswered } from '../core/adapters/mail.ts'
import { defineJob } from '../core/jobs/jobs.ts'
import { htmlOf, textOf } from '../messages/layout.ts'
import { messageIdOf, senderOf } from '../messages/sender.ts'
import { type Account, findAccount, findUserByLogin, readPreferences } from './auth.queries.ts'
import { openLink } from './one-time-tokens.ts'

const queue = 'people.letter'
const unansweredWaitMs = 60_000
/** Letters with a link that one login may cause in a quarter of an hour; more are kept back without a word. */
const linksPerLogin = { most: 5, seconds: 900 }

/** Letters that tell an owner of a change, and those that carry a link. */
export type Letter = LetterKind & {
  /** How often the mail server hung up after it had the whole letter. */
  unanswered?: number
}
type LetterKind =
  | {
      kind: 'password_changed' | 'two_step_on' | 'two_step_off' | 'recovery_codes' | 'recovery_used' | 'login_changed'
      userGuid: string
    }
  /** To the address that was: whoever takes an account over changes it first. */
  | { kind: 'email_changed'; userGuid: string; address: string }
  | { kind: 'invitation'; userGuid: string; invitedBy: string }
  | { kind: 'reset'; authID: string }

/** Queued in the transaction of the change; what a letter says and to whom is found out when it is written. */
export const sendAccountEmail = (ctx: Pick<Ctx, 'enqueue'>, letter: Letter) => ctx.enqueue(queue, { ...letter })

interface Recipient {
  account: Account
  address: string
}

async function recipientOf(ctx: Ctx, letter: Letter): Promise<Recipient | null> {
  const account =
    letter.kind === 'reset' ? await findUserByLogin(ctx.db, letter.authID) : await findAccount(ctx.db, letter.userGuid)
  if (!account) return null
  if (letter.kind === 'reset' && (account.status !== 'active' || account.roleArchivedAt !== null)) return null
  if (letter.kind === 'invitation' && account.status !== 'invited') return null
  if (letter.kind === 'email_changed') return { account, address: letter.address }
  const address = account.email || (/^[^\s@<>]+@[^\s@<>]+$/.test(account.authId) ? account.authId : '')
  return address ? { account, address } : null
}

async function isWithinLimit(ctx: Ctx, account: Account): Promise<boolean> {
  try {
    await countUse(ctx.db, `letter:${createHash('sha256').update(account.guid).digest('base64url')}`, linksPerLogin)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') return false
    throw error
  }
}

/** The link of a letter. It is made anew each time a letter is written, so that only its hash is ever kept. */
async function linkOf(ctx: OpenCtx, letter: Letter, account: Account): Promise<string | null> {
  if (letter.kind !== 'reset' && letter.kind !== 'invitation') return null
  const [path, minutes] = letter.kind === 'reset' ? [resetPath, resetMinutes] : [invitationPath, invitationHours * 60]
  const token = await ctx.tx((tx) => openLink(tx, letter.kind, account, minutes))
  return `${ctx.deps.settings.publicUrl}${path}#${token}`
}

/** Writes and sends one letter; a mail server that is not there makes the job come back. */
export async function writeLetter(ctx: OpenCtx, letter: Letter): Promise<void> {
  const to = await recipientOf(ctx, letter)
  if (!to || (letter.kind === 'reset' && !(await isWithinLimit(ctx, to.account)))) return
  const { account, address } = to
  const business = await currentBusiness(ctx.db).catch(() => null)
  const name = business ? nameOf(business) : ctx.deps.settings.appTitle
  const language = readPreferences(account.preferences).language ?? ctx.deps.settings.defaultLanguage
  const t = phrases('people', language)
  const values = {
    product: ctx.deps.settings.appTitle,
    business: name,
    login: account.authId,
    role: account.roleName,
    greeting: account.firstName || account.authId,
    invitedBy: letter.kind === 'invitation' ? letter.invitedBy : '',
    hours: invitationHours,
    minutes: resetMinutes,
  }
  const link = await linkOf(ctx, letter, account)
  const subject = t(`letter.${letter.kind}.subject`, values)
  const paragraphs = t(`letter.${letter.kind}.body`, values)
    .split('\n\n')
    .map((p) => p.split('\n'))
  const data = {
    language,
    subject,
    preview: paragraphs[1]?.join(' ') ?? subject,
    business: name,
    paragraphs,
    button: link ? { label: t(`letter.${letter.kind}.button`), link, hint: t('hint') } : null,
    footer: [t('footer.sender', values), t('footer.why')],
  }
  const { from, replyTo } = senderOf(ctx.deps.settings, { name, email: business?.email ?? null })
  const guid = newGuid()
  const result = await ctx.deps.mail.send({
    guid,
    from,
    to: [address],
    ...(replyTo ? { replyTo } : {}),
    subject,
    html: await htmlOf(data, business?.primaryColour ?? '#675DD8'),
    text: textOf(data),
    messageId: messageIdOf(guid, from),
  })
  if (result.outcome === 'deferred' && result.isUnanswered) return sendAgain(ctx, letter, result.reason)
  if (result.outcome === 'deferred') throw new Error(`the letter could not be sent yet: ${result.reason}`)
  if (result.outcome === 'refused')
    ctx.log.warn({ kind: letter.kind, user: account.guid, reason: result.reason }, 'a letter was refused')
}

/** It may have arrived: sent again a few times, with a link of its own each time, and then left. */
async function sendAgain(ctx: OpenCtx, letter: Letter, reason: string) {
  const unanswered = (letter.unanswered ?? 0) + 1
  if (unanswered > maxUnanswered)
    return ctx.log.warn(
      { kind: letter.kind, reason },
      'a letter was taken by the mail server without an answer, and is not sent again',
    )
  await ctx.enqueue(
    queue,
    { ...letter, unanswered },
    { startAfter: new Date(ctx.deps.now().getTime() + unanswered * unansweredWaitMs) },
  )
}

export const accountEmailJob = defineJob(
  queue,
  { effect: 'external', concurrency: 2, retryLimit: 8, expireInSeconds: 120 },
  (ctx, data) => writeLetter(ctx, data as unknown as Letter),
)
