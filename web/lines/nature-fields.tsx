import { Radio, Textarea } from '@mantine/core'
import type { DepositNature } from '../../contract/deposit-natures.ts'
import { useT } from '../core/i18n/i18n.ts'

export interface Nature {
  nature: DepositNature
  clause: string
}

/** What a deposit is to be, each with what it means; a security deposit says when it is kept. */
export function NatureFields({
  value: { nature, clause },
  onChange,
  error,
  isLarge = false,
}: {
  value: Nature
  onChange: (value: Nature) => void
  /** About the clause. */
  error?: string | undefined
  /** More than a tenth of the order. */
  isLarge?: boolean
}) {
  const t = useT('lines')
  return (
    <>
      <Radio.Group
        label={t('lines:natures.label')}
        value={nature}
        onChange={(value) =>
          onChange({
            nature: value === 'security' ? 'security' : 'part_payment',
            clause: value === 'security' && !clause ? t('lines:natures.clauseText') : clause,
          })
        }
      >
        <div className="stack" style={{ '--gap': '0.75rem', marginBlockStart: '0.5rem' } as React.CSSProperties}>
          <Radio
            value="part_payment"
            label={t('lines:natures.partPayment')}
            description={t('lines:natures.partPaymentText')}
          />
          <Radio value="security" label={t('lines:natures.security')} description={t('lines:natures.securityText')} />
        </div>
      </Radio.Group>
      {nature === 'security' ? (
        <Textarea
          label={t('lines:natures.clause')}
          description={t('lines:natures.clauseHint')}
          autosize
          minRows={3}
          maxLength={2000}
          value={clause}
          error={error}
          onChange={(event) => onChange({ nature, clause: event.currentTarget.value })}
          required
        />
      ) : null}
      {nature === 'security' && isLarge ? (
        <p className="small no-margin overdue" aria-live="polite">
          {t('lines:natures.large')}
        </p>
      ) : null}
    </>
  )
}
