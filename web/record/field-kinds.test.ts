import { expect, test } from 'vitest'
import { z } from 'zod'
import { customerInput } from '../../contract/customers.ts'
import { productInput } from '../../contract/products.ts'
import { choicesOf, isRequired, kindOf, maxDigitsOf, maxLengthOf } from './field-kinds.ts'

const of = ({ shape }: z.ZodObject) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, kindOf(field as z.ZodType)]))

test('how a field is typed comes from its schema', () => {
  expect(of(customerInput)).toEqual({
    kind: 'choice',
    displayName: 'line',
    language: 'choice',
    abn: 'abn',
    acn: 'line',
    status: 'choice',
    externalRef: 'line',
    email: 'email',
    phone: 'phone',
    billingAddress: 'address',
    paymentTermsDays: 'number',
    internalNotes: 'text',
    terms: 'own',
    contacts: 'own',
    sites: 'own',
  })
  expect(of(productInput)).toMatchObject({ priceCents: 'money', description: 'text', unit: 'choice' })
})

test('and so does how much may be typed, and whether it may stay empty', () => {
  const { displayName, email, internalNotes, paymentTermsDays, kind } = customerInput.shape
  expect([displayName, email, internalNotes].map(maxLengthOf)).toEqual([160, 254, 4000])
  expect(maxDigitsOf(paymentTermsDays)).toBe(3)
  expect(maxDigitsOf(z.int())).toBeUndefined()
  expect([displayName, email, kind].map(isRequired)).toEqual([true, false, false])
  expect(choicesOf(kind)).toContain('charity')
})
