import type { MessageFailure } from '../../contract/messages.ts'
import { hasMail, type Mailbox, sentFolderOf } from '../core/adapters/imap.ts'
import { keepInOutbox, type Mail, rawOf } from '../core/adapters/mail.ts'
import { type Reached, SmtpError, type SmtpSession, type Taken } from '../core/adapters/smtp.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { imapOf, isSampleHost, loginOf, smtpOf, tooLate } from './connections.service.ts'
import type { AccountRow } from './email-accounts.queries.ts'
import { accountAnswered, accountFailed } from './routes.service.ts'
import { AccountLoginError } from './tokens.ts'

export type Left =
  | { outcome: 'accepted'; raw: Uint8Array; taken: Taken }
  | {
      /** `refused` for good; `deferred` is worth another try. */
      outcome: 'refused' | 'deferred'
      reason: string
      type: MessageFailure
      /** Nothing of the message was handed over: another account may take it. */
      mayGoElsewhere: boolean
      /** All of it was, and the server never said a word. */
      isUnanswered: boolean
      /** Nobody was asked, because somebody has to log in first: it counts as no try. */
      isWaiting: boolean
    }

/** A mail leaves by an account; what that says of the account's health is written down. */
export async function leaveBy(ctx: OpenCtx, account: AccountRow, mail: Mail, withinMs: number): Promise<Left> {
  if (isSampleHost(ctx.deps.settings, account.smtp.host)) return kept(ctx, mail)
  const { raw, to } = await rawOf(mail)
  let session: SmtpSession | null = null
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    session?.close(tooLate)
  }, withinMs)
  try {
    session = await smtpOf(ctx, account)
    const login = await loginOf(ctx, account, 'smtp')
    // The name took too long to resolve: there was nothing to close yet.
    if (isLate) throw new Error(tooLate)
    await session.connect()
    await session.secure()
    if (login) await session.login(login)
    const taken = await session.send({ from: account.fromAddress, to }, raw)
    await accountAnswered(ctx, account)
    return { outcome: 'accepted', raw, taken }
  } catch (error) {
    return failed(ctx, account, error)
  } finally {
    clearTimeout(late)
    session?.close()
  }
}

async function kept(ctx: OpenCtx, mail: Mail): Promise<Left> {
  const raw = await keepInOutbox(ctx.deps.settings, mail)
  return { outcome: 'accepted', raw, taken: { response: 'kept in the local outbox', rejected: [] } }
}

async function failed(ctx: OpenCtx, account: AccountRow, error: unknown): Promise<Left> {
  const reason = error instanceof Error ? error.message : String(error)
  const nothing = { reason, mayGoElsewhere: true, isUnanswered: false, isWaiting: false }
  if (error instanceof AccountLoginError) {
    await accountFailed(ctx, account, { said: reason, isLogin: true, status: error.status })
    return { ...nothing, outcome: 'deferred', type: 'login', isWaiting: true }
  }
  if (!(error instanceof SmtpError)) {
    await accountFailed(ctx, account, { said: reason, isLogin: false })
    return { ...nothing, outcome: 'deferred', type: 'connection' }
  }
  const { step, code, reached, command } = error
  if (step !== 'send') {
    const isLogin = step === 'login' && code >= 500
    await accountFailed(ctx, account, { said: reason, isLogin })
    return { ...nothing, outcome: 'deferred', type: step === 'login' ? 'login' : 'connection' }
  }
  const isFinal = code >= 500 && code < 600
  const isOfRecipient = command === 'RCPT TO' || /recipients? were rejected/i.test(reason)
  // What a server says of a recipient or of a message says nothing of the account.
  if (reached === 'nothing' && !isOfRecipient) await accountFailed(ctx, account, { said: reason, isLogin: false })
  return {
    reason,
    outcome: isFinal ? 'refused' : 'deferred',
    type: code === 0 ? 'connection' : isOfRecipient && isFinal ? 'address' : 'refused',
    mayGoElsewhere: reached === 'nothing' && !(isOfRecipient && isFinal),
    isUnanswered: isSilent(reached, code),
    isWaiting: false,
  }
}

const isSilent = (reached: Reached, code: number) => reached === 'all' && code === 0

/** Whether the Sent folder of an account has a mail; `unknown` where it cannot be asked now, or not in time. */
export async function lookForSent(
  ctx: OpenCtx,
  account: AccountRow,
  messageId: string,
  withinMs: number,
): Promise<'there' | 'absent' | 'unknown'> {
  if (!account.imap || isSampleHost(ctx.deps.settings, account.imap.host)) return 'absent'
  let mailbox: Mailbox | null = null
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    mailbox?.client.close()
  }, withinMs)
  try {
    mailbox = await imapOf(ctx, account)
    if (isLate) return 'unknown'
    const folder = await sentFolderOf(mailbox.client, account.sentFolder)
    return folder !== null && (await hasMail(mailbox.client, folder, messageId)) ? 'there' : 'absent'
  } catch (error) {
    if (error instanceof AccountLoginError)
      await accountFailed(ctx, account, { said: error.message, isLogin: true, status: error.status })
    return 'unknown'
  } finally {
    clearTimeout(late)
    mailbox?.client.close()
  }
}
