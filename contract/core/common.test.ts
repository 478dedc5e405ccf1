import { expect, test } from 'vitest'
import { longText, text } from './common.ts'

test('what turns letters around is left out of names and texts', () => {
  expect(text(20).parse('\u202Efdp.exe\u202C Pty Ltd')).toBe('fdp.exe Pty Ltd')
  expect(text(20).parse('\u2067Marquee\u2069 ')).toBe('Marquee')
  expect(longText(40).parse('Side gate \u202Eetag\u202C\nring first')).toBe('Side gate etag\nring first')
  expect(text(20).safeParse('\u202E \u202C').error?.issues[0]?.message).toBe('This field is required.')
})

test('marks that a script needs stay', () => {
  expect(text(20).parse('شركة\u200f (NSW)')).toBe('شركة\u200f (NSW)')
  expect(text(20).parse('می\u200cخواهم')).toBe('می\u200cخواهم')
})
