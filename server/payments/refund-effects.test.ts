import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RefundRequest } from '../../contract/refund-requests.ts'
import { type RefundBasis, refundOutcomes } from '../../contract/refund-effects.ts'
import { ok } from '../../test/support/factories.ts'
import { type InvoiceFacts, type Paying, shortPatienceMs, startPaying } from '../../test/support/paying.ts'
import { findDrift } from './payments.drift.ts'
import { settleOpen } from './payments.jobs.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying({}, shortPatienceMs)
  today = await p.today()
})
afterAll(() => p.stop())

interface Paid {
  invoice: InvoiceFacts
  paymentGuid: string
}
async function paidByCard(totalCents = 110_000): Promise<Paid> {
  const invoice = await p.invoice(totalCents)
  const { payment } = ok(await p.pay(invoice.link, totalCents), 201)
  const [row] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [payment.guid])
  return { invoice, paymentGuid: row?.guid ?? '' }
}
async function paidByHand(totalCents = 110_000): Promise<Paid> {
  const invoice = await p.invoice(totalCents)
  const allocations = [{ invoiceGuid: invoice.guid, cents: totalCents }]
  const { payment } = ok(await p.byHand({ amountCents: totalCents, receivedOn: today, allocations }), 201)
  return { invoice, paymentGuid: payment.guid }
}
const labels = async (basis = 'accrual') => {
  const { labels: told } = ok(
    await p.app.call<{ labels: { label: string; cents: number }[] }>(
      p.actors.accountant,
      'GET',
      `/Tax/Bas?from=${today}&to=${today}&basis=${basis}`,
    ),
  )
  const of = (label: string) => told.find((one) => one.label === label)?.cents ?? 0
  return { G1: of('G1'), '1A': of('1A') - of('1B') }
}
const moved = async (deed: () => Promise<unknown>, basis = 'accrual') => {
  const before = await labels(basis)
  await deed()
  const after = await labels(basis)
  return { G1: after.G1 - before.G1, '1A': after['1A'] - before['1A'] }
}
const basisOf = async ({ paymentGuid, invoice }: Paid) =>
  ok(
    await p.app.call<{ basis: RefundBasis }>(
      p.actors.accountant,
      'GET',
      `/Payments/Refunds/Basis/${paymentGuid}?invoiceGuid=${invoice.guid}`,
    ),
  ).basis
const journal = (source: string, number: string | null) =>
  p.rows(
    `select l.account, l.debit_cents::int as debit, l.credit_cents::int as credit from journal_entries e
      join journal_lines l on l.entry_guid = e.guid where e.source = $1 and e.narrative like $2 order by l.position`,
    [source, `%${number}%`],
  )

describe('of 1,100 dollars that were paid 110 go back', () => {
  test.each([
    ['by card', paidByCard, '1010'],
    ['by hand', paidByHand, '1000'],
  ])('%s, because the price is lowered: the GST falls and nothing is owing', async (_, paid, account) => {
    const one = await paid()
    const told = refundOutcomes(await basisOf(one), 11_000, null)
    const wish = { paymentGuid: one.paymentGuid, amountCents: 11_000, effect: 'price_reduced' }
    expect(told.price_reduced).toEqual({ gstCents: 1_000, owingCents: 0 })
    expect(
      await moved(async () => {
        const made = ok(await p.refund({ ...wish, reasonCode: 'duplicate' }), 201)
        expect(made).toMatchObject({ refund: { effect: 'price_reduced', gstCents: 1_000 } })
        expect(made.adjustmentNote?.label).toMatch(/^ADJ-/)
        expect(await journal('refund', made.refund.number)).toEqual([
          { account: '1100', debit: 11_000, credit: 0 },
          { account, debit: 0, credit: 11_000 },
        ])
      }),
    ).toEqual({ G1: -11_000, '1A': -1_000 })
    expect(await p.standing(one.invoice.guid)).toMatchObject({ creditedCents: 11_000, balanceCents: 0 })
  })

  test.each([
    ['by card', paidByCard, '1010'],
    ['by hand', paidByHand, '1000'],
  ])('%s, because it was paid by mistake: the GST stays and it is owing', async (_, paid, account) => {
    const one = await paid()
    const told = refundOutcomes(await basisOf(one), 11_000, null)
    expect(told.money_back).toEqual({ gstCents: 0, owingCents: 11_000 })
    const wish = { paymentGuid: one.paymentGuid, amountCents: 11_000, effect: 'money_back' }
    expect(
      await moved(async () => {
        const made = ok(await p.refund({ ...wish, reasonCode: 'goodwill' }), 201)
        expect(made).toMatchObject({
          refund: { status: 'succeeded', effect: 'money_back', gstCents: 0 },
          adjustmentNote: null,
          payment: { refundedCents: 11_000, unallocatedCents: 0, allocations: [{ cents: 99_000, effectiveOn: today }] },
        })
        expect(await journal('refund', made.refund.number)).toEqual([
          { account: '2300', debit: 11_000, credit: 0 },
          { account, debit: 0, credit: 11_000 },
        ])
        expect(made.payment.refunds).toMatchObject([{ reopens: { guid: one.invoice.guid, label: one.invoice.number } }])
      }),
    ).toEqual({ G1: 0, '1A': 0 })
    expect(await p.standing(one.invoice.guid)).toMatchObject({
      paidCents: 99_000,
      refundedCents: 0,
      balanceCents: 11_000,
      paymentStatus: 'partially_paid',
    })
  })

  test('on the cash basis the GST of the money goes with it, either way', async () => {
    for (const effect of ['price_reduced', 'money_back'] as const) {
      const one = await paidByHand()
      const told = refundOutcomes({ ...(await basisOf(one)), gstBasis: 'cash' }, 11_000, null)
      const deed = () => p.refund({ paymentGuid: one.paymentGuid, amountCents: 11_000, effect })
      expect(await moved(deed, 'cash')).toEqual({ G1: -11_000, '1A': -told[effect].gstCents })
      expect(told[effect].gstCents).toBe(1_000)
    }
  })
})

describe('what a refund does', () => {
  test.each([
    ['duplicate', 'money_back'],
    ['fraud', 'money_back'],
    ['deposit_return', 'money_back'],
    ['price_adjustment', 'price_reduced'],
    ['cancelled', 'price_reduced'],
  ])('follows its reason where nobody says: %s is %s', async (reasonCode, effect) => {
    const { paymentGuid, invoice } = await paidByHand(11_000)
    const made = ok(await p.refund({ paymentGuid, amountCents: 1_100, reasonCode }), 201)
    expect(made.refund).toMatchObject({ effect })
    expect((await p.standing(invoice.guid)).balanceCents).toBe(effect === 'money_back' ? 1_100 : 0)
  })

  test('one after the other on one payment, and the invoice can be paid again', async () => {
    const { paymentGuid, invoice } = await paidByHand()
    const wish = { paymentGuid, invoiceGuid: invoice.guid }
    ok(await p.refund({ ...wish, amountCents: 20_000, effect: 'price_reduced' }), 201)
    ok(await p.refund({ ...wish, amountCents: 30_000, effect: 'money_back' }), 201)
    ok(await p.refund({ ...wish, amountCents: 10_000, effect: 'price_reduced' }), 201)
    expect(await p.refund({ ...wish, amountCents: 50_001, effect: 'money_back' })).toMatchObject({
      status: 409,
      message: 'You can refund up to $500.00.',
    })
    ok(await p.refund({ ...wish, amountCents: 50_000, effect: 'money_back' }), 201)
    expect(await p.standing(invoice.guid)).toMatchObject({
      paidCents: 30_000,
      refundedCents: 30_000,
      creditedCents: 30_000,
      balanceCents: 80_000,
    })
    const again = { amountCents: 80_000, allocations: [{ invoiceGuid: invoice.guid, cents: 80_000 }] }
    ok(await p.byHand(again), 201)
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'partially_refunded', balanceCents: 0 })
  })

  test('is said for an invoice: no price is reduced of money that pays none', async () => {
    const { payment } = ok(await p.byHand({ amountCents: 5_000, customerGuid: p.customer.guid, allocations: [] }), 201)
    const wish = { paymentGuid: payment.guid, amountCents: 1_000 }
    expect(await p.refund({ ...wish, effect: 'price_reduced' })).toMatchObject({
      status: 422,
      errors: [{ path: 'effect' }],
    })
    expect(ok(await p.refund({ ...wish, effect: 'money_back' }), 201).payment.unallocatedCents).toBe(4_000)
    const { invoice, paymentGuid } = await paidByHand(4_000)
    const lines = [{ lineGuid: randomUUID(), cents: 100 }]
    expect((await p.refund({ paymentGuid, amountCents: 100, effect: 'money_back', lines })).errors[0]?.path).toBe(
      'lines',
    )
    expect((await p.refund({ paymentGuid, amountCents: 100, effect: 'both' })).errors[0]?.path).toBe('effect')
    const basis = `/Payments/Refunds/Basis/${payment.guid}?invoiceGuid=${invoice.guid}`
    expect((await p.app.call(p.actors.accountant, 'GET', basis)).status).toBe(404)
    expect((await p.app.call(p.actors.field, 'GET', basis)).status).toBe(403)
  })

  test('gives back what was too much of a payment for several invoices, without naming one', async () => {
    const invoices = await Promise.all([p.invoice(11_000), p.invoice(22_000)])
    const allocations = invoices.map(({ guid, totalCents }) => ({ invoiceGuid: guid, cents: totalCents }))
    const { payment } = ok(await p.byHand({ amountCents: 34_240, receivedOn: today, allocations }), 201)
    const wish = { paymentGuid: payment.guid, reasonCode: 'duplicate' }
    const unnamed = [{ path: 'invoiceGuid', message: 'Choose an invoice. This payment covers several.' }]
    expect((await p.refund({ ...wish, amountCents: 1_241 })).errors).toEqual(unnamed)
    expect((await p.refund({ ...wish, amountCents: 1_240, effect: 'price_reduced' })).errors).toEqual(unnamed)
    const back = ok(await p.refund({ ...wish, amountCents: 1_240 }), 201)
    expect(back).toMatchObject({
      refund: { status: 'succeeded', effect: 'money_back', gstCents: 0 },
      adjustmentNote: null,
      payment: { unallocatedCents: 0, allocations: [{}, {}] },
    })
    for (const { guid } of invoices)
      expect(await p.standing(guid)).toMatchObject({ balanceCents: 0, refundedCents: 0, creditedCents: 0 })
    expect((await p.refund({ ...wish, amountCents: 1 })).errors).toEqual(unnamed)
  })

  test('opens an invoice again that was closed by a write-off', async () => {
    const invoice = await p.invoice(10_000)
    const allocations = [{ invoiceGuid: invoice.guid, cents: 9_000 }]
    const { payment } = ok(await p.byHand({ amountCents: 9_000, allocations }), 201)
    const { version } = ok(
      await p.app.call<{ invoice: { version: number } }>(p.actors.accountant, 'GET', `/Invoices/${invoice.guid}`),
    ).invoice
    const given = { version, reasonCode: 'bad_debt' }
    ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${invoice.guid}`, given))
    ok(await p.refund({ paymentGuid: payment.guid, amountCents: 4_000, effect: 'money_back' }), 201)
    expect(await p.standing(invoice.guid)).toMatchObject({ status: 'issued', paidCents: 5_000, balanceCents: 4_000 })
  })
})

describe('while the card provider is silent', () => {
  test('the money still pays its invoice, and is taken off once it went', async () => {
    const { invoice, paymentGuid } = await paidByCard(11_000)
    await p.tell('latency', { ms: shortPatienceMs + 500 })
    const wish = { paymentGuid, amountCents: 6_000, effect: 'money_back' }
    expect(ok(await p.refund(wish), 201).refund.status).toBe('processing')
    await p.tell('latency', { ms: 0 })
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 11_000, balanceCents: 0 })
    const before = await p.payment(paymentGuid)
    expect(before).toMatchObject({ unallocatedCents: 0, allocations: [{ cents: 11_000, refundableCents: 5_000 }] })
    const taken = { allocationGuid: before.allocations[0]?.guid, cents: 5_001 }
    const headers = { 'idempotency-key': randomUUID() }
    expect(
      (await p.app.call(p.actors.accountant, 'POST', `/Payments/Unallocate/${paymentGuid}`, taken, headers)).errors[0],
    ).toEqual({ path: 'cents', message: 'Enter $50.00 or less. The rest is already refunded.' })
    await expect.poll(async () => (await p.charges(invoice.number))[0]?.refundedCents).toBe(6_000)
    p.clock.aheadMs = 60_000
    await Promise.all([settleOpen(p.system()), settleOpen(p.system())])
    p.clock.aheadMs = 0
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 5_000, refundedCents: 0, balanceCents: 6_000 })
    expect((await p.payment(paymentGuid)).refunds).toHaveLength(1)
  })
})

describe('a refund that goes to a bank account', () => {
  const payee = { accountName: 'Ana Silva', bsb: '062-000', accountNumber: '12345678' }

  test('keeps the account sealed, shows its last digits, and asks no card provider', async () => {
    const { paymentGuid, invoice } = await paidByCard(11_000)
    const made = ok(
      await p.refund({ paymentGuid, amountCents: 11_000, effect: 'money_back', method: 'bank', payee }),
      201,
    )
    expect(made.refund.status).toBe('succeeded')
    expect(made.payment.refunds).toMatchObject([
      { payee: { accountName: 'Ana Silva', bsb: '062-000', accountNumber: '••••678' } },
    ])
    expect(await journal('refund', made.refund.number)).toEqual([
      { account: '2300', debit: 11_000, credit: 0 },
      { account: '1000', debit: 0, credit: 11_000 },
    ])
    expect((await p.charges(invoice.number))[0]?.refundedCents).toBe(0)
    const drifts = await findDrift(p.system(), new Date('2020-01-01'), 0)
    expect(drifts.filter((one) => one.paymentGuid === paymentGuid)).toEqual([])
    const [kept] = await p.rows<{ payee: string }>('select payee from refund_attempts where payment_guid = $1', [
      paymentGuid,
    ])
    expect(kept?.payee).toMatch(/^[\w+/=]{60,}$/)
    const path = `/Payments/Refunds/Payee/${made.refund.guid}`
    for (const who of [p.actors.field, p.actors.readOnly])
      expect((await p.app.call(who, 'POST', path, {})).status).toBe(403)
    const read = ok(await p.app.call<{ payee: object }>(p.actors.accountant, 'POST', path, {}))
    expect(read.payee).toEqual(payee)
    expect((await p.app.call(p.actors.accountant, 'POST', `/Payments/Refunds/Payee/${invoice.guid}`, {})).status).toBe(
      404,
    )
    expect(
      await p.rows(`select 1 from audit_log where action = 'refund.payee_shown' and entity_guid = $1`, [paymentGuid]),
    ).toHaveLength(1)
    const told = await p.rows(`select 1 from audit_log where after::text like '%12345678%'`)
    expect(told).toEqual([])
    await p.tellAll()
    const [letter] = await p.rows<{ body: string }>(
      `select body_text as body from messages where owner_type = 'refund' and owner_number = $1`,
      [made.refund.number],
    )
    expect(letter?.body).toContain('bank transfer')
    expect(letter?.body).toContain(`$110.00`)
  })

  test('takes an account for that way alone, and one that can be', async () => {
    const { paymentGuid } = await paidByCard(11_000)
    const wish = { paymentGuid, amountCents: 100 }
    expect((await p.refund({ ...wish, payee })).errors[0]?.path).toBe('payee')
    expect((await p.refund({ ...wish, method: 'cash', payee })).errors[0]?.path).toBe('payee')
    expect((await p.refund({ ...wish, method: 'cheque' })).errors).toEqual([
      { path: 'method', message: 'Refund to the card, to a bank account or in cash.' },
    ])
    const wrong = { ...payee, bsb: '12' }
    expect((await p.refund({ ...wish, method: 'bank', payee: wrong })).errors[0]?.path).toBe('payee.bsb')
    expect(ok(await p.refund({ ...wish, method: 'original' }), 201).refund.status).toBe('succeeded')
  })

  test('and that somebody else approves, carries effect and account along', async () => {
    const { paymentGuid, invoice } = await paidByHand(150_000)
    await p.rows('update businesses set refund_limit_cents = 100000')
    try {
      const wish = { paymentGuid, amountCents: 150_000, reasonCode: 'goodwill' }
      const asked = ok(await p.refund({ ...wish, effect: 'money_back', method: 'bank', payee }), 201)
      expect(asked.refund).toMatchObject({ status: 'requested', effect: 'money_back' })
      const { items } = ok(
        await p.app.call<{ items: RefundRequest[] }>(
          p.actors.administrator,
          'GET',
          '/Payments/Refunds?status=requested',
        ),
      )
      expect(items[0]).toMatchObject({ effect: 'money_back', payee: { bsb: '062-000', accountNumber: '••••678' } })
      const path = `/Payments/Refunds/Approve/${asked.refund.guid}`
      ok(await p.app.call(p.actors.administrator, 'POST', path, {}, { 'idempotency-key': randomUUID() }))
      expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 0, balanceCents: 150_000 })
      expect((await p.payment(paymentGuid)).refunds).toMatchObject([
        { effect: 'money_back', payee: { accountNumber: '••••678' } },
      ])
    } finally {
      await p.rows('update businesses set refund_limit_cents = 100000000')
    }
  })
})

test('after all of it books, receivables and worksheet agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
  for (const path of [`/Journal/AgedReceivables?on=${today}`, `/Tax/Bas?from=${today}&to=${today}&basis=accrual`])
    expect(ok(await p.app.call<{ agrees: boolean }>(p.actors.accountant, 'GET', path)).agrees).toBe(true)
})
