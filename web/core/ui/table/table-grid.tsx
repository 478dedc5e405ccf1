import { ActionIcon, Checkbox, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import {
  memo,
  useEffect,
  useRef,
  type CSSProperties,
  type Dispatch,
  type MouseEvent,
  type ReactNode,
  type SetStateAction,
} from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { AppLink } from '../link.tsx'
import { unbroken } from '../unbroken.tsx'
import { sortFieldOf, type ListState } from './list-state.ts'
import type { Column } from './types.ts'

export interface RowsProps<T> {
  columns: readonly Column<T>[]
  items: T[]
  rowKey: (item: T) => string
  rowLabel: (item: T) => string
  rowLink?: (item: T) => string
  onPeek?: (item: T) => void
  label: string
  isBusy: boolean
  selected: Record<string, boolean>
  onSelect: Dispatch<SetStateAction<Record<string, boolean>>> | null
}

/** What is selected on other pages stays so. */
const withSelected = (before: Record<string, boolean>, ids: readonly string[], isOn: boolean) => ({
  ...before,
  ...Object.fromEntries(ids.map((id) => [id, isOn])),
})

const classOf = <T,>(column: Column<T>) =>
  [column.align === 'end' ? 'end tabular' : '', column.grow ? 'grow' : '', column.isTall ? 'tall' : '']
    .filter(Boolean)
    .join(' ')
const shareOf = <T,>(column: Column<T>): { style?: CSSProperties } =>
  column.grow ? { style: { '--grow': column.grow } as CSSProperties } : {}

/** A text is cut where the room ends, and whole in its title. */
const oneLine = <T,>({ grow, isTall }: Column<T>, content: ReactNode) =>
  grow && typeof content === 'string' ? (
    <span className={isTall ? 'one-line two-lines' : 'one-line'} dir="auto" title={content}>
      {unbroken(content)}
    </span>
  ) : (
    content
  )

/** A table that fits lets its head stay in view while the page moves; one that is wider moves within its own frame. */
function useFit() {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const table = frame.current?.firstElementChild
    if (!frame.current || !table) return undefined
    const look = () => {
      if (frame.current)
        frame.current.dataset.fits = String(table.getBoundingClientRect().width <= frame.current.clientWidth + 1)
    }
    const observer = new ResizeObserver(look)
    observer.observe(frame.current)
    observer.observe(table)
    return () => observer.disconnect()
  }, [])
  return frame
}

function SortHead<T>({ column, state }: { column: Column<T>; state: ListState }) {
  const field = sortFieldOf(column)
  const isUp = state.sort === field
  const isDown = state.sort === `-${field}`
  const sort = isUp ? 'ascending' : isDown ? 'descending' : 'none'
  if (!field)
    return (
      <th scope="col" className={classOf(column)} {...shareOf(column)}>
        {column.header}
      </th>
    )
  return (
    <th scope="col" aria-sort={sort} className={classOf(column)} {...shareOf(column)}>
      <button
        type="button"
        className="sort-button"
        data-sort={sort}
        onClick={() => state.set({ sort: isUp ? `-${field}` : field })}
      >
        {column.header}
        <span className="sort-arrow" aria-hidden="true" />
      </button>
    </th>
  )
}

const isInteractive = (event: MouseEvent) =>
  (event.target as Element).closest('a,button,input,label,[role=menuitem]') !== null ||
  (window.getSelection()?.toString() ?? '') !== ''

interface RowProps<T> {
  item: T
  id: string
  columns: readonly Column<T>[]
  label: string
  link: string | undefined
  onPeek: ((item: T) => void) | undefined
  isSelected: boolean
  onSelect: RowsProps<T>['onSelect']
}

function RowInner<T>({ item, id, columns, label, link, onPeek, isSelected, onSelect }: RowProps<T>) {
  const t = useT('common')
  const navigate = useNavigate()
  const titleId = (columns.find((column) => column.card === 'title') ?? columns[0])?.id
  return (
    <tr
      aria-selected={onSelect ? isSelected : undefined}
      className={link ? 'clickable' : ''}
      onClick={(event) => (link && !isInteractive(event) ? void navigate({ to: link }) : undefined)}
    >
      {onSelect ? (
        <td className="check-cell">
          <Checkbox
            size="xs"
            aria-label={t('common:table.select', { name: label })}
            checked={isSelected}
            onChange={(event) => {
              const isOn = event.currentTarget.checked
              onSelect((before) => withSelected(before, [id], isOn))
            }}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td key={column.id} data-column={column.id} className={classOf(column)}>
          {column.id === titleId && link ? (
            <AppLink to={link}>{oneLine(column, column.cell(item))}</AppLink>
          ) : (
            oneLine(column, column.cell(item))
          )}
        </td>
      ))}
      {onPeek ? (
        <td className="end action-cell no-print">
          <ActionIcon
            variant="subtle"
            color="gray"
            c="inherit"
            size={32}
            aria-label={t('common:table.peekAt', { name: label })}
            title={t('common:table.peekAt', { name: label })}
            onClick={() => onPeek(item)}
          >
            <Icon name="peek" size={18} />
          </ActionIcon>
        </td>
      ) : null}
    </tr>
  )
}
const TableRow = memo(RowInner) as typeof RowInner

/** The rows as a table: from 768 px on. */
export function TableGrid<T>({
  columns,
  items,
  rowKey,
  rowLabel,
  rowLink,
  onPeek,
  state,
  label,
  isBusy,
  isLoading,
  selected,
  onSelect,
}: RowsProps<T> & { state: ListState; isLoading: boolean }) {
  const t = useT('common')
  const frame = useFit()
  const width = columns.length + (onSelect ? 1 : 0) + (onPeek ? 1 : 0)
  const ids = items.map(rowKey)
  const selectedHere = ids.filter((id) => selected[id]).length
  return (
    <div ref={frame} className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="data-grid" aria-busy={isBusy || isLoading}>
        <thead>
          <tr>
            {onSelect ? (
              <th scope="col" className="check-cell">
                <Checkbox
                  size="xs"
                  aria-label={t('common:table.selectAll')}
                  checked={ids.length > 0 && selectedHere === ids.length}
                  indeterminate={selectedHere > 0 && selectedHere < ids.length}
                  onChange={(event) => {
                    const isOn = event.currentTarget.checked
                    onSelect((before) => withSelected(before, ids, isOn))
                  }}
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <SortHead key={column.id} column={column} state={state} />
            ))}
            {onPeek ? (
              <th scope="col" className="action-cell no-print">
                <span className="visually-hidden">{t('common:table.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {isLoading ? <SkeletonRows rows={Math.min(state.size, 10)} columns={width} /> : null}
          {items.map((item) => {
            const id = rowKey(item)
            return (
              <TableRow
                key={id}
                id={id}
                item={item}
                columns={columns}
                label={rowLabel(item)}
                link={rowLink?.(item)}
                onPeek={onPeek}
                isSelected={selected[id] === true}
                onSelect={onSelect}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, i) => (
    // oxlint-disable-next-line react/no-array-index-key -- the rows are all alike
    <tr key={i} className="skeleton-row">
      {Array.from({ length: columns }, (_cell, j) => (
        // oxlint-disable-next-line react/no-array-index-key -- the cells are all alike
        <td key={j}>
          <Skeleton height={14} width={`${45 + ((i * 7 + j * 13) % 45)}%`} />
        </td>
      ))}
    </tr>
  ))
}
