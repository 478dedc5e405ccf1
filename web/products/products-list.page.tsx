import { lazy } from 'react'
import { productKinds, productsApi } from '../../contract/products.ts'
import { Can } from '../core/api/can-show.tsx'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { productKindText, useProductColumns } from './product-columns.tsx'
import './products.css'

const ProductPeek = lazy(() => import('./product-peek.tsx').then((module) => ({ default: module.ProductPeek })))

export function Page() {
  const t = useT('products', 'lines')
  const columns = useProductColumns()
  const mayArchive = useCan(productsApi.bulk)
  const bulk = useWrite(productsApi.bulk)
  const add = (
    <Can op={productsApi.create}>
      <AppLink to="/apps/products/add" className="button-link">
        {t('products:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('products:list.title')} subtitle={t('products:list.subtitle')} actions={add} />
      <DataTable
        op={productsApi.list}
        exportOp={productsApi.export}
        label={t('products:list.title')}
        searchPlaceholder={t('products:list.search')}
        defaultSort="name"
        columns={columns}
        rowLabel={(p) => p.name}
        rowLink={(p) => `/apps/products/preview/${p.guid}`}
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
        bulk={
          mayArchive
            ? [
                {
                  key: 'archive',
                  label: t('products:archive'),
                  icon: 'archive',
                  run: (guids) => bulk.mutateAsync({ action: 'archive', guids }),
                  undo: (guids) => bulk.mutateAsync({ action: 'restore', guids }),
                },
              ]
            : []
        }
        empty={{ title: t('products:empty.title'), text: t('products:empty.text'), action: add }}
      />
    </>
  )
}
