import { themeColours } from '../../contract/dress.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { themesApi } from '../../contract/themes.ts'
import { Can } from '../core/api/can-show.tsx'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { archiveMany } from '../record/archiving.ts'
import { DefaultChip, Swatches } from './theme-parts.tsx'

const list = { op: themesApi.list, defaultSort: 'name' }

function useColumns(): Column<ItemOf<typeof themesApi.list>>[] {
  const t = useT('themes')
  return [
    {
      id: 'name',
      header: t('themes:name'),
      sort: true,
      card: 'title',
      grow: 2,
      cell: (theme) => (
        <span className="row theme-name">
          {theme.name}
          {theme.isDefault ? <DefaultChip /> : null}
        </span>
      ),
    },
    {
      id: 'light',
      header: t('themes:light'),
      cell: ({ light }) => <Swatches colours={themeColours.map((c) => light[c])} />,
    },
    {
      id: 'dark',
      header: t('themes:dark'),
      cell: ({ dark }) => <Swatches colours={themeColours.map((c) => dark[c])} />,
    },
    {
      id: 'status',
      header: t('themes:statusLabel'),
      card: 'side',
      cell: ({ status }) => <StatusChip status={status} />,
    },
    { id: 'changedAt', header: t('themes:changed'), cell: ({ changedAt }) => <DateText value={changedAt} /> },
    {
      id: 'createdAt',
      header: t('themes:created'),
      sort: true,
      isHidden: true,
      cell: ({ createdAt }) => <DateText value={createdAt} />,
    },
  ]
}

export function Page() {
  const t = useT('themes', 'record')
  const columns = useColumns()
  const title = t('themes:list.title')
  const add = (
    <Can op={themesApi.create}>
      <AppLink to={pathOf('Themes', 'add')} className="button-link">
        {t('themes:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader title={title} subtitle={t('themes:list.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={title}
        exportOp={themesApi.export}
        searchPlaceholder={t('themes:list.search')}
        columns={columns}
        rowLabel={(theme) => theme.name}
        rowLink={(theme) => pathTo('Themes', theme.guid)}
        filters={[
          {
            type: 'one',
            field: 'archived',
            label: t('themes:archivedFilter'),
            options: [{ value: 'true', label: t('themes:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'themes', themesApi.bulk)]}
        empty={{ title: t('themes:empty.title'), text: t('themes:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
