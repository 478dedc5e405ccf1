import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings, SettingsError, settingsTable } from './env.ts'

const refusal = (env: Record<string, string>) => {
  try {
    loadSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return null
}

test('without any setting the product listens on its own machine and keeps its data beside itself', () => {
  const settings = loadSettings({})
  expect(settings).toMatchObject({
    mode: 'production',
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://127.0.0.1:4000',
    appTitle: 'Brolga',
    timeZone: 'Australia/Sydney',
    defaultLanguage: 'en',
    scheduler: true,
  })
  expect(settings.dataDir).toBe(join(process.cwd(), 'data'))
})

test('a production start takes no sandbox payments unless it is told to, the demo does', () => {
  expect(loadSettings({})).toMatchObject({ paymentProvider: 'sandbox', startsSandbox: true })
  expect(loadSettings({ PAYMENT_PROVIDER: 'none' })).toMatchObject({ paymentProvider: 'none', startsSandbox: false })
  expect(loadSettings({ MODE: 'demo' })).toMatchObject({
    paymentProvider: 'sandbox',
    startsSandbox: true,
    paymentSandboxUrl: 'http://127.0.0.1:4001',
  })
  expect(loadSettings({ MODE: 'demo', PAYMENT_SANDBOX_URL: 'http://10.0.0.9:7000/' })).toMatchObject({
    startsSandbox: false,
    paymentSandboxUrl: 'http://10.0.0.9:7000',
  })
  expect(
    loadSettings({ STRIPE_SECRET_KEY: 'a', STRIPE_PUBLISHABLE_KEY: 'b', STRIPE_WEBHOOK_SECRET: 'c' }),
  ).toMatchObject({ paymentProvider: 'stripe' })
})

test('the pages for developers are off in production unless a setting turns them on', () => {
  expect(
    [{}, { DEV_PAGES: 'on' }, { MODE: 'demo' }, { MODE: 'demo', DEV_PAGES: 'off' }].map(
      (env) => loadSettings(env).hasDevPages,
    ),
  ).toEqual([false, true, true, false])
})

test('files are kept in the bucket that a setting names, else beside the other data', () => {
  const keys = { FILES_ACCESS_KEY: 'a', FILES_SECRET_KEY: 'b' }
  const bucketOf = (url: string) => loadSettings({ FILES_URL: url, ...keys }).files
  expect(loadSettings({}).files).toBeNull()
  expect(bucketOf('s3://brolga-files?region=ap-southeast-2')).toEqual({
    bucketUrl: 'https://s3.ap-southeast-2.amazonaws.com/brolga-files',
    region: 'ap-southeast-2',
    prefix: '',
    accessKey: 'a',
    secretKey: 'b',
  })
  expect(bucketOf('s3://brolga-files/a/b/?endpoint=http://10.0.0.4:9000/')).toMatchObject({
    bucketUrl: 'http://10.0.0.4:9000/brolga-files',
    region: 'auto',
    prefix: 'a/b/',
  })
})

test('a setting left empty counts as not set', () => {
  expect(loadSettings({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 4000, databaseUrl: undefined })
})

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ DEFAULT_LANGUAGE: 'de' }, 'DEFAULT_LANGUAGE must be one of en, fr, ar.'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL must be an address that begins with postgres:// or postgresql://.'],
  [{ READ_DATABASE_URL: 'postgres://x/y' }, 'READ_DATABASE_URL needs DATABASE_URL beside it.'],
  [{ DEMO_PASSWORD: 'short' }, 'DEMO_PASSWORD must have at least 12 characters.'],
  [{ APP_KEY: 'x'.repeat(31) }, 'APP_KEY must have at least 32 characters.'],
  [{ CRON_KEY: 'tiny' }, 'CRON_KEY must have at least 32 characters.'],
  [{ SCHEDULER: 'yes' }, 'SCHEDULER must be one of on, off.'],
  [{ PAYMENT_PROVIDER: 'stripe' }, 'PAYMENT_PROVIDER is stripe, so STRIPE_SECRET_KEY must be set.'],
  [
    { TRUSTED_PROXIES: '10.0.0.1, proxy.local' },
    'TRUSTED_PROXIES must be IP addresses or ranges such as 10.0.0.0/8, separated by commas.',
  ],
  [{ TIME_ZONE: 'Sydney' }, 'TIME_ZONE must be a time zone such as Australia/Sydney.'],
  [{ PUBLIC_URL: 'brolga.example' }, 'PUBLIC_URL must be an address that begins with http:// or https://.'],
  ...[
    'https://host/bucket',
    's3://?region=auto',
    's3://bucket',
    's3://bucket?endpoint=ftp://host',
    's3://b?region=auto',
    's3://key:secret@bucket?region=auto',
    's3://bucket?endpoint=https://host&size=1',
    's3://bucket/a b?region=auto',
  ].map((url): [Record<string, string>, string] => [
    { FILES_URL: url, FILES_ACCESS_KEY: 'a', FILES_SECRET_KEY: 'b' },
    'FILES_URL must be an address such as s3://bucket/prefix?endpoint=https://host&region=us-east-1.',
  ]),
  [
    { FILES_URL: 's3://bucket?region=ap-southeast-2', FILES_ACCESS_KEY: 'a' },
    'FILES_URL needs FILES_ACCESS_KEY and FILES_SECRET_KEY beside it.',
  ],
  [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL must be an address that begins with smtp:// or smtps://.'],
])('a wrong value stops the start with one sentence naming the setting: %j', (env, sentence) => {
  expect(refusal(env)).toBe(sentence)
})

test('no refusal repeats a secret', () => {
  expect(refusal({ APP_KEY: 'my-secret-key' })).not.toContain('my-secret-key')
})

test('every setting is explained', () => {
  for (const { name, fallback, meaning } of settingsTable)
    expect([name, fallback !== '', meaning.endsWith('.')]).toEqual([name, true, true])
})

test('the README lists every setting as it is', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  for (const { name, fallback, meaning } of settingsTable)
    expect(readme).toContain(`| \`${name}\` | ${fallback} | ${meaning} |`)
})
