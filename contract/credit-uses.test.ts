import { expect, test } from 'vitest'
import { paidBy, proposedUses } from './credit-uses.ts'

const money = (guid: string, cents: number, orderGuid: string | null = null, isKept = false) => ({
  ...{ guid, cents, orderGuid, isKept },
})
const owing = (guid: string, cents: number, orderGuid: string | null = null) => ({ guid, cents, orderGuid })
const said = (uses: ReturnType<typeof proposedUses>) =>
  uses.map(({ paymentGuid, invoiceGuid, cents }) => `${paymentGuid} ${invoiceGuid} ${cents}`)

test('the oldest money pays what was due first', () => {
  const credits = [money('p1', 300), money('p2', 500)]
  expect(said(proposedUses(credits, [owing('i1', 400), owing('i2', 1000)]))).toEqual([
    'p1 i1 300',
    'p2 i1 100',
    'p2 i2 400',
  ])
})

test('a payment that is left out pays nothing, and an invoice without an amount takes nothing', () => {
  const uses = proposedUses([money('p2', 500)], [owing('i1', 0), owing('i2', 120), owing('i3', 80)])
  expect(said(uses)).toEqual(['p2 i2 120', 'p2 i3 80'])
  expect([...paidBy(uses)]).toEqual([
    ['i2', 120],
    ['i3', 80],
  ])
})

test('a prepayment pays its order first, and while that is open nothing else', () => {
  const invoices = [owing('old', 100), owing('own', 60, 'o1')]
  expect(said(proposedUses([money('p1', 100, 'o1', true)], invoices))).toEqual(['p1 own 60'])
  expect(said(proposedUses([money('p1', 100, 'o1')], invoices))).toEqual(['p1 own 60', 'p1 old 40'])
})
