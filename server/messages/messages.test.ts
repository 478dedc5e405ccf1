import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Composed } from '../../contract/message-writes.ts'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aQuote, aSentQuote, ok } from '../../test/support/factories.ts'
import { aMailServerThatHangsUp } from '../../test/support/hanging-up.ts'
import { composeMessages } from '../../test/support/messages.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { newGuid } from '../core/guid.ts'
import { makeMail } from '../core/adapters/mail.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { parseEml } from './eml.ts'
import { processQueue } from './messages.queue.ts'
import { nextTry } from './retries.ts'

let app: Running
let actors: Actors
let clock = new Date('2026-07-01T01:00:00Z')
/** What the mail server says to each recipient, in turn; 250 when nothing is left to say. */
let script: ('ok' | 451 | 550 | 'hang')[] = []
let delivered: { from: string; to: string[]; raw: string }[] = []
let server: SMTPServer

const refusal = (code: number) =>
  Object.assign(new Error(code === 550 ? 'no such mailbox' : 'try again later'), { responseCode: code })
const smtpServer = () =>
  new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      const say = script.shift() ?? 'ok'
      if (say === 'hang') return
      done(say === 'ok' ? null : refusal(say))
    },
    onData: (stream, session: SMTPServerSession, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        delivered.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map((r) => r.address),
          raw: Buffer.concat(chunks).toString('latin1'),
        })
        done()
      })
    },
  })

beforeAll(async () => {
  app = await startApp({ now: () => clock })
  actors = await seedActors(app)
  await aBusiness(app)
  server = smtpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await app.stop()
})

const smtpUrl = () => `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}`
const useMail = (url: string | undefined) => {
  app.deps.mail.close()
  Object.assign(app.deps, { mail: makeMail({ smtpUrl: url, dataDir: app.dataDir }) })
}
const run = (sendTimeoutMs = 5000) => processQueue(openCtx(systemRun(app.deps, 'test')), () => true, { sendTimeoutMs })
const messages = () => app.deps.db.selectFrom('messages').selectAll().orderBy('createdAt').orderBy('guid').execute()
const newest = async () => {
  const all = await messages()
  const last = all.at(-1)
  if (!last) throw new Error('there is no message')
  return last
}
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000)
}
const sendQuote = async (facts: Record<string, unknown> = {}, customer: Record<string, unknown> = {}) => {
  const { guid } = await aCustomer(app, actors.office, customer)
  return aSentQuote(app, actors.office, guid, facts)
}

beforeEach(async () => {
  useMail(smtpUrl())
  script = []
  await run()
  script = []
  delivered = []
})

describe('a message to a customer', () => {
  it('is queued with the quote, and goes out once with its PDF and link', async () => {
    const quote = await sendQuote()
    expect(await newest()).toMatchObject({
      status: 'queued',
      ownerType: 'quote',
      ownerGuid: quote.guid,
      recipients: ['anna@hartmann.example'],
      subject: `Quote ${quote.number} from Brolga Fencing Pty Ltd: Pool fence`,
    })
    expect(await run()).toEqual({ succeeded: 1, failed: 0, remaining: 0 })
    expect(delivered).toHaveLength(1)
    const mail = await parseEml(Buffer.from(delivered[0]?.raw ?? '', 'latin1'))
    expect(mail).toMatchObject({
      from: 'Brolga Fencing Pty Ltd <office@brolga.example>',
      to: 'anna@hartmann.example',
      attachments: [{ name: `Quote ${quote.number}.pdf` }],
    })
    expect(mail.attachments[0]?.bytes).toBeGreaterThan(5000)
    expect(mail.text).toContain('$275.00')
    expect(mail.text).toContain(`/service/q/${quote.serviceGuid}`)
    expect(mail.html).toContain('View and accept')
    const message = await newest()
    expect(message).toMatchObject({ status: 'sent', attempts: 1, failureReason: null, nextAttemptAt: null })
    const kept = await app.deps.files.get(message.rawSha256 ?? '')
    expect(
      Buffer.from(kept ?? [])
        .toString('latin1')
        .trim(),
    ).toBe((delivered[0]?.raw ?? '').trim())
    expect(delivered[0]?.raw).toContain(`Message-ID: ${message.messageId}`)
    const timeline = ok(
      await app.call<{ items: { what: string; by: string | null }[] }>(
        actors.office,
        'GET',
        `/Quotes/Timeline/${quote.guid}`,
      ),
    )
    // The queue sent it, and it is the message of whoever sent the quote.
    const author = timeline.items.find(({ what }) => what === 'quote.sent')?.by
    expect(author).toBeTruthy()
    expect(timeline.items.find(({ what }) => what === 'message.sent')?.by).toBe(author)
  })
  it('is not queued when the rest of the deed is rolled back', async () => {
    const before = (await messages()).length
    const customer = await aCustomer(app, actors.office, { email: null })
    const draft = await aQuote(app, actors.office, customer.guid)
    const answer = await app.call(actors.office, 'POST', `/Quotes/Send/${draft.guid}`, { version: draft.version })
    expect(answer).toMatchObject({ status: 422, errors: [{ path: 'to' }] })
    expect((await messages()).length).toBe(before)
  })
  it('says what a person typed as text, never as markup or template', async () => {
    const { guid } = await aCustomer(app, actors.office, { displayName: '<b>Hart</b> {{ business }} & Co' })
    const draft = await aQuote(app, actors.office, guid, { title: '<img src=x onerror=alert(1)>' })
    ok(
      await app.call(actors.office, 'POST', `/Quotes/Send/${draft.guid}`, {
        version: draft.version,
        note: 'See {{ 7 | times: 6 }}\n<script>alert(1)</script> https://example.com/a',
      }),
    )
    await composeMessages(app)
    const { bodyHtml, bodyText } = await newest()
    expect(bodyHtml).not.toMatch(/<script|<img|<b>Hart/)
    expect(bodyHtml).toContain('&lt;script&gt;')
    expect(bodyHtml).toContain('<a href="https://example.com/a" ')
    expect(bodyText).toContain('See {{ 7 | times: 6 }}')
    expect(bodyText).toContain('<b>Hart</b> {{ business }} & Co')
  })
  it('has no header that a person could smuggle in', async () => {
    const { guid } = await aCustomer(app, actors.office)
    const draft = await aQuote(app, actors.office, guid)
    const refused = await app.call(actors.office, 'POST', `/Quotes/Send/${draft.guid}`, {
      version: draft.version,
      subject: 'Hello\r\nBcc: thief@example.com',
    })
    expect(refused.status).toBe(422)
    await app.deps.db.updateTable('businesses').set({ tradingName: 'Evil"\r\nBcc: thief@example.com' }).execute()
    ok(await app.call(actors.office, 'POST', `/Quotes/Send/${draft.guid}`, { version: draft.version }))
    await app.deps.db.updateTable('businesses').set({ tradingName: null }).execute()
    await run()
    expect(delivered).toHaveLength(1)
    expect(delivered[0]?.to).toEqual(['anna@hartmann.example'])
    expect((delivered[0]?.raw ?? '').split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
  })
})

describe('the mail server', () => {
  it('may put a message off twice; it arrives once, later', async () => {
    await sendQuote()
    script = [451, 451]
    expect(await run()).toEqual({ succeeded: 0, failed: 1, remaining: 0 })
    expect(await newest()).toMatchObject({
      status: 'deferred',
      attempts: 1,
      failureReason: expect.stringContaining('try again later') as string,
    })
    expect(await run()).toEqual({ succeeded: 0, failed: 0, remaining: 0 })
    later(2)
    await run()
    expect(await newest()).toMatchObject({ status: 'deferred', attempts: 2 })
    later(6)
    expect(await run()).toEqual({ succeeded: 1, failed: 0, remaining: 0 })
    expect(await newest()).toMatchObject({ status: 'sent', attempts: 3, failureReason: null })
    expect(delivered).toHaveLength(1)
  })
  it('may refuse a message for good', async () => {
    const quote = await sendQuote()
    script = [550]
    await run()
    expect(await newest()).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('no such mailbox') as string,
      nextAttemptAt: null,
    })
    const { items } = ok(
      await app.call<{ items: { what: string }[] }>(actors.office, 'GET', `/Quotes/Timeline/${quote.guid}`),
    )
    expect(items.map((entry) => entry.what)).toContain('message.failed')
    const board = ok(await app.call<{ messages: { failed: number } }>(actors.office, 'GET', '/Dashboards/Ecommerce'))
    expect(board.messages.failed).toBe(1)
  })
  it('may hang: the message is put off, and others are not held up by it', async () => {
    await sendQuote()
    await sendQuote({}, { email: 'other@hartmann.example' })
    script = ['hang']
    const report = await run(1000)
    expect(report).toMatchObject({ succeeded: 1, failed: 1 })
    expect(delivered).toHaveLength(1)
    expect(
      (await messages())
        .slice(-2)
        .map((m) => m.status)
        .toSorted(),
    ).toEqual(['deferred', 'sent'])
    later(2)
    await run()
    expect((await messages()).slice(-2).map((m) => m.status)).toEqual(['sent', 'sent'])
  })
  it('may hang up when it has the whole message, which is then sent again three times at most', async () => {
    const cutting = await aMailServerThatHangsUp()
    useMail(cutting.url)
    await sendQuote()
    for (let tries = 0; tries < 8; tries++) {
      await run()
      await app.deps.db.updateTable('messages').set({ nextAttemptAt: clock }).where('status', '=', 'deferred').execute()
    }
    const message = await newest()
    expect([cutting.taken(), message.status, message.attempts]).toEqual([4, 'failed', 4])
    expect(message.failureReason).toContain('may have arrived')
    cutting.close()
    useMail(smtpUrl())
  })
  it('is given up after three days', () => {
    const start = new Date('2026-07-01T00:00:00Z')
    const waits: number[] = []
    let now = start
    for (let attempt = 1; ; attempt++) {
      const at = nextTry(attempt, start, now, () => 0.5)
      if (!at) break
      waits.push(Math.round((at.getTime() - now.getTime()) / 60_000))
      now = at
    }
    expect(waits).toEqual([1, 5, 30, 120, 480, 1440, 1440])
  })
})

describe('the queue', () => {
  it('sends each message once, however many work on it', async () => {
    const { guid } = await aCustomer(app, actors.office)
    for (let i = 0; i < 12; i++) await aSentQuote(app, actors.office, guid)
    const reports = await Promise.all([run(), run(), run(), run()])
    expect(reports.reduce((sum, r) => sum + r.succeeded, 0)).toBe(12)
    expect(delivered).toHaveLength(12)
    expect(new Set(delivered.map((d) => /^Message-ID: (.*)$/im.exec(d.raw)?.[1])).size).toBe(12)
  })
  it('takes up what a process that died had begun, under the same Message-ID', async () => {
    await sendQuote()
    const { guid, messageId } = await newest()
    await app.deps.db
      .updateTable('messages')
      .set({ status: 'sending', attempts: 1, leaseUntil: new Date(clock.getTime() + 60_000) })
      .where('guid', '=', guid)
      .execute()
    expect((await run()).succeeded).toBe(0)
    later(2)
    expect((await run()).succeeded).toBe(1)
    expect(delivered[0]?.raw).toContain(messageId)
    expect(await newest()).toMatchObject({ status: 'sent', attempts: 2 })
  })
  it('is worked off by the cron call with its key, and by nobody without', async () => {
    await sendQuote()
    expect((await app.call(null, 'GET', '/Cron/Process/Messages/Queue')).status).toBe(401)
    expect(
      (await app.call(null, 'GET', '/Cron/Process/Messages/Queue?key=wrong-wrong-wrong-wrong-wrong-wrong')).status,
    ).toBe(401)
    const report = ok(
      await app.call(null, 'GET', '/Cron/Process/Messages/Queue', undefined, {
        authorization: `Cron ${app.deps.keys.cron}`,
      }),
    )
    expect(report).toMatchObject({ processed: 1, succeeded: 1, failed: 0, remaining: 0 })
    expect(delivered).toHaveLength(1)
  })
})

describe('a person with messages', () => {
  it('sees what waits, cancels it, and cannot cancel what is sent', async () => {
    const quote = await sendQuote()
    const { items } = ok(
      await app.call<{ items: { guid: string; ownerNumber: string; customerName: string }[] }>(
        actors.office,
        'GET',
        `/Messages?status=queued&ownerGuid=${quote.guid}&search=hartmann`,
      ),
    )
    expect(items).toMatchObject([
      { ownerNumber: quote.number, customerName: 'Hartmann Builders', to: 'anna@hartmann.example' },
    ])
    // Whoever it is of is found as the list shows him, too; and who is not there is not.
    const by = async (search: string) =>
      ok(
        await app.call<{ items: { ownerGuid: string }[] }>(
          actors.office,
          'GET',
          `/Messages?ownerGuid=${quote.guid}&search=${encodeURIComponent(search)}`,
        ),
      ).items.map(({ ownerGuid }) => ownerGuid)
    expect(await by('Hartmann Builders')).toEqual([quote.guid])
    expect(await by('Hartmann Bakers')).toEqual([])
    const { guid } = await newest()
    ok(await app.call(actors.administrator, 'DELETE', `/Messages/${guid}`))
    expect(await newest()).toMatchObject({ status: 'cancelled' })
    const again = await app.call(actors.administrator, 'DELETE', `/Messages/${guid}`)
    expect([again.status, again.message]).toEqual([409, 'Failed to delete message: it isn’t queued.'])
    const nobodys = await app.call(actors.administrator, 'DELETE', `/Messages/${newGuid()}`)
    expect([nobodys.status, nobodys.errors]).toEqual([404, [{ path: 'guid', message: 'Failed to fetch message' }]])
    expect((await run()).succeeded).toBe(0)
    await sendQuote()
    await run()
    const answer = await app.call(actors.administrator, 'DELETE', `/Messages/${(await newest()).guid}`)
    expect(answer).toMatchObject({
      status: 409,
      error: 'INVALID_TRANSITION',
      message: 'This message is already marked as sent',
    })
  })
  it('sends a sent one again as a new one; the old one stays as it was', async () => {
    const quote = await sendQuote()
    const first = await newest()
    expect((await app.call(actors.office, 'POST', `/Messages/Resend/${first.guid}`, {})).status).toBe(409)
    await run()
    const sent = await newest()
    const { message } = ok(
      await app.call<{ message: { guid: string; resendOfGuid: string; subject: string } }>(
        actors.office,
        'POST',
        `/Messages/Resend/${first.guid}`,
        { to: ['new@hartmann.example'] },
      ),
      201,
    )
    expect(message).toMatchObject({
      resendOfGuid: first.guid,
      subject: sent.subject,
      to: ['new@hartmann.example'],
      status: 'queued',
    })
    await run()
    expect(delivered.map((d) => d.to)).toEqual([['anna@hartmann.example'], ['new@hartmann.example']])
    expect((await messages()).find((m) => m.guid === first.guid)).toEqual(sent)
    expect(quote.status).toBe('sent')
  })
  it('finds a sent message frozen by the database itself', async () => {
    await sendQuote()
    await run()
    const { guid } = await newest()
    await expect(
      app.deps.db.updateTable('messages').set({ subject: 'other' }).where('guid', '=', guid).execute(),
    ).rejects.toThrow('sent messages cannot be changed')
    await expect(app.deps.db.deleteFrom('messages').where('guid', '=', guid).execute()).rejects.toThrow()
  })
  it('reads a message before it is sent, of documents he may read alone', async () => {
    const { guid } = await aCustomer(app, actors.office)
    const draft = await aQuote(app, actors.office, guid)
    const path = (noun: string, guid: string) => `/${noun}/Messages/load_new/${guid}`
    const { composed } = ok(await app.call<{ composed: Composed }>(actors.office, 'GET', path('Quotes', draft.guid)))
    expect(composed).toMatchObject({
      to: ['anna@hartmann.example'],
      from: '"Brolga Fencing Pty Ltd" <office@brolga.example>',
      attachments: [],
    })
    expect((await app.call(actors.emptyRole, 'GET', path('Quotes', draft.guid))).status).toBe(403)
    expect((await app.call(actors.office, 'GET', path('Invoices', draft.guid))).status).toBe(404)
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string } }>(actors.office, 'POST', '/Invoices', {
        customerGuid: guid,
        title: 'Hire',
        termsDays: 7,
        lines: [{ name: 'Fence panels', quantity: '2', unitPriceCents: 12_500 }],
      }),
      201,
    )
    const about = await app.call<{ composed: Composed }>(actors.office, 'GET', path('Invoices', invoice.guid))
    const { html: bodyHtml } = ok(about).composed
    expect(bodyHtml).toMatch(/Please pay \$275\.00 by \d+ \w+ \d{4}.*\(the invoice number\)/)
    expect(bodyHtml).not.toContain('nothing to pay')
  })
})

describe('without a mail server', () => {
  it('mails go to the local outbox, each once, and can be read there', async () => {
    useMail(undefined)
    const quote = await sendQuote({}, { displayName: 'Łukasz Müller', email: 'lukasz@example.com' })
    await run()
    const { guid } = await newest()
    const folder = join(app.dataDir, 'outbox')
    expect(readdirSync(folder)).toEqual([`${guid}.eml`])
    const { items, isActive } = ok(
      await app.call<{ items: { id: string; subject: string; to: string }[]; isActive: boolean }>(
        actors.administrator,
        'GET',
        '/Dev/Outbox',
      ),
    )
    expect(isActive).toBe(true)
    expect(items).toMatchObject([
      { id: guid, to: 'lukasz@example.com', subject: `Quote ${quote.number} from Brolga Fencing Pty Ltd: Pool fence` },
    ])
    const { mail } = ok(
      await app.call<{ mail: { html: string; text: string; attachments: { name: string; bytes: number }[] } }>(
        actors.administrator,
        'GET',
        `/Dev/Outbox/Mail?id=${guid}`,
      ),
    )
    expect(mail.text).toContain('Łukasz Müller')
    expect(mail.html).toContain(`/service/q/${quote.serviceGuid}`)
    expect(mail.attachments).toMatchObject([{ name: `Quote ${quote.number}.pdf` }])
    // A process that died after the file was written writes it again, and finds it there.
    const before = readFileSync(join(folder, `${guid}.eml`), 'latin1')
    const { recipients, sender, subject, bodyHtml, bodyText, messageId } = await newest()
    const again = await app.deps.mail.send({
      guid,
      from: sender,
      to: recipients,
      subject,
      html: bodyHtml ?? '',
      text: bodyText ?? '',
      messageId,
    })
    expect(again.outcome).toBe('accepted')
    expect(readFileSync(join(folder, `${guid}.eml`), 'latin1')).toBe(before)
    for (const id of ['../files', '..%2F..%2Fetc%2Fpasswd', 'nothing'])
      expect((await app.call(actors.administrator, 'GET', `/Dev/Outbox/Mail?id=${id}`)).status).toBe(404)
    expect((await app.call(actors.readOnly, 'GET', '/Dev/Outbox')).status).toBe(403)
    expect(existsSync(folder)).toBe(true)
  })
})

describe('a queued message', () => {
  it('counts towards what one person may send in a day', async () => {
    await app.deps.db
      .insertInto('rateLimits')
      .values({ key: `mail:${actors.sales.userGuid}`, count: 2000, resetsAt: new Date(Date.now() + 3_600_000) })
      .execute()
    const { guid } = await aCustomer(app, actors.office)
    const draft = await aQuote(app, actors.sales, guid)
    expect(
      (await app.call(actors.sales, 'POST', `/Quotes/Send/${draft.guid}`, { version: draft.version })).status,
    ).toBe(429)
  })
  it('has its sending begin as soon as it is committed', async () => {
    const queued = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from pgboss.job where name = 'messages.queue'`.execute(
          app.deps.db,
        )
      ).rows[0]?.n ?? 0
    const before = await queued()
    await sendQuote()
    expect(await queued()).toBe(before + 1)
  })
})

describe('a running product', () => {
  it('sends by itself what is queued', async () => {
    const running = await startApp({ hasWorkers: true })
    try {
      const { office } = await seedActors(running)
      await aBusiness(running)
      await running.listen()
      const customer = await aCustomer(running, office)
      const quote = await aSentQuote(running, office, customer.guid)
      const status = async () =>
        (
          await running.deps.db
            .selectFrom('messages')
            .select('status')
            .where('ownerGuid', '=', quote.guid)
            .executeTakeFirstOrThrow()
        ).status
      await expect.poll(status, { interval: 100 }).toBe('sent')
      expect(readdirSync(join(running.dataDir, 'outbox'))).toHaveLength(1)
    } finally {
      await running.stop()
    }
  })
})
