import { useState } from 'react'
import { Button, Switch, TextInput } from '@mantine/core'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { localDay } from '../../contract/core/dates.ts'
import { maxStages, type Stage, stageAmounts, type StageDue } from '../../contract/stages.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { MoneyInput, PercentInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import './schedule-field.css'

interface StageErrors {
  label?: { message?: string }
  amount?: { message?: string; bp?: { message?: string }; cents?: { message?: string } }
  due?: { message?: string; on?: { message?: string } }
}

interface RowProps {
  stage: Stage
  position: number
  isLast: boolean
  canRemove: boolean
  errors: StageErrors | undefined
  onChange: (stage: Stage) => void
  onRemove: () => void
}

function StageRow({ stage, position, isLast, canRemove, errors, onChange, onRemove }: RowProps) {
  const t = useT('quotes')
  const { zone } = useFormat()
  const [today] = useState(() => localDay(new Date().toISOString(), zone))
  const { amount, due } = stage
  const dues = (['acceptance', 'start', 'completion', 'day'] as const).filter(
    (type) => type !== 'acceptance' || position === 1,
  )
  const setDue = (type: string) =>
    onChange({ ...stage, due: type === 'day' ? { type, on: '' } : ({ type } as StageDue) })
  const setKind = (type: string) =>
    onChange({ ...stage, amount: type === 'fixed' ? { type, cents: 100_000 } : { type: 'percent', bp: 3000 } })
  return (
    <li className="stage-row">
      <TextInput
        label={t('quotes:stages.label')}
        value={stage.label}
        maxLength={80}
        error={errors?.label?.message}
        onChange={(event) => onChange({ ...stage, label: event.currentTarget.value })}
      />
      {amount.type === 'rest' || isLast ? (
        <p className="stage-rest muted no-margin">{t('quotes:stages.rest')}</p>
      ) : (
        <div className="stage-amount">
          <ChoiceInput
            label={t('quotes:stages.share')}
            value={amount.type}
            data={[
              { value: 'percent', label: t('quotes:stages.percent') },
              { value: 'fixed', label: t('quotes:stages.fixed') },
            ]}
            onChange={(type) => setKind(type ?? 'percent')}
          />
          {amount.type === 'percent' ? (
            <PercentInput
              aria-label={t('quotes:stages.percent')}
              value={amount.bp}
              error={errors?.amount?.bp?.message ?? errors?.amount?.message}
              onChange={(bp) => onChange({ ...stage, amount: { type: 'percent', bp: bp ?? 0 } })}
            />
          ) : (
            <MoneyInput
              aria-label={t('quotes:stages.fixed')}
              value={amount.cents}
              error={errors?.amount?.cents?.message ?? errors?.amount?.message}
              onChange={(value) => onChange({ ...stage, amount: { type: 'fixed', cents: value ?? 0 } })}
            />
          )}
        </div>
      )}
      <div className="stage-due">
        <ChoiceInput
          label={t('quotes:stages.due')}
          value={due.type}
          data={dues.map((type) => ({ value: type, label: t(`quotes:stages.dues.${type}`) }))}
          error={due.type === 'day' ? undefined : errors?.due?.message}
          onChange={(type) => setDue(type ?? 'completion')}
        />
        {due.type === 'day' ? (
          <DateInput
            label={t('quotes:stages.on')}
            value={due.on}
            error={errors?.due?.on?.message ?? errors?.due?.message}
            description={due.on && due.on < today ? t('quotes:stages.passed') : undefined}
            onChange={(on) => onChange({ ...stage, due: { type: 'day', on } })}
          />
        ) : null}
      </div>
      <div className="stage-end">
        {canRemove ? (
          <IconTool
            icon="delete"
            label={t('quotes:stages.remove', { name: stage.label || String(position) })}
            onClick={onRemove}
          />
        ) : null}
      </div>
    </li>
  )
}

/** Whether the quote is paid in stages, and which: the last one takes what the others leave. */
export function ScheduleField<T extends FieldValues, O = T>({
  control,
  name,
}: {
  control: Control<T, unknown, O>
  name: FieldPath<T>
}) {
  const t = useT('quotes')
  const f = useFormat()
  const { field, fieldState } = useController({ control: control as unknown as Control<T>, name })
  const stages = field.value as Stage[] | null
  const set = field.onChange as (stages: Stage[] | null) => void
  const errors = fieldState.error as unknown as (StageErrors[] & { message?: string }) | undefined
  const usual = (): Stage[] => [
    { label: t('quotes:stages.first'), amount: { type: 'percent', bp: 3000 }, due: { type: 'acceptance' } },
    { label: t('quotes:stages.last'), amount: { type: 'rest' }, due: { type: 'completion' } },
  ]
  const add = (all: readonly Stage[]) => {
    const stage: Stage = {
      label: t('quotes:stages.numbered', { number: f.number(all.length) }),
      amount: { type: 'percent', bp: 3000 },
      due: { type: 'start' },
    }
    set([...all.slice(0, -1), stage, ...all.slice(-1)])
  }
  return (
    <fieldset className="plain-fieldset stack schedule">
      <Switch
        label={t('quotes:stages.switch')}
        description={t('quotes:stages.hint')}
        checked={stages !== null}
        onChange={(event) => set(event.currentTarget.checked ? usual() : null)}
      />
      {stages ? (
        <ol className="stage-rows" aria-label={t('quotes:stages.title')}>
          {stages.map((stage, i) => (
            <StageRow
              key={i}
              stage={stage}
              position={i + 1}
              isLast={i === stages.length - 1}
              canRemove={stages.length > 2 && i < stages.length - 1}
              errors={errors?.[i]}
              onChange={(now) => set(stages.map((one, at) => (at === i ? now : one)))}
              onRemove={() => set(stages.filter((_, at) => at !== i))}
            />
          ))}
        </ol>
      ) : null}
      {stages && stages.length < maxStages ? (
        <div>
          <Button variant="light" leftSection={<Icon name="create" size={18} />} onClick={() => add(stages)}>
            {t('quotes:stages.add')}
          </Button>
        </div>
      ) : null}
      {errors?.message ? <span className="field-error">{errors.message}</span> : null}
    </fieldset>
  )
}

/** What the stages come to now, beside the totals. */
export function StageAmounts({ stages, totalCents }: { stages: readonly Stage[]; totalCents: number | null }) {
  if (totalCents === null) return null
  const amounts = stageAmounts(stages, totalCents)
  return (
    <>
      {stages.map(({ label }, i) => (
        <p key={i} className="muted no-margin row spread">
          <span>{label}</span>
          <Money cents={amounts[i] ?? 0} />
        </p>
      ))}
    </>
  )
}
