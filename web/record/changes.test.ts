import { expect, test } from 'vitest'
import { customerInput } from '../../contract/customers.ts'
import { changedFields, changesOf, isContested, onTopOf } from './changes.ts'
import { formValues } from './form-values.ts'

const record = {
  kind: 'charity',
  displayName: 'Harbour Trust',
  language: 'en',
  abn: '53004085616',
  email: null,
  phone: '02 9000 0000',
  billingAddress: null,
  paymentTermsDays: null,
  internalNotes: null,
  contacts: [{ guid: 'a', name: 'Ann', position: null, email: null, phone: null, isPrimary: true }],
  sites: [],
}

test('a form that nobody touched sends nothing, however its fields write what the record has', () => {
  const values = formValues(customerInput, record)
  expect(values.abn).toBe('53 004 085 616')
  expect(values.billingAddress).toEqual({ line1: '', line2: '', suburb: '', state: null, postcode: '' })
  expect(changesOf(values, structuredClone(values), { ...values })).toEqual({})
})

test('only what was changed is sent: a field that the form does not know is not reset', () => {
  const values = { name: 'A', phone: '' }
  const sent = { name: 'B', phone: null, kind: 'business', language: 'en' }
  expect(changesOf(values, { ...values, name: 'B' }, sent)).toEqual({ name: 'B' })
  expect(changesOf(values, { ...values, phone: '1' }, { ...sent, phone: '1' })).toEqual({ phone: '1' })
})

test('what is emptied is sent as empty', () => {
  expect(changesOf({ phone: '1' }, { phone: '' }, { phone: null })).toEqual({ phone: null })
  expect(changesOf({ logo: undefined }, { logo: null }, { logo: null })).toEqual({ logo: null })
  expect(changesOf({}, { logo: undefined }, { logo: undefined })).toEqual({})
})

test('two people who change different fields do not meet; one field, or what goes with it, is asked about', () => {
  const theirs = { name: 'B', phone: '1', lines: [1], priceMode: 'exclusive' }
  expect(changedFields(['name', 'phone'], { name: 'A', phone: '1' }, theirs)).toEqual(['name'])
  expect(isContested({ phone: '2' }, theirs, ['name'])).toBe(false)
  expect(isContested({ name: 'C' }, theirs, ['name'])).toBe(true)
  expect(isContested({ name: 'B' }, theirs, ['name'])).toBe(false)
  expect(isContested({ priceMode: 'inclusive' }, theirs, ['lines'], [['lines', 'priceMode']])).toBe(true)
  // A picture that the record does not show cannot be compared.
  expect(isContested({ logo: null }, theirs, ['name'])).toBe(true)
})

test('an entry that somebody took away meanwhile is entered anew by whoever keeps it', () => {
  const mine = { contacts: [{ guid: 'a', name: 'Ann' }, { guid: 'b', name: 'Bo' }, { name: 'New' }] }
  expect(onTopOf(mine, { contacts: [{ guid: 'a' }] })).toEqual({
    contacts: [{ guid: 'a', name: 'Ann' }, { name: 'Bo' }, { name: 'New' }],
  })
})
