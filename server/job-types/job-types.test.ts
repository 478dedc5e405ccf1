import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FilledStrings, JobDefaults, JobType } from '../../contract/job-types.ts'
import type { Customer } from '../../contract/customers.ts'
import type { Order } from '../../contract/orders.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { Product } from '../../contract/products.ts'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { jobTypeOfPage } from './job-strings.service.ts'

let app: Running
let actors: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
})
afterAll(() => app.stop())

type One = { jobType: JobType }
/** A quote of that kind of job, with all that its answer has. */
async function aQuoteOf({ guid: jobTypeGuid }: JobType): Promise<Quote> {
  const { guid } = await aQuote(app, actors.office, customerGuid, { jobTypeGuid })
  return ok(await app.call<{ quote: Quote }>(actors.office, 'GET', `/Quotes/${guid}`)).quote
}
const aJobType = async (body: object): Promise<JobType> =>
  ok(await app.call<One>(actors.office, 'POST', '/JobTypes', body), 201).jobType

test('A job type is made with its defaults, changed and put away', async () => {
  const { product } = ok(
    await app.call<{ product: Product }>(actors.office, 'POST', '/Products', { name: 'Marquee', priceCents: 78_000 }),
    201,
  )
  const jobType = await aJobType({
    name: 'Event',
    durationMin: 180,
    bufferBeforeMin: 30,
    checklist: [{ code: 'stakes', label: 'Stakes in', required: true }],
    lines: [{ productGuid: product.guid, quantity: '2' }],
    depositRule: { type: 'percent', value: 5000 },
  })
  expect(jobType).toMatchObject({
    bufferAfterMin: 0,
    optionGuids: [],
    products: [{ guid: product.guid, label: 'Marquee' }],
    strings: {},
  })
  expect((await app.call(actors.office, 'POST', '/JobTypes', { name: 'event' })).errors[0]?.path).toBe('name')
  const patch = (body: object) => app.call<One>(actors.office, 'PATCH', `/JobTypes/${jobType.guid}`, body)
  const changed = ok(await patch({ version: 1, durationMin: 240 })).jobType
  expect(changed).toMatchObject({ durationMin: 240, name: 'Event', lines: jobType.lines })
  expect((await patch({ version: 1, durationMin: 1 })).error).toBe('STALE_VERSION')
  const lost = await patch({ version: changed.version, lines: [{ productGuid: crypto.randomUUID(), quantity: '1' }] })
  expect(lost.errors[0]?.path).toBe('lines.0.productGuid')
  ok(await app.call(actors.office, 'DELETE', `/JobTypes/${jobType.guid}`))
  const listed = ok(await app.call<{ items: JobType[] }>(actors.readOnly, 'GET', '/JobTypes')).items
  expect(listed.map(({ guid }) => guid)).not.toContain(jobType.guid)
  expect((await app.call(actors.sales, 'POST', '/JobTypes', { name: 'Mine' })).status).toBe(403)
})

test('A text that cannot be filled is refused at its field', async () => {
  const refused = await app.call(actors.office, 'POST', '/JobTypes', {
    name: 'Wrong',
    strings: { invoiceText: { en: 'You owe {{ invoice.totall | money }}', fr: '{% assign a = 1 %}' } },
  })
  expect([refused.status, refused.errors]).toEqual([
    422,
    [
      {
        path: 'strings.invoiceText.en',
        message: 'There is no `invoice.totall`. Did you mean `invoice.total`?',
      },
      { path: 'strings.invoiceText.fr', message: 'The tag `assign` can’t be used here.' },
    ],
  ])
})

test('Texts are filled from a record, and drafts of them say what is wrong', async () => {
  const jobType = await aJobType({
    name: 'Wedding',
    strings: { quoteHeading: { en: 'For {{ customer.name }}', fr: 'Pour {{ customer.name }}' } },
  })
  const quote = await aQuoteOf(jobType)
  const at = `/JobTypes/Strings/${jobType.guid}`
  const filled = ok(await app.call<FilledStrings>(actors.office, 'GET', `${at}?record=${quote.guid}`))
  const name = quote.customer.displayName
  expect(filled.strings.quoteHeading).toEqual({ en: `For ${name}`, fr: `Pour ${name}`, ar: `For ${name}` })
  expect(filled.problems).toEqual([])
  const tried = ok(
    await app.call<FilledStrings>(actors.office, 'POST', at, {
      record: quote.guid,
      strings: { quoteText: { en: 'Total\n{{ quote.total }}' } },
    }),
  )
  expect(tried.problems).toEqual([
    {
      language: 'en',
      part: 'quoteText',
      line: 2,
      at: 'quote.total',
      message: '`quote.total` is an amount. Write `quote.total | money` to show it with dollars and cents.',
      record: { guid: quote.guid, label: quote.title },
    },
  ])
  const unknown = await app.call(actors.office, 'GET', `${at}?record=${crypto.randomUUID()}`)
  expect([unknown.status, unknown.errors[0]?.path]).toEqual([422, 'record'])
  // Whoever sees kinds of jobs and no quotes can read none through a text.
  const role = await aRole(app, 'Job types alone', [{ subject: 'JobTypes', action: 'read' }])
  const reader = await aPerson(app, 'job-types-alone', role)
  expect((await app.call(reader, 'GET', at)).status).toBe(200)
  expect((await app.call(reader, 'GET', `${at}?record=${quote.guid}`)).status).toBe(422)
  expect((await app.call(actors.field, 'GET', at)).status).toBe(403)
})

test('The customer reads the texts of the kind of job on the page', async () => {
  const jobType = await aJobType({
    name: 'Garden party',
    strings: {
      title: { en: 'Your event' },
      quoteText: { en: '{{ quote.total | money }} for {{ quote.lines.size }} lines, {{ customer.name }}' },
    },
  })
  const quote = await aQuoteOf(jobType)
  expect([quote.jobTypeGuid, quote.jobType]).toEqual([jobType.guid, { guid: jobType.guid, label: 'Garden party' }])
  const sent = ok(
    await app.call<{ quote: { serviceGuid: string } }>(actors.office, 'POST', `/Quotes/Send/${quote.guid}`, {
      version: quote.version,
      to: ['customer@example.com'],
    }),
  ).quote
  const page = ok(
    await app.call<{ jobType: object; quote: { totals: { totalCents: number } } }>(
      actors.guest,
      'GET',
      `/Service/Quotes/${sent.serviceGuid}`,
    ),
  )
  expect(page.jobType).toEqual({
    heading: 'Your event',
    text: `$${(page.quote.totals.totalCents / 100).toFixed(2)} for 1 lines, ${quote.customer.displayName}`,
  })
  const wrong = await app.call(actors.office, 'PATCH', `/Quotes/${quote.guid}`, {
    version: quote.version,
    jobTypeGuid: crypto.randomUUID(),
  })
  expect(wrong.status).toBe(409)
})

test('A document begins with what its kind of job has, in the words and the language of its customer', async () => {
  const make = async (facts: object) =>
    ok(await app.call<{ product: Product }>(actors.office, 'POST', '/Products', { priceCents: 5000, ...facts }), 201)
      .product
  const [panel, draft] = [await make({ name: 'Panel' }), await make({ name: 'Not yet', status: 'draft' })]
  const jobType = await aJobType({
    name: 'Fence hire',
    lines: [
      { productGuid: panel.guid, quantity: '24' },
      { productGuid: draft.guid, quantity: '1' },
    ],
    depositRule: { type: 'percent', value: 2500 },
    strings: {
      title: { en: 'Fencing for {{ customer.name }}', fr: 'Clôture pour\n{{ customer.name }}' },
      description: { en: 'About {{ jobType.durationMin }} minutes.' },
    },
  })
  const { customer } = ok(
    await app.call<{ customer: Customer }>(actors.office, 'POST', '/Customers', {
      displayName: 'Grèbe SARL',
      language: 'fr',
    }),
    201,
  )
  const at = `/JobTypes/Defaults/${jobType.guid}`
  const { defaults } = ok(
    await app.call<{ defaults: JobDefaults }>(actors.office, 'GET', `${at}?customerGuid=${customer.guid}`),
  )
  expect(defaults).toMatchObject({
    lines: [{ quantity: '24', product: { guid: panel.guid, priceCents: 5000 } }],
    missing: ['Not yet'],
    depositRule: { type: 'percent', value: 2500 },
    title: 'Clôture pour Grèbe SARL',
    intro: 'About 60 minutes.',
  })
  expect(defaults.lines[0]?.product).not.toHaveProperty('costCents')
  const unknown = await app.call(actors.office, 'GET', `${at}?customerGuid=${crypto.randomUUID()}`)
  expect([unknown.status, unknown.errors[0]?.path]).toEqual([422, 'customerGuid'])
  // Whoever sees no customers is told of none.
  const role = await aRole(app, 'Job types, no customers', [{ subject: 'JobTypes', action: 'read' }])
  const reader = await aPerson(app, 'no-customers', role)
  const alone = ok(await app.call<{ defaults: JobDefaults }>(reader, 'GET', at)).defaults
  expect([alone.title, alone.lines]).toEqual(['Fencing for', []])
  expect((await app.call(reader, 'GET', `${at}?customerGuid=${customer.guid}`)).status).toBe(422)
})

test('An order without a quote has a kind of job of its own, and tells the crew what it says', async () => {
  const jobType = await aJobType({
    name: 'Crane day',
    strings: { crew: { en: 'Be on site {{ order.scheduledOn | date }}.' } },
  })
  const { order } = ok(
    await app.call<{ order: Order }>(actors.office, 'POST', '/Orders', {
      customerGuid,
      title: 'Crane',
      scheduledOn: '2026-11-02',
      jobTypeGuid: jobType.guid,
    }),
    201,
  )
  expect(order).toMatchObject({
    jobTypeGuid: jobType.guid,
    jobType: { guid: jobType.guid, label: 'Crane day' },
    crewNote: 'Be on site 2 November 2026.',
  })
  const list = async (query: string) =>
    ok(await app.call<{ items: { guid: string; jobTypeName: string }[] }>(actors.office, 'GET', `/Orders?${query}`))
      .items
  expect(await list(`jobTypeGuid=${jobType.guid}`)).toMatchObject([{ guid: order.guid, jobTypeName: 'Crane day' }])
  expect(await list(`jobTypeGuid=${crypto.randomUUID()}`)).toEqual([])
  const change = (body: object) =>
    app.call<{ order: Order }>(actors.office, 'PATCH', `/Orders/${order.guid}`, { version: order.version, ...body })
  expect((await change({ jobTypeGuid: crypto.randomUUID() })).errors[0]?.path).toBe('jobTypeGuid')
  expect(ok(await change({ jobTypeGuid: null })).order).toMatchObject({ jobType: null, crewNote: null })
})

test('A page does not say twice what the quote says itself', async () => {
  const jobType = await aJobType({
    name: 'Twice',
    strings: { title: { en: 'Your fence' }, description: { en: 'We bring everything.' } },
  })
  const quote = await aQuoteOf(jobType)
  const page = async (words: object) => {
    const { version } = ok(await app.call<{ quote: Quote }>(actors.office, 'GET', `/Quotes/${quote.guid}`)).quote
    ok(await app.call(actors.office, 'PATCH', `/Quotes/${quote.guid}`, { version, ...words }))
    return jobTypeOfPage(app.deps.db, 'quote', quote.guid, 'en')
  }
  expect(await page({ title: 'Other' })).toEqual({ heading: 'Your fence', text: 'We bring everything.' })
  expect(await page({ title: 'Your fence' })).toEqual({ heading: '', text: 'We bring everything.' })
  expect(await page({ intro: 'We bring everything.' })).toBeNull()
})
