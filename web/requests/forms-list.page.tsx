import { Button } from '@mantine/core'
import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { requestFormsApi } from '../../contract/requests.ts'
import { Can } from '../core/api/can-show.tsx'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { whenOpen } from '../core/ui/when-open.tsx'
import { archiveMany } from '../record/archiving.ts'

const RequestFormDialog = whenOpen(() => import('./form-dialog.tsx').then((module) => module.RequestFormDialog))
const list = { op: requestFormsApi.list, defaultSort: 'name' }

function useColumns(): Column<ItemOf<typeof requestFormsApi.list>>[] {
  const t = useT('requests')
  return [
    { id: 'name', header: t('requests:forms.name'), sort: true, card: 'title', grow: 2, cell: (f) => f.name },
    { id: 'slug', header: t('requests:forms.slug'), cell: (f) => <bdi dir="ltr">{f.slug}</bdi> },
    { id: 'jobType', header: t('requests:forms.jobType'), cell: (f) => f.jobType.label },
    { id: 'owner', header: t('requests:forms.owner'), isHidden: true, cell: (f) => f.ownerName },
    {
      id: 'isActive',
      header: t('requests:forms.status'),
      card: 'side',
      cell: (f) => t(f.isActive ? 'requests:forms.active' : 'requests:forms.inactive'),
    },
    { id: 'requestCount', header: t('requests:forms.requests'), align: 'end', cell: (f) => f.requestCount },
    {
      id: 'lastRequestAt',
      header: t('requests:forms.last'),
      cell: (f) =>
        f.lastRequestAt ? (
          <DateText value={f.lastRequestAt} />
        ) : (
          <span className="muted">{t('requests:forms.never')}</span>
        ),
    },
  ]
}

export function Page() {
  const t = useT('requests', 'record')
  const go = useGo()
  const [isAdding, setAdding] = useState(false)
  const columns = useColumns()
  const title = t('requests:forms.title')
  const add = (
    <Can op={requestFormsApi.create}>
      <Button onClick={() => setAdding(true)}>{t('requests:forms.new')}</Button>
    </Can>
  )
  return (
    <>
      <PageHeader title={title} subtitle={t('requests:forms.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={title}
        exportOp={requestFormsApi.export}
        searchPlaceholder={t('requests:forms.search')}
        columns={columns}
        rowLabel={(f) => f.name}
        rowLink={(f) => pathTo('RequestForms', f.guid)}
        filters={[
          {
            type: 'one',
            field: 'archived',
            label: t('requests:archivedFilter'),
            options: [{ value: 'true', label: t('requests:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'requests', requestFormsApi.bulk)]}
        empty={{ title: t('requests:forms.empty.title'), text: t('requests:forms.empty.text'), action: add }}
      />
      {isAdding ? (
        <RequestFormDialog
          form={null}
          onDone={(saved) => go(pathTo('RequestForms', saved.guid))}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
