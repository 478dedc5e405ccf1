import { lazy, useState } from 'react'
import { useSearch } from '@tanstack/react-router'
import { pathTo } from '../../contract/nouns.ts'
import { productsApi } from '../../contract/products.ts'
import { revenueStreamsApi, type RevenueStream } from '../../contract/revenue-streams.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { editMany } from '../record/edit-many.tsx'
import './revenue-streams.css'

const StreamDialog = whenOpen(() => import('./stream-dialog.tsx').then((module) => module.StreamDialog))
const EditStreams = lazy(() => import('./edit-streams.tsx').then((module) => ({ default: module.EditStreams })))
const list = { op: revenueStreamsApi.list, defaultSort: 'code', defaultSize: 25 }

/** How far the month has come, as a bar and in words. */
function Reached({ stream }: { stream: RevenueStream }) {
  const t = useT('products')
  const f = useFormat()
  const { targetCents, thisMonthCents } = stream
  if (targetCents === null) return <span className="muted">–</span>
  const share = targetCents === 0 ? 1 : Math.max(0, Math.min(1, thisMonthCents / targetCents))
  return (
    <span className="amount-cell">
      <Money cents={targetCents} />
      <span className="stream-bar" aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} data-full={share === 1} />
      </span>
      {targetCents > 0 ? (
        <span className="cell-sub">
          {t('products:streams.reached', {
            share: f.percent(Math.round((thisMonthCents * 10_000) / targetCents), true),
          })}
        </span>
      ) : null}
    </span>
  )
}

function RestoreButton({ stream }: { stream: RevenueStream }) {
  const t = useT('products')
  const text = useErrorText()
  const restore = useWrite(revenueStreamsApi.restore, {
    onSuccess: () => toast.success(t('products:streams.restored', { name: stream.name })),
    onError: (error) => toast.error(text(error)),
  })
  return (
    <button type="button" className="link" onClick={() => restore.mutate({ guid: stream.guid })}>
      {t('products:restore')}
    </button>
  )
}

export function Page() {
  const t = useT('products')
  const mayCreate = useCan(revenueStreamsApi.create)
  const mayUpdate = useCan(revenueStreamsApi.update)
  const mayArchive = useCan(revenueStreamsApi.restore)
  const { archived } = useSearch({ strict: false }) as { archived?: string }
  const mayProducts = useCan(productsApi.list)
  const [edited, setEdited] = useState<RevenueStream | 'new' | null>(null)
  const add = mayCreate ? (
    <ActionButton icon="create" onClick={() => setEdited('new')}>
      {t('products:streams.add')}
    </ActionButton>
  ) : null
  return (
    <>
      <PageHeader title={t('products:streams.title')} subtitle={t('products:streams.subtitle')} actions={add} />
      <DataTable
        {...list}
        label={t('products:streams.title')}
        searchPlaceholder={t('products:streams.search')}
        exportOp={revenueStreamsApi.export}
        rowLabel={(s) => s.name}
        columns={[
          { id: 'code', header: t('products:streams.code'), sort: true, cell: (s) => s.code },
          {
            id: 'name',
            header: t('products:name'),
            sort: true,
            card: 'title',
            cell: (s) =>
              mayUpdate && !s.archivedAt ? (
                <button type="button" className="link" onClick={() => setEdited(s)}>
                  {s.name}
                </button>
              ) : (
                s.name
              ),
          },
          {
            id: 'accountCode',
            header: t('products:streams.account'),
            cell: (s) => s.accountCode ?? <span className="muted">–</span>,
          },
          {
            id: 'productCount',
            header: t('products:list.title'),
            align: 'end',
            cell: (s) =>
              s.productCount > 0 && mayProducts ? (
                <AppLink to={`${pathTo('Products')}?stream=${s.guid}`}>{s.productCount}</AppLink>
              ) : (
                s.productCount
              ),
          },
          {
            id: 'thisMonthCents',
            header: t('products:streams.thisMonth'),
            align: 'end',
            card: 'side',
            cell: (s) => <Money cents={s.thisMonthCents} />,
          },
          {
            id: 'targetCents',
            header: t('products:streams.target'),
            align: 'end',
            cell: (s) => <Reached stream={s} />,
          },
          ...(mayArchive && archived === 'true'
            ? [
                {
                  id: 'restore',
                  header: t('common:table.actions'),
                  cell: (s: RevenueStream) => (s.archivedAt ? <RestoreButton stream={s} /> : null),
                },
              ]
            : []),
        ]}
        filters={[
          {
            type: 'one',
            field: 'archived',
            label: t('products:archivedFilter'),
            options: [{ value: 'true', label: t('products:archivedOnly') }],
          },
        ]}
        bulk={[
          editMany(t, revenueStreamsApi.edit, 'products:streams.counted', EditStreams),
          {
            key: 'archive',
            op: revenueStreamsApi.bulk,
            label: t('products:archive'),
            icon: 'archive',
            said: (count) => t('products:streams.bulkArchived', { count }),
            undo: 'restore',
          },
        ]}
        empty={{ title: t('products:streams.empty.title'), text: t('products:streams.empty.text'), action: add }}
      />
      {edited ? <StreamDialog stream={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
