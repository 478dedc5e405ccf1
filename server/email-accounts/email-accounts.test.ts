import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmailAccount, TestStep } from '../../contract/email-accounts.ts'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { accountAnswered, accountFailed, accountMended } from './routes.service.ts'
import { openSecret } from './secrets.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const smtp = { host: 'smtp.brolga.example', port: 587, security: 'starttls', username: 'billing' }
const imap = { host: 'imap.brolga.example', port: 993, security: 'tls', username: 'billing' }
const secret = 'correct horse battery staple'
const account = {
  purpose: 'billing',
  fromName: 'Brolga Accounts',
  fromAddress: 'Billing@brolga.example',
  smtp,
  auth: { kind: 'password', password: secret },
}
type One = { account: EmailAccount }
const add = (more: object = {}) =>
  app.call<One>(people.administrator, 'POST', '/EmailAccounts', { ...account, ...more })
const change = (guid: string, body: object) =>
  app.call<One>(people.administrator, 'PATCH', `/EmailAccounts/${guid}`, body)
const stored = (guid: string) =>
  app.deps.db.selectFrom('emailAccounts').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()

test('An account is added with its caps, and its password is never told again', async () => {
  const answer = await add({ imap })
  const made = ok(answer, 201).account
  expect(made).toMatchObject({
    fromAddress: 'billing@brolga.example',
    dailyCap: 500,
    perMinuteCap: 30,
    hasSecret: true,
    state: 'sample',
    isSample: true,
    sentToday: 0,
    auth: { kind: 'password', provider: null },
  })
  const list = await app.call(people.administrator, 'GET', '/EmailAccounts')
  const line = await app.deps.db.selectFrom('auditLog').selectAll().where('entityGuid', '=', made.guid).execute()
  expect(line).toHaveLength(1)
  for (const text of [answer.body, list.body, JSON.stringify(line)]) {
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/(?:smtp|imap|refresh|access)_?secret/i)
  }
})

test('A secret is sealed to its account and protocol', async () => {
  const { guid } = ok(await add({ imap }), 201).account
  const row = await stored(guid)
  const { keys } = app.deps
  expect(openSecret(keys, guid, 'smtp', row.smtpSecret ?? '')).toBe(secret)
  expect(openSecret(keys, guid, 'imap', row.imapSecret ?? '')).toBe(secret)
  expect(openSecret(keys, guid, 'imap', row.smtpSecret ?? '')).toBeNull()
  expect(openSecret(keys, people.office.userGuid, 'smtp', row.smtpSecret ?? '')).toBeNull()
})

test.each([
  ['host', { smtp: { ...smtp, host: 'smtp.elsewhere.example' } }],
  ['port', { smtp: { ...smtp, port: 465 } }],
  ['security', { smtp: { ...smtp, security: 'tls' } }],
  ['username', { smtp: { ...smtp, username: 'other' } }],
  ['mailbox', { imap }],
])('Another %s asks for the password again', async (_, changes) => {
  const { guid, version } = ok(await add(), 201).account
  const refused = await change(guid, { version, ...changes })
  expect(refused).toMatchObject({
    status: 422,
    errors: [
      {
        path: 'auth.password',
        message: 'Enter the password again: it is only used for the server it was entered for.',
      },
    ],
  })
  const auth = { kind: 'password', password: 'another one' }
  expect(ok(await change(guid, { version, auth, ...changes })).account.version).toBe(version + 1)
})

test('What is no secret changes without the password, and what health says makes no new version', async () => {
  const { guid, version } = ok(await add(), 201).account
  const changed = ok(await change(guid, { version, fromName: 'Accounts', dailyCap: 20, status: 'paused' })).account
  expect(changed).toMatchObject({ fromName: 'Accounts', dailyCap: 20, status: 'paused', state: 'paused' })
  await app.deps.db.updateTable('emailAccounts').set({ failures: 3 }).where('guid', '=', guid).execute()
  expect(ok(await change(guid, { version: changed.version, status: 'active' })).account.state).toBe('sample')
})

test('Servers that can never be reached are refused, whatever they are', async () => {
  for (const server of [
    { ...smtp, host: '127.0.0.1' },
    { ...smtp, host: '::1' },
    { ...smtp, host: '10.1.2.3' },
    { ...smtp, port: 22 },
  ]) {
    const refused = await add({ smtp: server })
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'smtp.host', message: 'This address cannot be used.' }],
    ])
  }
  const plain = await add({ smtp: { ...smtp, security: 'none' } })
  expect(plain.errors).toEqual([{ path: 'smtp.security', message: 'Choose TLS or STARTTLS.' }])
})

test('A login by a provider goes to the servers of that provider alone, and is asked for first', async () => {
  const auth = { kind: 'oauth2', provider: 'google' }
  const elsewhere = await add({ auth, smtp: { ...smtp, host: 'smtp.elsewhere.net' } })
  expect([elsewhere.status, elsewhere.errors[0]?.path]).toEqual([422, 'smtp.host'])
  const google = { host: 'smtp.gmail.com', port: 465, security: 'tls', username: 'billing@brolga.example' }
  const made = ok(await add({ auth, smtp: google }), 201).account
  expect(made).toMatchObject({ state: 'needs_login', hasSecret: false, auth })
})

test('An account of a server that never exists is tried without asking anybody, whoever it logs in with', async () => {
  const { guid } = ok(await add({ auth: { kind: 'oauth2', provider: 'google' } }), 201).account
  const { steps } = ok(
    await app.call<{ steps: TestStep[] }>(people.administrator, 'POST', `/EmailAccounts/Test/${guid}`, {}),
  )
  expect(steps).toEqual([])
})

test('Whoever is no administrator neither sees nor changes accounts', async () => {
  const { guid } = ok(await add(), 201).account
  for (const who of [people.office, people.field]) {
    expect((await app.call(who, 'GET', '/EmailAccounts')).status).toBe(403)
    expect((await app.call(who, 'GET', `/EmailAccounts/${guid}`)).status).toBe(403)
    expect((await app.call(who, 'POST', '/EmailAccounts', account)).status).toBe(403)
    expect((await app.call(who, 'PATCH', `/EmailAccounts/${guid}`, { version: 1 })).status).toBe(403)
    expect((await app.call(who, 'DELETE', `/EmailAccounts/${guid}`)).status).toBe(403)
  }
})

test('An archived account leaves the list and comes back', async () => {
  const { guid } = ok(await add(), 201).account
  const listed = async () => {
    const { items } = ok(
      await app.call<{ items: EmailAccount[] }>(people.administrator, 'GET', '/EmailAccounts?size=100'),
    )
    return items.some((item) => item.guid === guid)
  }
  ok(await app.call(people.administrator, 'DELETE', `/EmailAccounts/${guid}`))
  expect(await listed()).toBe(false)
  for (const deed of ['Test', 'Connect']) {
    const refused = await app.call(people.administrator, 'POST', `/EmailAccounts/${deed}/${guid}`, {})
    expect([refused.status, refused.message]).toEqual([409, 'This email account is archived. Restore it first.'])
  }
  ok(await app.call(people.administrator, 'POST', `/EmailAccounts/Restore/${guid}`))
  expect(await listed()).toBe(true)
})

const failing = { said: 'no such user', isLogin: true }
const health = () => openCtx(systemRun(app.deps, 'test'))

test('An account that nobody asked is untested, and healthy once its servers have answered', async () => {
  const elsewhere = { ...smtp, host: 'smtp.elsewhere.net' }
  const { guid, version, state, isSample } = ok(await add({ smtp: elsewhere }), 201).account
  expect([state, isSample]).toEqual(['untested', false])
  await accountAnswered(health(), await stored(guid))
  const seen = ok(await app.call<One>(people.administrator, 'GET', `/EmailAccounts/${guid}`)).account
  expect(seen.state).toBe('healthy')
  // Another server has answered nobody yet.
  const auth = { kind: 'password', password: secret }
  expect(ok(await change(guid, { version, auth, smtp: { ...elsewhere, port: 465 } })).account.state).toBe('untested')
})

test('Whoever may mend an account is told once that it stopped, and nobody else', async () => {
  const { guid } = ok(await add(), 201).account
  for (let i = 0; i < 8; i++) await accountFailed(health(), await stored(guid), failing)
  await tellPeople(app)
  const told = await app.deps.db.selectFrom('notifications').selectAll().where('recordGuid', '=', guid).execute()
  expect(told.map(({ userGuid, kind, noun }) => [userGuid, kind, noun])).toEqual([
    [people.administrator.userGuid, 'email_account.broke', 'EmailAccounts'],
  ])
  expect(told[0]?.details).toEqual({ name: 'billing@brolga.example', reason: 'no such user' })
})

test('What comes of the servers of before says nothing of those that were saved meanwhile', async () => {
  const { guid, version } = ok(await add(), 201).account
  const before = await stored(guid)
  ok(await change(guid, { version, auth: { kind: 'password', password: 'another one' } }))
  for (let i = 0; i < 8; i++) await accountFailed(health(), before, failing)
  await accountAnswered(health(), before)
  expect(await stored(guid)).toMatchObject({ status: 'active', failures: 0, lastSaid: null, answeredAt: null })
  await app.deps.db.updateTable('emailAccounts').set({ status: 'broken' }).where('guid', '=', guid).execute()
  await accountMended(health(), before)
  expect((await stored(guid)).status).toBe('broken')
})
