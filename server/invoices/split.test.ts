import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeAmount, totalOf } from '../../contract/code-amounts.ts'
import { AppError } from '../../contract/core/errors.ts'
import { priceDocument, type Discount } from '../../contract/lines.ts'
import { uncatalogued } from '../documents/lines.service.ts'
import { toUnits, unitsText } from '../documents/quantities.service.ts'
import { byCode } from './codes.ts'
import type { OpenDeposit } from './credits.ts'
import { splitOrder, type Billed, type Ordered, type Split } from './split.ts'

const discount = fc.option(
  fc.oneof(
    fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ type: fc.constant('fixed' as const), value: fc.integer({ min: 0, max: 60_000 }) }),
  ),
)
const lineOf = fc.record({
  kind: fc.constantFrom('item' as const, 'item' as const, 'labour' as const, 'section' as const),
  units: fc.integer({ min: 1, max: 200_000 }),
  unitPriceCents: fc.integer({ min: 0, max: 99_999 }),
  discount,
  gstCode: fc.constantFrom('GST' as const, 'GST' as const, 'FREE' as const),
})
const orderOf = fc.record({
  priceMode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  roundingRule: fc.constantFrom('total_invoice' as const, 'taxable_supply' as const),
  discount,
  lines: fc.array(lineOf, { minLength: 1, maxLength: 6 }),
})

function order(given: {
  priceMode: 'exclusive' | 'inclusive'
  roundingRule: 'total_invoice' | 'taxable_supply'
  discount: Discount | null
  lines: {
    kind: 'item' | 'labour' | 'section'
    units: number
    unitPriceCents: number
    discount: Discount | null
    gstCode: 'GST' | 'FREE'
  }[]
}): Ordered {
  const lines = given.lines.map((line, i) => ({
    ...uncatalogued,
    ...line,
    guid: `line ${i}`,
    productGuid: null,
    name: `Line ${i}`,
    description: null,
    unit: 'each',
    quantity: line.kind === 'section' ? '1' : unitsText(BigInt(line.units)),
    unitPriceCents: line.kind === 'section' ? 0 : line.unitPriceCents,
    quantityInvoiced: '0',
    discountBilledCents: 0,
  }))
  return { ...given, lines, totalCents: priceDocument({ ...given, lines }).totals.totalCents }
}

const none: Billed = { workCents: 0, discountCents: 0 }

/** The order after an invoice, and what is billed of it. */
function after(before: Ordered, billed: Billed, split: Split): { order: Ordered; billed: Billed } {
  const lines = before.lines.map((line) => {
    const invoiced = split.lines.filter((l) => l.orderLineGuid === line.guid)
    const used = invoiced.reduce((sum, l) => sum + (l.discount?.type === 'fixed' ? l.discount.value : 0), 0)
    return {
      ...line,
      quantityInvoiced: unitsText(toUnits(line.quantityInvoiced) + toUnits(split.taken.get(line.guid) ?? '0')),
      discountBilledCents: line.discountBilledCents + used,
    }
  })
  const used = split.discount?.type === 'fixed' && before.discount?.type === 'fixed' ? split.discount.value : 0
  return {
    order: { ...before, lines },
    billed: {
      workCents: billed.workCents + split.totals.totalCents + split.depositAppliedCents,
      discountCents: billed.discountCents + used,
    },
  }
}

const leftOf = (deposit: OpenDeposit, split: Split): OpenDeposit => ({
  ...deposit,
  parts: byCode([...deposit.parts, ...split.lines.filter((l) => l.depositInvoiceGuid === deposit.guid)]),
})

/** What a deposit asks for of each kind of GST, as the quote has them. */
function depositOf(whole: Ordered, bp: number): CodeAmount[] {
  const { lines } = priceDocument(whole)
  const kinds = byCode(
    whole.lines.map(({ gstCode }, i) => ({
      gstCode,
      netCents: lines[i]?.netCents ?? 0,
      gstCents: lines[i]?.gstCents ?? 0,
    })),
  )
  return kinds.flatMap(({ gstCode, ...amount }) => {
    const cents = Math.floor((totalOf({ gstCode, ...amount }) * bp) / 10_000)
    const gstCents = gstCode === 'GST' ? Math.round(cents / 11) : 0
    return cents > 0 ? [{ gstCode, netCents: cents - gstCents, gstCents }] : []
  })
}

describe('invoicing an order', () => {
  it('bills the order to the cent, however it is cut into deposit, progress and final invoices', () => {
    fc.assert(
      fc.property(
        orderOf,
        fc.array(fc.integer({ min: 1, max: 9999 }), { maxLength: 4 }),
        fc.integer({ min: 0, max: 10_000 }),
        (given, shares, depositBp) => {
          const whole = order(given)
          fc.pre(whole.lines.some((l) => l.kind !== 'section') && whole.totalCents >= 0)
          let deposit: OpenDeposit = {
            guid: 'deposit',
            number: 'INV-1',
            language: 'en',
            parts: depositOf(whole, depositBp),
          }
          const depositCents = deposit.parts.reduce((sum, part) => sum + totalOf(part), 0)
          let state = { order: whole, billed: none }
          let total = depositCents
          for (const ask of [
            ...shares.map((shareBp) => ({ kind: 'progress' as const, shareBp })),
            { kind: 'final' as const },
          ]) {
            let split: Split
            try {
              split = splitOrder(state.order, state.billed, [deposit], ask)
            } catch (error) {
              if (error instanceof AppError) continue
              throw error
            }
            total += split.totals.totalCents
            deposit = leftOf(deposit, split)
            state = after(state.order, state.billed, split)
            // A deposit may carry a cent of GST more than the work it is credited against.
            if (ask.kind === 'progress') expect(split.totals.gstCents).toBeGreaterThanOrEqual(-2)
            expect(split.totals.subtotalCents - split.totals.discountCents + split.totals.gstCents).toBe(
              split.totals.totalCents,
            )
          }
          expect(total).toBe(whole.totalCents)
          expect(deposit.parts).toEqual([])
        },
      ),
      { numRuns: process.env.PROVE ? 20_000 : 1500 },
    )
  })

  it('keeps every line as it was ordered when one invoice takes everything', () => {
    const whole = order({
      priceMode: 'exclusive',
      roundingRule: 'total_invoice',
      discount: { type: 'fixed', value: 1000 },
      lines: [{ kind: 'item', units: 20_000, unitPriceCents: 12_500, discount: null, gstCode: 'GST' }],
    })
    const split = splitOrder(whole, none, [], { kind: 'final' })
    expect(split.lines.map((l) => [l.name, l.quantity, l.totalCents])).toEqual([['Line 0', '2', 26_400]])
    expect(split.totals).toEqual({ subtotalCents: 25_000, discountCents: 1000, gstCents: 2400, totalCents: 26_400 })
  })

  it('spreads a fixed discount by what is invoiced', () => {
    const whole = order({
      priceMode: 'exclusive',
      roundingRule: 'total_invoice',
      discount: { type: 'fixed', value: 1000 },
      lines: [{ kind: 'item', units: 10_000, unitPriceCents: 10_000, discount: null, gstCode: 'GST' }],
    })
    const first = splitOrder(whole, none, [], { kind: 'progress', shareBp: 3000 })
    expect([first.discount, first.totals.totalCents]).toEqual([{ type: 'fixed', value: 300 }, 2970])
    const state = after(whole, none, first)
    const last = splitOrder(state.order, state.billed, [], { kind: 'final' })
    expect([last.discount, last.totals.totalCents]).toEqual([{ type: 'fixed', value: 700 }, 6930])
  })

  it('credits a deposit up to the total and leaves the rest for the next invoice', () => {
    const whole = order({
      priceMode: 'exclusive',
      roundingRule: 'total_invoice',
      discount: null,
      lines: [{ kind: 'item', units: 10_000, unitPriceCents: 100_000, discount: null, gstCode: 'GST' }],
    })
    const deposit: OpenDeposit = {
      guid: 'd',
      number: 'INV-1001',
      language: 'en',
      parts: [{ gstCode: 'GST', netCents: 30_000, gstCents: 3000 }],
    }
    const split = splitOrder(whole, none, [deposit], { kind: 'progress', shareBp: 2000 })
    expect([split.totals.totalCents, split.totals.gstCents, split.depositAppliedCents]).toEqual([0, 0, 22_000])
    expect(leftOf(deposit, split).parts).toEqual([{ gstCode: 'GST', netCents: 10_000, gstCents: 1000 }])
  })

  it('refuses to invoice more than is left', () => {
    const whole = order({
      priceMode: 'exclusive',
      roundingRule: 'total_invoice',
      discount: null,
      lines: [{ kind: 'item', units: 10_000, unitPriceCents: 100, discount: null, gstCode: 'GST' }],
    })
    expect(() =>
      splitOrder(whole, none, [], { kind: 'progress', lines: [{ lineGuid: 'line 0', quantity: '1.0001' }] }),
    ).toThrow('Please fix the highlighted fields.')
  })
})
