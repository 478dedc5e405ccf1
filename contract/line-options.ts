import {
  type AnsweredQuestion,
  answersOf,
  type GivenAnswer,
  inLanguage,
  type OfferedOption,
  type OptionAnswer,
  type Selection,
  type Wording,
} from './booking-options.ts'
import type { Language } from './core/languages.ts'
import type { PriceMode } from './core/money.ts'
import { readSource } from './core/source-keys.ts'
import type { HireDays } from './hire.ts'
import { trimQuantity } from './lines.ts'
import { answerOptions, type OptionsResult } from './option-answers.ts'
import {
  type CataloguePrice,
  type CatalogueProduct,
  type OptionsPrice,
  type PriceAgreement,
  type PriceAsk,
  priceProduct,
  type PriceSetting,
} from './pricing.ts'

/** An answer with the person who gave it, where that was one of the staff. */
export type KeptSelection = Selection & { userGuid: string | null }

/**
 * What a line keeps of its questions: as they were put, what was answered, and everything that prices it, so that it
 * can be priced again with other answers whatever the catalogue has become.
 */
export interface LineOptions {
  asked: OfferedOption[]
  selections: KeptSelection[]
  product: CatalogueProduct
  /** Parts of a bundle, and what choices bring along. */
  products: CatalogueProduct[]
  agreement: PriceAgreement
}

/** What answers come to, in the shape that prices a product. */
const optionsPrice = (answered: OptionsResult): OptionsPrice => ({
  unitCents: answered.unitCents,
  steps: answered.steps,
  onceFees: answered.fees.map(({ option, choice, label, cents }) => ({
    optionCode: option,
    choiceCode: choice,
    label,
    cents,
  })),
  addedProducts: answered.added.map(({ option, productGuid, quantity }) => ({
    optionCode: option,
    productGuid,
    quantity,
  })),
  durationMin: answered.minutes,
  problems: answered.problems,
})

export interface Questions {
  asked: readonly OfferedOption[]
  answers: readonly OptionAnswer[]
}

/** What a product costs with the answers to its questions. Throws a RangeError beyond what a document may hold. */
export function priceAnswered(
  ask: Omit<PriceAsk, 'options'>,
  { asked, answers }: Questions,
  setting: PriceSetting,
): { price: CataloguePrice; answered: OptionsResult } {
  const { quantity } = ask
  const answer = (basePriceCents: number) => answerOptions({ options: asked, answers, basePriceCents, quantity })
  let answered = answer(0)
  const price = priceProduct(
    {
      ...ask,
      options: (basePriceCents) => {
        answered = answer(basePriceCents)
        return optionsPrice(answered)
      },
    },
    setting,
  )
  return { price, answered }
}

/** A line that was sent, as far as other answers or another quantity price it. */
export interface FrozenLine {
  hire: HireDays | null
  unitPriceCents: number
  isPriceManual: boolean
  options: LineOptions
}

/**
 * The same from what a line keeps alone: what its customer answers is priced by what was offered. A price that was
 * entered by hand moves by what the answers change of the catalogue's.
 */
export function priceFrozen(
  { hire, unitPriceCents, isPriceManual, options }: FrozenLine,
  { answers, quantity }: { answers: readonly OptionAnswer[]; quantity: string },
  { priceMode, gstRegistered }: { priceMode: PriceMode; gstRegistered: boolean },
): { price: CataloguePrice; answered: OptionsResult } {
  const { asked, product, products, agreement, selections } = options
  const setting = {
    products: new Map(products.map((one) => [one.guid, one])),
    agreement,
    priceMode,
    gstRegistered,
  }
  const ask = { product, quantity, hire }
  const now = priceAnswered(ask, { asked, answers }, setting)
  if (!isPriceManual) return now
  const offered = priceAnswered(ask, { asked, answers: answersOf(selections) }, setting)
  const manualCents = Math.max(0, unitPriceCents + now.price.unitPriceCents - offered.price.unitPriceCents)
  return priceAnswered({ ...ask, manualCents }, { asked, answers }, setting)
}

/** What has to be answered before a document goes out: what its customer may answer can wait for him. */
export function openQuestions({ asked, selections }: Pick<LineOptions, 'asked' | 'selections'>): OfferedOption[] {
  const { missing } = answerOptions({
    options: asked,
    answers: answersOf(selections),
    basePriceCents: 0,
    quantity: '1',
  })
  const paths = new Set(missing.map(({ path }) => path))
  return asked.filter((option) => option.answeredBy === 'staff' && paths.has(`answers.${option.code}`))
}

export interface AnswerWords {
  yes: string
  no: string
  /** A day such as `2026-11-02` as people read it. */
  day: (day: string) => string
  /** A number such as `7.5` as people write it. */
  quantity: (quantity: string) => string
}

/** What a question and its choices are called in each language. */
interface Named extends Pick<OfferedOption, 'code' | 'label'> {
  choices: readonly Pick<OfferedOption['choices'][number], 'code' | 'label'>[]
}

/** An answer as it can be written in any language; of a question that is known by its name alone, in one. */
function givenOf(asked: Named | undefined, { value, choices }: Selection): GivenAnswer {
  if ('isYes' in value) return { isYes: value.isYes }
  if ('quantity' in value) return { quantity: trimQuantity(value.quantity) }
  if ('day' in value) return { day: value.day }
  if ('text' in value) return { text: value.text }
  if ('time' in value) return { text: value.time }
  if ('address' in value) {
    const { line1, line2, suburb, state, postcode } = value.address
    return { text: [line1, line2, `${suburb} ${state} ${postcode}`].filter(Boolean).join(', ') }
  }
  return {
    names: choices.map(({ code, label }) => {
      const choice = asked?.choices.find((one) => one.code === code)
      return choice?.label ?? { en: label, fr: null, ar: null }
    }),
  }
}

function writeGiven(given: GivenAnswer, language: Language, words: AnswerWords): string {
  if ('isYes' in given) return given.isYes ? words.yes : words.no
  if ('quantity' in given) return words.quantity(given.quantity)
  if ('day' in given) return words.day(given.day)
  return 'text' in given ? given.text : given.names.map((name) => inLanguage(name, language)).join(', ')
}

interface Answers {
  asked: readonly Named[]
  selections: readonly Selection[]
}

/** Questions with what was answered, for whoever reads them in a language of his own. */
export const givenAnswers = ({ asked, selections }: Answers): (AnsweredQuestion & { option: string })[] =>
  selections.map((selection) => {
    const option = asked.find(({ code }) => code === selection.optionCode)
    return {
      option: selection.optionCode,
      label: option?.label ?? { en: selection.label, fr: null, ar: null },
      given: givenOf(option, selection),
    }
  })

/** One of these in words. */
export const answerText = ({ label, given }: AnsweredQuestion, language: Language, words: AnswerWords) => ({
  question: inLanguage(label, language),
  answer: writeGiven(given, language, words),
})

/** Questions with their answers, as papers and pages write them. */
export const answerTexts = (
  answers: Answers,
  language: Language,
  words: AnswerWords,
): { option: string; question: string; answer: string }[] =>
  givenAnswers(answers).map(({ option, ...one }) => ({ option, ...answerText(one, language, words) }))

/**
 * What a fee that came with an answer is called in each language: it was named in English when the line was priced.
 * Null of other lines, and of one that somebody has named otherwise since.
 */
export function feeWording(
  asked: readonly OfferedOption[],
  { sourceKey, name }: { sourceKey?: string | null | undefined; name: string },
): Wording | null {
  const source = readSource(sourceKey)
  const option = source?.kind === 'fee' ? asked.find((one) => one.code === source.by) : undefined
  if (!option) return null
  if (option.input === 'single' || option.input === 'multi')
    return option.choices.find(({ label }) => label.en === name)?.label ?? null
  const before = name.endsWith(option.label.en) ? name.slice(0, -option.label.en.length) : null
  if (before === null || !/^(\S+ × )?$/.test(before)) return null
  const { en, fr, ar } = option.label
  return { en: before + en, fr: fr && before.replace('.', ',') + fr, ar: ar && before + ar }
}
