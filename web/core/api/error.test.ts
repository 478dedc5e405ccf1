import { expect, test } from 'vitest'
import { inQuotes } from '../../../contract/core/sentences.ts'
import { ApiError } from './error.ts'

test('Names that a sentence marks as code stand in quotes', () => {
  const said = 'There is no `customer.nmae`. Did you mean `customer.name`?'
  const shown = 'There is no “customer.nmae”. Did you mean “customer.name”?'
  expect(inQuotes(said)).toBe(shown)
  const errors = [{ path: 'subject', message: said }]
  expect(new ApiError('', 'VALIDATION_FAILED', 422, { errors }).errors).toEqual([{ path: 'subject', message: shown }])
})
