import { describe, expect, test } from 'vitest'
import { priceDocument } from '../../contract/lines.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { shownAmounts } from '../../contract/shown-lines.ts'
import { chosenOf, type KeptChoice, nothingChosen, withPicked } from './kept-choice.ts'
import { depositFor, openGroups, proposedChoice, totalsWith, type ServiceLine } from './shown-lines.ts'

const line = (name: string, unitPriceCents: number, more: Partial<ServiceLine> = {}): ServiceLine => ({
  guid: name,
  position: 0,
  kind: 'item',
  parentLineGuid: null,
  sourceKey: null,
  showsParts: null,
  name,
  description: null,
  quantity: '1.0000',
  quantityMin: null,
  quantityMax: null,
  quantityStep: null,
  unit: 'each',
  unitPriceCents,
  hireFrom: null,
  hireTo: null,
  discount: null,
  gstCode: 'GST',
  isOptional: false,
  alternativeGroup: null,
  isSelected: true,
  netCents: 0,
  gstCents: 0,
  totalCents: 0,
  ...more,
})

function quoteOf(
  lines: ServiceLine[],
  more: Partial<ServiceQuote> = {},
  roundingRule: 'total_invoice' | 'taxable_supply' = 'total_invoice',
): ServiceQuote {
  const priceMode = more.priceMode ?? 'exclusive'
  const priced = priceDocument({ priceMode, roundingRule, discount: more.discount ?? null, lines })
  return {
    version: 1,
    number: 'Q-1',
    revision: 0,
    title: '',
    status: 'sent',
    questions: [],
    customer: { name: 'Jo', language: 'en' },
    siteLabel: null,
    sentAt: null,
    validUntil: null,
    documentSha256: null,
    priceMode,
    roundingRule,
    discount: null,
    depositCents: 0,
    depositRule: null,
    intro: null,
    terms: null,
    totals: priced.totals,
    acceptedBy: null,
    changeRequest: null,
    asks: [],
    revisions: [],
    schedule: null,
    stages: [],
    order: null,
    invoice: null,
    ...more,
    lines: lines.map((l, i) => ({
      ...l,
      netCents: priced.lines[i]?.netCents ?? 0,
      gstCents: priced.lines[i]?.gstCents ?? 0,
      totalCents: priced.lines[i]?.totalCents ?? 0,
    })),
  }
}

const gates = [
  line('fence', 100_000),
  line('manual', 62_000, { alternativeGroup: 'Gate' }),
  line('motor', 148_000, { alternativeGroup: 'Gate', isSelected: false }),
  line('lights', 45_000, { isOptional: true, isSelected: false }),
]

describe('what a customer chooses on a quote', () => {
  test('begins with what the business proposes, of alternatives one', () => {
    expect([...proposedChoice([...gates, line('second', 1, { alternativeGroup: 'Gate' })])]).toEqual(['manual'])
  })
  test('an alternative takes the place of the other, an option comes and goes', () => {
    const pick = (kept: KeptChoice, index: number) =>
      withPicked(kept, gates[index] as ServiceLine, chosenOf(gates, kept))
    const motor = pick(nothingChosen, 2)
    expect([...chosenOf(gates, motor)]).toEqual(['motor'])
    const lit = pick(motor, 3)
    expect([...chosenOf(gates, lit)]).toEqual(['motor', 'lights'])
    expect([...chosenOf(gates, pick(lit, 3))]).toEqual(['motor'])
  })
  test('what was chosen stays through a revision as far as it still applies', () => {
    const lights = gates[3] as ServiceLine
    const kept: KeptChoice = { ...nothingChosen, options: { lights: true }, alternatives: { Gate: 'motor' } }
    const revised = [
      line('manual-1', 62_000, { alternativeGroup: 'Gate', originLineGuid: 'manual' }),
      line('motor-1', 190_000, { alternativeGroup: 'Gate', originLineGuid: 'motor', isSelected: false }),
      line('lights-1', 3_000, { ...lights, guid: 'lights-1', originLineGuid: 'lights' }),
    ]
    expect([...chosenOf(revised, kept)]).toEqual(['motor-1', 'lights-1'])
    expect([...chosenOf(revised.toSpliced(1, 1), kept)]).toEqual(['manual-1', 'lights-1'])
  })
  test('a group without a choice is asked for', () => {
    expect(openGroups(gates, new Set())).toEqual(['Gate'])
    expect(openGroups(gates, new Set(['motor']))).toEqual([])
  })
  test('the total follows, and the deposit with it', () => {
    const quote = quoteOf(gates, { depositRule: { type: 'percent', value: 3000 } })
    expect(totalsWith(quote, new Set(['manual'])).totalCents).toBe(178_200)
    const totals = totalsWith(quote, new Set(['motor', 'lights']))
    expect(totals).toMatchObject({ totalCents: 322_300, optionalTotalCents: 0 })
    expect(depositFor(quote, totals.totalCents)).toBe(96_690)
  })
  test('is priced with the rounding the business chose, so that it comes to the cent it will be invoiced for', () => {
    const odd = [line('a', 5), line('b', 5), line('c', 5, { isOptional: true, isSelected: false })]
    for (const rule of ['total_invoice', 'taxable_supply'] as const) {
      const wanted = priceDocument({
        priceMode: 'exclusive',
        roundingRule: rule,
        lines: odd.map((l) => ({ ...l, isSelected: true })),
      }).totals
      expect(totalsWith(quoteOf(odd, {}, rule), new Set(['c']))).toEqual(wanted)
    }
  })
})

describe('the amount of a line', () => {
  test('is quantity × price and adds up to the subtotal; discounts stand apart, those on all in the totals', () => {
    const quote = quoteOf(
      [
        line('hire', 2500, { quantity: '192.0000' }),
        line('crew', 16_500, { quantity: '7.5000', discount: { type: 'percent', value: 1000 } }),
      ],
      { discount: { type: 'percent', value: 500 } },
    )
    expect(shownAmounts(quote.lines, 'exclusive')).toEqual([
      { grossCents: 480_000, discountCents: 0 },
      { grossCents: 123_750, discountCents: 12_375 },
    ])
  })
  test('of a deposit that is credited stays what it is', () => {
    const credit = line('Deposit', 0, {
      kind: 'deposit_credit',
      netCents: -10_000,
      gstCents: -1000,
      totalCents: -11_000,
    })
    expect(shownAmounts([credit], 'exclusive')[0]).toEqual({ grossCents: -10_000, discountCents: 0 })
    expect(shownAmounts([credit], 'inclusive')[0]).toEqual({ grossCents: -11_000, discountCents: 0 })
  })
})
