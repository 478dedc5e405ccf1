import { expect, test } from 'vitest'
import { addressIn, nameIn } from './senders.ts'

test.each([
  ['Anna Hartmann <anna@hartmann.example>', 'Anna Hartmann', 'anna@hartmann.example'],
  ['"Hartmann, Anna" <anna@hartmann.example>', 'Hartmann, Anna', 'anna@hartmann.example'],
  ['anna@hartmann.example', '', 'anna@hartmann.example'],
  ['<anna@hartmann.example>', '', 'anna@hartmann.example'],
  ['Wattle Theatre', 'Wattle Theatre', undefined],
])('%s', (from, name, address) => {
  expect(nameIn(from)).toBe(name)
  expect(addressIn(from)).toBe(address)
})
