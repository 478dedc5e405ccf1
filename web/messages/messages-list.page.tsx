import { lazy } from 'react'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { messageCounts, messageMetricsApi } from '../../contract/message-metrics.ts'
import { messageCategories, messageOwners, messagesApi, messageStatuses } from '../../contract/messages.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { spanOf } from '../core/api/business.ts'
import { Can } from '../core/api/can-show.tsx'
import { readAhead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import type { Filter } from '../core/ui/table/types.ts'
import { MessageChart } from './message-chart.tsx'
import { ownerText, useMessageColumns } from './message-columns.tsx'
import { MessageTiles } from './message-tiles.tsx'

const MessagePeek = lazy(() => import('./message-peek.tsx').then((module) => ({ default: module.MessagePeek })))
const list = { op: messagesApi.list, defaultSort: '-createdAt' }

export function Page() {
  const t = useT('messages', 'mailing')
  const columns = useMessageColumns()
  const add = (
    <Can op={messageWritesApi.write}>
      <AppLink to={pathOf('Messages', 'add')} className="button-link">
        {t('mailing:list.new')}
      </AppLink>
    </Can>
  )
  const yes = (field: string, label: string, option: string): Filter => ({
    type: 'one',
    field,
    label,
    options: [{ value: 'true', label: option }],
  })
  return (
    <>
      <PageHeader title={t('messages:list.title')} subtitle={t('messages:list.subtitle')} actions={add} />
      <MessageTiles />
      <MessageChart />
      <DataTable
        {...list}
        label={t('messages:list.title')}
        searchPlaceholder={t('messages:list.search')}
        columns={columns}
        rowLabel={(m) => m.subject}
        rowLink={(m) => pathTo('Messages', m.guid)}
        peek={(m) => <MessagePeek guid={m.guid} />}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('messages:statusLabel'),
            options: messageStatuses
              .filter((status) => status !== 'noted')
              .map((status) => ({ value: status, label: statusText(status, 'messages') })),
          },
          {
            type: 'many',
            field: 'ownerType',
            label: t('messages:about'),
            options: messageOwners.map((owner) => ({ value: owner, label: ownerText(owner) })),
          },
          {
            type: 'one',
            field: 'direction',
            label: t('mailing:list.direction'),
            options: (['out', 'in'] as const).map((value) => ({ value, label: t(`mailing:directions.${value}`) })),
          },
          {
            type: 'one',
            field: 'category',
            label: t('mailing:list.category'),
            options: messageCategories.map((value) => ({ value, label: t(`mailing:categories.${value}`) })),
          },
          yes('isUnmatched', t('mailing:list.filing'), t('mailing:list.unmatchedOnly')),
          yes('isTest', t('mailing:list.tests'), t('mailing:list.testsOnly')),
          {
            type: 'one',
            field: 'counted',
            label: t('mailing:list.counted'),
            options: messageCounts.map((value) => ({ value, label: t(`mailing:counted.${value}`) })),
          },
          { type: 'days', field: 'countedOn', label: t('mailing:list.countedOn') },
        ]}
        empty={{ title: t('messages:empty.title'), text: t('messages:empty.text'), action: add }}
      />
    </>
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([
    readListAhead(may, list, search),
    readAhead(may, messageMetricsApi.standing, spanOf(messageMetricsApi.standing)),
  ])) satisfies BeginReads
