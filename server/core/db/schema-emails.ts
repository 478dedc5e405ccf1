import type { Generated } from 'kysely'
import type { EmailAccountStatus, EmailProvider, MailServer } from '../../../contract/email-accounts.ts'
import type { MessagePurpose, RecipientState } from '../../../contract/messages.ts'
import type { Record } from './schema-business.ts'
import type { GivenInstant, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

export interface EmailAccounts extends Record {
  businessGuid: string
  purpose: MessagePurpose
  fromName: string
  fromAddress: string
  smtp: Json<MailServer>
  imap: JsonOrNull<MailServer>
  sentFolder: Optional<string>
  authKind: 'password' | 'oauth2'
  provider: Optional<EmailProvider>
  /** Sealed to the account and to the protocol each is for. */
  smtpSecret: Optional<string>
  imapSecret: Optional<string>
  refreshSecret: Optional<string>
  accessSecret: Optional<string>
  accessUntil: InstantOrNull
  renewingUntil: InstantOrNull
  dailyCap: Generated<number>
  perMinuteCap: Generated<number>
  failoverOrder: Generated<number>
  plusAddressing: Generated<boolean>
  status: Generated<EmailAccountStatus>
  failures: Generated<number>
  openUntil: InstantOrNull
  lastSaid: Optional<string>
  /** How far the mailbox was read. */
  uidValidity: Optional<number>
  lastUid: Optional<number>
  lastReadAt: InstantOrNull
}

/** A login by a provider that somebody has begun. */
interface EmailLogins {
  stateHash: string
  accountGuid: string
  userGuid: string
  /** Sealed to the state. */
  verifier: string
  expiresAt: GivenInstant
}

interface MessageRecipients {
  messageGuid: string
  address: string
  kind: 'to' | 'cc' | 'bcc'
  state: Generated<RecipientState>
  at: InstantOrNull
  reason: Optional<string>
}
interface MessageFiles {
  messageGuid: string
  fileGuid: string
  position: number
}
interface MessageViews {
  messageGuid: string
  at: Instant
}

export interface EmailTables {
  messageRecipients: MessageRecipients
  messageFiles: MessageFiles
  messageViews: MessageViews
  emailAccounts: EmailAccounts
  emailLogins: EmailLogins
}
