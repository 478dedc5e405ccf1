import { Button, SegmentedControl } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Facts } from '../../contract/core/ability.ts'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { actionText, ruleText, subjectText } from '../access/words.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { LoadingLines } from '../core/ui/states.tsx'
import { decidingRule, type Cell, type CellState } from './matrix-state.ts'
import type { Place } from './matrix.tsx'
import type { RulesEditor } from './use-rules.ts'

const RuleFields = lazy(() => import('./rule-fields.tsx').then((module) => ({ default: module.RuleFields })))

export interface CellPanelProps {
  place: Place
  cell: Cell
  editor: RulesEditor
  catalogue: readonly CatalogueSubject[]
  facts: Facts
  isReadOnly: boolean
  /** What the server found wrong, by key of the rule. */
  problems: ReadonlyMap<string, string>
}

/** What the rules of the role together come to here, and the one that decides. */
function Outcome({ place, cell, editor, facts }: Pick<CellPanelProps, 'place' | 'cell' | 'editor' | 'facts'>) {
  const t = useT('roles', 'access')
  const f = useFormat()
  const decider = decidingRule(editor.drafts, place.subject, place.action, facts)
  return (
    <p className="cell-outcome" data-access={cell.access}>
      <span className="strong">{t(`roles:cell.access.${cell.access}`)}</span>{' '}
      {decider ? t('roles:panel.decider', { rule: ruleText(decider, t, f) }) : t('roles:panel.noDecider')}
    </p>
  )
}

/** The calls that ask for this right. */
function Asked({ place, catalogue }: Pick<CellPanelProps, 'place' | 'catalogue'>) {
  const t = useT('roles')
  const operations = catalogue
    .filter((item) => item.subject === place.subject)
    .flatMap((item) =>
      item.actions.filter(({ action }) => action === place.action).flatMap(({ operations: found }) => found),
    )
  if (!operations.length) return null
  return (
    <details className="ask-details">
      <summary>{t('roles:panel.asked', { count: operations.length })}</summary>
      <ul className="asked-list small">
        {operations.map(({ method, path, summary }) => (
          <li key={`${method} ${path}`}>
            <span lang="en">{summary}</span> <code className="muted">{`${method} ${path}`}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** One cell of the matrix with everything that is set on it. */
export function CellPanel(props: CellPanelProps) {
  const { place, cell, editor, catalogue, isReadOnly, problems } = props
  const t = useT('roles', 'access', 'common')
  const states = ['none', 'allow', 'deny'] as const
  return (
    <div className="stack cell-panel">
      <div>
        <p className="cell-panel-title">{actionText(place.action)}</p>
        <p className="no-margin">{place.subject === 'all' ? t('access:nouns.all') : subjectText(place.subject)}</p>
        <code className="small muted">{`${place.action} ${place.subject}`}</code>
      </div>
      {cell.state === 'both' ? null : (
        <SegmentedControl
          fullWidth
          aria-label={t('roles:rule.effect')}
          disabled={isReadOnly}
          value={cell.state}
          data={states.map((state) => ({ value: state, label: t(`roles:cell.state.${state}`) }))}
          onChange={(value) =>
            editor.set(
              place.subject,
              place.action,
              states.find((state) => state === value) ?? ('none' satisfies CellState),
            )
          }
        />
      )}
      <Outcome {...props} />
      <Suspense fallback={<LoadingLines />}>
        {cell.rules.map((rule, index) => (
          <RuleFields
            key={rule.key}
            rule={rule}
            title={cell.rules.length > 1 ? t('roles:rule.number', { number: index + 1 }) : null}
            catalogue={catalogue}
            isReadOnly={isReadOnly}
            problem={problems.get(rule.key)}
            onChange={(change) => editor.change(rule.key, change)}
            onRemove={() => editor.remove(rule.key)}
          />
        ))}
      </Suspense>
      {cell.rules.length > 0 && !isReadOnly ? (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Icon name="create" size={16} />}
          onClick={() => editor.add(place.subject, place.action)}
        >
          {t('roles:panel.addRule')}
        </Button>
      ) : null}
      <Asked place={place} catalogue={catalogue} />
    </div>
  )
}
