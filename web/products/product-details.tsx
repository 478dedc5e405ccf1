import type { Product } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { gstText, perUnitText, productKindText } from './product-columns.tsx'

/** Share of the price that is left after costs, in basis points; null when there is nothing to compare. */
export const marginBp = (priceCents: number | null, costCents: number | null): number | null =>
  !priceCents || costCents === null ? null : Math.round(((priceCents - costCents) * 10_000) / priceCents)

export const maySeeCosts = ['read', 'Products:Costs'] as const

export function ProductFacts({ product }: { product: Product }) {
  const t = useT('products', 'lines')
  const f = useFormat()
  const mayCosts = useCan(maySeeCosts)
  const margin = marginBp(product.priceCents, product.costCents)
  return (
    <KeyValueList
      items={[
        {
          label: t('products:price'),
          value: (
            <>
              <Money cents={product.priceCents} /> <span className="muted">{perUnitText(product.unit)}</span>
            </>
          ),
        },
        { label: t('products:gst'), value: gstText(product.gstCode) },
        { label: t('products:sku'), value: product.sku },
        { label: t('products:kind'), value: productKindText(product.kind) },
        {
          label: t('products:cost'),
          value: product.costCents === null ? null : <Money cents={product.costCents} />,
          isHidden: !mayCosts,
        },
        {
          label: t('products:margin'),
          value: margin === null ? null : f.percent(margin),
          isHidden: !mayCosts || margin === null,
        },
        { label: t('products:created'), value: <DateText value={product.createdAt} /> },
      ]}
    />
  )
}

export function ProductUsage({ usage }: { usage: Product['usage'] }) {
  const t = useT('products')
  return (
    <KeyValueList
      items={[
        { label: t('products:usage.quoted'), value: t('products:usage.quotes', { count: usage.quoted }) },
        { label: t('products:usage.invoiced'), value: <Money cents={usage.invoicedCents} /> },
      ]}
    />
  )
}
