import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { whenOpen } from '../core/ui/when-open.tsx'
import type { NewKind } from './new-business.tsx'

const NewBusinessDialog = whenOpen(() => import('./new-business.tsx').then((module) => module.NewBusinessDialog))
const list = { op: businessesApi.list, defaultSort: 'legalName' }

export function Page() {
  const t = useT('setup')
  const mayCreate = useCan(businessesApi.create)
  const [added, setAdded] = useState<NewKind | null>(null)
  const add = mayCreate ? (
    <>
      <ActionButton icon="create" variant="default" onClick={() => setAdded('brand')}>
        {t('setup:businesses.addBrand')}
      </ActionButton>
      <ActionButton icon="create" onClick={() => setAdded('entity')}>
        {t('setup:businesses.addEntity')}
      </ActionButton>
    </>
  ) : null
  return (
    <>
      <PageHeader title={t('setup:businesses.title')} subtitle={t('setup:businesses.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={t('setup:businesses.title')}
        columns={[
          {
            id: 'legalName',
            header: t('setup:businesses.name'),
            sort: true,
            card: 'title',
            cell: (b) => <NameCell name={b.tradingName ?? b.legalName} sub={b.tradingName ? b.legalName : null} />,
          },
          {
            id: 'kind',
            header: t('setup:businesses.kind'),
            cell: (b) =>
              b.parentName ? t('setup:businesses.brandOf', { name: b.parentName }) : t('setup:businesses.entity'),
          },
          {
            id: 'abn',
            header: t('setup:businesses.abn'),
            cell: (b) =>
              b.abn ? (
                <bdi dir="ltr" className="nowrap tabular">
                  {formatAbn(b.abn)}
                </bdi>
              ) : (
                <span className="muted">–</span>
              ),
          },
          {
            id: 'gst',
            header: t('setup:businesses.gst'),
            card: 'side',
            cell: (b) => (
              <StatusChip
                status={b.gstRegistered ? 'active' : 'inactive'}
                label={b.gstRegistered ? t('setup:businesses.registered') : t('setup:businesses.notRegistered')}
              />
            ),
          },
          {
            id: 'customersOf',
            header: t('setup:businesses.customersOf'),
            cell: (b) => (b.customersOf === b.guid ? t('setup:businesses.itsOwn') : b.customersOfName),
          },
          {
            id: 'catalogueOf',
            header: t('setup:businesses.catalogueOf'),
            cell: (b) => (b.catalogueOf === b.guid ? t('setup:businesses.itsOwn') : b.catalogueOfName),
          },
          {
            id: 'createdAt',
            header: t('setup:businesses.created'),
            sort: true,
            cell: (b) => <DateText value={b.createdAt} />,
          },
        ]}
        filters={[
          {
            type: 'one',
            field: 'archived',
            label: t('setup:businesses.archivedFilter'),
            options: [{ value: 'true', label: t('setup:businesses.archivedOnly') }],
          },
        ]}
        rowLabel={(b) => b.tradingName ?? b.legalName}
        rowLink={(b) => pathTo('Businesses', b.guid)}
        empty={{ title: t('setup:businesses.empty') }}
      />
      {added ? <NewBusinessDialog kind={added} onClose={() => setAdded(null)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
