import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { canonical } from './documents.service.ts'

interface Line {
  guid: string
  name: string
  quantity: string
  unitPriceCents: number
  isPriceManual: boolean
  answers: { option: string; value: object }[]
  options: { code: string }[]
  selections: { optionCode: string; cents: number; choices: { label: string }[]; answeredBy: string; at: string }[]
}
interface Quote {
  quote: { guid: string; version: number; lines: Line[]; totals: { totalCents: number } }
}

let app: Running
let people: Actors
let customerGuid: string
let marquee: string
let floor: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  floor = await aProduct({ name: 'Floor panel', priceCents: 900 })
  const optionGuids = [
    await anOption('size', 'single', {
      label: { en: 'Size', fr: 'Taille' },
      required: true,
      choices: [choice('six'), choice('ten', { cents: 12_000, durationMin: 45 })],
    }),
    await anOption('lights', 'boolean', { choices: [choice('yes', { bp: 1000 })] }),
    await anOption('night', 'boolean', {
      choices: [choice('yes', { cents: 25_000, per: 'once' })],
      visibleWhen: { match: 'all', rules: [{ option: 'lights', op: 'is', value: 'yes' }] },
    }),
    await anOption('panels', 'quantity', { choices: [choice('each', { addProductGuid: floor })] }),
    await anOption('surface', 'text', { required: true, answeredBy: 'both' }),
    await anOption('plan', 'file'),
  ]
  marquee = await aProduct({ name: 'Marquee', priceCents: 78_000, optionGuids })
})
afterAll(() => app.stop())

const choice = (code: string, more: object = {}) => ({ code, label: { en: code }, ...more })
const aProduct = async (body: object) =>
  ok(await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', body), 201).product.guid
const anOption = async (code: string, input: string, more: object = {}) =>
  ok(
    await app.call<{ bookingOption: { guid: string } }>(people.office, 'POST', '/Products/BookingOptions', {
      code,
      label: { en: code },
      input,
      ...more,
    }),
    201,
  ).bookingOption.guid
const yes = (option: string) => ({ option, value: { isYes: true } })
const size = (code: string) => ({ option: 'size', value: { code } })
const line = (answers?: object[], more: object = {}) => ({
  name: 'Marquee',
  productGuid: marquee,
  ...(answers && { answers }),
  ...more,
})
const create = (lines: object[], who = people.office) =>
  app.call<Quote>(who, 'POST', '/Quotes', { customerGuid, title: 'Party', lines })
const change = async ({ guid, version }: { guid: string; version: number }, lines: object[], who = people.office) =>
  ok(await app.call<Quote>(who, 'PATCH', `/Quotes/${guid}`, { version, lines })).quote
const rowsOf = (guid: string | undefined) =>
  app.deps.db
    .selectFrom('bookingSelections')
    .selectAll()
    .where((e) => e.or([e('quoteLineGuid', '=', guid ?? ''), e('orderLineGuid', '=', guid ?? '')]))
    .orderBy('optionCode')
    .execute()

test('Answers price a line and are kept with it, one row each', async () => {
  const { quote } = ok(await create([line([size('ten'), yes('lights'), yes('night')], { quantity: '2' })]), 201)
  const [made] = quote.lines
  expect(made).toMatchObject({ unitPriceCents: 97_800, isPriceManual: false })
  expect(made?.options.map(({ code }) => code)).toEqual(['size', 'lights', 'night', 'panels', 'surface', 'plan'])
  expect(made?.answers).toEqual([size('ten'), yes('lights'), yes('night')])
  expect(made?.selections.map(({ optionCode, cents, answeredBy }) => [optionCode, cents, answeredBy])).toEqual([
    ['size', 24_000, 'staff'],
    ['lights', 15_600, 'staff'],
    ['night', 25_000, 'staff'],
  ])
  const rows = await rowsOf(made?.guid)
  expect(rows.map((row) => [row.optionCode, row.cents, row.minutes, row.answeredBy])).toEqual([
    ['lights', 15_600, 0, 'staff'],
    ['night', 25_000, 0, 'staff'],
    ['size', 24_000, 90, 'staff'],
  ])
  expect(rows.every((row) => row.userGuid === people.office.userGuid && row.productGuid === marquee)).toBe(true)
  // What is no longer asked is no longer priced nor kept.
  const dark = await change(quote, [
    line([size('six'), { option: 'lights', value: { isYes: false } }, yes('night')], made && { guid: made.guid }),
  ])
  expect(dark.lines[0]).toMatchObject({ unitPriceCents: 78_000 })
  expect((await rowsOf(made?.guid)).map((row) => row.optionCode)).toEqual(['lights', 'size'])
})

test('Fees and products of answers lie below the line, as many as it takes, whatever its price', async () => {
  const answers = [size('six'), yes('lights'), yes('night'), { option: 'panels', value: { quantity: '3' } }]
  const { quote } = ok(await create([line(answers, { quantity: '2', unitPriceCents: 70_000 })]), 201)
  const below = (lines: Line[]) =>
    lines.slice(1).map(({ name, quantity, unitPriceCents }) => [name, quantity, unitPriceCents])
  expect(below(quote.lines)).toEqual([
    ['night', '1', 25_000],
    ['Floor panel', '6', 900],
  ])
  expect(quote.totals.totalCents).toBe(187_440)
  const [top] = quote.lines
  const same = line(answers, { guid: top?.guid, quantity: '5', unitPriceCents: 70_000 })
  const more = await change(quote, [same], people.sales)
  expect(more.lines[0]).toMatchObject({ unitPriceCents: 70_000, isPriceManual: true })
  expect(more.lines[0]?.selections.find(({ optionCode }) => optionCode === 'lights')?.cents).toBe(39_000)
  expect(below(more.lines)).toEqual([
    ['night', '1', 25_000],
    ['Floor panel', '15', 900],
  ])
  expect(more.lines.slice(1).map(({ guid }) => guid)).toEqual(quote.lines.slice(1).map(({ guid }) => guid))
})

test('Answers that are left out stay as they are, with whoever gave them and when', async () => {
  const { quote } = ok(await create([line([size('ten')])]), 201)
  const [was] = quote.lines
  const later = await change(quote, [line(undefined, { guid: was?.guid, quantity: '3' })], people.sales)
  expect(later.lines[0]).toMatchObject({ unitPriceCents: 90_000, quantity: '3', answers: [size('ten')] })
  expect(later.lines[0]?.selections[0]).toMatchObject({ at: was?.selections[0]?.at, cents: 36_000 })
  const [row] = await rowsOf(was?.guid)
  expect(row).toMatchObject({ userGuid: people.office.userGuid, cents: 36_000 })
})

test('A role without prices of its own answers, and is told what the catalogue asks with the answers', async () => {
  expect((await create([line([size('ten')])], people.sales)).status).toBe(201)
  const refused = await create([line([size('ten')], { unitPriceCents: 78_000 })], people.sales)
  expect([refused.status, refused.message]).toEqual([403, 'Your role uses catalogue prices. This line is $900.00.'])
})

test('What cannot be an answer is refused at its question', async () => {
  const refusal = async (answers: object[]) => {
    const { status, errors } = await create([line(answers)])
    return [status, errors[0]?.path, errors[0]?.message]
  }
  expect(await refusal([size('huge')])).toEqual([422, 'lines.0.answers.size', 'Choose one of the choices offered.'])
  expect(await refusal([yes('nothing')])).toEqual([
    422,
    'lines.0.answers.nothing',
    'This question isn’t asked for this line.',
  ])
  expect(await refusal([{ option: 'plan', value: { fileGuid: crypto.randomUUID() } }])).toEqual([
    422,
    'lines.0.answers.plan',
    'We can’t find that file. Send it again.',
  ])
})

test('A draft may leave questions open; it is sent once staff have answered theirs', async () => {
  const { quote } = ok(await create([line([])]), 201)
  const send = ({ guid, version }: { guid: string; version: number }) =>
    app.call<Quote>(people.office, 'POST', `/Quotes/Send/${guid}`, { version, to: ['a@b.example'] })
  const refused = await send(quote)
  expect([refused.status, refused.errors[0]]).toEqual([
    422,
    { path: 'lines.0.answers.size', message: 'Answer “Size” for “Marquee” first.' },
  ])
  const answered = await change(quote, [line([size('six')], { guid: quote.lines[0]?.guid })])
  // `surface` is required too, and its customer may answer it.
  expect((await send(answered)).status).toBe(200)
})

test('What was sent stays as it was offered: in its hash, in revisions and copies, and on the order', async () => {
  const sent = await aSentQuote(app, people.office, customerGuid, { lines: [line([size('ten')], { quantity: '2' })] })
  const stored = await app.deps.db
    .selectFrom('quotes')
    .select(['snapshot', 'snapshotSha256'])
    .where('guid', '=', sent.guid)
    .executeTakeFirstOrThrow()
  const frozen = (stored.snapshot as { lines: { options: { code: string }[]; answers: object[] }[] }).lines[0]
  expect(frozen?.options.map(({ code }) => code)).toContain('night')
  expect(frozen?.answers).toEqual([{ option: 'size', value: { code: 'ten' }, question: 'Size', answer: 'ten' }])
  expect(canonical(stored.snapshot)).toContain('"answers":[{"answer":"ten"')
  const post = async <D>(path: string, body: object, status = 201) =>
    ok(await app.call<D>(people.office, 'POST', path, body), status)
  const { quote: copy } = await post<Quote>(`/Quotes/Duplicate/${sent.guid}`, {})
  const { quote: revision } = await post<Quote>(`/Quotes/Revise/${sent.guid}`, { version: sent.version })
  for (const { lines } of [copy, revision]) {
    expect(lines[0]?.selections).toMatchObject([{ optionCode: 'size', cents: 24_000 }])
    expect(await rowsOf(lines[0]?.guid)).toHaveLength(1)
  }
  const { quote } = await post<Quote>(
    `/Quotes/Accept/${sent.guid}`,
    {
      // Revising it has moved its version on.
      version: sent.version + 1,
      name: 'Ann',
      method: 'phone',
    },
    200,
  )
  const orderGuid = (quote as unknown as { orderGuid: string | null }).orderGuid
  const { order } = ok(await app.call<{ order: { lines: Line[] } }>(people.office, 'GET', `/Orders/${orderGuid}`))
  expect(order.lines[0]).toMatchObject({ unitPriceCents: 90_000, answers: [size('ten')] })
  expect(await rowsOf(order.lines[0]?.guid)).toMatchObject([{ optionCode: 'size', cents: 24_000 }])
})

test('What is tried is what is saved, with its questions, and what is still to answer', async () => {
  const calculate = async (more: object, who = people.office) =>
    ok(
      await app.call<{
        lines: {
          unitPriceCents: number
          isPriceManual: boolean
          visible: string[]
          answers: object[]
          options: { code: string }[]
          why: { step: string; label: string; cents: number }[]
          children: { sourceKey: string; quantity: string }[]
          problems: { path: string; message: string }[]
        }[]
      }>(who, 'POST', '/Calculators/CalculateTotals', {
        priceMode: 'exclusive',
        lines: [{ name: 'Marquee', productGuid: marquee, ...more }],
      }),
    ).lines[0]
  expect(await calculate({})).toMatchObject({
    visible: ['size', 'lights', 'panels', 'surface', 'plan'],
    answers: [],
    problems: [
      { path: 'answers.size', message: 'Answer “Size”.' },
      { path: 'answers.surface', message: 'Answer “surface”.' },
    ],
  })
  const panels = { option: 'panels', value: { quantity: '3' } }
  const tried = await calculate({ answers: [size('ten'), yes('lights'), yes('night'), panels], quantity: '2' })
  expect(tried).toMatchObject({
    unitPriceCents: 97_800,
    children: [
      { sourceKey: 'fee:night:yes', quantity: '1' },
      { sourceKey: `added:panels:${floor}`, quantity: '6' },
    ],
    problems: [{ path: 'answers.surface' }],
  })
  expect(tried?.visible).toContain('night')
  expect(tried?.why.filter(({ step }) => step === 'option')).toEqual([
    { step: 'option', label: 'Size: ten', cents: 12_000 },
    { step: 'option', label: 'lights', cents: 7800 },
  ])
  expect(await calculate({ unitPriceCents: 1, isPriceManual: false })).toMatchObject({
    unitPriceCents: 78_000,
    isPriceManual: false,
  })
  expect(await calculate({ unitPriceCents: 78_000, isPriceManual: true })).toMatchObject({ isPriceManual: true })
})

test('An archived choice stays where it was made and cannot be made anew', async () => {
  const guid = await anOption('colour', 'single', { choices: [choice('white'), choice('red', { cents: 500 })] })
  const productGuid = await aProduct({ name: 'Linen', priceCents: 1000, optionGuids: [guid] })
  const red = { name: 'Linen', productGuid, answers: [{ option: 'colour', value: { code: 'red' } }] }
  const { quote } = ok(await create([red]), 201)
  ok(
    await app.call(people.office, 'PATCH', `/Products/BookingOptions/${guid}`, {
      version: 1,
      choices: [choice('white'), choice('red', { cents: 900, isActive: false })],
    }),
  )
  const more = await change(quote, [{ ...red, guid: quote.lines[0]?.guid, quantity: '2' }])
  expect(more.lines[0]).toMatchObject({ unitPriceCents: 1500 })
  expect((await create([red])).errors[0]?.path).toBe('lines.0.answers.colour')
})

const upload = async (fileName: string) =>
  ok(
    await app.call<{ file: { guid: string } }>(people.office, 'POST', '/Files', {
      clientKey: crypto.randomUUID(),
      fileName,
      bytes: 4,
      base64: Buffer.from('plan').toString('base64'),
    }),
    201,
  ).file.guid

test('A file that answers hangs on the document, once, and only whoever may read it answers with it', async () => {
  const fileGuid = await upload('plan.txt')
  const plan = { option: 'plan', value: { fileGuid } }
  const { quote } = ok(await create([line([size('six'), plan])]), 201)
  expect(quote.lines[0]?.selections[1]?.choices[0]?.label).toBe('plan.txt')
  const hung = async (noun: string, owner: string) =>
    ok(
      await app.call<{ items: { file: { guid: string }; place: string }[] }>(
        people.office,
        'GET',
        `/Files/Attachments?noun=${noun}&owner=${owner}`,
      ),
    ).items.map((one) => [one.file.guid, one.place])
  expect(await hung('Quotes', quote.guid)).toEqual([[fileGuid, 'answer']])
  await change(quote, [line([size('ten'), plan], { guid: quote.lines[0]?.guid })])
  expect(await hung('Quotes', quote.guid)).toHaveLength(1)
  const { quote: copy } = ok(await app.call<Quote>(people.office, 'POST', `/Quotes/Duplicate/${quote.guid}`, {}), 201)
  expect(await hung('Quotes', copy.guid)).toEqual([[fileGuid, 'answer']])
  const others = { option: 'plan', value: { fileGuid: await upload('secret.txt') } }
  const stolen = await create([line([size('six'), others])], people.sales)
  expect([stolen.status, stolen.errors[0]?.path]).toEqual([422, 'lines.0.answers.plan'])
})
