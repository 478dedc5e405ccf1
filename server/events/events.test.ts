import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListedEvent } from '../../contract/event-log.ts'
import { type Actors, aPersonWho, type RuleFacts } from '../../test/support/actors.ts'
import { aCustomer, aLine, aQuote, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { noteStatements } from '../../test/support/statements.ts'
import type { AuditLine } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { pruneBatch } from '../core/jobs/upkeep.ts'
import { inTransaction, openCtx, systemRun } from '../core/run.ts'
import { takeEvents } from './taking.service.ts'

let app: Running
let actors: Actors
let office: Caller
let admin: Caller
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
  admin = actors.administrator
})
afterAll(() => app.stop())

interface One {
  event: ListedEvent & { facts: Record<string, unknown> | null }
  chain: ListedEvent[]
}
const list = async (query = '', who: Caller = admin) =>
  ok(await app.call<{ items: ListedEvent[] }>(who, 'GET', `/Events?size=100${query}`)).items
const keysOf = async (recordGuid: string) =>
  (
    await app.deps.db.selectFrom('events').select('key').where('recordGuid', '=', recordGuid).orderBy('guid').execute()
  ).map(({ key }) => key)
const system = () => systemRun(app.deps, 'test')
const take = () =>
  takeEvents(
    { deps: app.deps, log: app.deps.log },
    () => true,
    async () => undefined,
  )
const reads = (...subjects: string[]): RuleFacts[] => subjects.map((subject) => ({ action: 'read', subject }))

describe('an event', () => {
  it('is kept with the line that says so, by one statement more, and is gone with it', async () => {
    const { guid } = await aCustomer(app, office)
    const raised = (line: Partial<AuditLine>) =>
      inTransaction(system(), async (ctx) =>
        ctx.audit({
          action: 'customer.blocked',
          entity: 'Customers',
          guid,
          after: { name: 'X', email: 'x@x' },
          ...line,
        }),
      )
    const noted = noteStatements(app.deps.db)
    const plain = await noted(() => raised({ action: 'customer.updated' }))
    const eventful = await noted(() => raised({}))
    expect(eventful).toHaveLength(plain.length + 1)
    const kept = { after: { name: 'Y' } }
    await expect(
      inTransaction(system(), async (ctx) => {
        ctx.audit({ action: 'customer.unblocked', entity: 'Customers', guid, ...kept })
        ctx.audit({ action: 'customer.blocked', entity: 'Customers', guid: 'no guid', ...kept })
      }),
    ).rejects.toThrow()
    expect(await keysOf(guid)).toEqual(['customer.created', 'customer.blocked'])
    // Only what its row names is told of a line.
    const [blocked] = await list('&key=customer.blocked')
    expect(blocked).toMatchObject({ values: { name: 'X' }, record: { guid }, by: null, byKind: 'system', depth: 0 })
    expect(blocked?.rootGuid).toBe(blocked?.guid)
  })

  it('happens once where it says so, and to one record where it stands on several', async () => {
    const { guid } = await aCustomer(app, office)
    const once = { action: 'customer.blocked', entity: 'Customers', guid, onceKey: `once:${guid}` } as const
    await inTransaction(system(), async (ctx) => ctx.audit(once))
    await inTransaction(system(), async (ctx) => ctx.audit(once))
    expect(await keysOf(guid)).toEqual(['customer.created', 'customer.blocked'])
    const [payment, invoice] = [newGuid(), newGuid()]
    await inTransaction(system(), async (ctx) => {
      ctx.audit({ action: 'payment.received', entity: 'Invoices', guid: invoice })
      ctx.audit({ action: 'payment.received', entity: 'Payments', guid: payment })
    })
    expect([await keysOf(payment), await keysOf(invoice)]).toEqual([['payment.received'], []])
    // A card payment that failed has no payment.
    await inTransaction(system(), async (ctx) =>
      ctx.audit({ action: 'payment.failed', entity: 'Invoices', guid: invoice }),
    )
    expect(await keysOf(invoice)).toEqual(['payment.failed'])
  })

  it('of a message is the message’s, and none of automatic mail, of tests and of logins', async () => {
    const { guid: customerGuid } = await aCustomer(app, office)
    const quote = await aQuote(app, office, customerGuid)
    const note = { entity: 'Quotes', guid: quote.guid } as const
    const guid = newGuid()
    await inTransaction(system(), async (ctx) => {
      ctx.audit({ action: 'message.sent', ...note, of: { noun: 'Messages', guid } })
      ctx.audit({ action: 'message.received_automatic', ...note, of: { noun: 'Messages', guid } })
      ctx.audit({ action: 'message.bounced', ...note, of: null })
    })
    expect(await keysOf(guid)).toEqual(['message.sent'])
    expect(await keysOf(quote.guid)).toEqual(['quote.created'])
  })

  it('knows of its record what templates see, moments later; a hostile name stays a text', async () => {
    const name = '<img src=x onerror=alert(1)> {{ business.name }} \u202ezzz'
    const { guid: customerGuid } = await aCustomer(app, office, { displayName: name })
    const { guid } = await aSentQuote(app, office, customerGuid, { title: 'Pool {{ 1 | plus: 1 }}' })
    const [sent] = await list('&key=quote.sent')
    expect(sent?.record.guid).toBe(guid)
    const before = ok(await app.call<One>(admin, 'GET', `/Events/${sent?.guid}`)).event
    expect(before.facts).toBeNull()
    expect((await take()).failed).toBe(0)
    const { event, chain } = ok(await app.call<One>(admin, 'GET', `/Events/${sent?.guid}`))
    expect(event.facts).toMatchObject({
      customer: { name: '<img src=x onerror=alert(1)> {{ business.name }} zzz' },
      quote: { total: 27_500, title: 'Pool {{ 1 | plus: 1 }}', lines: [{ name: 'Fence panels' }] },
    })
    expect(event.by).toBe('office')
    expect(chain.map(({ guid: one }) => one)).toEqual([event.guid])
    expect((await take()).succeeded).toBe(0)
  })

  it('that cannot be taken up holds up no other, and is tried again', async () => {
    const { guid } = await aCustomer(app, office)
    const other = await aCustomer(app, office)
    const failing = await takeEvents(
      { deps: app.deps, log: app.deps.log },
      () => true,
      async (_ctx, event) => {
        if (event.recordGuid === guid) throw new Error('no')
      },
    )
    expect(failing).toMatchObject({ succeeded: 1, failed: 1 })
    const taken = () =>
      app.deps.db
        .selectFrom('events')
        .select('recordGuid')
        .where('recordGuid', 'in', [guid, other.guid])
        .where('takenAt', 'is', null)
        .execute()
    expect(await taken()).toEqual([{ recordGuid: guid }])
    await take()
    expect(await taken()).toEqual([])
  })

  it('is forgotten after ninety days, unless it happens once and no more', async () => {
    const { guid } = await aCustomer(app, office)
    const once = { action: 'customer.blocked', entity: 'Customers', guid, onceKey: `kept:${guid}` } as const
    await inTransaction(system(), async (ctx) => ctx.audit(once))
    await take()
    const past = new Date(Date.now() - 91 * 86_400_000)
    await app.deps.db.updateTable('events').set({ at: past }).where('recordGuid', '=', guid).execute()
    await pruneBatch.step(openCtx(system()), () => true)
    expect(await keysOf(guid)).toEqual(['customer.blocked'])
  })
})

describe('the list', () => {
  it('is narrowed by event, noun and day', async () => {
    const { guid } = await aCustomer(app, office)
    const at = new Date('2026-03-01T12:59:59Z')
    await app.deps.db.updateTable('events').set({ at }).where('recordGuid', '=', guid).execute()
    // Sydney is eleven hours ahead then.
    expect((await list('&day=2026-03-01')).map((one) => one.record.guid)).toEqual([guid])
    expect(await list('&day=2026-03-02')).toEqual([])
    expect((await list('&noun=Quotes')).every(({ noun }) => noun === 'Quotes')).toBe(true)
    expect((await list('&key=quote.sent')).every(({ key }) => key === 'quote.sent')).toBe(true)
    expect((await app.call(admin, 'GET', '/Events?key=customer.updated')).status).toBe(400)
    expect((await app.call(office, 'GET', '/Events')).status).toBe(403)
  })

  it('tells of records that the reader may read, without amounts that are not for him', async () => {
    const { guid: customerGuid } = await aCustomer(app, office, { displayName: 'Kookaburra Cabins' })
    const quote = await aQuote(app, office, customerGuid)
    const facts = { customerGuid, title: 'Deck', lines: [aLine()] }
    const { order } = ok(await app.call<{ order: { guid: string } }>(office, 'POST', '/Orders', facts), 201)
    await take()
    const events = reads('Events')
    const clerk = await aPersonWho(app, 'clerk', [...events, ...reads('Quotes')])
    expect(new Set((await list('', clerk)).map(({ noun }) => noun))).toEqual(new Set(['Quotes']))
    const [created] = await list('&key=order.created')
    expect((await app.call(clerk, 'GET', `/Events/${created?.guid}`)).status).toBe(404)
    // Of his own records alone.
    const seller = await aPersonWho(app, 'seller', [
      ...events,
      { action: 'manage', subject: 'Quotes', conditions: { scope: 'own' } },
      ...reads('Customers'),
    ])
    expect(await list('&noun=Quotes', seller)).toEqual([])
    await aQuote(app, seller, customerGuid, { title: 'His own' })
    expect((await list('&noun=Quotes', seller)).map(({ record }) => record.label)).toEqual(['His own'])
    expect((await list('&noun=Quotes', clerk)).some(({ record }) => record.guid === quote.guid)).toBe(true)
    const foreman = await aPersonWho(app, 'foreman', [
      ...events,
      ...reads('Orders'),
      { action: 'read', subject: 'Orders:Amounts', inverted: true, priority: 10 },
    ])
    const one = ok(await app.call<One>(foreman, 'GET', `/Events/${created?.guid}`)).event
    expect(one).toMatchObject({ record: { guid: order.guid }, facts: { order: { title: 'Deck' } } })
    expect(JSON.stringify(one)).not.toMatch(/27_?500|otalCents|"total"/)
  })

  it('tells of the businesses a person works in', async () => {
    const made = await app.call<{ business: { guid: string } }>(admin, 'POST', '/Businesses', {
      legalName: 'Other Pty Ltd',
      abn: '83914571673',
      beganOn: '2020-07-01',
    })
    const other = ok(made, 201).business.guid
    const there: Caller = { headers: { ...admin.headers, 'x-business-guid': other } }
    const customer = await aCustomer(app, there, { displayName: 'Of the other' })
    expect((await list('', there)).map(({ record }) => record.guid)).toContain(customer.guid)
    expect((await list()).map(({ record }) => record.guid)).not.toContain(customer.guid)
    expect((await list('&business=all')).map(({ record }) => record.guid)).toContain(customer.guid)
    const here = await aPersonWho(app, 'here', reads('Events', 'Customers'))
    const own = await app.deps.db.selectFrom('businesses').select('guid').where('guid', '<>', other).execute()
    await app.deps.db
      .updateTable('users')
      .set({ businessGuids: own.map(({ guid }) => guid) })
      .where('guid', '=', here.userGuid)
      .execute()
    expect((await list('&business=all', here)).map(({ record }) => record.guid)).not.toContain(customer.guid)
    const [event] = await list('&key=customer.created', there)
    expect((await app.call(here, 'GET', `/Events/${event?.guid}`)).status).toBe(404)
  })
})
