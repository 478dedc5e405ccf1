import { useT } from '../core/i18n/i18n.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import { isOutOfOrder, type EditorLine } from './line-state.ts'

type Days = Pick<EditorLine, 'hireFrom' | 'hireTo'>
type Reason = Pick<EditorLine, 'why' | 'awaits' | 'isPriceManual' | 'productGuid'>

/** Whether the catalogue's price is the same for any days: its product has no rates of hire. */
const isFlat = ({ hireFrom, hireTo, why = [], awaits, isPriceManual, productGuid }: Days & Reason): boolean =>
  productGuid !== null &&
  hireFrom !== null &&
  hireTo !== null &&
  !awaits &&
  !isPriceManual &&
  why.length > 0 &&
  why.every(({ step }) => step !== 'hire')

export interface HireDaysProps {
  line: Days & Reason & Pick<EditorLine, 'problems'>
  /** A label with the number of the line. */
  of: (label: string) => string
  onChange: (days: Partial<Days>) => void
}

/** First and last day of a hire. */
export function HireDays({ line, of, onChange }: HireDaysProps) {
  const t = useT('lines')
  const { problems } = line
  const order = isOutOfOrder(line) ? t('lines:hireOrder') : undefined
  return (
    <>
      <div className="hire-days">
        <DateInput
          label={t('lines:hireFrom')}
          aria-label={of(t('lines:hireFrom'))}
          value={line.hireFrom ?? ''}
          error={problems?.['hireFrom']}
          onChange={(day) => onChange({ hireFrom: day || null })}
        />
        <DateInput
          label={t('lines:hireTo')}
          aria-label={of(t('lines:hireTo'))}
          value={line.hireTo ?? ''}
          error={order ?? problems?.['hireTo']}
          onChange={(day) => onChange({ hireTo: day || null })}
        />
      </div>
      {isFlat(line) && !order ? <p className="muted small no-margin">{t('lines:hireFlat')}</p> : null}
    </>
  )
}
