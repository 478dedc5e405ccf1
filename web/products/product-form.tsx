import { withGst } from '../../contract/core/money.ts'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { gstCodes, units } from '../../contract/lines.ts'
import { productInput, productKinds, type Product } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { MoneyField, SelectField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { gstText, productKindText, unitText } from './product-columns.tsx'
import { marginBp, maySeeCosts } from './product-details.tsx'
import './products.css'

export type SentProduct = z.output<typeof productInput>
export interface ProductValues {
  name: string
  sku: string
  kind: string
  description: string
  unit: string
  priceCents: number | null
  costCents: number | null
  gstCode: string
}

export const emptyProduct: ProductValues = {
  name: '',
  sku: '',
  kind: 'service',
  description: '',
  unit: 'each',
  priceCents: null,
  costCents: null,
  gstCode: 'GST',
}

export const valuesOfProduct = ({
  name,
  sku,
  kind,
  description,
  unit,
  priceCents,
  costCents,
  gstCode,
}: Product): ProductValues => ({
  name,
  sku: sku ?? '',
  kind,
  description: description ?? '',
  unit,
  priceCents,
  costCents,
  gstCode,
})

export function ProductForm({
  defaults,
  save,
  saveLabel,
}: {
  defaults: ProductValues
  save: (input: SentProduct) => Promise<unknown>
  saveLabel: string
}) {
  const t = useT('products', 'lines', 'record')
  const f = useFormat()
  const mayCosts = useCan(maySeeCosts)
  const form = useSchemaForm<ProductValues, SentProduct>(productInput, defaults)
  const { control } = form
  const [priceCents, costCents, gstCode] = useWatch({ control, name: ['priceCents', 'costCents', 'gstCode'] })
  const margin = mayCosts ? marginBp(priceCents, costCents) : null
  const grossCents = gstCode === 'GST' && priceCents ? withGst(priceCents, gstCode) : null
  // The cost of somebody who may not see it is not theirs to send either.
  const send = ({ costCents: cost, ...input }: SentProduct) => save(mayCosts ? { ...input, costCents: cost } : input)
  return (
    <RecordForm
      form={form}
      save={send}
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
              {t('products:marginOf', { margin: f.percent(margin) })}
            </p>
          )}
        </div>
      }
    >
      <Card title={t('products:details')}>
        <div className="stack">
          <TextField control={control} name="name" label={t('products:name')} isRequired maxLength={160} />
          <div className="grid-2 form-grid">
            <TextField
              control={control}
              name="sku"
              label={t('products:sku')}
              description={t('products:skuHint')}
              maxLength={40}
            />
            <SelectField
              control={control}
              name="kind"
              label={t('products:kind')}
              description={t('products:kindHint')}
              options={productKinds.map((kind) => ({ value: kind, label: productKindText(kind) }))}
            />
          </div>
          <TextAreaField
            control={control}
            name="description"
            label={t('products:description')}
            description={t('products:descriptionHint')}
            rows={4}
            maxLength={2000}
          />
        </div>
      </Card>
      <Card title={t('products:pricing')}>
        <div className="grid-2 form-grid">
          <MoneyField
            control={control}
            name="priceCents"
            label={t('products:price')}
            description={t('products:priceHint')}
            isRequired
          />
          <SelectField
            control={control}
            name="unit"
            label={t('products:unit')}
            description={t('products:unitHint')}
            options={units.map((unit) => ({ value: unit, label: unitText(unit) }))}
          />
          <SelectField
            control={control}
            name="gstCode"
            label={t('products:gst')}
            options={gstCodes.map((code) => ({ value: code, label: gstText(code) }))}
          />
          {mayCosts ? (
            <MoneyField
              control={control}
              name="costCents"
              label={t('products:cost')}
              description={t('products:costHint')}
            />
          ) : null}
        </div>
      </Card>
    </RecordForm>
  )
}
