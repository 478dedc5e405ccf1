import { expect, test } from 'vitest'
import { orderRefusal } from './order-actions.ts'

const line = (guid: string, quantityInvoiced: string, kind: 'item' | 'hire' | 'text' = 'item') => ({
  ...{ guid, kind, quantity: '2', quantityInvoiced },
})
const order = { status: 'confirmed', invoiceStatus: 'partially_invoiced', archivedAt: null } as const
const hire = [{ lineGuid: 'panels' }]
const panels = line('panels', '0', 'hire')

test.each([
  ['something else is left', [panels, line('gate', '1')], hire, null],
  ['all else is invoiced', [panels, line('gate', '2'), line('note', '0', 'text')], hire, 'onlyHire'],
  ['there is nothing but hire', [panels], hire, 'onlyHire'],
  ['it has not gone out', [panels], [], null],
] as const)('an order of which %s', (_what, lines, hired, refusal) => {
  expect(orderRefusal('invoice', { ...order, lines, hire: hired })).toBe(refusal)
})

test('an order whose rest stands on drafts has nothing to invoice, and says where it stands', () => {
  expect(orderRefusal('invoice', { ...order, invoiceStatus: 'drafted' })).toBe('drafted')
  expect(orderRefusal('invoice', { ...order, invoiceStatus: 'invoiced' })).toBe('nothingToInvoice')
})
