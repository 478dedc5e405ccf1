import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  conditionProblems,
  definitionProblems,
  type OptionAnswer,
  optionChoice,
  type OptionDefinition,
  orderProblems,
  visibleWhen,
  readAnswer,
} from './booking-options.ts'
import { answerOptions, defaultAnswers } from './option-answers.ts'

const choice = (code: string, more: object = {}) => optionChoice.parse({ code, label: { en: code }, ...more })
const option = (code: string, more: Partial<OptionDefinition> = {}): OptionDefinition => ({
  code,
  label: { en: code },
  help: null,
  input: 'single',
  required: false,
  answeredBy: 'both',
  choices: [],
  visibleWhen: null,
  ...more,
})
const size = option('size', {
  label: { en: 'Size', fr: 'Taille' },
  choices: [choice('six', { isDefault: true }), choice('ten', { cents: 12_000, durationMin: 45 })],
})
const lights = option('lights', {
  label: { en: 'Lights' },
  input: 'boolean',
  choices: [choice('yes', { bp: 1000 })],
})
const night = option('night', {
  label: { en: 'Night set-up' },
  input: 'boolean',
  choices: [choice('yes', { cents: 25_000, per: 'once', durationMin: 30 })],
  visibleWhen: { match: 'all', rules: [{ option: 'lights', op: 'is', value: 'yes' }] },
})
const priced = (answers: OptionAnswer[], more: object = {}) =>
  answerOptions({ options: [size, lights, night], answers, basePriceCents: 74_000, quantity: '4', ...more })

test('A share is of the price before options, and what is charged once is a fee of its own', () => {
  const result = priced([
    { option: 'lights', value: { isYes: true } },
    { option: 'night', value: { isYes: true } },
  ])
  expect(result.unitCents).toBe(7400)
  expect(74_000 + result.unitCents).toBe(81_400)
  expect(result.steps).toEqual([{ option: 'lights', label: 'Lights', cents: 7400 }])
  expect(result.fees).toEqual([{ option: 'night', choice: 'yes', label: 'Night set-up', cents: 25_000 }])
  expect(result.minutes).toBe(30)
  expect(result.selections.map(({ optionCode, cents, minutes }) => [optionCode, cents, minutes])).toEqual([
    ['lights', 29_600, 0],
    ['night', 25_000, 30],
  ])
})

test('A hidden question is unanswered: it is neither priced nor kept nor asked for', () => {
  const must = { ...night, required: true }
  const hidden = answerOptions({
    options: [lights, must],
    answers: [{ option: 'night', value: { isYes: true } }],
    basePriceCents: 100,
    quantity: '1',
  })
  expect(hidden).toMatchObject({
    visible: ['lights'],
    unitCents: 0,
    fees: [],
    selections: [],
    problems: [],
    missing: [],
  })
  const shown = answerOptions({
    options: [lights, must],
    answers: [{ option: 'lights', value: { isYes: true } }],
    basePriceCents: 100,
    quantity: '1',
  })
  expect(shown.missing).toEqual([{ path: 'answers.night', message: 'Answer “Night set-up”.' }])
})

test('A number brings its product along as many times as the line has it', () => {
  const heaters = option('heaters', {
    input: 'quantity',
    label: { en: 'Heaters' },
    choices: [choice('each', { cents: 1250, addProductGuid: '00000000-0000-4000-8000-000000000001' })],
  })
  const result = answerOptions({
    options: [heaters],
    answers: [{ option: 'heaters', value: { quantity: '2' } }],
    basePriceCents: 0,
    quantity: '4',
  })
  expect(result.unitCents).toBe(2500)
  expect(result.added).toEqual([
    { option: 'heaters', productGuid: '00000000-0000-4000-8000-000000000001', quantity: '8' },
  ])
  for (const quantity of ['2.5', '10000', '0.0001'])
    expect(
      answerOptions({
        options: [heaters],
        answers: [{ option: 'heaters', value: { quantity } }],
        basePriceCents: 0,
        quantity: '4',
      }),
    ).toMatchObject({
      unitCents: 0,
      added: [],
      problems: [{ path: 'answers.heaters', message: 'Enter a whole number from 1 to 9,999.' }],
    })
})

test('What was answered is known by its words in the language of the document', () => {
  const result = priced([{ option: 'size', value: { code: 'ten' } }], { language: 'fr' })
  expect(result.selections).toEqual([
    {
      optionCode: 'size',
      label: 'Taille',
      value: { code: 'ten' },
      choices: [{ code: 'ten', label: 'ten', cents: 48_000 }],
      cents: 48_000,
      minutes: 180,
    },
  ])
})

test('Answers that do not fit are problems at their question', () => {
  const paths = (answers: OptionAnswer[]) => priced(answers).problems.map(({ path }) => path)
  expect(paths([{ option: 'size', value: { code: 'huge' } }])).toEqual(['answers.size'])
  expect(paths([{ option: 'size', value: { isYes: true } }])).toEqual(['answers.size'])
  expect(paths([{ option: 'colour', value: { text: 'red' } }])).toEqual(['answers.colour'])
  expect(paths([{ option: 'size', value: { code: 'ten' } }])).toEqual([])
})

test('What is selected by default is answered before anybody is asked', () => {
  expect(defaultAnswers([size, lights])).toEqual([{ option: 'size', value: { code: 'six' } }])
})

test('Conditions name earlier options, in two levels and no circle', () => {
  expect(orderProblems([night, lights], [lights, night])).toEqual([
    { path: 'optionGuids.0', message: 'Put "Lights" before this option first.' },
  ])
  expect(orderProblems([lights, night], [lights, night])).toEqual([])
  const circle = {
    ...lights,
    visibleWhen: { match: 'any' as const, rules: [{ option: 'night', op: 'answered' as const }] },
  }
  expect(conditionProblems(circle, [night])).toEqual([
    { path: 'visibleWhen.rules.0.option', message: '“Night set-up” depends on this option already.' },
  ])
  expect(conditionProblems({ ...night, input: 'text' }, [size]).map(({ message }) => message)).toEqual([
    'We can’t find that option.',
  ])
  const deep = {
    match: 'all',
    rules: [{ match: 'any', rules: [{ match: 'any', rules: [{ option: 'a', op: 'answered' }] }] }],
  }
  expect(visibleWhen.safeParse(deep).success).toBe(false)
  expect(
    visibleWhen.safeParse({ match: 'all', rules: deep.rules[0]?.rules[0] ? [deep.rules[0].rules[0]] : [] }).success,
  ).toBe(true)
})

test('Definitions have the choices their input has', () => {
  const messages = (input: OptionDefinition['input'], choices: OptionDefinition['choices']) =>
    definitionProblems({ input, choices }).map(({ path }) => path)
  expect(messages('text', [choice('a')])).toEqual(['choices'])
  expect(messages('single', [])).toEqual(['choices'])
  expect(messages('single', [choice('a'), choice('a')])).toEqual(['choices.1.code'])
  expect(messages('single', [choice('a', { isDefault: true }), choice('b', { isDefault: true })])).toEqual([
    'choices.1.isDefault',
  ])
  expect(messages('boolean', [choice('no')])).toEqual(['choices'])
  expect(messages('quantity', [choice('each')])).toEqual([])
  expect(messages('date', [])).toEqual([])
})

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
const anyChoice = (code: string) =>
  fc
    .record({ cents, bp: fc.integer({ min: 0, max: 10_000 }), per: fc.constantFrom('unit', 'once') })
    .map((given) => choice(code, given))
const anyOption = (code: string, earlier: string | null) =>
  fc
    .record({ choices: fc.tuple(anyChoice('a'), anyChoice('b')), isConditional: fc.boolean() })
    .map(({ choices, isConditional }) =>
      option(code, {
        choices,
        visibleWhen:
          earlier && isConditional ? { match: 'all', rules: [{ option: earlier, op: 'is', value: 'a' }] } : null,
      }),
    )
const asked = fc.tuple(anyOption('one', null), anyOption('two', 'one'), anyOption('three', 'two'))
const answered = fc.uniqueArray(
  fc.record({
    option: fc.constantFrom('one', 'two', 'three'),
    value: fc.record({ code: fc.constantFrom('a', 'b') }),
  }),
  { selector: (answer) => answer.option },
)
const halfUp = (numerator: number, divisor: number) =>
  Math.sign(numerator) * Math.floor((2 * Math.abs(numerator) + divisor) / (2 * divisor))

test('Whatever is answered, each answer adds its cents and its share of the same price', () => {
  fc.assert(
    fc.property(asked, answered, fc.integer({ min: 0, max: 1_000_000 }), (options, answers, basePriceCents) => {
      const result = answerOptions({ options, answers, basePriceCents, quantity: '1' })
      const kept = result.selections.map(({ optionCode }) => optionCode)
      const alone = options.flatMap((one) => {
        const value = answers.find((answer) => answer.option === one.code)?.value
        const picked = value && kept.includes(one.code) ? one.choices.find((c) => c.code === value.code) : undefined
        return picked ? [{ per: picked.per, cents: picked.cents + halfUp(basePriceCents * picked.bp, 10_000) }] : []
      })
      const sum = (per: string) => alone.filter((one) => one.per === per).reduce((all, one) => all + one.cents, 0)
      expect(result.unitCents).toBe(sum('unit'))
      expect(result.fees.reduce((all, fee) => all + fee.cents, 0)).toBe(sum('once'))
      expect(result.selections.reduce((all, one) => all + one.cents, 0)).toBe(sum('unit') + sum('once'))
    }),
  )
})

test('What is kept answers the same questions again, to the cent', () => {
  fc.assert(
    fc.property(asked, answered, (options, answers) => {
      const first = answerOptions({ options, answers, basePriceCents: 12_345, quantity: '3' })
      const again = answerOptions({
        options,
        answers: first.selections.map(({ optionCode, value }) => ({ option: optionCode, value })),
        basePriceCents: 12_345,
        quantity: '3',
      })
      expect(again).toEqual(first)
      expect(first.selections.every(({ optionCode }) => first.visible.includes(optionCode))).toBe(true)
    }),
  )
})

test.each([
  ['7:30', '07:30'],
  ['2.30 pm', '14:30'],
  ['7.30 am', '07:30'],
  ['12am', '00:00'],
  ['9', '09:00'],
  ['14h05', '14:05'],
  ['\u0661\u0664:\u0663\u0660', '14:30'],
])('a time that a guest typed as %j is kept as %s', (typed, time) => {
  expect(readAnswer({ option: 'ready', value: { time: typed } }, () => undefined)).toEqual({
    option: 'ready',
    value: { time },
  })
})

test.each(['', '25:00', 'noon', '13 pm', '7:75'])('%j is no time, and is refused at its question', (time) => {
  expect(readAnswer({ option: 'ready', value: { time } }, () => undefined)).toEqual([
    { path: 'answers.ready', message: 'Enter a time such as 07:30.' },
  ])
})
