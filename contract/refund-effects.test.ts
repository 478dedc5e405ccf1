import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RefundBasis, refundOutcomes } from './refund-effects.ts'
import { defaultEffect, masked, payee, refundReasons } from './refunds.ts'

const paid: RefundBasis = {
  invoiceGuid: '00000000-0000-0000-0000-000000000000',
  invoiceNumber: 'INV-1042',
  gstBasis: 'accrual',
  totalCents: 110_000,
  gstCents: 10_000,
  paidCents: 110_000,
  balanceCents: 0,
  left: [{ gstCode: 'GST', netCents: 100_000, gstCents: 10_000 }],
  waiting: null,
}

test('a lower price takes its GST along, money that comes back leaves it', () => {
  expect(refundOutcomes(paid, 11_000, null)).toEqual({
    price_reduced: { gstCents: 1_000, owingCents: 0 },
    money_back: { gstCents: 0, owingCents: 11_000 },
  })
  const free = { gstCode: 'FREE', netCents: 50_000, gstCents: 0 } as const
  const mixed = { ...paid, totalCents: 160_000, paidCents: 160_000, left: [...paid.left, free] }
  expect(refundOutcomes(mixed, 20_000, { FREE: 20_000 }).price_reduced.gstCents).toBe(0)
  expect(refundOutcomes(mixed, 16_000, null).price_reduced.gstCents).toBe(1_000)
})

test('of a deposit what waits to be credited goes back first', () => {
  const waiting = [{ gstCode: 'FREE', netCents: 40_000, gstCents: 0 }] as const
  const deposit = { ...paid, waiting: [...waiting] }
  expect(refundOutcomes(deposit, 40_000, null).price_reduced.gstCents).toBe(0)
  expect(refundOutcomes(deposit, 40_001, null).price_reduced.gstCents).toBe(3_636)
})

test('on the cash basis both ways add up to all the GST there is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 110_000 }), fc.integer({ min: 1, max: 110_000 }), (paidCents, wished) => {
      const amount = Math.min(paidCents, wished)
      const basis = { ...paid, gstBasis: 'cash' as const, paidCents, balanceCents: 110_000 - paidCents }
      const { price_reduced: reduced, money_back: back } = refundOutcomes(basis, amount, null)
      const counted = Math.round((paidCents * 10_000) / 110_000)
      expect(reduced.gstCents).toBeGreaterThanOrEqual(0)
      expect(back.gstCents).toBeGreaterThanOrEqual(0)
      expect(counted - back.gstCents).toBe(Math.round(((paidCents - amount) * 10_000) / 110_000))
      expect(back.owingCents - reduced.owingCents).toBe(amount)
    }),
  )
})

test('what should not have come, and what was only held, goes back without a lower price', () => {
  const back = refundReasons.filter((reason) => defaultEffect(reason) === 'money_back')
  expect(back).toEqual(['duplicate', 'deposit_return', 'fraud'])
})

test('an account is shown with its last three digits', () => {
  const account = { accountName: 'Ana Silva', bsb: '062000', accountNumber: '12345678' }
  expect(masked(account)).toEqual({ accountName: 'Ana Silva', bsb: '062-000', accountNumber: '••••678' })
  for (const wrong of [
    { bsb: '62000' },
    { accountNumber: '123' },
    { accountNumber: '1234567890' },
    { accountName: '' },
  ])
    expect(payee.safeParse({ ...account, ...wrong }).success).toBe(false)
})
