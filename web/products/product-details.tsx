import { maySeeCosts } from '../../contract/lines.ts'
import { withGst } from '../../contract/core/money.ts'
import { pathTo } from '../../contract/nouns.ts'
import type { Product } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { hireText, tiersText } from './price-texts.ts'
import { gstText, perUnitText, productKindText } from './product-columns.tsx'

/** Share of the price that is left after costs, in basis points; null when there is nothing to compare. */
export const marginBp = (priceCents: number | null, costCents: number | null): number | null =>
  !priceCents || costCents === null ? null : Math.round(((priceCents - costCents) * 10_000) / priceCents)

/** From the least to the most, and the step between. */
function quantitiesText({ quantityMin, quantityMax, quantityStep }: Product): string | null {
  const parts = [
    quantityMin && phrase('products:quantity.from', { quantity: quantityMin }),
    quantityMax && phrase('products:quantity.to', { quantity: quantityMax }),
    quantityStep && phrase('products:quantity.by', { quantity: quantityStep }),
  ].filter(Boolean)
  return parts.length ? parts.join(', ') : null
}

export function ProductFacts({ product }: { product: Product }) {
  const t = useT('products', 'lines', 'common')
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
          value: margin === null ? null : f.percent(margin, true),
          isHidden: !mayCosts || margin === null,
        },
        { label: t('products:stream'), value: product.stream?.label ?? null },
        {
          label: t('products:categories.tree'),
          value: product.categories.length ? product.categories.map(({ label }) => label).join(', ') : null,
        },
        {
          label: t('products:quantity.title'),
          value: quantitiesText(product),
          isHidden: quantitiesText(product) === null,
        },
        {
          label: t('products:duration'),
          value: product.durationMin === null ? null : t('products:minutes', { count: product.durationMin }),
          isHidden: product.durationMin === null,
        },
        {
          label: t('products:visibleOnline'),
          value: t(product.visibleOnline ? 'common:yes' : 'common:no'),
        },
        { label: t('products:created'), value: <DateText value={product.createdAt} /> },
      ]}
    />
  )
}

/** Where it stands: documents, bundles and price lists. */
export function ProductUsage({ usage }: { usage: Product['usage'] }) {
  const t = useT('products')
  const f = useFormat()
  const linked = (items: readonly { guid: string; label: string }[], noun: 'Products' | 'PriceLists') =>
    items.map(({ guid, label }) => (
      <AppLink key={guid} to={pathTo(noun, guid)} className="link block">
        {label}
      </AppLink>
    ))
  return (
    <div className="stack">
      <KeyValueList
        items={[
          { label: t('products:usage.quoted'), value: t('products:usage.quotes', { count: usage.quoted }) },
          { label: t('products:usage.invoiced'), value: <Money cents={usage.invoicedCents} /> },
          {
            label: t('products:usage.bundles'),
            value: linked(usage.bundles, 'Products'),
            isHidden: usage.bundles.length === 0,
          },
          {
            label: t('products:usage.priceLists'),
            value: linked(usage.priceLists, 'PriceLists'),
            isHidden: usage.priceLists.length === 0,
          },
        ]}
      />
      <h3 className="no-margin usage-title">{t('products:usage.documents')}</h3>
      {usage.documents.length === 0 ? <p className="muted no-margin">{t('products:usage.noDocuments')}</p> : null}
      <ul className="usage-list">
        {usage.documents.map(({ noun, guid, label, createdAt }) => (
          <li key={guid}>
            <AppLink to={pathTo(noun, guid)} className="link">
              {label}
            </AppLink>
            <span className="muted small">{t(`products:usage.kinds.${noun}`)}</span>
            <span className="muted small">{f.date(createdAt)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What it costs, by quantity, by days and by its parts. */
export function ProductPrices({ product }: { product: Product }) {
  const t = useT('products', 'lines')
  const f = useFormat()
  const mayCosts = useCan(maySeeCosts)
  const { tiers, hire, bundle, parts, gstCode, priceCents } = product
  const isSummed = bundle !== null && bundle.mode !== 'fixed'
  return (
    <div className="stack">
      <KeyValueList
        items={[
          {
            label: t('products:price'),
            value: isSummed ? t(`products:bundle.modes.${bundle.mode}`) : <Money cents={priceCents} />,
          },
          {
            label: t('products:inclGst'),
            value: <Money cents={withGst(priceCents, gstCode)} />,
            isHidden: isSummed || gstCode !== 'GST',
          },
          { label: t('products:gst'), value: gstText(gstCode) },
          {
            label: t('products:cost'),
            value: product.costCents === null ? null : <Money cents={product.costCents} />,
            isHidden: !mayCosts || bundle !== null,
          },
          {
            label: t('products:margin'),
            value: product.marginBp === null ? null : f.percent(product.marginBp, true),
            isHidden: !mayCosts || product.marginBp === null,
          },
          { label: t('products:tiers.title'), value: tiersText(tiers, f), isHidden: tiers.length === 0 },
          { label: t('products:hire.title'), value: hire && hireText(hire, f), isHidden: hire === null },
          {
            label: t('products:bundle.bp'),
            value: f.percent(bundle?.bp ?? 0),
            isHidden: bundle?.mode !== 'percent',
          },
        ]}
      />
      {product.usage.priceLists.length > 0 ? (
        <div className="stack product-lists">
          <h3 className="no-margin usage-title">{t('products:usage.priceLists')}</h3>
          <KeyValueList
            items={product.usage.priceLists.map(({ guid, label, isActive, prices }) => ({
              label,
              value: (
                <>
                  <AppLink to={pathTo('PriceLists', guid)} className="link">
                    {tiersText(prices, f)}
                  </AppLink>
                  {isActive ? null : <span className="muted"> {t('products:usage.listOff')}</span>}
                </>
              ),
            }))}
          />
        </div>
      ) : null}
      {bundle ? (
        <table className="part-table">
          <caption className="strong">{t('products:bundle.title')}</caption>
          <tbody>
            {parts.map((part, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the same product may be in it twice
              <tr key={index}>
                <td className="tabular">{f.quantity(part.quantity)} ×</td>
                <td>
                  <AppLink to={pathTo('Products', part.guid)} className="link">
                    {part.name}
                  </AppLink>
                </td>
                <td className="end">
                  <Money cents={part.priceCents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  )
}
