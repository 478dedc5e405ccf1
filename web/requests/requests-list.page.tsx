import { pathTo } from '../../contract/nouns.ts'
import { requestsApi } from '../../contract/requests.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { useFormFilter } from './form-filter.ts'

const list = { op: requestsApi.list, defaultSort: '-createdAt' }

function useColumns(): Column<ItemOf<typeof requestsApi.list>>[] {
  const t = useT('requests')
  return [
    { id: 'name', header: t('requests:from'), sort: true, grow: 1, card: 'title', cell: (r) => r.name },
    { id: 'message', header: t('requests:message'), grow: 2, cell: (r) => r.message.slice(0, 120) },
    { id: 'form', header: t('requests:form'), cell: (r) => r.form.label },
    { id: 'wantedOn', header: t('requests:wanted'), cell: (r) => <DateText value={r.wantedOn} /> },
    {
      id: 'quote',
      header: t('requests:quoteOne'),
      cell: (r) => (r.quote ? <AppLink to={pathTo('Quotes', r.quote.guid)}>{r.quote.label}</AppLink> : null),
    },
    { id: 'reference', header: t('requests:reference'), isHidden: true, cell: (r) => r.reference },
    {
      id: 'createdAt',
      header: t('requests:received'),
      sort: true,
      card: 'side',
      cell: (r) => <DateText value={r.createdAt} />,
    },
  ]
}

export function Page() {
  const t = useT('requests')
  const columns = useColumns()
  const forms = useFormFilter()
  const title = t('requests:list.title')
  return (
    <>
      <PageHeader title={title} subtitle={t('requests:list.subtitle')} />
      <DataTable
        {...list}
        label={title}
        exportOp={requestsApi.export}
        searchPlaceholder={t('requests:list.search')}
        columns={columns}
        rowLabel={(r) => r.name}
        rowLink={(r) => pathTo('Requests', r.guid)}
        filters={[
          ...forms,
          {
            type: 'one',
            field: 'archived',
            label: t('requests:archivedFilter'),
            options: [{ value: 'true', label: t('requests:archivedOnly') }],
          },
        ]}
        empty={{ title: t('requests:list.empty.title'), text: t('requests:list.empty.text') }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
