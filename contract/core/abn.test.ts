import { describe, expect, test } from 'vitest'
import { abn, acn, formatAbn, formatAcn, isValidAbn, isValidAcn, normaliseAbn } from './abn.ts'

describe('Australian business numbers', () => {
  test.each(['53 004 085 616', '47 555 222 000', '91 888 222 000', '51824753556', '51-824-753-556'])(
    '%s is an ABN',
    (text) => expect(isValidAbn(text)).toBe(true),
  )
  test.each([
    '53 004 085 617',
    '00 000 000 000',
    '5300408561',
    '530040856160',
    '53 004 085 61a',
    '',
    '00000000000',
    '١٢٣٤٥٦٧٨٩٠١',
  ])('%s is no ABN', (text) => expect(isValidAbn(text)).toBe(false))
  test.each(['004 085 616', '000 000 019', '010499966'])('%s is an ACN', (text) => expect(isValidAcn(text)).toBe(true))
  test.each(['004 085 617', '000 000 000', '04085616', ''])('%s is no ACN', (text) =>
    expect(isValidAcn(text)).toBe(false),
  )

  test('a single wrong digit is always noticed', () => {
    const digits = '53004085616'
    for (let at = 0; at < 11; at++)
      for (let d = 0; d < 10; d++)
        if (String(d) !== digits[at]) expect(isValidAbn(digits.slice(0, at) + d + digits.slice(at + 1))).toBe(false)
  })

  test('numbers are stored as digits and shown in groups', () => {
    expect(normaliseAbn(' 53 004 085 616 ')).toBe('53004085616')
    expect(formatAbn('53004085616')).toBe('53 004 085 616')
    expect(formatAbn('not one')).toBe('not one')
    expect(formatAcn('004085616')).toBe('004 085 616')
    expect(abn.parse('53 004 085 616')).toBe('53004085616')
    expect(acn.parse('004 085 616')).toBe('004085616')
    expect(abn.safeParse('53 004 085 617').error?.issues[0]?.message).toBe('Enter a valid ABN.')
  })
})
