import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeTotals, roundingRules } from '../../contract/core/money.ts'
import { priceDocument } from '../../contract/lines.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { gstCodeOf, isNumberedByName, shownAmounts } from '../../contract/shown-lines.ts'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

interface Line {
  guid: string
  parentLineGuid: string | null
  sourceKey: string | null
  showsParts: boolean | null
  kind: string
  name: string
  quantity: string
  unitPriceCents: number
  netCents: number
  gstCode: string
  isOptional: boolean
  isSelected: boolean
  quantityInvoiced?: string
}
interface Totals {
  subtotalCents: number
  discountCents: number
  gstCents: number
  totalCents: number
}
interface Document {
  guid: string
  version: number
  lines: Line[]
  totals: Totals
}
interface Quote extends Document {
  serviceGuid: string
}

interface Priced {
  totals: Totals
  margin: { cents: number; bp: number } | null
  lines: (Omit<Line, 'guid'> & { children: Line[] })[]
}

let app: Running
let people: Actors
let customerGuid: string
let parts: string[]
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  parts = [
    await product({ name: 'Marquee', priceCents: 78_000, costCents: 30_000 }),
    await product({ name: 'Trestle table', priceCents: 1950, costCents: 700 }),
    await product({ name: 'Delivery', priceCents: 7680, gstCode: 'FREE' }),
  ]
})
afterAll(() => app.stop())

async function product(body: Record<string, unknown>) {
  return ok(await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', body), 201).product.guid
}
const aBundle = (bundle: Record<string, unknown> = {}, more = {}) =>
  product({
    name: 'Party set',
    kind: 'bundle',
    priceCents: 100_000,
    bundle: {
      mode: 'fixed',
      showParts: true,
      items: ['1', '8', '1'].map((quantity, i) => ({ productGuid: parts[i], quantity })),
      ...bundle,
    },
    ...more,
  })
const aQuote = async (lines: unknown[], more = {}) =>
  ok(
    await app.call<{ quote: Quote }>(people.office, 'POST', '/Quotes', {
      customerGuid,
      title: 'Party',
      lines,
      ...more,
    }),
    201,
  ).quote
const anOrder = async (lines: unknown[], more = {}) =>
  ok(
    await app.call<{ order: Document }>(people.office, 'POST', '/Orders', {
      customerGuid,
      title: 'Party',
      lines,
      ...more,
    }),
    201,
  ).order
const change = async (quote: Document, lines: unknown[]) =>
  ok(
    await app.call<{ quote: Quote }>(people.office, 'PATCH', `/Quotes/${quote.guid}`, {
      version: quote.version,
      lines,
    }),
  ).quote
const problemsOfLedger = async () => (await verifyLedger(app.deps.db)).problems
const shape = (lines: readonly Line[]) => {
  const names = new Map(lines.map((line) => [line.guid, line.name]))
  return lines.map((line) => [names.get(line.parentLineGuid ?? '') ?? null, line.name, line.quantity, line.netCents])
}

describe('a bundle on a document', () => {
  test('is a heading with the price of one, and its parts carry the money', async () => {
    const productGuid = await aBundle()
    const quote = await aQuote([
      { name: 'Before', unitPriceCents: 100 },
      { name: 'Party set', productGuid, quantity: '2' },
    ])
    expect(shape(quote.lines)).toEqual([
      [null, 'Before', '1', 100],
      [null, 'Party set', '2', 0],
      ['Party set', '1 × Marquee', '2', 154_028],
      ['Party set', '8 × Trestle table', '2', 30_806],
      ['Party set', '1 × Delivery', '2', 15_166],
    ])
    expect(quote.lines[1]).toMatchObject({ kind: 'bundle', unitPriceCents: 100_000, showsParts: true })
    expect(quote.lines.map((line) => line.sourceKey)).toEqual([
      null,
      null,
      ...parts.map((guid, i) => `part:${i}:${guid}`),
    ])
    expect(quote.totals).toMatchObject({ subtotalCents: 200_100, gstCents: 18_493, totalCents: 218_593 })
  })

  test('keeps its parts and their guids: as they were while it is as it was, and when it is priced anew', async () => {
    const productGuid = await aBundle()
    const { guid } = (await aQuote([{ name: 'x', unitPriceCents: 1 }])).lines[0] ?? { guid: '' }
    const quote = await aQuote([{ name: 'Party set', productGuid }])
    const sent = { name: 'Party set', productGuid, guid: quote.lines[0]?.guid, kind: 'bundle', unitPriceCents: 100_000 }
    ok(
      await app.call(people.office, 'PATCH', `/Products/${productGuid}`, {
        version: 1,
        bundle: { mode: 'fixed', showParts: false, items: [{ productGuid: parts[0], quantity: '1' }] },
      }),
    )
    const same = await change(quote, [{ ...sent, name: 'Party set for us' }])
    expect(same.lines.map((line) => line.guid)).toEqual(quote.lines.map((line) => line.guid))
    expect(shape(same.lines).slice(1)).toEqual(
      shape(quote.lines)
        .slice(1)
        .map(([, ...rest]) => ['Party set for us', ...rest]),
    )
    const anew = await change(same, [{ ...sent, quantity: '3' }])
    expect(shape(anew.lines)).toEqual([
      [null, 'Party set', '3', 0],
      ['Party set', '1 × Marquee', '3', 300_000],
    ])
    expect(anew.lines.map((line) => line.guid)).toEqual(quote.lines.slice(0, 2).map((line) => line.guid))
    expect(anew.lines[0]?.showsParts).toBe(false)
    // A child is never sent: what looks like one is a line of another document.
    const refused = await app.call(people.office, 'PATCH', `/Quotes/${anew.guid}`, {
      version: anew.version,
      lines: [{ ...sent, guid }],
    })
    expect([refused.status, refused.errors[0]?.path]).toEqual([422, 'lines.0.guid'])
  })

  test('is shared again when somebody enters its price, and is nothing without a product', async () => {
    const productGuid = await aBundle()
    const quote = await aQuote([{ name: 'Party set', productGuid, unitPriceCents: 90_001 }])
    expect(quote.lines.slice(1).reduce((sum, line) => sum + line.unitPriceCents, 0)).toBe(90_001)
    const line = { name: 'Party set', productGuid, guid: quote.lines[0]?.guid, unitPriceCents: 90_001 }
    const more = await change(quote, [{ ...line, quantity: '2.5' }])
    expect(more.lines.map(({ quantity }) => quantity)).toEqual(['2.5', '2.5', '2.5', '2.5'])
    expect(more.totals.subtotalCents).toBe(225_003)
    const none = await app.call(people.office, 'POST', '/Quotes', {
      customerGuid,
      title: 'Party',
      lines: [{ name: 'A bundle of mine', kind: 'bundle', unitPriceCents: 5 }],
    })
    expect([none.status, none.errors]).toEqual([
      422,
      [{ path: 'lines.0.name', message: 'Choose a bundle from the catalogue.' }],
    ])
  })

  test('follows its line with all its parts, and not with what an answer adds once', async () => {
    const { bookingOption } = ok(
      await app.call<{ bookingOption: { guid: string } }>(people.office, 'POST', '/Products/BookingOptions', {
        code: 'night',
        label: { en: 'Night set-up' },
        input: 'boolean',
        choices: [{ code: 'yes', label: { en: 'Yes' }, cents: 25_000, per: 'once' }],
      }),
      201,
    )
    const productGuid = await aBundle({}, { optionGuids: [bookingOption.guid] })
    const answers = [{ option: 'night', value: { isYes: true } }]
    const line = { name: 'Party set', productGuid, unitPriceCents: 90_000 }
    const quote = await aQuote([{ ...line, answers }])
    expect(quote.totals.subtotalCents).toBe(115_000)
    const more = await change(quote, [{ ...line, guid: quote.lines[0]?.guid, quantity: '3' }])
    expect(more.lines.map(({ kind, quantity }) => [kind, quantity])).toEqual([
      ['bundle', '3'],
      ...[1, 2, 3].map(() => ['item', '3']),
      ['fee', '1'],
    ])
    expect(more.lines.map(({ guid }) => guid)).toEqual(quote.lines.map(({ guid }) => guid))
    expect(more.totals.subtotalCents).toBe(295_000)
  })

  test('is chosen with its parts', async () => {
    const productGuid = await aBundle()
    const quote = await aQuote([
      { name: 'Party set', productGuid, isOptional: true },
      { name: 'Large', productGuid, alternativeGroup: 'A' },
      { name: 'Small', unitPriceCents: 50_000, alternativeGroup: 'A' },
    ])
    expect(quote.lines.map((line) => [line.isOptional, line.isSelected])).toEqual([
      ...[1, 2, 3, 4].map(() => [true, false]),
      ...[1, 2, 3, 4].map(() => [false, true]),
      [false, false],
    ])
    expect(quote.totals).toMatchObject({ subtotalCents: 100_000, optionalTotalCents: 109_241 })
  })

  test('goes from quote to copy, order and invoices with its parts, in parts to the cent', async () => {
    const productGuid = await aBundle({}, { priceCents: 100_001 })
    const line = { name: 'Party set', productGuid, quantity: '3', discount: { type: 'fixed', value: 1001 } }
    const quote = await aQuote([line, { name: 'Extra', unitPriceCents: 333, quantity: '0.5' }])
    const copied = ok(
      await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Duplicate/${quote.guid}`, {}),
      201,
    ).quote
    expect(shape(copied.lines)).toEqual(shape(quote.lines))
    expect(copied.lines.some(({ guid }) => quote.lines.some((old) => old.guid === guid))).toBe(false)
    const sent = ok(
      await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Send/${copied.guid}`, {
        version: copied.version,
      }),
    ).quote
    ok(
      await app.call(people.office, 'POST', `/Quotes/Accept/${sent.guid}`, {
        version: sent.version,
        name: 'Ada',
        method: 'phone',
      }),
    )
    const { orderGuid } = ok(
      await app.call<{ quote: { orderGuid: string } }>(people.office, 'GET', `/Quotes/${sent.guid}`),
    ).quote
    const read = async () =>
      ok(await app.call<{ order: Document & { invoiceStatus: string } }>(people.office, 'GET', `/Orders/${orderGuid}`))
        .order
    const order = await read()
    expect(shape(order.lines)).toEqual(shape(quote.lines))
    expect(order.totals.totalCents).toBe(quote.totals.totalCents)
    const bill = async (body: Record<string, unknown>) => {
      const { version } = await read()
      const { invoice } = ok(
        await app.call<{ invoice: Document }>(people.office, 'POST', `/Orders/Invoice/${orderGuid}`, {
          version,
          ...body,
        }),
        201,
      )
      return ok(await app.call<{ invoice: Document }>(people.office, 'GET', `/Invoices/${invoice.guid}`)).invoice
    }
    const [heading, part] = order.lines
    const refused = await app.call(people.office, 'POST', `/Orders/Invoice/${orderGuid}`, {
      version: order.version,
      kind: 'progress',
      lines: [{ lineGuid: part?.guid, quantity: '1' }],
    })
    expect([refused.status, refused.errors[0]?.message]).toEqual([422, 'Choose a priced line on this order.'])
    const first = await bill({ kind: 'progress', lines: [{ lineGuid: heading?.guid, quantity: '1' }] })
    expect(first.lines.map(({ kind, quantity }) => [kind, quantity])).toEqual([
      ['bundle', '1'],
      ...[1, 2, 3].map(() => ['item', '1']),
    ])
    const second = await bill({ kind: 'progress', shareBp: 3333 })
    const last = await bill({ kind: 'final' })
    const after = await read()
    expect(after.invoiceStatus).toBe('drafted')
    expect(after.lines.map((l) => l.quantityInvoiced)).toEqual(after.lines.map((l) => l.quantity))
    expect([first, second, last].reduce((sum, { totals }) => sum + totals.totalCents, 0)).toBe(order.totals.totalCents)
    expect(await problemsOfLedger()).toEqual([])
  })

  test('keeps the parts of which some are invoiced, however many there are then', async () => {
    const productGuid = await aBundle()
    const order = await anOrder([{ name: 'Party set', productGuid, quantity: '2' }])
    ok(
      await app.call(people.office, 'POST', `/Orders/Invoice/${order.guid}`, {
        version: order.version,
        kind: 'progress',
        lines: [{ lineGuid: order.lines[0]?.guid, quantity: '1' }],
      }),
      201,
    )
    const { version } = ok(await app.call<{ order: Document }>(people.office, 'GET', `/Orders/${order.guid}`)).order
    ok(
      await app.call(people.office, 'PATCH', `/Products/${productGuid}`, {
        version: 1,
        bundle: { mode: 'fixed', showParts: true, items: [{ productGuid: parts[0], quantity: '1' }] },
      }),
    )
    const save = (more: Record<string, unknown>) =>
      app.call<{ order: Document }>(people.office, 'PATCH', `/Orders/${order.guid}`, {
        version,
        lines: [
          {
            name: 'Party set',
            productGuid,
            kind: 'bundle',
            guid: order.lines[0]?.guid,
            unitPriceCents: 100_000,
            ...more,
          },
        ],
      })
    const less = await save({ quantity: '0.5' })
    expect([less.status, less.errors[0]?.path]).toEqual([422, 'lines.0.quantity'])
    const saved = ok(await save({ quantity: '4' })).order
    expect(saved.lines.map((line) => [line.guid, line.quantity])).toEqual(order.lines.map((line) => [line.guid, '4']))
    expect(await problemsOfLedger()).toEqual([])
  })
})

describe('what a bundle comes to', () => {
  const quantity = fc.integer({ min: 1, max: 3_000_000 }).map((units) => String(units / 10_000))
  const discount = fc.oneof(
    fc.constant(null),
    fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 10_000 }) }),
    fc.record({ type: fc.constant('fixed' as const), value: fc.integer({ min: 1, max: 500_000 }) }),
  )
  test('is shared among its parts to the cent, as it is priced and as it is saved', async () => {
    const bundles = [
      await aBundle(),
      await aBundle({ mode: 'sum' }),
      await aBundle({ mode: 'percent', bp: 1234, showParts: false }),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          productGuid: fc.constantFrom(...bundles),
          quantity,
          discount,
          unitPriceCents: fc.oneof(fc.constant(undefined), fc.nat(300_000)),
        }),
        fc.record({
          discount,
          priceMode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
          roundingRule: fc.constantFrom(...roundingRules),
        }),
        async (entered, terms) => {
          const quote = await aQuote([{ name: 'Set', ...entered }], terms)
          const [heading, ...shares] = quote.lines
          const priceCents = heading?.unitPriceCents ?? 0
          expect(shares.reduce((sum, part) => sum + part.unitPriceCents, 0)).toBe(priceCents)
          const alone = computeTotals({
            ...terms,
            documentDiscount: terms.discount,
            lines: [{ kind: 'item', gstCode: 'FREE', ...entered, unitPriceCents: priceCents }],
          })
          const { subtotalCents, discountCents, totalCents } = quote.totals
          const asked = terms.priceMode === 'exclusive' ? subtotalCents - discountCents : totalCents
          expect(asked).toBe(alone.totalCents)
          const priced = ok(
            await app.call<Priced>(people.office, 'POST', '/Calculators/CalculateTotals', {
              ...terms,
              lines: [{ name: 'Set', ...entered }],
            }),
          )
          expect(priced.totals.totalCents).toBe(totalCents)
          const amounts = (lines: readonly { netCents: number; sourceKey: string | null }[]) =>
            lines.map(({ sourceKey, netCents }) => [sourceKey, netCents])
          expect(amounts(priced.lines[0]?.children ?? [])).toEqual(amounts(shares))
        },
      ),
      { numRuns: 25 },
    )
    expect(await problemsOfLedger()).toEqual([])
  })

  test('counts in the margin with what its parts cost', async () => {
    const priced = ok(
      await app.call<Priced>(people.office, 'POST', '/Calculators/CalculateTotals', {
        priceMode: 'exclusive',
        lines: [{ name: 'Set', productGuid: await aBundle(), quantity: '2' }],
      }),
    )
    expect(priced.margin).toEqual({ cents: 128_800, bp: 6440 })
    expect(priced.lines[0]).toMatchObject({ kind: 'bundle', netCents: 0, unitPriceCents: 100_000, showsParts: true })
    expect(priced.lines[0]?.children.map(({ kind, name }) => [kind, name])).toEqual([
      ['item', '1 × Marquee'],
      ['item', '8 × Trestle table'],
      ['item', '1 × Delivery'],
    ])
  })
})

describe('the customer of a bundle', () => {
  const page = async (lines: unknown[], more = {}) => {
    const quote = await aQuote(lines, more)
    const { version } = quote
    const sent = ok(
      await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Send/${quote.guid}`, { version }),
    ).quote
    const answer = await app.call<{ quote: ServiceQuote }>(people.guest, 'GET', `/Service/Quotes/${sent.serviceGuid}`)
    return { quote: sent, page: ok(answer).quote }
  }
  const totalOf = (quote: ServiceQuote) => priceDocument({ ...quote, lines: quote.lines }).totals

  test('sees its parts where it shows them, but not the products', async () => {
    const seen = await page([{ name: 'Set', productGuid: await aBundle() }])
    expect(seen.page.lines.map(({ name, sourceKey }) => [name, sourceKey])).toEqual([
      ['Set', null],
      ['1 × Marquee', 'part:0'],
      ['8 × Trestle table', 'part:1'],
      ['1 × Delivery', 'part:2'],
    ])
    expect(JSON.stringify(seen.page)).not.toContain(parts[0])
  })

  test('reads its amount once, at the heading, also of several and of what is taken off', async () => {
    const productGuid = await aBundle()
    const seen = await page([
      { name: 'Set', productGuid, quantity: '2', discount: { type: 'percent', value: 1000 } },
      { name: 'Panel', unitPriceCents: 500 },
    ])
    expect(shownAmounts(seen.page.lines, 'exclusive')).toEqual([
      { grossCents: 200_000, discountCents: 20_000 },
      ...parts.map(() => ({ grossCents: null, discountCents: 0 })),
      { grossCents: 500, discountCents: 0 },
    ])
    expect(seen.page.totals).toMatchObject({ subtotalCents: 200_500, discountCents: 20_000 })
    expect(seen.page.lines.map(isNumberedByName)).toEqual([false, true, true, true, false])
    const [set] = seen.page.lines
    expect(seen.page.lines.slice(1, 4).reduce((sum, part) => sum + part.unitPriceCents, 0)).toBe(set?.unitPriceCents)
    expect(seen.page.lines.map((line) => gstCodeOf(line, seen.page.lines))).toEqual([null, 'GST', 'GST', 'FREE', 'GST'])
  })

  test('sees one line where it does not, with its amount and its GST', async () => {
    const items = [0, 1].map((i) => ({ productGuid: parts[i], quantity: '3' }))
    const oneCode = await aBundle({ showParts: false, items })
    const mixed = await aBundle({ showParts: false })
    const line = { name: 'Set', quantity: '0.3333', discount: { type: 'percent', value: 777 } }
    for (const roundingRule of roundingRules)
      for (const productGuid of [oneCode, mixed]) {
        const seen = await page(
          [
            { ...line, productGuid },
            { ...line, productGuid, isOptional: true },
          ],
          { roundingRule },
        )
        expect(JSON.stringify(seen.page.lines)).not.toMatch(/Marquee|Trestle|Delivery/)
        expect(totalOf(seen.page)).toMatchObject(seen.quote.totals)
        const shown = shownAmounts(seen.page.lines, 'exclusive')
        expect(shown.filter((amount) => amount !== null)).toEqual([
          { grossCents: 33_330, discountCents: 2590 },
          { grossCents: 33_330, discountCents: 2590 },
        ])
        const isMerged = roundingRule === 'total_invoice' && productGuid === oneCode
        expect(seen.page.lines).toHaveLength(isMerged ? 4 : productGuid === oneCode ? 6 : 8)
      }
  })

  test('chooses it with its parts', async () => {
    const productGuid = await aBundle()
    const seen = await page([
      { name: 'Set', productGuid, isOptional: true },
      { name: 'Large', productGuid, alternativeGroup: 'A' },
      { name: 'Small', unitPriceCents: 50_000, alternativeGroup: 'A' },
    ])
    const { documentSha256, lines } = seen.page
    const accept = (selectedLineGuids: (string | undefined)[]) =>
      app.call(people.guest, 'POST', `/Service/Quotes/Accept/${seen.quote.serviceGuid}`, {
        documentSha256,
        name: 'Ada',
        selectedLineGuids,
      })
    const part = await accept([lines[1]?.guid, lines.at(-1)?.guid])
    expect([part.status, part.errors[0]?.path]).toEqual([422, 'selectedLineGuids.0'])
    ok(await accept([lines[0]?.guid, lines.at(-1)?.guid]))
    const { quote } = ok(await app.call<{ quote: Quote }>(people.office, 'GET', `/Quotes/${seen.quote.guid}`))
    expect(quote.lines.map((l) => l.isSelected)).toEqual([true, true, true, true, false, false, false, false, true])
    expect(quote.totals.subtotalCents).toBe(150_000)
    expect(await problemsOfLedger()).toEqual([])
  })
})

describe('a discount of the catalogue', () => {
  const aDiscount = () => product({ name: 'Returning customer', kind: 'discount', priceCents: 10_000 })

  test('takes its price off for each, below the total of nothing', async () => {
    const productGuid = await aDiscount()
    const quote = await aQuote([
      { name: 'Panel', unitPriceCents: 50_000 },
      { name: 'Back again', productGuid, quantity: '2' },
    ])
    expect(quote.lines[1]).toMatchObject({ kind: 'discount', unitPriceCents: 10_000, netCents: -20_000 })
    expect(quote.totals).toMatchObject({ subtotalCents: 50_000, discountCents: 20_000, totalCents: 33_000 })
    const kept = await change(quote, [
      { guid: quote.lines[0]?.guid, name: 'Panel', unitPriceCents: 50_000 },
      { guid: quote.lines[1]?.guid, name: 'Mine', kind: 'discount', quantity: '3', unitPriceCents: 5000 },
    ])
    expect(kept.lines[1]).toMatchObject({ kind: 'discount', netCents: -15_000 })
    const tooMuch = await aQuote([{ name: 'Back again', productGuid }])
    const refused = await app.call(people.office, 'POST', `/Quotes/Send/${tooMuch.guid}`, { version: tooMuch.version })
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'lines', message: 'The total can’t be below zero.' }],
    ])
  })

  test('is invoiced like any line, in parts to the cent', async () => {
    const order = await anOrder([
      { name: 'Set', productGuid: await aBundle(), quantity: '1' },
      { name: 'Back again', productGuid: await aDiscount() },
    ])
    const bill = async (body: Record<string, unknown>) => {
      const { version } = ok(await app.call<{ order: Document }>(people.office, 'GET', `/Orders/${order.guid}`)).order
      const answer = await app.call<{ invoice: Document }>(people.office, 'POST', `/Orders/Invoice/${order.guid}`, {
        version,
        ...body,
      })
      return ok(answer, 201).invoice.totals.totalCents
    }
    const thirds = [
      await bill({ kind: 'progress', shareBp: 3333 }),
      await bill({ kind: 'progress', shareBp: 3333 }),
      await bill({ kind: 'final' }),
    ]
    expect(thirds.reduce((a, b) => a + b, 0)).toBe(order.totals.totalCents)
    expect(await problemsOfLedger()).toEqual([])
  })
})

test('a line lies below one of its own document, that stands before it', async () => {
  const productGuid = await aBundle()
  const [one, other] = [
    await aQuote([{ name: 'Party set', productGuid }]),
    await aQuote([{ name: 'Party set', productGuid }]),
  ]
  const set = (guid: string | undefined, values: Record<string, unknown>) =>
    app.deps.db
      .updateTable('quoteLines')
      .set(values)
      .where('guid', '=', guid ?? '')
      .execute()
  const [heading, first, second] = one.lines
  await expect(set(first?.guid, { parentLineGuid: other.lines[0]?.guid })).rejects.toThrow('stands behind it')
  await expect(set(second?.guid, { parentLineGuid: first?.guid })).rejects.toThrow('stands behind it')
  await expect(set(first?.guid, { position: 0 })).rejects.toThrow('stands behind it')
  await set(first?.guid, { parentLineGuid: heading?.guid })
})
