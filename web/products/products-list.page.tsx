import { lazy } from 'react'
import { productKinds, productsApi } from '../../contract/products.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { ListFrame } from '../record/list-frame.tsx'
import { productKindText, useProductColumns } from './product-columns.tsx'
import './products.css'

const ProductPeek = lazy(() => import('./product-peek.tsx').then((module) => ({ default: module.ProductPeek })))
const list = { op: productsApi.list, defaultSort: 'name' }

export function Page() {
  const t = useT('products', 'lines')
  const columns = useProductColumns()
  return (
    <ListFrame
      noun="Products"
      createOp={productsApi.create}
      bulkOp={productsApi.bulk}
      {...list}
      exportOp={productsApi.export}
      searchPlaceholder={t('products:list.search')}
      columns={columns}
      rowLabel={(p) => p.name}
      peek={(p) => <ProductPeek guid={p.guid} />}
      filters={[
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
