import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { MoneyInput, PercentInput } from '../core/ui/inputs.tsx'

export interface RiseValues {
  /** Basis points; null while there are none. */
  bp: number | null
  /** Cents. */
  step: number | null
  fromOn: string
}

/** What went wrong, above the foot of a step. */
export const Problem = ({ of }: { of: string | null }) =>
  of ? (
    <p className="field-error no-margin" role="alert">
      {of}
    </p>
  ) : null

interface RiseStepProps {
  values: RiseValues
  setValues: (values: RiseValues) => void
  problem: string | null
  isBusy: boolean
  onBack: () => void
  onNext: () => void
}

/** By how much, rounded to what, and from which day. */
export function RiseStep({ values, setValues, problem, isBusy, onBack, onNext }: RiseStepProps) {
  const t = useT('series')
  const set = (change: Partial<RiseValues>) => setValues({ ...values, ...change })
  const isReady = values.bp && values.step && values.fromOn
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isBusy) onNext()
      }}
    >
      <div className="card-body stack">
        <div className="rise-values">
          <PercentInput
            label={t('series:rise.percent')}
            description={t('series:rise.percentHint')}
            required
            value={values.bp}
            onChange={(bp) => set({ bp })}
          />
          <MoneyInput
            label={t('series:rise.step')}
            description={t('series:rise.stepHint')}
            required
            value={values.step}
            onChange={(step) => set({ step })}
          />
          <DateInput
            label={t('series:rise.from')}
            description={t('series:rise.fromHint')}
            required
            value={values.fromOn}
            onChange={(fromOn) => set({ fromOn })}
          />
        </div>
        <Problem of={problem} />
      </div>
      <div className="card-body row spread rise-foot">
        <ActionButton variant="default" onClick={onBack}>
          {t('series:rise.back')}
        </ActionButton>
        <ActionButton
          type="submit"
          icon="next"
          loading={isBusy}
          disabledReason={isReady ? null : t('series:rise.valuesFirst')}
        >
          {t('series:rise.checkIt')}
        </ActionButton>
      </div>
    </form>
  )
}
