import { pathOf, pathTo } from '../../contract/nouns.ts'
import { seriesApi, seriesStatuses } from '../../contract/series.ts'
import { Can } from '../core/api/can-show.tsx'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Column } from '../core/ui/table/types.ts'
import { everyText } from './series-text.ts'

const list = { op: seriesApi.list, defaultSort: '-createdAt' }

function useColumns(): Column<ItemOf<typeof seriesApi.list>>[] {
  const t = useT('series')
  return [
    { id: 'title', header: t('series:name'), sort: true, card: 'title', grow: 2, cell: (s) => s.title },
    { id: 'customer', header: t('series:customer'), grow: 1.5, cell: (s) => s.customerName },
    { id: 'every', header: t('series:every'), cell: (s) => <span className="nowrap">{everyText(t, s.every)}</span> },
    { id: 'nextOn', header: t('series:next'), sort: true, cell: (s) => <DateText value={s.nextOn} /> },
    { id: 'dueOn', header: t('series:due'), isHidden: true, cell: (s) => <DateText value={s.dueOn} /> },
    {
      id: 'mode',
      header: t('series:mode'),
      isHidden: true,
      cell: (s) => t(`series:modes.${s.mode}`),
    },
    {
      id: 'status',
      header: t('series:statusLabel'),
      card: 'side',
      cell: (s) => <StatusChip status={s.status} ns="series" />,
    },
    {
      id: 'createdAt',
      header: t('series:created'),
      sort: true,
      isHidden: true,
      cell: (s) => <DateText value={s.createdAt} />,
    },
    {
      id: 'totalCents',
      header: t('series:price'),
      sort: true,
      align: 'end',
      card: 'side',
      cell: (s) => <Money cents={s.totalCents} />,
    },
  ]
}

export function Page() {
  const t = useT('series')
  const columns = useColumns()
  const title = t('series:list.title')
  const add = (
    <Can op={seriesApi.create}>
      <AppLink to={pathOf('Series', 'add')} className="button-link">
        {t('series:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader
        title={title}
        subtitle={t('series:list.subtitle')}
        actions={
          <>
            <Can op={seriesApi.planRise}>
              <AppLink to={pathOf('Series', 'rise')} className="button-link quiet">
                {t('series:rise.title')}
              </AppLink>
            </Can>
            {add}
          </>
        }
      />
      <DataTable
        {...list}
        label={title}
        exportOp={seriesApi.export}
        searchPlaceholder={t('series:list.search')}
        columns={columns}
        rowLabel={(s) => s.title}
        rowLink={(s) => pathTo('Series', s.guid)}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('series:statusLabel'),
            options: seriesStatuses.map((status) => ({ value: status, label: statusText(status, 'series') })),
          },
          { type: 'days', field: 'dueOn', label: t('series:due') },
        ]}
        empty={{ title: t('series:empty.title'), text: t('series:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
