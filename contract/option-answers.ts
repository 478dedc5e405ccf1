import {
  type AnswerValue,
  type ConditionRule,
  holds,
  inLanguage,
  type OptionAnswer,
  type OptionChoice,
  type OptionDefinition,
  valueKeys,
} from './booking-options.ts'
import type { FieldError } from './core/errors.ts'
import type { Language } from './core/languages.ts'
import { multiplyQuantities, scaleCents, timesQuantity } from './core/money.ts'

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

/** An answer as it is kept: what it was called and what it added to the line on the day it was given. */
interface Selection {
  optionCode: string
  label: string
  value: AnswerValue
  choices: { code: string; label: string }[]
  /** What it adds to the whole line before discounts, in cents; products it brings along have lines of their own. */
  cents: number
  minutes: number
}

export interface OptionsResult {
  /** The codes of the questions that are asked, in order. */
  visible: string[]
  /** What the answers add to the price of one, in cents. */
  unitCents: number
  /** Charged once, whatever the quantity. */
  fees: { option: string; label: string; cents: number }[]
  /** Products that come with an answer, each with the quantity of the line. */
  added: { option: string; productGuid: string; quantity: string }[]
  minutes: number
  selections: Selection[]
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

function problemOf(option: Option, value: AnswerValue): string | null {
  if (!(valueKeys[option.input] in value)) return 'Answer this question again.'
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
    const selection: Selection = {
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
      selection.choices.push({ code: choice.code, label })
      selection.cents += isOnce ? amount : timesQuantity(amount, quantity)
      selection.minutes += isOnce ? minutes : timesQuantity(minutes, quantity)
      if (!isOnce) result.unitCents += amount
      else if (amount !== 0)
        result.fees.push({ option: option.code, label: feeLabel(option, label, times, language), cents: amount })
      if (choice.addProductGuid)
        result.added.push({
          option: option.code,
          productGuid: choice.addProductGuid,
          quantity: multiplyQuantities(quantity, times),
        })
    }
    result.minutes += selection.minutes
    result.selections.push(selection)
  }
  return result
}

/** A yes and a number are known by their question, a choice by its own name. */
function feeLabel(option: Option, choice: string, times: string, language: Language): string {
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
