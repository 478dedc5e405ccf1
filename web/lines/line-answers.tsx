import { answerText, givenAnswers } from '../../contract/line-options.ts'
import type { ShownLine } from '../../contract/lines.ts'
import { type Format, useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'

type Line = Pick<ShownLine, 'said' | 'options' | 'selections'>

/** What was answered to the questions of a line, in the reader's language; staff see what their customer answered. */
export function LineAnswers({ line, format }: { line: Line; format?: Format | undefined }) {
  const t = useT('lines', 'common')
  const own = useFormat()
  const language = useLanguage()
  const { options: asked = [], selections = [] } = line
  const { date: day, quantity } = format ?? own
  const words = { yes: t('common:yes'), no: t('common:no'), day, quantity }
  const texts = (line.said ?? givenAnswers({ asked, selections })).map((one) => answerText(one, language, words))
  return texts.map(({ question, answer }, i) => (
    <p key={question} className="document-text">
      <bdi>{question}</bdi>: <bdi>{answer}</bdi>{' '}
      {selections[i]?.answeredBy === 'guest' ? <span className="line-badge quiet">{t('lines:byCustomer')}</span> : null}
    </p>
  ))
}
