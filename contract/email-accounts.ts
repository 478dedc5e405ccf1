import { z } from 'zod'
import { answerOf } from './core/answer.ts'
import { archivingOps } from './core/archiving.ts'
import { archivedFilter, email, guid, listQuery, maybe, pageOf, recordShape, text, timestamp } from './core/common.ts'
import { get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { messagePurposes } from './messages.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.EmailAccounts

export const mailSecurities = ['tls', 'starttls', 'none'] as const
export const emailProviders = ['google', 'microsoft'] as const
export type EmailProvider = (typeof emailProviders)[number]
export const emailAccountStatuses = ['active', 'paused', 'needs_login', 'broken'] as const
export type EmailAccountStatus = (typeof emailAccountStatuses)[number]
/** How an account is: `resting` after five failures, `capped` until tomorrow. */
export const emailAccountStates = ['healthy', 'resting', 'capped', 'paused', 'needs_login', 'broken'] as const
export type EmailAccountState = (typeof emailAccountStates)[number]

const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Enter a server.')
  .max(253, 'Use 253 characters or fewer.')
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$|^[0-9a-f:.]+$/,
    'Enter a server name.',
  )
const server = z.strictObject({
  host,
  port: z.int().min(1, 'Enter a port.').max(65_535, 'Enter a port.'),
  security: z.enum(mailSecurities),
  /** Empty where the server asks for no login. */
  username: z
    .string()
    .trim()
    .max(254, 'Use 254 characters or fewer.')
    // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'Remove line breaks and special characters.'),
})
export type MailServer = z.infer<typeof server>

/** A password is taken letter for letter, and never shown again. */
const password = z.string().min(1, 'Enter a password.').max(500, 'Use 500 characters or fewer.')
const auth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('password'), password: password.optional() }),
  z.strictObject({ kind: z.literal('oauth2'), provider: z.enum(emailProviders) }),
])

const accountFields = {
  /** What it sends: an account of the purpose goes first, then a general one. */
  purpose: z.enum(messagePurposes),
  fromName: text(120),
  fromAddress: email,
  smtp: server,
  imap: maybe(server),
  /** The folder that keeps what was sent; empty: the one the server names itself. */
  sentFolder: maybe(text(200)),
  dailyCap: z.int().min(1, 'Enter 1 or more.').max(100_000, 'Enter 100,000 or less.').default(500),
  perMinuteCap: z.int().min(1, 'Enter 1 or more.').max(1000, 'Enter 1,000 or less.').default(30),
  failoverOrder: z.int().min(0, 'Enter 0 or more.').max(100, 'Enter 100 or less.').default(0),
  plusAddressing: z.boolean().default(false),
  status: z.enum(['active', 'paused']).default('active'),
}
export const emailAccountInput = z.strictObject({ ...accountFields, auth })
export type EmailAccountInput = z.infer<typeof emailAccountInput>

const account = z.object({
  ...recordShape,
  businessGuid: guid,
  ...answerOf(accountFields),
  auth: z.object({ kind: z.enum(['password', 'oauth2']), provider: z.enum(emailProviders).nullable() }),
  hasSecret: z.boolean(),
  state: z.enum(emailAccountStates),
  openUntil: timestamp.nullable(),
  sentToday: z.int(),
  lastSentAt: timestamp.nullable(),
  lastReadAt: timestamp.nullable(),
  lastSaid: z.string().nullable(),
})
export type EmailAccount = z.infer<typeof account>

/** What mail leaves by where no account takes it: settings of the installation, shown and never changed here. */
const installation = z.object({
  kind: z.enum(['smtp', 'outbox']),
  host: z.string().nullable(),
  from: z.string().nullable(),
})
export type MailOfInstallation = z.infer<typeof installation>

const one = z.object({ account })
const update = ['update', 'EmailAccounts:Update:Guid'] as const

export const emailAccountsApi = {
  list: get({
    path: '/EmailAccounts',
    effect: 'read',
    can: pages.list.can,
    summary: 'Email accounts in the order they are tried, and what mail leaves by without them',
    query: listQuery(['failoverOrder', 'fromAddress'], { archived: archivedFilter }).omit({ search: true }),
    response: pageOf(account).extend({ installation }),
  }),
  get: get({
    path: '/EmailAccounts/:guid',
    effect: 'read',
    can: ['read', 'EmailAccounts:Preview:Guid'],
    summary: 'One email account, never with its secrets',
    response: one,
  }),
  create: post({
    path: '/EmailAccounts',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Email account created.',
    summary: 'Adds an email account',
    body: emailAccountInput,
    response: one,
  }),
  update: patch({
    path: '/EmailAccounts/:guid',
    effect: 'write',
    can: update,
    message: 'Email account saved.',
    summary: 'Changes an email account; another server asks for the password again',
    body: patchOf(emailAccountInput),
    response: one,
  }),
  ...archivingOps('EmailAccounts', 'an email account', one),
}
