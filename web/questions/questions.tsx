import type { AnswerValue, OptionAnswer, OptionDefinition } from '../../contract/booking-options.ts'
import { useT } from '../core/i18n/i18n.ts'
import { type Priced, Question, type QuestionProps } from './question.tsx'

export interface QuestionsProps {
  options: readonly OptionDefinition[]
  /** The codes of those that are asked now. */
  visible: readonly string[]
  answers: readonly OptionAnswer[]
  onChange: (answers: OptionAnswer[]) => void
  /** What is wrong, by the code of the option; with parts of an address by `<code>.address.<part>`. */
  errors?: Readonly<Record<string, string>>
  isDisabled?: (option: OptionDefinition) => boolean
  file?: QuestionProps['file']
  priced?: Priced
}

const answered = (answers: readonly OptionAnswer[], option: string, value: AnswerValue | undefined): OptionAnswer[] => {
  const others = answers.filter((answer) => answer.option !== option)
  return value ? [...others, { option, value }] : others
}

/** The questions of a line in order, each where it is asked. */
export function Questions({
  options,
  visible,
  answers,
  onChange,
  errors = {},
  isDisabled,
  file,
  priced,
}: QuestionsProps) {
  useT('options', 'record', 'common')
  return (
    <div className="questions">
      {options
        .filter(({ code }) => visible.includes(code))
        .map((option) => (
          <Question
            key={option.code}
            option={option}
            value={answers.find((answer) => answer.option === option.code)?.value}
            onChange={(value) => onChange(answered(answers, option.code, value))}
            error={errors[option.code]}
            errors={errors}
            isDisabled={isDisabled?.(option) ?? false}
            file={file}
            priced={priced}
          />
        ))}
    </div>
  )
}
