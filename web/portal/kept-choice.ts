import type { OptionAnswer } from '../../contract/booking-options.ts'
import type { LineQuantity } from '../../contract/negotiation.ts'
import { trimQuantity } from '../../contract/lines.ts'
import { rangeOfLine } from '../../contract/quantity-range.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { isChoice, proposedChoice, type ServiceLine } from './shown-lines.ts'

/**
 * What a customer chose, answered and moved. Lines are named by the one they began as, so that what still applies stays
 * when a revision comes.
 */
export interface KeptChoice {
  answers: Readonly<Record<string, OptionAnswer[]>>
  /** The questions a line asked when it was answered: another is new to its customer. */
  asked: Readonly<Record<string, string[]>>
  quantities: Readonly<Record<string, string>>
  /** Whether an option is taken. */
  options: Readonly<Record<string, boolean>>
  /** What is taken of a group. */
  alternatives: Readonly<Record<string, string>>
}

export const nothingChosen: KeptChoice = { answers: {}, asked: {}, quantities: {}, options: {}, alternatives: {} }

type Lined = Pick<ServiceLine, 'guid' | 'originLineGuid'>
/** Known again in every revision by the line that was first. */
export const originOf = ({ originLineGuid, guid }: Lined): string => originLineGuid ?? guid

const isTop = ({ parentLineGuid }: Pick<ServiceLine, 'parentLineGuid'>) => parentLineGuid === null

/** The options and alternatives that are taken: as the business proposes, but for what the customer decided. */
export function chosenOf(lines: readonly ServiceLine[], { options, alternatives }: KeptChoice): Set<string> {
  const proposed = proposedChoice(lines)
  const isTaken = (line: ServiceLine): boolean => {
    if (line.alternativeGroup === null) return options[originOf(line)] ?? proposed.has(line.guid)
    const taken = alternatives[line.alternativeGroup]
    const isThere = lines.some((one) => one.alternativeGroup === line.alternativeGroup && originOf(one) === taken)
    return isThere ? originOf(line) === taken : proposed.has(line.guid)
  }
  return new Set(lines.filter((line) => isChoice(line) && isTop(line) && isTaken(line)).map(({ guid }) => guid))
}

/** An option is switched; an alternative takes the place of its group's others. */
export function withPicked(kept: KeptChoice, line: ServiceLine, chosen: ReadonlySet<string>): KeptChoice {
  const origin = originOf(line)
  return line.alternativeGroup === null
    ? { ...kept, options: { ...kept.options, [origin]: !chosen.has(line.guid) } }
    : { ...kept, alternatives: { ...kept.alternatives, [line.alternativeGroup]: origin } }
}

/** Lines whose quantity is the customer's, as far as they are bought. */
export const rangedLines = (lines: readonly ServiceLine[], chosen: ReadonlySet<string>): ServiceLine[] =>
  lines.filter((line) => isTop(line) && rangeOfLine(line) !== null && (!isChoice(line) || chosen.has(line.guid)))

/** What was moved away from what was offered, also where it may not be: the server says so. */
export const movedOf = (
  lines: readonly ServiceLine[],
  chosen: ReadonlySet<string>,
  { quantities }: Pick<KeptChoice, 'quantities'>,
): LineQuantity[] =>
  rangedLines(lines, chosen).flatMap((line) => {
    const quantity = quantities[originOf(line)]
    return quantity === undefined || trimQuantity(quantity) === trimQuantity(line.quantity)
      ? []
      : [{ lineGuid: line.guid, quantity }]
  })

type Questions = Pick<ServiceQuote['questions'][number], 'asked'>

/** What a customer answers of a line, all of it, with the questions he had before the eyes. */
export const withAnswered = (
  kept: KeptChoice,
  line: Lined,
  { asked }: Questions,
  answers: OptionAnswer[],
): KeptChoice => ({
  ...kept,
  answers: { ...kept.answers, [originOf(line)]: answers },
  asked: { ...kept.asked, [originOf(line)]: asked.map(({ code }) => code) },
})

/** What a line's customer answered to questions that it still asks; what he was not asked then is as offered. */
export function answersFor(
  { lines, questions }: Pick<ServiceQuote, 'lines' | 'questions'>,
  { answers, asked: askedThen }: Pick<KeptChoice, 'answers' | 'asked'>,
) {
  return questions.map(({ lineGuid, asked, answers: offered }) => {
    const line = lines.find(({ guid }) => guid === lineGuid)
    const given = line && answers[originOf(line)]
    if (!given) return { lineGuid, answers: offered }
    const codes = asked.map(({ code }) => code)
    const known = new Set(askedThen[originOf(line)] ?? codes)
    return {
      lineGuid,
      answers: [
        ...given.filter(({ option }) => codes.includes(option)),
        ...offered.filter(({ option }) => !known.has(option)),
      ],
    }
  })
}
