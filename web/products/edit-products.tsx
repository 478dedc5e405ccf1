import { useWatch } from 'react-hook-form'
import { priceRise, type PriceRise, risen } from '../../contract/price-rise.ts'
import { productsApi } from '../../contract/products.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyField, useField } from '../core/ui/fields.tsx'
import { PercentInput } from '../core/ui/inputs.tsx'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { type BulkControl, BulkEdit } from '../record/bulk-edit.tsx'
import { productFields } from './product-fields.ts'
import { CategoriesField, StreamField } from './selling-fields.tsx'

/** By how much prices rise, and to what they are rounded. */
function PriceRiseFields({ control, rows }: { control: BulkControl; rows: BulkFormProps['rows'] }) {
  const t = useT('products')
  const { value, set, common } = useField({
    control,
    name: 'priceRise.bp',
    label: t('products:rise.by'),
    description: t('products:rise.byHint'),
    isRequired: true,
  })
  const rise = priceRise.safeParse(useWatch({ control, name: 'priceRise' }))
  return (
    <>
      <div className="row rise-fields">
        <PercentInput {...common} value={typeof value === 'number' ? value : null} onChange={set} />
        <MoneyField
          control={control}
          name="priceRise.stepCents"
          label={t('products:rise.step')}
          description={t('products:rise.stepHint')}
          isRequired
        />
      </div>
      {rise.success ? <RisePreview rise={rise.data} rows={rows} /> : null}
    </>
  )
}

/** So many products are shown with the price they will have. */
const previewed = 3

/** What a rise makes of the first products, before it is saved. */
function RisePreview({ rise, rows }: { rise: PriceRise; rows: BulkFormProps['rows'] }) {
  const t = useT('products')
  const others = rows.length - previewed
  return (
    <div role="status" className="small">
      <ul className="no-margin" aria-label={t('products:rise.preview')}>
        {rows.slice(0, previewed).map(({ guid }) => (
          <RisenProduct key={guid} guid={guid} rise={rise} />
        ))}
      </ul>
      {others > 0 ? <p className="muted no-margin">{t('products:rise.others', { count: others })}</p> : null}
    </div>
  )
}

function RisenProduct({ guid, rise }: { guid: string; rise: PriceRise }) {
  const t = useT('products')
  const f = useFormat()
  const { data } = useRead(productsApi.get, { guid })
  const product = data?.product
  const after = product ? risenOrNull(product.priceCents, rise) : null
  if (!product || after === null) return null
  const words = { name: product.name, before: f.money(product.priceCents), after: f.money(after) }
  return <li>{t('products:rise.one', words)}</li>
}

/** Nothing beyond what a price may be: saving says so. */
function risenOrNull(priceCents: number, rise: PriceRise): number | null {
  try {
    return risen(priceCents, rise)
  } catch {
    return null
  }
}

export const EditProducts = (props: BulkFormProps) => (
  <BulkEdit
    {...props}
    op={productsApi.edit}
    counted="products:counted"
    tagsOp={productsApi.tags}
    of={productFields}
    own={{
      revenueStreamGuid: {
        label: 'products:stream',
        defaults: null,
        draw: (control) => <StreamField control={control} />,
      },
      categoryGuids: {
        label: 'products:categories.replace',
        defaults: [],
        draw: (control) => <CategoriesField control={control} />,
      },
      priceRise: {
        label: 'products:rise.title',
        defaults: { stepCents: 1 },
        draw: (control) => <PriceRiseFields control={control} rows={props.rows} />,
      },
    }}
  />
)
