import type { Selection } from '../../contract/booking-options.ts'
import { answerTexts } from '../../contract/line-options.ts'
import { answerOptions } from '../../contract/option-answers.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { asOption } from './as-option.ts'
import { isChoice, proposedChoice } from './shown-lines.ts'
import type { Answers } from './use-answers.ts'

/** What a customer chose otherwise than it was offered, in words: options, alternatives and answers; '' for nothing. */
export function useChosenWords(offered: ServiceQuote, { chosen, given = [] }: Answers): string {
  const t = useT('service', 'common')
  const f = useFormat()
  const language = useLanguage()
  const proposed = proposedChoice(offered.lines)
  const taken = offered.lines.flatMap((line) => {
    const isTaken = chosen.has(line.guid)
    // The one that was proposed gives way to another of its group without a word.
    if (!isChoice(line) || isTaken === proposed.has(line.guid) || (!isTaken && line.alternativeGroup !== null))
      return []
    return [`${isTaken ? '+' : '−'} ${line.name}`]
  })
  const words = { yes: t('common:yes'), no: t('common:no'), day: f.date, quantity: f.quantity }
  const answered = given.flatMap(({ lineGuid, answers }) => {
    const question = offered.questions.find((one) => one.lineGuid === lineGuid)
    const line = offered.lines.find(({ guid }) => guid === lineGuid)
    if (!question || !line || JSON.stringify(answers) === JSON.stringify(question.answers)) return []
    const asked = question.asked.map(asOption)
    const kept = answerOptions({ options: asked, answers, basePriceCents: 0, quantity: '1', language })
    const selections = kept.selections.map((one): Selection => ({ ...one, answeredBy: 'guest', at: '' }))
    const texts = answerTexts({ asked, selections }, language, words)
    return texts.length === 0
      ? []
      : [`${line.name}: ${texts.map(({ question: said, answer }) => `${said}: ${answer}`).join('; ')}`]
  })
  const said = [...taken, ...answered]
  return said.length === 0 ? '' : [t('service:asks.chosen'), ...said].join('\n').slice(0, 2000)
}
