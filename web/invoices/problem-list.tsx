import type { DocumentProblem } from '../../contract/invoice-rules.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import './invoices.css'

/** What stands between a draft and a lawful invoice; the sentence of each rule by its code. */
export function ProblemList({ problems }: { problems: readonly DocumentProblem[] }) {
  const t = useT('invoices')
  if (!problems.length)
    return (
      <p className="problem-fine small no-margin">
        <Icon name="success" size={16} /> {t('invoices:problems.fine')}
      </p>
    )
  const isBlocking = problems.some((problem) => problem.blocks)
  return (
    <div>
      <p className="strong small no-margin">
        {isBlocking ? t('invoices:problems.title') : t('invoices:problems.hints')}
      </p>
      <ul className="problem-list small">
        {problems.map((problem) => (
          <li key={problem.code} data-blocks={problem.blocks}>
            {phraseOr(`invoices:rules.${problem.code}`, problem.message)}
            {problem.lines?.map(({ index, name }) => (
              <span key={index} className="cell-sub">
                {unbroken(name)}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
