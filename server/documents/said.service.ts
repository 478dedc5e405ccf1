import type { SaidAnswers } from '../../contract/booking-options.ts'
import type { Language } from '../../contract/core/languages.ts'
import { answerText, givenAnswers } from '../../contract/line-options.ts'
import type { Line } from '../../contract/lines.ts'
import { documentWords } from './content.ts'

/** What was answered to the questions of a line, in the words of its customer and as others read it. */
export const saidOf = (
  { options, selections }: Pick<Line, 'options' | 'selections'>,
  language: Language,
): SaidAnswers | undefined =>
  options.length === 0
    ? undefined
    : givenAnswers({ asked: options, selections }).map(({ label, given }) => ({
        ...answerText({ label, given }, language, documentWords(language)),
        label,
        given,
      }))
