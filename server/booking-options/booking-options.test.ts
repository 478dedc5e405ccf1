import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingOption } from '../../contract/booking-options-api.ts'
import type { Product } from '../../contract/products.ts'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  ;({ app, actors } = await startBusiness())
})
afterAll(() => app.stop())

const at = '/Products/BookingOptions'
type One = { bookingOption: BookingOption }
const post = (body: object) => app.call<One>(actors.office, 'POST', at, body)
const anOption = async (code: string, more: object = {}): Promise<BookingOption> =>
  ok(await post({ code, label: { en: code }, input: 'boolean', choices: [choice('yes')], ...more }), 201).bookingOption
const choice = (code: string, more: object = {}) => ({ code, label: { en: code }, ...more })
const patch = (option: BookingOption, body: object) =>
  app.call<One>(actors.office, 'PATCH', `${at}/${option.guid}`, { version: option.version, ...body })
const aProduct = (body: object) =>
  app.call<{ product: Product }>(actors.office, 'POST', '/Products', { name: 'Marquee', priceCents: 78_000, ...body })

test('An option is made, found, changed, archived and brought back', async () => {
  const option = await anOption('lights', { label: { en: 'Lights', fr: 'Éclairage' }, answeredBy: 'both' })
  expect(option).toMatchObject({ status: 'active', required: false, version: 1, products: [] })
  const changedTo = ok(await patch(option, { required: true, help: { en: 'LED' } })).bookingOption
  expect(changedTo).toMatchObject({ required: true, help: { en: 'LED' }, label: { en: 'Lights', fr: 'Éclairage' } })
  expect((await patch(option, { required: false })).error).toBe('STALE_VERSION')
  const listed = async (query: string) =>
    ok(await app.call<{ items: BookingOption[] }>(actors.office, 'GET', `${at}?${query}`)).items.map((o) => o.code)
  expect(await listed('search=ligh')).toEqual(['lights'])
  expect(await listed('input=single')).toEqual([])
  expect(await listed('input=boolean,multi&answeredBy=both')).toEqual(['lights'])
  const archived = ok(await app.call<One>(actors.office, 'DELETE', `${at}/${option.guid}`)).bookingOption
  expect(archived.status).toBe('archived')
  expect(await listed('search=ligh')).toEqual([])
  expect(await listed('status=archived')).toEqual(['lights'])
  expect((await app.call(actors.office, 'DELETE', `${at}/${option.guid}`)).error).toBe('INVALID_TRANSITION')
  ok(await app.call<One>(actors.office, 'POST', `${at}/Restore/${option.guid}`))
  expect(await listed('answeredBy=both')).toEqual(['lights'])
})

test('What cannot be asked is refused at its field', async () => {
  const refusal = async (body: object) => {
    const { status, errors } = await post({
      code: 'x',
      label: { en: 'X' },
      input: 'boolean',
      choices: [choice('yes')],
      ...body,
    })
    return [status, errors[0]?.path, errors[0]?.message]
  }
  await anOption('size', { input: 'single', choices: [choice('six'), choice('ten')] })
  expect(await refusal({ code: 'size' })).toEqual([409, 'code', 'Another option has this code.'])
  expect((await refusal({ code: 'Big Size' }))[1]).toBe('code')
  expect((await refusal({ label: { fr: 'Taille' } }))[1]).toBe('label.en')
  expect(await refusal({ input: 'text' })).toEqual([422, 'choices', 'This kind of answer has no choices.'])
  expect((await refusal({ choices: [choice('yes', { addProductGuid: crypto.randomUUID() })] })).slice(0, 2)).toEqual([
    422,
    'choices.0.addProductGuid',
  ])
  const when = (rule: object) => ({ visibleWhen: { match: 'all', rules: [rule] } })
  expect((await refusal(when({ option: 'nothing', op: 'answered' })))[2]).toBe('We can’t find that option.')
  expect((await refusal(when({ option: 'size', op: 'atLeast', value: '3' })))[1]).toBe('visibleWhen.rules.0.op')
  expect((await refusal(when({ option: 'size', op: 'is', value: 'nine' })))[1]).toBe('visibleWhen.rules.0.value')
})

test('A condition can neither go round in a circle nor name what is asked later', async () => {
  const first = await anOption('first', { label: { en: 'First' } })
  const second = await anOption('second', {
    label: { en: 'Second' },
    visibleWhen: { match: 'all', rules: [{ option: 'first', op: 'is', value: 'yes' }] },
  })
  const circle = await patch(first, { visibleWhen: { match: 'any', rules: [{ option: 'second', op: 'answered' }] } })
  expect([circle.status, circle.errors[0]]).toEqual([
    422,
    { path: 'visibleWhen.rules.0.option', message: '“Second” depends on this option already.' },
  ])
  const wrong = await aProduct({ optionGuids: [second.guid, first.guid] })
  expect([wrong.status, wrong.errors[0]]).toEqual([
    422,
    { path: 'optionGuids.0', message: 'Put "First" before this option first.' },
  ])
  const { product } = ok(await aProduct({ optionGuids: [first.guid, second.guid] }), 201)
  expect(product.optionGuids).toEqual([first.guid, second.guid])
  const third = await anOption('third', { label: { en: 'Third' } })
  const later = await patch(second, { visibleWhen: { match: 'all', rules: [{ option: 'third', op: 'answered' }] } })
  expect([later.status, later.errors[0]]).toEqual([
    422,
    { path: 'visibleWhen', message: 'Put "Third" before this option first.' },
  ])
  expect(ok(await app.call<One>(actors.office, 'GET', `${at}/${first.guid}`)).bookingOption.products).toEqual([
    { guid: product.guid, label: 'Marquee' },
  ])
  ok(await app.call(actors.office, 'DELETE', `${at}/${third.guid}`))
  const put = (optionGuids: string[], version: number) =>
    app.call<{ product: Product }>(actors.office, 'PATCH', `/Products/${product.guid}`, { version, optionGuids })
  expect((await put([third.guid], 1)).errors[0]?.message).toBe('This option is archived. Restore it first.')
  const emptied = ok(await put([first.guid], 1)).product
  expect(emptied.optionGuids).toEqual([first.guid])
  ok(await app.call(actors.office, 'DELETE', `${at}/${first.guid}`))
  expect(ok(await put([first.guid], emptied.version)).product.optionGuids).toEqual([first.guid])
})

test('Options are tried before they are saved', async () => {
  const tried = (body: object) =>
    app.call<{
      visible: string[]
      unitPriceCents: number
      fees: { cents: number }[]
      minutes: number
      missing: object[]
    }>(actors.readOnly, 'POST', `${at}/Try`, body)
  const options = [
    { code: 'lights', label: { en: 'Lights' }, input: 'boolean', choices: [choice('yes', { bp: 1000 })] },
    {
      code: 'night',
      label: { en: 'Night' },
      input: 'boolean',
      required: true,
      choices: [choice('yes', { cents: 25_000, per: 'once', durationMin: 90 })],
      visibleWhen: { match: 'all', rules: [{ option: 'lights', op: 'is', value: 'yes' }] },
    },
  ]
  const yes = (option: string) => ({ option, value: { isYes: true } })
  const base = { options, basePriceCents: 74_000, quantity: '4' }
  expect(ok(await tried(base))).toMatchObject({ visible: ['lights'], unitPriceCents: 74_000, missing: [] })
  expect(ok(await tried({ ...base, answers: [yes('lights')] })).missing).toHaveLength(1)
  expect(ok(await tried({ ...base, answers: [yes('lights'), yes('night')] }))).toMatchObject({
    unitPriceCents: 81_400,
    fees: [{ cents: 25_000 }],
    minutes: 90,
    missing: [],
  })
  expect((await tried({ ...base, options: options.toReversed() })).errors[0]?.path).toBe('options.0')
})

test('Who may only look writes no options, and who may not look sees none', async () => {
  const body = { code: 'rights', label: { en: 'R' }, input: 'text' }
  expect((await app.call(actors.readOnly, 'POST', at, body)).status).toBe(403)
  expect((await app.call(actors.sales, 'POST', at, body)).status).toBe(403)
  expect((await app.call(actors.sales, 'GET', at)).status).toBe(200)
})
