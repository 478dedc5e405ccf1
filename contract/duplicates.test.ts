import { expect, test } from 'vitest'
import { compareCustomers, gradeOf, likeness, plainName, possibleFrom } from './duplicates.ts'

const nobody = { displayName: '', abn: null, email: null, phone: null, postcode: null }
const a = { ...nobody, displayName: 'Cormorant Constructions' }

test('a name is compared without case, marks, kind of company and article', () => {
  const names = ['The Café & Bar Pty Ltd', 'cafe and bar P/L', ' CAFÉ AND BAR ', 'Cafe & Bar, Pty. Ltd.']
  expect(new Set(names.map(plainName))).toEqual(new Set(['cafe and bar']))
})

test.each([
  ['same name', a, { ...a, displayName: 'CORMORANT CONSTRUCTIONS PTY LTD' }, 40, ['name']],
  ['alike', a, { ...a, displayName: 'Cormorant Construction' }, 25, ['alike']],
  ['same ABN', { ...nobody, abn: '1' }, { ...nobody, abn: '1' }, 60, ['abn']],
  ['two ABNs', { ...a, abn: '1' }, { ...a, abn: '2' }, -20, ['otherAbn', 'name']],
  ['email', { ...nobody, email: 'A@b.example' }, { ...nobody, email: 'a@B.example' }, 40, ['email']],
  ['phone', { ...nobody, phone: '+61 2 5550 1111' }, { ...nobody, phone: '(02) 5550-1111' }, 30, ['phone']],
  ['short phone', { ...nobody, phone: '131 444' }, { ...nobody, phone: '131444' }, 0, []],
  ['postcode', { ...nobody, postcode: '2000' }, { ...nobody, postcode: '2000' }, 10, ['postcode']],
  ['nothing', nobody, nobody, 0, []],
] as const)('%s', (_what, one, other, points, reasons) => {
  expect(compareCustomers(one, other)).toEqual({ points, reasons })
  expect(compareCustomers(other, one)).toEqual({ points, reasons })
})

test('fifty points are possible, seventy likely', () => {
  expect([possibleFrom, gradeOf(50), gradeOf(69), gradeOf(70)]).toEqual([50, 'possible', 'possible', 'likely'])
  expect([likeness('abc', 'abc'), likeness('abc', 'xyz'), likeness('', '')]).toEqual([1, 0, 0])
})
