import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OfferedOption, type OptionAnswer, optionChoice } from './booking-options.ts'
import { answerTexts, feeWording, type LineOptions, openQuestions, priceAnswered, priceFrozen } from './line-options.ts'
import { type CatalogueProduct, noAgreement } from './pricing.ts'

const product: CatalogueProduct = {
  guid: 'Marquee',
  name: 'Marquee',
  kind: 'goods',
  unit: 'each',
  gstCode: 'GST',
  priceCents: 78_000,
  costCents: null,
  tiers: [{ from: '3', priceCents: 74_000 }],
  hire: null,
  bundle: null,
  durationMin: 60,
  revenueStreamGuid: null,
}
const floorGuid = '0198b0a0-0000-7000-8000-000000000001'
const floor: CatalogueProduct = { ...product, guid: floorGuid, name: 'Floor', priceCents: 900, tiers: [] }
const setting = {
  products: new Map([[floor.guid, floor]]),
  agreement: noAgreement,
  priceMode: 'exclusive' as const,
  gstRegistered: true,
}
const choice = (code: string, more: object = {}) => optionChoice.parse({ code, label: { en: code }, ...more })
const option = (code: string, more: Partial<OfferedOption> = {}): OfferedOption => ({
  guid: code,
  code,
  label: { en: code },
  help: null,
  input: 'boolean',
  required: false,
  answeredBy: 'staff',
  choices: [choice('yes')],
  visibleWhen: null,
  ...more,
})
const lights = option('lights', { choices: [choice('yes', { bp: 1000 })] })
const night = option('night', {
  required: true,
  choices: [choice('yes', { cents: 25_000, per: 'once' })],
  visibleWhen: { match: 'all', rules: [{ option: 'lights', op: 'is', value: 'yes' }] },
})
const panels = option('panels', { input: 'quantity', choices: [choice('each', { addProductGuid: floorGuid })] })
const yes = (code: string): OptionAnswer => ({ option: code, value: { isYes: true } })
const line = (asked: OfferedOption[], answers: OptionAnswer[], quantity = '4') =>
  priceAnswered({ product, quantity, hire: null }, { asked, answers }, setting)

test('An answer joins the price with a step that says so, leaves a fee, and brings as many as it says', () => {
  const { price } = line(
    [lights, night, panels],
    [yes('lights'), yes('night'), { option: 'panels', value: { quantity: '3' } }],
  )
  expect(price.unitPriceCents).toBe(81_400)
  expect(price.why).toMatchObject([{ step: 'tier' }, { step: 'option', label: 'lights', cents: 7400 }])
  expect(price.children).toMatchObject([
    { sourceKey: 'fee:night:yes', quantity: '1', unitPriceCents: 25_000 },
    { sourceKey: `added:panels:${floorGuid}`, quantity: '12', unitPriceCents: 900 },
  ])
})

const asOffered = (asked: OfferedOption[], answers: OptionAnswer[]): LineOptions => ({
  asked,
  selections: line(asked, answers).answered.selections.map((one) => ({
    ...one,
    answeredBy: 'staff',
    at: '2026-07-01T00:00:00Z',
    userGuid: null,
  })),
  product,
  products: [floor],
  agreement: noAgreement,
})

test('What was frozen is priced from itself, and a price by hand moves by what answers change', () => {
  const options = asOffered([lights, panels], [])
  const frozen = { hire: null, unitPriceCents: 74_000, isPriceManual: false, options }
  const again = { answers: [yes('lights')], quantity: '4' }
  const business = { priceMode: 'exclusive' as const, gstRegistered: true }
  expect(priceFrozen(frozen, again, business).price.unitPriceCents).toBe(81_400)
  const byHand = { ...frozen, unitPriceCents: 70_000, isPriceManual: true }
  expect(priceFrozen(byHand, again, business).price.unitPriceCents).toBe(77_400)
  expect(priceFrozen(byHand, { ...again, answers: [] }, business).price.unitPriceCents).toBe(70_000)
})

test('What staff have to answer is open until they do, and what the customer answers can wait', () => {
  const must = option('surface', { required: true })
  expect(openQuestions(asOffered([must], [])).map(({ code }) => code)).toEqual(['surface'])
  expect(openQuestions(asOffered([must], [yes('surface')]))).toEqual([])
  expect(openQuestions(asOffered([{ ...must, answeredBy: 'both' }], []))).toEqual([])
  expect(openQuestions(asOffered([lights, night], []))).toEqual([])
})

test('A hidden question is never priced nor kept, whatever is answered', () => {
  const codes = ['a', 'b', 'c', 'd'] as const
  fc.assert(
    fc.property(
      fc.array(fc.record({ by: fc.nat(3), cents: fc.integer({ min: 1, max: 900 }), isOnce: fc.boolean() }), {
        minLength: 4,
        maxLength: 4,
      }),
      fc.subarray([...codes]),
      (rules, given) => {
        const asked = rules.map(({ by, cents, isOnce }, i) =>
          option(codes[i] ?? 'a', {
            choices: [choice('yes', { cents, per: isOnce ? 'once' : 'unit' })],
            visibleWhen:
              by < i ? { match: 'all', rules: [{ option: codes[by] ?? 'a', op: 'is', value: 'yes' }] } : null,
          }),
        )
        const { price, answered } = line(asked, given.map(yes))
        // By itself: seen when what it depends on is seen and answered with yes.
        const isShown = (i: number): boolean => {
          const by = rules[i]?.by ?? i
          return by >= i || (given.includes(codes[by] ?? 'a') && isShown(by))
        }
        const kept = codes.filter((code, i) => given.includes(code) && isShown(i))
        expect(answered.selections.map(({ optionCode }) => optionCode)).toEqual(kept)
        const each = rules.filter((rule, i) => kept.includes(codes[i] ?? 'a') && !rule.isOnce)
        expect(price.unitPriceCents).toBe(74_000 + each.reduce((sum, { cents }) => sum + cents, 0))
        expect(price.children.map(({ sourceKey }) => sourceKey)).toEqual(
          kept.filter((code) => rules[codes.indexOf(code)]?.isOnce).map((code) => `fee:${code}:yes`),
        )
      },
    ),
  )
})

test('Answers and the fees they bring read in the language of whoever reads them', () => {
  const surface = option('surface', {
    label: { en: 'Ground', fr: 'Sol', ar: 'الأرض' },
    input: 'single',
    choices: [choice('hard', { label: { en: 'Concrete', fr: 'Béton', ar: 'خرسانة' }, cents: 6500, per: 'once' })],
  })
  const length = option('length', { label: { en: 'Cable', fr: 'Câble', ar: null }, input: 'quantity' })
  const kept = { cents: 0, minutes: 0, answeredBy: 'guest' as const, at: '2026-11-02T00:00:00Z' }
  const answers = {
    asked: [surface, length],
    selections: [
      {
        ...kept,
        optionCode: 'surface',
        label: 'Ground',
        value: { code: 'hard' },
        choices: [{ code: 'hard', label: 'Concrete', cents: 6500 }],
      },
      { ...kept, optionCode: 'length', label: 'Cable', value: { quantity: '7.50' }, choices: [] },
    ],
  }
  const words = {
    yes: 'Oui',
    no: 'Non',
    day: (day: string) => day,
    quantity: (quantity: string) => quantity.replace('.', ','),
  }
  expect(answerTexts(answers, 'fr', words)).toEqual([
    { option: 'surface', question: 'Sol', answer: 'Béton' },
    { option: 'length', question: 'Câble', answer: '7,5' },
  ])
  expect(answerTexts(answers, 'ar', words).map(({ question }) => question)).toEqual(['الأرض', 'Cable'])
  const wording = (sourceKey: string, name: string) => feeWording(answers.asked, { sourceKey, name })?.fr
  expect(wording('fee:surface', 'Concrete')).toBe('Béton')
  expect(wording('fee:length:each', '2.5 × Cable')).toBe('2,5 × Câble')
  expect(wording('fee:surface:hard', 'Named by hand')).toBeUndefined()
  expect(wording('added:surface', 'Concrete')).toBeUndefined()
})
