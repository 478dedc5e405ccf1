import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../contract/messages.ts'
import type { QuarantinedMail } from '../../contract/inbound.ts'
import type { Suppression } from '../../contract/suppressions.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import { aMail, aReport, nested } from '../../test/support/mails.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { inTransaction, openCtx, systemRun } from '../core/run.ts'
import { processQueue } from '../messages/messages.queue.ts'
import { settleAll } from './inbound.batch.ts'

let app: Running
let actors: Actors
let office: Caller
let businessGuid: string
let accountGuid: string
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
  businessGuid = (await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()).guid
  accountGuid = await anAccount(businessGuid)
})
afterAll(() => app.stop())

const anAccount = async (business: string) => {
  const guid = randomUUID()
  await app.deps.db
    .insertInto('emailAccounts')
    .values({
      ...{ guid, businessGuid: business, purpose: 'marketing', fromName: 'Office', authKind: 'password' },
      fromAddress: 'office@brolga.example',
      smtp: JSON.stringify({ host: 'smtp.brolga.example', port: 587, security: 'starttls', username: 'office' }),
    })
    .execute()
  return guid
}

let uid = 0
/** A mail as the reader stores it, then read; gives its row. */
async function arrives(raw: Buffer, account = accountGuid, business = businessGuid) {
  const guid = randomUUID()
  await inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
    const { sha256 } = await keepBytes(ctx, raw, 'message/rfc822')
    await ctx.db
      .insertInto('inboundMails')
      .values({
        ...{ guid, businessGuid: business, accountGuid: account, uidValidity: 1, uid: ++uid },
        ...{ bytes: raw.byteLength, rawSha256: sha256, receivedAt: new Date() },
      })
      .execute()
  })
  await settleAll(openCtx(systemRun(app.deps, 'test')), () => true)
  return app.deps.db.selectFrom('inboundMails').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
}
const messageOf = async (guid: string | null, who: Caller = office) =>
  ok(await app.call<{ message: Message }>(who, 'GET', `/Messages/${guid}`)).message

/** A quote that was sent by email, with its customer. */
async function sent(email = `c${++uid}@hartmann.example`, facts: object = {}) {
  const customer = await aCustomer(app, office, { email, ...facts })
  const quote = await aSentQuote(app, office, customer.guid)
  await processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
  const message = await app.deps.db
    .selectFrom('messages')
    .selectAll()
    .where('ownerGuid', '=', quote.guid)
    .executeTakeFirstOrThrow()
  return { customer, quote, message, email }
}
const events = (guid: string) =>
  app.deps.db.selectFrom('auditLog').select('action').where('entityGuid', '=', guid).orderBy('id').execute()

describe('a reply', () => {
  it('stands where the message is that it answers, with its files, and moves nothing', async () => {
    const { quote, customer, message, email } = await sent()
    const mail = await arrives(
      aMail({
        from: `Anna <${email}>`,
        inReplyTo: message.messageId,
        subject: 'Re: Your quote',
        html: '<p>Yes<script>x</script></p>',
        files: [
          { name: 'plan.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%âãÏÓ\n') },
          { name: 'setup.exe', type: 'application/octet-stream', bytes: Buffer.from('MZ\u0000\u0001') },
        ],
      }),
    )
    expect(mail.state).toBe('filed')
    expect(await messageOf(mail.messageGuid)).toMatchObject({
      direction: 'in',
      status: 'received',
      ownerType: 'quote',
      ownerGuid: quote.guid,
      customerGuid: customer.guid,
      from: `"Anna" <${email}>`,
      subject: 'Re: Your quote',
      bodyHtml: '<p>Yes</p><hr><p>Attachments not kept: setup.exe</p>',
      isUnmatched: false,
      isUnknownSender: false,
      files: [{ name: 'plan.pdf', mime: 'application/pdf' }],
    })
    expect((await events(quote.guid)).map(({ action }) => action)).toContain('message.received')
    const found = (search: string) =>
      app.call<{ items: { guid: string }[] }>(office, 'GET', `/Messages?search=${encodeURIComponent(search)}`)
    expect(ok(await found(`anna" <${email}`)).items.map(({ guid }) => guid)).toEqual([mail.messageGuid])
    const { quote: after } = ok(await app.call<{ quote: { status: string } }>(office, 'GET', `/Quotes/${quote.guid}`))
    expect(after.status).toBe('sent')
  })

  it('to a test of a template, which is about nobody, waits to be filed', async () => {
    const messageId = `<${randomUUID()}@brolga.example>`
    await app.deps.db
      .insertInto('messages')
      .values({
        ...{ guid: randomUUID(), businessGuid, messageId, isTest: true, status: 'sent', sentAt: new Date() },
        ...{ sender: 'office@brolga.example', recipients: ['jo@brolga.example'], subject: 'Test', attachments: '[]' },
        ...{ bodyHtml: '<p>Test</p>', bodyText: 'Test', createdAt: new Date() },
      })
      .execute()
    const mail = await arrives(aMail({ from: 'Jo <jo@brolga.example>', inReplyTo: messageId, subject: 'Re: Test' }))
    expect(mail.state).toBe('unmatched')
    expect(await messageOf(mail.messageGuid)).toMatchObject({ isUnmatched: true, isUnknownSender: false })
  })

  it('is known by the token behind the plus, and by a Message-ID that another server wrote anew', async () => {
    const { message } = await sent()
    const token = message.replyToken ?? ''
    expect(token).toMatch(/^[a-z2-7]{26}$/)
    for (const facts of [
      { to: `office+${token}@brolga.example` },
      { inReplyTo: `<${token}@eu-west-1.elsewhere.example>` },
      { references: `<other@x.example> ${message.messageId} <another@x.example>` },
    ])
      expect((await arrives(aMail({ from: 'x@x.example', ...facts }))).state).toBe('filed')
  })

  it('is found by what it answers alone, whatever it says of itself', async () => {
    const { message, email } = await sent()
    const claims = { from: email, subject: `Re: ${message.subject}` }
    for (const facts of [claims, { ...claims, inReplyTo: `<${randomUUID()}@brolga.example>` }])
      expect((await arrives(aMail(facts))).state).toBe('unmatched')
  })

  it('of somebody nobody knows is marked; contacts and recipients are known', async () => {
    const { message } = await sent('owner@emu.example', {
      contacts: [{ name: 'Kim', email: 'Kim@emu.example' }],
    })
    const from = async (address: string) =>
      (await messageOf((await arrives(aMail({ from: address, inReplyTo: message.messageId }))).messageGuid))
        .isUnknownSender
    expect(await from('stranger@x.example')).toBe(true)
    expect(await from('kim@emu.example')).toBe(false)
    expect(await from('OWNER@emu.example')).toBe(false)
    expect(await from('nobody')).toBe(true)
  })

  it('written by a program is kept, and neither told nor an event', async () => {
    const { quote, message } = await sent()
    await tellPeople(app)
    await arrives(aMail({ inReplyTo: message.messageId, headers: ['Auto-Submitted: auto-replied'] }))
    expect((await events(quote.guid)).at(-1)?.action).toBe('message.received_automatic')
    const raised = async () =>
      (await app.deps.db.selectFrom('events').select('key').where('key', '=', 'message.received').execute()).length
    const raisedBefore = await raised()
    const before = await app.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'message.received')
      .execute()
    await tellPeople(app)
    const after = await app.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'message.received')
      .execute()
    expect(after).toHaveLength(before.length)
    await arrives(aMail({ inReplyTo: message.messageId, headers: ['Auto-Submitted: auto-replied'] }))
    expect(await raised()).toBe(raisedBefore)
    await arrives(aMail({ inReplyTo: message.messageId }))
    expect(await raised()).toBe(raisedBefore + 1)
    await tellPeople(app)
    const told = await app.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('kind', '=', 'message.received')
      .execute()
    expect(told.length).toBeGreaterThan(before.length)
  })

  it('to another business’s message is nothing of this one', async () => {
    const { message } = await sent()
    const other = await aBusiness(app, { legalName: 'Wombat Fencing Pty Ltd', abn: '51824753556' })
    const theirs = await arrives(aMail({ inReplyTo: message.messageId }), await anAccount(other.guid), other.guid)
    expect(theirs.state).toBe('unmatched')
  })
})

describe('a delivery report', () => {
  const states = async (guid: string) =>
    (
      await app.deps.db
        .selectFrom('messageRecipients')
        .select(['address', 'state', 'reason'])
        .where('messageGuid', '=', guid)
        .orderBy('address')
        .execute()
    ).map(({ address, state }) => `${address} ${state}`)
  const twice = async () => {
    const { quote, customer } = await sent()
    const [a, b] = [`a${++uid}@emu.example`, `b${uid}@emu.example`]
    const { message } = ok(
      await app.call<{ message: Message }>(office, 'POST', `/Messages/Resend/${(await first(quote.guid)).guid}`, {
        to: [a, b],
      }),
      201,
    )
    await processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
    const row = await app.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('guid', '=', message.guid)
      .executeTakeFirstOrThrow()
    return { a, b, message: row, quote, customer }
  }
  const first = (ownerGuid: string) =>
    app.deps.db.selectFrom('messages').selectAll().where('ownerGuid', '=', ownerGuid).executeTakeFirstOrThrow()
  const closed = async (address: string) =>
    ok(await app.call<{ items: Suppression[] }>(office, 'GET', `/Messages/Suppressions?search=${address}`)).items.length

  it('makes the message bounce with the first recipient, and closes the address that is gone', async () => {
    const { a, b, message } = await twice()
    const one = await arrives(aReport({ about: message.messageId, recipients: [{ address: a.toUpperCase() }] }))
    expect([one.state, one.messageGuid]).toEqual(['bounce', message.guid])
    expect(await states(message.guid)).toEqual([`${a} bounced`, `${b} sent`])
    expect(await messageOf(message.guid)).toMatchObject({ status: 'bounced', failureReason: `${a}: 550 no such user` })
    expect([await closed(a), await closed(b)]).toEqual([1, 0])
    await arrives(aReport({ about: message.messageId, recipients: [{ address: b, status: '5.2.2' }] }))
    expect(await states(message.guid)).toEqual([`${a} bounced`, `${b} bounced`])
    expect(await closed(b)).toBe(0)
    expect((await events(message.ownerGuid ?? '')).filter(({ action }) => action === 'message.bounced')).toHaveLength(1)
  })

  it('makes it delivered once all have it, and a later bounce still counts', async () => {
    const { a, b, message } = await twice()
    const delivered = (address: string) => ({ address, action: 'delivered', status: '2.0.0' })
    await arrives(aReport({ about: message.messageId, recipients: [delivered(a)] }))
    expect((await messageOf(message.guid)).status).toBe('sent')
    await arrives(aReport({ about: message.messageId, recipients: [delivered(b)] }))
    expect((await messageOf(message.guid)).status).toBe('delivered')
    await arrives(aReport({ about: message.messageId, recipients: [{ address: b, status: '5.7.1' }] }))
    expect(await states(message.guid)).toEqual([`${a} delivered`, `${b} bounced`])
    expect((await messageOf(message.guid)).status).toBe('bounced')
  })

  it('tells nothing of whom the message did not go to, what is only late, or what is too old', async () => {
    const { a, message } = await twice()
    const about = message.messageId
    await arrives(aReport({ about, recipients: [{ address: 'stranger@x.example' }] }))
    await arrives(aReport({ about, recipients: [{ address: a, action: 'delayed', status: '4.4.1' }] }))
    expect((await messageOf(message.guid)).status).toBe('sent')
    expect(await closed('stranger@x.example')).toBe(0)
    const forged = await arrives(aReport({ about: `<${randomUUID()}@brolga.example>`, recipients: [{ address: a }] }))
    expect(forged.state).toBe('unmatched')
    expect(await closed(a)).toBe(0)
  })
})

describe('an email nobody can place', () => {
  const unmatched = async () => (await arrives(aMail({ from: 'Jo <jo@emu.example>' }))).messageGuid ?? ''
  const assign = (guid: string, body: object, who: Caller = office) =>
    app.call<{ message: Message; filedUnder: string | null }>(who, 'POST', `/Messages/Assign/${guid}`, body)

  it('is filed by hand, under a record or under a customer, and may be filed again', async () => {
    const guid = await unmatched()
    expect(await messageOf(guid)).toMatchObject({ isUnmatched: true, customerGuid: null, ownerGuid: null })
    const { quote, customer } = await sent('jo@emu.example')
    const filed = ok(await assign(guid, { version: 1, quoteGuid: quote.guid }))
    expect(filed.filedUnder).toBe(quote.number)
    expect(filed.message).toMatchObject({
      isUnmatched: false,
      isUnknownSender: false,
      ownerGuid: quote.guid,
      customerGuid: customer.guid,
      version: 2,
    })
    expect((await assign(guid, { version: 1, quoteGuid: quote.guid })).status).toBe(409)
    const other = await aCustomer(app, office, { displayName: 'Emu Homes', email: 'emu@homes.example' })
    const again = ok(await assign(guid, { version: 2, customerGuid: other.guid }))
    expect(again).toMatchObject({
      filedUnder: 'Emu Homes',
      message: { ownerGuid: null, customerGuid: other.guid, isUnknownSender: true },
    })
    // Whoever becomes a contact of the customer is no stranger anymore.
    const links = [{ customerGuid: other.guid, role: 'other', isPrimary: false }]
    ok(await app.call(office, 'POST', '/Contacts', { name: 'Jo', email: 'Jo@emu.example', links }), 201)
    expect(await messageOf(guid)).toMatchObject({ customerGuid: other.guid, isUnknownSender: false })
    const row = await app.deps.db
      .selectFrom('inboundMails')
      .select('state')
      .where('messageGuid', '=', guid)
      .executeTakeFirst()
    expect(row?.state).toBe('filed')
  })

  it('is set aside and taken back', async () => {
    const guid = await unmatched()
    expect((await assign(guid, { version: 1, action: 'restore' })).status).toBe(409)
    expect(ok(await assign(guid, { version: 1, action: 'ignore' })).message.isUnmatched).toBe(false)
    expect((await assign(guid, { version: 2, action: 'ignore' })).status).toBe(409)
    expect(ok(await assign(guid, { version: 2, action: 'restore' })).message.isUnmatched).toBe(true)
  })

  it('goes to exactly one record that the caller reads', async () => {
    const guid = await unmatched()
    const { quote, customer, message } = await sent()
    const nowhere = '01890000-0000-7000-8000-000000000000'
    for (const body of [
      {},
      { customerGuid: customer.guid, quoteGuid: quote.guid },
      { quoteGuid: quote.guid, action: 'ignore' },
    ])
      expect((await assign(guid, { version: 1, ...body })).status).toBe(422)
    for (const name of ['customerGuid', 'quoteGuid', 'orderGuid', 'invoiceGuid'])
      expect((await assign(guid, { version: 1, [name]: nowhere })).status).toBe(404)
    expect((await assign(guid, { version: 1, invoiceGuid: quote.guid })).status).toBe(404)
    expect((await assign(nowhere, { version: 1, quoteGuid: quote.guid })).status).toBe(404)
    expect((await assign(message.guid, { version: 1, quoteGuid: quote.guid })).message).toBe(
      'Only emails that came in can be filed.',
    )
    expect((await assign(guid, { version: 1, quoteGuid: quote.guid }, actors.readOnly)).status).toBe(403)
    const blind: Actor = await aPersonWho(app, 'blind-filing', [
      { action: 'manage', subject: 'Messages' },
      { action: 'manage', subject: 'Customers', conditions: { scope: 'own' } },
    ])
    for (const body of [{ quoteGuid: quote.guid }, { customerGuid: customer.guid }])
      expect((await assign(guid, { version: 1, ...body }, blind)).status).toBe(404)
  })

  it('stays as it came: nobody changes what was written', async () => {
    const guid = await unmatched()
    await expect(
      app.deps.db.updateTable('messages').set({ bodyText: 'x' }).where('guid', '=', guid).execute(),
    ).rejects.toThrow()
  })
})

describe('an email that is kept away', () => {
  const list = async (who: Caller = actors.administrator) =>
    ok(await app.call<{ items: QuarantinedMail[] }>(who, 'GET', '/EmailAccounts/Quarantine?size=100')).items
  const settle = (guid: string, action: string, who: Caller = actors.administrator) =>
    app.call<{ state: string; messageGuid: string | null }>(who, 'POST', `/EmailAccounts/Quarantine/${guid}`, {
      action,
    })

  it('is told of by its facts, read again, and ignored', async () => {
    const mail = await arrives(nested(60))
    expect(mail).toMatchObject({ state: 'quarantined', reason: 'depth', messageGuid: null })
    const [item] = await list()
    expect(item).toEqual({
      guid: mail.guid,
      account: { guid: accountGuid, label: 'office@brolga.example' },
      reason: 'depth',
      from: '"Anna Hartmann" <anna@hartmann.example>',
      subject: 'About the fence',
      bytes: expect.any(Number),
      receivedAt: expect.any(String),
    })
    expect(ok(await settle(mail.guid, 'retry')).state).toBe('quarantined')
    expect(ok(await settle(mail.guid, 'ignore')).state).toBe('ignored')
    expect((await settle(mail.guid, 'ignore')).status).toBe(404)
    expect(await list()).toEqual([])
  })

  it('has the words of a stranger in its headers, bounded and plain, or says that they could not be read', async () => {
    const hostile = {
      from: `"\u202ea<b>${'x'.repeat(300)}" <Eve@evil.example>`,
      subject: `\u202e<b>${'y'.repeat(900)}`,
    }
    const loud = await arrives(nested(62, hostile))
    expect(loud.sender).toMatch(/^"abx{1,100}" <eve@evil\.example>$/)
    expect(loud.subject).toBe(`<b>${'y'.repeat(197)}`)
    // Headers without end are read as far as is safe; what has none has no sender.
    const long = Buffer.from(`Subject: Hello\r\n${'X-Filler: zzzzzzzzzz\r\n'.repeat(20_000)}\r\nbody`)
    expect(await arrives(long)).toMatchObject({ reason: 'headers', sender: null, subject: 'Hello' })
    const one = Buffer.from(`Subject: ${'w'.repeat(400_000)}\r\n\r\nbody`)
    expect(await arrives(one)).toMatchObject({ reason: 'headers', sender: null, subject: null })
    for (const { guid } of await list()) ok(await settle(guid, 'ignore'))
  })

  it('is a message once it can be read, and leads there', async () => {
    const { guid } = await arrives(aMail({ from: 'Anna <anna@hartmann.example>', subject: 'Readable after all' }))
    await app.deps.db
      .updateTable('inboundMails')
      .set({ state: 'quarantined', reason: 'time', messageGuid: null, sender: 'x@y.example', subject: 'Readable' })
      .where('guid', '=', guid)
      .execute()
    const read = ok(await settle(guid, 'retry'))
    expect(read).toMatchObject({ state: 'unmatched' })
    expect(await messageOf(read.messageGuid)).toMatchObject({ subject: 'Readable after all', isUnmatched: true })
    const row = app.deps.db.selectFrom('inboundMails').select(['sender', 'subject']).where('guid', '=', guid)
    expect(await row.executeTakeFirstOrThrow()).toEqual({ sender: null, subject: null })
  })

  it('is for administrators, in its own business', async () => {
    const mail = await arrives(nested(61))
    for (const who of [office, actors.field]) {
      expect((await app.call(who, 'GET', '/EmailAccounts/Quarantine')).status).toBe(403)
      expect((await settle(mail.guid, 'ignore', who)).status).toBe(403)
    }
    expect((await settle(mail.guid, 'explode')).status).toBe(422)
    expect((await settle(randomUUID(), 'retry')).status).toBe(404)
  })
})

describe('the conversation on the page of an order', () => {
  it('has what went to the customer and came from him, and nothing of others who write about the order', async () => {
    const { quote, email } = await sent()
    const answer = { version: quote.version, name: 'Anna', method: 'phone' }
    const accepted = await app.call<{ order: { guid: string } }>(office, 'POST', `/Quotes/Accept/${quote.guid}`, answer)
    const { guid: orderGuid } = ok(accepted).order
    const write = async (to: string, subject: string) => {
      const letter = { orderGuid, intent: 'send', to: [to], subject, bodyHtml: `<p>${subject}</p>` }
      const { message } = ok(await app.call<{ message: Message }>(office, 'POST', '/Orders/Messages', letter), 201)
      await processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
      return app.deps.db.selectFrom('messages').selectAll().where('guid', '=', message.guid).executeTakeFirstOrThrow()
    }
    const { messageId } = await write('sales@supplier.example', 'What do the panels cost us?')
    await write(email, 'We come on Friday')
    const theirs = aMail({ from: 'Sales <sales@supplier.example>', inReplyTo: messageId, text: 'We charge you $12.' })
    const filed = await arrives(theirs)
    expect(await messageOf(filed.messageGuid)).toMatchObject({ ownerGuid: orderGuid, isUnknownSender: false })
    const link = await app.deps.db
      .selectFrom('serviceLinks')
      .select('guid')
      .where('recordGuid', '=', orderGuid)
      .executeTakeFirstOrThrow()
    const path = `/Service/Orders/Messages/${link.guid}`
    ok(await app.call(actors.guest, 'POST', path, { text: 'Friday suits us.' }), 201)
    const { items } = ok(await app.call<{ items: { isOurs: boolean; text: string }[] }>(actors.guest, 'GET', path))
    expect(items.map(({ isOurs, text }) => [isOurs, text])).toEqual([
      [true, 'We come on Friday'],
      [false, 'Friday suits us.'],
    ])
  })
})
