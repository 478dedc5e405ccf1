import { answersOf } from '../../contract/booking-options.ts'
import type { Language } from '../../contract/core/languages.ts'
import { scaleCents, type PriceMode } from '../../contract/core/money.ts'
import { feeWording } from '../../contract/line-options.ts'
import type { Line } from '../../contract/lines.ts'
import { answerOptions } from '../../contract/option-answers.ts'
import type { LineQuestions, ServiceQuestion } from '../../contract/service-quotes.ts'
import { uncatalogued } from '../documents/lines.service.ts'
import { saidOf } from '../documents/said.service.ts'
import { type Answered, type AskedLine, asksGuests, isForGuests } from './guest-answers.service.ts'
import type { GuestQuoteRow } from './guest-page.service.ts'

/** The lines of a page as they are priced again. */
export const askedLines = ({ lines }: Pick<GuestQuoteRow, 'lines'>) =>
  lines.map(({ kept, answers: _answers, selections: _selections, ...line }): AskedLine => ({
    ...uncatalogued,
    ...line,
    options: kept,
  }))

/** Back again, as the contract shows a line. */
export const asLine = ({ options, ...line }: AskedLine): Line => ({
  ...line,
  answers: [],
  options: options?.asked ?? [],
  selections: options?.selections ?? [],
})

/** Lines as their customer reads them, with what was answered in words. */
export const shownLines = <L extends Line>(lines: readonly L[], language: Language) =>
  lines.map((line) => {
    const above = lines.find(({ guid }) => guid === line.parentLineGuid)
    const wording = above ? feeWording(above.options, line) : null
    return { ...line, said: saidOf(line, language), ...(wording ? { wording } : {}) }
  })

/** Choices cost what the document's prices say: with GST where they have it in them. */
function questionsOf(line: AskedLine, priceMode: PriceMode): ServiceQuestion[] {
  const isInclusive = priceMode === 'inclusive' && line.gstCode === 'GST'
  return (line.options?.asked ?? []).filter(isForGuests).map((question) => ({
    ...question,
    choices: question.choices.map((choice) => ({
      ...choice,
      cents: isInclusive ? scaleCents(choice.cents, 11, 10) : choice.cents,
    })),
  }))
}

/** What lines ask their customer. */
export function lineQuestions(
  lines: readonly AskedLine[],
  priceMode: PriceMode,
  answered: ReadonlyMap<string, Pick<Answered, 'visible' | 'selections'>> = new Map(),
): LineQuestions[] {
  return lines.filter(asksGuests).map((line) => {
    const asked = questionsOf(line, priceMode)
    const { visible = visibleOf(line), selections = line.options.selections } = answered.get(line.guid) ?? {}
    const codes = new Set(asked.map(({ code }) => code))
    return {
      lineGuid: line.guid,
      asked,
      visible: visible.filter((code) => codes.has(code)),
      answers: answersOf(selections).filter(({ option }) => codes.has(option)),
    }
  })
}

/** The questions that are asked as the offer stands. */
function visibleOf({ quantity, options }: AskedLine): string[] {
  if (!options) return []
  const answers = answersOf(options.selections)
  return answerOptions({ options: options.asked, answers, basePriceCents: 0, quantity }).visible
}
