import { isIP } from 'node:net'
import {
  type EmailAccountInput,
  type EmailProvider,
  isSameServer,
  type MailServer,
} from '../../contract/email-accounts.ts'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import type { Ctx } from '../core/ctx.ts'
import { isNeverOutbound, outboundRefusal } from '../core/outbound.ts'
import { isSampleHost } from './connections.service.ts'
import type { AccountRow } from './email-accounts.queries.ts'
import { sealSecret } from './secrets.ts'

/** The servers of a provider: its logins are worth nothing anywhere else, and must not be shown to anybody else. */
const providers: Readonly<Record<EmailProvider, { hosts: readonly string[]; sentence: string }>> = {
  google: {
    hosts: ['smtp.gmail.com', 'imap.gmail.com'],
    sentence: 'Use smtp.gmail.com and imap.gmail.com for Google.',
  },
  microsoft: {
    hosts: ['smtp.office365.com', 'smtp-mail.outlook.com', 'outlook.office365.com'],
    sentence: 'Use smtp.office365.com and outlook.office365.com for Microsoft.',
  },
}

const passwordAgain = 'Enter the password again: it is only used for the server it was entered for.'

type Given = Omit<EmailAccountInput, 'status'>

/** Whether a login of a provider may be shown to a server. To one that never exists nobody connects. */
function isOf({ deps: { settings } }: Ctx, provider: EmailProvider, host: string): boolean {
  if (isIP(host) !== 0) return settings.outboundAllow.length > 0
  return providers[provider].hosts.includes(host) || isSampleHost(settings, host)
}

function serverProblems(ctx: Ctx, path: 'smtp' | 'imap', server: MailServer, { auth }: Given): FieldError[] {
  const { settings } = ctx.deps
  const problems: FieldError[] = []
  if (isNeverOutbound(settings, server)) problems.push({ path: `${path}.host`, message: outboundRefusal })
  else if (auth.kind === 'oauth2' && !isOf(ctx, auth.provider, server.host))
    problems.push({ path: `${path}.host`, message: providers[auth.provider].sentence })
  if (server.security === 'none' && settings.outboundAllow.length === 0)
    problems.push({ path: `${path}.security`, message: 'Choose TLS or STARTTLS.' })
  if (server.username === '' && (path === 'imap' || auth.kind === 'oauth2'))
    problems.push({ path: `${path}.username`, message: 'Enter a username.' })
  return problems
}

type Secrets = Pick<
  AccountRow,
  'smtpSecret' | 'imapSecret' | 'refreshSecret' | 'accessSecret' | 'accessUntil' | 'renewingUntil'
>
const none: Secrets = {
  smtpSecret: null,
  imapSecret: null,
  refreshSecret: null,
  accessSecret: null,
  accessUntil: null,
  renewingUntil: null,
}

/** The secrets an account keeps: each only for the server it was entered for. */
function secretsOf(ctx: Ctx, guid: string, given: Given, before: AccountRow | null): Secrets {
  const { smtp, imap, auth } = given
  if (auth.kind === 'oauth2') {
    const isKept =
      before !== null &&
      before.provider === auth.provider &&
      isSameServer(smtp, before.smtp) &&
      (!imap || !before.imap || isSameServer(imap, before.imap))
    return isKept ? { ...none, ...pick(before) } : none
  }
  const { password } = auth
  const seal = (of: 'smtp' | 'imap') => sealSecret(ctx.deps.keys, guid, of, password ?? '')
  if (password !== undefined)
    return { ...none, smtpSecret: smtp.username ? seal('smtp') : null, imapSecret: imap ? seal('imap') : null }
  const was = before?.authKind === 'password' ? before : null
  const isMissing = (server: MailServer, old: MailServer | null | undefined, secret: string | null | undefined) =>
    server.username !== '' && (!secret || !isSameServer(server, old))
  if (isMissing(smtp, was?.smtp, was?.smtpSecret) || (imap && isMissing(imap, was?.imap, was?.imapSecret)))
    refuseFields([{ path: 'auth.password', message: was ? passwordAgain : 'Enter a password.' }])
  return {
    ...none,
    smtpSecret: smtp.username ? (was?.smtpSecret ?? null) : null,
    imapSecret: imap ? (was?.imapSecret ?? null) : null,
  }
}

const pick = ({ refreshSecret, accessSecret, accessUntil, renewingUntil }: AccountRow) => ({
  refreshSecret,
  accessSecret,
  accessUntil,
  renewingUntil,
})

/** Whether whoever logs in, or where, is another one than before. */
const isAnotherLogin = (next: Secrets, before: AccountRow) =>
  next.smtpSecret !== before.smtpSecret ||
  next.imapSecret !== before.imapSecret ||
  next.refreshSecret !== before.refreshSecret

/** How an account stands once it is saved: a person pauses it, a login that is missing is asked for. */
function statusOf(
  asked: 'active' | 'paused' | undefined,
  { auth }: Given,
  secrets: Secrets,
  before: AccountRow | null,
): AccountRow['status'] {
  if ((asked ?? before?.status) === 'paused') return 'paused'
  if (auth.kind === 'oauth2' && !secrets.refreshSecret) return 'needs_login'
  if (asked === undefined && before?.status === 'broken' && !isAnotherLogin(secrets, before)) return 'broken'
  return before?.status === 'needs_login' && auth.kind === 'oauth2' && asked === undefined ? 'needs_login' : 'active'
}

/** The columns of an account as somebody enters it, checked. */
export function written(
  ctx: Ctx,
  guid: string,
  given: Given,
  { status, before }: { status: 'active' | 'paused' | undefined; before: AccountRow | null },
) {
  const { smtp, imap = null, auth } = given
  refuseFields([...serverProblems(ctx, 'smtp', smtp, given), ...(imap ? serverProblems(ctx, 'imap', imap, given) : [])])
  const secrets = secretsOf(ctx, guid, given, before)
  const isAnother = before !== null && (isAnotherLogin(secrets, before) || !isSameServer(smtp, before.smtp))
  const isOtherMailbox = before !== null && (imap ? !isSameServer(imap, before.imap) : before.imap !== null)
  return {
    purpose: given.purpose,
    fromName: given.fromName,
    fromAddress: given.fromAddress,
    smtp: JSON.stringify(smtp),
    imap: imap ? JSON.stringify(imap) : null,
    sentFolder: given.sentFolder || null,
    dailyCap: given.dailyCap,
    perMinuteCap: given.perMinuteCap,
    failoverOrder: given.failoverOrder,
    plusAddressing: given.plusAddressing,
    authKind: auth.kind,
    provider: auth.kind === 'oauth2' ? auth.provider : null,
    status: statusOf(status, given, secrets, before),
    ...secrets,
    ...(isAnother ? { failures: 0, openUntil: null, lastSaid: null, answeredAt: null } : {}),
    // Another mailbox numbers its mails anew.
    ...(isOtherMailbox ? { mailbox: before.mailbox + 1, uidValidity: null, lastUid: null, lastReadAt: null } : {}),
    ...(isOtherMailbox || isAnother ? { readSaid: null } : {}),
    ...(imap && before?.imap === null ? { mailboxSince: ctx.now } : {}),
  }
}
