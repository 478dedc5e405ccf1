import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { querySelector: () => null })
const { inLanguage, loadSentences } = await import('./sentences.ts')

test('days and amounts run from left to right in Arabic, and stand as they are elsewhere', async () => {
  const late = 'Booked on 26-11-2026 for 15-09-2026, after that day was locked.'
  await loadSentences('ar')
  expect(inLanguage(late)).toContain('\u206826-11-2026\u2069')
  expect(inLanguage(late)).toContain('\u206815-09-2026\u2069')
  expect(inLanguage('$1,250.00')).toBe('\u2068$1,250.00\u2069')
  await loadSentences('fr')
  expect(inLanguage(late)).not.toContain('\u2068')
  await loadSentences('en')
  expect(inLanguage(late)).toBe(late)
})
