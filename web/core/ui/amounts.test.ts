import { expect, test } from 'vitest'
import { isOverWhole, parseMoney, parsePercent, parseQuantity, parseWhole, typedMoney } from './amounts.ts'
import { pageNumbers } from './table/page-numbers.ts'

test.each([
  ['1,234.5', 123450],
  ['$20', 2000],
  ['.05', 5],
  ['-3.07', -307],
  ['0.29', 29],
  ['', null],
  ['1.005', undefined],
  ['twenty', undefined],
  ['.', undefined],
  ['12,50', undefined],
  ['1,2345', undefined],
  ['1.250,50', undefined],
  ['1,234,567.8', 123456780],
  ['١٢٫٥', 1250],
  ['\u200e$1,234.50', 123450],
])('typed money %j is %j cents', (typed, cents) => expect(parseMoney(typed)).toBe(cents))

test.each([
  ['12,50', 1250],
  ['0,01', 1],
  ['1 234,5', 123450],
  ['1\u202f234,50 $', 123450],
  ['1.234,50', 123450],
  ['12.50', 1250],
  ['-3,07', -307],
  ['1,005', undefined],
  ['1,250.00', undefined],
  ['1,2,3', undefined],
])('in French typed money %j is %j cents', (typed, cents) => expect(parseMoney(typed, 'decimals')).toBe(cents))

test.each([
  ['25,50', 2550],
  ['25،50', 2550],
  ['1,250', 125000],
  ['1,250.50', 125050],
  ['1.250,50', 125050],
  ['0,5', 50],
  ['٢٥٫٥٠', 2550],
  ['1,2,3', undefined],
  ['1,2345', undefined],
])('in Arabic typed money %j is %j cents', (typed, cents) => expect(parseMoney(typed, 'either')).toBe(cents))

test('only a share is more than the whole', () => {
  expect(['100', '100,01', '120 %', '-5', 'x'].map((typed) => isOverWhole(typed, 'decimals'))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})

test.each([
  [5, '0.05'],
  [-307, '-3.07'],
  [123450, '1234.50'],
  [null, ''],
])('%j cents are typed as %j', (cents, typed) => expect(typedMoney(cents)).toBe(typed))

test.each([
  ['2.5000', '2.5'],
  ['1,000', '1000'],
  ['007.10', '7.1'],
  ['.25', '0.25'],
  ['1.23456', undefined],
  ['-1', undefined],
  ['2,5', undefined],
  ['0,005', undefined],
])('typed quantity %j is %j', (typed, quantity) => expect(parseQuantity(typed)).toBe(quantity))

test('in French a comma begins the decimals of quantities and shares as well', () => {
  expect([
    parseQuantity('2,5', 'decimals'),
    parseQuantity('1,2500', 'decimals'),
    parsePercent('7,5 %', 'decimals'),
  ]).toEqual(['2.5', '1.25', 750])
})

test.each([
  ['2,5', '2.5'],
  ['0,005', '0.005'],
  ['1,000', '1000'],
])('in Arabic typed quantity %j is %j', (typed, quantity) => expect(parseQuantity(typed, 'either')).toBe(quantity))

test.each([
  ['10', 1000],
  ['7.5 %', 750],
  ['100', 10000],
  ['100.01', undefined],
])('typed percentage %j is %j basis points', (typed, points) => expect(parsePercent(typed)).toBe(points))

test('a pager shows the first, the last and the neighbours, with gaps between', () => {
  expect(pageNumbers(1, 1)).toEqual([1])
  expect(pageNumbers(1, 14)).toEqual([1, 2, 3, 0, 14])
  expect(pageNumbers(7, 14)).toEqual([1, 0, 6, 7, 8, 0, 14])
  expect(pageNumbers(14, 14)).toEqual([1, 0, 13, 14])
})

test.each([
  ['7', 7],
  [' 07 ', 7],
  ['٧', 7],
  ['', null],
  ['2.5', undefined],
  ['2,5', undefined],
  ['-5', undefined],
  ['7 7', undefined],
])('typed %j is the whole number %j', (typed, count) => expect(parseWhole(typed)).toBe(count))
