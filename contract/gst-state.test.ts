import { describe, expect, test } from 'vitest'
import type { GstBasis } from './businesses.ts'
import { addDays } from './core/dates.ts'
import {
  addMovement,
  type CodePart,
  gstBroughtForward,
  gstStateAt,
  type InvoiceLife,
  noFigures,
  type PeriodFigures,
  salesLabels,
  wholeDollars,
} from './gst-state.ts'
import { gstCodes } from './lines.ts'

const gst = (totalCents: number, gstCents: number): CodePart => ({ gstCode: 'GST', totalCents, gstCents })
const life = (facts: Partial<InvoiceLife> = {}): InvoiceLife => ({
  issuedOn: '2026-07-10',
  voidedOn: null,
  parts: [gst(110_000, 10_000)],
  notes: [],
  money: [],
  writeOffs: [],
  ...facts,
})
const figuresOf = (lives: readonly InvoiceLife[], from: string, to: string, basis: GstBasis): PeriodFigures => {
  const figures = noFigures()
  for (const one of lives) addMovement(figures, gstStateAt(one, addDays(from, -1), basis), gstStateAt(one, to, basis))
  return figures
}

describe('the GST of an invoice in a period', () => {
  test.each([
    { parts: [gst(11_000, 1000)], received: [3333, 3333, 4334], taxes: [303, 303, 394] },
    {
      parts: [gst(110_000, 10_000), { gstCode: 'FREE' as const, totalCents: 50_000, gstCents: 0 }],
      received: [50_000, 50_000, 60_000],
      taxes: [3125, 3125, 3750],
    },
  ])('comes with the money on the cash basis: $taxes', ({ parts, received, taxes }) => {
    const money = received.map((cents, i) => ({ on: `2026-0${7 + i}-20`, cents }))
    const months = money.map(({ on }) => figuresOf([life({ parts, money })], `${on.slice(0, 8)}01`, on, 'cash'))
    expect(months.map(({ labels }) => labels['1A'])).toEqual(taxes)
    expect(months.map(({ labels }) => labels.G1)).toEqual(received)
  })

  test('falls at 1B below what an earlier period reported, and nets within one', () => {
    const noted = (on: string) => [life({ notes: [{ on, parts: [gst(66_000, 6000)] }] })]
    const later = figuresOf(noted('2026-10-05'), '2026-10-01', '2026-12-31', 'accrual')
    expect(later.labels).toMatchObject({ G1: 0, '1A': 0, '1B': 6000 })
    expect(later.decreases.G1).toBe(66_000)
    const within = figuresOf(noted('2026-08-05'), '2026-07-01', '2026-09-30', 'accrual')
    expect(within.labels).toMatchObject({ G1: 44_000, '1A': 4000, '1B': 0 })
  })

  test('is nothing from the day it is voided, and less by what was written off', () => {
    expect(gstStateAt(life({ voidedOn: '2026-07-12' }), '2026-07-11', 'accrual').gstCents).toBe(10_000)
    expect(gstStateAt(life({ voidedOn: '2026-07-12' }), '2026-07-12', 'accrual').gstCents).toBe(0)
    const off = life({ writeOffs: [{ on: '2026-08-01', cents: 55_000, gstCents: 5000 }] })
    expect(gstStateAt(off, '2026-08-01', 'accrual')).toMatchObject({ G1: 110_000, gstCents: 5000 })
  })

  test('drops cents of figures and keeps their sign', () => {
    expect([199, -199, 99, -99, 0].map(wholeDollars)).toEqual([1, -1, 0, 0, 0])
  })
})

test('an order that is one supply counts whole with its first invoice, a progressive one with each', () => {
  const order = { gstCents: 100_000, begunOn: '2026-09-20' }
  const at = (supply: 'single' | 'progressive', day: string, invoiced: number) =>
    invoiced + gstBroughtForward({ ...order, supply }, invoiced, day)
  expect([
    at('single', '2026-09-19', 0),
    at('single', '2026-09-30', 30_000),
    at('single', '2026-12-31', 100_000),
  ]).toEqual([0, 100_000, 100_000])
  expect([at('progressive', '2026-09-30', 30_000), at('progressive', '2026-12-31', 100_000)]).toEqual([30_000, 100_000])
})

/** The same told otherwise: the balance of an account of GST, kept by hand from day to day. */
function heldAt({ issuedOn, voidedOn, parts, notes, money, writeOffs }: InvoiceLife, day: string, basis: GstBasis) {
  let [total, tax, paid, off] = [0n, 0n, 0n, 0n]
  const days = [issuedOn, voidedOn ?? issuedOn, ...[...notes, ...money, ...writeOffs].map(({ on }) => on)]
  for (const on of [...new Set(days)].toSorted()) {
    if (on > day) break
    if (on === voidedOn) return 0n
    if (on === issuedOn)
      for (const part of parts) [total, tax] = [total + BigInt(part.totalCents), tax + BigInt(part.gstCents)]
    for (const note of notes)
      if (note.on === on)
        for (const part of note.parts) [total, tax] = [total - BigInt(part.totalCents), tax - BigInt(part.gstCents)]
    for (const one of money) if (one.on === on) paid += BigInt(one.cents)
    for (const one of writeOffs) if (one.on === on) off += BigInt(one.gstCents)
  }
  if (basis === 'accrual') return tax - off
  if (total === 0n) return 0n
  const doubled = 2n * paid * tax
  // Half up, as it is taught: add a half and cut.
  return (doubled + total) / (2n * total)
}

function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** An invoice with notes within what it is, money within what it comes to, and now and then a void. */
function aLife(next: (below: number) => number): InvoiceLife {
  const issuedOn = addDays('2026-01-01', next(200))
  const parts = gstCodes.slice(0, 4).flatMap((gstCode): CodePart[] => {
    const totalCents = next(3) === 0 ? 0 : 1 + next(500_000)
    return totalCents === 0
      ? []
      : [{ gstCode, totalCents, gstCents: gstCode === 'GST' ? Math.round(totalCents / 11) : 0 }]
  })
  const later = () => addDays(issuedOn, next(300))
  const voided = next(8) === 0
  if (voided || parts.length === 0) return life({ issuedOn, parts, voidedOn: voided ? later() : null })
  const notes =
    next(3) === 0
      ? [
          {
            on: later(),
            parts: parts.map((part) => ({
              ...part,
              totalCents: Math.floor(part.totalCents / 3),
              gstCents: Math.floor(part.gstCents / 3),
            })),
          },
        ]
      : []
  const whole = parts.reduce((sum, part) => sum + part.totalCents, 0)
  const owing = whole - notes.reduce((sum, note) => sum + note.parts.reduce((all, part) => all + part.totalCents, 0), 0)
  const first = next(owing + 1)
  const money = [
    { on: later(), cents: first },
    { on: '2027-12-31', cents: owing - first },
  ]
  return life({ issuedOn, parts, notes, money })
}

test('periods add up, agree with another reckoning, and both bases with each other once all is paid', () => {
  const next = numbers(20_261_124)
  for (let round = 0; round < 150; round++) {
    const lives = Array.from({ length: 3 }, () => aLife(next))
    for (const basis of ['cash', 'accrual'] as const) {
      const cuts = [
        '2025-12-31',
        ...Array.from({ length: 4 }, () => addDays('2026-01-01', next(900))),
        '2028-12-31',
      ].toSorted()
      const sums = noFigures()
      for (const [i, cut] of cuts.entries()) {
        const to = cuts[i + 1]
        if (to === undefined || to === cut) continue
        const part = figuresOf(lives, addDays(cut, 1), to, basis)
        const told = [...Object.values(part.labels), ...Object.values(part.decreases)]
        expect(told.filter((cents) => cents < 0)).toEqual([])
        for (const label of salesLabels) {
          sums.labels[label] += part.labels[label]
          sums.decreases[label] += part.decreases[label]
        }
        sums.labels['1A'] += part.labels['1A']
        sums.labels['1B'] += part.labels['1B']
        const held = lives.reduce((sum, one) => sum + heldAt(one, to, basis), 0n)
        const ours = lives.reduce((sum, one) => sum + gstStateAt(one, to, basis).gstCents, 0)
        expect(ours).toBe(Number(held))
      }
      const whole = figuresOf(lives, '2026-01-01', '2028-12-31', basis)
      expect(sums.labels['1A'] - sums.labels['1B']).toBe(whole.labels['1A'] - whole.labels['1B'])
      for (const label of salesLabels)
        expect(sums.labels[label] - sums.decreases[label]).toBe(whole.labels[label] - whole.decreases[label])
    }
    const [cash, accrual] = (['cash', 'accrual'] as const).map((basis) =>
      lives.map((one) => gstStateAt(one, '2028-12-31', basis)),
    )
    expect(cash).toEqual(accrual)
  }
})
