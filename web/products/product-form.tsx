import { maySeeCosts } from '../../contract/lines.ts'
import { withGst } from '../../contract/core/money.ts'
import { useEffect, useEffectEvent } from 'react'
import { useController, useWatch, type Control } from 'react-hook-form'
import type { z } from 'zod'
import { productInput, type Product, type ProductInput } from '../../contract/products.ts'
import { ProductOptions } from '../booking-options/product-options.tsx'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import { RecordFields } from '../record/record-fields.tsx'
import { RecordForm, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { BundleFields, emptyBundle } from './bundle-fields.tsx'
import { HireFields, TierFields, type ProductFormState } from './price-fields.tsx'
import { CategoriesField, StreamField } from './selling-fields.tsx'
import { marginBp } from './product-details.tsx'
import { productFields } from './product-fields.ts'
import './products.css'

type SentProduct = z.output<typeof productInput>
export type ProductValues = FormValues<ProductInput>

export const emptyProduct: ProductValues = { ...formValues(productInput), bundle: null as never }

export const valuesOfProduct = (product: Product): ProductValues => ({
  ...formValues(productInput, product),
  bundle: product.bundle as never,
  categoryGuids: product.categoryGuids as never,
})

/** A bundle begins with no parts, and what is none has no field of them. */
function useBundleOfKind(form: ProductFormState) {
  const kind = useWatch({ control: form.control, name: 'kind' })
  const follow = useEffectEvent(() => {
    const bundle = form.getValues('bundle') as unknown
    if ((kind === 'bundle') === (bundle !== null)) return
    form.setValue('bundle', (kind === 'bundle' ? emptyBundle : null) as never, { shouldDirty: true })
  })
  useEffect(() => follow(), [kind])
  return kind
}

export function ProductForm({
  defaults,
  parts = [],
  save,
  saveLabel,
}: {
  defaults: ProductValues
  /** Of a bundle that is changed, so that they have names. */
  parts?: Product['parts']
  save: SaveRecord<SentProduct>
  saveLabel: string
}) {
  const t = useT('products', 'lines', 'record')
  const f = useFormat()
  const mayCosts = useCan(maySeeCosts)
  const form = useSchemaForm<ProductValues, SentProduct>(productInput, defaults)
  const { control } = form
  const [priceCents, costCents, gstCode] = useWatch({ control, name: ['priceCents', 'costCents', 'gstCode'] })
  const kind = useBundleOfKind(form)
  const margin = mayCosts ? marginBp(priceCents, costCents) : null
  const grossCents = gstCode === 'GST' && priceCents ? withGst(priceCents, gstCode) : null
  return (
    <RecordForm
      form={form}
      save={save}
      saveLabel={saveLabel}
      rail={
        <div>
          <p className="muted no-margin">{t('products:price')}</p>
          <p className="product-price tabular">{priceCents === null ? '–' : f.money(priceCents)}</p>
          {grossCents ? (
            <p className="muted small no-margin">{t('products:withGst', { amount: f.money(grossCents) })}</p>
          ) : null}
          {margin === null ? null : (
            <p className={`small no-margin ${margin < 0 ? 'loss' : 'muted'}`}>
              {t('products:marginOf', { margin: f.percent(margin, true) })}
            </p>
          )}
        </div>
      }
    >
      <Card title={t('products:details')}>
        <div className="stack">
          <RecordFields of={productFields} control={control} place="name" />
          <div className="grid-2 form-grid">
            <RecordFields of={productFields} control={control} place="details" />
          </div>
          <RecordFields of={productFields} control={control} place="description" />
        </div>
      </Card>
      <BundleFields form={form} parts={parts} />
      <Card title={t('products:pricing')}>
        <div className="stack">
          <div className="grid-2 form-grid">
            <RecordFields of={productFields} control={control} place="pricing" />
            {mayCosts && kind !== 'bundle' ? <RecordFields of={productFields} control={control} place="costs" /> : null}
          </div>
          <HireFields form={form} />
          {kind === 'discount' ? null : <TierFields form={form} />}
        </div>
      </Card>
      <Card title={t('products:selling')}>
        <div className="stack">
          <div className="grid-2 form-grid">
            <RecordFields of={productFields} control={control} place="selling" />
            <StreamField control={form.control} />
          </div>
          <CategoriesField control={form.control} />
          <div className="grid-2 form-grid">
            <RecordFields of={productFields} control={control} place="quantities" />
          </div>
          <RecordFields of={productFields} control={control} place="public" />
        </div>
      </Card>
      <Card title={t('products:options')}>
        <OptionsField control={control} />
      </Card>
    </RecordForm>
  )
}

function OptionsField({ control }: { control: Control<ProductValues, unknown, SentProduct> }) {
  const { field, fieldState } = useController({ control, name: 'optionGuids' })
  const { error } = fieldState
  const message = error?.message ?? (Array.isArray(error) ? error.find(Boolean)?.message : undefined)
  return <ProductOptions value={field.value} onChange={field.onChange} error={message ?? null} />
}
