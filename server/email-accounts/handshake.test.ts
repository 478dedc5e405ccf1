import { once } from 'node:events'
import { type AddressInfo, createServer as createPlain } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EmailAccount, MailServer, TestStep } from '../../contract/email-accounts.ts'
import type { Actors } from '../../test/support/actors.ts'
import { anAuthority, type Certificate } from '../../test/support/certificates.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import { aMailServer } from '../../test/support/mail-servers.ts'
import { aMailbox } from '../../test/support/mailbox.ts'
import type { Running } from '../../test/support/start.ts'
import { newGuid } from '../core/guid.ts'

/*
 * What people are told where a server cannot be spoken to privately: real servers of this machine, with certificates of
 * an authority that this process knows.
 */
const authority = anAuthority()
const known = getCACertificates('default')
const host = 'localhost'
const dayMs = 86_400_000

let app: Running
let people: Actors
const closing: (() => unknown)[] = []
beforeAll(async () => {
  setDefaultCACertificates([...known, authority.cert])
  ;({ app, actors: people } = await startStaffed({ env: { OUTBOUND_ALLOW: '127.0.0.0/8,::1' } }))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(async () => {
  setDefaultCACertificates(known)
  await app.stop()
})

type Encryption = Certificate & { minVersion?: 'TLSv1'; maxVersion?: 'TLSv1.1'; ciphers?: string }
const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
const good = () => authority.sign(host)

async function smtpOf(security: 'tls' | 'starttls', encryption: Encryption | null): Promise<MailServer> {
  const server = await aMailServer({}, encryption && { ...encryption, secure: security === 'tls' })
  closing.push(server.close)
  return { host, port: server.port, security, username: '' }
}

/** A mail server that greets, as far as the handshake lets it. */
async function imapOf(encryption: Encryption): Promise<MailServer> {
  const server = createServer(encryption, (socket) => socket.on('error', () => undefined).write('* BAD not today\r\n'))
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return { host, port: (server.address() as AddressInfo).port, security: 'tls', username: 'jo' }
}

const add = async (servers: { smtp: MailServer; imap?: MailServer }) =>
  ok(
    await app.call<{ account: EmailAccount }>(people.administrator, 'POST', '/EmailAccounts', {
      purpose: 'general',
      fromName: 'Brolga',
      fromAddress: 'office@brolga.example',
      auth: { kind: 'password', password: 'testpass' },
      ...servers,
    }),
    201,
  ).account

async function tried(servers: { smtp: MailServer; imap?: MailServer }) {
  const { guid } = await add(servers)
  return ok(
    await app.call<{ steps: TestStep[]; account: EmailAccount }>(
      people.administrator,
      'POST',
      `/EmailAccounts/Test/${guid}`,
      {},
    ),
  )
}

const signed = 'The certificate of this server isn’t signed by a known authority.'
const name = 'The certificate of this server is for another name.'
const problems: [string, () => Encryption, string][] = [
  ['signed by itself', () => authority.signItself(host), signed],
  ['of an authority nobody knows', () => anAuthority().sign(host), signed],
  ['for another name', () => authority.sign('mail.elsewhere.net'), name],
  [
    'that has expired',
    () => authority.sign(host, { from: new Date(Date.now() - 2 * dayMs), until: new Date(Date.now() - dayMs) }),
    'The certificate of this server has expired.',
  ],
  [
    'of the days to come',
    () => authority.sign(host, { from: new Date(Date.now() + dayMs), until: new Date(Date.now() + 2 * dayMs) }),
    'The certificate of this server isn’t valid yet.',
  ],
  ['of a protocol of the past', () => ({ ...good(), ...old }), 'This server only offers encryption that is too old.'],
]

test.each(problems)('A certificate %s is refused, and people are told why', async (_, encryption, said) => {
  const given = encryption()
  for (const security of ['tls', 'starttls'] as const) {
    const { steps, account } = await tried({ smtp: await smtpOf(security, given), imap: await imapOf(given) })
    expect(steps.map(({ step, ok: isOk, said: text }) => [step, isOk, ...(isOk ? [] : [text])])).toEqual([
      ['resolve', true],
      ['connect', true],
      ['secure', false, said],
      ['imapConnect', false, said],
    ])
    expect(account.state).toBe('failing')
  }
})

test.each(['tls', 'starttls'] as const)('With a good certificate an account is healthy by %s', async (security) => {
  const { steps, account } = await tried({ smtp: await smtpOf(security, good()) })
  expect(steps.map(({ step, ok: isOk }) => [step, isOk])).toEqual([
    ['resolve', true],
    ['connect', true],
    ['secure', true],
  ])
  expect(steps[2]?.said).toMatch(/^TLSv1\.[23]$/)
  expect(account.state).toBe('healthy')
})

test('A server that refuses STARTTLS, or speaks no TLS at all, is never spoken to plainly', async () => {
  const mailbox = await aMailbox()
  closing.push(mailbox.close)
  const imap = { ...mailbox.place, host, security: 'starttls' } as const
  const refused = await tried({ smtp: await smtpOf('starttls', null), imap })
  const none = 'This server doesn’t offer STARTTLS.'
  expect(refused.steps.filter(({ ok: isOk }) => !isOk).map(({ step, said }) => [step, said])).toEqual([
    ['secure', none],
    ['imapConnect', none],
  ])
  const plain = await smtpOf('starttls', null)
  const deaf = await tried({ smtp: { ...plain, security: 'tls' } })
  expect(deaf.steps.at(-1)).toMatchObject({
    step: 'secure',
    ok: false,
    said: 'This server doesn’t offer TLS on this port. Choose STARTTLS or another port.',
  })
})

test('A server that repeats the password it was shown tells nobody', async () => {
  const whole = (user: string, secret: string) => Buffer.from(`\u0000${user}\u0000${secret}`).toString('base64')
  const repeats = await aMailServer({ login: (user, secret) => `not ${secret}, not ${whole(user, secret)}` })
  closing.push(repeats.close)
  const { steps } = await tried({ smtp: repeats.place('jo') })
  expect(steps.at(-1)).toMatchObject({ step: 'login', ok: false, said: 'Invalid login: 535 not •••, not •••' })
})

test('Whoever waits for a test sees each step as it comes', async () => {
  let answer: () => void = () => undefined
  let isAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const slow = createPlain((socket) => {
    socket.on('error', () => undefined)
    answer = () => socket.end('421 not today\r\n')
    isAsked()
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  closing.push(() => slow.close())
  const smtp = { host, port: (slow.address() as AddressInfo).port, security: 'starttls', username: '' } as const
  const { guid } = await add({ smtp })
  const run = newGuid()
  const path = `/EmailAccounts/Test/${guid}`
  const soFar = async (named: string) =>
    ok(await app.call<{ steps: TestStep[] }>(people.administrator, 'GET', `${path}?run=${named}`)).steps
  expect(await soFar(run)).toEqual([])
  const whole = app.call<{ steps: TestStep[] }>(people.administrator, 'POST', path, { run })
  await asked
  await expect.poll(async () => (await soFar(run)).map(({ step }) => step)).toEqual(['resolve', 'connect'])
  expect(await soFar(newGuid())).toEqual([])
  answer()
  const { steps } = ok(await whole)
  expect(steps.map(({ step, ok: isOk }) => [step, isOk])).toEqual([
    ['resolve', true],
    ['connect', true],
    ['secure', false],
  ])
  expect(await soFar(run)).toEqual(steps)
  expect((await app.call(people.field, 'GET', `${path}?run=${run}`)).status).toBe(403)
})
