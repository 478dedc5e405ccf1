import { lazy } from 'react'
import { customerKinds, customersApi, customerStatuses } from '../../contract/customers.ts'
import { importsApi } from '../../contract/imports.ts'
import { mergesApi } from '../../contract/merges.ts'
import { pathOf } from '../../contract/nouns.ts'
import { Can } from '../core/api/can-show.tsx'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { readListAhead, useListState } from '../core/ui/table/list-state.ts'
import { editMany } from '../record/edit-many.tsx'
import { ListFrame } from '../record/list-frame.tsx'
import { useCustomerColumns } from './customer-columns.tsx'
import { kindText, statusText } from './customer-fields.ts'
import { useSeesOwing } from './sees-owing.ts'
import './customers.css'

const CustomerPeek = lazy(() => import('./customer-peek.tsx').then((module) => ({ default: module.CustomerPeek })))
const EditCustomers = lazy(() => import('./edit-customers.tsx').then((module) => ({ default: module.EditCustomers })))
const list = { op: customersApi.list, defaultSort: 'displayName' }

export function Page() {
  const t = useT('customers')
  const columns = useCustomerColumns()
  const seesOwing = useSeesOwing()
  return (
    <ListFrame
      noun="Customers"
      createOp={customersApi.create}
      tagsOp={customersApi.tags}
      bulkOp={customersApi.bulk}
      actions={<Files />}
      subtitle={seesOwing ? undefined : t('customers:list.subtitleWithoutAmounts')}
      {...list}
      exportOp={customersApi.export}
      searchPlaceholder={t('customers:list.search')}
      columns={columns}
      rowLabel={(c) => c.displayName}
      peek={(c) => <CustomerPeek guid={c.guid} />}
      bulk={[editMany(t, customersApi.edit, 'customers:counted', EditCustomers)]}
      filters={[
        {
          type: 'many',
          field: 'kind',
          label: t('customers:kind'),
          options: customerKinds.map((kind) => ({ value: kind, label: kindText(kind) })),
        },
        {
          type: 'many',
          field: 'status',
          label: t('customers:statusLabel'),
          options: customerStatuses.map((status) => ({ value: status, label: statusText(status) })),
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
      ]}
    />
  )
}

/** Files of customers, in and out: what is exported is what the list shows. */
function Files() {
  const t = useT('imports', 'customers')
  const { query } = useListState(customersApi.list, list)
  return (
    <>
      <DownloadButton op={customersApi.export} input={{ ...query, format: 'xero' }}>
        {t('imports:xero')}
      </DownloadButton>
      <Can op={mergesApi.duplicates}>
        <AppLink to={pathOf('Customers', 'duplicates')} className="button-link quiet">
          {t('customers:duplicates.title')}
        </AppLink>
      </Can>
      <Can op={importsApi.create}>
        <AppLink to={pathOf('Imports', 'import')} className="button-link quiet">
          {t('imports:action')}
        </AppLink>
      </Can>
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
