import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingSelection } from '../../contract/booking-selections.ts'
import { type Actors, aPersonWho } from '../../test/support/actors.ts'
import { aCustomer, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
let customerGuid: string
let options: Record<string, string>
let products: Record<string, string>
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
  options = {
    size: await anOption('size', 'multi', [choice('six', 100), choice('ten', 1000)]),
    lights: await anOption('lights', 'boolean', [choice('yes', 500)]),
  }
  const optionGuids = Object.values(options)
  products = { marquee: await aProduct('Marquee', optionGuids), tent: await aProduct('Tent', optionGuids) }
})
afterAll(() => app.stop())

const at = '/BookingOptions/Selections'
const choice = (code: string, cents: number) => ({ code, label: { en: code }, cents })
const anOption = async (code: string, input: string, choices: object[]) =>
  ok(
    await app.call<{ bookingOption: { guid: string } }>(actors.office, 'POST', '/Products/BookingOptions', {
      code,
      label: { en: code },
      input,
      choices,
    }),
    201,
  ).bookingOption.guid
const aProduct = async (name: string, optionGuids: string[]) =>
  ok(
    await app.call<{ product: { guid: string } }>(actors.office, 'POST', '/Products', {
      name,
      priceCents: 10_000,
      optionGuids,
    }),
    201,
  ).product.guid

const sizes = (...codes: string[]) => ({ option: 'size', value: { codes } })
const lit = (isYes: boolean) => ({ option: 'lights', value: { isYes } })
const aQuote = async (
  product: string | undefined,
  answers: object[],
  customer = customerGuid,
  who: Caller = actors.office,
) =>
  ok(
    await app.call<{ quote: { guid: string; version: number } }>(who, 'POST', '/Quotes', {
      customerGuid: customer,
      title: 'Party',
      lines: [{ name: 'Line', productGuid: product, quantity: '2', answers }],
    }),
    201,
  ).quote
const list = async (who: Caller, query = '') =>
  ok(await app.call<{ items: BookingSelection[] }>(who, 'GET', `${at}?${query}`)).items
const totals = async (who: Caller, query = '') =>
  ok(
    await app.call<{
      items: { optionCode: string; count: number; choices: { code: string | null; count: number; cents: number }[] }[]
    }>(who, 'GET', `${at}/Totals?${query}`),
  ).items

test('Answers are listed with their document and customer, and added up by choice', async () => {
  const quote = await aQuote(products['marquee'], [sizes('six', 'ten'), lit(true)])
  await aQuote(products['tent'], [sizes('ten'), lit(false)])
  const all = await list(actors.office)
  expect(all).toHaveLength(4)
  expect(all.find((one) => one.answer === 'six, ten')).toMatchObject({
    label: 'size',
    cents: 2200,
    answeredBy: 'staff',
    document: { noun: 'Quotes', guid: quote.guid, label: 'Party' },
    customerGuid,
  })
  expect(all.map((one) => one.answer).toSorted()).toEqual(['No', 'Yes', 'six, ten', 'ten'])
  const plain = (en: string) => ({ wording: { en }, label: en })
  expect(await totals(actors.office)).toEqual([
    {
      optionCode: 'size',
      ...plain('size'),
      count: 3,
      choices: [
        { code: 'ten', ...plain('ten'), count: 2, cents: 4000 },
        { code: 'six', ...plain('six'), count: 1, cents: 200 },
      ],
    },
    {
      optionCode: 'lights',
      ...plain('lights'),
      count: 2,
      choices: [
        { code: 'yes', ...plain('yes'), count: 1, cents: 1000 },
        { code: null, label: null, wording: null, count: 1, cents: 0 },
      ],
    },
  ])
  expect(await list(actors.office, `option=${options['lights']}`)).toHaveLength(2)
  expect(await list(actors.office, `option=${options['lights']}&product=${products['tent']}`)).toHaveLength(1)
  expect(await totals(actors.office, `product=${products['tent']}`)).toHaveLength(2)
  const today = new Date(Date.now()).toISOString().slice(0, 10)
  expect(await list(actors.office, 'answeredOn.lte=2020-01-01')).toEqual([])
  expect(await list(actors.office, `answeredOn.gte=${today.slice(0, 4)}-01-01`)).toHaveLength(4)
  const csv = await app.call(actors.office, 'GET', `${at}/Export`)
  expect(csv.body).toContain('"six, ten"')
})

test('What is no longer in force, or became an order, is not told twice', async () => {
  const before = await list(actors.office)
  const quote = await aQuote(products['marquee'], [lit(true)])
  expect(await list(actors.office)).toHaveLength(before.length + 1)
  const post = (path: string, body: object) =>
    app.call<{ quote: { guid: string; version: number } }>(actors.office, 'POST', path, body)
  const sent = ok(await post(`/Quotes/Send/${quote.guid}`, { version: quote.version, to: ['a@b.example'] })).quote
  ok(await post(`/Quotes/Accept/${quote.guid}`, { version: sent.version, name: 'Ann', method: 'phone' }))
  const after = await list(actors.office)
  expect(after).toHaveLength(before.length + 1)
  expect(after.filter((one) => one.document.noun === 'Orders')).toHaveLength(1)
})

test('Whoever may not read a document sees nothing of what was answered on it', async () => {
  const other = (await aCustomer(app, actors.office, { displayName: 'Other' })).guid
  const own = await aPersonWho(app, 'owner-of-few', [
    { action: 'read', subject: 'Products' },
    { action: 'read', subject: 'Quotes', conditions: { scope: 'own' } },
    { action: 'create', subject: 'Quotes' },
    { action: 'read', subject: 'Customers' },
  ])
  expect(await list(own)).toEqual([])
  expect(await totals(own)).toEqual([])
  await aQuote(products['tent'], [lit(true)], other, own)
  expect((await list(own)).map((one) => [one.customerName, one.cents])).toEqual([['Other', 1000]])
  expect(await totals(own)).toMatchObject([{ optionCode: 'lights', count: 1 }])
  expect((await app.call(actors.emptyRole, 'GET', at)).status).toBe(403)
})

test('Amounts of orders are for those who may see them', async () => {
  const blind = await aPersonWho(app, 'no-amounts', [
    { action: 'read', subject: 'Products' },
    { action: 'read', subject: 'Orders' },
    { action: 'read', subject: 'Orders:Amounts', inverted: true, priority: 10 },
  ])
  const seen = await list(blind)
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.every((one) => one.document.noun === 'Orders' && one.cents === null)).toBe(true)
  // The work is told all the same, without what it comes to.
  const { order } = ok(
    await app.call<{ order: { lines: object[] } }>(blind, 'GET', `/Orders/${seen[0]?.document.guid}`),
  )
  expect(order.lines[0]).toMatchObject({ said: [{ question: 'lights', answer: 'Yes' }] })
  expect(JSON.stringify(order)).not.toContain('cents')
  expect((await totals(blind)).flatMap((one) => one.choices.map(({ cents }) => cents))).toEqual([null])
})

test('Questions and answers are told in each language, as long as they are called as they were', async () => {
  const named = (en: string, fr: string) => ({ en, fr, ar: null })
  const option = ok(
    await app.call<{ bookingOption: { guid: string; version: number } }>(
      actors.office,
      'POST',
      '/Products/BookingOptions',
      {
        code: 'surface',
        label: named('Surface', 'Sol'),
        input: 'single',
        choices: [{ code: 'grass', label: named('Grass', 'Herbe'), cents: 0 }],
      },
    ),
    201,
  ).bookingOption
  await aQuote(await aProduct('Floor', [option.guid]), [{ option: 'surface', value: { code: 'grass' } }])
  const said = async () => (await list(actors.office, `option=${option.guid}`)).map((one) => one.said)
  const added = async () =>
    ok(await app.call<{ items: object[] }>(actors.office, 'GET', `${at}/Totals?option=${option.guid}`)).items
  expect(await said()).toEqual([{ label: named('Surface', 'Sol'), given: { names: [named('Grass', 'Herbe')] } }])
  expect(await added()).toMatchObject([
    { wording: named('Surface', 'Sol'), choices: [{ code: 'grass', wording: named('Grass', 'Herbe') }] },
  ])
  ok(
    await app.call(actors.office, 'PATCH', `/Products/BookingOptions/${option.guid}`, {
      version: option.version,
      choices: [{ code: 'grass', label: named('Lawn', 'Gazon'), cents: 0 }],
    }),
  )
  expect(await said()).toEqual([
    { label: named('Surface', 'Sol'), given: { names: [{ en: 'Grass', fr: null, ar: null }] } },
  ])
})
