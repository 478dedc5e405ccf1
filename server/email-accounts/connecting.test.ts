import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmailAccount, TestStep } from '../../contract/email-accounts.ts'
import { type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aSecondApp, ok, startStaffed } from '../../test/support/factories.ts'
import { aMailServer } from '../../test/support/mail-servers.ts'
import { aMailbox } from '../../test/support/mailbox.ts'
import type { Running } from '../../test/support/start.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { accessTokenOf, AccountLoginError } from './tokens.ts'

let app: Running
let people: Actors
let clock = new Date('2026-07-01T01:00:00Z')
let mail: Awaited<ReturnType<typeof aMailServer>>
let mailbox: Awaited<ReturnType<typeof aMailbox>>

/** A token endpoint: what it was asked, and what it says next. */
let provider: Server
let asked: URLSearchParams[] = []
let says: (form: URLSearchParams) => [number, object] = () => [400, { error: 'invalid_request' }]
const grant = (form: URLSearchParams): [number, object] => [
  200,
  {
    access_token: form.get('grant_type') === 'refresh_token' ? `renewed-${asked.length}` : 'testtoken',
    expires_in: 3600,
    refresh_token: `refresh-${asked.length}`,
  },
]

beforeAll(async () => {
  provider = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(parts).toString())
      asked.push(form)
      const [status, body] = says(form)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  mail = await aMailServer({ login: (_user, secret) => ['testpass', 'testtoken'].includes(secret) })
  mailbox = await aMailbox()
  ;({ app, actors: people } = await startStaffed({
    now: () => clock,
    env: {
      OUTBOUND_ALLOW: '127.0.0.0/8',
      PUBLIC_URL: 'https://brolga.example',
      GOOGLE_CLIENT_ID: 'the client',
      GOOGLE_CLIENT_SECRET: 'the secret of the client',
      GOOGLE_OAUTH_URL: url,
    },
  }))
})
afterAll(async () => {
  await app.stop()
  provider.close()
  await Promise.all([mail.close(), mailbox.close()])
})
beforeEach(() => {
  asked = []
  says = grant
})

const add = async (more: object = {}) =>
  ok(
    await app.call<{ account: EmailAccount }>(people.administrator, 'POST', '/EmailAccounts', {
      purpose: 'general',
      fromName: 'Brolga',
      fromAddress: 'office@brolga.example',
      smtp: mail.place('testuser'),
      imap: mailbox.place,
      auth: { kind: 'password', password: 'testpass' },
      ...more,
    }),
    201,
  ).account
const google = { auth: { kind: 'oauth2', provider: 'google' } }
const begin = async (guid: string) =>
  new URL(ok(await app.call<{ url: string }>(people.administrator, 'POST', `/EmailAccounts/Connect/${guid}`)).url)
    .searchParams
const back = async (query: Record<string, string>) => {
  const answer = await app.call(null, 'GET', `/EmailAccounts/Callback?${new URLSearchParams(query)}`)
  return [answer.status, new URL(String(answer.headers['location'])).search]
}
const accountOf = async (guid: string) =>
  ok(await app.call<{ account: EmailAccount }>(people.administrator, 'GET', `/EmailAccounts/${guid}`)).account
const stored = (guid: string) =>
  app.deps.db.selectFrom('emailAccounts').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()

describe('a login by a provider', () => {
  test('is asked for with a state and a proof, works once, and is kept sealed', async () => {
    const { guid } = await add(google)
    const query = await begin(guid)
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: 'the client',
      redirect_uri: 'https://brolga.example/api/v2/EmailAccounts/Callback',
      scope: 'https://mail.google.com/',
      code_challenge_method: 'S256',
      access_type: 'offline',
      login_hint: 'testuser',
    })
    const state = query.get('state') ?? ''
    expect(await back({ state, code: 'abc', scope: 'x', authuser: '0' })).toEqual([303, `?connected=${guid}`])
    const [form] = asked
    expect(Object.fromEntries(form ?? [])).toMatchObject({ grant_type: 'authorization_code', code: 'abc' })
    const proof = createHash('sha256')
      .update(form?.get('code_verifier') ?? '')
      .digest('base64url')
    expect(proof).toBe(query.get('code_challenge'))
    expect(await accountOf(guid)).toMatchObject({ state: 'untested', hasSecret: true })
    expect(JSON.stringify(await stored(guid))).not.toMatch(/testtoken|refresh-/)
    expect(await back({ state, code: 'abc' })).toEqual([303, '?refused=expired'])
    expect(asked).toHaveLength(1)
  })
  test('ends after ten minutes, and where somebody says no', async () => {
    const { guid } = await add(google)
    const late = (await begin(guid)).get('state') ?? ''
    clock = new Date(clock.getTime() + 600_000)
    expect(await back({ state: late, code: 'abc' })).toEqual([303, '?refused=expired'])
    const denied = (await begin(guid)).get('state') ?? ''
    expect(await back({ state: denied, error: 'access_denied' })).toEqual([303, '?refused=denied'])
    says = () => [400, { error: 'invalid_grant' }]
    const failed = (await begin(guid)).get('state') ?? ''
    expect(await back({ state: failed, code: 'wrong' })).toEqual([303, '?refused=failed'])
    expect(await back({})).toEqual([303, '?refused=expired'])
    expect((await accountOf(guid)).state).toBe('needs_login')
  })
  test('is renewed once, however many ask, and ends where the provider says so', async () => {
    const { guid } = await add(google)
    await back({ state: (await begin(guid)).get('state') ?? '', code: 'abc' })
    const other = await aSecondApp(app)
    const token = (deps = app.deps) => accessTokenOf(openCtx(systemRun(deps, 'test')), guid)
    expect(await token()).toBe('testtoken')
    clock = new Date(clock.getTime() + 3_580_000)
    asked = []
    const renewed = await Promise.all([token(), token(other.deps), token(), token(other.deps)])
    expect(new Set(renewed)).toEqual(new Set(['renewed-1']))
    expect(asked.map((form) => form.get('refresh_token'))).toEqual(['refresh-1'])
    await other.close()
    clock = new Date(clock.getTime() + 3_600_000)
    says = () => [503, {}]
    await expect(token()).rejects.toThrow('The provider answered 503.')
    says = () => [400, { error: 'invalid_grant', error_description: 'Token has been revoked.' }]
    await expect(token()).rejects.toThrow(AccountLoginError)
  })
})

describe('a test of an account', () => {
  const tried = async (guid: string, body: object = {}) => {
    const { steps } = ok(await app.call<{ steps: TestStep[] }>(keeper, 'POST', `/EmailAccounts/Test/${guid}`, body))
    return steps
  }
  const names = (steps: TestStep[]) => steps.map(({ step, ok: isFine }) => `${step} ${isFine ? 'yes' : 'no'}`)
  let keeper: Awaited<ReturnType<typeof aPersonWho>>
  let keepers = 0
  const allOfThem = ['read', 'create', 'update', 'delete'] as const
  beforeEach(async () => {
    keeper = await aPersonWho(
      app,
      `keeper${++keepers}`,
      allOfThem.map((action) => ({ action, subject: 'EmailAccounts' })),
    )
    people.administrator = keeper
  })

  test('says of each step what the server answered, and sends where it is asked to', async () => {
    const { guid } = await add()
    mail.got.length = 0
    const steps = await tried(guid, { sendTo: 'me@brolga.example' })
    expect(names(steps)).toEqual([
      'resolve yes',
      'connect yes',
      'secure yes',
      'login yes',
      'send yes',
      'imapConnect yes',
      'imapLogin yes',
      'sentFolder yes',
    ])
    expect(steps.find(({ step }) => step === 'sentFolder')?.said).toBe('Sent Items')
    expect(mail.got.map(({ to }) => to)).toEqual([['me@brolga.example']])
    expect(await app.deps.db.selectFrom('messages').select('guid').execute()).toEqual([])
  })
  test('ends a half where a step fails, and tries the other', async () => {
    const { guid } = await add({ auth: { kind: 'password', password: 'wrong' } })
    const steps = await tried(guid, { sendTo: 'me@brolga.example' })
    expect(names(steps)).toEqual([
      'resolve yes',
      'connect yes',
      'secure yes',
      'login no',
      'imapConnect yes',
      'imapLogin no',
    ])
    expect(JSON.stringify(steps)).not.toContain('wrong"')
    expect(steps[3]?.said).toContain('535')
  })
  test('logs in by the token of a provider', async () => {
    const { guid } = await add(google)
    await back({ state: (await begin(guid)).get('state') ?? '', code: 'abc' })
    expect(names(await tried(guid)).filter((step) => step.endsWith('no'))).toEqual([])
  })
  test('is refused to whoever may not', async () => {
    const { guid } = await add()
    const reader = await aPersonWho(app, 'reader', [{ action: 'read', subject: 'EmailAccounts' }])
    for (const path of ['Test', 'Connect'])
      expect((await app.call(reader, 'POST', `/EmailAccounts/${path}/${guid}`, {})).status).toBe(403)
  })
})
