import { expect, test } from 'vitest'
import { readDiscount, writeDiscount } from './discount-text.ts'

test.each([
  ['25.50', 'groups', { type: 'percent', value: 2550 }],
  ['$1,250.50', 'groups', { type: 'fixed', value: 125_050 }],
  ['25,50', 'groups', undefined],
  ['25,50', 'decimals', { type: 'percent', value: 2550 }],
  ['50,50 $', 'decimals', { type: 'fixed', value: 5050 }],
  ['25,50', 'either', { type: 'percent', value: 2550 }],
  ['$25,50', 'either', { type: 'fixed', value: 2550 }],
  ['٢٥٫٥٪', 'either', { type: 'percent', value: 2550 }],
  ['120', 'groups', undefined],
  ['-5', 'groups', undefined],
  ['0', 'groups', null],
  [' ', 'groups', null],
] as const)('a discount typed %j, where a comma %s, is %j', (typed, comma, discount) =>
  expect(readDiscount(typed, comma)).toEqual(discount),
)

test('a discount is shown as one would type it', () => {
  expect([
    writeDiscount({ type: 'percent', value: 10_000 }),
    writeDiscount({ type: 'percent', value: 750 }),
    writeDiscount({ type: 'fixed', value: 5000 }),
    writeDiscount(null),
  ]).toEqual(['100%', '7.5%', '$50', ''])
})
