import { type Mailbox, openMailbox } from '../core/adapters/imap.ts'
import { type MailLogin, type SmtpSession, smtpSession } from '../core/adapters/smtp.ts'
import type { OpenCtx } from '../core/ctx.ts'
import type { Settings } from '../core/env.ts'
import { checkOutbound, OutboundError } from '../core/outbound.ts'
import type { AccountRow } from './email-accounts.queries.ts'
import { openSecret } from './secrets.ts'
import { accessTokenOf, AccountLoginError } from './tokens.ts'

export { AccountLoginError } from './tokens.ts'

/** How long a mail server may be silent. */
export const silenceMs = 20_000
export const tooLate = 'The email server didn’t respond in time.'

/** Names that never exist: outside production, mail of such an account stays in the local outbox. */
export const isSampleHost = ({ mode }: Pick<Settings, 'mode'>, host: string): boolean =>
  mode !== 'production' && host.endsWith('.example')

/** With what an account logs in to one of its servers; null where that asks for no login. */
export async function loginOf(ctx: OpenCtx, account: AccountRow, to: 'smtp' | 'imap'): Promise<MailLogin | null> {
  const user = account[to]?.username ?? ''
  if (account.authKind === 'oauth2') return { user, accessToken: await accessTokenOf(ctx, account.guid) }
  if (user === '') return null
  const sealed = to === 'smtp' ? account.smtpSecret : account.imapSecret
  const password = sealed === null ? null : openSecret(ctx.deps.keys, account.guid, to, sealed)
  if (password === null) throw new AccountLoginError('broken', 'Enter the password again.')
  return { user, password }
}

/** The way to the mail server of an account, not connected yet. */
export async function smtpOf(ctx: OpenCtx, { smtp }: Pick<AccountRow, 'smtp'>): Promise<SmtpSession> {
  const checked = await checkOutbound(ctx.deps.settings, smtp, smtp.security === 'none')
  return smtpSession(checked, smtp.security, silenceMs)
}

/** The mailbox of an account, open; whoever asks for it closes it. */
export async function imapOf(ctx: OpenCtx, account: AccountRow): Promise<Mailbox> {
  const { imap } = account
  if (!imap) throw new Error('the account has no mailbox')
  if (isSampleHost(ctx.deps.settings, imap.host)) throw new OutboundError()
  const checked = await checkOutbound(ctx.deps.settings, imap, imap.security === 'none')
  const login = await loginOf(ctx, account, 'imap')
  if (!login) throw new AccountLoginError('broken', 'Enter the password again.')
  return openMailbox(checked, imap.security, login, silenceMs)
}
