import { lazy } from 'react'
import { categoriesApi } from '../../contract/categories.ts'
import { productKinds, productsApi } from '../../contract/products.ts'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { statusText } from '../core/ui/status-chip.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { editMany } from '../record/edit-many.tsx'
import { ListFrame } from '../record/list-frame.tsx'
import { productKindText, useProductColumns } from './product-columns.tsx'
import './products.css'

const ProductPeek = lazy(() => import('./product-peek.tsx').then((module) => ({ default: module.ProductPeek })))
const EditProducts = lazy(() => import('./edit-products.tsx').then((module) => ({ default: module.EditProducts })))
const list = { op: productsApi.list, defaultSort: 'name' }

export function Page() {
  const t = useT('products', 'lines')
  const columns = useProductColumns()
  const mayCategories = useCan(categoriesApi.list)
  const mayStreams = useCan(revenueStreamsApi.list)
  const categories = useRead(categoriesApi.list, {}, { enabled: mayCategories })
  const streams = useRead(revenueStreamsApi.list, { size: 100, sort: 'name' }, { enabled: mayStreams })
  return (
    <ListFrame
      noun="Products"
      createOp={productsApi.create}
      tagsOp={productsApi.tags}
      bulkOp={productsApi.bulk}
      {...list}
      exportOp={productsApi.export}
      searchPlaceholder={t('products:list.search')}
      columns={columns}
      rowLabel={(p) => p.name}
      peek={(p) => <ProductPeek guid={p.guid} />}
      bulk={[editMany(t, productsApi.edit, 'products:counted', EditProducts)]}
      filters={[
        {
          type: 'many',
          field: 'status',
          label: t('products:status'),
          options: (['draft', 'active'] as const).map((status) => ({ value: status, label: statusText(status) })),
        },
        ...(mayCategories
          ? [
              {
                type: 'one' as const,
                field: 'category',
                label: t('products:category'),
                options: (categories.data?.items ?? []).map(({ guid, name, depth }) => ({
                  value: guid,
                  label: `${'\u2003'.repeat(depth - 1)}${name}`,
                })),
              },
            ]
          : []),
        ...(mayStreams
          ? [
              {
                type: 'one' as const,
                field: 'stream',
                label: t('products:stream'),
                options: (streams.data?.items ?? []).map(({ guid, name }) => ({ value: guid, label: name })),
              },
            ]
          : []),
        {
          type: 'many',
          field: 'kind',
          label: t('products:kind'),
          options: productKinds.map((kind) => ({ value: kind, label: productKindText(kind) })),
        },
      ]}
    />
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
