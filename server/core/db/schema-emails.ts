import type { ColumnType, Generated } from 'kysely'
import type { EmailAccountStatus, EmailProvider, MailServer, TestStep } from '../../../contract/email-accounts.ts'
import type { QuarantineReason } from '../../../contract/inbound.ts'
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
  /** Why the mailbox could not be read last. */
  readSaid: Optional<string>
  /** Since when its servers have answered as they are set up. */
  answeredAt: InstantOrNull
  /** Counts the mailboxes it had: each numbers its mails by itself. */
  mailbox: Generated<number>
  /** How far the mailbox was read. */
  uidValidity: Optional<number>
  lastUid: Optional<number>
  lastReadAt: InstantOrNull
  /** Since when the account has one, where it had none at first. */
  mailboxSince: InstantOrNull
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

/** How far a test is that somebody waits for. */
interface EmailAccountTests {
  run: string
  accountGuid: string
  steps: ColumnType<TestStep[], string | undefined, string>
  beganAt: GivenInstant
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

interface InboundMails {
  guid: Generated<string>
  businessGuid: string
  accountGuid: string
  mailbox: Generated<number>
  uidValidity: number
  uid: number
  bytes: number
  /** None of a mail that is too large to be fetched. */
  rawSha256: Optional<string>
  state: Generated<'stored' | 'filed' | 'unmatched' | 'bounce' | 'ignored' | 'quarantined'>
  reason: Optional<QuarantineReason>
  /** What the headers of a mail that is kept away say, where they could be read alone. */
  sender: Optional<string>
  subject: Optional<string>
  attempts: Generated<number>
  /** What became of it; of a bounce the message it is about. */
  messageGuid: Optional<string>
  receivedAt: Instant
  settledAt: InstantOrNull
}
/** Who reads a mailbox just now. */
interface MailboxLeases {
  accountGuid: string
  holder: string
  until: GivenInstant
  /** The mail that is being fetched, and how often that was begun. */
  atUid: Optional<number>
  tries: Generated<number>
}

export interface EmailTables {
  inboundMails: InboundMails
  mailboxLeases: MailboxLeases
  messageRecipients: MessageRecipients
  messageFiles: MessageFiles
  messageViews: MessageViews
  emailAccounts: EmailAccounts
  emailAccountTests: EmailAccountTests
  emailLogins: EmailLogins
}
