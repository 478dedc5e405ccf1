import { expect, test } from 'vitest'
import { basPeriodOf, lockedSentence } from './periods.ts'

test.each([
  ['2026-09-30', 'quarterly', '2026-07-01', '2026-09-30'],
  ['2026-07-01', 'quarterly', '2026-07-01', '2026-09-30'],
  ['2026-12-31', 'quarterly', '2026-10-01', '2026-12-31'],
  ['2026-02-28', 'quarterly', '2026-01-01', '2026-03-31'],
  ['2026-06-30', 'quarterly', '2026-04-01', '2026-06-30'],
  ['2028-02-10', 'monthly', '2028-02-01', '2028-02-29'],
  ['2026-06-30', 'annual', '2025-07-01', '2026-06-30'],
  ['2026-07-01', 'annual', '2026-07-01', '2027-06-30'],
] as const)('%s belongs, %s, to %s to %s', (day, cycle, from, to) => {
  expect(basPeriodOf(day, cycle)).toEqual({ from, to })
})

test.each([
  ['2026-08-15', '2026-09-30', 'quarterly', 'July to September 2026 is locked. Use a day from 1 October 2026'],
  ['2026-05-01', '2026-09-30', 'quarterly', 'April to June 2026 is locked. Use a day from 1 October 2026'],
  ['2026-09-30', '2026-09-30', 'monthly', 'September 2026 is locked. Use a day from 1 October 2026'],
  ['2026-01-01', '2026-06-30', 'annual', 'July 2025 to June 2026 is locked. Use a day from 1 July 2026'],
  ['2026-08-01', '2026-08-15', 'quarterly', 'Everything up to 15 August 2026 is locked. Use a day from 16 August 2026'],
] as const)('%s, locked through %s, is told', (day, through, cycle, begins) => {
  expect(lockedSentence(day, through, cycle)).toBe(`${begins}, or ask for it to be unlocked.`)
})
