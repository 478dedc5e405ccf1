import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HeldDeposit } from '../../contract/deposits.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import type { ServiceInvoice } from '../../contract/service.ts'
import type { ServiceStatement } from '../../contract/service-statements.ts'
import type { Statement } from '../../contract/statements.ts'
import { aCustomer, aLine, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
})
afterAll(() => p.stop())

const clause = 'We keep the deposit when the scaffold comes back damaged.'
const office = () => p.actors.administrator
const get = async <D>(path: string) => ok(await p.app.call<D>(office(), 'GET', path))
const invoice = async (guid: string) => (await get<{ invoice: Invoice }>(`/Invoices/${guid}`)).invoice
const order = async (guid: string) => (await get<{ order: Order }>(`/Orders/${guid}`)).order
const send = (path: string, body: unknown) =>
  p.app.call<{ invoice: Invoice }>(office(), 'POST', path, body, { 'idempotency-key': randomUUID() })
const issue = async (guid: string) =>
  ok(await send(`/Invoices/Issue/${guid}`, { version: (await invoice(guid)).version })).invoice
const draft = async (orderGuid: string, wish: Record<string, unknown>) =>
  send(`/Orders/Invoice/${orderGuid}`, { version: (await order(orderGuid)).version, ...wish })
const pay = async (invoiceGuid: string, cents: number) =>
  ok(await p.byHand({ receivedOn: today, amountCents: cents, allocations: [{ invoiceGuid, cents }] }), 201).payment
const deed = async (guid: string, wish: Record<string, unknown>) =>
  send(`/Invoices/Deposit/${guid}`, { version: (await invoice(guid)).version, ...wish })
const account = async (code: string) => {
  const [row] = await p.rows<{ cents: number }>(
    'select coalesce(sum(credit_cents - debit_cents), 0)::int as cents from journal_lines where account = $1',
    [code],
  )
  return row?.cents ?? 0
}
const entryOf = async (source: string, guid: string) =>
  Object.fromEntries(
    (
      await p.rows<{ account: string; cents: number }>(
        `select l.account, sum(l.debit_cents - l.credit_cents)::int as cents from journal_entries e
          join journal_lines l on l.entry_guid = e.guid where e.source = $1 and e.source_guid = $2 group by 1`,
        [source, guid],
      )
    ).map((row) => [row.account, row.cents]),
  )
const bas = async () => {
  const { labels, agrees } = await get<{ labels: { label: string; cents: number }[]; agrees: boolean }>(
    `/Tax/Bas?from=${today}&to=${today}`,
  )
  expect(agrees).toBe(true)
  return Object.fromEntries(labels.map(({ label, cents }) => [label, cents]))
}
const heldNow = () =>
  get<{ rows: HeldDeposit[]; totals: Record<string, number>; ledgerCents: number; agrees: boolean }>(
    '/Journal/DepositsHeld',
  )
const agedAgrees = async () => (await get<{ agrees: boolean }>('/Journal/AgedReceivables')).agrees

async function anOrder(totalCents = 1_100_000) {
  const { order: made } = ok(
    await p.app.call<{ order: { guid: string } }>(office(), 'POST', '/Orders', {
      customerGuid: p.customer.guid,
      title: 'Scaffold',
      priceMode: 'inclusive',
      lines: [aLine({ quantity: '1', unitPriceCents: totalCents })],
    }),
    201,
  )
  return made.guid
}
async function aSecurity(cents = 100_000, orderGuid?: string) {
  const of = orderGuid ?? (await anOrder())
  const made = ok(await draft(of, { kind: 'deposit', cents, depositNature: 'security', forfeitureClause: clause }), 201)
  return { orderGuid: of, deposit: await issue(made.invoice.guid) }
}

describe('a security deposit', () => {
  test('is a deposit request without GST that posts to 2250 and counts nowhere as billed', async () => {
    const before = await bas()
    const held = await account('2250')
    const { orderGuid, deposit } = await aSecurity()
    expect(deposit).toMatchObject({
      kind: 'deposit',
      depositNature: 'security',
      forfeitureClause: clause,
      isTaxInvoice: false,
      totals: { gstCents: 0, totalCents: 100_000 },
      balanceCents: 100_000,
      security: { heldCents: 0, appliedCents: 0, forfeitedCents: 0, returnedCents: 0 },
    })
    expect(await entryOf('invoice', deposit.guid)).toEqual({ '1100': 100_000, '2250': -100_000 })
    expect((await account('2250')) - held).toBe(100_000)
    expect(await bas()).toEqual(before)
    expect((await order(orderGuid)).money).toMatchObject({
      invoicedCents: 0,
      depositCreditCents: 0,
      toInvoiceCents: 1_100_000,
    })
    await pay(deposit.guid, 100_000)
    const final = ok(await draft(orderGuid, { kind: 'final' }), 201).invoice
    expect(await invoice(final.guid)).toMatchObject({
      totals: { totalCents: 1_100_000, gstCents: 100_000 },
      depositAppliedCents: 0,
    })
    expect(await p.problems()).toEqual([])
  })

  test('asks for its clause, and warns above a tenth of the order', async () => {
    const orderGuid = await anOrder(100_000)
    const wish = { kind: 'deposit', cents: 10_001, depositNature: 'security' }
    expect((await draft(orderGuid, wish)).errors).toMatchObject([{ path: 'forfeitureClause' }])
    expect((await draft(orderGuid, { ...wish, forfeitureClause: '  ' })).errors).toMatchObject([
      { path: 'forfeitureClause' },
    ])
    const made = ok(await draft(orderGuid, { ...wish, forfeitureClause: clause }), 201).invoice
    expect((await invoice(made.guid)).problems).toMatchObject([{ code: 'SECURITY_LARGE', blocks: false }])
    const small = ok(await draft(orderGuid, { ...wish, cents: 10_000, forfeitureClause: clause }), 201).invoice
    expect((await invoice(small.guid)).problems).toEqual([])
    const none = { ...wish, cents: undefined, forfeitureClause: clause }
    expect((await draft(orderGuid, none)).errors).toMatchObject([{ path: 'cents' }])
    expect((await draft(orderGuid, { kind: 'final', cents: 100 })).errors).toMatchObject([{ path: 'cents' }])
  })

  test('is a part payment instead, and back, while it is a draft', async () => {
    const orderGuid = await anOrder()
    const made = ok(await draft(orderGuid, { kind: 'deposit', cents: 110_000 }), 201).invoice
    expect(await invoice(made.guid)).toMatchObject({ depositNature: 'part_payment', totals: { gstCents: 10_000 } })
    const change = async (body: Record<string, unknown>) =>
      p.app.call<{ invoice: Invoice }>(office(), 'PATCH', `/Invoices/${made.guid}`, {
        version: (await invoice(made.guid)).version,
        ...body,
      })
    expect((await change({ depositNature: 'security' })).errors).toMatchObject([{ path: 'forfeitureClause' }])
    const held = ok(await change({ depositNature: 'security', forfeitureClause: clause })).invoice
    expect(held).toMatchObject({ totals: { gstCents: 0, totalCents: 110_000 }, forfeitureClause: clause })
    expect((await change({ forfeitureClause: null })).errors).toMatchObject([{ path: 'forfeitureClause' }])
    const again = ok(await change({ depositNature: 'part_payment' })).invoice
    expect(again).toMatchObject({ totals: { gstCents: 10_000, totalCents: 110_000 }, forfeitureClause: null })
    expect((await draft(orderGuid, { kind: 'deposit', cents: 990_001 })).errors).toMatchObject([{ path: 'cents' }])
    const standard = await p.invoice(1000)
    const other = { version: standard.version, depositNature: 'security', forfeitureClause: clause }
    expect((await p.app.call(office(), 'PATCH', `/Invoices/${standard.guid}`, other)).status).toBe(409)
  })

  test('pays another invoice as far as it was received', async () => {
    const { orderGuid, deposit } = await aSecurity()
    const bill = ok(await draft(orderGuid, { kind: 'progress', shareBp: 1000 }), 201).invoice
    await issue(bill.guid)
    const apply = (cents: number, invoiceGuid = bill.guid) =>
      deed(deposit.guid, { action: 'apply', invoiceGuid, cents })
    expect((await apply(100)).message).toBe('Nothing of this deposit is held.')
    await pay(deposit.guid, 60_000)
    expect((await apply(60_001)).errors).toMatchObject([{ path: 'cents' }])
    const held = await account('2250')
    const shown = ok(await apply(40_000)).invoice
    expect(shown).toMatchObject({
      security: { heldCents: 20_000, appliedCents: 40_000 },
      related: { depositUses: [{ guid: bill.guid, cents: 40_000, isForfeit: false }] },
    })
    expect(await invoice(bill.guid)).toMatchObject({ balanceCents: 70_000, paidCents: 40_000 })
    const payment = (await invoice(bill.guid)).related.payments[0]
    expect(payment).toMatchObject({ method: 'account_credit', cents: 40_000 })
    expect(await entryOf('payment', payment?.guid ?? '')).toEqual({ '2250': 40_000, '1100': -40_000 })
    expect(held - (await account('2250'))).toBe(40_000)
    const reverse = (body: Record<string, unknown>) =>
      send(`/Payments/Reverse/${payment?.guid}`, { on: today, ...body })
    expect((await reverse({ reason: 'dishonoured' })).status).toBe(409)
    ok(await reverse({ reason: 'wrong_entry' }))
    expect(await invoice(deposit.guid)).toMatchObject({ security: { heldCents: 60_000, appliedCents: 0 } })
    expect((await invoice(bill.guid)).balanceCents).toBe(110_000)
    const stranger = await aCustomer(p.app, office(), { displayName: 'Somebody else' })
    const theirs = await p.invoice(1000, stranger.guid)
    expect((await apply(500, theirs.guid)).errors).toMatchObject([{ path: 'invoiceGuid' }])
    expect((await apply(500, deposit.guid)).errors).toMatchObject([{ path: 'invoiceGuid' }])
    expect((await apply(500, randomUUID())).errors).toMatchObject([{ path: 'invoiceGuid' }])
    expect(await agedAgrees()).toBe(true)
    expect(await p.problems()).toEqual([])
  })

  test('is forfeited in part by a tax invoice of its own, with a GST of 1/11', async () => {
    const { deposit } = await aSecurity()
    await pay(deposit.guid, 100_000)
    const before = await bas()
    const forfeit = (cents: number, reason = 'Planks missing') =>
      deed(deposit.guid, { action: 'forfeit', cents, reason })
    expect((await forfeit(100, ' ')).errors).toMatchObject([{ path: 'reason' }])
    const shown = ok(await forfeit(33_000)).invoice
    const [kept] = shown.related.depositUses
    expect(shown.security).toEqual({ heldCents: 67_000, appliedCents: 0, forfeitedCents: 33_000, returnedCents: 0 })
    const bill = await invoice(kept?.guid ?? '')
    expect(bill).toMatchObject({
      isTaxInvoice: true,
      kind: 'standard',
      balanceCents: 0,
      paymentStatus: 'paid',
      totals: { gstCents: 3000, totalCents: 33_000 },
      related: { forfeits: { guid: deposit.guid, label: deposit.number } },
    })
    expect(await entryOf('deposit_forfeited', bill.guid)).toEqual({ '2250': 33_000, '4000': -30_000, '2100': -3000 })
    const after = await bas()
    expect([(after['G1'] ?? 0) - (before['G1'] ?? 0), (after['1A'] ?? 0) - (before['1A'] ?? 0)]).toEqual([33_000, 3000])
    const paymentGuid = bill.related.payments[0]?.guid ?? ''
    expect((await send(`/Payments/Reverse/${paymentGuid}`, { reason: 'wrong_entry', on: today })).status).toBe(409)
    expect((await forfeit(67_001)).errors).toMatchObject([{ path: 'cents' }])
    expect(await agedAgrees()).toBe(true)
    expect(await p.problems()).toEqual([])
  })

  test('goes back without a note, and is not owed again', async () => {
    const { deposit } = await aSecurity()
    const { guid: paymentGuid } = await pay(deposit.guid, 100_000)
    ok(await deed(deposit.guid, { action: 'forfeit', cents: 30_000, reason: 'Damage' }))
    const back = (amountCents: number, reasonCode = 'deposit_return') =>
      p.refund({ paymentGuid, amountCents, reasonCode })
    expect((await back(70_001)).error).toBe('REFUND_EXCEEDED')
    const { adjustmentNote, refund } = ok(await back(50_000), 201)
    expect(adjustmentNote).toBeNull()
    expect(await entryOf('refund', refund.guid)).toEqual({ '2250': 50_000, '1000': -50_000 })
    expect(await invoice(deposit.guid)).toMatchObject({
      balanceCents: 0,
      paymentStatus: 'partially_refunded',
      security: { heldCents: 20_000, forfeitedCents: 30_000, returnedCents: 50_000 },
    })
    expect(ok(await back(20_000, 'other'), 201).adjustmentNote).toBeNull()
    expect((await deed(deposit.guid, { action: 'forfeit', cents: 1, reason: 'More' })).status).toBe(409)
    const gone = { version: (await invoice(deposit.guid)).version, reason: 'x' }
    expect((await send(`/Invoices/Void/${deposit.guid}`, gone)).status).toBe(409)
    expect(await agedAgrees()).toBe(true)
    expect(await p.problems()).toEqual([])
  })

  test('is voided or credited as long as nobody paid, and never written off', async () => {
    const { deposit } = await aSecurity(50_000)
    const body = { version: deposit.version, reasonCode: 'bad_debt' }
    expect((await send(`/Invoices/WriteOff/${deposit.guid}`, body)).status).toBe(409)
    const lines = [{ gstCode: 'FREE', cents: 20_000, text: 'Less' }]
    const note = ok(await send('/Invoices/Notes', { invoiceGuid: deposit.guid, lines, reason: 'Less to hold' }), 201)
    expect(await entryOf('adjustment_note', note.invoice.guid)).toEqual({ '2250': 20_000, '1100': -20_000 })
    expect((await invoice(deposit.guid)).balanceCents).toBe(30_000)
    const other = (await aSecurity(40_000)).deposit
    ok(await send(`/Invoices/Void/${other.guid}`, { version: other.version, reason: 'Not needed' }))
    expect(await entryOf('void', other.guid)).toEqual({ '1100': -40_000, '2250': 40_000 })
    expect(await agedAgrees()).toBe(true)
    expect(await p.problems()).toEqual([])
  })

  test('never pays more than is held, however many ask at once', async () => {
    const { deposit } = await aSecurity()
    const { guid: paymentGuid } = await pay(deposit.guid, 100_000)
    const bills = await Promise.all(Array.from({ length: 4 }, () => p.invoice(40_000)))
    const { version } = await invoice(deposit.guid)
    const answers = await Promise.all([
      ...bills.map(({ guid }) =>
        send(`/Invoices/Deposit/${deposit.guid}`, { version, action: 'apply', invoiceGuid: guid, cents: 40_000 }),
      ),
      send(`/Invoices/Deposit/${deposit.guid}`, { version, action: 'forfeit', cents: 70_000, reason: 'Damage' }),
      p.refund({ paymentGuid, amountCents: 80_000, reasonCode: 'deposit_return' }),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const { security } = await invoice(deposit.guid)
    const { heldCents = 0, appliedCents = 0, forfeitedCents = 0, returnedCents = 0 } = security ?? {}
    expect(heldCents + appliedCents + forfeitedCents + returnedCents).toBe(100_000)
    expect(heldCents).toBeGreaterThanOrEqual(0)
    expect(appliedCents + forfeitedCents + returnedCents).toBeGreaterThan(0)
    expect(await p.problems()).toEqual([])
  })
})

test('what is held of both natures comes to the ledger, with its documents', async () => {
  const { orderGuid, deposit } = await aSecurity(30_000)
  await pay(deposit.guid, 10_000)
  const part = ok(await draft(orderGuid, { kind: 'deposit', cents: 110_000 }), 201).invoice
  await issue(part.guid)
  const { rows, totals, ledgerCents, agrees } = await heldNow()
  expect(agrees).toBe(true)
  expect(totals['totalCents']).toBe(ledgerCents)
  expect(rows.filter((row) => row.orderGuid === orderGuid)).toMatchObject([
    { invoiceGuid: deposit.guid, nature: 'security', cents: 30_000, unpaidCents: 20_000, since: today },
    { invoiceGuid: part.guid, nature: 'part_payment', cents: 100_000, unpaidCents: 110_000 },
  ])
  const final = ok(await draft(orderGuid, { kind: 'progress', shareBp: 500 }), 201).invoice
  await issue(final.guid)
  const after = await heldNow()
  expect(after.rows.find((row) => row.invoiceGuid === part.guid)?.cents).toBe(50_000)
  expect(after.agrees).toBe(true)
  const { version } = await invoice(final.guid)
  ok(await send(`/Invoices/Void/${final.guid}`, { version, reason: 'Again' }))
  expect((await heldNow()).rows.find((row) => row.invoiceGuid === part.guid)?.cents).toBe(100_000)
  expect((await heldNow()).agrees).toBe(true)
  expect((await p.app.call(p.actors.field, 'GET', '/Journal/DepositsHeld')).status).toBe(403)
})

test('a statement says which rows are deposits: asked for, applied and kept, none of them a payment', async () => {
  const { guid } = await aCustomer(p.app, office(), { displayName: 'Held Pty Ltd' })
  const orderOf = ok(
    await p.app.call<{ order: { guid: string } }>(office(), 'POST', '/Orders', {
      customerGuid: guid,
      title: 'Scaffold',
      priceMode: 'inclusive',
      lines: [aLine({ quantity: '1', unitPriceCents: 110_000 })],
    }),
    201,
  ).order.guid
  const { deposit } = await aSecurity(10_000, orderOf)
  const bill = await issue(ok(await draft(orderOf, { kind: 'final' }), 201).invoice.guid)
  const rows = async (kind: string) =>
    (await get<{ statement: Statement }>(`/Statements/${guid}?kind=${kind}`)).statement.rows.map(
      ({ what, debitCents, creditCents }) => [what, debitCents - creditCents],
    )
  expect(await rows('open')).toEqual([
    ['deposit_request', 10_000],
    ['invoice', 110_000],
  ])
  await pay(deposit.guid, 10_000)
  ok(await deed(deposit.guid, { action: 'apply', invoiceGuid: bill.guid, cents: 6000 }))
  ok(await deed(deposit.guid, { action: 'forfeit', cents: 4000, reason: 'Damaged' }))
  expect(await rows('activity')).toEqual([
    ['deposit_request', 10_000],
    ['invoice', 110_000],
    ['payment', -10_000],
    ['deposit_applied', -6000],
    ['invoice', 4000],
    ['deposit_kept', -4000],
  ])
  const link = ok(await p.app.call<{ serviceUrl: string }>(office(), 'POST', `/Statements/Link/${guid}`, {}))
  const page = `/Service/Statements/${link.serviceUrl.split('/').at(-1)}`
  const { statement } = ok(await p.app.call<{ statement: ServiceStatement }>(p.actors.guest, 'GET', page))
  expect(statement.invoices.map(({ what, balanceCents }) => [what, balanceCents])).toEqual([['invoice', 104_000]])
  const served = `/Service/Invoices/${(await invoice(deposit.guid)).serviceGuid}`
  const paper = ok(await p.app.call<{ invoice: ServiceInvoice }>(p.actors.guest, 'GET', served)).invoice
  expect(paper.depositUses.map(({ number, isKept, cents }) => [number === bill.number, isKept, cents])).toEqual([
    [true, false, 6000],
    [false, true, 4000],
  ])
})
