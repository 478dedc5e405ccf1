import { lazy } from 'react'
import { customerKinds, customersApi } from '../../contract/customers.ts'
import { Can } from '../core/api/can-show.tsx'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { kindText, useCustomerColumns } from './customer-columns.tsx'
import { useSeesOwing } from './sees-owing.ts'
import './customers.css'

const CustomerPeek = lazy(() => import('./customer-peek.tsx').then((module) => ({ default: module.CustomerPeek })))

export function Page() {
  const t = useT('customers')
  const columns = useCustomerColumns()
  const seesOwing = useSeesOwing()
  const mayArchive = useCan(customersApi.bulk)
  const bulk = useWrite(customersApi.bulk)
  const add = (
    <Can op={customersApi.create}>
      <AppLink to="/apps/customers/add" className="button-link">
        {t('customers:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('customers:list.title')} subtitle={t('customers:list.subtitle')} actions={add} />
      <DataTable
        op={customersApi.list}
        exportOp={customersApi.export}
        label={t('customers:list.title')}
        searchPlaceholder={t('customers:list.search')}
        defaultSort="displayName"
        columns={columns}
        rowLabel={(c) => c.displayName}
        rowLink={(c) => `/apps/customers/preview/${c.guid}`}
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
        bulk={
          mayArchive
            ? [
                {
                  key: 'archive',
                  label: t('customers:archive'),
                  icon: 'archive',
                  run: (guids) => bulk.mutateAsync({ action: 'archive', guids }),
                  undo: (guids) => bulk.mutateAsync({ action: 'restore', guids }),
                },
              ]
            : []
        }
        empty={{ title: t('customers:empty.title'), text: t('customers:empty.text'), action: add }}
      />
    </>
  )
}
