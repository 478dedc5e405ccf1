import { lazy, Suspense, type ReactNode } from 'react'
import type { Op } from '../../contract/core/op.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { spanOf } from '../core/api/business.ts'
import { Can } from '../core/api/can-show.tsx'
import { useRead } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { StatusTiles, type StatusTilesProps } from '../core/ui/status-tiles.tsx'
import { DataTable, type DataTableProps } from '../core/ui/table/data-table.tsx'
import type { BulkDeed, Filter } from '../core/ui/table/types.ts'
import { archiveMany, type ArchivedInLists } from './archiving.ts'

/** Among those filters that open when they are asked for: fetched then. */
const TagFilter = lazy(() => import('./tag-filter.tsx').then((module) => ({ default: module.TagFilter })))

/** Nouns that people write, put away and bring back, each with the namespace of its phrases. */
const words = {
  Customers: 'customers',
  Invoices: 'invoices',
  Orders: 'orders',
  Products: 'products',
  Quotes: 'quotes',
} as const satisfies Readonly<Record<string, ArchivedInLists>>

type Listed = keyof typeof words

type TableProps<O extends Op> = Omit<DataTableProps<O>, 'label' | 'rowLink' | 'empty' | 'isEmbedded' | 'children'>
export interface ListFrameProps<O extends Op> extends TableProps<O> {
  noun: Listed
  createOp: Op
  /** Reads the tags its records have. */
  tagsOp: Op
  bulkOp: BulkDeed['op']
  subtitle?: string | undefined
  /** Before the button that makes one. */
  actions?: ReactNode
  /** Said where there is nothing yet. */
  emptyText?: string | undefined
  /** Counts by status above the list. */
  tiles?: Pick<StatusTilesProps, 'label' | 'statuses' | 'hasAmounts'> & { metricsOp: Op }
}

/** The page of all records of a noun: how many stand where, those looked for, and what can be done with many. */
export function ListFrame<O extends Op>({
  noun,
  createOp,
  tagsOp,
  bulkOp,
  subtitle,
  emptyText,
  actions,
  tiles,
  filters = [],
  bulk = [],
  ...table
}: ListFrameProps<O>) {
  const ns = words[noun]
  const t = useT(ns, 'common')
  const title = t(`${ns}:list.title`)
  const add: ReactNode = (
    <Can op={createOp}>
      <AppLink to={pathOf(noun, 'add')} className="button-link">
        {t(`${ns}:new`)}
      </AppLink>
    </Can>
  )
  const tag: Filter = {
    type: 'own',
    field: 'tag',
    label: t('common:tags'),
    render: (value, set) => (
      <Suspense>
        <TagFilter op={tagsOp} value={value} set={set} />
      </Suspense>
    ),
  }
  const archived: Filter = {
    type: 'one',
    field: 'archived',
    label: t(`${ns}:archivedFilter`),
    options: [{ value: 'true', label: t(`${ns}:archivedOnly`) }],
  }
  return (
    <>
      <PageHeader
        title={title}
        subtitle={subtitle ?? t(`${ns}:list.subtitle`)}
        actions={
          <>
            {actions}
            {add}
          </>
        }
      />
      {tiles ? <Tiles noun={noun} op={table.op} {...tiles} /> : null}
      <DataTable
        {...table}
        label={title}
        rowLink={(item: ItemOf<O>) => pathTo(noun, (item as { guid: string }).guid)}
        filters={[...filters, tag, archived]}
        bulk={[...bulk, archiveMany(t, ns, bulkOp)]}
        empty={{ title: t(`${ns}:empty.title`), text: emptyText ?? t(`${ns}:empty.text`), action: add }}
      />
    </>
  )
}

interface TilesProps extends Pick<StatusTilesProps, 'op' | 'label' | 'statuses' | 'hasAmounts'> {
  noun: Listed
  metricsOp: Op
}

function Tiles({ noun, metricsOp, ...tiles }: TilesProps) {
  const metrics = useRead(metricsOp, spanOf(metricsOp) as never)
  const items = (metrics.data as { items: StatusTilesProps['items'] } | undefined)?.items
  return <StatusTiles {...tiles} ns={words[noun]} items={items} />
}

/** A filter by one or several of the statuses that a list shows. */
export const statusFilter = (label: string, statuses: readonly string[], noun: Listed): Filter => ({
  type: 'many',
  field: 'status',
  label,
  options: statuses.map((status) => ({ value: status, label: statusText(status, words[noun]) })),
})
