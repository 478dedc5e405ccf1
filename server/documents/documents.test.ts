import { Font } from '@react-pdf/renderer'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { operations } from '../../contract/api.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aLine, aQuote, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import { keyed, type Running } from '../../test/support/start.ts'
import { drawAtMostMs } from '../core/adapters/renderer.ts'
import { readable } from '../../contract/contrast.ts'
import { longDay, money, percentIn } from '../core/i18n/format.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type { DocumentContent, DocumentData, RenderData } from './document.ts'
import { canonical, documentData, fileNameOf, snapshotOf } from './documents.service.ts'
import { printable } from './pdf-fonts.ts'
import { head } from './pdf-head.ts'
import { lines } from './pdf-lines.ts'
import { accentsOf } from './pdf-sheet.ts'
import type { Drawing } from './pdf-style.ts'
import { totals } from './pdf-totals.ts'
import { renderDocument } from './render.ts'
import { titleOf } from './title.ts'

let app: Running
let actors: Actors
let customer: string
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  customer = (
    await aCustomer(app, actors.office, {
      contacts: [{ name: 'Anna Hartmann', email: 'anna@hartmann.example', isPrimary: true }],
    })
  ).guid
})
afterAll(() => app.stop())

it('is waited for as long as it may be drawn', () => {
  const drawn = operations.filter(({ op }) => op.produces === 'application/pdf')
  expect(drawn.map(({ noun }) => noun)).toEqual(expect.arrayContaining(['quotes', 'orders', 'invoices', 'service']))
  for (const { op } of drawn) expect(op.timeoutMs).toBeGreaterThan(drawAtMostMs + 5000)
})

interface Measured {
  unitsPerEm: number
  ascent: number
  descent: number
  layout(text: string): { glyphs: { advanceWidth: number }[]; positions: { xOffset: number; xAdvance: number }[] }
}
interface InvoiceAnswer {
  invoice: { guid: string; version: number; number: string; balanceCents: number }
}
const anInvoice = async (lines: unknown[], issue = true) => {
  const { invoice } = ok(
    await app.call<InvoiceAnswer>(actors.office, 'POST', '/Invoices', {
      customerGuid: customer,
      title: 'Pool fence',
      lines,
    }),
    201,
  )
  return issue
    ? ok(
        await app.call<InvoiceAnswer>(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, {
          version: invoice.version,
        }),
      ).invoice
    : invoice
}
const draw = async (data: DocumentData, more: Partial<RenderData> = {}) => {
  const render: RenderData = {
    ...data,
    link: 'https://office.example/service/i/0190',
    canPayByCard: true,
    acceptedOn: null,
    logo: null,
    signature: null,
    ...more,
  }
  const bytes = await renderDocument({ key: '', template: data.content.kind, data: { ...render } })
  const source = Buffer.from(bytes).toString('latin1')
  return { bytes, source, pages: source.match(/\/Type \/Page\b/g)?.length ?? 0 }
}

describe('what stands on paper', () => {
  it('is money, days and rates as people read them', () => {
    expect([0, 5, -123_456_789, 100_000_000_000].map(money)).toEqual([
      '$0.00',
      '$0.05',
      '−$1,234,567.89',
      '$1,000,000,000.00',
    ])
    expect([3000, 1250, 5, 10_000].map(percentIn('en'))).toEqual(['30%', '12.5%', '0.05%', '100%'])
    expect(longDay('2026-07-01', phrases('documents'))).toBe('1 July 2026')
  })
  it('is called what the law calls it', () => {
    const t = phrases('documents')
    const title = (kind: DocumentContent['kind'], invoiceKind: DocumentContent['invoiceKind'], isTaxInvoice: boolean) =>
      titleOf({ kind, invoiceKind, isTaxInvoice }, t)
    expect([title('invoice', 'standard', true), title('invoice', 'standard', false)]).toEqual([
      'Tax invoice',
      'Invoice',
    ])
    expect([title('invoice', 'deposit', true), title('invoice', 'deposit', false)]).toEqual([
      'Deposit tax invoice',
      'Deposit invoice',
    ])
    expect([title('invoice', 'adjustment_note', true), title('invoice', 'adjustment_note', false)]).toEqual([
      'Adjustment note',
      'Credit note',
    ])
    expect([title('quote', null, false), title('order', null, false)]).toEqual(['Quote', 'Order'])
  })
  it('can be read in every colour a business may choose', () => {
    expect(readable('#000000')).toBe('#000000')
    for (const colour of ['#FFFFFF', '#FFE100', '#7367F0', '#00FF00']) expect(readable(colour)).not.toBe(colour)
  })
  it('names no amount where it is for who must not see any', async () => {
    const quote = await aQuote(app, actors.office, customer)
    const { content, state } = await documentData(app.deps.db, 'quote', quote.guid)
    const t = phrases('documents')
    const drawing: Drawing = {
      ...{ content: { ...content, kind: 'order' as const }, state, t, title: 'Order' },
      ...{ link: null, canPayByCard: false, acceptedOn: null, logo: null, signature: null },
      ...accentsOf(content.business),
    }
    const said = (hidesAmounts: boolean) => {
      const one = { ...drawing, hidesAmounts }
      return JSON.stringify([head(one), lines(one), totals(one)])
    }
    expect(said(false)).toContain('$275.00')
    expect(said(true)).not.toMatch(/\$\d/)
  })
  it('has a phrase for every word, and none for a word that is missing', () => {
    expect(() => phrases('documents')('no.such.phrase')).toThrow('missing')
  })
})

describe('a snapshot', () => {
  it('has the same bytes for the same content, in whatever order it came', () => {
    expect(canonical({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}')
    expect(canonical({ a: 1, b: 2 })).toBe(canonical({ b: 2, a: 1 }))
  })
  it('keeps what the customer was sent, whatever is renamed afterwards', async () => {
    const quote = await aSentQuote(app, actors.office, customer)
    const before = await documentData(app.deps.db, 'quote', quote.guid)
    expect(before.content).toMatchObject({
      number: quote.number,
      billTo: { name: 'Hartmann Builders' },
      totals: { totalCents: 27_500 },
      lines: [{ quantity: '2', unitPriceCents: 12_500 }],
    })
    await app.deps.db
      .updateTable('customers')
      .set({ displayName: 'Somebody else' })
      .where('guid', '=', customer)
      .execute()
    await app.deps.db.updateTable('businesses').set({ legalName: 'Renamed Pty Ltd' }).execute()
    expect(canonical((await documentData(app.deps.db, 'quote', quote.guid)).content)).toBe(canonical(before.content))
    // A draft that is sent now is frozen as things are now.
    const draft = await aQuote(app, actors.office, customer)
    const { snapshot } = snapshotOf((await documentData(app.deps.db, 'quote', draft.guid)).content)
    expect(JSON.parse(snapshot)).toMatchObject({
      billTo: { name: 'Somebody else' },
      business: { legalName: 'Renamed Pty Ltd' },
    })
    await app.deps.db
      .updateTable('customers')
      .set({ displayName: 'Hartmann Builders' })
      .where('guid', '=', customer)
      .execute()
    await app.deps.db.updateTable('businesses').set({ legalName: 'Brolga Fencing Pty Ltd' }).execute()
  })
  it('is hashed together with what it says', async () => {
    const quote = await aQuote(app, actors.office, customer)
    const { content } = await documentData(app.deps.db, 'quote', quote.guid)
    const first = snapshotOf({ ...content, number: 'Q-1' })
    expect(first).toEqual(snapshotOf({ ...content, number: 'Q-1' }))
    expect(snapshotOf({ ...content, number: 'Q-2' }).snapshotSha256).not.toBe(first.snapshotSha256)
  })
})

describe('a PDF', () => {
  it('is drawn for staff by the worker, with a name to save it under', async () => {
    const invoice = await anInvoice([aLine()])
    const answer = await app.fastify.inject({
      method: 'GET',
      url: `/api/v2/Invoices/Pdf/${invoice.guid}`,
      headers: actors.office.headers,
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.headers['content-disposition']).toContain(`Tax invoice ${invoice.number}.pdf`)
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(answer.rawPayload.toString('latin1')).toContain(`(Tax invoice ${invoice.number})`)
  })
  it('comes from its stored bytes until something happens to the document', async () => {
    const invoice = await anInvoice([aLine()])
    const fetched = async () =>
      (
        await app.fastify.inject({
          method: 'GET',
          url: `/api/v2/Invoices/Pdf/${invoice.guid}`,
          headers: actors.office.headers,
        })
      ).rawPayload
    const [first, second] = [await fetched(), await fetched()]
    // Every drawing wears its own identifier.
    expect(second.equals(first)).toBe(true)
    ok(
      await app.call(
        actors.accountant,
        'POST',
        '/Payments',
        {
          method: 'cash',
          receivedOn: '2026-01-01',
          amountCents: 10_000,
          allocations: [{ invoiceGuid: invoice.guid, cents: 10_000 }],
        },
        keyed(),
      ),
      201,
    )
    expect((await fetched()).equals(first)).toBe(false)
    const draft = await anInvoice([aLine()], false)
    expect(
      await app.deps.db
        .selectFrom('documentPdfs')
        .select('kind')
        .where('recordGuid', 'in', [invoice.guid, draft.guid])
        .execute(),
    ).toEqual([{ kind: 'invoice' }])
  })
  it('is an invoice without tax for a business that is not registered', async () => {
    await app.deps.db.updateTable('businesses').set({ gstRegistered: false }).execute()
    const invoice = await anInvoice([aLine()])
    await app.deps.db.updateTable('businesses').set({ gstRegistered: true }).execute()
    const data = await documentData(app.deps.db, 'invoice', invoice.guid)
    expect(data.content).toMatchObject({ isTaxInvoice: false, totals: { gstCents: 0, totalCents: 25_000 } })
    expect(fileNameOf(data.content)).toBe(`Invoice ${invoice.number}.pdf`)
    expect((await draw(data)).source).toContain(`(Invoice ${invoice.number})`)
  })
  it('of a brand says whose business name it is, and of a legal entity nothing of the kind', async () => {
    const entity = await app.deps.db.selectFrom('businesses').select(['guid', 'legalName']).executeTakeFirstOrThrow()
    const { business } = ok(
      await app.call<{ business: { guid: string } }>(actors.administrator, 'POST', '/Businesses', {
        parentGuid: entity.guid,
        tradingName: 'Zebra Marquees',
        customersOf: entity.guid,
        catalogueOf: entity.guid,
      }),
      201,
    )
    const there = { headers: { ...actors.administrator.headers, 'x-business-guid': business.guid } }
    const quote = await aQuote(app, there, customer)
    const data = await documentData(app.deps.db, 'quote', quote.guid)
    expect(data.content.business).toMatchObject({
      name: 'Zebra Marquees',
      legalName: entity.legalName,
      isBrand: true,
    })
    expect((await draw(data)).pages).toBe(1)
    const own = await documentData(app.deps.db, 'quote', (await aQuote(app, actors.office, customer)).guid)
    expect(own.content.business).not.toHaveProperty('isBrand')
  })
  it('of an adjustment note names the invoice it corrects, and why', async () => {
    const invoice = await anInvoice([aLine()])
    ok(
      await app.call(
        actors.accountant,
        'POST',
        '/Payments',
        {
          method: 'cash',
          receivedOn: '2026-01-01',
          amountCents: 27_500,
          allocations: [{ invoiceGuid: invoice.guid, cents: 27_500 }],
        },
        keyed(),
      ),
      201,
    )
    const payment = ok(
      await app.call<{ items: { guid: string }[] }>(actors.accountant, 'GET', '/Payments?sort=-createdAt'),
    ).items[0]
    const { adjustmentNote } = ok(
      await app.call<{ adjustmentNote: { guid: string } }>(
        actors.accountant,
        'POST',
        '/Payments/Refunds',
        {
          paymentGuid: payment?.guid,
          invoiceGuid: invoice.guid,
          amountCents: 11_000,
          reasonCode: 'quality',
          note: 'Two panels were bent',
        },
        keyed(),
      ),
      201,
    )
    const data = await documentData(app.deps.db, 'invoice', adjustmentNote.guid)
    expect(data.content).toMatchObject({
      invoiceKind: 'adjustment_note',
      adjusts: { number: invoice.number, totalCents: 27_500 },
      totals: { gstCents: 1000, totalCents: 11_000 },
    })
    expect(data.content.adjusts?.reason).toBeTruthy()
    expect((await draw(data)).source).toContain('(Adjustment note ')
  })
  it('grows page by page with its lines, and holds whatever people type', async () => {
    const lines = Array.from({ length: 60 }, (_, i) =>
      i % 12 === 0 ? { kind: 'section', name: `Week ${i / 12 + 1}` } : aLine({ name: `Panel ${i}`, quantity: '1.5' }),
    )
    expect(
      (await draw(await documentData(app.deps.db, 'invoice', (await anInvoice(lines)).guid))).pages,
    ).toBeGreaterThan(2)
    const warned = vi.spyOn(console, 'warn')
    const odd = await anInvoice([
      aLine({ name: 'X'.repeat(200), description: `https://example.com/${'path/'.repeat(80)}` }),
      aLine({ name: 'سياج معدني 12 م', description: 'line\n'.repeat(300) }),
      aLine({ name: 'Łukasz Őrség 漢字 😀', unitPriceCents: 99_999_999, quantity: '999.9999' }),
    ])
    const { bytes, pages } = await draw(await documentData(app.deps.db, 'invoice', odd.guid))
    expect(pages).toBeGreaterThan(1)
    expect(bytes.length).toBeLessThan(200_000)
    // As large as the law of the house allows: every row stands on one of its pages, the
    // tall ones divided between them.
    const large = await documentData(
      app.deps.db,
      'invoice',
      (
        await anInvoice(
          Array.from({ length: 500 }, (_, i) =>
            aLine({ name: `Panel ${i}`, description: i % 100 === 7 ? 'word\n'.repeat(390) : 'word '.repeat(20) }),
          ),
        )
      ).guid,
    )
    expect((await draw(large)).pages).toBeGreaterThan(40)
    expect(warned.mock.calls).toEqual([])
    warned.mockRestore()
  })
  it('shows options before and after the customer chose', async () => {
    const quote = await aSentQuote(app, actors.office, customer, {
      depositRule: { type: 'percent', value: 3000 },
      lines: [
        aLine(),
        aLine({ name: 'Gate', isOptional: true }),
        aLine({ name: 'Steel', alternativeGroup: 'Posts', isSelected: true }),
        aLine({ name: 'Timber', alternativeGroup: 'Posts' }),
      ],
    })
    expect((await draw(await documentData(app.deps.db, 'quote', quote.guid))).pages).toBe(1)
    const chosen = quote.lines.filter((line) => line.name === 'Gate' || line.name === 'Steel').map((line) => line.guid)
    ok(
      await app.call(actors.office, 'POST', `/Quotes/Accept/${quote.guid}`, {
        version: quote.version,
        name: 'Anna',
        method: 'phone',
        selectedLineGuids: chosen,
      }),
    )
    const data = await documentData(app.deps.db, 'quote', quote.guid)
    expect(data.state).toMatchObject({
      status: 'converted',
      accepted: { name: 'Anna' },
      chosen: { totals: { totalCents: 82_500 } },
    })
    expect(data.content.totals.totalCents).toBe(55_000)
    const paper = await draw(data, { acceptedOn: '2026-07-01' })
    expect(paper.pages).toBe(1)
    const { accepted } = data.state
    const unproved = accepted && { ...accepted, evidenceSha256: undefined }
    const plain = await draw({ ...data, state: { ...data.state, accepted: unproved } }, { acceptedOn: '2026-07-01' })
    expect(paper.bytes.length).toBeGreaterThan(plain.bytes.length)
    expect((await draw(data, { signature: Buffer.from(logo, 'base64') })).source).toContain('/Subtype /Image')
  })
  it('puts where a settled progress claim stands beside its sums, so that it stays on one page', async () => {
    const lines = Array.from({ length: 6 }, (_, i) => aLine({ name: `Panel ${i}`, description: 'Fixed.' }))
    const { content, state, ...rest } = await documentData(app.deps.db, 'invoice', (await anInvoice(lines)).guid)
    const { totalCents } = content.totals
    const claim = { contractCents: 2 * totalCents, earlierCents: 0, thisCents: totalCents }
    const settled = {
      paymentStatus: 'paid',
      paidCents: totalCents,
      balanceCents: 0,
      refundedCents: 100,
      creditedCents: 100,
    }
    const { source, pages } = await draw({
      ...rest,
      content: { ...content, invoiceKind: 'progress', claim, notes: 'Thank you for your business.' },
      state: { ...state, ...settled },
    })
    expect(pages).toBe(1)
    expect(source).toContain('(Tax invoice ')
  })
  it('carries the logo of the business, and does without one that cannot be read', async () => {
    const data = await documentData(app.deps.db, 'invoice', (await anInvoice([aLine()], false)).guid)
    expect((await draw(data, { logo: { bytes: Buffer.from(logo, 'base64'), mime: 'image/png' } })).source).toContain(
      '/Subtype /Image',
    )
    expect((await draw(data, { logo: { bytes: Buffer.from('not a picture'), mime: 'image/png' } })).pages).toBe(1)
  })
})

it('draws Arabic on the line of the Latin letters beside it, and no word over its neighbour', async () => {
  await printable()
  for (const fontWeight of [400, 600]) {
    const faceOf = (fontFamily: string) =>
      Font.getFont({ fontFamily, fontWeight, fontStyle: 'normal' })?.data as unknown as Measured
    const [latin, arabic] = [faceOf('Sans'), faceOf('Arabic')]
    expect(arabic.ascent / arabic.unitsPerEm).toBeCloseTo(latin.ascent / latin.unitsPerEm)
    expect(arabic.descent / arabic.unitsPerEm).toBeCloseTo(latin.descent / latin.unitsPerEm)
    // Pairs that kerning moves together: an offset is not drawn, but the width that goes with it would be.
    const { glyphs, positions } = arabic.layout('في فيكتوريا')
    expect(positions.map(({ xOffset, xAdvance }) => ({ xOffset, xAdvance }))).toEqual(
      glyphs.map(({ advanceWidth }) => ({ xOffset: 0, xAdvance: advanceWidth })),
    )
  }
})
