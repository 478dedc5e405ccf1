import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { aSentQuote, ok } from '../../test/support/factories.ts'
import { type PaymentFacts, type Paying, startPaying, tally } from '../../test/support/paying.ts'
import type { Answer } from '../../test/support/start.ts'

/** Whoever changes money locks the order, then its invoices, then payments: no two deeds wait for each other. */

let p: Paying
beforeAll(async () => void (p = await startPaying()))
afterAll(() => p.stop())

const post = <D = unknown>(path: string, body: unknown) =>
  p.app.call<D>(p.actors.accountant, 'POST', path, body, { 'idempotency-key': randomUUID() })
const version = async (noun: 'Orders' | 'Invoices', guid: string) => {
  const { data } = await p.app.call<{ order?: Order; invoice?: Invoice }>(p.actors.office, 'GET', `/${noun}/${guid}`)
  return data.order?.version ?? data.invoice?.version ?? 0
}
async function anOrder(): Promise<string> {
  const quote = await aSentQuote(p.app, p.actors.office, p.customer.guid, {
    priceMode: 'inclusive',
    lines: [{ name: 'Panels', quantity: '1', unitPriceCents: 1_100_000 }],
  })
  const body = { version: quote.version, name: 'Anna', method: 'phone' }
  const path = `/Quotes/Accept/${quote.guid}`
  return ok(await p.app.call<{ order: { guid: string } }>(p.actors.office, 'POST', path, body)).order.guid
}
async function draftOf(orderGuid: string): Promise<string> {
  const wish = { version: await version('Orders', orderGuid), kind: 'progress', shareBp: 1000 }
  const path = `/Orders/Invoice/${orderGuid}`
  return ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', path, wish), 201).invoice.guid
}
const issue = async (guid: string) =>
  p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', `/Invoices/Issue/${guid}`, {
    version: await version('Invoices', guid),
  })
async function paidPart(orderGuid: string): Promise<{ invoiceGuid: string; payment: PaymentFacts }> {
  const invoiceGuid = await draftOf(orderGuid)
  ok(await issue(invoiceGuid))
  const allocations = [{ invoiceGuid, cents: 110_000 }]
  return { invoiceGuid, payment: ok(await p.byHand({ amountCents: 110_000, allocations }), 201).payment }
}
async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(p.app.database.owner)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const waiting = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('a deed that waits for the order of an invoice holds nothing of the invoice', async () => {
  const orderGuid = await anOrder()
  const { invoiceGuid, payment } = await paidPart(orderGuid)
  const seen = await version('Invoices', invoiceGuid)
  const wish = { paymentGuid: payment.guid, invoiceGuid, amountCents: 1_100 }
  const deeds: (() => Promise<Answer<unknown>>)[] = [
    () => p.refund({ ...wish, effect: 'price_reduced' }),
    () => p.refund({ ...wish, effect: 'money_back' }),
    () =>
      post('/Invoices/Notes', { invoiceGuid, reason: 'Less', lines: [{ gstCode: 'GST', cents: 100, text: 'Less' }] }),
    () => post(`/Invoices/Void/${invoiceGuid}`, { version: seen, reason: 'Wrong' }),
    () => post(`/Invoices/WriteOff/${invoiceGuid}`, { version: seen, reasonCode: 'bad_debt' }),
  ]
  for (const deed of deeds)
    await connected(async (holder) => {
      await holder.query('begin')
      await holder.query('select 1 from orders where guid = $1 for update', [orderGuid])
      const answer = deed()
      await expect.poll(async () => (await holder.query<{ n: number }>(waiting)).rows[0]?.n).toBe(1)
      const locked = await holder.query('select 1 from invoices where guid = $1 for update nowait', [invoiceGuid])
      expect(locked.rowCount).toBe(1)
      await holder.query('rollback')
      expect((await answer).status).toBeLessThan(500)
    })
})

test('many at once around one order never wait for each other in a circle', async () => {
  const orderGuid = await anOrder()
  const parts = [await paidPart(orderGuid), await paidPart(orderGuid), await paidPart(orderGuid)]
  const drafts = [await draftOf(orderGuid), await draftOf(orderGuid)]
  const all = parts.map(({ invoiceGuid }) => ({ invoiceGuid, cents: 1_000 }))
  const note = (invoiceGuid: string) => ({
    invoiceGuid,
    reason: 'Less',
    lines: [{ gstCode: 'GST', cents: 2_200, text: 'Less' }],
  })
  const rounds = process.env.PROVE ? [1, 2, 3] : [1, 2]
  const deeds = rounds.flatMap((round) => [
    ...drafts.map((guid) => () => issue(guid)),
    ...parts.flatMap(({ invoiceGuid, payment }) => [
      () => p.refund({ paymentGuid: payment.guid, invoiceGuid, amountCents: 1_100 * round, effect: 'price_reduced' }),
      () => p.refund({ paymentGuid: payment.guid, invoiceGuid, amountCents: 500 * round, effect: 'money_back' }),
      () => post('/Invoices/Notes', note(invoiceGuid)),
      () => post(`/Payments/Unallocate/${payment.guid}`, { allocationGuid: payment.allocations[0]?.guid, cents: 100 }),
      () => p.byHand({ amountCents: 3_000, allocations: round % 2 ? all : all.toReversed() }),
      () => post(`/Customers/Credit/Apply/${p.customer.guid}`, {}),
    ]),
  ])
  const answers = await Promise.all(deeds.map(async (deed): Promise<Answer<unknown>> => deed()))
  const told = tally(answers)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(told['201']).toBeGreaterThan(10)
  expect(await p.problems()).toEqual([])
  // What a connection saw of it is told when it ends.
  const deadlocks = await connected(async (client) => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename <> current_user`)
    const { rows } = await client.query<{ n: number }>(
      `select deadlocks::int as n from pg_stat_database where datname = current_database()`,
    )
    return rows[0]?.n
  })
  expect(deadlocks).toBe(0)
})
