import { actionsApi, actionStatuses } from '../../contract/actions.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
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
import { ActionChip, stateTone } from './action-chip.tsx'
import './actions.css'

const list = { op: actionsApi.list, defaultSort: 'name' }
type Item = ItemOf<typeof actionsApi.list>

function useColumns(): Column<Item>[] {
  const t = useT('actions')
  return [
    {
      id: 'sentence',
      header: t('actions:column.sentence'),
      sort: 'name',
      grow: 4,
      isTall: true,
      card: 'title',
      cell: ({ sentence, name }) => (
        <>
          <bdi title={sentence}>{sentence}</bdi>
          <span className="cell-sub">
            <bdi>{name}</bdi>
          </span>
        </>
      ),
    },
    {
      id: 'status',
      header: t('actions:column.status'),
      grow: 1.5,
      isTall: true,
      cell: ({ status, pausedReason }) => (
        <>
          <ActionChip status={status} />
          {pausedReason && pausedReason !== 'person' ? (
            <span className="block small muted">{t(`actions:off.${pausedReason}`)}</span>
          ) : null}
        </>
      ),
    },
    {
      id: 'lastRun',
      header: t('actions:column.lastRun'),
      cell: ({ lastRun }) =>
        lastRun ? (
          <span className="nowrap">
            <DateText value={lastRun.at} as="dateTime" />{' '}
            <StatusChip
              status={lastRun.state}
              tone={stateTone[lastRun.state]}
              label={t(`actions:state.${lastRun.state}`)}
            />
          </span>
        ) : (
          <span className="muted">{t('actions:never')}</span>
        ),
    },
    { id: 'failures', header: t('actions:column.failures'), align: 'end', cell: ({ failures }) => failures },
    {
      id: 'createdAt',
      header: t('actions:column.created'),
      sort: true,
      isHidden: true,
      cell: ({ createdAt }) => <DateText value={createdAt} />,
    },
  ]
}

export function Page() {
  const t = useT('actions', 'record')
  const columns = useColumns()
  const title = t('actions:list.title')
  const add = (
    <Can op={actionsApi.create}>
      <AppLink to={pathOf('Actions', 'add')} className="button-link">
        {t('actions:add')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader
        title={title}
        subtitle={t('actions:list.subtitle')}
        actions={
          <>
            <Can op={actionsApi.register}>
              <AppLink to={pathOf('Actions', 'register')} className="button-link quiet">
                {t('actions:register.short')}
              </AppLink>
            </Can>
            {add}
          </>
        }
      />
      <DataTable
        {...list}
        label={title}
        searchPlaceholder={t('actions:list.search')}
        columns={columns}
        rowLabel={({ name }) => name}
        rowLink={({ guid }) => pathTo('Actions', guid)}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('actions:column.status'),
            options: actionStatuses.map((value) => ({ value, label: t(`actions:status.${value}`) })),
          },
          {
            type: 'one',
            field: 'archived',
            label: t('actions:archivedFilter'),
            options: [{ value: 'true', label: t('actions:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'actions', actionsApi.bulk)]}
        empty={{ title: t('actions:empty.title'), text: t('actions:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
