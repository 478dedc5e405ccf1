import { Button } from '@mantine/core'
import { Controller, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { maxTiers, type productInput } from '../../contract/products.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyField, NumberField } from '../core/ui/fields.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { QuantityInput } from '../core/ui/inputs.tsx'
import type { ProductValues } from './product-form.tsx'

export type ProductFormState = UseFormReturn<ProductValues, unknown, z.output<typeof productInput>>

/** Prices from quantities on. */
export function TierFields({ form }: { form: ProductFormState }) {
  const t = useT('products')
  const f = useFormat()
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'tiers' })
  return (
    <fieldset className="plain-fieldset stack">
      <legend className="strong">{t('products:tiers.title')}</legend>
      <p className="muted small no-margin">{t('products:tiers.hint')}</p>
      {fields.map((field, index) => (
        <div key={field.id} className="tier-row">
          <Controller
            control={control}
            name={`tiers.${index}.from`}
            render={({ field: from, fieldState }) => (
              <QuantityInput
                ref={from.ref}
                label={t('products:tiers.from')}
                required
                value={from.value}
                error={fieldState.error?.message}
                onChange={from.onChange}
              />
            )}
          />
          <MoneyField control={control} name={`tiers.${index}.priceCents`} label={t('products:price')} isRequired />
          <IconTool
            icon="delete"
            label={t('products:tiers.remove', { position: f.number(index + 1) })}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      {fields.length < maxTiers ? (
        <div>
          <Button
            variant="light"
            leftSection={<Icon name="create" size={18} />}
            onClick={() => append({ from: '', priceCents: null })}
          >
            {t('products:tiers.add')}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}

/** What a hire costs by the day, the week and four weeks. */
export function HireFields({ form }: { form: ProductFormState }) {
  const t = useT('products')
  const { control } = form
  const kind = useWatch({ control, name: 'kind' })
  if (kind !== 'hire') return null
  return (
    <fieldset className="plain-fieldset stack">
      <legend className="strong">{t('products:hire.title')}</legend>
      <p className="muted small no-margin">{t('products:hire.hint')}</p>
      <div className="grid-2 form-grid">
        <MoneyField control={control} name="hire.dayCents" label={t('products:hire.day')} />
        <MoneyField control={control} name="hire.weekCents" label={t('products:hire.week')} />
        <MoneyField control={control} name="hire.fourWeekCents" label={t('products:hire.month')} />
        <NumberField control={control} name="hire.minimumDays" label={t('products:hire.minimum')} maxDigits={3} />
      </div>
    </fieldset>
  )
}
