import './compose.css'
import { Alert } from '@mantine/core'
import { inQuotes } from '../../contract/core/sentences.ts'
import type { Composed } from '../../contract/message-writes.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { ComposeErrors } from './compose-values.ts'

/** Of the subject, which leads to no line, each mistake once, and none that its field tells. */
export const unsaidOf = (problems: Composed['problems'], { subject }: ComposeErrors) =>
  problems.filter(
    ({ part, message }, i) =>
      part === 'bodyHtml' ||
      (inQuotes(message) !== subject &&
        problems.findIndex((one) => one.part === part && one.message === message) === i),
  )

/** The problems of a text with its variables, each leading to its line. */
export function TextProblems({
  problems,
  onGo,
}: {
  problems: Composed['problems']
  onGo: (problem: Composed['problems'][number]) => void
}) {
  const t = useT('compose')
  if (problems.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="status">
      <ul className="compose-problems">
        {problems.map((problem, i) => (
          <li key={i}>
            {problem.part === 'bodyHtml' ? (
              <button type="button" className="link" onClick={() => onGo(problem)}>
                {t('compose:line', { number: problem.line, problem: inQuotes(problem.message) })}
              </button>
            ) : (
              t('compose:inSubject', { problem: inQuotes(problem.message) })
            )}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
