import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LineQuestions } from '../../contract/service-quotes.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { attachmentsOf } from '../../test/support/files.ts'
import { aPhonePhoto, aPicture } from '../../test/support/pictures.ts'
import { noteStatements } from '../../test/support/statements.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { canonical } from '../documents/documents.service.ts'
import { loadDocument } from '../documents/documents.queries.ts'
import { verifyLedger } from '../ledger/verify.ts'

interface Totals {
  totalCents: number
}
interface Priced {
  lines: { guid: string; name: string; unitPriceCents: number; said?: { question: string; answer: string }[] }[]
  questions: LineQuestions[]
  totals: Totals
  depositCents: number
  problems: { path: string; message: string }[]
  choiceSha256: string
}
interface Page {
  quote: Priced & { documentSha256: string; status: string }
}
type Value = Record<string, unknown>
const answersTo = (given: Record<string, Value>) => Object.entries(given).map(([option, value]) => ({ option, value }))

let app: Running
let people: Actors
let customerGuid: string
let productGuid: string
let optionGuids: Record<string, string>
let noted: (work: () => Promise<unknown>) => Promise<string[]>
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  noted = noteStatements(app.deps.db)
  optionGuids = await options()
  productGuid = await product('Marquee', { optionGuids: Object.values(optionGuids) })
}, 60_000)
afterAll(() => app.stop())

const post = async <D>(path: string, body: unknown): Promise<D> =>
  ok(await app.call<D>(people.office, 'POST', path, body), 201)
const product = async (name: string, more: object = {}) =>
  (await post<{ product: { guid: string } }>('/Products', { name, priceCents: 100_000, costCents: 7777, ...more }))
    .product.guid
const choice = (code: string, more: object = {}) => ({ code, label: { en: code, fr: `${code} (fr)` }, ...more })

/** Ours to answer, theirs, both's; one that is asked only with lights, and one that a photo answers. */
async function options(): Promise<Record<string, string>> {
  const flowers = await product('Flowers', { priceCents: 5_000 })
  const all = [
    {
      code: 'colour',
      input: 'single',
      choices: [choice('white'), choice('gold', { cents: 9_900 })],
      answeredBy: 'staff',
    },
    {
      code: 'size',
      input: 'single',
      required: true,
      answeredBy: 'guest',
      choices: [
        choice('ten'),
        choice('twelve', { cents: 20_000, durationMin: 60 }),
        choice('gone', { cents: 1, isActive: false }),
        choice('flowers', { addProductGuid: flowers }),
      ],
    },
    { code: 'lights', input: 'boolean', answeredBy: 'both', choices: [choice('yes', { bp: 1_000 })] },
    {
      code: 'night',
      input: 'boolean',
      answeredBy: 'guest',
      choices: [choice('yes', { cents: 25_000, per: 'once' })],
      visibleWhen: { match: 'all', rules: [{ option: 'lights', op: 'is', value: 'yes' }] },
    },
    { code: 'day', input: 'date', answeredBy: 'guest' },
    { code: 'note', input: 'text', answeredBy: 'guest' },
    { code: 'photo', input: 'file', answeredBy: 'guest' },
    { code: 'ready', input: 'time', answeredBy: 'guest' },
    { code: 'place', input: 'address', answeredBy: 'guest' },
    { code: 'heaters', input: 'quantity', answeredBy: 'guest', choices: [choice('each', { cents: 100 })] },
  ]
  const made: Record<string, string> = {}
  for (const option of all) {
    const { bookingOption } = await post<{ bookingOption: { guid: string } }>('/Products/BookingOptions', {
      label: { en: `${option.code}?` },
      ...option,
    })
    made[option.code] = bookingOption.guid
  }
  return made
}

/** A sent quote of one marquee whose colour we have answered. */
async function offered(facts: object = {}, line: object = {}) {
  const lines = [
    { name: 'Marquee', quantity: '1', productGuid, answers: answersTo({ colour: { code: 'gold' } }), ...line },
  ]
  const quote = await aSentQuote(app, people.office, customerGuid, { lines, ...facts })
  return { ...quote, line: quote.lines[0]?.guid ?? '' }
}
type Offered = Awaited<ReturnType<typeof offered>>

const priceWith = (quote: Offered, given: Record<string, Value>, more: object = {}, who: Caller = people.guest) =>
  app.call<Priced>(who, 'POST', `/Service/Quotes/Price/${quote.serviceGuid}`, {
    documentSha256: quote.documentSha256,
    answers: [{ lineGuid: quote.line, answers: answersTo(given) }],
    ...more,
  })
const acceptWith = (quote: Offered, given: Record<string, Value> | undefined, more: object = {}) =>
  app.call<{ order: { serviceGuid: string }; invoice: { balanceCents: number } | null; quote: { totals: Totals } }>(
    people.guest,
    'POST',
    `/Service/Quotes/Accept/${quote.serviceGuid}`,
    {
      documentSha256: quote.documentSha256,
      name: 'Anna',
      ...(given ? { answers: [{ lineGuid: quote.line, answers: answersTo(given) }] } : {}),
      ...more,
    },
  )
const page = async (quote: Offered) =>
  ok(await app.call<Page>(people.guest, 'GET', `/Service/Quotes/${quote.serviceGuid}`)).quote
const statusOf = async ({ guid }: Offered) =>
  (await app.deps.db.selectFrom('quotes').select('status').where('guid', '=', guid).executeTakeFirstOrThrow()).status
const ten = { size: { code: 'ten' } }

describe('the questions of a quote', () => {
  test('are put to its customer as far as they are his, with nothing of ours', async () => {
    const quote = await offered()
    const answer = await app.call<Page>(people.guest, 'GET', `/Service/Quotes/${quote.serviceGuid}`)
    const { questions, lines } = ok(answer).quote
    expect(questions).toHaveLength(1)
    expect(questions[0]?.asked.map(({ code }) => code)).toEqual([
      ...['size', 'lights', 'night', 'day', 'note', 'photo'],
      ...['ready', 'place', 'heaters'],
    ])
    expect(questions[0]?.visible).not.toContain('night')
    expect(lines[0]?.said).toMatchObject([{ question: 'colour?', answer: 'gold' }])
    for (const inside of ['addProductGuid', 'visibleWhen', 'selections', '7777', 'white', productGuid, 'answeredBy'])
      expect(answer.body).not.toContain(inside)
  })

  test('are priced live by what was offered, in one statement, whatever the catalogue has become', async () => {
    const quote = await offered({ depositRule: { type: 'percent', value: 2_000 } })
    ok(await app.call(people.office, 'DELETE', `/Products/BookingOptions/${optionGuids['lights']}`))
    const dear = { version: 1, priceCents: 999_999 }
    ok(await app.call(people.office, 'PATCH', `/Products/${productGuid}`, dear))
    // 1,000.00 and 99.00 for gold; 200.00 for twelve; 10 % of 1,000.00 for lights; 250.00 once for the night.
    const given = { size: { code: 'twelve' }, lights: { isYes: true }, night: { isYes: true } }
    const { lines, totals, depositCents, questions, problems } = ok(await priceWith(quote, given))
    expect(lines.map(({ name, unitPriceCents }) => [name, unitPriceCents])).toEqual([
      ['Marquee', 139_900],
      ['night?', 25_000],
    ])
    expect([totals.totalCents, depositCents, problems]).toEqual([181_390, 36_278, []])
    expect(questions[0]?.visible).toContain('night')
    const asked = await noted(() => priceWith(quote, given))
    const own = asked.filter((text) => /quote_lines|attachments|service_links/.test(text))
    expect(own).toHaveLength(1)
    expect(
      asked.filter((text) => /^(insert|update|delete)/i.test(text.trim()) && !text.includes('rate_limits')),
    ).toEqual([])
    ok(await app.call(people.office, 'PATCH', `/Products/${productGuid}`, { version: 2, priceCents: 100_000 }))
    ok(await app.call(people.office, 'POST', `/Products/BookingOptions/Restore/${optionGuids['lights']}`))
  })

  test('bring products and fees along, and take them back', async () => {
    const quote = await offered()
    const names = async (given: Record<string, Value>) =>
      ok(await priceWith(quote, given)).lines.map(({ name }) => name)
    expect(await names({ size: { code: 'flowers' } })).toEqual(['Marquee', 'Flowers'])
    expect(await names(ten)).toEqual(['Marquee'])
  })

  test('say what is missing and what can’t be, each at its question', async () => {
    const quote = await offered()
    const problems = async (given: Record<string, Value>) => ok(await priceWith(quote, given)).problems
    const at = (code: string) => `answers.${quote.line}.${code}`
    expect(await problems({})).toEqual([{ path: at('size'), message: 'Answer “size?”.' }])
    expect(await problems({ size: { code: 'gone' } })).toEqual([
      { path: at('size'), message: 'Choose one of the choices offered.' },
    ])
    expect(await problems({ ...ten, colour: { code: 'white' } })).toEqual([
      { path: at('colour'), message: 'We answer this question for you.' },
    ])
    expect(await problems({ ...ten, other: { text: 'x' } })).toEqual([
      { path: at('other'), message: 'This question isn’t asked for this line.' },
    ])
    // A question that is not asked is unanswered: neither priced nor a mistake.
    const hidden = ok(await priceWith(quote, { ...ten, night: { isYes: true } }))
    expect([hidden.problems, hidden.lines.length]).toEqual([[], 1])
  })

  test('that can’t be read say so at their fields, and leave the price of the others as it is', async () => {
    const quote = await offered()
    const given = { size: { code: 'twelve' }, lights: { isYes: true } }
    const right = ok(await priceWith(quote, given)).totals.totalCents
    const at = (code: string) => `answers.${quote.line}.${code}`
    const wrong = {
      ...given,
      heaters: { quantity: '2.5' },
      day: { day: '2027-02-31' },
      ready: { time: '25:99' },
      place: { address: { line1: '', suburb: 'Manly', state: 'NSW', postcode: 'ABCD' } },
      note: { text: 'x'.repeat(501) },
    }
    const priced = ok(await priceWith(quote, wrong))
    expect(priced.totals.totalCents).toBe(right)
    const problems = [
      { path: at('place.address.line1'), message: 'This field is required.' },
      { path: at('place.address.postcode'), message: 'Enter four digits.' },
      { path: at('ready'), message: 'Enter a time such as 07:30.' },
      { path: at('note'), message: 'Use 500 characters or fewer.' },
      { path: at('heaters'), message: 'Enter a whole number from 1 to 9,999.' },
    ]
    expect(priced.problems).toEqual(expect.arrayContaining(problems))
    expect(priced.problems.map(({ path }) => path).toSorted()).toEqual(
      [...problems.map(({ path }) => path), at('day')].toSorted(),
    )
    const refused = await acceptWith(quote, wrong)
    expect([refused.status, refused.errors]).toEqual([422, priced.problems])
    expect(await statusOf(quote)).toBe('sent')
    // What can't be read for lack of a required answer is said once; what is not asked is no mistake.
    expect(ok(await priceWith(quote, { size: { code: 'No such' } })).problems.map(({ path }) => path)).toEqual([
      at('size'),
    ])
    expect(ok(await priceWith(quote, { ...ten, night: { code: '!' } })).problems).toEqual([])
    for (const quantity of ['10000', '0', 'many'])
      expect(ok(await priceWith(quote, { ...ten, heaters: { quantity } })).problems).toHaveLength(1)
    expect(ok(await priceWith(quote, { ...ten, heaters: { quantity: '9999' } })).problems).toEqual([])
  })

  test('are refused to strangers to the line, the document and the link', async () => {
    const [mine, other] = [await offered(), await offered()]
    const theirs = await app.call(people.guest, 'POST', `/Service/Quotes/Price/${mine.serviceGuid}`, {
      documentSha256: mine.documentSha256,
      answers: [{ lineGuid: other.line, answers: answersTo(ten) }],
    })
    expect([theirs.status, theirs.errors]).toEqual([
      422,
      [{ path: 'answers.0.lineGuid', message: 'We can’t find that line.' }],
    ])
    expect((await acceptWith(mine, undefined, { answers: [{ lineGuid: other.line, answers: [] }] })).status).toBe(422)
    const old = await priceWith({ ...mine, documentSha256: other.documentSha256 }, ten)
    expect([old.status, old.error, (old.data as unknown as Page).quote.documentSha256]).toEqual([
      409,
      'STALE_VERSION',
      mine.documentSha256,
    ])
    expect((await priceWith({ ...mine, serviceGuid: randomUUID() }, ten)).status).toBe(404)
    expect((await app.call(null, 'POST', `/Service/Quotes/Price/${mine.serviceGuid}`, {})).status).toBe(401)
    const long = await priceWith(mine, { ...ten, note: { text: 'x'.repeat(5001) } })
    expect(long.status).toBe(422)
  })
})

describe('an acceptance with answers', () => {
  test('needs what was asked, and loses nothing by the refusal', async () => {
    const quote = await offered()
    const tries: (Record<string, Value> | undefined)[] = [undefined, {}, { lights: { isYes: true } }]
    for (const given of tries) {
      const refused = await acceptWith(quote, given)
      expect([refused.status, refused.errors]).toEqual([
        422,
        [{ path: `answers.${quote.line}.size`, message: 'Answer “size?”.' }],
      ])
    }
    expect((await acceptWith(quote, { ...ten, colour: { code: 'white' } })).status).toBe(422)
    expect(await statusOf(quote)).toBe('sent')
    expect((await page(quote)).questions[0]?.answers).toEqual([])
  })

  test('prices again, and asks again where the customer was shown another total', async () => {
    const quote = await offered()
    const shown = async (code: string) => ok(await priceWith(quote, { size: { code } })).choiceSha256
    const refused = await acceptWith(quote, { size: { code: 'twelve' } }, { choiceSha256: await shown('ten') })
    expect([refused.status, refused.error]).toEqual([409, 'STALE_VERSION'])
    expect(refused.data).toMatchObject({ totals: { totalCents: 142_890 }, quote: { status: 'sent' } })
    expect(await statusOf(quote)).toBe('sent')
    const done = ok(await acceptWith(quote, { size: { code: 'twelve' } }, { choiceSha256: await shown('twelve') }))
    expect(done.quote.totals.totalCents).toBe(142_890)
  })

  test('costs what was offered, though the product and the choice have become dearer since', async () => {
    const silk = (cents: number) => [choice('plain'), choice('silk', { cents })]
    const { bookingOption: finish } = await post<{ bookingOption: { guid: string } }>('/Products/BookingOptions', {
      ...{ code: 'finish', label: { en: 'finish?' }, input: 'single', answeredBy: 'guest' },
      choices: silk(5_000),
    })
    const tent = await product('Tent', { optionGuids: [finish.guid] })
    const quote = await offered({}, { name: 'Tent', productGuid: tent, answers: [] })
    const dearer = async (path: string, change: object) =>
      ok(await app.call(people.office, 'PATCH', path, { version: 1, ...change }))
    await dearer(`/Products/${tent}`, { priceCents: 999_999 })
    await dearer(`/Products/BookingOptions/${finish.guid}`, { choices: silk(90_000) })
    // 1,000.00 and 50.00 for silk, with GST.
    const done = ok(await acceptWith(quote, { finish: { code: 'silk' } }))
    expect(done.quote.totals.totalCents).toBe(115_500)
  })

  test('keeps the answers as the customer’s, in the document, on paper and in the order', async () => {
    const hostile = "<img src=x onerror=alert(1)>\u202e {{ quote.total }} '); drop table quotes; --"
    const quote = await offered({ depositRule: { type: 'percent', value: 5_000 } })
    const given = {
      size: { code: 'twelve' },
      lights: { isYes: true },
      night: { isYes: true },
      day: { day: '2027-02-14' },
      note: { text: hostile },
    }
    const { choiceSha256 } = ok(await priceWith(quote, given))
    const done = ok(await acceptWith(quote, given, { choiceSha256 }))
    expect(done.invoice?.balanceCents).toBe(90_695)
    const selections = await app.deps.db
      .selectFrom('bookingSelections')
      .select(['optionCode', 'answeredBy', 'userGuid', 'cents'])
      .where('quoteGuid', '=', quote.guid)
      .orderBy('optionCode')
      .execute()
    expect(selections).toEqual([
      { optionCode: 'colour', answeredBy: 'staff', userGuid: people.office.userGuid, cents: 9_900 },
      { optionCode: 'day', answeredBy: 'guest', userGuid: null, cents: 0 },
      { optionCode: 'lights', answeredBy: 'guest', userGuid: null, cents: 10_000 },
      { optionCode: 'night', answeredBy: 'guest', userGuid: null, cents: 25_000 },
      { optionCode: 'note', answeredBy: 'guest', userGuid: null, cents: 0 },
      { optionCode: 'size', answeredBy: 'guest', userGuid: null, cents: 20_000 },
    ])

    const row = await app.deps.db
      .selectFrom('quotes')
      .select(['acceptance', 'snapshotSha256', 'snapshot', 'totalCents'])
      .where('guid', '=', quote.guid)
      .executeTakeFirstOrThrow()
    const { document, acceptedSha256, documentSha256 } = row.acceptance ?? {}
    const hashOf = (content: unknown) => createHash('sha256').update(canonical(content)).digest('hex')
    expect([documentSha256, hashOf(row.snapshot), hashOf(document)]).toEqual([
      quote.documentSha256,
      quote.documentSha256,
      acceptedSha256,
    ])
    expect(row.totalCents).toBe(181_390)
    const { frozen } = await loadDocument(app.deps.db, 'quote', quote.guid)
    expect(frozen?.totals.totalCents).toBe(181_390)
    expect(frozen?.lines[0]?.answers?.map(({ question, answer }) => [question, answer])).toEqual([
      ['colour?', 'gold'],
      ['size?', 'twelve'],
      ['lights?', 'Yes'],
      ['night?', 'Yes'],
      ['day?', '14 February 2027'],
      ['note?', hostile],
    ])
    const pdf = await app.fastify.inject({
      url: `/api/v2/Service/Quotes/Pdf/${quote.serviceGuid}`,
      headers: people.guest.headers,
    })
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 4).toString()]).toEqual([200, '%PDF'])

    const order = ok(
      await app.call<{ order: { lines: Priced['lines']; totals: Totals } }>(
        people.guest,
        'GET',
        `/Service/Orders/${done.order.serviceGuid}`,
      ),
    ).order
    expect(order.lines.map(({ name }) => name)).toEqual(['Marquee', 'night?'])
    expect(order.totals.totalCents).toBe(181_390)
    expect(order.lines[0]?.said?.find(({ question }) => question === 'note?')?.answer).toBe(hostile)
    const seen = await page(quote)
    expect([seen.questions, seen.lines[0]?.said?.length]).toEqual([[], 6])
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
    await app.deps.db
      .updateTable('quotes')
      .set({ acceptance: JSON.stringify({ ...row.acceptance, document: { ...(document as object), title: 'Other' } }) })
      .where('guid', '=', quote.guid)
      .execute()
    expect((await verifyLedger(app.deps.db)).problems.map(({ code }) => code)).toContain('SNAPSHOT')
    await app.deps.db
      .updateTable('quotes')
      .set({ acceptance: JSON.stringify(row.acceptance) })
      .where('guid', '=', quote.guid)
      .execute()
  })

  test('asks nothing for a line that is not chosen', async () => {
    const lines = [
      { name: 'Floor', quantity: '1', unitPriceCents: 10_000 },
      { name: 'Marquee', quantity: '1', productGuid, isOptional: true },
    ]
    const quote = await aSentQuote(app, people.office, customerGuid, { lines })
    const optional = { ...quote, line: quote.lines[1]?.guid ?? '' }
    const chosen = { selectedLineGuids: [optional.line] }
    expect(ok(await priceWith(optional, {}, { selectedLineGuids: [] })).problems).toEqual([])
    expect(ok(await priceWith(optional, {}, chosen)).problems).toHaveLength(1)
    expect((await acceptWith(optional, {}, chosen)).status).toBe(422)
    expect(ok(await acceptWith(optional, {}, { selectedLineGuids: [] })).quote.totals.totalCents).toBe(11_000)
  })

  test('happens once, however many ask at the same time', async () => {
    const quote = await offered()
    // Who is told to come back does: whoever waits long for the others is answered 503, and nothing was done for him.
    const insist = async (given: typeof ten): ReturnType<typeof acceptWith> => {
      const answer = await acceptWith(quote, given)
      return answer.status === 503 ? insist(given) : answer
    }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => insist(i % 2 ? ten : { size: { code: 'twelve' } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([200, 409])
    const orders = app.deps.db.selectFrom('orders').select('guid').where('quoteGuid', '=', quote.guid)
    expect(await orders.execute()).toHaveLength(1)
  }, 60_000)

  test('by phone needs no answers of the customer', async () => {
    const quote = await offered()
    const done = await app.call(people.office, 'POST', `/Quotes/Accept/${quote.guid}`, {
      version: quote.version,
      method: 'phone',
      name: 'Anna',
    })
    expect(done.status).toBe(200)
  })
})

describe('a photo that answers a question', () => {
  const send = (quote: Offered, bytes: Buffer, more: object = {}) =>
    app.call<{ file: { guid: string; name: string } }>(
      people.guest,
      'POST',
      `/Service/Quotes/Photo/${quote.serviceGuid}`,
      {
        clientKey: randomUUID(),
        fileName: 'garden.jpg',
        base64: bytes.toString('base64'),
        lineGuid: quote.line,
        option: 'photo',
        ...more,
      },
    )

  test('hangs on the quote as the customer’s, without its place, and is agreed to with the rest', async () => {
    const quote = await offered()
    const clientKey = randomUUID()
    const photo = await aPhonePhoto({ orientation: 1 }, 320, 240)
    const { file } = ok(await send(quote, photo, { clientKey }), 201)
    expect(ok(await send(quote, photo, { clientKey }), 201).file.guid).toBe(file.guid)
    const [attached, ...others] = await attachmentsOf(app, people.office, ['Quotes', quote.guid])
    expect(others).toEqual([])
    expect(attached).toMatchObject({
      place: 'answer',
      caption: 'photo?',
      forCustomer: true,
      file: { name: 'garden.jpg', createdBy: null, isFromCustomer: true },
    })
    const content = `/Files/Content/${file.guid}`
    const read = await app.call(people.guest, 'GET', `${content}?link=${quote.serviceGuid}`)
    expect([read.status, read.body.includes('GPS')]).toEqual([200, false])
    const given = { ...ten, photo: { fileGuid: file.guid } }
    expect(ok(await priceWith(quote, given)).problems).toEqual([])
    const asked = await noted(() => priceWith(quote, given))
    expect(asked.filter((text) => /quote_lines|attachments/.test(text))).toHaveLength(2)
    ok(await acceptWith(quote, given))
    expect((await page(quote)).lines[0]?.said?.at(-1)).toMatchObject({ question: 'photo?', answer: 'garden.jpg' })
  })

  test('is taken for no other quote, and no other file for it', async () => {
    const [mine, other] = [await offered(), await offered()]
    const { file } = ok(await send(other, await aPicture('png'), { fileName: 'x.png' }), 201)
    const refused = await acceptWith(mine, { ...ten, photo: { fileGuid: file.guid } })
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: `answers.${mine.line}.photo`, message: 'We can’t find that file. Send it again.' }],
    ])
  })

  test('is a picture of at most 512 KiB, for a question that is asked, while the quote is open', async () => {
    const quote = await offered()
    const picture = await aPicture('jpeg')
    const text = await send(quote, Buffer.from('<script>alert(1)</script>'), { fileName: 'a.jpg' })
    expect([text.status, text.errors[0]?.message]).toEqual([422, 'This type of file is not accepted.'])
    const large = await send(quote, Buffer.alloc(524_289, 1))
    expect([large.status, large.errors[0]?.message]).toEqual([422, 'Choose a picture of up to 512 KB.'])
    expect((await send(quote, picture, { option: 'size' })).status).toBe(404)
    expect((await send(quote, picture, { lineGuid: randomUUID() })).status).toBe(404)
    expect((await send({ ...quote, serviceGuid: randomUUID() }, picture)).status).toBe(404)
    ok(await acceptWith(quote, ten))
    expect((await send(quote, picture)).status).toBe(409)
    expect(await attachmentsOf(app, people.office, ['Quotes', quote.guid])).toEqual([])
  })

  test('is one of twenty', async () => {
    const quote = await offered()
    for (let i = 0; i < 20; i++) ok(await send(quote, await aPicture('jpeg', 32, 32, i * 10)), 201)
    const refused = await send(quote, await aPicture('jpeg', 32, 32, 255))
    expect([refused.status, refused.message]).toEqual([409, 'You can send up to 20 photos. Contact us to send more.'])
  })
})
