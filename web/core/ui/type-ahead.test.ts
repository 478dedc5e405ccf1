import { expect, test } from 'vitest'
import { optionFor, typedOn, type Typed } from './type-ahead.ts'

const roles = ['Administrator', 'Accountant', 'Field', 'Office', 'Read only', 'Sales'].map((label) => ({
  value: label,
  label,
}))
/** What is chosen after these keys, one every so many milliseconds. */
function after(keys: string, every: number, value: string | null = null) {
  let typed: Typed = { text: '', at: -Infinity }
  let chosen = value
  for (const [i, key] of [...keys].entries()) {
    typed = typedOn(typed, key, i * every)
    chosen = optionFor(typed.text, roles, chosen)?.value ?? chosen
  }
  return chosen
}

test('letters typed quickly are one word, and what fits no option changes nothing', () => {
  expect(after('sal', 100)).toBe('Sales')
  expect(after('acc', 100)).toBe('Accountant')
  expect(after('read only', 100)).toBe('Read only')
  expect(after('salx', 100)).toBe('Sales')
  expect(after('x', 100, 'Office')).toBe('Office')
})

test('letters typed slowly stand for themselves, and the same one again goes on to the next', () => {
  expect(after('sa', 1500)).toBe('Administrator')
  expect(after('aa', 100)).toBe('Accountant')
  expect(after('aaa', 1500)).toBe('Administrator')
})

test('a later word of a name is found where no name begins so: accounts by their names, and by their codes', () => {
  const accounts = ['1000 Bank', '2900 Suspense', '6100 Card fees', '6300 Bank fees'].map((label) => ({
    value: label,
    label,
  }))
  const found = (text: string, chosen: string | null = null) => optionFor(text, accounts, chosen)?.label
  expect(found('bank')).toBe('1000 Bank')
  expect(found('bank f')).toBe('6300 Bank fees')
  expect(found('susp', '6300 Bank fees')).toBe('2900 Suspense')
  expect(found('63')).toBe('6300 Bank fees')
  expect([found('ees'), found(' ')]).toEqual([undefined, undefined])
})
