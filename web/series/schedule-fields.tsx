import { SegmentedControl } from '@mantine/core'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { type Every, recurrenceUnits } from '../../contract/core/recurrence.ts'
import type { SeriesEnds } from '../../contract/series.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { WholeInput } from './whole-input.tsx'
import './series.css'

interface FieldProps<T extends FieldValues> {
  control: Control<T>
  name: FieldPath<T>
}
type Problem = Partial<Record<string, { message?: string }>> & { message?: string }

/** What is wrong with a value of several parts: with one of them, or with it as a whole. */
const messageOf = (error: unknown, ...parts: string[]): string | null => {
  const problem = (error ?? {}) as Problem
  return parts.map((part) => problem[part]?.message).find(Boolean) ?? problem.message ?? null
}

/** How often: a number and a unit. */
export function EveryField<T extends FieldValues>({ control, name }: FieldProps<T>) {
  const t = useT('series')
  const { field, fieldState } = useController({ control, name })
  const every = field.value as Every
  const set = (change: Partial<Every>) => field.onChange({ ...every, ...change })
  return (
    <div className="series-every" role="group" aria-label={t('series:every')}>
      <WholeInput
        label={t('series:every')}
        value={every.n}
        onChange={(n) => set({ n: n ?? 0 })}
        error={messageOf(fieldState.error, 'n', 'unit')}
        required
      />
      <ChoiceInput
        label={t('series:unit')}
        value={every.unit}
        onChange={(unit) => set({ unit: recurrenceUnits.find((known) => known === unit) ?? 'month' })}
        data={recurrenceUnits.map((value) => ({ value, label: t(`series:units.${value}`, { count: every.n || 1 }) }))}
      />
    </div>
  )
}

/** Until when: never ending, so many quotes, or up to a day. */
export function EndsField<T extends FieldValues>({ control, name }: FieldProps<T>) {
  const t = useT('series')
  const { field, fieldState } = useController({ control, name })
  const ends = field.value as SeriesEnds
  const set = field.onChange as (ends: SeriesEnds) => void
  const change = (type: string) =>
    set(type === 'count' ? { type, n: 12 } : type === 'until' ? { type, on: '' } : { type: 'never' })
  const error = messageOf(fieldState.error, 'n', 'on')
  return (
    <div
      className="stack"
      style={{ '--gap': '0' } as React.CSSProperties}
      role="group"
      aria-label={t('series:ends.label')}
    >
      <span className="field-label">{t('series:ends.label')}</span>
      <div className="row series-ends">
        <SegmentedControl
          aria-label={t('series:ends.label')}
          value={ends.type}
          onChange={change}
          data={(['never', 'count', 'until'] as const).map((value) => ({
            value,
            label: t(`series:ends.types.${value}`),
          }))}
        />
        {ends.type === 'count' ? (
          <WholeInput
            aria-label={t('series:ends.number')}
            w={80}
            value={ends.n}
            onChange={(n) => set({ type: 'count', n: n ?? 0 })}
          />
        ) : null}
        {ends.type === 'until' ? (
          <DateInput
            aria-label={t('series:ends.day')}
            w={150}
            value={ends.on}
            onChange={(on) => set({ type: 'until', on })}
          />
        ) : null}
      </div>
      {error ? <span className="field-error">{error}</span> : null}
    </div>
  )
}
