import { Radio } from '@mantine/core'
import { Controller, type Control } from 'react-hook-form'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { BusinessValues, SentBusiness } from './business-values.ts'

/** The two lawful ways to round GST, each with what it means. */
export function RoundingField({
  control,
  rules,
}: {
  control: Control<BusinessValues, unknown, SentBusiness>
  rules: readonly string[]
}) {
  const t = useT('setup', 'lines')
  return (
    <Controller
      control={control}
      name="roundingRule"
      render={({ field }) => (
        <Radio.Group
          className="rounding"
          name="roundingRule"
          label={t('lines:rounding')}
          description={t('setup:business.roundingHint')}
          value={field.value}
          onChange={field.onChange}
        >
          <div className="stack rounding-rules">
            {rules.map((rule) => (
              <Radio
                key={rule}
                value={rule}
                label={phraseOr(`lines:roundings.${rule}`, rule)}
                description={phraseOr(`setup:business.roundingTexts.${rule}`, '')}
              />
            ))}
          </div>
        </Radio.Group>
      )}
    />
  )
}
