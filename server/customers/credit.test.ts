import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aLine, aQuote, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

interface Order {
  order: { guid: string; version: number; totals: { totalCents: number } }
}
interface Invoice {
  invoice: { guid: string; version: number }
}

const make = (displayName: string, terms: Record<string, unknown> = {}) =>
  aCustomer(app, people.office, { displayName, terms })
/** Two panels at $125 and GST: $275.00. */
const tryOrder = (customerGuid: string, quantity = '2', who = people.office) =>
  app.call<Order>(who, 'POST', '/Orders', {
    customerGuid,
    title: 'Fence',
    priceMode: 'exclusive',
    lines: [aLine({ quantity })],
  })
const anInvoice = async (customerGuid: string, termsDays: number) =>
  ok(
    await app.call<Invoice>(people.office, 'POST', '/Invoices', {
      customerGuid,
      title: 'Fence',
      priceMode: 'exclusive',
      termsDays,
      lines: [aLine()],
    }),
    201,
  ).invoice
const issue = (invoice: Invoice['invoice'], who = people.office) =>
  app.call(who, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version })
const said = (answer: { status: number; message: string }) => [answer.status, answer.message]

describe('a limit', () => {
  test('is reached exactly, and not passed by a cent', async () => {
    const customer = await make('Cormorant', { limitCents: 55_000 })
    ok(await tryOrder(customer.guid), 201)
    ok(await tryOrder(customer.guid), 201)
    expect(said(await tryOrder(customer.guid, '10'))).toEqual([
      409,
      'This order takes Cormorant $1,375.00 over its limit of $550.00.',
    ])
    expect(said(await issue(await anInvoice(customer.guid, 14)))).toEqual([
      409,
      'This invoice takes Cormorant $275.00 over its limit of $550.00.',
    ])
    ok(await issue(await anInvoice(customer.guid, 0)))
  })

  test('counts a family as one, and what two confirm at once one after the other', async () => {
    const keep = await make('Kept', { limitCents: 30_000 })
    const from = await make('Gone')
    const version = 1
    ok(
      await app.call(people.office, 'POST', '/Customers/Merge', {
        keepGuid: keep.guid,
        keepVersion: version,
        fromGuid: from.guid,
        fromVersion: version,
      }),
      201,
    )
    const answers = await Promise.all([keep, from].map(({ guid }) => tryOrder(guid)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  test('is no limit for whoever may go beyond it', async () => {
    const customer = await make('Overrun', { limitCents: 100, isOnHold: true })
    ok(await tryOrder(customer.guid, '2', people.administrator), 201)
    ok(await issue(await anInvoice(customer.guid, 14), people.accountant))
  })
})

test('on hold a customer is quoted, and nothing is confirmed or goes on account', async () => {
  const customer = await make('Heron', { isOnHold: true, holdReason: 'Cheque bounced' })
  await aQuote(app, people.office, customer.guid)
  expect(said(await tryOrder(customer.guid))).toEqual([409, 'Heron is on credit hold.'])
  expect(said(await issue(await anInvoice(customer.guid, 7)))).toEqual([409, 'Heron is on credit hold.'])
  ok(await issue(await anInvoice(customer.guid, 0)))
})

test('what a customer accepts goes through, and waits to be confirmed by whoever may', async () => {
  const customer = await make('Ibis', { limitCents: 20_000 })
  const sent = await aSentQuote(app, people.office, customer.guid)
  const answer = ok(
    await app.call<{ order: { guid: string } }>(people.guest, 'POST', `/Service/Quotes/Accept/${sent.serviceGuid}`, {
      version: sent.version,
      documentSha256: sent.documentSha256,
      name: 'Iris',
    }),
  )
  const read = async () =>
    ok(
      await app.call<{ items: { guid: string; version: number; displayStatus: string }[] }>(
        people.office,
        'GET',
        `/Orders?customerGuid=${customer.guid}`,
      ),
    ).items[0]
  expect(answer.order).toBeTruthy()
  expect((await read())?.displayStatus).toBe('pending_confirmation')
  const order = ok(await app.call<Order>(people.office, 'GET', `/Orders/${(await read())?.guid}`)).order
  const confirm = (who = people.office) =>
    app.call(who, 'POST', `/Orders/Status/${order.guid}`, { version: order.version, deed: 'confirm' })
  expect(said(await confirm())).toEqual([409, 'This order takes Ibis $75.00 over its limit of $200.00.'])
  ok(await confirm(people.administrator))
})

test('a blocked customer gets no new documents and nothing is sent, until he is unblocked', async () => {
  const customer = await make('Magpie')
  const draft = await aQuote(app, people.office, customer.guid)
  const set = (deed: string, version: number) =>
    app.call<{ customer: { status: string } }>(people.office, 'POST', `/Customers/${deed}/${customer.guid}`, {
      version,
    })
  const sent = await aSentQuote(app, people.office, customer.guid)
  expect(ok(await set('Block', 1)).customer.status).toBe('blocked')
  const refusal = [409, 'Magpie is blocked. Unblock it to create documents.']
  const post = (path: string, body: Record<string, unknown>) => app.call(people.office, 'POST', path, body)
  const body = { customerGuid: customer.guid, title: 'No', priceMode: 'exclusive', lines: [aLine()] }
  for (const path of ['/Quotes', '/Orders', '/Invoices']) expect(said(await post(path, body))).toEqual(refusal)
  expect(said(await post(`/Quotes/Send/${draft.guid}`, { version: draft.version }))).toEqual(refusal)
  expect(
    said(await post(`/Quotes/Accept/${sent.guid}`, { version: sent.version, name: 'M', method: 'phone' })),
  ).toEqual(refusal)
  expect((await set('Block', 2)).error).toBe('INVALID_TRANSITION')
  expect(ok(await set('Unblock', 2)).customer.status).toBe('active')
  ok(await post(`/Quotes/Send/${draft.guid}`, { version: draft.version }))
})
