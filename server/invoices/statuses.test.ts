import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aLine, ok, startBusiness } from '../../test/support/factories.ts'
import { keyed, type Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

let app: Running
let actors: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
})
afterAll(() => app.stop())

interface Listed {
  items: { guid: string; displayStatus: string }[]
}
const call = <D>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  app.call<D>(actors.administrator, method, path, body, keyed())
const draft = async () =>
  ok(await call<{ invoice: Invoice }>('POST', '/Invoices', { customerGuid, title: 'Hire', lines: [aLine()] }), 201)
    .invoice
const standing = async (guid: string, status: string) => {
  await app.deps.db
    .updateTable('invoices')
    .set({ status: status as 'draft' })
    .where('guid', '=', guid)
    .execute()
  return ok(await call<{ invoice: Invoice }>('GET', `/Invoices/${guid}`)).invoice
}
const countOf = async (noun: string, status: string) =>
  ok(await call<{ items: { status: string; count: number }[] }>('GET', `/${noun}/Metrics/StatusMetrics`)).items.find(
    (i) => i.status === status,
  )?.count

test('an invoice that waits for its day can be seen, found and issued, and neither changed nor paid', async () => {
  const { guid } = await draft()
  const invoice = await standing(guid, 'scheduled')
  expect(invoice).toMatchObject({
    status: 'scheduled',
    displayStatus: 'scheduled',
    number: null,
    balanceCents: 0,
    isTaxInvoice: true,
  })
  expect(
    ok(await call<Listed>('GET', '/Invoices?status=scheduled')).items.map((i) => [i.guid, i.displayStatus]),
  ).toEqual([[guid, 'scheduled']])
  expect(await countOf('Invoices', 'scheduled')).toBe(1)
  expect((await call('PATCH', `/Invoices/${guid}`, { version: 1, title: 'x' })).message).toBe(
    'This invoice is scheduled and can’t be changed.',
  )
  expect((await call('DELETE', `/Invoices/${guid}`)).error).toBe('INVALID_TRANSITION')
  expect((await call('POST', `/Invoices/Void/${guid}`, { version: 1, reason: 'x' })).message).toBe(
    'Archive a draft instead of voiding it.',
  )
  expect(
    (
      await call('POST', '/Payments', {
        method: 'cash',
        receivedOn: '2026-07-01',
        amountCents: 100,
        allocations: [{ invoiceGuid: guid, cents: 100 }],
      })
    ).message,
  ).toBe('Issue the invoice before recording a payment.')
  expect(
    (await app.fastify.inject({ url: `/api/v2/Invoices/Pdf/${guid}`, headers: actors.administrator.headers }))
      .statusCode,
  ).toBe(200)
  expect(
    ok(await call<{ invoice: Invoice }>('POST', `/Invoices/Issue/${guid}`, { version: 1 })).invoice.displayStatus,
  ).toBe('sent')
})

test('an invoice written off keeps number and entry, owes nothing, and comes back when money does', async () => {
  const { guid } = await draft()
  const { number } = ok(await call<{ invoice: Invoice }>('POST', `/Invoices/Issue/${guid}`, { version: 1 })).invoice
  const closed = ok(
    await call<{ invoice: Invoice }>('POST', `/Invoices/WriteOff/${guid}`, { version: 2, reasonCode: 'bad_debt' }),
  ).invoice
  expect(closed).toMatchObject({ displayStatus: 'written_off', number, balanceCents: 0 })
  const { version } = closed
  expect(ok(await call<Listed>('GET', '/Invoices?status=written_off')).items.map((i) => i.guid)).toEqual([guid])
  expect(await countOf('Invoices', 'written_off')).toBe(1)
  for (const [path, body] of [
    ['Void', { version, reason: 'x' }],
    ['Send', { version }],
    ['Issue', { version }],
  ] as const)
    expect((await call('POST', `/Invoices/${path}/${guid}`, body)).message).toBe(`Invoice ${number} is written off.`)
  await expect(standing(guid, 'void')).rejects.toThrow('issued documents cannot be changed')
  await expect(standing(guid, 'draft')).rejects.toThrow('issued documents cannot be changed')
  expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  expect(
    ok(await call<{ invoice: Invoice }>('POST', `/Invoices/Recover/${guid}`, { version })).invoice.displayStatus,
  ).toBe('sent')
})

test('an order that is not confirmed yet is seen, found and counted, and is not invoiced', async () => {
  for (const status of ['draft', 'pending_confirmation'] as const) {
    const { order } = ok(
      await call<{ order: { guid: string; version: number } }>('POST', '/Orders', {
        customerGuid,
        title: 'Fence',
        lines: [aLine()],
      }),
      201,
    )
    await app.deps.db.updateTable('orders').set({ status }).where('guid', '=', order.guid).execute()
    expect(
      ok(await call<Listed>('GET', `/Orders?status=${status}`)).items.map((i) => [i.guid, i.displayStatus]),
    ).toEqual([[order.guid, status]])
    expect(await countOf('Orders', status)).toBe(1)
    expect(
      (await call('POST', `/Orders/Invoice/${order.guid}`, { version: order.version, kind: 'final' })).message,
    ).toBe('Confirm the order before invoicing it.')
    expect((await call('POST', `/Orders/Status/${order.guid}`, { version: order.version, deed: 'start' })).error).toBe(
      'INVALID_TRANSITION',
    )
    expect(
      ok(
        await call<{ order: { status: string } }>('POST', `/Orders/Status/${order.guid}`, {
          version: order.version,
          deed: 'confirm',
        }),
      ).order.status,
    ).toBe('confirmed')
  }
})

test('a cancelled order says that it is cancelled, not that it wants to be confirmed', async () => {
  const { order } = ok(
    await call<{ order: { guid: string; version: number } }>('POST', '/Orders', {
      customerGuid,
      title: 'Fence',
      lines: [aLine()],
    }),
    201,
  )
  const cancelled = ok(
    await call<{ order: { version: number } }>('POST', `/Orders/Status/${order.guid}`, {
      version: order.version,
      deed: 'cancel',
      reason: 'The customer moved away.',
    }),
  ).order
  expect(
    (await call('POST', `/Orders/Invoice/${order.guid}`, { version: cancelled.version, kind: 'final' })).message,
  ).toBe('This order is cancelled.')
})
