import type { Control, FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import { depositAmount } from '../../contract/core/money.ts'
import type { DepositRule } from '../../contract/lines.ts'
import type { Quote, quoteInput } from '../../contract/quotes.ts'
import type { Stage } from '../../contract/stages.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Money } from '../core/ui/money.tsx'
import { depositText } from '../lines/terms-text.ts'
import { PlainField } from '../record/plain-field.tsx'
import type { Fields } from '../record/record-facts.tsx'
import { StageAmounts } from './schedule-field.tsx'

/* What an offer has beside its lines, whether it goes out once or again and again. */

type Offered = Pick<
  z.output<typeof quoteInput>,
  'depositRule' | 'schedule' | 'jobTypeGuid' | 'intro' | 'terms' | 'internalNotes'
>

export const offerRows: Fields<Offered>['rows'] = {
  depositRule: { label: 'lines:deposit', show: depositText },
  schedule: {
    label: 'quotes:stages.title',
    show: (stages) => (stages ?? []).map(({ label }) => label).join(', '),
  },
  jobTypeGuid: { label: 'common:jobType', show: (_guid, _say, { jobType }) => (jobType as Quote['jobType'])?.label },
  intro: { label: 'quotes:intro', hint: 'quotes:introHint' },
  terms: { label: 'quotes:terms' },
  internalNotes: { label: 'quotes:internalNotes', hint: 'quotes:internalNotesHint' },
}

/** What its customer reads around the lines, and what he doesn't. */
export function OfferTexts<I extends object, V extends FieldValues>({
  of,
  control,
}: {
  of: Fields<I>
  control: Control<V>
}) {
  const t = useT('quotes')
  return (
    <Card title={t('quotes:texts')}>
      <div className="stack">
        {(['intro', 'terms', 'internalNotes'] as const).map((name) => (
          <PlainField key={name} of={of} control={control} name={name as unknown as keyof I & string} />
        ))}
      </div>
    </Card>
  )
}

/** Below the total: its stages, or the deposit. */
export function OfferDue({
  values: { depositRule, schedule },
  totalCents,
}: {
  values: { depositRule: DepositRule; schedule: Stage[] | null }
  totalCents: number | null
}) {
  const t = useT('quotes')
  if (schedule) return <StageAmounts stages={schedule} totalCents={totalCents} />
  const deposit = totalCents === null ? 0 : depositAmount(depositRule, totalCents)
  return deposit ? (
    <p className="muted no-margin row spread">
      <span>{t('quotes:deposit')}</span>
      <Money cents={deposit} />
    </p>
  ) : null
}
