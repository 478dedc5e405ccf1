import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn } from '../../test/support/actors.ts'
import { aCustomer, aSecondApp, ok } from '../../test/support/factories.ts'
import {
  cards,
  type PaidAnswer,
  type PaymentFacts,
  type Paying,
  startPaying,
  tally,
  times,
} from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying()))
afterAll(() => p.stop())

describe('money that came by transfer, cash or cheque', () => {
  test('pays several invoices of a customer; the rest is his credit', async () => {
    const [a, b] = [await p.invoice(4_000), await p.invoice(6_000)]
    const { payment } = ok(
      await p.byHand({
        amountCents: 9_500,
        receivedOn: await p.today(),
        reference: 'INV 1 and 2',
        allocations: [
          { invoiceGuid: b.guid, cents: 5_000 },
          { invoiceGuid: a.guid, cents: 4_000 },
        ],
      }),
      201,
    )
    expect(payment).toMatchObject({
      method: 'bank_transfer',
      status: 'succeeded',
      amountCents: 9_500,
      unallocatedCents: 500,
    })
    expect(await p.standing(a.guid)).toMatchObject({ paymentStatus: 'paid', balanceCents: 0 })
    expect(await p.standing(b.guid)).toMatchObject({ paymentStatus: 'partially_paid', balanceCents: 1_000 })
    const lines = await p.rows(
      `select l.account, l.debit_cents::int as debit, l.credit_cents::int as credit from journal_entries e
        join journal_lines l on l.entry_guid = e.guid where e.source_guid = $1 order by l.position`,
      [payment.guid],
    )
    expect(lines).toEqual([
      { account: '1000', debit: 9_500, credit: 0 },
      { account: '1100', debit: 0, credit: 9_000 },
      { account: '2300', debit: 0, credit: 500 },
    ])
    const journals = ok(
      await p.app.call<{ items: { narrative: string; lines: { accountName: string }[] }[] }>(
        p.actors.administrator,
        'GET',
        '/Dev/BankingJournals?size=10',
      ),
    ).items
    expect(journals.find((j) => j.narrative === `Payment ${payment.number}`)?.lines.map((l) => l.accountName)).toEqual([
      'Bank',
      'Accounts receivable',
      'Customer credit (unallocated)',
    ])
    const credit = ok(
      await p.app.call<{ customer: { money: { unallocatedCents: number } } }>(
        p.actors.office,
        'GET',
        `/Customers/${p.customer.guid}`,
      ),
    ).customer.money.unallocatedCents
    expect(credit).toBe(500)
    await p.tellAll()
    const [receipt] = await p.rows<{ body: string }>(`select body_text as body from messages where owner_guid = $1`, [
      payment.guid,
    ])
    expect(receipt?.body).toContain('$5.00 is kept as credit for you.')
  })

  test('is refused where the figures or the invoices do not fit', async () => {
    const [mine, draftGuid] = [await p.invoice(4_000), await aDraft()]
    const stranger = await p.invoice(
      4_000,
      (await aCustomer(p.app, p.actors.office, { displayName: 'Somebody else' })).guid,
    )
    const allocate = (...list: [string, number][]) => list.map(([invoiceGuid, cents]) => ({ invoiceGuid, cents }))
    const cases: [Record<string, unknown>, number, string, string][] = [
      [{ amountCents: 3_000, allocations: allocate([mine.guid, 3_001]) }, 422, 'VALIDATION_FAILED', 'allocations'],
      [
        { amountCents: 5_000, allocations: allocate([mine.guid, 4_001]) },
        409,
        'BALANCE_EXCEEDED',
        'allocations.0.cents',
      ],
      [
        { amountCents: 8_000, allocations: allocate([mine.guid, 4_000], [stranger.guid, 4_000]) },
        422,
        'VALIDATION_FAILED',
        'allocations.1.invoiceGuid',
      ],
      [
        { amountCents: 8_000, allocations: allocate([mine.guid, 2_000], [mine.guid, 2_000]) },
        422,
        'VALIDATION_FAILED',
        'allocations.1.invoiceGuid',
      ],
      [
        { amountCents: 8_000, allocations: allocate([randomUUID(), 2_000]) },
        422,
        'VALIDATION_FAILED',
        'allocations.0.invoiceGuid',
      ],
      [
        { amountCents: 4_000, receivedOn: '2999-01-01', allocations: allocate([mine.guid, 4_000]) },
        422,
        'VALIDATION_FAILED',
        'receivedOn',
      ],
      [
        { amountCents: 4_000, method: 'card', allocations: allocate([mine.guid, 4_000]) },
        422,
        'VALIDATION_FAILED',
        'method',
      ],
      [{ amountCents: 0, allocations: allocate([mine.guid, 4_000]) }, 422, 'VALIDATION_FAILED', 'amountCents'],
      [{ amountCents: 4_000.5, allocations: allocate([mine.guid, 4_000]) }, 422, 'VALIDATION_FAILED', 'amountCents'],
    ]
    for (const [body, status, error, path] of cases) {
      const answer = await p.byHand(body)
      expect([answer.status, answer.error, answer.errors[0]?.path]).toEqual([status, error, path])
    }
    expect(await p.byHand({ amountCents: 4_000, allocations: allocate([draftGuid, 4_000]) })).toMatchObject({
      status: 409,
      error: 'INVALID_TRANSITION',
      message: 'Issue the invoice before recording a payment.',
    })
    expect(await p.standing(mine.guid)).toMatchObject({ paidCents: 0 })
  })

  test('is recorded once for the same key, and only by those who may', async () => {
    const invoice = await p.invoice(4_000)
    const body = { amountCents: 1_000, allocations: [{ invoiceGuid: invoice.guid, cents: 1_000 }] }
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await times(10, () => p.byHand(body, headers))
    expect(tally(answers)).toEqual({ '201': 10 })
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 1_000 })
    const whole = { method: 'cash', receivedOn: '2026-01-15', ...body }
    for (const who of [p.actors.sales, p.actors.readOnly, p.actors.field, p.actors.guest])
      expect((await p.app.call(who, 'POST', '/Payments', whole, keyed())).status).toBe(403)
    expect((await p.app.call(null, 'POST', '/Payments', whole)).status).toBe(401)
    const keyless = await p.app.call(p.actors.accountant, 'POST', '/Payments', whole)
    expect([keyless.status, keyless.error]).toEqual([400, 'IDEMPOTENCY_REQUIRED'])
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 1_000 })
  })

  test('is kept as credit as a whole when no invoice is named, of a day the business knows', async () => {
    const { guid: customerGuid } = await aCustomer(p.app, p.actors.office, { displayName: 'Paid ahead' })
    const credit = async () =>
      ok(
        await p.app.call<{ customer: { money: { unallocatedCents: number } } }>(
          p.actors.office,
          'GET',
          `/Customers/${customerGuid}`,
        ),
      ).customer.money.unallocatedCents
    const made = ok(await p.byHand({ customerGuid, amountCents: 7_000, allocations: [] }), 201).payment
    expect([made.unallocatedCents, made.allocations, await credit()]).toEqual([7_000, [], 7_000])
    expect((await p.byHand({ amountCents: 7_000, allocations: [] })).errors).toEqual([
      { path: 'customerGuid', message: 'This field is required.' },
    ])
    expect((await p.byHand({ customerGuid: randomUUID(), amountCents: 7_000, allocations: [] })).errors[0]?.path).toBe(
      'customerGuid',
    )
    const theirs = await p.invoice(4_000)
    expect(
      (await p.byHand({ customerGuid, amountCents: 4_000, allocations: [{ invoiceGuid: theirs.guid, cents: 4_000 }] }))
        .errors[0]?.path,
    ).toBe('allocations.0.invoiceGuid')
    // Half past midnight in Sydney is still the day before in UTC: the day of the business decides.
    p.clock.aheadMs = new Date('2030-01-14T13:30:00Z').getTime() - Date.now()
    const accountant = { headers: await logIn(p.app, p.actors.accountant.authId) }
    const on = (receivedOn: string) =>
      p.app.call(
        accountant,
        'POST',
        '/Payments',
        { customerGuid, method: 'cash', receivedOn, amountCents: 100, allocations: [] },
        keyed(),
      )
    expect((await on('2030-01-16')).errors).toEqual([
      { path: 'receivedOn', message: 'Choose today or an earlier date.' },
    ])
    ok(await on('2030-01-15'), 201)
    p.clock.aheadMs = 0
    expect(
      (await p.byHand({ customerGuid, receivedOn: '2020-06-30', amountCents: 100, allocations: [] })).errors,
    ).toEqual([{ path: 'receivedOn', message: 'Choose 2020-07-01 or later, when your books begin.' }])
  })

  test('leaves a customer without an address without a receipt, and is recorded all the same', async () => {
    const { guid } = await aCustomer(p.app, p.actors.office, { displayName: 'No mail', email: null })
    const invoice = await p.invoice(4_000, guid)
    const { payment } = ok(
      await p.byHand({ amountCents: 4_000, allocations: [{ invoiceGuid: invoice.guid, cents: 4_000 }] }),
      201,
    )
    await p.tellAll()
    expect(await p.rows(`select 1 from messages where owner_guid = $1`, [payment.guid])).toEqual([])
  })
})

async function aDraft(): Promise<string> {
  const body = { customerGuid: p.customer.guid, title: 'Draft', lines: [{ name: 'Panel', unitPriceCents: 4_000 }] }
  return ok(await p.app.call<{ invoice: { guid: string } }>(p.actors.office, 'POST', '/Invoices', body), 201).invoice
    .guid
}

describe('many at once', () => {
  test('fifty full payments of one invoice make one, through two processes of the product', async () => {
    const second = await aSecondApp(p.app)
    const invoice = await p.invoice(4_000)
    const body = {
      method: 'cash',
      receivedOn: '2026-01-15',
      amountCents: 4_000,
      allocations: [{ invoiceGuid: invoice.guid, cents: 4_000 }],
    }
    const statuses = await times(
      50,
      async (i) =>
        (await (i % 2 === 0 ? p.app : second).call(p.actors.accountant, 'POST', '/Payments', body, keyed())).status,
    )
    await second.close()
    expect([statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 409).length]).toEqual([1, 49])
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 4_000, balanceCents: 0 })
  })

  test('cards and money by hand together never exceed the balance', async () => {
    for (let round = 0; round < 5; round++) {
      const invoice = await p.invoice(4_000)
      const byHand = () => p.byHand({ amountCents: 4_000, allocations: [{ invoiceGuid: invoice.guid, cents: 4_000 }] })
      const answers = await times(20, (i): Promise<{ status: number; error: string | undefined }> =>
        i % 2 === 0 ? p.pay(invoice.link, 4_000) : byHand(),
      )
      expect(answers.filter((a) => a.status === 201)).toHaveLength(1)
      expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 4_000, balanceCents: 0 })
      expect(
        (await p.charges(invoice.number)).length +
          (
            await p.rows(
              `select 1 from payments p join payment_allocations a on a.payment_guid = p.guid
                where a.invoice_guid = $1 and p.provider is null`,
              [invoice.guid],
            )
          ).length,
      ).toBe(1)
    }
  })

  test('payments of several invoices in crossing order do not block each other for good', async () => {
    const invoices = await times(4, () => p.invoice(10_000))
    const answers = await times(24, (i) => {
      const order = i % 2 === 0 ? invoices : invoices.toReversed()
      return p.byHand({ amountCents: 400, allocations: order.map(({ guid }) => ({ invoiceGuid: guid, cents: 100 })) })
    })
    expect(tally(answers)).toEqual({ '201': 24 })
    for (const { guid } of invoices)
      expect(await p.standing(guid)).toMatchObject({ paidCents: 2_400, balanceCents: 7_600 })
  })

  test('the numbers of receipts have no gap, whatever was refused in between', async () => {
    const invoice = await p.invoice(9_000)
    await times(12, (i) =>
      p.byHand({
        amountCents: 1_000,
        allocations: [{ invoiceGuid: invoice.guid, cents: i % 2 === 0 ? 1_000 : 90_000 }],
      }),
    )
    const numbers = (
      await p.rows<{ n: number }>(`select substring(number from 3)::int as n from payments order by number`)
    ).map((r) => r.n)
    expect(numbers).toEqual(numbers.map((_, i) => 1001 + i))
  })
})

test('while a card payment is on its way nothing else is booked on the invoice, and it cannot be voided', async () => {
  const invoice = await p.invoice(4_000)
  ok(
    await p.app.call<PaidAnswer>(
      p.actors.guest,
      'POST',
      `/Service/Invoices/Pay/${invoice.link}`,
      { documentSha256: invoice.documentSha256, paymentMethodToken: await p.token(cards.secure), amountCents: 4_000 },
      keyed(),
    ),
    201,
  )
  expect(
    await p.byHand({ amountCents: 4_000, allocations: [{ invoiceGuid: invoice.guid, cents: 4_000 }] }),
  ).toMatchObject({
    status: 409,
    error: 'BALANCE_EXCEEDED',
    message: 'A payment for this invoice is already processing.',
  })
  expect(
    await p.app.call(p.actors.office, 'POST', `/Invoices/Void/${invoice.guid}`, {
      version: invoice.version,
      reason: 'no',
    }),
  ).toMatchObject({ status: 409 })
})

describe('the list of payments', () => {
  test('finds by number and reference, filters by method, customer and day, and goes on page by page', async () => {
    const invoice = await p.invoice(50_000)
    const add = async (facts: Record<string, unknown>): Promise<PaymentFacts> =>
      ok(await p.byHand({ amountCents: 100, allocations: [{ invoiceGuid: invoice.guid, cents: 100 }], ...facts }), 201)
        .payment
    const made = [
      await add({ reference: '100%_sure', method: 'cheque', receivedOn: '2025-02-01' }),
      await add({ method: 'cheque', receivedOn: '2025-02-02' }),
      await add({ method: 'cheque', receivedOn: '2025-02-03' }),
    ]
    const list = async (query: string) =>
      ok(
        await p.app.call<{
          items: { number: string; invoices: string; method: string }[]
          page: { total: { value: number }; next: string | null }
        }>(p.actors.accountant, 'GET', `/Payments?${query}`),
      )
    expect((await list('search=100%25_')).items.map((i) => i.number)).toEqual([made[0]?.number])
    expect((await list(`search=${made[1]?.number.toLowerCase()}`)).items[0]).toMatchObject({
      number: made[1]?.number,
      invoices: invoice.number,
    })
    expect((await list('method=cheque&sort=receivedOn')).items.map((i) => i.number)).toEqual(made.map((m) => m.number))
    expect((await list('receivedOn.gte=2025-02-02&receivedOn.lte=2025-02-02')).items).toHaveLength(1)
    expect((await list(`customerGuid=${randomUUID()}`)).items).toEqual([])
    const first = await list('method=cheque&size=2&sort=-amountCents')
    expect([first.items.length, first.page.total.value]).toEqual([2, 3])
    expect((await list(`method=cheque&size=2&sort=-amountCents&after=${first.page.next}`)).items).toHaveLength(1)
    const csv = await p.app.call(p.actors.accountant, 'GET', '/Payments/Export?method=cheque')
    expect(csv.body.split('\r\n').filter(Boolean)).toHaveLength(4)
    expect((await p.app.call(p.actors.accountant, 'GET', '/Payments?colour=red')).status).toBe(400)
  })
})

test('after all of it the books agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
})
