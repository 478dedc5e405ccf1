import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../contract/journal-entries.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { cards, type PaymentFacts, type Paying, startPaying, tally, times } from '../../test/support/paying.ts'

interface Credit {
  allocations: { paymentGuid: string; invoiceGuid: string; invoiceNumber: string; cents: number }[]
  leftCents: number
}

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
})
afterAll(() => p.stop())

const post = <D = { payment: PaymentFacts }>(path: string, body: object, who = p.actors.accountant) =>
  p.app.call<D>(who, 'POST', path, body, { 'idempotency-key': randomUUID() })
const allocate = (guid: string, invoiceGuid: string, cents: number, on?: string) =>
  post(`/Payments/Allocate/${guid}`, { allocations: [{ invoiceGuid, cents }], ...(on ? { on } : {}) })
const unallocate = (guid: string, allocationGuid: string | undefined, cents?: number) =>
  post(`/Payments/Unallocate/${guid}`, { allocationGuid, ...(cents ? { cents } : {}) })
const reverse = (guid: string, body: object = {}) =>
  post(`/Payments/Reverse/${guid}`, { reason: 'dishonoured', on: today, ...body })
const apply = (guid: string, body: object = {}) => post<Credit>(`/Customers/Credit/Apply/${guid}`, body)
/** Money of a customer that pays nothing yet. */
const aCredit = async (amountCents: number, customerGuid = p.customer.guid, receivedOn = today) =>
  ok(await p.byHand({ amountCents, customerGuid, receivedOn, allocations: [] }), 201).payment
/** Money that paid one invoice. */
const paidFor = async (invoiceGuid: string, cents: number, amountCents = cents) =>
  ok(await p.byHand({ amountCents, receivedOn: today, allocations: [{ invoiceGuid, cents }] }), 201).payment
const said = (answer: { status: number; message: string; errors: { path: string; message: string }[] }) => [
  answer.status,
  answer.errors[0]?.message ?? answer.message,
]
const linesOf = (source: string, sourceGuid: string) =>
  p.rows(
    `select l.account, l.debit_cents::int as debit, l.credit_cents::int as credit, e.posted_on::text as day
      from journal_entries e join journal_lines l on l.entry_guid = e.guid
      where e.source = $1 and e.source_guid = $2 order by l.position`,
    [source, sourceGuid],
  )
const owing = async (guid: string) => (await p.standing(guid)).balanceCents

describe('credit', () => {
  test('pays an invoice later, on its own day and never twice', async () => {
    const [invoice, credit] = [await p.invoice(11_000), await aCredit(8_000)]
    const { payment } = ok(await allocate(credit.guid, invoice.guid, 5_000))
    expect(payment).toMatchObject({ unallocatedCents: 3_000, allocations: [{ cents: 5_000, effectiveOn: today }] })
    expect(await owing(invoice.guid)).toBe(6_000)
    expect(await linesOf('allocation', payment.allocations[0]?.guid ?? '')).toEqual([
      { account: '2300', debit: 5_000, credit: 0, day: today },
      { account: '1100', debit: 0, credit: 5_000, day: today },
    ])
    expect(said(await allocate(credit.guid, invoice.guid, 3_001))).toEqual([422, 'Up to $30.00 can be allocated.'])
    ok(await allocate(credit.guid, invoice.guid, 3_000))
    expect(await owing(invoice.guid)).toBe(3_000)
    expect(said(await allocate(credit.guid, invoice.guid, 1))).toEqual([422, 'Up to $0.00 can be allocated.'])
  })

  test('pays nothing of another customer, nothing twice, and nothing tomorrow', async () => {
    const other = await aCustomer(p.app, p.actors.office, { displayName: 'Somebody else' })
    const [own, theirs] = [await p.invoice(5_000), await p.invoice(5_000, other.guid)]
    const credit = await aCredit(9_000)
    expect(said(await allocate(credit.guid, theirs.guid, 100))).toEqual([422, 'This belongs to another customer.'])
    expect(said(await allocate(credit.guid, own.guid, 5_001))[1]).toBe('Enter $50.00 or less, the balance owing.')
    expect(said(await allocate(credit.guid, own.guid, 100, '2999-01-01'))).toEqual([
      422,
      'Choose today or an earlier date.',
    ])
    expect(said(await allocate(credit.guid, randomUUID(), 100))).toEqual([422, 'We can’t find that invoice.'])
    expect((await allocate(randomUUID(), own.guid, 100)).status).toBe(404)
    expect((await post(`/Payments/Allocate/${credit.guid}`, { allocations: [] })).status).toBe(422)
  })

  test('money that came before the invoice was issued is credit until then', async () => {
    const invoice = await p.invoice(5_000)
    const { payment } = ok(
      await p.byHand({
        amountCents: 5_000,
        receivedOn: '2026-01-15',
        allocations: [{ invoiceGuid: invoice.guid, cents: 5_000 }],
      }),
      201,
    )
    const [allocation] = payment.allocations
    expect(allocation?.effectiveOn).toBe(today)
    expect(await linesOf('payment', payment.guid)).toEqual([
      { account: '1000', debit: 5_000, credit: 0, day: '2026-01-15' },
      { account: '2300', debit: 0, credit: 5_000, day: '2026-01-15' },
    ])
    expect(await linesOf('allocation', allocation?.guid ?? '')).toHaveLength(2)
  })

  test('of a customer pays the oldest due first, and says so before', async () => {
    const customer = await aCustomer(p.app, p.actors.office, { displayName: 'Two debts' })
    expect(said(await apply(customer.guid))).toEqual([409, 'There is no credit to apply.'])
    const old = await aCredit(3_000, customer.guid, '2026-01-15')
    expect(said(await apply(customer.guid))).toEqual([409, 'Nothing is owing.'])
    const [first, second] = [await p.invoice(4_000, customer.guid), await p.invoice(4_000, customer.guid)]
    const young = await aCredit(6_500, customer.guid)
    const expected = {
      allocations: [
        { paymentGuid: old.guid, invoiceGuid: first.guid, invoiceNumber: first.number, cents: 3_000 },
        { paymentGuid: young.guid, invoiceGuid: first.guid, invoiceNumber: first.number, cents: 1_000 },
        { paymentGuid: young.guid, invoiceGuid: second.guid, invoiceNumber: second.number, cents: 4_000 },
      ],
      leftCents: 1_500,
    }
    expect(ok(await apply(customer.guid, { dryRun: true }))).toMatchObject(expected)
    expect(await owing(first.guid)).toBe(4_000)
    expect(ok(await apply(customer.guid))).toMatchObject(expected)
    expect([await owing(first.guid), await owing(second.guid)]).toEqual([0, 0])
    expect((await p.payment(young.guid)).unallocatedCents).toBe(1_500)
  })

  test('used by twelve at once is used once', async () => {
    const [invoice, credit] = [await p.invoice(12_000), await aCredit(1_000)]
    const answers = await times(12, () => allocate(credit.guid, invoice.guid, 1_000))
    expect(tally(answers)).toEqual({ '200': 1, '422 VALIDATION_FAILED': 11 })
    expect(await owing(invoice.guid)).toBe(11_000)
  })
})

describe('a payment taken off an invoice', () => {
  test('is credit again, as a whole or in part', async () => {
    const invoice = await p.invoice(10_000)
    const paid = await paidFor(invoice.guid, 10_000)
    const part = ok(await unallocate(paid.guid, paid.allocations[0]?.guid, 4_000)).payment
    expect(part).toMatchObject({ unallocatedCents: 4_000, allocations: [{ cents: 6_000, effectiveOn: today }] })
    expect(await owing(invoice.guid)).toBe(4_000)
    const whole = ok(await unallocate(paid.guid, part.allocations[0]?.guid)).payment
    expect(whole).toMatchObject({ unallocatedCents: 10_000, allocations: [] })
    expect(await owing(invoice.guid)).toBe(10_000)
    expect(said(await unallocate(paid.guid, part.allocations[0]?.guid))).toEqual([
      422,
      'This is already taken off the invoice.',
    ])
  })

  test('keeps to what was refunded, and to what it paid', async () => {
    const invoice = await p.invoice(10_000)
    const paid = await paidFor(invoice.guid, 10_000)
    expect(said(await unallocate(paid.guid, paid.allocations[0]?.guid, 10_001))).toEqual([
      422,
      'Enter $100.00 or less.',
    ])
    ok(await p.refund({ paymentGuid: paid.guid, amountCents: 100 }), 201)
    expect(said(await unallocate(paid.guid, paid.allocations[0]?.guid, 9_901))[1]).toBe(
      'Enter $99.00 or less. The rest is already refunded.',
    )
    const part = ok(await unallocate(paid.guid, paid.allocations[0]?.guid, 3_000)).payment
    expect(part).toMatchObject({ unallocatedCents: 3_000, allocations: [{ cents: 7_000, refundableCents: 6_900 }] })
    const whole = ok(await unallocate(paid.guid, part.allocations[0]?.guid)).payment
    expect(whole).toMatchObject({ unallocatedCents: 9_900, allocations: [{ cents: 100, refundableCents: 0 }] })
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 100, refundedCents: 100, balanceCents: 9_900 })
    expect(said(await unallocate(paid.guid, whole.allocations[0]?.guid))).toEqual([
      409,
      `What this payment paid of invoice ${invoice.number} was refunded, so it can’t be taken off.`,
    ])
  })

  test('counts refunds once where it pays an invoice in two parts', async () => {
    const invoice = await p.invoice(10_000)
    const credit = await aCredit(10_000)
    ok(await allocate(credit.guid, invoice.guid, 6_000))
    ok(await allocate(credit.guid, invoice.guid, 4_000))
    ok(await p.refund({ paymentGuid: credit.guid, invoiceGuid: invoice.guid, amountCents: 7_000 }), 201)
    const { allocations } = await p.payment(credit.guid)
    expect(allocations.map((one) => one.refundableCents)).toEqual([0, 3_000])
  })
})

describe('a payment that was none', () => {
  test('is reversed on its day: what it paid is owed again, without an adjustment note', async () => {
    const [a, b] = [await p.invoice(4_000), await p.invoice(6_000)]
    const allocations = [
      { invoiceGuid: a.guid, cents: 4_000 },
      { invoiceGuid: b.guid, cents: 5_000 },
    ]
    const { payment } = ok(await p.byHand({ amountCents: 9_500, receivedOn: today, allocations }), 201)
    const after = ok(await reverse(payment.guid, { note: 'Cheque bounced' })).payment
    expect(after).toMatchObject({
      status: 'reversed',
      reversedOn: today,
      unallocatedCents: 0,
      refundedCents: 0,
      allocations: [],
      reversal: {
        ...{ reason: 'dishonoured', note: 'Cheque bounced' },
        takenOff: [
          { invoiceGuid: a.guid, invoiceNumber: a.number, cents: 4_000, on: today },
          { invoiceGuid: b.guid, invoiceNumber: b.number, cents: 5_000, on: today },
        ],
      },
    })
    expect([await owing(a.guid), await owing(b.guid)]).toEqual([4_000, 6_000])
    const [row] = await p.rows<{ guid: string }>(`select guid from payment_reversals where payment_guid = $1`, [
      payment.guid,
    ])
    expect(await linesOf('payment_reversal', row?.guid ?? '')).toEqual([
      { account: '2300', debit: 9_500, credit: 0, day: today },
      { account: '1000', debit: 0, credit: 9_500, day: today },
    ])
    expect(await p.rows(`select 1 from invoices where adjusts_invoice_guid = any($1)`, [[a.guid, b.guid]])).toEqual([])
    expect(said(await reverse(payment.guid))).toEqual([409, 'This payment is already reversed.'])
    expect(said(await allocate(payment.guid, a.guid, 1))).toEqual([409, 'This payment is already reversed.'])
    expect(said(await p.refund({ paymentGuid: payment.guid, amountCents: 1 }))).toEqual([
      409,
      'This payment was reversed, so nothing of it can be refunded.',
    ])
    const again = await paidFor(a.guid, 4_000)
    expect(again.status).toBe('succeeded')
  })

  test('stays where money went back, where it came by card, and before it came', async () => {
    const [invoice, other] = [await p.invoice(10_000), await p.invoice(10_000)]
    const paid = await paidFor(invoice.guid, 10_000)
    const [tooEarly, tooLate] = [
      await reverse(paid.guid, { on: '2026-01-15' }),
      await reverse(paid.guid, { on: '2999-01-01' }),
    ]
    expect(said(tooEarly)).toEqual([422, 'Choose the day the payment was received, or later.'])
    expect(said(tooLate)).toEqual([422, 'Choose today or an earlier date.'])
    ok(await p.refund({ paymentGuid: paid.guid, amountCents: 100, reasonCode: 'duplicate' }), 201)
    expect(said(await reverse(paid.guid))).toEqual([
      409,
      'Refunds were made from this payment, so it can’t be reversed.',
    ])
    ok(await p.pay(other.link, 10_000, cards.good), 201)
    const [card] = await p.rows<{ guid: string }>(
      `select p.guid from payments p join payment_allocations a on a.payment_guid = p.guid where a.invoice_guid = $1`,
      [other.guid],
    )
    expect(said(await reverse(card?.guid ?? ''))).toEqual([
      409,
      'A card payment can only be reversed when the bank took it back. Refund it instead.',
    ])
    expect(ok(await reverse(card?.guid ?? '', { reason: 'disputed' })).payment.status).toBe('reversed')
    expect(await owing(other.guid)).toBe(10_000)
  })

  test('opens an invoice again of which the rest was written off', async () => {
    const invoice = await p.invoice(10_000)
    const paid = await paidFor(invoice.guid, 9_000)
    const { version } = ok(
      await p.app.call<{ invoice: { version: number } }>(p.actors.accountant, 'GET', `/Invoices/${invoice.guid}`),
    ).invoice
    ok(
      await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${invoice.guid}`, {
        version,
        reasonCode: 'bad_debt',
      }),
    )
    ok(await reverse(paid.guid))
    expect(await p.standing(invoice.guid)).toMatchObject({ status: 'issued', balanceCents: 9_000 })
  })

  test('reversed, refunded and used by many at once ends in one way', async () => {
    const invoice = await p.invoice(10_000)
    const paid = await paidFor(invoice.guid, 10_000)
    const [reversals, refunds, taken] = await Promise.all([
      times(4, () => reverse(paid.guid)),
      times(4, () => p.refund({ paymentGuid: paid.guid, amountCents: 10_000, reasonCode: 'duplicate' })),
      times(4, () => unallocate(paid.guid, paid.allocations[0]?.guid)),
    ])
    const answers = [...reversals, ...refunds, ...taken]
    expect(answers.filter((answer) => answer.status >= 500)).toEqual([])
    expect([...reversals, ...refunds].filter((answer) => answer.status < 300)).toHaveLength(1)
    expect(await owing(invoice.guid)).toBe(10_000)
  })
})

test('who may not record payments neither moves nor reverses them', async () => {
  const [invoice, credit] = [await p.invoice(5_000), await aCredit(5_000)]
  const body = { allocations: [{ invoiceGuid: invoice.guid, cents: 100 }] }
  expect((await post(`/Payments/Allocate/${credit.guid}`, body, p.actors.field)).status).toBe(403)
  const answer = await post(`/Payments/Reverse/${credit.guid}`, { reason: 'wrong_entry', on: today }, p.actors.field)
  expect(answer.status).toBe(403)
})

test('after all of it the books agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
  const aged = ok(
    await p.app.call<{ agrees: boolean; totals: { creditCents: number } }>(
      p.actors.accountant,
      'GET',
      `/Journal/AgedReceivables?on=${today}`,
    ),
  )
  expect(aged.agrees).toBe(true)
  const early = ok(
    await p.app.call<{ agrees: boolean }>(p.actors.accountant, 'GET', '/Journal/AgedReceivables?on=2026-02-01'),
  )
  expect(early.agrees).toBe(true)
})

test('the journal says by day what entries follow, and why a payment was taken back', async () => {
  const customerGuid = (await aCustomer(p.app, p.actors.office, { displayName: 'Bounced' })).guid
  const { payment } = ok(await p.byHand({ customerGuid, receivedOn: today, amountCents: 4321, allocations: [] }), 201)
  ok(await post(`/Payments/Reverse/${payment.guid}`, { reason: 'dishonoured', on: today, note: 'No funds' }))
  const journal = async (query: string) =>
    ok(await p.app.call<{ items: JournalEntry[] }>(p.actors.accountant, 'GET', `/Dev/BankingJournals?${query}`)).items
  const [back, money] = await journal(`search=${payment.number}`)
  const why = { reasonCode: 'dishonoured', reason: 'No funds' }
  const document = { noun: 'Payments', guid: payment.guid, number: payment.number }
  expect(back).toMatchObject({ source: 'payment_reversal', document, reverses: { number: money?.number, ...why } })
  expect(money).toMatchObject({
    ...{ source: 'payment', document, isReversible: false, reverses: null },
    reversedBy: { number: back?.number, on: today, ...why },
    lines: [{ account: '1000', accountRole: 'bank' }, { accountRole: 'customerCredit' }],
  })
  const all = await journal('size=100')
  const inOrder = all.toSorted((a, b) => b.postedOn.localeCompare(a.postedOn) || b.number - a.number)
  expect(all.map(({ number }) => number)).toEqual(inOrder.map(({ number }) => number))
  const [first, second] = [await journal('size=3'), await journal('size=3&page=2')]
  expect([...first, ...second].map(({ guid }) => guid)).toEqual(all.slice(0, 6).map(({ guid }) => guid))
  const ofSources = await journal('source=payment_reversal,payment&size=100')
  expect(ofSources).toEqual(all.filter(({ source }) => source === 'payment_reversal' || source === 'payment'))
  expect(ofSources.length).toBeGreaterThan(1)
})
