import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, aGuest, aPerson, aRole, logIn, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, aSentQuote, ok, type QuoteAnswer } from '../../test/support/factories.ts'
import { composeMessages } from '../../test/support/messages.ts'
import { type Answer, type Running, startApp } from '../../test/support/start.ts'
import { canonical } from '../documents/documents.service.ts'

type One = QuoteAnswer & { quote: QuoteAnswer['quote'] & Record<string, unknown> }
interface List {
  items: {
    guid: string
    number: string | null
    title: string
    displayStatus: string
    customerName: string
    totalCents: number
  }[]
  page: { total: { value: number }; next: string | null }
}

const address = { line1: '1 Wharf St', suburb: 'Balmain', state: 'NSW', postcode: '2041' }
const dayMs = 86_400_000
let now = new Date('2026-07-01T02:00:00Z')
let app: Running
let people: Actors
let customerGuid: string
let businessGuid: string
beforeAll(async () => {
  app = await startApp({ now: () => now })
  people = await seedActors(app)
  businessGuid = (await aBusiness(app)).guid
  customerGuid = (await aCustomer(app, people.sales)).guid
})
afterAll(() => app.stop())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, who = people.sales) =>
  app.call<One>(who, method, path, body)
const get = async (guid: string) => ok(await call('GET', `/Quotes/${guid}`)).quote
const change = (guid: string, body: Record<string, unknown>) => call('PATCH', `/Quotes/${guid}`, body)
const list = async (query = '') => ok(await app.call<List>(people.sales, 'GET', `/Quotes?size=100${query}`))
const paths = (answer: Answer<unknown>) => answer.errors.map((e) => e.path)
const refusal = (answer: Answer<unknown>) => [answer.status, answer.error, answer.message]
const messagesOf = async (guid: string) => {
  await composeMessages(app)
  return app.deps.db.selectFrom('messages').selectAll().where('ownerGuid', '=', guid).execute()
}

describe('a draft', () => {
  test('takes what is not said from the business and prices itself', async () => {
    const { guid } = await aQuote(app, people.sales, customerGuid, { depositRule: { type: 'percent', value: 3000 } })
    expect(await get(guid)).toMatchObject({
      status: 'draft',
      displayStatus: 'draft',
      number: null,
      priceMode: 'exclusive',
      roundingRule: 'total_invoice',
      customer: { displayName: 'Hartmann Builders' },
      totals: { subtotalCents: 25_000, discountCents: 0, gstCents: 2500, totalCents: 27_500, optionalTotalCents: 0 },
      depositCents: 8250,
      serviceGuid: null,
      related: { order: null, invoices: [], messages: [] },
    })
  })

  test('counts options and alternatives only when chosen, and chooses the first alternative itself', async () => {
    const lines = [
      aLine(),
      aLine({ name: 'Lights', isOptional: true }),
      aLine({ name: 'Glass', alternativeGroup: 'Gate' }),
      aLine({ name: 'Steel', alternativeGroup: 'Gate', unitPriceCents: 100 }),
      { kind: 'section', name: 'Later', quantity: '5', unitPriceCents: 900 },
    ]
    const quote = await aQuote(app, people.sales, customerGuid, { lines })
    expect(quote.lines.map((l) => [l.name, l.isSelected, l.totalCents])).toEqual([
      ['Fence panels', true, 27_500],
      ['Lights', false, 27_500],
      ['Glass', true, 27_500],
      ['Steel', false, 220],
      ['Later', true, 0],
    ])
    expect(quote.totals).toMatchObject({ totalCents: 55_000, optionalTotalCents: 27_500 })
  })

  test('is refused with the lines and references that are wrong', async () => {
    const other = await aCustomer(app, people.sales, {
      displayName: 'Other',
      contacts: [{ name: 'Olga' }],
      sites: [{ name: 'S', address }],
    })
    const post = (body: Record<string, unknown>) => call('POST', '/Quotes', { customerGuid, title: 'x', ...body })
    expect(paths(await post({ contactGuid: other.contacts[0]?.guid, siteGuid: other.sites[0]?.guid }))).toEqual([
      'contactGuid',
      'siteGuid',
    ])
    expect(paths(await post({ customerGuid: '01890000-0000-7000-8000-000000000000' }))).toEqual(['customerGuid'])
    expect(paths(await post({ lines: [aLine(), aLine({ productGuid: customerGuid })] }))).toEqual([
      'lines.1.productGuid',
    ])
    expect(paths(await post({ lines: [aLine({ guid: customerGuid })] }))).toEqual(['lines.0.guid'])
    expect(paths(await post({ lines: [aLine({ isOptional: true, alternativeGroup: 'g' })] }))).toEqual([
      'lines.0.alternativeGroup',
    ])
    expect(paths(await post({ lines: [aLine({ kind: 'deposit_credit' })] }))).toEqual(['lines.0.kind'])
    expect(paths(await post({ lines: [aLine({ quantity: '999999999', unitPriceCents: 1e12 })] }))).toEqual(['lines'])
    expect((await post({ status: 'accepted' })).error).toBe('UNKNOWN_PARAMETER')
    expect((await post({ totals: { totalCents: 1 } })).error).toBe('UNKNOWN_PARAMETER')
  })

  test('keeps the guids of lines it had, and prices again when only the discount or the mode changes', async () => {
    const quote = await aQuote(app, people.sales, customerGuid)
    const kept = quote.lines[0]?.guid
    const second = ok(
      await change(quote.guid, {
        version: 1,
        lines: [aLine({ name: 'New', unitPriceCents: 1000 }), aLine({ guid: kept })],
      }),
    ).quote
    expect([second.lines[1]?.guid, second.totals.totalCents]).toEqual([kept, 29_700])
    const third = ok(await change(quote.guid, { version: 2, discount: { type: 'percent', value: 1000 } })).quote
    expect(third.totals).toEqual({
      subtotalCents: 27_000,
      discountCents: 2700,
      gstCents: 2430,
      totalCents: 26_730,
      optionalTotalCents: 0,
    })
    const fourth = ok(await change(quote.guid, { version: 3, priceMode: 'inclusive', discount: null })).quote
    expect(fourth.totals).toMatchObject({ totalCents: 27_000, gstCents: 2455 })
    expect(ok(await change(quote.guid, { version: 4, title: 'Renamed' })).quote.totals).toEqual(fourth.totals)
  })

  test('leaves contact and site behind when it goes to another customer', async () => {
    const first = await aCustomer(app, people.sales, {
      displayName: 'First',
      contacts: [{ name: 'C' }],
      sites: [{ name: 'S', address }],
    })
    const quote = await aQuote(app, people.sales, first.guid, {
      contactGuid: first.contacts[0]?.guid,
      siteGuid: first.sites[0]?.guid,
    })
    expect(await get(quote.guid)).toMatchObject({
      contact: { name: 'C' },
      site: { name: 'S', label: 'S, 1 Wharf St, Balmain NSW 2041' },
    })
    expect(ok(await change(quote.guid, { version: 1, customerGuid })).quote).toMatchObject({
      contact: null,
      site: null,
      customerGuid,
    })
  })

  test('shows both versions when two people save at once', async () => {
    const quote = await aQuote(app, people.sales, customerGuid)
    const answers = await Promise.all(['a', 'b', 'c'].map((title) => change(quote.guid, { version: 1, title })))
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409])
    expect(answers.find((a) => a.status === 409)).toMatchObject({
      error: 'STALE_VERSION',
      data: { quote: { version: 2 } },
    })
  })
})

describe('sending', () => {
  test('gives the number, the last day, the link and the snapshot, and queues the message with its PDF', async () => {
    const draft = await aQuote(app, people.sales, customerGuid)
    const { quote } = ok(await call('POST', `/Quotes/Send/${draft.guid}`, { version: 1, note: 'See you soon' }))
    expect(quote).toMatchObject({ status: 'sent', displayStatus: 'sent', validUntil: '2026-07-31', version: 2 })
    expect(quote.number).toMatch(/^Q-\d{4}$/)
    expect(quote['serviceUrl']).toBe(`${app.deps.settings.publicUrl}/service/q/${quote.serviceGuid}`)
    // Whoever has the link can sign by it: those who only read are not told.
    const read = ok(await call('GET', `/Quotes/${quote.guid}`, undefined, people.readOnly)).quote
    expect([read['serviceUrl'], read.serviceGuid]).toEqual([null, null])
    const [message] = await messagesOf(quote.guid)
    expect(message).toMatchObject({
      template: 'quote',
      status: 'queued',
      recipients: ['anna@hartmann.example'],
      attachments: [{ kind: 'quote', guid: quote.guid }],
    })
    expect(message?.bodyHtml).toContain(String(quote.serviceGuid))
    expect(message?.bodyHtml).toContain('See you soon')
    const row = await app.deps.db
      .selectFrom('quotes')
      .select(['snapshot', 'snapshotSha256'])
      .where('guid', '=', quote.guid)
      .executeTakeFirstOrThrow()
    expect(row.snapshot).toMatchObject({
      number: quote.number,
      issueOn: '2026-07-01',
      validUntil: '2026-07-31',
      totals: { totalCents: 27_500 },
      billTo: { name: 'Hartmann Builders' },
    })
    expect(createHash('sha256').update(canonical(row.snapshot)).digest('hex')).toBe(row.snapshotSha256)
  })

  test('is refused without a priced line, without an address, and for a day that is past', async () => {
    const send = async (facts: Record<string, unknown>, guid = customerGuid, body: Record<string, unknown> = {}) => {
      const quote = await aQuote(app, people.sales, guid, facts)
      return call('POST', `/Quotes/Send/${quote.guid}`, { version: 1, ...body })
    }
    const silent = await aCustomer(app, people.sales, { displayName: 'No Mail', email: null })
    expect(paths(await send({ lines: [] }))).toEqual(['lines'])
    expect(paths(await send({ lines: [{ kind: 'text', name: 'Only words' }] }))).toEqual(['lines'])
    expect(
      paths(
        await send({
          lines: [
            aLine({ quantity: '1', unitPriceCents: 10_000 }),
            aLine({ name: 'Taken back', quantity: '2', unitPriceCents: -10_000 }),
          ],
        }),
      ),
    ).toEqual(['lines'])
    const { guid: past } = await aQuote(app, people.sales, customerGuid)
    await app.deps.db.updateTable('quotes').set({ validUntil: '2026-06-30' }).where('guid', '=', past).execute()
    expect(paths(await call('POST', `/Quotes/Send/${past}`, { version: 1 }))).toEqual(['validUntil'])
    // A day that is past already is told where it is chosen; one that was chosen in time stays through other changes.
    expect(paths(await change(past, { version: 1, validUntil: '2026-06-29' }))).toEqual(['validUntil'])
    expect((await change(past, { version: 1, validUntil: '2026-06-30', title: 'Later' })).status).toBe(200)
    expect(paths(await send({}, silent.guid))).toEqual(['to'])
    expect((await send({ validUntil: '2026-07-01' }, silent.guid, { to: ['other@example.com'] })).status).toBe(200)
    expect((await send({}, customerGuid, { to: ['x@example.com\r\nBcc: y@example.com'] })).status).toBe(422)
  })

  test('gives the next number to the next quote, without gaps when one fails', async () => {
    const first = await aSentQuote(app, people.sales, customerGuid)
    const silent = await aCustomer(app, people.sales, { displayName: 'Silent', email: null })
    const failing = await aQuote(app, people.sales, silent.guid)
    expect((await call('POST', `/Quotes/Send/${failing.guid}`, { version: 1 })).status).toBe(422)
    expect((await get(failing.guid)).number).toBeNull()
    const second = await aSentQuote(app, people.sales, customerGuid)
    expect(Number(second.number.slice(2))).toBe(Number(first.number.slice(2)) + 1)
  })

  test('happens once, whoever clicks it at the same time', async () => {
    const draft = await aQuote(app, people.sales, customerGuid)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', `/Quotes/Send/${draft.guid}`, { version: 1 })),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
    expect(answers.filter((a) => a.status === 409).every((a) => a.error === 'INVALID_TRANSITION')).toBe(true)
    expect(await messagesOf(draft.guid)).toHaveLength(1)
  })

  test('of many quotes at once gives each a number of its own, and none is left out', async () => {
    const drafts = await Promise.all(Array.from({ length: 12 }, () => aQuote(app, people.sales, customerGuid)))
    const numbers = await Promise.all(
      drafts.map(async (d) => ok(await call('POST', `/Quotes/Send/${d.guid}`, { version: 1 })).quote.number),
    )
    const figures = numbers.map((n) => Number(String(n).slice(2))).toSorted((a, b) => a - b)
    expect(figures).toEqual(Array.from({ length: 12 }, (_, i) => (figures[0] ?? 0) + i))
  })

  test('freezes the quote: it is revised from then on, not changed', async () => {
    const quote = await aSentQuote(app, people.sales, customerGuid)
    expect(refusal(await change(quote.guid, { version: quote.version, title: 'x' }))).toEqual([
      409,
      'INVALID_TRANSITION',
      'This quote has already been sent. Revise it to make changes.',
    ])
    expect(refusal(await call('POST', `/Quotes/Send/${quote.guid}`, { version: quote.version }))).toEqual([
      409,
      'INVALID_TRANSITION',
      'This quote has already been sent.',
    ])
  })

  test('charges no GST when the business gave up its registration after the draft', async () => {
    const draft = await aQuote(app, people.sales, customerGuid)
    await app.deps.db.updateTable('businesses').set({ gstRegistered: false }).where('guid', '=', businessGuid).execute()
    const { quote } = ok(await call('POST', `/Quotes/Send/${draft.guid}`, { version: 1 }))
    await app.deps.db.updateTable('businesses').set({ gstRegistered: true }).where('guid', '=', businessGuid).execute()
    expect([quote.totals.gstCents, quote.totals.totalCents, quote.lines[0]?.gstCode]).toEqual([
      0,
      25_000,
      'NOT_REGISTERED',
    ])
  })
})

describe('a revision', () => {
  test('keeps number and link, and takes the place of the old one when it is sent', async () => {
    const old = await aSentQuote(app, people.sales, customerGuid)
    const draft = ok(await call('POST', `/Quotes/Revise/${old.guid}`, { version: old.version }), 201).quote
    expect(draft).toMatchObject({
      status: 'draft',
      number: old.number,
      revision: 1,
      previousRevisionGuid: old.guid,
      totals: old.totals,
    })
    expect(draft.lines[0]?.guid).not.toBe(old.lines[0]?.guid)
    expect(await get(old.guid)).toMatchObject({ status: 'sent', nextRevisionGuid: draft.guid })
    expect(await get(old.guid)).toMatchObject({
      related: {
        revisions: [
          { guid: draft.guid, label: `${old.number} R1`, displayStatus: 'draft', totalCents: old.totals.totalCents },
        ],
      },
    })
    const sent = ok(await call('POST', `/Quotes/Send/${draft.guid}`, { version: 1 })).quote
    expect(sent).toMatchObject({ number: old.number, serviceGuid: old.serviceGuid, status: 'sent' })
    expect(await get(old.guid)).toMatchObject({ status: 'superseded', serviceGuid: null })
    const [[first], [message]] = await Promise.all([messagesOf(old.guid), messagesOf(draft.guid)])
    const replaces = `This replaces the version of quote ${old.number} we sent you earlier.`
    expect(message?.bodyText).toContain(replaces)
    expect(first?.bodyText).not.toContain('This replaces')
  })

  test('is started once', async () => {
    const old = await aSentQuote(app, people.sales, customerGuid)
    const answers = await Promise.all(
      [1, 2, 3].map(() => call('POST', `/Quotes/Revise/${old.guid}`, { version: old.version })),
    )
    expect(answers.map((a) => a.status).toSorted()).toEqual([201, 409, 409])
    const draft = answers.find((a) => a.status === 201)?.data.quote
    ok(await call('POST', `/Quotes/Cancel/${draft?.guid}`, { version: 1, reason: 'no' }))
    const { version } = await get(old.guid)
    expect(ok(await call('POST', `/Quotes/Revise/${old.guid}`, { version }), 201).quote.revision).toBe(2)
  })

  test('cannot be sent when the old one was declined away or accepted meanwhile', async () => {
    const old = await aSentQuote(app, people.sales, customerGuid)
    const draft = ok(await call('POST', `/Quotes/Revise/${old.guid}`, { version: old.version }), 201).quote
    await app.deps.db.updateTable('quotes').set({ status: 'converted' }).where('guid', '=', old.guid).execute()
    expect(refusal(await call('POST', `/Quotes/Send/${draft.guid}`, { version: 1 }))).toEqual([
      409,
      'INVALID_TRANSITION',
      'This quote has already been accepted.',
    ])
  })
})

describe('declining, cancelling, copying, archiving', () => {
  test('notes the reason and who said so', async () => {
    const quote = await aSentQuote(app, people.sales, customerGuid)
    const declined = ok(
      await call('POST', `/Quotes/Decline/${quote.guid}`, {
        version: quote.version,
        reasonCode: 'price',
        note: 'too dear',
      }),
    ).quote
    expect(declined).toMatchObject({
      status: 'declined',
      decline: { reasonCode: 'price', note: 'too dear', by: 'sales' },
    })
    expect(
      (await call('POST', `/Quotes/Decline/${quote.guid}`, { version: declined.version, reasonCode: 'price' })).error,
    ).toBe('INVALID_TRANSITION')
    expect(
      ok(await call('POST', `/Quotes/Cancel/${quote.guid}`, { version: declined.version, reason: 'done' })).quote
        .status,
    ).toBe('cancelled')
    expect(
      (await call('POST', `/Quotes/Cancel/${quote.guid}`, { version: declined.version + 1, reason: 'done' })).message,
    ).toBe('This quote was cancelled.')
  })

  test('copies lines into a new draft without number or decision, valid from today where the business is', async () => {
    const quote = await aSentQuote(app, people.sales, customerGuid, { internalNotes: 'mine' })
    const before = now
    // In Sydney the next day has begun.
    now = new Date('2026-07-20T15:00:00Z')
    const later = { ...people.sales, headers: await logIn(app, people.sales.authId) }
    const copy = ok(await call('POST', `/Quotes/Duplicate/${quote.guid}`, {}, later), 201).quote
    const revision = ok(
      await call('POST', `/Quotes/Revise/${quote.guid}`, { version: quote.version }, later),
      201,
    ).quote
    now = before
    expect(revision).toMatchObject({ revision: 1, validUntil: '2026-08-20' })
    expect(copy).toMatchObject({
      status: 'draft',
      number: null,
      revision: 0,
      validUntil: '2026-08-20',
      sentAt: null,
      totals: quote.totals,
      internalNotes: 'mine',
      previousRevisionGuid: null,
    })
  })

  test('takes a quote out of the way and brings it back', async () => {
    const quote = await aSentQuote(app, people.sales, customerGuid, { title: 'Hidden away' })
    ok(await call('DELETE', `/Quotes/${quote.guid}`))
    expect((await list('&search=hidden')).items).toEqual([])
    expect((await list('&search=hidden&archived=true')).items).toHaveLength(1)
    expect(
      (await call('POST', `/Quotes/Cancel/${quote.guid}`, { version: quote.version + 1, reason: 'x' })).message,
    ).toBe('This quote is archived. Restore it first.')
    expect(ok(await call('POST', `/Quotes/Restore/${quote.guid}`)).quote.status).toBe('sent')
    const { results } = ok(
      await app.call<{ results: { ok: boolean }[] }>(people.sales, 'POST', '/Quotes/Bulk', {
        action: 'restore',
        guids: [quote.guid],
      }),
    )
    expect(results).toMatchObject([{ ok: false, message: 'This quote isn’t archived.' }])
  })

  test('makes a new link and ends the old one', async () => {
    const quote = await aSentQuote(app, people.sales, customerGuid)
    const renewed = ok(await call('POST', `/Quotes/Link/${quote.guid}`, { version: quote.version })).quote
    expect(renewed.serviceGuid).not.toBe(quote.serviceGuid)
    expect((await app.call(people.guest, 'GET', `/Service/Quotes/${quote.serviceGuid}`)).status).toBe(404)
    expect((await app.call(people.guest, 'GET', `/Service/Quotes/${renewed.serviceGuid}`)).status).toBe(200)
    const draft = await aQuote(app, people.sales, customerGuid)
    expect((await call('POST', `/Quotes/Link/${draft.guid}`, { version: 1 })).error).toBe('INVALID_TRANSITION')
  })
})

describe('the list of quotes and its tiles', () => {
  test('wear the same words, and every quote exactly one', async () => {
    const expiring = await aSentQuote(app, people.sales, customerGuid, { validUntil: '2026-07-02', title: 'Expiring' })
    now = new Date(now.getTime() + 2 * dayMs)
    // Nobody stays signed in that long.
    for (const who of [people.sales, people.field, people.readOnly]) who.headers = await logIn(app, who.authId)
    people.guest = await aGuest(app)
    const { items: tiles } = ok(
      await app.call<{ items: { status: string; count: number; totalCents: number }[] }>(
        people.sales,
        'GET',
        '/Quotes/Metrics/StatusMetrics',
      ),
    )
    const all = await list()
    expect(tiles.reduce((sum, t) => sum + t.count, 0)).toBe(all.page.total.value)
    for (const tile of tiles) {
      const filtered = await list(`&status=${tile.status}`)
      expect([
        tile.status,
        filtered.page.total.value,
        filtered.items.reduce((sum, q) => sum + q.totalCents, 0),
      ]).toEqual([tile.status, tile.count, tile.totalCents])
      expect(filtered.items.every((q) => q.displayStatus === tile.status)).toBe(true)
    }
    expect((await list('&status=expired')).items.map((q) => q.guid)).toContain(expiring.guid)
    expect(
      (await call('POST', `/Quotes/Accept/${expiring.guid}`, { version: expiring.version, name: 'x', method: 'phone' }))
        .message,
    ).toBe('This quote has expired. Please ask for a new one.')
  })

  test('find quotes by number, title and customer, by day and by customer', async () => {
    const special = await aCustomer(app, people.sales, { displayName: 'Quokka Zoo' })
    const quote = await aSentQuote(app, people.sales, special.guid, { title: 'Enclosure 7' })
    for (const search of [quote.number, 'closure 7', 'quokka'])
      expect([search, (await list(`&search=${encodeURIComponent(search)}`)).items.map((q) => q.guid)]).toEqual([
        search,
        [quote.guid],
      ])
    expect((await list(`&customerGuid=${special.guid}`)).items).toMatchObject([{ customerName: 'Quokka Zoo' }])
    expect(
      (await list(`&customerGuid=${special.guid}&createdOn.gte=2026-07-03&createdOn.lte=2026-07-03`)).items,
    ).toHaveLength(1)
    expect((await list(`&customerGuid=${special.guid}&createdOn.lte=2026-07-02`)).items).toHaveLength(0)
  })

  test('page through every sort without losing or repeating a quote', async () => {
    const total = (await list()).page.total.value
    for (const sort of ['number', '-number', 'validUntil', '-sentAt', 'title', '-totalCents', 'createdAt']) {
      const seen = new Set<string>()
      let after = ''
      do {
        const { items, page } = ok(await app.call<List>(people.sales, 'GET', `/Quotes?size=10&sort=${sort}${after}`))
        for (const item of items) seen.add(item.guid)
        after = page.next ? `&after=${page.next}` : ''
      } while (after)
      expect([sort, seen.size]).toEqual([sort, total])
    }
  })

  test('are exported with the customer’s name', async () => {
    const csv = await app.call(people.sales, 'GET', '/Quotes/Export?search=quokka')
    expect(csv.body).toMatch(/Number,Title,Customer,Status/)
    expect(csv.body).toMatch(/Q-\d+,Enclosure 7,Quokka Zoo,sent,/)
  })
})

describe('rights on quotes', () => {
  test('are rows, not only pages: what is out of sight is not there for any deed', async () => {
    const role = await aRole(app, 'Own small quotes', [
      { subject: 'Quotes', action: 'manage', conditions: { scope: 'own', amountBelowCents: 100_000 } },
      { subject: 'Customers', action: 'read' },
    ])
    const junior = await aPerson(app, 'junior', role)
    const foreign = await aSentQuote(app, people.sales, customerGuid)
    const own = await aQuote(app, junior, customerGuid)
    expect(ok(await app.call<List>(junior, 'GET', '/Quotes')).items.map((q) => q.guid)).toEqual([own.guid])
    const tiles = ok(
      await app.call<{ items: { count: number }[] }>(junior, 'GET', '/Quotes/Metrics/StatusMetrics'),
    ).items
    expect(tiles.reduce((sum, t) => sum + t.count, 0)).toBe(1)
    const deeds: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, unknown?][] = [
      ['GET', `/Quotes/${foreign.guid}`],
      ['GET', `/Quotes/Timeline/${foreign.guid}`],
      ['GET', `/Quotes/Pdf/${foreign.guid}`],
      ['PATCH', `/Quotes/${foreign.guid}`, { version: 2 }],
      ['DELETE', `/Quotes/${foreign.guid}`],
      ['POST', `/Quotes/Restore/${foreign.guid}`],
      ['POST', `/Quotes/Duplicate/${foreign.guid}`],
      ['POST', `/Quotes/Send/${foreign.guid}`, { version: 2 }],
      ['POST', `/Quotes/Accept/${foreign.guid}`, { version: 2, name: 'x', method: 'phone' }],
      ['POST', `/Quotes/Convert/${foreign.guid}`, { version: 2 }],
      ['POST', `/Quotes/Decline/${foreign.guid}`, { version: 2, reasonCode: 'price' }],
      ['POST', `/Quotes/Revise/${foreign.guid}`, { version: 2 }],
      ['POST', `/Quotes/Cancel/${foreign.guid}`, { version: 2, reason: 'x' }],
      ['POST', `/Quotes/Link/${foreign.guid}`, { version: 2 }],
    ]
    for (const [method, path, body] of deeds)
      expect([method, path, (await app.call(junior, method, path, body)).status]).toEqual([method, path, 404])
  })

  test('let nobody in who only looks', async () => {
    expect((await app.call(people.readOnly, 'POST', '/Quotes', { customerGuid, title: 'x' })).status).toBe(403)
    expect((await app.call(people.field, 'GET', '/Quotes')).status).toBe(403)
    expect((await app.call(people.guest, 'GET', '/Quotes')).status).toBe(403)
  })
})

test('A quote is drawn as PDF, as draft and as sent', async () => {
  const quote = await aSentQuote(app, people.sales, customerGuid)
  const pdf = await app.call(people.sales, 'GET', `/Quotes/Pdf/${quote.guid}`)
  expect([pdf.status, pdf.headers['content-type'], pdf.body.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(String(pdf.headers['content-disposition'])).toContain(`${quote.number}.pdf`)
})

test('The timeline of a quote tells what was done and what was sent', async () => {
  const quote = await aSentQuote(app, people.sales, customerGuid)
  ok(await call('POST', `/Quotes/Decline/${quote.guid}`, { version: quote.version, reasonCode: 'scope' }))
  const { items } = ok(
    await app.call<{ items: { what: string; values: Record<string, unknown> }[] }>(
      people.sales,
      'GET',
      `/Quotes/Timeline/${quote.guid}`,
    ),
  )
  expect(items.map((i) => i.what)).toEqual(['quote.declined', 'quote.sent', 'quote.created'])
  expect(items[0]?.values).toMatchObject({ number: quote.number, reason: 'scope' })
})
