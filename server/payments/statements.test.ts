import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localDay } from '../../contract/core/dates.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { composeMessages } from '../../test/support/messages.ts'
import type { Running } from '../../test/support/start.ts'
import { noteStatements } from '../../test/support/statements.ts'

let app: Running
let actors: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
})
afterAll(() => app.stop())

interface Made {
  invoice: { guid: string; version: number; totalCents: number }
}

/** Each statement is a wait for the database. */
test('each write of the main job waits for the database few times', async () => {
  const { timeZone } = await app.deps.db.selectFrom('businesses').select('timeZone').executeTakeFirstOrThrow()
  const today = localDay(new Date().toISOString(), timeZone)
  const counting = noteStatements(app.deps.db)
  const call = <T>(path: string, body: unknown, status = 200) =>
    app
      .call<T>(actors.administrator, 'POST', path, body, { 'idempotency-key': randomUUID() })
      .then((answer) => ok(answer, status))
  const draft = () =>
    call<Made>(
      '/Invoices',
      {
        customerGuid,
        title: 'Fence',
        lines: [
          { name: 'Panel', unitPriceCents: 10_000 },
          { name: 'Labour', unitPriceCents: 9_000 },
          { name: 'Delivery', unitPriceCents: 3_000 },
        ],
      },
      201,
    )
  const issue = ({ invoice }: Made) => call<Made>(`/Invoices/Issue/${invoice.guid}`, { version: invoice.version })
  const pay = ({ invoice }: Made) =>
    call(
      '/Payments',
      {
        method: 'bank_transfer',
        receivedOn: today,
        amountCents: 1000,
        allocations: [{ invoiceGuid: invoice.guid, cents: 1000 }],
      },
      201,
    )
  // Once for what is asked only the first time.
  const first = await issue(await draft())
  await pay(first)
  let made = first
  const created = await counting(async () => void (made = await draft()))
  const issued = await counting(async () => void (made = await issue(made)))
  const paid = await counting(() => pay(made))
  // Beside these: the session, the beginning and the end of the transaction. The last one of each keeps its event.
  const around = 3
  expect({ create: created.length - around, issue: issued.length - around, pay: paid.length - around }).toEqual({
    create: 8,
    issue: 12,
    pay: 12,
  })
})

test('what is sent is composed before others wait for their number', async () => {
  const noting = noteStatements(app.deps.db)
  const lines = [{ name: 'Panel', unitPriceCents: 10_000 }]
  const draftOf = async (path: string, key: 'quote' | 'invoice') => {
    const answer = await app.call<Record<typeof key, { guid: string; version: number }>>(
      actors.administrator,
      'POST',
      path,
      { customerGuid, title: 'Gate', lines },
      { 'idempotency-key': randomUUID() },
    )
    return ok(answer, 201)[key]
  }
  for (const [path, key] of [
    ['/Quotes', 'quote'],
    ['/Invoices', 'invoice'],
  ] as const) {
    const { guid, version } = await draftOf(path, key)
    const body = { version, to: ['jo@example.com'] }
    const noted = await noting(async () => {
      ok(
        await app.call(actors.administrator, 'POST', `${path}/Send/${guid}`, body, { 'idempotency-key': randomUUID() }),
      )
    })
    const counted = noted.findIndex((statement) => /next_number|update\s+"?number_counters/i.test(statement))
    const composing = /template_versions|contacts|limits/i
    const kept = noted.findIndex((statement) => /insert into "messages"/i.test(statement))
    const between = noted.slice(counted + 1, kept)
    expect([path, counted > 0, kept > counted]).toEqual([path, true, true])
    expect([path, between.filter((statement) => composing.test(statement))]).toEqual([path, []])
    // Nothing is read for the mail between the number and the mail.
    expect([path, noted.slice(0, counted).some((statement) => composing.test(statement))]).toEqual([path, true])
  }
})

test('the word that a quote is accepted is composed before others wait for the number of its deposit', async () => {
  const noting = noteStatements(app.deps.db)
  const customer = await aCustomer(app, actors.office, { email: 'jo@example.com' })
  const quote = await aSentQuote(app, actors.office, customer.guid, { depositRule: { type: 'percent', value: 3000 } })
  const noted = await noting(async () => {
    const body = { version: quote.version, name: 'Jo Marsh', method: 'phone' }
    ok(await app.call(actors.office, 'POST', `/Quotes/Accept/${quote.guid}`, body))
  })
  const numbered = noted.findLastIndex((statement) => /next_number|update\s+"?number_counters/i.test(statement))
  const after = noted.slice(numbered + 1)
  expect(after.filter((statement) => /insert into "messages"/i.test(statement)).length).toBe(2)
  expect(after.filter((statement) => /"template_versions"|"contacts"|limits/i.test(statement))).toEqual([])
  await composeMessages(app)
  const told = await app.deps.db
    .selectFrom('messages as m')
    .innerJoin('invoices as i', 'i.quoteGuid', 'm.ownerGuid')
    .select(['m.bodyText', 'i.number', 'i.balanceCents'])
    .where('m.ownerGuid', '=', quote.guid)
    .where('m.template', '=', 'quote_accepted')
    .executeTakeFirstOrThrow()
  expect(told.bodyText).toContain(told.number)
  expect(told.bodyText).toContain(`$${(told.balanceCents / 100).toFixed(2)}`)
})
