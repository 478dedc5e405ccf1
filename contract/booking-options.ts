import { z } from 'zod'
import { address } from './core/address.ts'
import { answerOf } from './core/answer.ts'
import { basisPoints, cents, clock, day, exactText, guid, maybe, quantity, text, timestamp } from './core/common.ts'
import type { FieldError } from './core/errors.ts'
import type { Language } from './core/languages.ts'
import { clockOf, parseTime } from './core/times.ts'

export const optionInputs = [
  'single',
  'multi',
  'boolean',
  'quantity',
  'text',
  'date',
  'time',
  'address',
  'file',
] as const
export type OptionInputKind = (typeof optionInputs)[number]
export const optionAnswerers = ['staff', 'guest', 'both'] as const
export const optionPers = ['unit', 'once'] as const

/** Options and choices are named by these in answers and conditions, whatever they are called in any language. */
const optionCode = exactText(
  40,
  /^[a-z0-9]+(-[a-z0-9]+)*$/,
  'Use lower-case letters, digits and hyphens, such as warm-lights.',
)

/** A text in English, and in the other languages where somebody has written it. */
const wording = (max: number) => z.strictObject({ en: text(max), fr: maybe(text(max)), ar: maybe(text(max)) })
export type Wording = z.infer<ReturnType<typeof wording>>
/** The same as it is told. */
export const spoken = z.object({ en: z.string(), fr: z.string().nullish(), ar: z.string().nullish() })
/** In the language asked for, or in English. */
export const inLanguage = (said: Wording, language: Language): string => said[language] ?? said.en

const maxMinutes = 10_080

export const optionChoice = z.strictObject({
  code: optionCode,
  label: wording(120),
  cents: cents.default(0),
  /** A share of the line's price before options, in basis points. */
  bp: basisPoints.default(0),
  per: z.enum(optionPers).default('unit'),
  durationMin: z.int().min(0).max(maxMinutes).default(0),
  addProductGuid: maybe(guid),
  isDefault: z.boolean().default(false),
  isActive: z.boolean().default(true),
})
export type OptionChoice = z.infer<typeof optionChoice>

const conditionRule = z.union([
  z.strictObject({ option: optionCode, op: z.enum(['is', 'includes']), value: optionCode }),
  z.strictObject({ option: optionCode, op: z.enum(['atLeast', 'atMost']), value: quantity }),
  z.strictObject({ option: optionCode, op: z.literal('answered') }),
])
export type ConditionRule = z.infer<typeof conditionRule>
const match = z.enum(['all', 'any'])
const rulesOf = <R extends z.ZodType>(rule: R) => z.array(rule).min(1, 'Add a condition.').max(10)
const conditionGroup = z.strictObject({ match, rules: rulesOf(conditionRule) })
export const visibleWhen = z.strictObject({ match, rules: rulesOf(z.union([conditionGroup, conditionRule])) })
export type VisibleWhen = z.infer<typeof visibleWhen>

/** What is asked: the definition as it is offered, and frozen with the line it is asked for. */
export const optionFields = {
  code: optionCode,
  label: wording(120),
  help: maybe(wording(400)),
  input: z.enum(optionInputs),
  required: z.boolean().default(false),
  answeredBy: z.enum(optionAnswerers).default('staff'),
  choices: z.array(optionChoice).max(50).default([]),
  visibleWhen: maybe(visibleWhen),
}
export type OptionDefinition = z.infer<z.ZodObject<typeof optionFields>>
/** A question as it is put for a line. */
export const offeredOption = z.object({
  guid,
  ...answerOf(optionFields),
  choices: z.array(z.object({ ...answerOf(optionChoice.shape), addProductGuid: maybe(guid) })),
})
export type OfferedOption = z.infer<typeof offeredOption>

const answerValues = {
  code: z.strictObject({ code: optionCode }),
  codes: z.strictObject({ codes: z.array(optionCode).max(50) }),
  isYes: z.strictObject({ isYes: z.boolean() }),
  quantity: z.strictObject({ quantity }),
  text: z.strictObject({ text: z.string().trim().max(500, 'Use 500 characters or fewer.') }),
  day: z.strictObject({ day }),
  time: z.strictObject({ time: clock }),
  address: z.strictObject({ address }),
  fileGuid: z.strictObject({ fileGuid: guid }),
}
const answerValue = z.union([
  answerValues.code,
  answerValues.codes,
  answerValues.isYes,
  answerValues.quantity,
  answerValues.text,
  answerValues.day,
  answerValues.time,
  answerValues.address,
  answerValues.fileGuid,
])
export type AnswerValue = z.infer<typeof answerValue>
const optionAnswer = z.strictObject({ option: optionCode, value: answerValue })
export type OptionAnswer = z.infer<typeof optionAnswer>
export const optionAnswers = z.array(optionAnswer).max(40)

const typed = (max: number) => z.string().max(max)
/** An answer as it was typed: one that can't be read keeps no other from being read and priced. */
const typedAnswer = z.strictObject({
  option: optionCode,
  value: z
    .strictObject({
      code: typed(100),
      codes: z.array(typed(100)).max(100),
      isYes: z.boolean(),
      quantity: typed(100),
      text: typed(5000),
      day: typed(100),
      time: typed(100),
      address: z
        .strictObject({
          line1: typed(500),
          line2: maybe(typed(500)),
          suburb: typed(500),
          state: typed(100),
          postcode: typed(100),
        })
        .partial(),
      fileGuid: typed(100),
    })
    .partial(),
})
export type TypedAnswer = z.infer<typeof typedAnswer>
export const typedAnswers = z.array(typedAnswer).max(40)

/** A time however it was typed, such as `7.30 am`, as it is kept; what is none stays, and is refused. */
function plainly(value: TypedAnswer['value']): TypedAnswer['value'] {
  const minutes = value.time === undefined ? undefined : parseTime(value.time)
  return typeof minutes === 'number' ? { ...value, time: clockOf(minutes) } : value
}

/** Reads an answer; what is wrong with it is at `answers.<option>`, of an address at its part below that. */
export function readAnswer({ option, value }: TypedAnswer, error: z.core.$ZodErrorMap): OptionAnswer | FieldError[] {
  const path = `answers.${option}`
  const [key, ...others] = Object.keys(value) as (keyof typeof answerValues)[]
  if (!key || others.length > 0) return [{ path, message: 'Answer this question again.' }]
  const read = answerValues[key].safeParse(plainly(value), { error })
  if (read.success) return { option, value: read.data }
  const fields = read.error.issues.map((issue): FieldError => {
    const part = issue.path[0] === 'address' ? issue.path.slice(0, 2) : []
    return { path: [path, ...part.map(String)].join('.'), message: issue.message }
  })
  return fields.filter((field, i) => fields.findIndex((other) => other.path === field.path) === i)
}

/** An answer as it is kept: what it was called, and what it added to the line, when it was given. */
export const selection = z.object({
  optionCode: z.string(),
  label: z.string(),
  value: answerValue,
  /** What was chosen, each with what it adds; of a file its name. */
  choices: z.array(z.object({ code: z.string(), label: z.string(), cents })),
  /** What it adds to the whole line before discounts and GST; products it brings along have lines of their own. */
  cents,
  minutes: z.int(),
  answeredBy: z.enum(['staff', 'guest']),
  at: timestamp,
})
export type Selection = z.infer<typeof selection>
/** An answer as papers and pages write it, whatever their language. */
const givenAnswer = z.union([
  z.object({ names: z.array(spoken) }),
  z.object({ isYes: z.boolean() }),
  z.object({ quantity: z.string() }),
  z.object({ day: z.string() }),
  z.object({ text: z.string() }),
])
export type GivenAnswer = z.infer<typeof givenAnswer>
export const answeredQuestion = z.object({ label: spoken, given: givenAnswer })
export type AnsweredQuestion = z.infer<typeof answeredQuestion>
/** Questions of a line with their answers: in the words of its customer, and as they read in other languages. */
export const saidAnswers = z.array(z.object({ question: z.string(), answer: z.string(), ...answeredQuestion.shape }))
export type SaidAnswers = z.infer<typeof saidAnswers>
/** The same as an answer is sent. */
export const answersOf = (selections: readonly Selection[]): OptionAnswer[] =>
  selections.map(({ optionCode: option, value }) => ({ option, value }))

/** The key of an answer's value, by how the question is put. */
export const valueKeys = {
  single: 'code',
  multi: 'codes',
  boolean: 'isYes',
  quantity: 'quantity',
  text: 'text',
  date: 'day',
  time: 'time',
  address: 'address',
  file: 'fileGuid',
} as const satisfies Record<OptionInputKind, string>

/** `boolean` and `quantity` have one choice, for what a yes or one of them costs. */
export const onlyChoice = { boolean: 'yes', quantity: 'each' } as const
const isPriced = (input: OptionInputKind): boolean =>
  input === 'single' || input === 'multi' || input === 'boolean' || input === 'quantity'

const isGroup = (rule: VisibleWhen['rules'][number]): rule is z.infer<typeof conditionGroup> => 'rules' in rule

/** Every rule of a condition with its place in it. */
export const rulesIn = (when: VisibleWhen): { rule: ConditionRule; path: string }[] =>
  when.rules.flatMap((rule, i) =>
    isGroup(rule)
      ? rule.rules.map((inner, j) => ({ rule: inner, path: `visibleWhen.rules.${i}.rules.${j}` }))
      : [{ rule, path: `visibleWhen.rules.${i}` }],
  )

/** Whether a condition holds, by what `meets` says of each of its rules. */
export function holds(when: VisibleWhen, meets: (rule: ConditionRule) => boolean): boolean {
  const all = (group: { match: 'all' | 'any' }, verdicts: boolean[]) =>
    group.match === 'all' ? verdicts.every(Boolean) : verdicts.some(Boolean)
  return all(
    when,
    when.rules.map((rule) => (isGroup(rule) ? all(rule, rule.rules.map(meets)) : meets(rule))),
  )
}

/** What is wrong with a definition by itself: codes named twice, choices its input does not have. */
export function definitionProblems(option: Pick<OptionDefinition, 'input' | 'choices'>): FieldError[] {
  const { input, choices } = option
  const problems: FieldError[] = []
  const only = input === 'boolean' || input === 'quantity' ? onlyChoice[input] : null
  if (!isPriced(input) && choices.length > 0)
    problems.push({ path: 'choices', message: 'This kind of answer has no choices.' })
  if (only && (choices.length !== 1 || choices[0]?.code !== only))
    problems.push({ path: 'choices', message: `This kind of answer has one choice, with the code ${only}.` })
  if (isPriced(input) && !only && !choices.some((choice) => choice.isActive))
    problems.push({ path: 'choices', message: 'Add a choice.' })
  choices.forEach((choice, i) => {
    if (choices.findIndex((other) => other.code === choice.code) < i)
      problems.push({ path: `choices.${i}.code`, message: 'Another choice has this code.' })
    if (input === 'single' && choice.isDefault && choices.findIndex((other) => other.isDefault) < i)
      problems.push({ path: `choices.${i}.isDefault`, message: 'Only one choice can be selected by default.' })
  })
  return problems
}

const inputsOfOp = {
  is: ['single', 'boolean'],
  includes: ['multi'],
  atLeast: ['quantity'],
  atMost: ['quantity'],
} as const satisfies Record<Exclude<ConditionRule['op'], 'answered'>, readonly OptionInputKind[]>

type Known = Pick<OptionDefinition, 'code' | 'label' | 'input' | 'choices' | 'visibleWhen'>

/** What is wrong with the conditions of an option, beside the other options of its catalogue. */
export function conditionProblems(option: Known, others: readonly Known[]): FieldError[] {
  const known = new Map(others.map((other) => [other.code, other]))
  return rulesIn(option.visibleWhen ?? { match: 'all', rules: [] }).flatMap(({ rule, path }): FieldError[] => {
    const named = known.get(rule.option)
    if (rule.option === option.code) return [{ path: `${path}.option`, message: 'An option can’t depend on itself.' }]
    if (!named) return [{ path: `${path}.option`, message: 'We can’t find that option.' }]
    if (dependsOn(named, option.code, known))
      return [{ path: `${path}.option`, message: `“${named.label.en}” depends on this option already.` }]
    if (rule.op === 'answered') return []
    if (!(inputsOfOp[rule.op] as readonly string[]).includes(named.input))
      return [{ path: `${path}.op`, message: 'This comparison doesn’t fit the answers of that option.' }]
    if ((rule.op === 'is' || rule.op === 'includes') && !hasAnswer(named, rule.value))
      return [{ path: `${path}.value`, message: 'Choose one of that option’s choices.' }]
    return []
  })
}

const hasAnswer = (option: Known, code: string) =>
  option.input === 'boolean' ? code === 'yes' || code === 'no' : option.choices.some((c) => c.code === code)

function dependsOn(option: Known, code: string, known: ReadonlyMap<string, Known>, seen = new Set<string>()): boolean {
  if (seen.has(option.code)) return false
  seen.add(option.code)
  return rulesIn(option.visibleWhen ?? { match: 'all', rules: [] }).some(({ rule }) => {
    const named = known.get(rule.option)
    return rule.option === code || (named !== undefined && dependsOn(named, code, known, seen))
  })
}

/** Conditions look back: every option stands behind those it depends on. `path` leads to the list of options. */
export function orderProblems(options: readonly Known[], all: readonly Known[], path = 'optionGuids'): FieldError[] {
  return options.flatMap((option, i) => {
    const earlier = new Set(options.slice(0, i).map(({ code }) => code))
    const missing = rulesIn(option.visibleWhen ?? { match: 'all', rules: [] }).find(
      ({ rule }) => !earlier.has(rule.option),
    )
    if (!missing) return []
    const label = all.find(({ code }) => code === missing.rule.option)?.label.en ?? missing.rule.option
    return [{ path: `${path}.${i}`, message: `Put "${label}" before this option first.` }]
  })
}
