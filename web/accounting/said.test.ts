import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Language } from '../../contract/core/languages.ts'

vi.stubGlobal('document', { querySelector: () => null })
const { load, setLanguage } = await import('../core/i18n/store.ts')
const { narrativeOf } = await import('./said.ts')

const read = async (language: Language) => {
  setLanguage(language)
  await load('accounting')
}
beforeAll(() => read('fr'))
afterAll(() => setLanguage('en'))

const payment = { noun: 'Payments' as const, guid: '', number: 'PAY-0012' }
const invoice = { noun: 'Invoices' as const, guid: '', number: 'INV-1042' }

test.each([
  ['write_off', 'Invoice INV-1042 written off', invoice, 'Passage en perte INV-1042'],
  ['basis_change', 'GST on the cash basis from 01-10-2026', null, 'Régime GST modifié'],
  ['gst_due', 'GST due: Payment PAY-0012', payment, 'GST devenue exigible PAY-0012'],
  ['gst_due', 'GST due: GST on the cash basis from 01-10-2026', null, 'GST devenue exigible'],
  ['reversal', 'Reversal of Achats du mois', null, 'Extourne de « Achats du mois »'],
  ['manual', 'Reversal of a habit', null, 'Reversal of a habit'],
] as const)('what nobody wrote of an entry (%s) is read in French', (source, narrative, document, said) => {
  expect(narrativeOf({ source, narrative, document })).toBe(said)
})

test('English reads it as it is kept', async () => {
  await read('en')
  expect(narrativeOf({ source: 'reversal', narrative: 'Reversal of fees', document: null })).toBe('Reversal of fees')
})
