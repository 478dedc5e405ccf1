import { paymentProviders } from '../../contract/core/providers.ts'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { languages } from '../../contract/core/languages.ts'
import { filesUrlRule, readFilesUrl } from './files-url.ts'

type Env = Record<string, string | undefined>

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)
const oneOf = <const V extends readonly string[]>(values: V) => z.enum(values, `must be one of ${values.join(', ')}`)
const urlOf = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => protocols.includes(URL.parse(text)?.protocol ?? ''),
      `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )
const secret = (bytes: number) =>
  z.string().refine((text) => Buffer.byteLength(text) >= bytes, `must have at least ${bytes} characters`)
const webUrl = urlOf(['http:', 'https:']).transform((text) => text.replace(/\/+$/, ''))
const databaseUrl = urlOf(['postgres:', 'postgresql:'])
const line = z.string().max(200, 'must have at most 200 characters')

const isAddress = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}
const addressList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((a) => a.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every(isAddress), 'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas')
const timeZone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}, 'must be a time zone such as Australia/Sydney')

const shape = {
  MODE: oneOf(['production', 'demo', 'test']).default('production'),
  PORT: whole(0, 65_535).default(4000),
  HOST: line.default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  APP_TITLE: line.default('Brolga'),
  PUBLIC_URL: webUrl.optional(),
  TIME_ZONE: timeZone.default('Australia/Sydney'),
  DEFAULT_LANGUAGE: oneOf(languages).default('en'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUSTED_PROXIES: addressList.default([]),
  DATABASE_URL: databaseUrl.optional(),
  APP_DATABASE_URL: databaseUrl.optional(),
  READ_DATABASE_URL: databaseUrl.optional(),
  DB_POOL_SIZE: whole(4, 500).default(20),
  APP_KEY: secret(32).optional(),
  CRON_KEY: secret(32).optional(),
  SCHEDULER: oneOf(['on', 'off']).default('on'),
  DEMO_PASSWORD: secret(12).optional(),
  DEV_PAGES: oneOf(['on', 'off']).optional(),
  PAYMENT_PROVIDER: oneOf(paymentProviders).optional(),
  PAYMENT_SANDBOX_PORT: whole(0, 65_535).optional(),
  PAYMENT_SANDBOX_URL: webUrl.optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: webUrl.optional(),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: line.optional(),
  OUTBOUND_ALLOW: addressList.default([]),
  GOOGLE_CLIENT_ID: line.optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_OAUTH_URL: webUrl.optional(),
  MICROSOFT_CLIENT_ID: line.optional(),
  MICROSOFT_CLIENT_SECRET: z.string().optional(),
  MICROSOFT_OAUTH_URL: webUrl.optional(),
  SCAN_URL: urlOf(['clamd:']).optional(),
  FILES_URL: z
    .string()
    .refine((text) => readFilesUrl(text) !== null, filesUrlRule)
    .optional(),
  FILES_ACCESS_KEY: z.string().optional(),
  FILES_SECRET_KEY: z.string().optional(),
}
type Name = keyof typeof shape

const meanings: Record<Name, [fallback: string, meaning: string]> = {
  MODE: ['production', 'How the product runs: `production`, `demo` (sample company, payment sandbox) or `test`.'],
  PORT: ['4000', 'The port of the web server.'],
  HOST: ['127.0.0.1', 'The address it listens on; `0.0.0.0` for every network.'],
  DATA_DIR: ['./data', 'The folder for the embedded database, keys, files and backups.'],
  APP_TITLE: ['Brolga', 'The name of the product on its pages and in its cookies.'],
  PUBLIC_URL: ['http://HOST:PORT', 'The address people reach it under; links in messages begin with it.'],
  TIME_ZONE: ['Australia/Sydney', 'The time zone in which days begin and end.'],
  DEFAULT_LANGUAGE: [
    'en',
    'The language where neither the person, the customer nor the browser says otherwise: `en`, `fr` or `ar`.',
  ],
  LOG_LEVEL: ['info', '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.'],
  TRUSTED_PROXIES: ['none', 'Addresses of proxies whose `X-Forwarded-For` is believed, separated by commas.'],
  DATABASE_URL: [
    'embedded PostgreSQL',
    'A PostgreSQL 15 or newer, with the role that owns the tables and migrates them.',
  ],
  APP_DATABASE_URL: [
    'made from DATABASE_URL',
    'The same database with the role the product works with; that role must own nothing.',
  ],
  READ_DATABASE_URL: ['none', 'A replica for lists, searches and reports.'],
  DB_POOL_SIZE: ['20', 'The most connections one process opens to the database.'],
  APP_KEY: [
    'made on the first start',
    'The secret all others are derived from, 32 bytes or more. Give several servers the same one.',
  ],
  CRON_KEY: ['derived from the key', 'The secret of the scheduled-job calls, 32 characters or more.'],
  SCHEDULER: ['on', '`off` leaves the scheduled jobs to an outside cron.'],
  DEMO_PASSWORD: ['random', 'The password of the sample logins in the demo, 12 characters or more.'],
  DEV_PAGES: [
    'off in production, else on',
    'The pages and calls for developers, below `/dev`: local outbox, test cards, journals, rules of roles.',
  ],
  PAYMENT_PROVIDER: [
    'stripe with a Stripe key, else sandbox',
    '`sandbox` (test cards, no real money), `stripe` or `none`.',
  ],
  PAYMENT_SANDBOX_PORT: ['PORT + 1', 'The port of the payment sandbox.'],
  PAYMENT_SANDBOX_URL: ['started with the product', 'A payment sandbox that runs already, instead of one of our own.'],
  STRIPE_SECRET_KEY: ['none', 'The secret key of the Stripe account.'],
  STRIPE_PUBLISHABLE_KEY: ['none', 'The publishable key of the Stripe account.'],
  STRIPE_WEBHOOK_SECRET: ['none', 'The signing secret of the Stripe webhook.'],
  STRIPE_API_URL: ['https://api.stripe.com', 'Another host that speaks the Stripe API.'],
  SMTP_URL: [
    'none: messages go to the local outbox',
    'The mail server for messages of a business without an email account of its own.',
  ],
  MAIL_FROM: ['none', 'The sender of such messages, as in `Office <office@example.com>`.'],
  OUTBOUND_ALLOW: [
    'none',
    'Private addresses that email accounts may use, on any port: IP addresses or ranges, separated by commas.',
  ],
  GOOGLE_CLIENT_ID: ['none', 'The OAuth client by which email accounts log in with Google.'],
  GOOGLE_CLIENT_SECRET: ['none', 'The secret of that client.'],
  GOOGLE_OAUTH_URL: ['Google', 'Another place for `/auth` and `/token` of Google.'],
  MICROSOFT_CLIENT_ID: ['none', 'The OAuth client by which email accounts log in with Microsoft.'],
  MICROSOFT_CLIENT_SECRET: ['none', 'The secret of that client.'],
  MICROSOFT_OAUTH_URL: [
    'https://login.microsoftonline.com/common/oauth2/v2.0',
    'Another place for `/authorize` and `/token` of Microsoft, such as that of one tenant.',
  ],
  SCAN_URL: ['none', 'A clamd that checks files for viruses, as in `clamd://127.0.0.1:3310`.'],
  FILES_URL: [
    'the folder `files` of DATA_DIR',
    'An S3-compatible store for files, as in `s3://bucket/prefix?endpoint=https://host&region=us-east-1`.',
  ],
  FILES_ACCESS_KEY: ['none', 'The access key of that store.'],
  FILES_SECRET_KEY: ['none', 'The secret key of that store.'],
}

/** Every setting with its default and meaning, in the order people look for them. */
export const settingsTable = (Object.keys(shape) as Name[]).map((name) => ({
  name,
  fallback: meanings[name][0],
  meaning: meanings[name][1],
}))

/** A setting that cannot be used; the message is one sentence that names it. */
export class SettingsError extends Error {}

const readValues = (env: Env) => {
  const given = Object.fromEntries(settingsTable.map(({ name }) => [name, env[name]?.trim() || undefined]))
  const parsed = z.object(shape).safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new SettingsError(`${String(issue?.path[0])} ${issue?.message ?? 'is not right'}.`)
}

const providerOf = (v: ReturnType<typeof readValues>) =>
  v.PAYMENT_PROVIDER ?? (v.STRIPE_SECRET_KEY ? 'stripe' : 'sandbox')

const checkTogether = (v: ReturnType<typeof readValues>) => {
  const refuse = (sentence: string): never => {
    throw new SettingsError(sentence)
  }
  if (v.APP_DATABASE_URL && !v.DATABASE_URL) refuse('APP_DATABASE_URL needs DATABASE_URL beside it.')
  if (v.READ_DATABASE_URL && !v.DATABASE_URL) refuse('READ_DATABASE_URL needs DATABASE_URL beside it.')
  if (v.PAYMENT_PROVIDER === 'stripe' && !v.STRIPE_SECRET_KEY)
    refuse('PAYMENT_PROVIDER is stripe, so STRIPE_SECRET_KEY must be set.')
  if (providerOf(v) === 'stripe' && !v.STRIPE_PUBLISHABLE_KEY)
    refuse('STRIPE_SECRET_KEY needs STRIPE_PUBLISHABLE_KEY beside it.')
  if (providerOf(v) === 'stripe' && !v.STRIPE_WEBHOOK_SECRET)
    refuse('STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET beside it.')
  if (v.PAYMENT_SANDBOX_PORT !== undefined && v.PAYMENT_SANDBOX_PORT !== 0 && v.PAYMENT_SANDBOX_PORT === v.PORT)
    refuse('PAYMENT_SANDBOX_PORT must differ from PORT.')
  if (v.GOOGLE_CLIENT_ID && !v.GOOGLE_CLIENT_SECRET) refuse('GOOGLE_CLIENT_ID needs GOOGLE_CLIENT_SECRET beside it.')
  if (v.MICROSOFT_CLIENT_ID && !v.MICROSOFT_CLIENT_SECRET)
    refuse('MICROSOFT_CLIENT_ID needs MICROSOFT_CLIENT_SECRET beside it.')
  if (v.FILES_URL && !(v.FILES_ACCESS_KEY && v.FILES_SECRET_KEY))
    refuse('FILES_URL needs FILES_ACCESS_KEY and FILES_SECRET_KEY beside it.')
  if (v.PORT === 65_535 && providerOf(v) === 'sandbox' && v.PAYMENT_SANDBOX_PORT === undefined)
    refuse('PORT is the last one there is, so PAYMENT_SANDBOX_PORT must be set.')
}

/** The host as it stands in an address of this machine. */
export const urlHost = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

/** The bucket files are kept in; null where they are kept in the data folder. */
const bucketOf = ({
  FILES_URL: url,
  FILES_ACCESS_KEY: accessKey = '',
  FILES_SECRET_KEY: secretKey = '',
}: Pick<ReturnType<typeof readValues>, 'FILES_URL' | 'FILES_ACCESS_KEY' | 'FILES_SECRET_KEY'>) => {
  const place = url === undefined ? null : readFilesUrl(url)
  return place && { ...place, accessKey, secretKey }
}

/** A provider by which email accounts log in. */
export interface OAuthClient {
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  scope: string
}

/** The clients of the providers whose logins are set up. */
function oauthOf(v: ReturnType<typeof readValues>): Record<'google' | 'microsoft', OAuthClient | null> {
  const google = v.GOOGLE_OAUTH_URL
  const microsoft = v.MICROSOFT_OAUTH_URL ?? 'https://login.microsoftonline.com/common/oauth2/v2.0'
  return {
    google: v.GOOGLE_CLIENT_ID
      ? {
          clientId: v.GOOGLE_CLIENT_ID,
          clientSecret: v.GOOGLE_CLIENT_SECRET ?? '',
          authorizeUrl: google ? `${google}/auth` : 'https://accounts.google.com/o/oauth2/v2/auth',
          tokenUrl: google ? `${google}/token` : 'https://oauth2.googleapis.com/token',
          scope: 'https://mail.google.com/',
        }
      : null,
    microsoft: v.MICROSOFT_CLIENT_ID
      ? {
          clientId: v.MICROSOFT_CLIENT_ID,
          clientSecret: v.MICROSOFT_CLIENT_SECRET ?? '',
          authorizeUrl: `${microsoft}/authorize`,
          tokenUrl: `${microsoft}/token`,
          scope: 'offline_access https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All',
        }
      : null,
  }
}

/** Reads and checks all settings. Throws `SettingsError`, whose message is one sentence naming the setting. */
export const loadSettings = (env: Env = process.env) => {
  const v = readValues(env)
  checkTogether(v)
  const sandboxPort = v.PAYMENT_SANDBOX_PORT ?? (v.PORT === 0 ? 0 : v.PORT + 1)
  return {
    mode: v.MODE,
    port: v.PORT,
    host: v.HOST,
    dataDir: v.DATA_DIR,
    appTitle: v.APP_TITLE,
    publicUrl: v.PUBLIC_URL ?? `http://${urlHost(v.HOST)}:${v.PORT}`,
    timeZone: v.TIME_ZONE,
    defaultLanguage: v.DEFAULT_LANGUAGE,
    logLevel: v.LOG_LEVEL,
    trustedProxies: v.TRUSTED_PROXIES,
    databaseUrl: v.DATABASE_URL,
    appDatabaseUrl: v.APP_DATABASE_URL,
    readDatabaseUrl: v.READ_DATABASE_URL,
    dbPoolSize: v.DB_POOL_SIZE,
    appKey: v.APP_KEY,
    cronKey: v.CRON_KEY,
    scheduler: v.SCHEDULER === 'on',
    demoPassword: v.DEMO_PASSWORD,
    hasDevPages: (v.DEV_PAGES ?? (v.MODE === 'production' ? 'off' : 'on')) === 'on',
    paymentProvider: providerOf(v),
    paymentSandboxPort: sandboxPort,
    /** The address of the sandbox; `startsSandbox` says whether it is one of our own. */
    paymentSandboxUrl: v.PAYMENT_SANDBOX_URL ?? `http://${urlHost(v.HOST)}:${sandboxPort}`,
    startsSandbox: providerOf(v) === 'sandbox' && v.PAYMENT_SANDBOX_URL === undefined,
    stripeSecretKey: v.STRIPE_SECRET_KEY,
    stripePublishableKey: v.STRIPE_PUBLISHABLE_KEY,
    stripeWebhookSecret: v.STRIPE_WEBHOOK_SECRET,
    stripeApiUrl: v.STRIPE_API_URL,
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM,
    outboundAllow: v.OUTBOUND_ALLOW,
    /** By what email accounts log in with a provider; null where that isn't set up. */
    oauth: oauthOf(v),
    scanUrl: v.SCAN_URL,
    files: bucketOf(v),
  }
}

export type Settings = ReturnType<typeof loadSettings>
