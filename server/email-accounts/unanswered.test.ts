import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmailAccount } from '../../contract/email-accounts.ts'
import { type Actors, aPerson } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import { aMailServer } from '../../test/support/mail-servers.ts'
import { aMailbox } from '../../test/support/mailbox.ts'
import { mailOf, queueMails } from '../../test/support/queued-mails.ts'
import type { Running } from '../../test/support/start.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { claimDue } from '../messages/claims.ts'
import { processQueue } from '../messages/messages.queue.ts'

let app: Running
let people: Actors
let clock = new Date('2026-07-01T01:00:00Z')
let mail: Awaited<ReturnType<typeof aMailServer>>
let other: Awaited<ReturnType<typeof aMailServer>>
let mailbox: Awaited<ReturnType<typeof aMailbox>>
let keepers = 0
beforeAll(async () => {
  mail = await aMailServer({ login: (_user, secret) => secret === 'testpass' })
  other = await aMailServer()
  mailbox = await aMailbox()
  ;({ app, actors: people } = await startStaffed({ now: () => clock, env: { OUTBOUND_ALLOW: '127.0.0.0/8' } }))
})
afterAll(async () => {
  await app.stop()
  await Promise.all([mail.close(), other.close(), mailbox.close()])
})
beforeEach(async () => {
  clock = new Date(clock.getTime() + 86_400_000)
  mail.got.length = 0
  other.got.length = 0
  delete mail.rules.data
  await app.deps.db.updateTable('messages').set({ status: 'cancelled' }).where('status', '<>', 'sent').execute()
  await app.deps.db.updateTable('emailAccounts').set({ archivedAt: clock }).execute()
})

async function add(more: object = {}) {
  const keeper = await aPerson(app, `keeper${++keepers}`, people.roles.Administrator)
  return ok(
    await app.call<{ account: EmailAccount }>(keeper, 'POST', '/EmailAccounts', {
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
}
const run = () => processQueue(openCtx(systemRun(app.deps, 'test')), () => true, { sendTimeoutMs: 3000 })
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000)
}
async function queue() {
  const [guid = ''] = await queueMails(app, { at: clock })
  return guid
}
const message = (guid: string) => mailOf(app, guid)

describe('a server that takes a message and says nothing', () => {
  const silent = async () => {
    mail.rules.data = () => 'hang up'
    const guid = await queue()
    await run()
    expect(await message(guid)).toMatchObject({ status: 'deferred', isUnanswered: true, attempts: 1 })
    delete mail.rules.data
    return guid
  }

  test('is not asked again where the Sent folder has it', async () => {
    await add()
    await add({ smtp: other.place(), imap: null, auth: { kind: 'password' }, failoverOrder: 1 })
    const guid = await silent()
    later(29)
    await run()
    expect((await message(guid)).attempts).toBe(1)
    mailbox.sent(`Message-ID: <${guid}@brolga.example>\r\nSubject: Hello\r\n\r\nHello`)
    later(2)
    await run()
    expect(await message(guid)).toMatchObject({ status: 'sent', isUnanswered: false })
    expect([mail.got.length, other.got.length]).toEqual([1, 0])
  })
  test('gets it again where the folder has not, and nobody else does', async () => {
    const account = await add()
    await add({ smtp: other.place(), imap: null, auth: { kind: 'password' }, failoverOrder: 1 })
    const guid = await silent()
    later(31)
    await run()
    expect(await message(guid)).toMatchObject({ status: 'sent', accountGuid: account.guid, attempts: 2 })
    expect([mail.got.length, other.got.length]).toEqual([2, 0])
    expect(mail.got[1]?.raw).toContain(`Message-ID: <${guid}@brolga.example>`)
  })
  test('is left alone while the folder cannot be read', async () => {
    await add({ imap: { ...mailbox.place, port: 1 } })
    const guid = await silent()
    later(31)
    await run()
    expect(await message(guid)).toMatchObject({ status: 'deferred', isUnanswered: true, attempts: 2 })
    expect(mail.got).toHaveLength(1)
  })
  test('is left alone while its server refuses to look into the folder', async () => {
    await add()
    const guid = await silent()
    later(31)
    mailbox.refusesSearch(true)
    await run()
    mailbox.refusesSearch(false)
    expect(await message(guid)).toMatchObject({ status: 'deferred', isUnanswered: true, attempts: 2 })
    expect(mail.got).toHaveLength(1)
  })
})

describe('a process that dies between handing a message over and hearing so', () => {
  const dies = async () => {
    const guid = await queue()
    const claimed = await claimDue(openCtx(systemRun(app.deps, 'test')))
    expect([claimed?.guid, claimed?.route.by]).toEqual([guid, 'account'])
    return guid
  }

  test('has sent it once where the Sent folder has it', async () => {
    await add()
    await add({ smtp: other.place(), imap: null, auth: { kind: 'password' }, failoverOrder: 1 })
    const guid = await dies()
    mailbox.sent(`Message-ID: <${guid}@brolga.example>\r\nSubject: Hello\r\n\r\nHello`)
    later(2)
    await run()
    expect(await message(guid)).toMatchObject({ status: 'sent', isUnanswered: false })
    expect([mail.got.length, other.got.length]).toEqual([0, 0])
  })
  test('has its message sent by the same account where the folder has not', async () => {
    const account = await add()
    const guid = await dies()
    later(2)
    await run()
    expect(await message(guid)).toMatchObject({ status: 'sent', accountGuid: account.guid, attempts: 2 })
    expect(mail.got).toHaveLength(1)
  })
  test('holds nothing up while its account is paused', async () => {
    const account = await add()
    await add({ smtp: other.place(), imap: null, auth: { kind: 'password' }, failoverOrder: 1 })
    const guid = await dies()
    await app.deps.db.updateTable('emailAccounts').set({ status: 'paused' }).where('guid', '=', account.guid).execute()
    later(2)
    const next = await queue()
    await run()
    expect([(await message(guid)).status, (await message(next)).status]).toEqual(['sending', 'sent'])
    expect([mail.got.length, other.got.length]).toEqual([0, 1])
  })
})

test('A login that is refused goes on to the next account, and in the end asks for a person', async () => {
  const account = await add({ auth: { kind: 'password', password: 'wrong' } })
  await add({ smtp: other.place(), imap: null, auth: { kind: 'password' }, failoverOrder: 1 })
  for (let i = 0; i < 6; i++) {
    const guid = await queue()
    await run()
    expect((await message(guid)).status).toBe('sent')
    later(6)
  }
  const row = await app.deps.db
    .selectFrom('emailAccounts')
    .select(['status', 'lastSaid'])
    .where('guid', '=', account.guid)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: 'broken', lastSaid: expect.stringContaining('535') as string })
  expect(row.lastSaid).not.toContain('wrong"')
  expect([mail.got.length, other.got.length]).toEqual([0, 6])
})

test('Answers go to the mailbox of the account, with the token of their message where it has plus ones', async () => {
  await add({ plusAddressing: true })
  const guid = await queue()
  const replyToken = 'abcdefghijklmnopqrstuvwxy2'
  await app.deps.db
    .updateTable('messages')
    .set({ replyToken, replyTo: 'elsewhere@brolga.example' })
    .where('guid', '=', guid)
    .execute()
  await run()
  expect(mail.got[0]?.raw).toContain(`Reply-To: office+${replyToken}@brolga.example`)
})
