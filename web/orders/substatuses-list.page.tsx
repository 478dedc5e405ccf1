import { useState } from 'react'
import { useSearch } from '@tanstack/react-router'
import { nouns, pathTo } from '../../contract/nouns.ts'
import { ordersApi } from '../../contract/orders.ts'
import { substatusesApi, type Substatus } from '../../contract/substatuses.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { SubstatusChip } from './substatus-chip.tsx'

const SubstatusForm = whenOpen(() => import('./substatus-form.tsx').then((module) => module.SubstatusForm))
const list = { op: substatusesApi.list, defaultSort: 'label', defaultSize: 25 }

function RestoreButton({ substatus }: { substatus: Substatus }) {
  const t = useT('orders')
  const text = useErrorText()
  const restore = useWrite(substatusesApi.restore, {
    onSuccess: () => toast.success(t('orders:substatus.restored', { name: substatus.label })),
    onError: (error) => toast.error(text(error)),
  })
  return (
    <button type="button" className="link" onClick={() => restore.mutate({ guid: substatus.guid })}>
      {t('orders:restore')}
    </button>
  )
}

export function Page() {
  const t = useT('orders', 'common')
  const mayCreate = useCan(substatusesApi.create)
  const mayUpdate = useCan(substatusesApi.update)
  const mayArchive = useCan(substatusesApi.restore)
  const mayOrders = useCan(ordersApi.list)
  const { archived } = useSearch({ strict: false }) as { archived?: string }
  const [edited, setEdited] = useState<Substatus | 'new' | null>(null)
  const add = mayCreate ? (
    <ActionButton icon="create" onClick={() => setEdited('new')}>
      {t('orders:substatus.add')}
    </ActionButton>
  ) : null
  return (
    <>
      <PageHeader title={t('orders:substatus.title')} subtitle={t('orders:substatus.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={t('orders:substatus.title')}
        searchPlaceholder={t('orders:substatus.search')}
        exportOp={substatusesApi.export}
        rowLabel={(s) => s.label}
        columns={[
          {
            id: 'label',
            header: t('orders:substatus.label'),
            sort: true,
            card: 'title',
            cell: (s) =>
              mayUpdate && !s.archivedAt ? (
                <button type="button" className="link" onClick={() => setEdited(s)}>
                  <SubstatusChip substatus={s} />
                </button>
              ) : (
                <SubstatusChip substatus={s} />
              ),
          },
          {
            id: 'core',
            header: t('orders:substatus.core'),
            card: 'side',
            cell: (s) => <StatusChip status={s.core} ns="orders" />,
          },
          {
            id: 'orderCount',
            header: t('orders:list.title'),
            align: 'end',
            cell: (s) =>
              s.orderCount > 0 && mayOrders ? (
                <AppLink to={`${pathTo('Orders')}?substatusGuid=${s.guid}`}>{s.orderCount}</AppLink>
              ) : (
                s.orderCount
              ),
          },
          ...(mayArchive && archived === 'true'
            ? [
                {
                  id: 'restore',
                  header: t('common:table.actions'),
                  cell: (s: Substatus) => (s.archivedAt ? <RestoreButton substatus={s} /> : null),
                },
              ]
            : []),
        ]}
        filters={[
          {
            type: 'one',
            field: 'core',
            label: t('orders:substatus.core'),
            options: nouns.Orders.statuses.map((status) => ({ value: status, label: statusText(status, 'orders') })),
          },
          {
            type: 'one',
            field: 'archived',
            label: t('orders:archivedFilter'),
            options: [{ value: 'true', label: t('orders:archivedOnly') }],
          },
        ]}
        bulk={[
          {
            key: 'archive',
            op: substatusesApi.bulk,
            label: t('orders:archive'),
            icon: 'archive',
            said: (count) => t('orders:substatus.bulkArchived', { count }),
            undo: 'restore',
          },
        ]}
        empty={{ title: t('orders:substatus.empty.title'), text: t('orders:substatus.empty.text'), action: add }}
      />
      {edited ? <SubstatusForm substatus={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
