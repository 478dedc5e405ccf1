import { lazy } from 'react'
import { messageOwners, messagesApi, messageStatuses } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { ownerText, useMessageColumns } from './message-columns.tsx'

const MessagePeek = lazy(() => import('./message-peek.tsx').then((module) => ({ default: module.MessagePeek })))
const list = { op: messagesApi.list, defaultSort: '-createdAt' }

export function Page() {
  const t = useT('messages')
  const columns = useMessageColumns()
  return (
    <>
      <PageHeader title={t('messages:list.title')} subtitle={t('messages:list.subtitle')} />
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
        ]}
        empty={{ title: t('messages:empty.title'), text: t('messages:empty.text') }}
      />
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
