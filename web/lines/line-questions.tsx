import { useId } from 'react'
import type { OptionAnswer, Selection } from '../../contract/booking-options.ts'
import { answerTexts } from '../../contract/line-options.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { Questions } from '../questions/questions.tsx'
import { FileAnswer } from './file-answer.tsx'
import type { EditorLine } from './line-state.ts'
import { askedNow, fileNames } from './questions-state.ts'
import './line-questions.css'

interface LineQuestionsProps {
  line: EditorLine
  position: number
  onAnswers: (answers: OptionAnswer[]) => void
  onToggle: () => void
}

/** The questions of a line's product, in their order, each where it is asked; closed, what was answered. */
export function LineQuestions({ line, position, onAnswers, onToggle }: LineQuestionsProps) {
  const t = useT('lines', 'options', 'common')
  const id = useId()
  if (!line.asking) return null
  const { options, minutes } = line.asking
  const { answers, visible, open, selections } = askedNow(line)
  const isOpen = line.isAsked === true
  const errors = Object.fromEntries(
    Object.entries(line.problems ?? {}).flatMap(([field, message]) =>
      field.startsWith('answers.') && message ? [[field.slice('answers.'.length), message]] : [],
    ),
  )
  return (
    <div className="line-questions">
      <div className="line-questions-head">
        <button
          type="button"
          className="line-questions-toggle"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-keyshortcuts="o Alt+O"
          aria-label={t('lines:fieldOf', { field: t('lines:questions'), position })}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'up' : 'down'} size={16} />
          {t('lines:questions')}
        </button>
        {open > 0 ? <span className="line-badge quiet">{t('lines:toAnswer', { count: open })}</span> : null}
        {minutes ? (
          <span className="muted small">
            {t('options:workTime', { time: t('options:minutes', { count: minutes }) })}
          </span>
        ) : null}
      </div>
      {isOpen ? (
        <div id={id} className="line-questions-body">
          <Questions
            options={options}
            visible={visible}
            answers={answers}
            onChange={onAnswers}
            errors={errors}
            priced={{ isEach: Number(line.quantity) !== 1, isExclusive: false }}
            file={(props) => <FileAnswer {...props} />}
          />
        </div>
      ) : (
        <Answered id={id} line={line} selections={selections} />
      )}
    </div>
  )
}

/** What was answered, in a line of words. */
function Answered({
  id,
  line,
  selections,
}: {
  id: string
  line: EditorLine
  selections: readonly Omit<Selection, 'answeredBy' | 'at'>[]
}) {
  const t = useT('common')
  const f = useFormat()
  const language = useLanguage()
  const given = selections.map((one): Selection => {
    const file = 'fileGuid' in one.value ? fileNames.get(one.value.fileGuid) : undefined
    const choices = file ? [{ code: '', label: file, cents: 0 }] : one.choices
    return { ...one, choices, answeredBy: 'staff', at: '' }
  })
  const words = { yes: t('common:yes'), no: t('common:no'), day: f.date, quantity: f.quantity }
  const texts = answerTexts({ asked: line.asking?.options ?? [], selections: given }, language, words)
  return (
    <p id={id} className="line-questions-said" hidden={texts.length === 0}>
      {texts.map(({ option, question, answer }) => (
        <span key={option}>
          {question}: <bdi>{answer}</bdi>
        </span>
      ))}
    </p>
  )
}
