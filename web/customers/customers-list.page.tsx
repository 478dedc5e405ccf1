import { lazy } from 'react'
import { customerKinds, customersApi } from '../../contract/customers.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { archiveMany } from '../record/archiving.ts'
import { useCustomerColumns } from './customer-columns.tsx'
import { kindText } from './customer-fields.ts'
import { useSeesOwing } from './sees-owing.ts'
import './customers.css'

const CustomerPeek = lazy(() => import('./customer-peek.tsx').then((module) => ({ default: module.CustomerPeek })))
const list = { op: customersApi.list, defaultSort: 'displayName' }

export function Page() {
  const t = useT('customers')
  const columns = useCustomerColumns()
  const seesOwing = useSeesOwing()
  const add = (
    <Can op={customersApi.create}>
      <AppLink to={pathOf('Customers', 'add')} className="button-link">
        {t('customers:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader
        title={t('customers:list.title')}
        subtitle={seesOwing ? t('customers:list.subtitle') : t('customers:list.subtitleWithoutAmounts')}
        actions={add}
      />
      <DataTable
        {...list}
        exportOp={customersApi.export}
        label={t('customers:list.title')}
        searchPlaceholder={t('customers:list.search')}
        columns={columns}
        rowLabel={(c) => c.displayName}
        rowLink={(c) => pathTo('Customers', c.guid)}
        peek={(c) => <CustomerPeek guid={c.guid} />}
        filters={[
          {
            type: 'many',
            field: 'kind',
            label: t('customers:kind'),
            options: customerKinds.map((kind) => ({ value: kind, label: kindText(kind) })),
          },
          ...(seesOwing
            ? [
                {
                  type: 'one' as const,
                  field: 'owing',
                  label: t('customers:owing.label'),
                  options: [
                    { value: 'any', label: t('customers:owing.any') },
                    { value: 'overdue', label: t('customers:owing.overdue') },
                  ],
                },
              ]
            : []),
          {
            type: 'one',
            field: 'archived',
            label: t('customers:archivedFilter'),
            options: [{ value: 'true', label: t('customers:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'customers', customersApi.bulk)]}
        empty={{ title: t('customers:empty.title'), text: t('customers:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
