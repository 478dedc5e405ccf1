import type { ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import type { Period } from './use-period.ts'

interface Props {
  period: Period & { isBackwards: boolean; present: Period; previous: Period }
  onChange: (period: Period) => void
  /** What else is asked. */
  children: ReactNode
}

/** The two days of a report, and the periods of the activity statement with one click. */
export function PeriodFields({ period, onChange, children }: Props) {
  const t = useT('accounting')
  const { from, to, isBackwards, present, previous } = period
  return (
    <div className="row report-asked no-print">
      <DateInput
        label={t('accounting:bas.from')}
        w={160}
        value={from}
        onChange={(chosen) => (chosen ? onChange({ from: chosen, to }) : undefined)}
      />
      <DateInput
        label={t('accounting:bas.to')}
        w={160}
        value={to}
        error={isBackwards ? t('accounting:bas.backwards') : null}
        onChange={(chosen) => (chosen ? onChange({ from, to: chosen }) : undefined)}
      />
      {children}
      <button type="button" className="link" onClick={() => onChange(previous)}>
        {t('accounting:bas.previous')}
      </button>
      <button type="button" className="link" onClick={() => onChange(present)}>
        {t('accounting:bas.current')}
      </button>
    </div>
  )
}
