import { answersOf, type OfferedOption, type OptionAnswer } from '../../contract/booking-options.ts'
import type { Line } from '../../contract/lines.ts'
import { answerOptions, defaultAnswers } from '../../contract/option-answers.ts'
import type { EditorLine } from './line-state.ts'

/** What is asked of a line while it is edited. */
export interface Asking {
  options: readonly OfferedOption[]
  minutes: number | null
}

/** The questions of a saved line, as they were put. */
export const savedAsking = ({ options }: Pick<Line, 'options'>): Asking | undefined =>
  options.length > 0 ? { options, minutes: null } : undefined

type Asked = Pick<EditorLine, 'asking' | 'answers'>

/** What is answered, also before anybody was asked. */
const givenAnswers = ({ asking, answers }: Asked): readonly OptionAnswer[] =>
  answers ?? defaultAnswers(asking?.options ?? [])

/** The questions that are asked with these answers, and which of them are still to be answered. */
export function askedNow(line: Asked) {
  const options = line.asking?.options ?? []
  const answers = givenAnswers(line).filter(({ option }) => options.some(({ code }) => code === option))
  const { visible, missing, selections } = answerOptions({ options, answers, basePriceCents: 0, quantity: '1' })
  return { answers, visible, selections, open: missing.length }
}

/** What the catalogue says is asked; an answer to what is asked no more is dropped, so that the line can be saved. */
export function takenAsking(
  line: EditorLine,
  found: { options: readonly OfferedOption[]; durationMin: number },
): Partial<EditorLine> {
  const { options, durationMin } = found
  const isSame =
    JSON.stringify(line.asking ?? { options: [], minutes: durationMin }) ===
    JSON.stringify({ options, minutes: durationMin })
  const answers = line.answers?.filter(({ option }) => options.some(({ code }) => code === option))
  const isDropped = line.awaits === true && answers !== undefined && answers.length !== line.answers?.length
  return {
    ...(isSame ? {} : { asking: options.length > 0 ? { options, minutes: durationMin } : undefined }),
    ...(isDropped ? { answers } : {}),
    // Whoever has just chosen the product is asked at once.
    ...(options.length > 0 && !line.asking && !line.guid ? { isAsked: true } : {}),
  }
}

/** Names of files that were answered with, by guid: an answer alone does not say them. */
export const fileNames = new Map<string, string>()

/** What a saved line was answered with. */
export function savedAnswers({ selections, options }: Pick<Line, 'selections' | 'options'>) {
  for (const { value, choices } of selections)
    if ('fileGuid' in value && choices[0]) fileNames.set(value.fileGuid, choices[0].label)
  return options.length > 0 ? answersOf(selections) : undefined
}
