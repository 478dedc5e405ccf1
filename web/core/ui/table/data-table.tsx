import './table.css'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Op } from '../../../../contract/core/op.ts'
import { spanOf } from '../../api/business.ts'
import { useMay } from '../../api/can.ts'
import { useRead } from '../../api/hooks.ts'
import type { ItemOf, Payload } from '../../api/types.ts'
import { useT } from '../../i18n/i18n.ts'
import { InPageHead } from '../../layout/page-actions.ts'
import { EmptyState } from '../empty-state.tsx'
import { AppLink } from '../link.tsx'
import { Peek } from '../peek.tsx'
import { ErrorState, LoadingLines } from '../states.tsx'
import { unbroken } from '../unbroken.tsx'
import { sortFieldOf, useListState, type ListState } from './list-state.ts'
import { TableCards, CardSkeletons } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import { Paging } from './paging.tsx'
import { Toolbar } from './toolbar.tsx'
import type { BulkAction, Column, Filter, ListPage } from './types.ts'

export interface DataTableProps<O extends Op> {
  /** The list operation; the address is checked against its query, the user against its rights. */
  op: O
  /** What the rows are, for screen readers: `Quotes`. */
  label: string
  columns: readonly Column<ItemOf<O>>[]
  /** The page a row opens. */
  rowLink?: (item: ItemOf<O>) => string
  /** What a row is called: `Q-1042`. */
  rowLabel: (item: ItemOf<O>) => string
  rowKey?: (item: ItemOf<O>) => string
  /** The side sheet that shows a row without leaving the list. */
  peek?: (item: ItemOf<O>) => ReactNode
  filters?: readonly Filter[]
  /** What can be done with the rows that are chosen; left out is what the user may not do. */
  bulk?: readonly BulkAction[]
  /** The same list as CSV. */
  exportOp?: Op
  /** Sort when the address has none, and page size. */
  defaultSort?: string
  defaultSize?: number
  /** Filters that are not the user's to change: the list inside another record. */
  fixed?: Partial<Payload<O>>
  /** Keeps its state to itself instead of in the address: for lists inside other pages. */
  isEmbedded?: boolean
  /** What is looked for when it opens, where it is embedded. */
  firstSearch?: string | undefined
  hasSearch?: boolean
  searchPlaceholder?: string
  /** What stands there before anything was ever made. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** Between toolbar and rows. */
  children?: ReactNode
}

/** Fetched when the first row is chosen. */
const BulkBar = lazy(() => import('./bulk-bar.tsx').then((module) => ({ default: module.BulkBar })))

/** Among rows of all businesses each says whose it is. */
function withBusiness<T>(columns: readonly Column<T>[], op: Op, header: string): readonly Column<T>[] {
  if (!spanOf(op).business) return columns
  const cell = (item: T) => (item as { businessName?: string }).businessName ?? ''
  return columns.toSpliced(1, 0, { id: 'businessName', header, cell, grow: 0.75, isTall: true })
}

const noItems: never[] = []
const guidOf = (item: unknown) => String((item as { guid?: unknown }).guid)

/** What the columns chosen in the address mean: those named there, or all that are not hidden at first. */
const shownColumns = <T,>(columns: readonly Column<T>[], { columns: chosen }: ListState, hasRoom: boolean) => {
  const known = chosen?.filter((id) => columns.some((column) => column.id === id))
  return columns.filter((column) =>
    known?.length
      ? column.card === 'title' || known.includes(column.id)
      : !column.isHidden && (hasRoom || !column.isSpare),
  )
}

/** One list: search, filters, sort, paging, choice of columns, selection, export; all of it in the address. */
export function DataTable<O extends Op>(props: DataTableProps<O>) {
  const { op, label, rowKey = guidOf, fixed, isEmbedded = false, empty, peek } = props
  const t = useT('common')
  const columns = withBusiness(props.columns, op, t('common:business'))
  const may = useMay()
  const isAllowed = may(op)
  const bulk = props.bulk?.filter((action) => may(action.op)) ?? []
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  // Among rows of all businesses a column says whose each is.
  const roomy = spanOf(op).business ? '(min-width: 105em)' : '(min-width: 85em)'
  const hasRoom = useMediaQuery(roomy, undefined, { getInitialValueInEffect: false })
  const state = useListState(op, {
    isLocal: isEmbedded,
    ...(props.firstSearch ? { first: { search: props.firstSearch } } : {}),
    ...(props.defaultSort ? { defaultSort: props.defaultSort } : {}),
    ...(props.defaultSize ? { defaultSize: props.defaultSize } : {}),
  })
  const input = { ...state.query, ...fixed } as unknown as Payload<O>
  const list = useRead(op, input, { keep: true, enabled: isAllowed })
  const [selected, setSelected] = useState<Record<string, boolean>>({})
  // Stays once it was there: it also tells afterwards what was refused.
  const [isBulkWanted, setBulkWanted] = useState(false)
  if (!isBulkWanted && Object.values(selected).some(Boolean)) setBulkWanted(true)
  const [peeked, setPeeked] = useState<ItemOf<O> | null>(null)
  const data = list.data as ListPage<ItemOf<O>> | undefined
  const items = data?.items ?? (noItems as ItemOf<O>[])
  const isLoading = list.isPending
  const versionOf = useVersions(items)
  const shown = shownColumns(columns, state, isPhone || hasRoom)
  const sorted = columns.find((column) => sortFieldOf(column) === state.sort.replace(/^-/, ''))
  const body = () => {
    if (!isAllowed)
      return <EmptyState scene="lock" title={t('common:noPermission.title')} text={t('common:noPermission.text')} />
    if (list.error && !data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
    if (!isLoading && items.length === 0) return <NoRows state={state} empty={empty} />
    if (isPhone && isLoading) return <CardSkeletons />
    const shared = {
      columns: shown,
      items,
      rowKey,
      rowLabel: props.rowLabel,
      ...(props.rowLink ? { rowLink: props.rowLink } : {}),
      ...(peek ? { onPeek: setPeeked } : {}),
    }
    if (isPhone)
      return (
        <TableCards
          {...shared}
          isBusy={list.isPlaceholderData}
          selected={selected}
          onSelect={bulk.length ? setSelected : null}
          label={label}
        />
      )
    return (
      <TableGrid
        {...shared}
        state={state}
        label={label}
        isBusy={list.isPlaceholderData}
        isLoading={isLoading}
        selected={selected}
        onSelect={bulk.length ? setSelected : null}
      />
    )
  }
  const opener = (to: string | undefined) =>
    to ? (
      <AppLink to={to} className="button-link quiet">
        {t('common:open')}
      </AppLink>
    ) : null
  return (
    <div className={`data-table ${isEmbedded ? 'embedded' : 'card'}`}>
      <Toolbar
        state={state}
        columns={columns}
        filters={props.filters ?? []}
        hasSearch={props.hasSearch ?? 'search' in ((op.query as { shape?: object }).shape ?? {})}
        searchPlaceholder={props.searchPlaceholder ?? t('common:search')}
        exportOp={props.exportOp}
        exportInput={input}
        label={label}
        isPhone={isPhone}
        isWide={isWide}
        viewsOf={isEmbedded || !isAllowed ? null : op.can[1]}
      />
      {props.children}
      {body()}
      {peek && peeked ? (
        <Peek
          isOpen
          onClose={() => setPeeked(null)}
          title={<bdi>{unbroken(props.rowLabel(peeked))}</bdi>}
          actions={opener(props.rowLink?.(peeked))}
        >
          <Suspense fallback={<LoadingLines />}>{peek(peeked)}</Suspense>
        </Peek>
      ) : null}
      {isBulkWanted ? (
        <Suspense>
          <InPageHead value={!isEmbedded}>
            <BulkBar
              actions={bulk}
              selected={selected}
              onClear={() => setSelected({})}
              nameOf={(guid) => nameOf(items, guid, props.rowLabel, rowKey)}
              versionOf={versionOf}
            />
          </InPageHead>
        </Suspense>
      ) : null}
      {data && items.length > 0 ? (
        <Paging
          state={state}
          page={data.page}
          count={items.length}
          {...(isEmbedded ? { of: label } : {})}
          sortedBy={sorted && (isPhone || !shown.includes(sorted)) ? sorted.header : null}
        />
      ) : null}
    </div>
  )
}

/** The versions of all rows that were shown, also of those that are chosen on another page. */
function useVersions(items: readonly unknown[]): (guid: string) => number {
  const versions = useRef(new Map<string, number>())
  useEffect(() => {
    for (const item of items as { guid?: string; version?: number }[])
      if (item.guid !== undefined && item.version !== undefined) versions.current.set(item.guid, item.version)
  }, [items])
  return (guid) => versions.current.get(guid) ?? 0
}

function nameOf<T>(items: T[], guid: string, rowLabel: (item: T) => string, rowKey: (item: T) => string) {
  const item = items.find((candidate) => rowKey(candidate) === guid)
  return item ? rowLabel(item) : guid
}

function NoRows({ state, empty }: { state: ListState; empty: DataTableProps<Op>['empty'] }) {
  const t = useT('common')
  if (!state.isFiltered && state.page === 1)
    return <EmptyState title={empty.title} text={empty.text} action={empty.action} />
  return (
    <EmptyState
      scene="search"
      title={t('common:noMatch.title')}
      text={t('common:noMatch.text')}
      action={
        <button
          type="button"
          className="link"
          onClick={() => (state.isFiltered ? state.clear() : state.set({ page: 1 }))}
        >
          {state.isFiltered ? t('common:noMatch.clear') : t('common:noMatch.firstPage')}
        </button>
      }
    />
  )
}
