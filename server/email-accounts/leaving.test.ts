import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmailAccount } from '../../contract/email-accounts.ts'
import type { MessagePurpose } from '../../contract/messages.ts'
import { type Actor, type Actors, aPerson } from '../../test/support/actors.ts'
import { aSecondApp, ok, startStaffed } from '../../test/support/factories.ts'
import { aMailServer } from '../../test/support/mail-servers.ts'
import { mailOf, queueMails } from '../../test/support/queued-mails.ts'
import type { Running } from '../../test/support/start.ts'
import { newGuid } from '../core/guid.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { claimDue } from '../messages/claims.ts'
import { processQueue } from '../messages/messages.queue.ts'

type Server = Awaited<ReturnType<typeof aMailServer>>

let app: Running
let people: Actors
let keeper: Actor
let keepers = 0
let clock = new Date('2026-07-01T01:00:00Z')
let first: Server
let second: Server
beforeAll(async () => {
  first = await aMailServer()
  second = await aMailServer()
  ;({ app, actors: people } = await startStaffed({
    now: () => clock,
    env: { OUTBOUND_ALLOW: '127.0.0.0/8,::1' },
  }))
})
afterAll(async () => {
  await app.stop()
  await Promise.all([first.close(), second.close()])
})
beforeEach(async () => {
  for (const server of [first, second]) {
    server.got.length = 0
    for (const rule of Object.keys(server.rules)) delete server.rules[rule as keyof Server['rules']]
  }
  await app.deps.db.updateTable('messages').set({ status: 'cancelled' }).where('status', '<>', 'sent').execute()
  await app.deps.db.updateTable('emailAccounts').set({ archivedAt: clock }).execute()
  clock = new Date(clock.getTime() + 86_400_000)
  await logInAnew()
})

/** A login ends long before a day does. */
const logInAnew = async () => {
  keeper = await aPerson(app, `keeper${++keepers}`, people.roles.Administrator)
}

const add = async (server: Server, more: object = {}) =>
  ok(
    await app.call<{ account: EmailAccount }>(keeper, 'POST', '/EmailAccounts', {
      purpose: 'general',
      fromName: 'Brolga',
      fromAddress: 'office@brolga.example',
      smtp: server.place(),
      auth: { kind: 'password' },
      ...more,
    }),
    201,
  ).account
const accountOf = async ({ guid }: { guid: string }) =>
  ok(await app.call<{ account: EmailAccount }>(keeper, 'GET', `/EmailAccounts/${guid}`)).account
const run = (deps = app.deps) => processQueue(openCtx(systemRun(deps, 'test')), () => true, { sendTimeoutMs: 2000 })
const later = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000)
}

const queue = (purpose: MessagePurpose, count = 1) => queueMails(app, { at: clock, purpose, count })
const message = (guid: string | undefined) => mailOf(app, guid)

describe('the account a message leaves by', () => {
  test('is one of its purpose, then a general one, in their order', async () => {
    const general = await add(second)
    const billing = await add(first, {
      purpose: 'billing',
      fromName: 'Accounts',
      fromAddress: 'accounts@brolga.example',
    })
    const [bill] = await queue('billing')
    const [booking] = await queue('bookings')
    expect(await run()).toMatchObject({ succeeded: 2 })
    expect(first.got.map(({ from }) => from)).toEqual(['accounts@brolga.example'])
    expect(second.got.map(({ from }) => from)).toEqual(['office@brolga.example'])
    expect(await message(bill)).toMatchObject({
      status: 'sent',
      accountGuid: billing.guid,
      sender: '"Accounts" <accounts@brolga.example>',
    })
    expect((await message(booking)).accountGuid).toBe(general.guid)
    expect(await accountOf(billing)).toMatchObject({ sentToday: 1, lastSentAt: clock.toISOString() })
  })
  test('is none where the business has none: the local outbox keeps it', async () => {
    await add(first, { purpose: 'billing' })
    const [booking] = await queue('bookings')
    await run()
    expect(await message(booking)).toMatchObject({ status: 'sent', accountGuid: null })
    expect(first.got).toHaveLength(0)
  })
  test('is not a paused one: the message waits, without a try', async () => {
    await add(first, { status: 'paused' })
    const [waiting] = await queue('bookings')
    expect(await run()).toEqual({ succeeded: 0, failed: 0, remaining: 1 })
    expect(await message(waiting)).toMatchObject({ status: 'queued', attempts: 0 })
  })
  test('takes emails about logins, too, where the installation has no mail server', async () => {
    await add(first)
    const guid = newGuid()
    await app.deps.db
      .insertInto('messages')
      .values({
        guid,
        ownerType: 'user',
        ownerGuid: people.office.userGuid,
        sender: 'no-reply@localhost',
        recipients: ['office@brolga.example'],
        subject: 'Reset',
        facts: JSON.stringify({ language: 'en', values: {}, link: 'https://x.example', business: null }),
        messageId: `<${guid}@localhost>`,
        nextAttemptAt: clock,
      })
      .execute()
    await run()
    expect((await message(guid)).accountGuid).not.toBeNull()
  })
})

describe('caps', () => {
  test('of a minute slide, and nothing that waits for them counts as tried', async () => {
    await add(first, { perMinuteCap: 3 })
    const guids = await queue('general', 5)
    expect(await run()).toMatchObject({ succeeded: 3, remaining: 2 })
    later(59)
    expect(await run()).toMatchObject({ succeeded: 0, remaining: 2 })
    expect((await message(guids.at(-1))).attempts).toBe(0)
    later(2)
    expect(await run()).toMatchObject({ succeeded: 2, remaining: 0 })
  })
  test('of a day begin anew at midnight where the business is', async () => {
    clock = new Date('2026-09-10T13:50:00Z')
    await logInAnew()
    const account = await add(first, { dailyCap: 2 })
    await queue('general', 3)
    await run()
    later(300)
    await run()
    expect(first.got).toHaveLength(2)
    expect(await accountOf(account)).toMatchObject({ sentToday: 2, state: 'capped' })
    // Midnight in Sydney.
    later(600)
    expect(await run()).toMatchObject({ succeeded: 1, remaining: 0 })
  })
  test('leave the rest to the next account', async () => {
    await add(first, { dailyCap: 1 })
    await add(second, { failoverOrder: 1 })
    await queue('general', 3)
    await run()
    expect([first.got.length, second.got.length]).toEqual([1, 2])
  })
  test('hold over several processes', async () => {
    await add(first, { perMinuteCap: 7 })
    await queue('general', 20)
    const other = await aSecondApp(app)
    await Promise.all([run(), run(other.deps), run(), run(other.deps)])
    await other.close()
    expect(first.got).toHaveLength(7)
  })
  test('hold however many send at once, and while some of them die', async () => {
    const many = process.env['PROVE'] ? 50 : 8
    await add(first, { dailyCap: 10 })
    const guids = await queue('general', 50)
    const other = await aSecondApp(app)
    for (let i = 0; i < 3; i++) expect(await claimDue(openCtx(systemRun(other.deps, 'test')))).not.toBeNull()
    const together = () => Promise.all(Array.from({ length: many }, (_, i) => run(i % 2 ? other.deps : app.deps)))
    await together()
    expect(first.got).toHaveLength(7)
    // What the dead ones held is taken up again, and nothing beyond.
    later(61)
    await together()
    await other.close()
    const ids = first.got.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1])
    expect([ids.length, new Set(ids).size]).toEqual([10, 10])
    const rows = await Promise.all(guids.map(message))
    expect(rows.filter(({ status, attempts }) => status === 'queued' && attempts === 0)).toHaveLength(40)
  })
  test('of one account never hold up what leaves by another', async () => {
    await add(first, { purpose: 'billing', perMinuteCap: 1 })
    await add(second)
    await add(second, { purpose: 'marketing', status: 'paused', failoverOrder: 3 })
    await queue('billing', 30)
    const [booking] = await queue('bookings')
    await run()
    expect((await message(booking)).status).toBe('sent')
  })
})

describe('a failure', () => {
  test('before the message leads to the next account, within the same try', async () => {
    const broken = await add(first, { smtp: { ...first.place(), port: 1 } })
    const fine = await add(second, { failoverOrder: 1 })
    const [guid] = await queue('general')
    expect(await run()).toMatchObject({ succeeded: 1 })
    expect(await message(guid)).toMatchObject({ status: 'sent', attempts: 1, accountGuid: fine.guid })
    expect((await accountOf(broken)).lastSaid).toContain('ECONNREFUSED')
  })
  test('after the message does not: the same account is asked again', async () => {
    first.rules.data = () => 451
    await add(first)
    await add(second, { failoverOrder: 1 })
    const [guid] = await queue('general')
    await run()
    expect(await message(guid)).toMatchObject({ status: 'deferred', attempts: 1 })
    expect(second.got).toHaveLength(0)
  })
  test('of an address is final, and of one of several is kept beside it', async () => {
    await add(first)
    const [all, some] = await queue('general', 2)
    await app.deps.db
      .updateTable('messages')
      .set({ recipients: ['jo@customer.example', 'gone@customer.example'] })
      .where('guid', '=', some ?? '')
      .execute()
    first.rules.to = (address) => (address === 'gone@customer.example' ? 550 : undefined)
    await run()
    expect(await message(some)).toMatchObject({ status: 'sent' })
    const states = await app.deps.db
      .selectFrom('messageRecipients')
      .select(['address', 'state'])
      .where('messageGuid', '=', some ?? '')
      .orderBy('address')
      .execute()
    expect(states).toEqual([
      { address: 'gone@customer.example', state: 'refused' },
      { address: 'jo@customer.example', state: 'sent' },
    ])
    expect((await message(all)).status).toBe('sent')
    const [none] = await queue('general')
    first.rules.to = () => 550
    await run()
    expect(await message(none)).toMatchObject({
      status: 'failed',
      failureType: 'address',
      settledAt: expect.any(String) as string,
    })
  })
  test('five times lets the account rest for five minutes', async () => {
    first.rules.from = () => 451
    const account = await add(first)
    await queue('general', 6)
    await run()
    expect(await accountOf(account)).toMatchObject({
      state: 'resting',
      openUntil: new Date(clock.getTime() + 300_000).toISOString(),
    })
    const seen = first.connections()
    later(299)
    await run()
    expect(first.connections()).toBe(seen)
    delete first.rules.from
    later(2)
    await run()
    expect(first.got.length).toBeGreaterThan(0)
    expect(await accountOf(account)).toMatchObject({ state: 'healthy', openUntil: null, lastSaid: null })
  })
})
