import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composed, ThreadItem } from '../../contract/message-writes.ts'
import type { Message } from '../../contract/messages.ts'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aCustomer, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import { scheduledJob } from './scheduled.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { noteStatements } from '../../test/support/statements.ts'

let app: Running
let actors: Actors
let office: Caller
/** Writes messages, but to nobody but the customer's own people. */
let clerk: Actor
const start = new Date('2026-07-01T01:00:00Z')
let clock = start
beforeAll(async () => {
  ;({ app, actors } = await startStaffed({ now: () => clock }))
  office = actors.office
  clerk = await aPersonWho(app, 'clerk', [
    { action: 'manage', subject: 'Customers' },
    { action: 'manage', subject: 'Quotes' },
    { action: 'read', subject: 'Messages:Preview' },
    { action: 'create', subject: 'Messages:Create' },
  ])
})
afterAll(() => app.stop())

type Body = Record<string, unknown>
interface One {
  message: Message
}
const write = (body: Body, who: Caller = office) => app.call<One>(who, 'POST', '/Messages', body)
const edit = (message: Message, body: Body, who: Caller = office) =>
  app.call<One>(who, 'PATCH', `/Messages/${message.guid}`, { version: message.version, ...body })
const rowOf = (guid: string) =>
  app.deps.db.selectFrom('messages').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
const aKnownCustomer = () => aCustomer(app, office, { email: 'jo@customer.example' })
const letter = (customerGuid: string, more: Body = {}): Body => ({
  customerGuid,
  intent: 'send',
  to: ['jo@customer.example'],
  subject: 'About Friday',
  bodyHtml: '<p>We come at <strong>nine</strong>.</p>',
  ...more,
})
const loadNew = (path: string, who: Caller = office) =>
  app.call<{ composed: Composed | null; items: ThreadItem[]; since: string }>(who, 'GET', path)
const run = () => scheduledJob.run(app.deps)

describe('a message that somebody writes', () => {
  it('is kept as a draft, changed, sent once, and read in its conversation', async () => {
    const { guid } = await aKnownCustomer()
    const draft = ok(await write(letter(guid, { intent: 'draft', to: [], subject: 'A' })), 201).message
    expect(draft).toMatchObject({
      status: 'draft',
      to: [],
      version: 1,
      source: { bodyHtml: '<p>We come at <strong>nine</strong>.</p>' },
    })
    const missing = await edit(draft, { intent: 'send' })
    expect([missing.status, missing.errors]).toEqual([422, [{ path: 'to', message: 'Choose a recipient.' }]])
    const stale = await edit({ ...draft, version: 9 }, { intent: 'draft', subject: 'B' })
    expect(stale.status).toBe(409)
    const sent = ok(await edit(draft, { intent: 'send', to: ['jo@customer.example'], subject: 'About Friday' })).message
    expect(sent).toMatchObject({ status: 'queued', version: 2, subject: 'About Friday' })
    expect((await rowOf(sent.guid)).facts?.words?.bodyHtml).toContain('<strong>nine</strong>')
    const { items } = ok(await loadNew(`/Messages/load_new/${guid}`))
    expect(items).toMatchObject([{ guid: sent.guid, text: 'We come at nine.', isOwn: true }])
  })

  it('says what became of it where it was cancelled or sent meanwhile', async () => {
    const { guid } = await aKnownCustomer()
    const later = { intent: 'schedule', scheduledFor: '2026-07-08T09:00' }
    const waits = ok(await write(letter(guid, later)), 201).message
    ok(await app.call(office, 'DELETE', `/Messages/${waits.guid}`))
    const cancelled = [{ path: 'status', message: 'This message was cancelled.' }]
    const scheduledAgain = await edit(waits, later)
    expect(scheduledAgain).toMatchObject({ status: 409, message: 'Failed to edit message', errors: cancelled })
    const send = await app.call(office, 'POST', `/Messages/Send/${waits.guid}`, { version: waits.version })
    expect(send).toMatchObject({ status: 409, message: 'Failed to send message', errors: cancelled })

    const gone = ok(await write(letter(guid)), 201).message
    await app.deps.db
      .updateTable('messages')
      .set({ status: 'sent', sentAt: clock, settledAt: clock })
      .where('guid', '=', gone.guid)
      .execute()
    expect(await edit(gone, { intent: 'send', subject: 'Too late' })).toMatchObject({
      status: 409,
      message: 'You cannot edit messages that have already been sent',
      errors: [{ path: 'status', message: 'This message has been sent already.' }],
    })
  })

  it('is listed with the time it waits for, in the order of those times', async () => {
    const { guid } = await aKnownCustomer()
    for (const day of ['09', '07', '08'])
      ok(await write(letter(guid, { intent: 'schedule', scheduledFor: `2026-07-${day}T09:00`, timeZone: 'UTC' })), 201)
    const list = async (sort: string) => {
      const path = `/Messages?customerGuid=${guid}&status=scheduled&sort=${sort}`
      const { items } = ok(await app.call<{ items: { scheduledAt: string }[] }>(office, 'GET', path))
      return items.map(({ scheduledAt }) => scheduledAt.slice(0, 16))
    }
    const inOrder = ['2026-07-07T09:00', '2026-07-08T09:00', '2026-07-09T09:00']
    expect(await list('scheduledAt')).toEqual(inOrder)
    expect(await list('-scheduledAt')).toEqual(inOrder.toReversed())
  })

  it('is cleaned: nothing that runs, loads or hides comes along, and braces are words without a template', async () => {
    const { guid } = await aKnownCustomer()
    const html =
      '<p onclick="x()">{{ customer.name }}</p><script>x()</script><img src="http://evil.example/p.png">' +
      '<a href="javascript:x()">y</a>'
    const { message } = ok(await write(letter(guid, { bodyHtml: html })), 201)
    const { facts } = await rowOf(message.guid)
    expect(facts?.words?.bodyHtml).toContain('{{ customer.name }}')
    expect(facts?.words?.bodyHtml).not.toMatch(/script|onclick|img|javascript/)
  })

  it('goes to the customer’s own people, unless one may write to anyone', async () => {
    const { guid } = await aKnownCustomer()
    const to = ['stranger@x.example']
    const refused = await write(letter(guid, { to }), clerk)
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'to', message: 'stranger@x.example is not one of this customer’s addresses.' }],
    ])
    expect((await write(letter(guid), clerk)).status).toBe(201)
    expect((await write(letter(guid, { to }))).status).toBe(201)
    const many = Array.from({ length: 21 }, (_, i) => `a${i}@x.example`)
    expect((await write(letter(guid, { to: many }))).errors).toEqual([
      { path: 'to', message: 'Choose up to 20 recipients.' },
    ])
  })

  it('is about one record that the caller may read', async () => {
    const { guid } = await aKnownCustomer()
    const nobody = '00000000-0000-7000-8000-000000000000'
    expect((await write({ intent: 'draft' })).status).toBe(422)
    expect((await write(letter(guid, { quoteGuid: nobody }))).status).toBe(422)
    expect((await write(letter(nobody))).status).toBe(404)
    expect((await loadNew(`/Quotes/Messages/load_new/${nobody}`)).status).toBe(404)
    expect((await edit({ guid: nobody, version: 1 } as Message, { intent: 'send' })).status).toBe(404)
  })

  it('is asked whether it is an offer, and what was said holds for its words', async () => {
    const { guid } = await aKnownCustomer()
    const bodyHtml = '<p>Which colour? Both are on sale.</p>'
    const question = [{ path: 'bodyHtml', message: 'This reads like an offer. Is it only facts?' }]
    const draft = (more: Body = {}) => write(letter(guid, { intent: 'draft', bodyHtml, ...more }))
    const send = ({ guid: one, version }: Message) =>
      app.call<One>(office, 'POST', `/Messages/Send/${one}`, { version })
    const silent = ok(await draft(), 201).message
    expect((await send(silent)).errors).toEqual(question)
    const said = ok(await draft({ isFactsOnly: true }), 201).message
    expect((await edit(said, { intent: 'send', bodyHtml })).errors).toEqual(question)
    expect(ok(await send(said)).message.status).toBe('queued')
  })

  it('offers goes to one person who agreed to it', async () => {
    const { guid } = await aKnownCustomer()
    const offer = { category: 'commercial' }
    expect((await write(letter(guid, { ...offer, cc: ['other@customer.example'] }))).errors).toEqual([
      { path: 'to', message: 'Send offers to one address at a time.' },
    ])
    const refused = [{ path: 'to', message: 'This customer has not agreed to receive offers.' }]
    expect((await write(letter(guid, offer))).errors).toEqual(refused)
    // Also with the words of a template that is for anything.
    const { composed } = ok(await loadNew(`/Messages/load_new/${guid}`))
    const { templateGuid } = composed ?? {}
    expect(templateGuid).toBeTruthy()
    expect((await write(letter(guid, { ...offer, templateGuid }))).errors).toEqual(refused)
    const look = async (category: string) => {
      const body = { customerGuid: guid, templateGuid, subject: 'June', bodyHtml: '<p>Hi</p>', category }
      return ok(await app.call<{ html: string }>(office, 'POST', '/Messages/Preview', body)).html
    }
    expect(await look('commercial')).toContain('>Unsubscribe</a>')
    expect(await look('transactional')).not.toContain('Unsubscribe')
  })

  it('offers says before they are sent who has not agreed, or does not want them any more', async () => {
    const address = 'offers@customer.example'
    const { guid } = await aCustomer(app, office, { email: address })
    const heard = async () => ok(await loadNew(`/Messages/load_new/${guid}`)).composed?.offered[0]?.consent
    const say = (kind: string) => app.call(office, 'POST', '/Messages/Consents', { address, kind, proof: 'By phone' })
    const offer = letter(guid, { category: 'commercial', to: [address] })
    expect(await heard()).toBeNull()
    await say('express')
    expect(await heard()).toMatchObject({ kind: 'express', at: expect.stringMatching(/^2026-.+Z$/) })
    clock = new Date(start.getTime() + 1000)
    await say('withdrawn')
    expect(await heard()).toMatchObject({ kind: 'withdrawn' })
    expect((await write(offer)).errors).toEqual([
      { path: 'to', message: 'This customer has withdrawn consent to receive offers.' },
    ])
    clock = start
  })
})

describe('a message for later', () => {
  it('waits for the wall time where it is read, and is refused where the clocks skip it', async () => {
    const { guid } = await aKnownCustomer()
    const at = (scheduledFor: string) =>
      write(letter(guid, { intent: 'schedule', scheduledFor, timeZone: 'Australia/Sydney' }))
    expect((await at('2026-10-04T02:30')).errors).toEqual([
      { path: 'scheduledFor', message: 'This time does not exist on that day: the clocks go forward.' },
    ])
    for (const nonsense of ['2026-13-01T09:00', '2026-02-30T09:00', '2026-07-02T24:00', '2026-07-02T09:00Z'])
      expect((await at(nonsense)).errors).toEqual([{ path: 'scheduledFor', message: 'Enter a date and a time.' }])
    expect((await at('2026-07-01T11:00')).errors).toEqual([{ path: 'scheduledFor', message: 'Choose a later time.' }])
    // Shown twice that night: the first.
    expect(ok(await at('2027-04-04T02:30'), 201).message).toMatchObject({ scheduledAt: '2027-04-03T15:30:00.000Z' })
    const { message } = ok(await at('2026-07-02T09:00'), 201)
    expect(message).toMatchObject({ status: 'scheduled', scheduledAt: '2026-07-01T23:00:00.000Z' })
    expect(await run()).toMatchObject({ succeeded: 0 })
    clock = new Date('2026-07-01T23:00:01Z')
    const runs = await Promise.all(Array.from({ length: 5 }, () => run()))
    expect(runs.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(1)
    expect(['queued', 'sending', 'sent']).toContain((await rowOf(message.guid)).status)
    clock = start
  })
})

describe('a conversation on a quote', () => {
  it('costs as many statements however long it is, and few when it is asked what is new', async () => {
    const { guid: customerGuid } = await aKnownCustomer()
    const quote = await aSentQuote(app, office, customerGuid)
    const noted = noteStatements(app.deps.db)
    const path = `/Quotes/Messages/load_new/${quote.guid}`
    const { since } = ok(await loadNew(path))
    const short = await noted(async () => ok(await loadNew(path)))
    for (let i = 0; i < 12; i++) {
      const note = { intent: 'note', quoteGuid: quote.guid, bodyText: `Note ${i}` }
      ok(await app.call(office, 'POST', '/Quotes/Messages', note), 201)
    }
    expect(await noted(async () => ok(await loadNew(path)))).toHaveLength(short.length)
    const news = await noted(async () => expect(ok(await loadNew(`${path}?since=${since}`)).items).toHaveLength(12))
    expect(news.length).toBeLessThanOrEqual(6)
  })

  it('offers the words of its template, and tells what is new since', async () => {
    const { guid: customerGuid } = await aKnownCustomer()
    const quote = await aSentQuote(app, office, customerGuid)
    const path = `/Quotes/Messages/load_new/${quote.guid}`
    const first = ok(await loadNew(path))
    expect(first.composed).toMatchObject({ to: ['jo@customer.example'], language: 'en', problems: [] })
    expect(first.composed?.attachments).toMatchObject([{ kind: 'document', isChosen: true }])
    expect(first.items).toHaveLength(1)
    const next = `${path}?since=${first.since}`
    expect(ok(await loadNew(next))).toMatchObject({ composed: null, items: [] })
    const note = { intent: 'note', quoteGuid: quote.guid, bodyText: 'He rang.' }
    ok(await app.call(office, 'POST', '/Quotes/Messages', note), 201)
    expect(ok(await loadNew(next)).items).toMatchObject([{ direction: 'internal', text: 'He rang.' }])
    for (let i = 0; i < 59; i++)
      ok(await app.call(office, 'POST', '/Quotes/Messages', { ...note, bodyText: `Note ${i}` }), 201)
    const seen = new Set<string>()
    for (let since = first.since, isMore = true; isMore;) {
      const page = ok(await loadNew(`${path}?since=${since}`))
      for (const { guid } of page.items) seen.add(guid)
      isMore = page.items.length > 0
      since = page.since
    }
    expect(seen.size).toBe(60)
    expect((await loadNew(`${path}?since=nonsense`)).status).toBe(422)
  })

  it('fills the variables of a template when it is sent, and says which one there is not', async () => {
    const { guid: customerGuid } = await aKnownCustomer()
    const quote = await aSentQuote(app, office, customerGuid)
    const { composed } = ok(await loadNew(`/Quotes/Messages/load_new/${quote.guid}`))
    const body = (bodyHtml: string) => ({
      ...{ quoteGuid: quote.guid, intent: 'send', to: composed?.to, templateGuid: composed?.templateGuid },
      ...{ subject: 'Quote {{ number }}', bodyHtml },
    })
    const post = (bodyHtml: string) => app.call<One>(office, 'POST', '/Quotes/Messages', body(bodyHtml))
    expect((await post('<p>{{ numbr }}</p>')).errors).toEqual([
      { path: 'bodyHtml', message: 'There is no `numbr`. Did you mean `number`?' },
    ])
    const { message } = ok(await post('<p>Here is {{ number }}.</p>'), 201)
    expect(message.subject).toBe(`Quote ${quote.number}`)
    // Whoever goes on with it finds what it is made of.
    const { templateGuid, themeGuid } = composed ?? {}
    expect(templateGuid).toBeTruthy()
    expect(message).toMatchObject({ templateGuid, themeGuid, ownerNumber: quote.number })
    expect((await rowOf(message.guid)).facts?.words?.bodyHtml).toContain(`Here is ${quote.number}.`)
  })
})

describe('a message that waits', () => {
  it('gets other recipients and keeps the words its template is going to compose', async () => {
    const { guid: customerGuid } = await aKnownCustomer()
    const quote = await aSentQuote(app, office, customerGuid)
    const { items } = ok(await loadNew(`/Quotes/Messages/load_new/${quote.guid}`))
    const guid = items[0]?.guid ?? ''
    const wait = { status: 'deferred' as const, nextAttemptAt: new Date('2027-01-01T00:00:00Z') }
    await app.deps.db
      .updateTable('messages')
      .set(wait)
      .where('guid', '=', guid)
      .where('facts', 'is not', null)
      .execute()
    const { message } = ok(await app.call<One>(office, 'GET', `/Messages/${guid}`))
    expect(message.status).toBe('deferred')
    const changed = ok(await edit(message, { intent: 'send', to: ['other@customer.example'] })).message
    expect(changed).toMatchObject({ status: 'queued', to: ['other@customer.example'], subject: message.subject })
    expect((await rowOf(guid)).facts?.words).toBeUndefined()
  })
})

describe('a reminder that waits', () => {
  it('is taken back when nothing is owing any more', async () => {
    const { guid: customerGuid } = await aKnownCustomer()
    const row = await app.deps.db
      .selectFrom('templates')
      .select('guid')
      .where('kind', '=', 'reminder')
      .executeTakeFirstOrThrow()
    const { message } = ok(
      await write(
        letter(customerGuid, {
          ...{ intent: 'schedule', templateGuid: row.guid, bodyHtml: '<p>Please pay.</p>' },
          ...{ scheduledFor: '2026-07-02T09:00', timeZone: 'Australia/Sydney' },
        }),
      ),
      201,
    )
    expect(message.cancelWhen).toBe('settled')
    clock = new Date('2026-07-01T23:00:01Z')
    await run()
    clock = start
    expect(await rowOf(message.guid)).toMatchObject({ status: 'cancelled', failureReason: 'Nothing is owing.' })
  })
})
