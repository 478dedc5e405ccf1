import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, aSentQuote, ok, type QuoteAnswer } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'

interface Page {
  quote: Record<string, unknown> & {
    version: number
    documentSha256: string | null
    status: string
    lines: Record<string, unknown>[]
    order: { serviceGuid: string; number: string } | null
    invoice: { serviceGuid: string; balanceCents: number } | null
  }
  business: Record<string, unknown>
  jobType: null
}
interface OrderPage {
  order: Record<string, unknown> & {
    lines: Record<string, unknown>[]
    quote: { serviceGuid: string } | null
    invoices: { serviceGuid: string; totalCents: number }[]
  }
}

const address = { line1: '1 Wharf St', suburb: 'Balmain', state: 'NSW', postcode: '2041' }
const unknown = '6f0e4b0e-64a2-4a3c-9a4e-6a3c1d2e3f40'
let now = new Date()
let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  app = await startApp({ now: () => now })
  people = await seedActors(app)
  await aBusiness(app)
  customerGuid = (
    await aCustomer(app, people.sales, { internalNotes: 'SECRET customer note', sites: [{ name: 'Pool', address }] })
  ).guid
})
afterAll(() => app.stop())

const page = (link: string, who = people.guest) => app.call<Page>(who, 'GET', `/Service/Quotes/${link}`)
const sent = (facts: Record<string, unknown> = {}) => aSentQuote(app, people.sales, customerGuid, facts)
const rowOf = (guid: string) =>
  app.deps.db
    .selectFrom('quotes')
    .select(['version', 'viewCount', 'firstViewedAt', 'lastViewedAt', 'status'])
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow()

describe('the customer’s page of a quote', () => {
  test('shows the offer and the business, and nothing internal', async () => {
    const product = ok(
      await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', {
        name: 'P',
        priceCents: 12_500,
        costCents: 7777,
      }),
      201,
    ).product
    const site = ok(
      await app.call<{ customer: { sites: { guid: string }[] } }>(people.sales, 'GET', `/Customers/${customerGuid}`),
    ).customer.sites[0]
    const quote = await sent({
      internalNotes: 'SECRET margin',
      siteGuid: site?.guid,
      depositRule: { type: 'fixed', value: 5000 },
      lines: [aLine({ productGuid: product.guid })],
    })
    const answer = await page(quote.serviceGuid)
    const { quote: shown, business, jobType } = ok(answer)
    expect(shown).toMatchObject({
      number: quote.number,
      status: 'sent',
      customer: { name: 'Hartmann Builders' },
      siteLabel: 'Pool, 1 Wharf St, Balmain NSW 2041',
      depositCents: 5000,
      depositRule: { type: 'fixed', value: 5000 },
      order: null,
      invoice: null,
      totals: { totalCents: 27_500 },
    })
    expect(business).toMatchObject({ name: 'Brolga Fencing Pty Ltd', abn: '53004085616' })
    expect(jobType).toBeNull()
    for (const inside of [
      'SECRET',
      product.guid,
      customerGuid,
      quote.guid,
      people.sales.userGuid,
      '7777',
      'internalNotes',
      'productGuid',
    ])
      expect(answer.body).not.toContain(inside)
  })

  test('is there for guests and staff, and for nobody without credentials', async () => {
    const quote = await sent()
    expect((await page(quote.serviceGuid, people.readOnly)).status).toBe(200)
    expect((await app.call(null, 'GET', `/Service/Quotes/${quote.serviceGuid}`)).status).toBe(401)
  })

  test('is not there for drafts, unknown links, the record’s own guid, or a link of another kind', async () => {
    const draft = await aQuote(app, people.sales, customerGuid)
    const quote = await sent({ depositRule: { type: 'percent', value: 5000 } })
    const done = ok(
      await app.call<{ order: { serviceGuid: string } }>(
        people.guest,
        'POST',
        `/Service/Quotes/Accept/${quote.serviceGuid}`,
        { documentSha256: quote.documentSha256, name: 'Anna' },
      ),
    )
    for (const link of [draft.guid, unknown, quote.guid, done.order.serviceGuid, 'not-a-guid']) {
      for (const [method, path, body] of [
        ['GET', `/Service/Quotes/${link}`],
        ['GET', `/Service/Quotes/Pdf/${link}`],
        ['POST', `/Service/Quotes/Accept/${link}`, { version: 1, name: 'x' }],
        ['POST', `/Service/Quotes/Decline/${link}`, { version: 1, reasonCode: 'price' }],
        ['POST', `/Service/Quotes/Question/${link}`, { version: 1, note: 'x' }],
      ] as const) {
        const answer = await app.call(people.guest, method, path, body)
        expect([method, path, answer.status, answer.error]).toEqual([method, path, 404, 'NOT_FOUND'])
      }
    }
    expect((await app.call(people.guest, 'GET', `/Service/Orders/${quote.serviceGuid}`)).status).toBe(404)
    expect((await app.call(people.guest, 'GET', `/Service/Invoices/${quote.serviceGuid}`)).status).toBe(404)
  })

  test('leads on to order and deposit once accepted', async () => {
    const quote = await sent({ depositRule: { type: 'percent', value: 5000 } })
    const done = ok(
      await app.call<Page['quote']>(people.guest, 'POST', `/Service/Quotes/Accept/${quote.serviceGuid}`, {
        documentSha256: quote.documentSha256,
        name: 'Anna',
      }),
    )
    const { quote: shown } = ok(await page(quote.serviceGuid))
    expect(shown).toMatchObject({
      status: 'converted',
      acceptedBy: { name: 'Anna' },
      order: done.order,
      invoice: done.invoice,
    })
    expect(shown.invoice?.balanceCents).toBe(13_750)
  })

  test('says when the offer has expired, and goes away with the archived quote', async () => {
    const quote = await sent()
    await app.deps.db.updateTable('quotes').set({ validUntil: '2020-01-01' }).where('guid', '=', quote.guid).execute()
    expect(ok(await page(quote.serviceGuid)).quote.status).toBe('expired')
    const late = await app.call(people.guest, 'POST', `/Service/Quotes/Accept/${quote.serviceGuid}`, {
      documentSha256: quote.documentSha256,
      name: 'Anna',
    })
    expect([late.status, late.message]).toEqual([409, 'This quote has expired. Please ask for a new one.'])
    ok(await app.call(people.sales, 'DELETE', `/Quotes/${quote.guid}`))
    expect((await page(quote.serviceGuid)).status).toBe(404)
    ok(await app.call(people.sales, 'POST', `/Quotes/Restore/${quote.guid}`))
    expect((await page(quote.serviceGuid)).status).toBe(200)
  })

  test('shows the revision under the address the customer knows', async () => {
    const old = await sent()
    const draft = ok(
      await app.call<QuoteAnswer>(people.sales, 'POST', `/Quotes/Revise/${old.guid}`, { version: old.version }),
      201,
    ).quote
    ok(await app.call(people.sales, 'PATCH', `/Quotes/${draft.guid}`, { version: 1, title: 'Second try' }))
    expect(ok(await page(old.serviceGuid)).quote).toMatchObject({ revision: 0, title: 'Pool fence' })
    ok(await app.call(people.sales, 'POST', `/Quotes/Send/${draft.guid}`, { version: 2 }))
    expect(ok(await page(old.serviceGuid)).quote).toMatchObject({
      revision: 1,
      title: 'Second try',
      number: old.number,
    })
  })

  test('takes nothing that was meant for what the revision replaced, whatever number it wears', async () => {
    const old = await sent({ lines: [aLine({ quantity: '1', unitPriceCents: 10_000 })] })
    const shownThen = ok(await page(old.serviceGuid)).quote
    const draft = ok(
      await app.call<QuoteAnswer>(people.sales, 'POST', `/Quotes/Revise/${old.guid}`, { version: old.version }),
      201,
    ).quote
    const dearer = ok(
      await app.call<QuoteAnswer>(people.sales, 'PATCH', `/Quotes/${draft.guid}`, {
        version: draft.version,
        lines: [aLine({ quantity: '1', unitPriceCents: 25_000 })],
      }),
    ).quote
    ok(await app.call<QuoteAnswer>(people.sales, 'POST', `/Quotes/Send/${draft.guid}`, { version: dearer.version }))
    const newer = ok(await page(old.serviceGuid)).quote
    // The trap: both wear the same number.
    await app.deps.db.updateTable('quotes').set({ version: shownThen.version }).where('guid', '=', draft.guid).execute()
    const link = old.serviceGuid
    const deeds = { Accept: { name: 'Anna' }, Decline: { reasonCode: 'price' }, Question: { note: 'Is it dearer?' } }
    const named = [
      { documentSha256: shownThen.documentSha256, version: shownThen.version },
      { documentSha256: shownThen.documentSha256 },
      { version: shownThen.version },
      { documentSha256: null },
      {},
    ]
    for (const [deed, body] of Object.entries(deeds)) {
      for (const seen of named) {
        const refused = await app.call<Page>(people.guest, 'POST', `/Service/Quotes/${deed}/${link}`, {
          ...body,
          ...seen,
        })
        expect([
          deed,
          refused.status,
          refused.error,
          refused.data.quote.documentSha256,
          refused.data.quote['totals'],
        ]).toEqual([deed, 409, 'STALE_VERSION', newer.documentSha256, expect.objectContaining({ totalCents: 27_500 })])
      }
    }
    expect(
      await app.deps.db.selectFrom('orders').select('guid').where('quoteGuid', 'in', [old.guid, draft.guid]).execute(),
    ).toEqual([])
    expect(
      (await app.call(people.guest, 'POST', `/Service/Quotes/Accept/${link}`, { documentSha256: 'x', name: 'Anna' }))
        .errors[0]?.path,
    ).toBe('documentSha256')
    const done = ok(
      await app.call<Page>(people.guest, 'POST', `/Service/Quotes/Accept/${link}`, {
        documentSha256: newer.documentSha256,
        name: 'Anna',
      }),
    )
    expect(done.quote['totals']).toMatchObject({ totalCents: 27_500 })
  })

  test('is drawn as PDF', async () => {
    const quote = await sent()
    const pdf = await app.call(people.guest, 'GET', `/Service/Quotes/Pdf/${quote.serviceGuid}`)
    expect([pdf.status, pdf.headers['content-type'], pdf.body.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  })
})

describe('a look', () => {
  test('counts when a guest has it before the eyes, not when staff or a mail scanner fetch the link', async () => {
    const quote = await sent()
    await page(quote.serviceGuid)
    expect(ok(await app.call(people.sales, 'POST', `/Service/Viewed/${quote.serviceGuid}`))).toEqual({ seen: false })
    expect(await rowOf(quote.guid)).toMatchObject({ viewCount: 0, firstViewedAt: null })
    ok(await app.call(people.guest, 'POST', `/Service/Viewed/${quote.serviceGuid}`))
    const first = await rowOf(quote.guid)
    now = new Date(now.getTime() + 60_000)
    ok(await app.call(people.guest, 'POST', `/Service/Viewed/${quote.serviceGuid}`))
    const second = await rowOf(quote.guid)
    expect([first.viewCount, second.viewCount, second.firstViewedAt, second.version]).toEqual([
      1,
      2,
      first.firstViewedAt,
      quote.version,
    ])
    expect(second.lastViewedAt).not.toBe(first.lastViewedAt)
    expect(ok(await app.call<QuoteAnswer>(people.sales, 'GET', `/Quotes/${quote.guid}`)).quote.displayStatus).toBe(
      'viewed',
    )
    expect((await app.call(people.guest, 'POST', `/Service/Viewed/${unknown}`)).status).toBe(404)
  })

  test('at an issued invoice is noted too, though the invoice never changes', async () => {
    const quote = await sent({ depositRule: { type: 'percent', value: 5000 } })
    const done = ok(
      await app.call<Page['quote']>(people.guest, 'POST', `/Service/Quotes/Accept/${quote.serviceGuid}`, {
        documentSha256: quote.documentSha256,
        name: 'Anna',
      }),
    )
    ok(await app.call(people.guest, 'POST', `/Service/Viewed/${done.invoice?.serviceGuid}`))
    ok(await app.call(people.guest, 'POST', `/Service/Viewed/${done.order?.serviceGuid}`))
    const invoice = await app.deps.db
      .selectFrom('invoices')
      .select(['viewCount', 'firstViewedAt'])
      .where('quoteGuid', '=', quote.guid)
      .executeTakeFirstOrThrow()
    expect(invoice.viewCount).toBe(1)
  })
})

describe('a question and a no', () => {
  test('a question leaves the quote as it is, and is told to staff', async () => {
    const quote = await sent()
    const ask = (note: string) =>
      app.call<Page>(people.guest, 'POST', `/Service/Quotes/Question/${quote.serviceGuid}`, {
        documentSha256: quote.documentSha256,
        note,
      })
    const asked = ok(await ask('Could it be glass?'))
    expect(asked.quote.status).toBe('sent')
    expect(asked.quote.asks).toMatchObject([
      { kind: 'comment', text: 'Could it be glass?', lineGuid: null, answer: null },
    ])
    expect(ok(await ask('Hello?')).quote.asks).toHaveLength(2)
    expect((await ask('  ')).errors[0]?.path).toBe('note')
    const { items } = ok(
      await app.call<{ items: { what: string; byKind: string; by: string | null; values: Record<string, unknown> }[] }>(
        people.sales,
        'GET',
        `/Quotes/Timeline/${quote.guid}`,
      ),
    )
    expect(items[0]).toMatchObject({
      what: 'quote.commented',
      byKind: 'guest',
      by: null,
      values: { note: 'Hello?' },
    })
  })

  test('declines with a reason in the customer’s name', async () => {
    const quote = await sent()
    const answer = ok(
      await app.call<Page>(people.guest, 'POST', `/Service/Quotes/Decline/${quote.serviceGuid}`, {
        documentSha256: quote.documentSha256,
        reasonCode: 'timing',
        note: 'next year',
      }),
    )
    expect(answer.quote.status).toBe('declined')
    const shown = ok(
      await app.call<{ quote: Record<string, unknown> }>(people.sales, 'GET', `/Quotes/${quote.guid}`),
    ).quote
    expect(shown['decline']).toMatchObject({ reasonCode: 'timing', note: 'next year', by: 'Hartmann Builders' })
    expect(
      (
        await app.call(people.guest, 'POST', `/Service/Quotes/Decline/${quote.serviceGuid}`, {
          version: 9,
          reasonCode: 'rude',
        })
      ).errors[0]?.path,
    ).toBe('reasonCode')
  })

  test('made on an older version come back with the page as it is now, and nothing internal', async () => {
    const quote = await sent({ internalNotes: 'SECRET' })
    const late = await app.call<Page>(people.guest, 'POST', `/Service/Quotes/Decline/${quote.serviceGuid}`, {
      version: 1,
      reasonCode: 'price',
    })
    expect([late.status, late.error, late.data.quote.version]).toEqual([409, 'STALE_VERSION', quote.version])
    for (const inside of ['SECRET', quote.guid, customerGuid, 'productGuid', 'businessGuid'])
      expect(late.body).not.toContain(inside)
  })
})

describe('the customer’s page of an order', () => {
  test('shows progress, lines, its quote and its invoices', async () => {
    const quote = await sent({ internalNotes: 'SECRET', depositRule: { type: 'percent', value: 5000 } })
    const done = ok(
      await app.call<Page['quote']>(people.guest, 'POST', `/Service/Quotes/Accept/${quote.serviceGuid}`, {
        documentSha256: quote.documentSha256,
        name: 'Anna',
      }),
    )
    const answer = await app.call<OrderPage>(people.guest, 'GET', `/Service/Orders/${done.order?.serviceGuid}`)
    const { order } = ok(answer)
    expect(order).toMatchObject({
      number: done.order?.number,
      title: 'Pool fence',
      status: 'confirmed',
      customer: { name: 'Hartmann Builders' },
      quote: { serviceGuid: quote.serviceGuid, number: quote.number },
      paidCents: 0,
      totals: { totalCents: 27_500 },
    })
    expect(order.invoices).toMatchObject([
      {
        serviceGuid: done.invoice?.serviceGuid,
        kind: 'deposit',
        status: 'sent',
        totalCents: 13_750,
        balanceCents: 13_750,
      },
    ])
    for (const inside of ['SECRET', quote.guid, customerGuid, 'internalNotes', 'productGuid'])
      expect(answer.body).not.toContain(inside)
    const pdf = await app.call(people.guest, 'GET', `/Service/Orders/Pdf/${done.order?.serviceGuid}`)
    expect([pdf.status, pdf.body.slice(0, 5)]).toEqual([200, '%PDF-'])
    expect((await app.call(people.guest, 'GET', `/Service/Orders/${unknown}`)).status).toBe(404)
    expect((await app.call(people.guest, 'GET', `/Service/Orders/Pdf/${quote.serviceGuid}`)).status).toBe(404)
  })
})
