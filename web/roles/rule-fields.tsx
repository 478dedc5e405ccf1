import { Button, NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { ConditionFields } from './condition-fields.tsx'
import type { Draft } from './matrix-state.ts'

export interface RuleFieldsProps {
  rule: Draft
  /** Shown when a cell has more than one. */
  title: string | null
  catalogue: readonly CatalogueSubject[]
  isReadOnly: boolean
  /** What the server found wrong with it. */
  problem?: string | undefined
  onChange: (change: Partial<Draft>) => void
  onRemove: () => void
}

/** Everything that is set on one rule. */
export function RuleFields({ rule, title, catalogue, isReadOnly, problem, onChange, onRemove }: RuleFieldsProps) {
  const t = useT('roles', 'access', 'common')
  return (
    <fieldset className="rule-fields" disabled={isReadOnly}>
      <legend className={title ? 'rule-legend' : 'visually-hidden'}>{title ?? t('roles:rule.title')}</legend>
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      {title ? (
        <SegmentedControl
          fullWidth
          aria-label={t('roles:rule.effect')}
          disabled={isReadOnly}
          value={rule.inverted ? 'deny' : 'allow'}
          data={[
            { value: 'allow', label: t('roles:cell.state.allow') },
            { value: 'deny', label: t('roles:cell.state.deny') },
          ]}
          onChange={(value) => onChange({ inverted: value === 'deny' })}
        />
      ) : null}
      <Switch
        label={t('roles:rule.enabled')}
        checked={rule.enabled}
        disabled={isReadOnly}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
      <ConditionFields
        conditions={rule.conditions}
        onChange={(conditions) => onChange({ conditions })}
        subject={rule.subject}
        catalogue={catalogue}
        isReadOnly={isReadOnly}
      />
      <NumberInput
        label={t('roles:rule.priority')}
        description={t('roles:rule.priorityHint')}
        min={-1000}
        max={1000}
        allowDecimal={false}
        disabled={isReadOnly}
        value={rule.priority}
        onChange={(value) =>
          typeof value === 'number' ? onChange({ priority: Math.max(-1000, Math.min(1000, value)) }) : undefined
        }
      />
      <TextInput
        label={t('roles:rule.note')}
        maxLength={400}
        disabled={isReadOnly}
        value={rule.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <details className="ask-details">
        <summary>{t('roles:rule.headers')}</summary>
        <div className="stack rule-headers">
          <Switch
            label={t('roles:rule.apiGuid')}
            checked={rule.apiGuidRequired}
            disabled={isReadOnly}
            onChange={(event) => onChange({ apiGuidRequired: event.currentTarget.checked })}
          />
          <Switch
            label={t('roles:rule.authorization')}
            checked={rule.authorizationHeaderRequired}
            disabled={isReadOnly}
            onChange={(event) => onChange({ authorizationHeaderRequired: event.currentTarget.checked })}
          />
        </div>
      </details>
      {title && !isReadOnly ? (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          leftSection={<Icon name="delete" size={16} />}
          onClick={onRemove}
          className="rule-remove"
        >
          {t('roles:rule.remove')}
        </Button>
      ) : null}
    </fieldset>
  )
}
