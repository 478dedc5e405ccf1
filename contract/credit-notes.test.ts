import { describe, expect, test } from 'vitest'
import { creditedGst } from './credit-notes.ts'

const left = [
  { gstCode: 'GST', cents: 110_000, gstCents: 10_000 },
  { gstCode: 'FREE', cents: 50_000, gstCents: 0 },
] as const

describe('the GST of a note by line', () => {
  test('is of each kind by itself', () => {
    const lines = [
      { gstCode: 'GST', cents: 66_000 },
      { gstCode: 'FREE', cents: 20_000 },
    ] as const
    expect(creditedGst(lines, left)).toEqual([6000, 0])
  })

  test('of a kind comes to its share, however it is cut', () => {
    for (const parts of [[110_000], [1, 109_999], [3333, 3333, 103_334], [7, 11, 13, 109_969]]) {
      const gst = creditedGst(
        parts.map((cents) => ({ gstCode: 'GST' as const, cents })),
        left,
      )
      expect([parts, gst.reduce((sum, one) => sum + one, 0)]).toEqual([parts, 10_000])
      expect(gst.every((one) => one >= 0)).toBe(true)
    }
  })

  test('is none of a kind that is not there', () => {
    expect(creditedGst([{ gstCode: 'EXPORT', cents: 100 }], left)).toEqual([0])
    expect(creditedGst([{ gstCode: 'GST', cents: 100 }], [{ gstCode: 'GST', cents: 100, gstCents: -3 }])).toEqual([0])
  })
})
