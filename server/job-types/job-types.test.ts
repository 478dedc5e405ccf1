import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FilledStrings, JobType } from '../../contract/job-types.ts'
import type { Quote } from '../../contract/quotes.ts'
import type { Product } from '../../contract/products.ts'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

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
      message: 'Write `quote.total | money`.',
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
