import {
  type AnswerValue,
  type ConditionRule,
  holds,
  inLanguage,
  type OptionAnswer,
  type OptionChoice,
  type OptionDefinition,
  type Selection,
  valueKeys,
} from './booking-options.ts'
import type { FieldError } from './core/errors.ts'
import type { Language } from './core/languages.ts'
import { addQuantities, multiplyQuantities, scaleCents, timesQuantity } from './core/money.ts'

type Option = OptionDefinition

export interface OptionsInput {
  /** In the order they are asked in. */
  options: readonly Option[]
  answers: readonly OptionAnswer[]
  /** The price of one before options, in cents: shares are of it and never of each other. */
  basePriceCents: number
  /** Of the line, as decimal text. */
  quantity: string
  language?: Language
}

/** An answer as it is kept, but by whom and when. */
type Answered = Omit<Selection, 'answeredBy' | 'at'>

export interface OptionsResult {
  /** The codes of the questions that are asked, in order. */
  visible: string[]
  /** What the answers add to the price of one, in cents. */
  unitCents: number
  /** What makes it up, answer by answer. */
  steps: { option: string; label: string; cents: number }[]
  /** Charged once, whatever the quantity. */
  fees: { option: string; choice: string; label: string; cents: number }[]
  /** Products that come with an answer, as many for each of the line as were asked for. */
  added: { option: string; productGuid: string; quantity: string }[]
  minutes: number
  selections: Answered[]
  /** Answers that cannot be kept. Paths are `answers.<option code>`. */
  problems: FieldError[]
  /** Questions that need an answer and have none, with the same paths. */
  missing: FieldError[]
}

const listed = (choices: readonly OptionChoice[], codes: readonly string[]) =>
  codes.flatMap((code) => choices.filter((choice) => choice.code === code && choice.isActive))

/** The choices an answer stands for, each with how many of it. */
function chosen(option: Option, value: AnswerValue): { choice: OptionChoice; times: string }[] {
  if ('code' in value) return listed(option.choices, [value.code]).map((choice) => ({ choice, times: '1' }))
  if ('codes' in value) return listed(option.choices, value.codes).map((choice) => ({ choice, times: '1' }))
  const [only] = option.choices
  if (!only?.isActive) return []
  if ('isYes' in value) return value.isYes ? [{ choice: only, times: '1' }] : []
  return 'quantity' in value ? [{ choice: only, times: value.quantity }] : []
}

const isBlank = (value: AnswerValue) =>
  ('codes' in value && value.codes.length === 0) || ('text' in value && value.text === '')

/** Things are counted: nobody orders two and a half of them. */
const isCount = (quantity: string) => /^\d+(\.0+)?$/.test(quantity) && Number(quantity) <= 9_999

function problemOf(option: Option, value: AnswerValue): string | null {
  if (!(valueKeys[option.input] in value)) return 'Answer this question again.'
  if ('quantity' in value && !isCount(value.quantity)) return 'Enter a whole number from 1 to 9,999.'
  const codes = 'code' in value ? [value.code] : 'codes' in value ? value.codes : []
  if (new Set(codes).size < codes.length) return 'This is listed twice.'
  return listed(option.choices, codes).length < codes.length ? 'Choose one of the choices offered.' : null
}

/** What a rule says of the answers to earlier questions. A question that is not asked has no answer. */
function meets(rule: ConditionRule, given: ReadonlyMap<string, AnswerValue>): boolean {
  const value = given.get(rule.option)
  if (!value) return false
  if (rule.op === 'answered') return true
  if (rule.op === 'is')
    return 'isYes' in value ? value.isYes === (rule.value === 'yes') : 'code' in value && value.code === rule.value
  if (rule.op === 'includes') return 'codes' in value && value.codes.includes(rule.value)
  if (!('quantity' in value)) return false
  const difference = Number(value.quantity) - Number(rule.value)
  return rule.op === 'atLeast' ? difference >= 0 : difference <= 0
}

/** Goes through the questions in order: which are asked, and what each of those is answered with. */
function ask({ options, answers }: Pick<OptionsInput, 'options' | 'answers'>) {
  const byCode = new Map(answers.map((answer) => [answer.option, answer.value]))
  const given = new Map<string, AnswerValue>()
  const visible: Option[] = []
  const problems: FieldError[] = []
  const missing: FieldError[] = []
  for (const option of options) {
    if (option.visibleWhen && !holds(option.visibleWhen, (rule) => meets(rule, given))) continue
    visible.push(option)
    const path = `answers.${option.code}`
    const value = byCode.get(option.code)
    const problem = value && problemOf(option, value)
    if (problem) problems.push({ path, message: problem })
    else if (value && !isBlank(value)) given.set(option.code, value)
    else if (option.required) missing.push({ path, message: `Answer “${option.label.en}”.` })
  }
  const known = new Set(options.map(({ code }) => code))
  for (const { option } of answers)
    if (!known.has(option))
      problems.push({ path: `answers.${option}`, message: 'This question isn’t asked for this line.' })
  return { visible, given, problems, missing }
}

/**
 * What the answers to the questions of a line add to it. A hidden question is unanswered: it is neither priced nor
 * kept. Amounts are cents plus a share of the price before options, rounded half up, and do not compound.
 */
export function answerOptions(input: OptionsInput): OptionsResult {
  const { basePriceCents, quantity, language = 'en' } = input
  const { visible, given, problems, missing } = ask(input)
  const result: OptionsResult = {
    visible: visible.map(({ code }) => code),
    unitCents: 0,
    steps: [],
    fees: [],
    added: [],
    minutes: 0,
    selections: [],
    problems,
    missing,
  }
  for (const option of visible) {
    const value = given.get(option.code)
    if (!value) continue
    const selection: Answered = {
      optionCode: option.code,
      label: inLanguage(option.label, language),
      value,
      choices: [],
      cents: 0,
      minutes: 0,
    }
    for (const { choice, times } of chosen(option, value)) {
      const isOnce = choice.per === 'once'
      const label = inLanguage(choice.label, language)
      const amount = timesQuantity(choice.cents + scaleCents(basePriceCents, choice.bp, 10_000), times)
      const minutes = timesQuantity(choice.durationMin, times)
      const wholeCents = isOnce ? amount : timesQuantity(amount, quantity)
      selection.choices.push({ code: choice.code, label, cents: wholeCents })
      selection.cents += wholeCents
      selection.minutes += isOnce ? minutes : timesQuantity(minutes, quantity)
      const named = { option: option.code, label: chargeLabel(option, label, times, language), cents: amount }
      if (!isOnce) {
        result.unitCents += amount
        if (amount !== 0) result.steps.push({ ...named, label: stepLabel(option, named.label, language) })
      } else if (amount !== 0) result.fees.push({ ...named, choice: choice.code })
      if (choice.addProductGuid) addTo(result.added, option.code, choice.addProductGuid, [quantity, times])
    }
    result.minutes += selection.minutes
    result.selections.push(selection)
  }
  return result
}

/** None of a product is no line, and two choices of a question that bring the same one make one. */
function addTo(added: OptionsResult['added'], option: string, productGuid: string, [each, times]: [string, string]) {
  const quantity = multiplyQuantities(each, times)
  if (Number(quantity) === 0) return
  const there = added.find((one) => one.option === option && one.productGuid === productGuid)
  if (there) there.quantity = addQuantities(there.quantity, quantity)
  else added.push({ option, productGuid, quantity })
}

/** A choice alone says little: what it was chosen for stands before it. */
const stepLabel = (option: Option, label: string, language: Language): string =>
  option.input === 'single' || option.input === 'multi' ? `${inLanguage(option.label, language)}: ${label}` : label

/** A yes and a number are known by their question, a choice by its own name. */
function chargeLabel(option: Option, choice: string, times: string, language: Language): string {
  if (option.input === 'boolean') return inLanguage(option.label, language)
  return option.input === 'quantity' ? `${times} × ${inLanguage(option.label, language)}` : choice
}

/** What is answered before anybody has been asked: the choices that are selected by default. */
export function defaultAnswers(options: readonly Option[]): OptionAnswer[] {
  const answers = options.flatMap((option): OptionAnswer[] => {
    const value = defaultOf(option)
    return value ? [{ option: option.code, value }] : []
  })
  const { given } = ask({ options, answers })
  return answers.filter(({ option }) => given.has(option))
}

function defaultOf({ input, choices }: Option): AnswerValue | null {
  const codes = choices.filter((choice) => choice.isDefault && choice.isActive).map(({ code }) => code)
  const [first] = codes
  if (first === undefined) return null
  if (input === 'single') return { code: first }
  if (input === 'multi') return { codes }
  if (input === 'boolean') return { isYes: true }
  return input === 'quantity' ? { quantity: '1' } : null
}
