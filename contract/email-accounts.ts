import { z } from 'zod'
import { answerOf } from './core/answer.ts'
import { archivingOps } from './core/archiving.ts'
import { archivedFilter, email, guid, listQuery, maybe, pageOf, recordShape, text, timestamp } from './core/common.ts'
import { get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { messagePurposes } from './messages.ts'
import { nouns } from './nouns.ts'
import { loginRight } from './places.ts'

const { pages } = nouns.EmailAccounts

export const mailSecurities = ['tls', 'starttls', 'none'] as const
export const emailProviders = ['google', 'microsoft'] as const
export type EmailProvider = (typeof emailProviders)[number]
export type EmailAccountStatus = 'active' | 'paused' | 'needs_login' | 'broken'
/**
 * How an account is: `healthy` once its servers have answered and `untested` or `failing` before, `resting` after
 * five failures, `capped` until tomorrow, `unread` while its mailbox cannot be read though it sends. A `sample` has its
 * server at a reserved name, and nobody is asked.
 */
const emailAccountStates = [
  'healthy',
  'untested',
  'failing',
  'sample',
  'resting',
  'capped',
  'unread',
  'paused',
  'needs_login',
  'broken',
] as const
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
/** Whether a login at one is a login at the other: a password is kept for nothing else. */
export const isSameServer = <S extends Record<keyof MailServer, unknown>>(a: S, b: S | null | undefined): boolean =>
  Boolean(b && a.host === b.host && a.port === b.port && a.security === b.security && a.username === b.username)

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
  /** Its servers never exist: its emails stay in the local outbox, and a test asks nobody. */
  isSample: z.boolean(),
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

/** What a test tries: the way out, and the mailbox. */
const testSteps = ['resolve', 'connect', 'secure', 'login', 'send', 'imapConnect', 'imapLogin', 'sentFolder'] as const
export type TestStepName = (typeof testSteps)[number]
/** `said` is what the server answered, in its own words. */
const step = z.object({ step: z.enum(testSteps), ok: z.boolean(), ms: z.int(), said: z.string() })
export type TestStep = z.infer<typeof step>
/** Why a login by a provider came to nothing. */
export const refusedLogins = ['denied', 'expired', 'failed'] as const
export type RefusedLogin = (typeof refusedLogins)[number]

/** What providers send beside what they are asked for: nobody looks at it. */
const besideThem = Object.fromEntries(
  `scope authuser prompt hd iss session_state client_info cloud_instance_name cloud_instance_host_name admin_consent
  tenant error_description error_uri error_subtype error_subcode`
    .split(/\s+/)
    .map((name) => [name, z.string().max(4000).optional()]),
)

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
  test: post({
    path: '/EmailAccounts/Test/:guid',
    effect: 'external',
    can: ['update', 'EmailAccounts:Test'],
    cost: 'costly',
    timeoutMs: 60_000,
    unaudited: 'it changes nothing but what is known of the account’s health',
    message: 'Test finished.',
    summary:
      'Tries an email account; `sendTo` gets a test email. The first step that fails ends its half. A sample has none',
    /** `run` names this test, for whoever reads meanwhile how far it is. */
    body: z.strictObject({ sendTo: email.optional(), run: guid.optional() }),
    response: z.object({ steps: z.array(step), account }),
  }),
  testing: get({
    path: '/EmailAccounts/Test/:guid',
    effect: 'read',
    can: ['update', 'EmailAccounts:Test'],
    summary: 'The steps that a test of an email account has taken so far',
    query: z.strictObject({ run: guid }),
    response: z.object({ steps: z.array(step) }),
  }),
  connect: post({
    path: '/EmailAccounts/Connect/:guid',
    effect: 'write',
    can: ['update', 'EmailAccounts:Connect'],
    unaudited: 'nothing is connected until the provider has sent the person back',
    summary: 'Where to log in with the provider of an email account; works once, for ten minutes',
    response: z.object({ url: z.string() }),
  }),
  callback: get({
    path: '/EmailAccounts/Callback',
    effect: 'external',
    who: 'public',
    can: loginRight,
    cost: 'login',
    passes: ['trying', 'two-step'],
    produces: 'redirect',
    summary: 'Where a provider sends people back to; leads to the list with `connected` or `refused`',
    query: z.strictObject({
      state: z.string().max(200).optional(),
      code: z.string().max(4000).optional(),
      error: z.string().max(200).optional(),
      ...besideThem,
    }),
    response: z.any(),
  }),
}
