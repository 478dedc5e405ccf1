import { expect, test } from 'vitest'
import { shownFields } from './compare-values.ts'

test('kinds of lines are nothing that a customer is told', () => {
  const change = (field: string) => ({ field, before: 'a', after: 'b' })
  expect(shownFields({ fields: [change('kind'), change('name')] })).toEqual([change('name')])
})
