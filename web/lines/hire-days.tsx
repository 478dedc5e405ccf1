import { useT } from '../core/i18n/i18n.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import type { EditorLine } from './line-state.ts'

type Days = Pick<EditorLine, 'hireFrom' | 'hireTo'>

export interface HireDaysProps {
  line: Days
  /** A label with the number of the line. */
  of: (label: string) => string
  errors: ReadonlyMap<string, string> | undefined
  onChange: (days: Partial<Days>) => void
}

/** First and last day of a hire. */
export function HireDays({ line, of, errors, onChange }: HireDaysProps) {
  const t = useT('lines')
  return (
    <div className="line-hire">
      <DateInput
        label={t('lines:hireFrom')}
        aria-label={of(t('lines:hireFrom'))}
        value={line.hireFrom ?? ''}
        error={errors?.get('hireFrom')}
        onChange={(day) => onChange({ hireFrom: day || null })}
      />
      <DateInput
        label={t('lines:hireTo')}
        aria-label={of(t('lines:hireTo'))}
        value={line.hireTo ?? ''}
        error={errors?.get('hireTo')}
        onChange={(day) => onChange({ hireTo: day || null })}
      />
    </div>
  )
}
