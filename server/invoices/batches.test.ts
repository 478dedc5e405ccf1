import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch, BatchItem } from '../../contract/batches.ts'
import { type Actor, type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aCustomer, aLine, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { newGuid } from '../core/guid.ts'

let app: Running
let actors: Actors
const clock = new Date('2026-07-01T01:00:00Z')
beforeAll(async () => {
  ;({ app, actors } = await startStaffed({ now: () => clock }))
})
afterAll(() => app.stop())

interface Answer {
  batch: Batch
  items: BatchItem[]
}
interface Shown {
  to: string[]
  subject: string
  bodyHtml: string
}
interface Made {
  invoice: { guid: string; version: number; number: string | null }
}

async function aDraft(email: string | null = 'anna@hartmann.example') {
  const { guid: customerGuid } = await aCustomer(app, actors.office, { email })
  const body = { customerGuid, title: 'Pool fence', lines: [aLine()] }
  return ok(await app.call<Made>(actors.office, 'POST', '/Invoices', body), 201).invoice
}
async function anInvoice(email?: string | null) {
  const { guid, version } = await aDraft(email)
  const issued = await app.call<Made>(actors.office, 'POST', `/Invoices/Issue/${guid}`, { version })
  return ok(issued).invoice
}
async function some(count: number): Promise<string[]> {
  const guids: string[] = []
  while (guids.length < count) guids.push((await anInvoice()).guid)
  return guids
}
const begin = (invoiceGuids: readonly string[], who: Caller = actors.office, more: object = {}) =>
  app.call<Answer>(who, 'PATCH', '/Invoices/Messages', { invoiceGuids, ...more })
const begun = async (...given: Parameters<typeof begin>) => ok(await begin(...given))
const go = (guid: string, action: string, count = 1, who: Caller = actors.office) =>
  app.call<Answer>(who, 'PATCH', `/Invoices/Messages/${guid}`, { action, count })
const gone = async (...given: Parameters<typeof go>) => ok(await go(...given))
const opened = async (who: Caller = actors.office) =>
  ok(await app.call<Answer & { batch: Batch | null }>(who, 'GET', '/Invoices/Messages'))
const messagesOf = (invoiceGuids: readonly string[]) =>
  app.deps.db
    .selectFrom('messages')
    .selectAll()
    .where('ownerType', '=', 'invoice')
    .where('ownerGuid', 'in', [...invoiceGuids])
    .execute()
/** Does something while the database takes no such rows. */
async function whileRefused<T>(table: string, when: string, work: () => Promise<T>): Promise<T> {
  const owner = new pg.Client(app.database.owner)
  await owner.connect()
  await owner.query(`create function break_off() returns trigger language plpgsql as
    $$ begin raise exception 'the process ended here'; end $$;
    create trigger broken before insert or update on ${table} for each row when (${when}) execute function break_off()`)
  try {
    return await work()
  } finally {
    await owner.query(`drop trigger broken on ${table}; drop function break_off()`)
    await owner.end()
  }
}
const finishAll = async () => {
  const { batch } = await opened()
  if (batch) await gone(batch.guid, 'finish')
}

describe('messages about many invoices', () => {
  it('go by number, as many as are asked for, each with the words of its template', async () => {
    const guids = await some(3)
    const { batch, items } = await begun(guids.toReversed())
    expect(batch).toMatchObject({ state: 'open', total: 3, done: 0, remaining: 3 })
    expect(items.map(({ invoiceGuid }) => invoiceGuid)).toEqual(guids)
    expect(items[0]).toMatchObject({ to: ['anna@hartmann.example'], balanceCents: 27_500, state: 'ready' })
    expect(await messagesOf(guids)).toEqual([])
    const first = await gone(batch.guid, 'next', 2)
    expect(first.items.map(({ invoiceGuid, state }) => [invoiceGuid, state])).toEqual([
      [guids[0], 'done'],
      [guids[1], 'done'],
    ])
    expect(first.batch).toMatchObject({ done: 2, remaining: 1, state: 'open' })
    const [message] = await messagesOf([guids[0] ?? ''])
    expect(message).toMatchObject({ status: 'queued', template: 'invoice' })
    expect(message?.subject).toContain(items[0]?.number)
    expect(message?.facts?.words?.bodyHtml).toContain('$275.00')
    const last = await gone(batch.guid, 'next', 25)
    expect(last.batch).toMatchObject({ state: 'finished', done: 3, remaining: 0 })
    expect(await messagesOf(guids)).toHaveLength(3)
    expect((await opened()).batch).toBeNull()
  })
  it('stop and keep the rest, go on later, or skip what is left', async () => {
    const guids = await some(4)
    const { batch } = await begun(guids)
    await gone(batch.guid, 'next', 2)
    expect((await gone(batch.guid, 'stop')).batch).toMatchObject({ state: 'stopped', done: 2, remaining: 2 })
    expect((await opened()).batch).toMatchObject({ guid: batch.guid, state: 'stopped', remaining: 2 })
    expect((await gone(batch.guid, 'next')).batch).toMatchObject({ state: 'open', done: 3, remaining: 1 })
    const end = await gone(batch.guid, 'finish')
    expect(end.batch).toMatchObject({ state: 'finished', done: 3, skipped: 1, remaining: 0 })
    expect(end.items).toMatchObject([{ invoiceGuid: guids[3], state: 'skipped', reason: 'passed_over' }])
    expect((await gone(batch.guid, 'next', 25)).items).toEqual([])
    expect(await messagesOf(guids)).toHaveLength(3)
  })
  it('leave out what cannot be sent, and say why', async () => {
    const draft = await aDraft()
    const silent = await anInvoice(null)
    const closed = await anInvoice('gone@hartmann.example')
    const voided = await anInvoice()
    const fine = await anInvoice()
    const businessGuid = (await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()).guid
    await app.deps.db
      .insertInto('suppressions')
      .values({ businessGuid, address: 'gone@hartmann.example', scope: 'all', reason: 'bounced', createdAt: clock })
      .execute()
    const { batch, items } = await begun([draft.guid, silent.guid, closed.guid, voided.guid, fine.guid])
    const reasons = new Map(items.map(({ invoiceGuid, message }) => [invoiceGuid, message]))
    expect(reasons.get(draft.guid)).toBe('This invoice is not issued yet.')
    expect(reasons.get(silent.guid)).toBe('This customer has no email address.')
    expect(reasons.get(closed.guid)).toBe('These addresses are suppressed.')
    // What changes afterwards counts, too.
    ok(
      await app.call(actors.office, 'POST', `/Invoices/Void/${voided.guid}`, {
        version: voided.version,
        reason: 'Twice',
      }),
    )
    const after = await gone(batch.guid, 'next', 25)
    expect(after.items).toMatchObject([
      { invoiceGuid: voided.guid, state: 'skipped', message: 'This invoice is void.' },
      { invoiceGuid: fine.guid, state: 'done', message: null },
    ])
    expect(after.batch).toMatchObject({ state: 'finished', done: 1, skipped: 4 })
  })
  it('go on where one of them fails', async () => {
    const guids = await some(2)
    const { batch } = await begun(guids)
    const { items } = await whileRefused('messages', `new.owner_guid = '${guids[0]}'`, () =>
      gone(batch.guid, 'next', 2),
    )
    expect(items).toMatchObject([
      { state: 'failed', message: 'An error occured', messageGuid: null },
      { state: 'done', message: null },
    ])
    expect(await messagesOf(guids)).toHaveLength(1)
  })
  it('say of each invoice when it was emailed, as its page does, whoever wrote the email', async () => {
    const guids = await some(2)
    const first = await begun(guids.slice(0, 1))
    const sentItself = await gone(first.batch.guid, 'next')
    expect(sentItself.items).toMatchObject([{ state: 'done', emailedAt: null }])
    await app.deps.db
      .updateTable('messages')
      .set({ status: 'sent', sentAt: clock, settledAt: clock })
      .where('ownerGuid', 'in', guids)
      .execute()
    const { items } = await begun(guids)
    expect(items.map(({ emailedAt }) => emailedAt)).toEqual([clock.toISOString(), null])
    const onPage = async (guid: string | undefined) =>
      ok(
        await app.call<{ invoice: { sentAt: string | null; emailedAt: string | null } }>(
          actors.office,
          'GET',
          `/Invoices/${guid}`,
        ),
      ).invoice
    expect(await onPage(guids[0])).toMatchObject({ emailedAt: clock.toISOString() })
    expect(await onPage(guids[1])).toMatchObject({ sentAt: null, emailedAt: null })

    // Letters that somebody writes count from the moment they leave.
    const later = new Date('2026-07-01T02:00:00Z')
    for (const invoiceGuid of guids) {
      const to = { intent: 'send', to: ['anna@hartmann.example'], subject: 'Your invoice' }
      const body = { invoiceGuid, ...to, bodyHtml: '<p>Here it is.</p>' }
      ok(await app.call(actors.office, 'POST', '/Invoices/Messages', body), 201)
    }
    expect(await onPage(guids[1])).toMatchObject({ sentAt: null, emailedAt: null })
    await app.deps.db
      .updateTable('messages')
      .set({ status: 'sent', sentAt: later, settledAt: later })
      .where('ownerGuid', 'in', guids)
      .where('status', '=', 'queued')
      .execute()
    for (const guid of guids) expect((await onPage(guid)).emailedAt).toBe(later.toISOString())
    expect((await onPage(guids[1])).sentAt).toBe(later.toISOString())
    const again = await begun(guids)
    expect(again.items.map(({ emailedAt }) => emailedAt)).toEqual([later.toISOString(), later.toISOString()])
  })

  it('show what each is going to say', async () => {
    const { guid, number } = await anInvoice()
    const ask = () => app.call<Shown>(actors.office, 'GET', `/Invoices/Messages/Preview/${guid}`)
    // Whoever draws it may only be starting.
    let answer = await ask()
    while (answer.status === 503) answer = await ask()
    const shown = ok(answer)
    expect(shown).toMatchObject({ to: ['anna@hartmann.example'] })
    expect(shown.subject).toContain(number)
    expect(shown.bodyHtml).toContain('$275.00')
  })
})

describe('each invoice gets one message', () => {
  it('however many ask for the next at the same time', async () => {
    const guids = await some(10)
    const { batch } = await begun(guids)
    const answers = await Promise.all(Array.from({ length: 50 }, () => go(batch.guid, 'next')))
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true)
    while ((await opened()).batch) await go(batch.guid, 'next', 25)
    const messages = await messagesOf(guids)
    expect(messages).toHaveLength(10)
    expect(new Set(messages.map(({ ownerGuid }) => ownerGuid)).size).toBe(10)
  })
  it('and its place in the batch is written with it, or neither is', async () => {
    const guids = await some(1)
    const { batch } = await begun(guids)
    const { status } = await whileRefused('batch_items', `new.state = 'done'`, () => go(batch.guid, 'next'))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await messagesOf(guids)).toEqual([])
    expect((await opened()).batch).toMatchObject({ remaining: 1 })
    expect((await gone(batch.guid, 'next')).batch).toMatchObject({ done: 1, state: 'finished' })
    expect(await messagesOf(guids)).toHaveLength(1)
  })
})

describe('one batch at a time', () => {
  it('is under way; what was only put in a row makes room', async () => {
    const guids = await some(3)
    const first = await begun(guids)
    const second = await begun(guids.slice(1))
    expect(second.batch.guid).not.toBe(first.batch.guid)
    await gone(second.batch.guid, 'next')
    expect(await begin(guids)).toMatchObject({ status: 409 })
    await gone(second.batch.guid, 'stop')
    expect((await begun(guids)).batch).toMatchObject({ state: 'open', remaining: 3 })
    await finishAll()
  })
  it('stops when it is left alone for a day, and can be gone on with', async () => {
    const { batch } = await begun(await some(2))
    await gone(batch.guid, 'next')
    await sql`update batches set moved_at = moved_at - interval '24 hours'`.execute(app.deps.db)
    expect((await opened()).batch).toMatchObject({ state: 'stopped', remaining: 1 })
    expect((await gone(batch.guid, 'next')).batch).toMatchObject({ state: 'finished', done: 2 })
  })
  it('is nobody else’s to go on with', async () => {
    const { batch } = await begun(await some(1))
    expect(await go(batch.guid, 'next', 1, actors.administrator)).toMatchObject({ status: 404 })
    expect((await opened(actors.administrator)).batch).toBeNull()
    expect(await go(newGuid(), 'next')).toMatchObject({ status: 404 })
    await finishAll()
  })
})

describe('what is refused', () => {
  it('is nothing at all, more than 500, and invoices that nobody knows', async () => {
    expect(await begin([])).toMatchObject({
      status: 422,
      errors: [{ path: 'invoiceGuids', message: 'No invoices were selected' }],
    })
    expect(await begin([newGuid()])).toMatchObject({
      status: 422,
      errors: [{ path: 'invoiceGuids', message: 'No invoice GUID was found' }],
    })
    expect(await begin(Array.from({ length: 501 }, () => newGuid()))).toMatchObject({ status: 422 })
    const { guid } = await anInvoice()
    expect(await begin([guid], actors.office, { templateGuid: newGuid() })).toMatchObject({
      status: 422,
      errors: [{ path: 'templateGuid' }],
    })
    const { batch } = await begun([guid])
    expect(await go(batch.guid, 'next', 26)).toMatchObject({ status: 422 })
    await finishAll()
  })
  it('is whoever may not, and rows that somebody does not see', async () => {
    const { guid } = await anInvoice()
    expect(await begin([guid], actors.emptyRole)).toMatchObject({ status: 403 })
    const own: Actor = await aPersonWho(app, 'owninvoices', [
      { subject: 'Invoices', action: 'manage', conditions: { scope: 'own' } },
    ])
    expect(await begin([guid], own)).toMatchObject({
      status: 422,
      errors: [{ path: 'invoiceGuids', message: 'No invoice GUID was found' }],
    })
    expect(await app.call(own, 'GET', `/Invoices/Messages/Preview/${guid}`)).toMatchObject({ status: 404 })
  })
})
