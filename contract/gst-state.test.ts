import { describe, expect, test } from 'vitest'
import type { GstBasis } from './businesses.ts'
import { addDays } from './core/dates.ts'
import {
  addMovement,
  type CodePart,
  gstBroughtForward,
  gstStateAt,
  gstStateOn,
  type InvoiceLife,
  noFigures,
  type PeriodFigures,
  salesLabels,
  wholeDollars,
} from './gst-state.ts'
import { gstCodes } from './lines.ts'
import { writeOffGst } from './write-offs.ts'

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

  test('is told by code, and what was received of each with the money', () => {
    const parts: CodePart[] = [
      gst(11_000, 1000),
      { gstCode: 'EXPORT', totalCents: 2000, gstCents: 0 },
      { gstCode: 'FREE', totalCents: 4000, gstCents: 0 },
      { gstCode: 'INPUT_TAXED', totalCents: 3001, gstCents: 0 },
    ]
    const half = life({ parts, money: [{ on: '2026-07-20', cents: 10_000 }] })
    const all = { G1: 20_001, G2: 2000, G3: 4000, G4: 3001, gstCents: 1000 }
    expect(gstStateAt(half, '2026-07-31', 'accrual')).toEqual(all)
    // 10,000 of 20,001: 999.95, 1,999.9, 1,500.4 and 499.98, half up.
    expect(gstStateAt(half, '2026-07-31', 'cash')).toEqual({ G1: 10_000, G2: 1000, G3: 2000, G4: 1500, gstCents: 500 })
  })

  test('drops cents of figures and keeps their sign', () => {
    expect([199, -199, 99, -99, 0].map(wholeDollars)).toEqual([1, -1, 0, 0, 0])
  })
})

test('once it counted with the invoice it stays there, and what waited is due when the basis ceases', () => {
  const part = life({ money: [{ on: '2026-08-01', cents: 55_000 }] })
  const at = (day: string, changes: readonly { from: string; basis: GstBasis }[], first: GstBasis) =>
    gstStateOn(part, day, { first, changes }).gstCents
  const ceases = [{ from: '2026-10-01', basis: 'accrual' as const }]
  expect(['2026-07-31', '2026-09-30', '2026-10-01'].map((day) => at(day, ceases, 'cash'))).toEqual([0, 5000, 10_000])
  const starts = [{ from: '2026-10-01', basis: 'cash' as const }]
  expect(['2026-07-31', '2026-10-01'].map((day) => at(day, starts, 'accrual'))).toEqual([10_000, 10_000])
  expect(at('2026-07-31', [{ from: '2026-07-01', basis: 'cash' }], 'accrual')).toBe(0)
})

test('an order of which more was invoiced than it came to brings nothing forward', () => {
  const order = { gstCents: 100_000, supply: 'single' as const, begunOn: '2026-09-20' }
  expect(gstBroughtForward(order, 120_000, '2026-12-31')).toBe(0)
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

const noted = { EXPORT: 'G2', FREE: 'G3', INPUT_TAXED: 'G4' } as const

/** The same told otherwise: balances kept by hand from day to day, one for the tax and one for each code. */
function heldAt({ issuedOn, voidedOn, parts, notes, money, writeOffs }: InvoiceLife, day: string, basis: GstBasis) {
  let [tax, paid, off] = [0n, 0n, 0n]
  const sold = { GST: 0n, FREE: 0n, EXPORT: 0n, INPUT_TAXED: 0n, NOT_REGISTERED: 0n }
  const days = [issuedOn, voidedOn ?? issuedOn, ...[...notes, ...money, ...writeOffs].map(({ on }) => on)]
  for (const on of [...new Set(days)].toSorted()) {
    if (on > day) break
    if (on === voidedOn) return { G1: 0, G2: 0, G3: 0, G4: 0, gstCents: 0 }
    for (const [sign, moved] of [
      [1n, on === issuedOn ? parts : []],
      [-1n, notes.filter((note) => note.on === on).flatMap((note) => note.parts)],
    ] as const)
      for (const part of moved) {
        tax += sign * BigInt(part.gstCents)
        sold[part.gstCode] += sign * BigInt(part.totalCents)
      }
    for (const one of money) if (one.on === on) paid += BigInt(one.cents)
    for (const one of writeOffs) if (one.on === on) off += BigInt(one.gstCents)
  }
  const total = Object.values(sold).reduce((sum, cents) => sum + cents, 0n)
  // Half up, as it is taught: add a half and cut.
  const received = (cents: bigint) => (total === 0n ? 0n : (2n * paid * cents + total) / (2n * total))
  const counts = basis === 'accrual' ? (cents: bigint) => cents : received
  const told = { G1: basis === 'accrual' ? total : paid, G2: 0n, G3: 0n, G4: 0n, gstCents: counts(tax) }
  for (const [code, label] of Object.entries(noted)) told[label] = counts(sold[code as keyof typeof noted])
  if (basis === 'accrual') told.gstCents -= off
  return Object.fromEntries(Object.entries(told).map(([name, cents]) => [name, Number(cents)]))
}

function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const totalOf = (parts: readonly CodePart[]) => parts.reduce((sum, part) => sum + part.totalCents, 0)
const gstOf = (parts: readonly CodePart[]) => parts.reduce((sum, part) => sum + part.gstCents, 0)

/** An invoice with notes, money that comes and goes, and an end: paid, written off, or paid after all. */
function aLife(next: (below: number) => number): InvoiceLife {
  const issuedOn = addDays('2026-01-01', next(200))
  const parts = gstCodes.flatMap((gstCode): CodePart[] => {
    const totalCents = next(3) === 0 ? 0 : 1 + next(500_000)
    const gstCents = gstCode === 'GST' ? Math.round(totalCents / 11) : 0
    return totalCents === 0 ? [] : [{ gstCode, totalCents, gstCents }]
  })
  const later = () => addDays(issuedOn, next(300))
  const voided = next(8) === 0
  if (voided || parts.length === 0) return life({ issuedOn, parts, voidedOn: voided ? later() : null })
  const third = (cents: number) => Math.floor(cents / 3)
  const less = parts.map((part) => ({ ...part, totalCents: third(part.totalCents), gstCents: third(part.gstCents) }))
  const notes = next(3) === 0 ? [{ on: later(), parts: less }] : []
  const taken = notes.flatMap((note) => note.parts)
  const owing = totalOf(parts) - totalOf(taken)
  const first = next(owing + 1)
  const paidOn = later()
  const refunded = { on: addDays(paidOn, 40), cents: -next(first + 1) }
  const money = [{ on: paidOn, cents: first }, ...(next(3) === 0 ? [refunded] : [])]
  const paidCents = money.reduce((sum, { cents }) => sum + cents, 0)
  const rest = { on: '2027-12-31', cents: owing - paidCents }
  const end = next(3)
  if (end === 0) return life({ issuedOn, parts, notes, money: [...money, rest] })
  const state = { totalCents: owing, gstCents: gstOf(parts) - gstOf(taken), paidCents }
  const gstCents = writeOffGst({ ...state, writtenOffCents: 0, writtenOffGstCents: 0 }, rest.cents)
  const off = { ...rest, gstCents }
  if (end === 1) return life({ issuedOn, parts, notes, money, writeOffs: [off] })
  const back = { on: '2028-03-01', cents: -off.cents, gstCents: -gstCents }
  return life({ issuedOn, parts, notes, money: [...money, { ...rest, on: back.on }], writeOffs: [off, back] })
}

const lastDay = '2028-12-31'

test('periods add up to the whole and agree with another reckoning', () => {
  const next = numbers(20_261_124)
  for (let round = 0; round < 150; round++) {
    const lives = Array.from({ length: 3 }, () => aLife(next))
    const some = Array.from({ length: 4 }, () => addDays('2026-01-01', next(900)))
    const cuts = [...new Set(['2025-12-31', ...some, lastDay])].toSorted()
    for (const basis of ['cash', 'accrual'] as const) {
      const sums = noFigures()
      for (const [i, to] of cuts.slice(1).entries()) {
        const { labels, decreases } = figuresOf(lives, addDays(cuts[i] ?? '', 1), to, basis)
        expect([...Object.values(labels), ...Object.values(decreases)].filter((cents) => cents < 0)).toEqual([])
        for (const label of salesLabels) sums.labels[label] += labels[label] - decreases[label]
        sums.labels['1A'] += labels['1A'] - labels['1B']
        for (const one of lives) expect(gstStateAt(one, to, basis)).toEqual(heldAt(one, to, basis))
      }
      const whole = figuresOf(lives, '2026-01-01', lastDay, basis)
      expect(sums.labels['1A']).toBe(whole.labels['1A'] - whole.labels['1B'])
      for (const label of salesLabels) expect(sums.labels[label]).toBe(whole.labels[label] - whole.decreases[label])
    }
  }
})

test('both bases agree once all is paid, and on the tax where the rest was written off', () => {
  const next = numbers(4_112_026)
  for (let round = 0; round < 300; round++) {
    const one = aLife(next)
    const [cash, accrual] = [gstStateAt(one, lastDay, 'cash'), gstStateAt(one, lastDay, 'accrual')]
    expect(cash.gstCents).toBe(accrual.gstCents)
    if (one.voidedOn !== null || one.writeOffs.length !== 1) expect(cash).toEqual(accrual)
  }
})
