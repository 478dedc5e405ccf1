import { SegmentedControl } from '@mantine/core'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import type { DepositRule } from '../../contract/lines.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput, PercentInput } from '../core/ui/inputs.tsx'
import './lines.css'

const firstShare = 3000
const firstAmount = 50_000

/** No deposit, a share of the total, or an amount. */
export function DepositField<T extends FieldValues, O = T>({
  control,
  name,
}: {
  control: Control<T, unknown, O>
  name: FieldPath<T>
}) {
  const t = useT('lines')
  const { field, fieldState } = useController({ control: control as unknown as Control<T>, name })
  const rule = field.value as DepositRule
  const set = field.onChange as (rule: DepositRule) => void
  const change = (type: string) =>
    set(
      type === 'percent'
        ? { type, value: firstShare }
        : type === 'fixed'
          ? { type, value: firstAmount }
          : { type: 'none' },
    )
  const error =
    fieldState.error?.message ?? (fieldState.error as { value?: { message?: string } } | undefined)?.value?.message
  return (
    <div
      className="stack deposit"
      style={{ '--gap': '0' } as React.CSSProperties}
      role="group"
      aria-label={t('lines:deposit')}
    >
      <span className="field-label">{t('lines:deposit')}</span>
      <div className="row deposit-field">
        <SegmentedControl
          aria-label={t('lines:deposit')}
          value={rule.type}
          onChange={change}
          data={[
            { value: 'none', label: t('lines:depositNone') },
            { value: 'percent', label: t('lines:depositPercent') },
            { value: 'fixed', label: t('lines:depositFixed') },
          ]}
        />
        {rule.type === 'percent' ? (
          <PercentInput
            aria-label={t('lines:depositPercent')}
            w={96}
            value={rule.value}
            onChange={(value) => set({ type: 'percent', value: value ?? 0 })}
          />
        ) : null}
        {rule.type === 'fixed' ? (
          <MoneyInput
            aria-label={t('lines:depositFixed')}
            w={128}
            value={rule.value}
            onChange={(value) => set({ type: 'fixed', value: value ?? 0 })}
          />
        ) : null}
      </div>
      {error ? <span className="field-error">{error}</span> : null}
    </div>
  )
}
