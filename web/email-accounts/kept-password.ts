import { type EmailAccount, isSameServer } from '../../contract/email-accounts.ts'
import type { AccountValues } from './account-fields.ts'

/** Whether a password that is left empty is kept, or has to be entered again; null where there is none to keep. */
export function keptPassword(
  account: EmailAccount | undefined,
  { smtp, imap }: Pick<AccountValues, 'smtp' | 'imap'>,
): 'kept' | 'again' | null {
  if (!account?.hasSecret || account.auth.provider) return null
  const isKept = (server: AccountValues['imap'], saved: AccountValues['imap']) =>
    !server?.username.trim() || isSameServer({ ...server, host: server.host.trim().toLowerCase() }, saved)
  return isKept(smtp, account.smtp) && isKept(imap, account.imap) ? 'kept' : 'again'
}
