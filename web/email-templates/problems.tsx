import { languageFacts } from '../../contract/core/languages.ts'
import type { TemplateBlank, TemplateProblem } from '../../contract/email-templates.ts'
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
          {problem.record ? <RecordName kind={kind} record={problem.record} /> : null}
        </li>
      ))}
    </ul>
  )
}

function RecordName({ kind, record }: { kind: TemplateKind; record: NonNullable<TemplateProblem['record']> }) {
  const noun = nounOf[templateKindFacts[kind].record]
  if (!noun) return <span className="muted">{record.label}</span>
  return <AppLink to={pathTo(noun, record.guid)}>{record.label}</AppLink>
}

/** Which variables leave a gap, for how many records, and for which ones for example. */
export function Blanks({ blanks, kind }: { blanks: readonly TemplateBlank[]; kind: TemplateKind }) {
  const t = useT('mails')
  if (blanks.length === 0) return null
  return (
    <ul className="mail-problems">
      {blanks.map(({ variable, records, example, others = [] }) => (
        <li key={variable}>
          <span className="mail-blank">{t('mails:blank', { count: records, variable })}</span>
          {[example, ...others].map((record) => (
            <RecordName key={record.guid} kind={kind} record={record} />
          ))}
        </li>
      ))}
    </ul>
  )
}
