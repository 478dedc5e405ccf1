import { productsApi } from '../../contract/products.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyField, useField } from '../core/ui/fields.tsx'
import { PercentInput } from '../core/ui/inputs.tsx'
import type { BulkFormProps } from '../core/ui/table/types.ts'
import { type BulkControl, BulkEdit } from '../record/bulk-edit.tsx'
import { productFields } from './product-fields.ts'

/** By how much prices rise, and to what they are rounded. */
function PriceRiseFields({ control }: { control: BulkControl }) {
  const t = useT('products')
  const { value, set, common } = useField({
    control,
    name: 'priceRise.bp',
    label: t('products:rise.by'),
    description: t('products:rise.byHint'),
    isRequired: true,
  })
  return (
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
  )
}

export const EditProducts = (props: BulkFormProps) => (
  <BulkEdit
    {...props}
    op={productsApi.edit}
    of={productFields}
    own={{
      priceRise: {
        label: 'products:rise.title',
        defaults: { stepCents: 1 },
        draw: (control) => <PriceRiseFields control={control} />,
      },
    }}
  />
)
