import { useWatch, type Control } from 'react-hook-form'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { NumberField, TextField } from '../core/ui/fields.tsx'
import type { BusinessValues, SentBusiness } from './business-values.ts'

/** How the next number of each kind looks; numbers only move forward. */
export function NumberingFields({
  control,
  numbering,
}: {
  control: Control<BusinessValues, unknown, SentBusiness>
  numbering: BusinessValues['numbering']
}) {
  const t = useT('setup')
  const now = useWatch({ control, name: 'numbering' })
  return (
    <div className="stack">
      <p className="muted no-margin">{t('setup:business.numberingHint')}</p>
      <div className="numbering">
        {numbering.map(({ kind }, index) => {
          const current = now[index]
          const name = phraseOr(`setup:numbered.${kind}`, kind)
          return (
            <div key={kind} className="numbering-row" role="group" aria-label={name}>
              <div className="numbering-name">
                <span className="strong">{name}</span>
                <span className="muted small">
                  {t('setup:business.nextIs')}{' '}
                  <span className="tabular strong nowrap">
                    {current
                      ? `${current.prefix}${String(current.next ?? '').padStart(current.padding || 1, '0')}`
                      : ''}
                  </span>
                </span>
              </div>
              <TextField
                control={control}
                name={`numbering.${index}.prefix`}
                label={t('setup:business.prefix')}
                maxLength={12}
              />
              <NumberField
                control={control}
                name={`numbering.${index}.padding`}
                label={t('setup:business.digits')}
                maxDigits={2}
              />
              <NumberField
                control={control}
                name={`numbering.${index}.next`}
                label={t('setup:business.next')}
                maxDigits={9}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}
