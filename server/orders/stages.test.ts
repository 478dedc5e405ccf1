import { randomUUID } from 'node:crypto'
import { addDays, localDay } from '../../contract/core/dates.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../contract/orders.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { Stage } from '../../contract/stages.ts'
import type { Actors } from '../../test/support/actors.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { stagesBatch } from './stages.jobs.ts'

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
}, 60_000)
afterAll(() => app.stop())

const third = { type: 'percent', bp: 3_333 } as const
const schedule: Stage[] = [
  { label: 'Deposit', amount: third, due: { type: 'acceptance' } },
  { label: 'Frame up', amount: third, due: { type: 'start' } },
  { label: 'Handover', amount: { type: 'rest' }, due: { type: 'completion' } },
]
/** $10,000.01 with GST: half of it with GST, half without. */
const lines = [
  { name: 'Fence', quantity: '1', unitPriceCents: 500_000 },
  { name: 'Land', quantity: '1', unitPriceCents: 450_001, gstCode: 'FREE' },
]
const post = <D>(path: string, body: object) =>
  app.call<D>(people.administrator, 'POST', path, body, { 'idempotency-key': randomUUID() })
const orderOf = async (guid: string) =>
  ok(await app.call<{ order: Order }>(people.administrator, 'GET', `/Orders/${guid}`)).order
interface Accepted {
  order: { guid: string }
  invoice: { guid: string } | null
}
async function anOrder(more: object = {}) {
  const quote = await aSentQuote(app, people.administrator, customerGuid, { lines, schedule, ...more })
  const accept = { version: quote.version, name: 'Anna', method: 'phone' }
  return { quote, ...ok(await post<Accepted>(`/Quotes/Accept/${quote.guid}`, accept)) }
}
const invoiceStage = async (guid: string, index: number) => {
  const { version, stages } = await orderOf(guid)
  return post<{ invoice: { guid: string; kind: string; totals: { totalCents: number } } }>(`/Orders/Invoice/${guid}`, {
    version,
    stageGuid: stages[index]?.guid,
  })
}
const issue = async (guid: string) => {
  const { invoice } = ok(
    await app.call<{ invoice: { version: number } }>(people.administrator, 'GET', `/Invoices/${guid}`),
  )
  return ok(await post<{ invoice: { balanceCents: number } }>(`/Invoices/Issue/${guid}`, { version: invoice.version }))
    .invoice
}
const move = async (guid: string, deed: string) =>
  ok(await post<{ order: Order }>(`/Orders/Status/${guid}`, { version: (await orderOf(guid)).version, deed })).order
const statesOf = async (guid: string) => (await orderOf(guid)).stages.map(({ state, cents }) => [state, cents])
const isProven = async () => expect((await verifyLedger(app.deps.db)).problems).toEqual([])

describe('an order that is paid in stages', () => {
  test('bills each once, in order, and the last credits the others to the cent', async () => {
    const { quote, order, invoice } = await anOrder()
    expect([quote.depositCents, quote.stages.map(({ cents }) => cents)]).toEqual([333_300, [333_300, 333_300, 333_401]])
    expect(invoice).not.toBeNull()
    expect(await statesOf(order.guid)).toEqual([
      ['issued', 333_300],
      ['upcoming', 333_300],
      ['upcoming', 333_401],
    ])
    const whole = await post(`/Orders/Invoice/${order.guid}`, {
      version: (await orderOf(order.guid)).version,
      kind: 'final',
    })
    expect([whole.status, whole.message]).toEqual([409, 'This order is paid in stages. Invoice its next stage.'])
    const early = await invoiceStage(order.guid, 2)
    expect([early.status, early.message]).toEqual([409, 'Invoice the earlier stages first.'])
    expect((await invoiceStage(order.guid, 0)).message).toBe('This stage is already invoiced.')
    await move(order.guid, 'start')
    expect((await statesOf(order.guid))[1]).toEqual(['ready', 333_300])
    const second = ok(await invoiceStage(order.guid, 1), 201).invoice
    expect([second.kind, second.totals.totalCents]).toEqual(['deposit', 333_300])
    expect((await invoiceStage(order.guid, 2)).message).toBe('Invoice the earlier stages first.')
    await issue(second.guid)
    const last = ok(await invoiceStage(order.guid, 2), 201).invoice
    expect([last.kind, last.totals.totalCents]).toEqual(['final', 333_401])
    await issue(last.guid)
    expect((await statesOf(order.guid)).map(([state]) => state)).toEqual(['issued', 'issued', 'issued'])
    expect((await orderOf(order.guid)).invoiceStatus).toBe('invoiced')
    await isProven()
  })

  test('is told once of a stage that is ready: by the start, and by its day', async () => {
    const days = [
      { label: 'Now', amount: third, due: { type: 'start' } },
      { label: 'Later', amount: { type: 'rest' }, due: { type: 'day', on: '2020-01-02' } },
    ]
    const { order, invoice } = await anOrder({ schedule: days })
    expect(invoice).toBeNull()
    await runJobBatch(app.deps, stagesBatch)
    await runJobBatch(app.deps, stagesBatch)
    await move(order.guid, 'start')
    await tellPeople(app)
    const told = await app.deps.db
      .selectFrom('notifications')
      .select('details')
      .where('recordGuid', '=', order.guid)
      .where('kind', '=', 'order.stage_ready')
      .where('userGuid', '=', people.office.userGuid ?? '')
      .execute()
    expect(told.map(({ details }) => details['name']).toSorted()).toEqual(['Later', 'Now'])
  })

  test('is owed on its day where it names one, and at once where that has passed', async () => {
    const inDays = (days: number) => addDays(localDay(new Date().toISOString(), 'Australia/Sydney'), days)
    const { order } = await anOrder({
      schedule: [
        { label: 'Long ago', amount: third, due: { type: 'day', on: '2020-01-02' } },
        { label: 'In five days', amount: third, due: { type: 'day', on: inDays(5) } },
        { label: 'Done', amount: { type: 'rest' }, due: { type: 'completion' } },
      ],
    })
    const termsOf = async (index: number) => {
      const { guid } = ok(await invoiceStage(order.guid, index), 201).invoice
      const draft = await app.call<{ invoice: { termsDays: number } }>(people.administrator, 'GET', `/Invoices/${guid}`)
      await issue(guid)
      return ok(draft).invoice.termsDays
    }
    expect([await termsOf(0), await termsOf(1), await termsOf(2)]).toEqual([0, 5, 14])
  })

  test('makes a stage ready again where its invoice is void, and never bills it twice at once', async () => {
    const { order, invoice } = await anOrder()
    const { invoice: issued } = ok(
      await app.call<{ invoice: { version: number } }>(people.administrator, 'GET', `/Invoices/${invoice?.guid}`),
    )
    ok(await post(`/Invoices/Void/${invoice?.guid}`, { version: issued.version, reason: 'Wrong name' }))
    expect((await statesOf(order.guid))[0]).toEqual(['ready', 333_300])
    const tries = await Promise.all(Array.from({ length: 8 }, () => invoiceStage(order.guid, 0)))
    expect(tries.filter(({ status }) => status === 201)).toHaveLength(1)
    await isProven()
  })

  test('takes what changes from the last stages that are not billed, and adds one where all are', async () => {
    const { order } = await anOrder()
    const change = async (unitPriceCents: number) => {
      const { version, lines: now } = await orderOf(order.guid)
      const [fence, land] = now.map(({ guid, name, quantity, unit, gstCode, kind }) => ({
        ...{ guid, name, quantity, unit, gstCode, kind },
      }))
      return app.call(people.administrator, 'PATCH', `/Orders/${order.guid}`, {
        version,
        lines: [
          { ...fence, unitPriceCents },
          { ...land, unitPriceCents: 450_001 },
        ],
      })
    }
    ok(await change(600_000))
    expect((await statesOf(order.guid)).map(([, cents]) => cents)).toEqual([333_300, 333_300, 443_401])
    ok(await change(100_000))
    expect((await statesOf(order.guid)).map(([, cents]) => cents)).toEqual([333_300, 226_701, 0])
    ok(await change(0))
    const refused = await app.call(people.administrator, 'PATCH', `/Orders/${order.guid}`, {
      version: (await orderOf(order.guid)).version,
      lines: [{ name: 'Nail', quantity: '1', unitPriceCents: 100 }],
    })
    expect([refused.status, refused.message]).toEqual([
      409,
      'Only $1,167.01 is left to invoice. Issue a credit note for the rest.',
    ])
    await isProven()
  })
})

test('a schedule is refused at its field where it makes no sense, and shown with what it comes to', async () => {
  const bad = await post('/Quotes', {
    customerGuid,
    title: 'Fence',
    lines,
    schedule: [schedule[0], schedule[1]],
  })
  expect(bad.errors).toEqual([{ path: 'schedule.1.amount', message: 'The last stage takes the rest.' }])
  const quote = await aSentQuote(app, people.office, customerGuid, { lines, schedule })
  const page = ok(
    await app.call<{ quote: Pick<Quote, 'stages' | 'depositCents'> }>(
      people.guest,
      'GET',
      `/Service/Quotes/${quote.serviceGuid}`,
    ),
  ).quote
  expect([page.stages.map(({ cents }) => cents), page.depositCents]).toEqual([[333_300, 333_300, 333_401], 333_300])
})
