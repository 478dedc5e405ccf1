import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  computeTotals,
  type Discount,
  type DocumentInput,
  type GstCode,
  type LineInput,
  type LineKind,
} from './money.ts'

/**
 * The law once more, written independently: exact fractions instead of scaled integers, and shares handed out cent by
 * cent to whoever is furthest below his exact share.
 */
interface Fraction {
  n: bigint
  d: bigint
}
const of = (n: bigint, d = 1n): Fraction => (d < 0n ? { n: -n, d: -d } : { n, d })
const plus = (a: Fraction, b: Fraction) => of(a.n * b.d + b.n * a.d, a.d * b.d)
const minus = (a: Fraction, b: Fraction) => plus(a, of(-b.n, b.d))
const by = (a: Fraction, b: Fraction) => of(a.n * b.n, a.d * b.d)
const isAbove = (a: Fraction, b: Fraction) => a.n * b.d > b.n * a.d
const floor = (a: Fraction) => (a.n - (((a.n % a.d) + a.d) % a.d)) / a.d
/** To the nearest cent; halves move away from zero. */
const nearest = (a: Fraction): bigint => (a.n < 0n ? -nearest(of(-a.n, a.d)) : floor(plus(a, of(1n, 2n))))
const total = (values: bigint[]) => values.reduce((a, b) => a + b, 0n)

function handOut(cents: bigint, exact: Fraction[]): bigint[] {
  const given = exact.map(floor)
  for (let left = cents - total(given); left > 0n; left--) {
    let best = 0
    for (let i = 1; i < exact.length; i++)
      if (
        isAbove(
          minus(exact[i] as Fraction, of(given[i] as bigint)),
          minus(exact[best] as Fraction, of(given[best] as bigint)),
        )
      )
        best = i
    given[best] = (given[best] as bigint) + 1n
  }
  return given
}
const mirrored = (isNegative: boolean, values: bigint[], work: (values: bigint[]) => bigint[]) =>
  isNegative ? work(values.map((v) => -v)).map((v) => -v) : work(values)

function reduction(amount: bigint, discount: Discount | null | undefined): bigint {
  if (!discount) return 0n
  if (discount.type === 'percent') return nearest(by(of(amount), of(BigInt(discount.value), 10_000n)))
  const size = amount < 0n ? -amount : amount
  const taken = BigInt(discount.value) > size ? size : BigInt(discount.value)
  return amount < 0n ? -taken : taken
}

function lineAmount(line: LineInput): bigint {
  if (line.kind === 'text' || line.kind === 'section') return 0n
  const [whole = '0', decimals = ''] = line.quantity.split('.')
  const quantity = of(BigInt(whole + decimals), 10n ** BigInt(decimals.length))
  const price = BigInt(line.unitPriceCents)
  const gross = nearest(by(quantity, of(line.kind === 'discount' && price > 0n ? -price : price)))
  return gross - reduction(gross, line.discount)
}

function model(doc: DocumentInput) {
  const counted = doc.lines.filter((l) => (!l.isOptional && !l.alternativeGroup) || l.isSelected)
  const credits = counted.filter((l) => l.kind === 'deposit_credit')
  const priced = counted.filter((l) => l.kind !== 'deposit_credit')
  const amounts = priced.map(lineAmount)
  const base = total(amounts)
  const off = reduction(base, doc.documentDiscount)
  const shares =
    off === 0n
      ? amounts.map(() => 0n)
      : mirrored(base < 0n, amounts, (a) =>
          handOut(
            base < 0n ? -off : off,
            a.map((v) => of(v * (base < 0n ? -off : off), base < 0n ? -base : base)),
          ),
        )
  const left = amounts.map((a, i) => a - (shares[i] as bigint))
  const rate = doc.priceMode === 'exclusive' ? of(1n, 10n) : of(1n, 11n)
  const isTaxable = priced.map((l) => l.gstCode === 'GST')
  const taxable = left.filter((_, i) => isTaxable[i])
  const exact = taxable.map((a) => by(of(a), rate)).reduce(plus, of(0n))
  const parts =
    doc.roundingRule === 'taxable_supply'
      ? taxable.map((a) => nearest(by(of(a), rate)))
      : mirrored(exact.n < 0n, taxable, (a) =>
          handOut(
            nearest(exact.n < 0n ? of(-exact.n, exact.d) : exact),
            a.map((v) => by(of(v), rate)),
          ),
        )
  const gst =
    (doc.roundingRule === 'total_invoice' ? nearest(exact) : total(parts)) +
    total(credits.map((l) => BigInt(l.creditGstCents ?? 0)))
  const creditNet = total(credits.map((l) => BigInt(l.creditNetCents ?? 0)))
  const creditGst = total(credits.map((l) => BigInt(l.creditGstCents ?? 0)))
  const net = doc.priceMode === 'exclusive' ? total(left) + creditNet : total(left) - (gst - creditGst) + creditNet
  return { net, gst, parts, taxed: priced.filter((_, i) => isTaxable[i]), left, priced }
}

const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 250_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -50_000, max: 90_000_000 }) },
)
const quantity = fc.oneof(
  fc.constantFrom('1', '2', '0.5', '10', '0.3333', '1.25'),
  fc
    .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 9999 }))
    .map(([w, f]) => `${w}.${String(f).padStart(4, '0')}`),
)
const discount: fc.Arbitrary<Discount | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 0, max: 10_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('fixed' as const), value: fc.integer({ min: 0, max: 20_000 }) }),
  },
)
const kinds: LineKind[] = [
  'item',
  'item',
  'item',
  'item',
  'labour',
  'hire',
  'fee',
  'section',
  'text',
  'discount',
  'deposit_credit',
]
const codes: GstCode[] = ['GST', 'GST', 'GST', 'GST', 'FREE', 'EXPORT', 'INPUT_TAXED', 'NOT_REGISTERED']
const anyLine: fc.Arbitrary<LineInput> = fc
  .tuple(
    fc.constantFrom(...kinds),
    quantity,
    cents,
    discount,
    fc.constantFrom(...codes),
    fc.integer({ min: 0, max: 15 }),
    cents,
  )
  .map(([kind, q, unitPriceCents, d, gstCode, choice, c]) => ({
    kind,
    quantity: q,
    unitPriceCents,
    discount: d,
    gstCode,
    isOptional: choice === 1 || choice === 2,
    alternativeGroup: choice === 3 || choice === 4 ? 'A' : null,
    isSelected: choice % 2 === 0,
    creditNetCents: kind === 'deposit_credit' ? -c : null,
    creditGstCents: kind === 'deposit_credit' ? -Math.trunc(c / 10) : null,
  }))
const anyDocument: fc.Arbitrary<DocumentInput> = fc.record({
  priceMode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  roundingRule: fc.constantFrom('total_invoice' as const, 'taxable_supply' as const),
  documentDiscount: discount,
  lines: fc.array(anyLine, { maxLength: 7, size: 'max' }),
})

const runs = process.env.PROVE ? 1_000_000 : 30_000
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

function agree(doc: DocumentInput): void {
  const totals = computeTotals(doc)
  const expected = model(doc)
  const problems: string[] = []
  const same = (what: string, actual: number, wanted: number | bigint) => {
    if (BigInt(actual) !== BigInt(wanted)) problems.push(`${what}: ${actual} instead of ${wanted}`)
  }
  same('subtotal', totals.subtotalCents, expected.net)
  same('gst', totals.gstCents, expected.gst)
  same('total', totals.totalCents, totals.subtotalCents + totals.gstCents)
  const counted = totals.lines.filter((l) => l.isCounted)
  same('lines net', sum(counted.map((l) => l.netCents)), totals.subtotalCents)
  same('lines gst', sum(counted.map((l) => l.gstCents)), totals.gstCents)
  same('lines total', sum(counted.map((l) => l.totalCents)), totals.totalCents)
  const codesUsed = Object.values(totals.gstByCode)
  same('codes total', sum(codesUsed.map((c) => c.totalCents)), totals.totalCents)
  same('codes gst', sum(codesUsed.map((c) => c.gstCents)), totals.gstCents)
  const afterDiscount = totals.linesCents - totals.documentDiscountCents
  same('lines less discount', afterDiscount, doc.priceMode === 'exclusive' ? totals.subtotalCents : totals.totalCents)
  expected.priced.forEach((l, i) => {
    const shown = totals.lines[doc.lines.indexOf(l)]
    same(
      `amount of line ${i}`,
      (doc.priceMode === 'exclusive' ? shown?.netCents : shown?.totalCents) ?? Number.NaN,
      expected.left[i] as bigint,
    )
  })
  const isOpen = (l: LineInput) => l.isOptional && !l.isSelected && !l.alternativeGroup && l.kind !== 'deposit_credit'
  const chosen = model({ ...doc, lines: doc.lines.map((l) => (isOpen(l) ? { ...l, isSelected: true } : l)) })
  same('options', totals.optionalTotalCents, chosen.net + chosen.gst - expected.net - expected.gst)
  expected.taxed.forEach((l, i) =>
    same(`gst of line ${i}`, totals.lines[doc.lines.indexOf(l)]?.gstCents ?? Number.NaN, expected.parts[i] as bigint),
  )
  if (problems.length > 0) expect(problems).toEqual([])
}

test(`${runs.toLocaleString('en')} random documents come out as in an independent model`, () => {
  fc.assert(fc.property(anyDocument, agree), { numRuns: runs })
}, 600_000)

test('a document and its adjustment mirror each other', () => {
  fc.assert(
    fc.property(anyDocument, (doc) => {
      const plain = { ...doc, lines: doc.lines.filter((l) => l.kind !== 'discount' && l.kind !== 'deposit_credit') }
      const mirror = { ...plain, lines: plain.lines.map((l) => ({ ...l, unitPriceCents: -l.unitPriceCents })) }
      const [a, b] = [computeTotals(plain), computeTotals(mirror)]
      expect([b.subtotalCents, b.gstCents, b.totalCents]).toEqual(
        [a.subtotalCents, a.gstCents, a.totalCents].map((c) => (c === 0 ? 0 : -c)),
      )
    }),
    { numRuns: 5000 },
  )
}, 60_000)
