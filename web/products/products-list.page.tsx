import { lazy } from 'react'
import { productKinds, productsApi } from '../../contract/products.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { archiveMany } from '../record/archiving.ts'
import { productKindText, useProductColumns } from './product-columns.tsx'
import './products.css'

const ProductPeek = lazy(() => import('./product-peek.tsx').then((module) => ({ default: module.ProductPeek })))
const list = { op: productsApi.list, defaultSort: 'name' }

export function Page() {
  const t = useT('products', 'lines')
  const columns = useProductColumns()
  const add = (
    <Can op={productsApi.create}>
      <AppLink to={pathOf('Products', 'add')} className="button-link">
        {t('products:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('products:list.title')} subtitle={t('products:list.subtitle')} actions={add} />
      <DataTable
        {...list}
        exportOp={productsApi.export}
        label={t('products:list.title')}
        searchPlaceholder={t('products:list.search')}
        columns={columns}
        rowLabel={(p) => p.name}
        rowLink={(p) => pathTo('Products', p.guid)}
        peek={(p) => <ProductPeek guid={p.guid} />}
        filters={[
          {
            type: 'many',
            field: 'kind',
            label: t('products:kind'),
            options: productKinds.map((kind) => ({ value: kind, label: productKindText(kind) })),
          },
          {
            type: 'one',
            field: 'archived',
            label: t('products:archivedFilter'),
            options: [{ value: 'true', label: t('products:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'products', productsApi.bulk)]}
        empty={{ title: t('products:empty.title'), text: t('products:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
