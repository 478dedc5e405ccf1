import { useT } from '../core/i18n/i18n.ts'
import { DateInput } from '../core/ui/date-input.tsx'

/** The day whose end a report tells of; it always has one. */
export function OnDay({ on, onChoose }: { on: string; onChoose: (on: string) => void }) {
  const t = useT('accounting')
  return (
    <div className="row report-asked no-print">
      <DateInput
        label={t('accounting:aged.on')}
        w={180}
        value={on}
        onChange={(chosen) => (chosen ? onChoose(chosen) : undefined)}
      />
    </div>
  )
}
