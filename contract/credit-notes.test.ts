import { describe, expect, test } from 'vitest'
import { creditedGst, creditOfQuantity, linesToCredit } from './credit-notes.ts'

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

describe('the lines of an invoice that a note takes back', () => {
  const line = { kind: 'item', gstCode: 'GST', totalCents: 100, isOptional: false, isSelected: true } as const
  test('have money of a kind that is not all credited yet', () => {
    const lines = [
      line,
      { ...line, kind: 'section', totalCents: 0 },
      { ...line, kind: 'discount', totalCents: -50 },
      { ...line, isOptional: true, isSelected: false },
      { ...line, gstCode: 'FREE' },
      { ...line, gstCode: 'EXPORT' },
    ] as const
    expect(linesToCredit(lines, left)).toEqual([lines[0], lines[4]])
    expect(linesToCredit(lines, [{ gstCode: 'GST', cents: 0, gstCents: 0 }])).toEqual([])
  })

  test('come to their share by quantity, the whole to all of it', () => {
    const three = { quantity: '3.0000', totalCents: 1000 }
    expect(['1', '1.5', '2', '3', '4', '0'].map((taken) => creditOfQuantity(three, taken))).toEqual([
      333, 500, 667, 1000, 1000, 0,
    ])
  })
})
