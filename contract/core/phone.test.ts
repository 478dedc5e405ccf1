import { describe, expect, test } from 'vitest'
import { phone } from './common.ts'

const accepts = (given: string) => phone.safeParse(given).success

describe('a phone number', () => {
  test.each([
    '02 5550 2210',
    '(02) 5550-2210',
    '5550 2210',
    '0412 345 678 (after hours)',
    '+61 412 345 678',
    '+683 4002',
    '+1 (415) 555-0132 ext. 7',
    '131 444',
    '13 20 00',
    '1300 975 707',
    '13 TAXI',
    '1800-FLOWERS',
    '02 5550 2210 / 0412 345 678',
  ])('may be %s', (given) => expect(accepts(given)).toBe(true))
  test.each(['', '123', '12345', 'ask Jo', 'ext 4021', '13 TAX', 'TAXI 13'])('is not %s', (given) =>
    expect(accepts(given)).toBe(false),
  )
})
