import { describe, expect, test } from 'vitest'
import { type OwedState, recoveries, writeOffGst } from './write-offs.ts'

const owing = (facts: Partial<OwedState> = {}): OwedState => ({
  totalCents: 160_000,
  gstCents: 10_000,
  paidCents: 0,
  writtenOffCents: 0,
  writtenOffGstCents: 0,
  ...facts,
})

describe('the GST of what is written off', () => {
  // Worked by hand: 27,500 × 10,000 ÷ 160,000 = 1,718.75, half up.
  const vectors = [{ totalCents: 160_000, gstCents: 10_000, cents: 27_500, expect: 1719 }]
  test.each(vectors)('$cents of $totalCents takes $expect', ({ cents, expect: gst, ...state }) => {
    expect(writeOffGst(owing(state), cents)).toBe(gst)
  })

  test('what clears the invoice takes what money and earlier parts have left', () => {
    // 110.00 with 10.00 of GST: 33.33 paid holds 3.03, 33.33 written off takes 3.03, the last 43.34 takes 3.94.
    const state = owing({ totalCents: 11_000, gstCents: 1000, paidCents: 3333 })
    expect(writeOffGst(state, 3333)).toBe(303)
    expect(writeOffGst({ ...state, writtenOffCents: 3333, writtenOffGstCents: 303 }, 4334)).toBe(394)
  })

  test('takes nothing where no GST is, and never more than there is', () => {
    expect(writeOffGst(owing({ gstCents: 0 }), 5000)).toBe(0)
    expect(writeOffGst(owing({ gstCents: -5 }), 160_000)).toBe(0)
    expect(writeOffGst(owing({ totalCents: 0, gstCents: 0 }), 0)).toBe(0)
    expect(writeOffGst(owing({ totalCents: 3, gstCents: 3, writtenOffCents: 1, writtenOffGstCents: 1 }), 1)).toBe(1)
  })

  test('parts and money together come to the GST of the invoice, however it is cut', () => {
    for (const gstCents of [0, 1, 999, 1000, 1001])
      for (const paidCents of [0, 1, 3333, 10_998])
        for (const first of [1, 7, 1000]) {
          const state = owing({ totalCents: 11_000, gstCents, paidCents })
          const part = Math.min(first, 11_000 - paidCents)
          const gst = writeOffGst(state, part)
          const rest = 11_000 - paidCents - part
          const last = writeOffGst({ ...state, writtenOffCents: part, writtenOffGstCents: gst }, rest)
          const ofMoney = Math.floor((2 * paidCents * gstCents + 11_000) / 22_000)
          expect([gstCents, paidCents, part, ofMoney + gst + last]).toEqual([gstCents, paidCents, part, gstCents])
        }
  })
})

describe('what is owed again', () => {
  const parts = [
    { guid: 'newer', leftCents: 4334, leftGstCents: 394 },
    { guid: 'older', leftCents: 3333, leftGstCents: 303 },
  ]

  test('is of the newest part first', () => {
    expect(recoveries(parts, 5000)).toEqual([
      { guid: 'newer', cents: 4334, gstCents: 394 },
      { guid: 'older', cents: 666, gstCents: 61 },
    ])
    expect(recoveries(parts, 7667)).toEqual([
      { guid: 'newer', cents: 4334, gstCents: 394 },
      { guid: 'older', cents: 3333, gstCents: 303 },
    ])
  })

  test('takes the GST that is left with the last cent of a part', () => {
    const [first] = recoveries(parts, 1000)
    expect(first).toEqual({ guid: 'newer', cents: 1000, gstCents: 91 })
    expect(recoveries([{ guid: 'newer', leftCents: 3334, leftGstCents: 303 }], 3334)[0]?.gstCents).toBe(303)
  })

  test('is never more than was written off', () => {
    expect(recoveries(parts, 9999).reduce((sum, one) => sum + one.cents, 0)).toBe(7667)
    expect(recoveries([], 100)).toEqual([])
  })
})
