import { maySeeCosts } from '../../contract/lines.ts'
import type { productsApi } from '../../contract/products.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phrase, phraseOr, useT } from '../core/i18n/i18n.ts'
import { tagColumn } from '../record/tag-column.tsx'
import '../record/record.css'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { FileThumb } from '../files/file-thumb.tsx'
import type { Column } from '../core/ui/table/types.ts'
import './products.css'

type Item = ItemOf<typeof productsApi.list>

export const productKindText = (kind: string) => phraseOr(`products:kinds.${kind}`, kind)
export const unitText = (unit: string) => phraseOr(`lines:units.${unit}`, unit)
export const perUnitText = (unit: string) =>
  unit === 'each' ? phrase('products:perEach') : phrase('products:perUnit', { unit: unitText(unit) })
export const gstText = (code: string) => phraseOr(`lines:gstCodes.${code}`, code)

export function useProductColumns(): Column<Item>[] {
  const t = useT('products', 'lines')
  const f = useFormat()
  const mayCosts = useCan(maySeeCosts)
  return [
    {
      id: 'name',
      header: t('products:name'),
      sort: true,
      card: 'title',
      cell: (p) => (
        <span className="product-name-cell">
          <span className="product-thumb">
            {p.picture ? (
              <FileThumb guid={p.picture.fileGuid} hasThumb name="" text="" side={36} />
            ) : (
              <Icon name="product" />
            )}
          </span>
          <span className="product-name-text">
            {p.name}
            {p.description ? <span className="cell-sub product-line">{p.description}</span> : null}
          </span>
        </span>
      ),
    },
    {
      id: 'sku',
      header: t('products:sku'),
      sort: true,
      cell: (p) => (p.sku ? <span className="nowrap">{p.sku}</span> : <span className="muted">–</span>),
    },
    {
      id: 'status',
      header: t('products:status'),
      card: 'none',
      cell: (p) => <StatusChip status={p.status} />,
    },
    {
      id: 'stream',
      header: t('products:stream'),
      isHidden: true,
      card: 'none',
      cell: (p) => p.stream?.label ?? <span className="muted">–</span>,
    },
    { id: 'kind', header: t('products:kind'), cell: (p) => productKindText(p.kind) },
    { id: 'gstCode', header: t('products:gst'), card: 'none', isHidden: true, cell: (p) => gstText(p.gstCode) },
    {
      id: 'createdAt',
      header: t('products:created'),
      sort: true,
      isHidden: true,
      cell: (p) => <DateText value={p.createdAt} />,
    },
    tagColumn(t),
    ...(mayCosts
      ? [
          {
            id: 'marginBp',
            header: t('products:margin'),
            sort: true as const,
            align: 'end' as const,
            isSpare: true,
            card: 'none' as const,
            cell: (p: Item) => (p.marginBp === null ? <span className="muted">–</span> : f.percent(p.marginBp, true)),
          },
        ]
      : []),
    {
      id: 'priceCents',
      header: t('products:price'),
      sort: true,
      align: 'end',
      card: 'side',
      cell: (p) => (
        <span className="amount-cell">
          {p.isPricedByParts ? <span className="muted">–</span> : <Money cents={p.priceCents} />}
          <span className="cell-sub">{perUnitText(p.unit)}</span>
        </span>
      ),
    },
  ]
}
