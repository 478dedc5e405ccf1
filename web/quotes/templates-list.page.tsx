import { pathTo } from '../../contract/nouns.ts'
import { quoteTemplatesApi } from '../../contract/quote-templates.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { useJobTypeFilter } from '../lines/job-type-filter.ts'
import { archiveMany } from '../record/archiving.ts'

const list = { op: quoteTemplatesApi.list, defaultSort: 'name' }

function useColumns(): Column<ItemOf<typeof quoteTemplatesApi.list>>[] {
  const t = useT('templates')
  return [
    { id: 'name', header: t('templates:name'), sort: true, card: 'title', grow: 2, cell: (one) => one.name },
    { id: 'title', header: t('templates:title'), sort: true, grow: 2, cell: (one) => one.title },
    { id: 'jobType', header: t('templates:jobType'), cell: (one) => one.jobTypeName },
    { id: 'lineCount', header: t('templates:lineCount'), align: 'end', card: 'side', cell: (one) => one.lineCount },
    {
      id: 'validityDays',
      header: t('templates:validityDays'),
      align: 'end',
      cell: (one) => one.validityDays ?? <span className="muted">{t('templates:validityDefault')}</span>,
    },
    {
      id: 'createdAt',
      header: t('templates:created'),
      sort: true,
      isHidden: true,
      cell: (one) => <DateText value={one.createdAt} />,
    },
  ]
}

export function Page() {
  const t = useT('templates', 'record')
  const columns = useColumns()
  const jobTypes = useJobTypeFilter([])
  const title = t('templates:list.title')
  return (
    <>
      <PageHeader title={title} subtitle={t('templates:list.subtitle')} />
      <DataTable
        {...list}
        label={title}
        exportOp={quoteTemplatesApi.export}
        searchPlaceholder={t('templates:list.search')}
        columns={columns}
        rowLabel={(one) => one.name}
        rowLink={(one) => pathTo('QuoteTemplates', one.guid)}
        filters={[
          ...jobTypes,
          {
            type: 'one',
            field: 'archived',
            label: t('templates:archivedFilter'),
            options: [{ value: 'true', label: t('templates:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'templates', quoteTemplatesApi.bulk)]}
        empty={{ title: t('templates:empty.title'), text: t('templates:empty.text') }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
