import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logIn } from '../../test/support/actors.ts'
import type { Invoice } from '../../contract/invoices.ts'
import { ok } from '../../test/support/factories.ts'
import {
  type InvoiceFacts,
  type Paying,
  shortPatienceMs,
  startPaying,
  tally,
  times,
} from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'
import { settleOpen } from './payments.jobs.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying({}, shortPatienceMs)))
beforeEach(() => void (p.clock.aheadMs = 0))
afterAll(() => p.stop())

async function paidByCard(totalCents = 11_000): Promise<{ invoice: InvoiceFacts; paymentGuid: string }> {
  const invoice = await p.invoice(totalCents)
  const { payment } = ok(await p.pay(invoice.link, totalCents), 201)
  const [row] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [payment.guid])
  return { invoice, paymentGuid: row?.guid ?? '' }
}
async function paidByHand(totalCents = 11_000): Promise<{ invoice: InvoiceFacts; paymentGuid: string }> {
  const invoice = await p.invoice(totalCents)
  const { payment } = ok(
    await p.byHand({ amountCents: totalCents, allocations: [{ invoiceGuid: invoice.guid, cents: totalCents }] }),
    201,
  )
  return { invoice, paymentGuid: payment.guid }
}
const journalOf = (source: string, number: string) =>
  p.rows(
    `select l.account, l.debit_cents::int as debit, l.credit_cents::int as credit from journal_entries e
      join journal_lines l on l.entry_guid = e.guid where e.source = $1 and e.narrative like $2 order by l.position`,
    [source, `%${number}%`],
  )

describe('money goes back', () => {
  test('to the card, in two parts, each with its adjustment note and its part of the GST', async () => {
    const { invoice, paymentGuid } = await paidByCard()
    const first = ok(
      await p.refund({ paymentGuid, amountCents: 3_300, reasonCode: 'quality', note: 'Panel was scratched' }),
      201,
    )
    expect(first).toMatchObject({
      refund: { status: 'succeeded', amountCents: 3_300, gstCents: 300 },
      payment: { status: 'partially_refunded', refundedCents: 3_300 },
    })
    expect(first.adjustmentNote?.label).toMatch(/^ADJ-/)
    expect(await p.standing(invoice.guid)).toMatchObject({
      paymentStatus: 'partially_refunded',
      paidCents: 11_000,
      creditedCents: 3_300,
      refundedCents: 3_300,
      balanceCents: 0,
    })
    const second = ok(await p.refund({ paymentGuid, amountCents: 7_700 }), 201)
    expect(second).toMatchObject({ refund: { gstCents: 700 }, payment: { status: 'refunded', refundedCents: 11_000 } })
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'refunded', balanceCents: 0 })
    const [charge] = await p.charges(invoice.number)
    expect(charge?.refundedCents).toBe(11_000)
    expect(await journalOf('refund', first.refund.number ?? '')).toEqual([
      { account: '1100', debit: 3_300, credit: 0 },
      { account: '1010', debit: 0, credit: 3_300 },
    ])
    await p.tellAll()
    const letters = await p.rows<{ template: string; body: string }>(
      `select template, body_text as body from messages where owner_type = 'refund' and owner_number = $1`,
      [first.refund.number],
    )
    expect(letters).toEqual([{ template: 'refund', body: expect.stringContaining('your Visa ending in 4242') }])
    const trail = await p.rows<{ entity: string }>(
      `select entity from audit_log where action = 'refund.made' and after ->> 'number' = $1 order by entity`,
      [first.refund.number],
    )
    expect(trail.map((t) => t.entity)).toEqual(['Invoices', 'Payments', 'Refunds'])
  })

  test('by hand, as it came', async () => {
    const { invoice, paymentGuid } = await paidByHand()
    const made = ok(await p.refund({ paymentGuid, amountCents: 11_000, method: 'cheque' }), 201)
    expect(made).toMatchObject({ refund: { status: 'succeeded' }, payment: { status: 'refunded' } })
    await p.tellAll()
    const [letter] = await p.rows<{ body: string }>(
      `select body_text as body from messages where owner_type = 'refund' and owner_number = $1`,
      [made.refund.number],
    )
    expect(letter?.body).toContain('We paid it back by cheque.')
    expect(letter?.body).not.toMatch(/card/i)
    expect(await journalOf('refund', made.refund.number ?? '')).toEqual([
      { account: '1100', debit: 11_000, credit: 0 },
      { account: '1000', debit: 0, credit: 11_000 },
    ])
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'refunded', balanceCents: 0 })
  })

  test('of a part paid: what is then owed goes by balance, in every list and sum', async () => {
    const [invoice, returned] = [await p.invoice(110_000), await p.invoice(5_000)]
    const { payment } = ok(
      await p.byHand({ amountCents: 40_000, allocations: [{ invoiceGuid: invoice.guid, cents: 40_000 }] }),
      201,
    )
    ok(await p.refund({ paymentGuid: payment.guid, amountCents: 10_000 }), 201)
    const paid = ok(
      await p.byHand({ amountCents: 2_000, allocations: [{ invoiceGuid: returned.guid, cents: 2_000 }] }),
      201,
    )
    ok(await p.refund({ paymentGuid: paid.payment.guid, amountCents: 2_000 }), 201)
    const balances = new Map([
      [invoice.guid, 70_000],
      [returned.guid, 3_000],
    ])
    let who: Caller = p.actors.accountant
    const ask = async <T>(path: string) => ok(await p.app.call<T>(who, 'GET', path))
    const shown = async (guid: string) =>
      (
        await ask<{ invoice: { displayStatus: string; paymentStatus: string; balanceCents: number } }>(
          `/Invoices/${guid}`,
        )
      ).invoice
    const wearing = async (status: string) =>
      (
        await ask<{ items: { guid: string; displayStatus: string; balanceCents: number }[] }>(
          `/Invoices?status=${status}&size=100`,
        )
      ).items
        .filter((i) => balances.has(i.guid))
        .map((i) => [i.guid, i.displayStatus])
    const owing = async () =>
      (await ask<{ items: { balanceCents: number; overdueCents: number }[] }>(`/Customers?owing=overdue`)).items[0]
    const ageing = async () =>
      (await ask<{ ageing: { bucket: string; cents: number }[] }>('/Dashboards/Ecommerce')).ageing
    expect(await shown(invoice.guid)).toMatchObject({
      displayStatus: 'partially_paid',
      paymentStatus: 'partially_paid',
      balanceCents: 70_000,
    })
    expect(await shown(returned.guid)).toMatchObject({
      displayStatus: 'sent',
      paymentStatus: 'unpaid',
      balanceCents: 3_000,
    })
    expect(await wearing('partially_paid')).toEqual([[invoice.guid, 'partially_paid']])
    const before = await ageing()

    p.clock.aheadMs = 30 * 86_400_000
    who = { headers: await logIn(p.app, p.actors.accountant.authId) }
    for (const [guid, balanceCents] of balances)
      expect(await shown(guid)).toMatchObject({ displayStatus: 'overdue', balanceCents })
    expect(await wearing('overdue')).toEqual(
      expect.arrayContaining([...balances.keys()].map((guid) => [guid, 'overdue'])),
    )
    expect(await wearing('partially_paid,partially_refunded,refunded,sent,paid')).toEqual([])
    const { items: tiles } = await ask<{ items: { status: string; count: number; totalCents: number }[] }>(
      '/Invoices/Metrics/StatusMetrics',
    )
    const { page } = await ask<{ page: { total: { value: number } } }>('/Invoices?status=overdue')
    expect(tiles.find((tile) => tile.status === 'overdue')?.count).toBe(page.total.value)
    const late = (await ageing())
      .filter(({ bucket }) => bucket !== 'current')
      .reduce((sum, { cents }) => sum + cents, 0)
    expect(late).toBe(before.reduce((sum, { cents }) => sum + cents, 0))
    expect(tiles.find((tile) => tile.status === 'overdue')?.totalCents).toBe(late)
    expect(await owing()).toMatchObject({ balanceCents: late, overdueCents: late })
  })

  test('never more than came in', async () => {
    const { paymentGuid } = await paidByCard()
    expect(await p.refund({ paymentGuid, amountCents: 11_001 })).toMatchObject({
      status: 409,
      error: 'REFUND_EXCEEDED',
      message: 'You can refund up to $110.00.',
      errors: [{ path: 'amountCents' }],
    })
    ok(await p.refund({ paymentGuid, amountCents: 11_000 }), 201)
    expect(await p.refund({ paymentGuid, amountCents: 1 })).toMatchObject({
      status: 409,
      error: 'REFUND_EXCEEDED',
      message: 'Everything has already been refunded.',
    })
  })

  test('of the invoice that is named, when a payment was for several', async () => {
    const [a, b] = [await p.invoice(4_000), await p.invoice(6_000)]
    const { payment } = ok(
      await p.byHand({
        amountCents: 10_000,
        allocations: [
          { invoiceGuid: a.guid, cents: 4_000 },
          { invoiceGuid: b.guid, cents: 6_000 },
        ],
      }),
      201,
    )
    expect(await p.refund({ paymentGuid: payment.guid, amountCents: 1_000 })).toMatchObject({
      status: 422,
      errors: [{ path: 'invoiceGuid' }],
    })
    expect(await p.refund({ paymentGuid: payment.guid, invoiceGuid: a.guid, amountCents: 4_001 })).toMatchObject({
      status: 409,
      message: 'You can refund up to $40.00.',
    })
    expect(await p.refund({ paymentGuid: payment.guid, invoiceGuid: randomUUID(), amountCents: 1 })).toMatchObject({
      status: 422,
    })
    ok(await p.refund({ paymentGuid: payment.guid, invoiceGuid: a.guid, amountCents: 4_000 }), 201)
    expect([(await p.standing(a.guid)).refundedCents, (await p.standing(b.guid)).refundedCents]).toEqual([4_000, 0])
    expect(
      (await p.payment(payment.guid)).allocations
        .map((allocation) => [allocation.invoiceGuid, allocation.refundableCents])
        .toSorted(),
    ).toEqual(
      [
        [a.guid, 0],
        [b.guid, 6_000],
      ].toSorted(),
    )
  })

  test('of what was paid too much, without touching the invoice', async () => {
    const invoice = await p.invoice(4_000)
    const { payment } = ok(
      await p.byHand({ amountCents: 5_000, allocations: [{ invoiceGuid: invoice.guid, cents: 4_000 }] }),
      201,
    )
    const made = ok(await p.refund({ paymentGuid: payment.guid, amountCents: 1_000 }), 201)
    expect(made).toMatchObject({ adjustmentNote: null, payment: { unallocatedCents: 0, refundedCents: 1_000 } })
    expect(await journalOf('refund', made.refund.number ?? '')).toEqual([
      { account: '2300', debit: 1_000, credit: 0 },
      { account: '1000', debit: 0, credit: 1_000 },
    ])
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'paid', refundedCents: 0 })
  })

  test('only by those who may, and of payments there are', async () => {
    const { paymentGuid } = await paidByCard()
    const body = { paymentGuid, amountCents: 100, reasonCode: 'goodwill' }
    for (const who of [p.actors.field, p.actors.sales, p.actors.readOnly, p.actors.guest])
      expect((await p.app.call(who, 'POST', '/Payments/Refunds', body)).status).toBe(403)
    expect(await p.app.call(p.actors.accountant, 'POST', '/Payments/Refunds', body)).toMatchObject({
      status: 400,
      error: 'IDEMPOTENCY_REQUIRED',
    })
    expect(await p.refund({ paymentGuid: randomUUID(), amountCents: 100 })).toMatchObject({ status: 404 })
    expect(await p.refund({ paymentGuid, amountCents: 100, reasonCode: 'because' })).toMatchObject({
      status: 422,
      errors: [{ path: 'reasonCode' }],
    })
  })
})

describe('what is given back', () => {
  /** Panels with GST, a permit without. */
  async function mixedInvoice(): Promise<Invoice> {
    const lines = [
      { name: 'Panels', unitPriceCents: 55_000 },
      { name: 'Permit', unitPriceCents: 50_000, gstCode: 'FREE' },
    ]
    const draft = ok(
      await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', '/Invoices', {
        customerGuid: p.customer.guid,
        title: 'Hoarding',
        priceMode: 'inclusive',
        lines,
      }),
      201,
    ).invoice
    return ok(
      await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', `/Invoices/Issue/${draft.guid}`, {
        version: draft.version,
      }),
    ).invoice
  }
  /** The same, paid by transfer. */
  async function mixed() {
    const invoice = await mixedInvoice()
    const { payment } = ok(
      await p.byHand({ amountCents: 105_000, allocations: [{ invoiceGuid: invoice.guid, cents: 105_000 }] }),
      201,
    )
    const [panels, permit] = invoice.lines.map((line) => line.guid)
    return { invoice, paymentGuid: payment.guid, panels, permit }
  }
  const noteOf = async (guid: string | undefined) =>
    ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'GET', `/Invoices/${guid}`)).invoice
  const linesOf = async (guid: string | undefined) =>
    (await noteOf(guid)).lines.map((l) => [l.gstCode, l.totalCents, l.gstCents])

  test('is the line that is named: a permit without GST gives back no GST', async () => {
    const { invoice, paymentGuid, panels, permit } = await mixed()
    const first = ok(
      await p.refund({ paymentGuid, amountCents: 50_000, lines: [{ lineGuid: permit, cents: 50_000 }] }),
      201,
    )
    expect(first.refund.gstCents).toBe(0)
    expect(await linesOf(first.adjustmentNote?.guid)).toEqual([['FREE', 50_000, 0]])
    expect((await noteOf(first.adjustmentNote?.guid)).isTaxInvoice).toBe(false)
    const over = await p.refund({ paymentGuid, amountCents: 1_000, lines: [{ lineGuid: permit, cents: 1_000 }] })
    expect([over.status, over.errors]).toEqual([
      422,
      [{ path: 'lines.0.cents', message: 'Enter $0.00 or less. The rest is already refunded.' }],
    ])
    expect(
      (await p.refund({ paymentGuid, amountCents: 1_000, lines: [{ lineGuid: panels, cents: 999 }] })).errors,
    ).toEqual([{ path: 'lines', message: 'Make the lines add up to $10.00.' }])
    const rest = ok(await p.refund({ paymentGuid, amountCents: 55_000 }), 201)
    expect(await linesOf(rest.adjustmentNote?.guid)).toEqual([['GST', 55_000, 5_000]])
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'refunded', balanceCents: 0 })
  })

  test('is not given back twice while a refund of it is on its way', async () => {
    const issued = await mixedInvoice()
    const paid = ok(await p.pay(issued.serviceGuid ?? '', 105_000), 201).payment
    const [payment] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [paid.guid])
    const permit = [{ lineGuid: issued.lines[1]?.guid, cents: 30_000 }]
    await p.tell('latency', { ms: shortPatienceMs + 500 })
    expect(
      ok(await p.refund({ paymentGuid: payment?.guid, amountCents: 30_000, lines: permit }), 201).refund.status,
    ).toBe('processing')
    await p.tell('latency', { ms: 0 })
    const again = await p.refund({ paymentGuid: payment?.guid, amountCents: 30_000, lines: permit })
    expect([again.status, again.errors[0]?.message]).toEqual([
      422,
      'Enter $200.00 or less. The rest is already refunded.',
    ])
    await expect.poll(async () => (await p.charges(issued.number ?? ''))[0]?.refundedCents).toBe(30_000)
    p.clock.aheadMs = 60_000
    await settleOpen(p.system())
    p.clock.aheadMs = 0
    expect((await p.standing(issued.guid)).creditedCents).toBe(30_000)
  })

  test('is of every kind by proportion when nobody says, and the last note takes the rest', async () => {
    const { paymentGuid } = await mixed()
    const notes: Awaited<ReturnType<typeof linesOf>>[] = []
    for (const amountCents of [10_001, 33_333, 61_666])
      notes.push(await linesOf(ok(await p.refund({ paymentGuid, amountCents }), 201).adjustmentNote?.guid))
    expect(notes[0]).toEqual([
      ['GST', 5_239, 476],
      ['FREE', 4_762, 0],
    ])
    const sum = (code: string, column: 1 | 2) =>
      notes
        .flat()
        .filter((l) => l[0] === code)
        .reduce((total, l) => total + Number(l[column]), 0)
    expect([sum('GST', 1), sum('GST', 2), sum('FREE', 1), sum('FREE', 2)]).toEqual([55_000, 5_000, 50_000, 0])
  })

  test('is refused before any money moves when the note would break the rules of tax invoices', async () => {
    const { paymentGuid, permit } = await mixed()
    const abn = async (value: string | null) => p.app.deps.db.updateTable('businesses').set({ abn: value }).execute()
    await abn(null)
    const refused = await p.refund({ paymentGuid, amountCents: 11_000 })
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'business.abn', message: 'A tax invoice must show your ABN. Add it in the business settings.' }],
    ])
    expect((await p.payment(paymentGuid)).refundedCents).toBe(0)
    ok(await p.refund({ paymentGuid, amountCents: 1_000, lines: [{ lineGuid: permit, cents: 1_000 }] }), 201)
    await abn('53004085616')
    // What was taxed once is adjusted with its GST, also after the business has left the GST.
    await p.app.deps.db.updateTable('businesses').set({ gstRegistered: false }).execute()
    const left = ok(await p.refund({ paymentGuid, amountCents: 104_000 }), 201)
    await p.app.deps.db.updateTable('businesses').set({ gstRegistered: true }).execute()
    expect(await noteOf(left.adjustmentNote?.guid)).toMatchObject({ isTaxInvoice: true, totals: { gstCents: 5_000 } })
  })

  test('is nothing of the invoice when it was paid twice: it owes the money again', async () => {
    const { invoice, paymentGuid } = await paidByCard(110_000)
    const lowered = ok(await p.refund({ paymentGuid, amountCents: 20_000, reasonCode: 'price_adjustment' }), 201)
    expect(lowered.adjustmentNote?.label).toMatch(/^ADJ-/)
    expect(await p.standing(invoice.guid)).toMatchObject({ creditedCents: 20_000, balanceCents: 0 })
    expect(
      (
        await p.refund({
          paymentGuid,
          amountCents: 20_000,
          reasonCode: 'duplicate',
          lines: [{ lineGuid: randomUUID(), cents: 20_000 }],
        })
      ).errors[0]?.path,
    ).toBe('lines')
    const twice = ok(await p.refund({ paymentGuid, amountCents: 20_000, reasonCode: 'duplicate' }), 201)
    expect([twice.adjustmentNote, twice.refund.gstCents]).toEqual([null, 0])
    expect(await p.standing(invoice.guid)).toMatchObject({
      creditedCents: 20_000,
      paidCents: 90_000,
      refundedCents: 20_000,
      balanceCents: 20_000,
    })
  })
})

describe('many at once', () => {
  test.each([
    ['to the card', paidByCard],
    ['by hand', paidByHand],
  ])('fifty refunds of sixty per cent %s make one', async (_, paid) => {
    const { invoice, paymentGuid } = await paid()
    expect(tally(await times(50, () => p.refund({ paymentGuid, amountCents: 6_600 })))).toEqual({
      '201': 1,
      '409 REFUND_EXCEEDED': 49,
    })
    expect(await p.standing(invoice.guid)).toMatchObject({
      refundedCents: 6_600,
      creditedCents: 6_600,
      balanceCents: 0,
    })
    expect(await p.rows(`select 1 from invoices where adjusts_invoice_guid = $1`, [invoice.guid])).toHaveLength(1)
  })

  test('the same request ten times is one refund and one answer', async () => {
    const { invoice, paymentGuid } = await paidByCard()
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await times(10, () => p.refund({ paymentGuid, amountCents: 2_000 }, headers))
    expect(tally(answers)).toEqual({ '201': 10 })
    expect(new Set(answers.map((a) => a.data.refund.guid)).size).toBe(1)
    expect((await p.charges(invoice.number))[0]?.refundedCents).toBe(2_000)
  })
})

test('the same request, sent again after the process that took it died, is one refund', async () => {
  const { invoice, paymentGuid } = await paidByCard()
  const key = randomUUID()
  const first = ok(await p.refund({ paymentGuid, amountCents: 2_000 }, { 'idempotency-key': key }), 201)
  await p.forsake(key)
  expect(ok(await p.refund({ paymentGuid, amountCents: 2_000 }, { 'idempotency-key': key }), 201)).toEqual(first)
  expect((await p.charges(invoice.number))[0]?.refundedCents).toBe(2_000)
  expect(await p.standing(invoice.guid)).toMatchObject({ refundedCents: 2_000 })
})

describe('when the provider does not answer', () => {
  test('the refund is processing, holds its money, and is settled by its key', async () => {
    const { invoice, paymentGuid } = await paidByCard()
    // The request arrives and the answer is lost.
    await p.tell('latency', { ms: shortPatienceMs + 500 })
    const { refund, adjustmentNote } = ok(await p.refund({ paymentGuid, amountCents: 6_000 }), 201)
    await p.tell('latency', { ms: 0 })
    expect([refund.status, refund.number, adjustmentNote]).toEqual(['processing', null, null])
    expect(await p.refund({ paymentGuid, amountCents: 6_000 })).toMatchObject({ status: 409, error: 'REFUND_EXCEEDED' })
    await expect.poll(async () => (await p.charges(invoice.number))[0]?.refundedCents).toBe(6_000)
    p.clock.aheadMs = 60_000
    await Promise.all([settleOpen(p.system()), settleOpen(p.system())])
    expect(await p.standing(invoice.guid)).toMatchObject({
      refundedCents: 6_000,
      creditedCents: 6_000,
      balanceCents: 0,
    })
    expect((await p.payment(paymentGuid)).refunds).toHaveLength(1)
  })

  test('one that never arrived is given up after five minutes, and can be made again', async () => {
    const { invoice, paymentGuid } = await paidByCard()
    await p.tell('latency', { isFailing: true })
    expect(ok(await p.refund({ paymentGuid, amountCents: 11_000 }), 201).refund.status).toBe('processing')
    await p.tell('latency', { isFailing: false })
    p.clock.aheadMs = 6 * 60_000
    await settleOpen(p.system())
    p.clock.aheadMs = 0
    expect(ok(await p.refund({ paymentGuid, amountCents: 11_000 }), 201).refund.status).toBe('succeeded')
    expect((await p.charges(invoice.number))[0]?.refundedCents).toBe(11_000)
  })

  test('a refund that the provider refuses is told, and nothing is booked', async () => {
    const { invoice, paymentGuid } = await paidByCard()
    const [charge] = await p.charges(invoice.number)
    await p.provider.refund({
      providerPaymentId: charge?.providerPaymentId ?? '',
      amountCents: 11_000,
      idempotencyKey: randomUUID(),
    })
    const answer = await p.refund({ paymentGuid, amountCents: 11_000 })
    expect(answer).toMatchObject({ status: 409, error: 'CONFLICT' })
    expect(answer.message).toContain('The refund was refused')
    expect(await p.standing(invoice.guid)).toMatchObject({ refundedCents: 0, paymentStatus: 'paid' })
  })
})

test('an invoice that money was received on cannot be voided', async () => {
  const { invoice } = await paidByCard()
  expect(
    await p.app.call(p.actors.office, 'POST', `/Invoices/Void/${invoice.guid}`, {
      version: invoice.version,
      reason: 'no',
    }),
  ).toMatchObject({ status: 409 })
})

test('after all of it the books agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
})
