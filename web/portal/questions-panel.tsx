import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Priced } from '../questions/question.tsx'
import { Questions } from '../questions/questions.tsx'
import { asOption } from './as-option.ts'
import { Panel } from './parts.tsx'
import { PhotoAnswer } from './photo-answer.tsx'
import type { Answers } from './use-answers.ts'

/** What is wrong, by the code of the option, or of a part of it; what is missing is told to who has tried to accept. */
function errorsOf(
  { problems }: Pick<Answers, 'problems'>,
  line: string,
  given: readonly { option: string }[],
  missing: string | null,
): Record<string, string> {
  const prefix = `answers.${line}.`
  return Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) => {
      if (!path.startsWith(prefix)) return []
      const at = path.slice(prefix.length)
      if (given.some(({ option }) => at === option || at.startsWith(`${option}.`))) return [[at, inLanguage(message)]]
      return missing === null ? [] : [[at, missing]]
    }),
  )
}

const pricedFor = ({ lines, priceMode }: ServiceQuote, lineGuid: string): Priced => {
  const line = lines.find(({ guid }) => guid === lineGuid)
  return {
    isEach: Number(line?.quantity ?? 1) !== 1,
    isExclusive: priceMode === 'exclusive' && line?.gstCode === 'GST',
  }
}

/** The questions of the quote's lines, where any are asked now. */
export function QuestionsPanel({ link, answers, isTried }: { link: string; answers: Answers; isTried: boolean }) {
  const t = useT('service')
  const { quote, questions, change } = answers
  const shown = questions.filter(({ visible }) => visible.length > 0)
  if (shown.length === 0) return null
  const named = shown.map(({ lineGuid }) => quote.lines.find(({ guid }) => guid === lineGuid))
  /** Lines of one name are told apart by their order. */
  const nameOf = (lineGuid: string) => {
    const name = named.find((line) => line?.guid === lineGuid)?.name ?? ''
    const alike = named.filter((line) => line?.name === name)
    const position = alike.findIndex((line) => line?.guid === lineGuid) + 1
    return alike.length > 1 ? t('service:answers.lineOf', { name, position, total: alike.length }) : name
  }
  return (
    <Panel id="questions" title={t('service:answers.title')} className="no-print">
      <p className="muted small no-margin">{t('service:answers.hint')}</p>
      {shown.map(({ lineGuid, asked, visible, answers: given }) => (
        <fieldset key={lineGuid} className="plain-fieldset service-questions">
          <legend>{nameOf(lineGuid)}</legend>
          <Questions
            options={asked.map(asOption)}
            visible={visible}
            answers={given}
            priced={pricedFor(quote, lineGuid)}
            errors={errorsOf(answers, lineGuid, given, isTried ? t('service:answers.missing') : null)}
            onChange={(next) => change(lineGuid, next)}
            file={(props) => <PhotoAnswer key={props.option.code} {...props} link={link} lineGuid={lineGuid} />}
          />
        </fieldset>
      ))}
    </Panel>
  )
}
