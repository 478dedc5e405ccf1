import { languageFacts } from '../../contract/core/languages.ts'
import type { TemplateProblem } from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { type NounWith, pathTo } from '../../contract/nouns.ts'
import { templateKindFacts, type TemplateRecord } from '../../contract/template-kinds.ts'
import { inQuotes } from '../../contract/core/sentences.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'

const nounOf: Readonly<Partial<Record<TemplateRecord, NounWith<'pages'>>>> = {
  quote: 'Quotes',
  order: 'Orders',
  invoice: 'Invoices',
  payment: 'Payments',
  customer: 'Customers',
}

/** What is wrong, each with the way to its place; and to the record it goes wrong for. */
export function Problems({
  problems,
  kind,
  onProblem,
}: {
  problems: readonly TemplateProblem[]
  kind: TemplateKind
  onProblem: (problem: TemplateProblem) => void
}) {
  const t = useT('mails')
  if (problems.length === 0) return null
  const noun = nounOf[templateKindFacts[kind].record]
  return (
    <ul className="mail-problems" role="alert">
      {problems.map((problem, i) => (
        <li key={i}>
          <button type="button" className="mail-problem" onClick={() => onProblem(problem)}>
            <span className="strong">
              {t(problem.part === 'bodyHtml' ? 'mails:problemIn' : 'mails:problemAt', {
                part: t(`mails:parts.${problem.part}`),
                language: languageFacts[problem.language].name,
                paragraph: problem.line,
              })}
            </span>{' '}
            {inQuotes(problem.message)}
          </button>
          {problem.record && noun ? (
            <AppLink to={pathTo(noun, problem.record.guid)}>{problem.record.label}</AppLink>
          ) : null}
          {problem.record && !noun ? <span className="muted">{problem.record.label}</span> : null}
        </li>
      ))}
    </ul>
  )
}
