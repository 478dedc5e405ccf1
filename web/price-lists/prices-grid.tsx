import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Comma } from '../core/ui/amounts.ts'
import { columns, type Column, type PriceRow, type RowProblem } from './price-rows.ts'
import { PriceRowCells, type RowDeeds } from './price-row.tsx'
import './price-lists.css'

/** A cell that is to have the focus. */
export interface Cell {
  key: string
  column: Column
}

/** How far the sheet was scrolled, for when it is drawn anew. */
export interface Mark {
  get: () => number
  set: (top: number) => void
}
export const makeMark = (): Mark => {
  let top = 0
  return {
    get: () => top,
    set: (next) => {
      top = next
    },
  }
}

export interface PricesGridProps {
  /** Those that are shown; the list may have more. */
  rows: readonly PriceRow[]
  /** Of a row among all, from 0. */
  positionOf: (key: string) => number
  count: number
  problems: ReadonlyMap<string, RowProblem>
  comma: Comma
  isReadOnly: boolean
  deeds: RowDeeds
  scroll: Mark
  /** A cell has the focus. */
  onEnter: (cell: Cell) => void
  /** Goes there once it is drawn. */
  target: { cell: Cell } | null
  onPaste: (cell: Cell, text: string) => boolean
}

/** Beyond what is seen: so that Tab and the arrows find the next row there. */
const overscan = 8
const rowHeights = { wide: 53, narrow: 112 }

const cellOf = (element: Element): Cell | null => {
  const key = element.closest<HTMLElement>('[data-row]')?.dataset['row']
  const column = element.closest<HTMLElement>('[data-column]')?.dataset['column'] as Column | undefined
  return key && column ? { key, column } : null
}
const inputAt = (box: Element | null, { key, column }: Cell) =>
  box?.querySelector<HTMLInputElement>(`[data-row="${key}"] [data-column="${column}"] input`) ?? null

/** Whether the arrow leads out of a field: everything in it is marked, or the caret stands at that end. */
function leadsOut({ selectionStart, selectionEnd, value }: HTMLInputElement, isForward: boolean) {
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (isForward ? value.length : 0)
}

/** How the arrows, Enter, Home and End of a sheet move: to another row, or to the cell beside. */
function moveOf(
  event: KeyboardEvent,
  field: HTMLInputElement,
  pageRows: number,
): { rows: number; columns: number } | null {
  const isRtl = getComputedStyle(field).direction === 'rtl' || document.documentElement.dir === 'rtl'
  const forward = isRtl ? 'ArrowLeft' : 'ArrowRight'
  const isList = field.getAttribute('aria-expanded') === 'true'
  if (event.altKey || event.metaKey) return null
  if (event.ctrlKey) {
    if (event.key === 'Home') return { rows: -Infinity, columns: 0 }
    return event.key === 'End' ? { rows: Infinity, columns: 0 } : null
  }
  if (isList) return null
  if (event.key === 'ArrowDown') return { rows: 1, columns: 0 }
  if (event.key === 'ArrowUp') return { rows: -1, columns: 0 }
  if (event.key === 'Enter') return { rows: event.shiftKey ? -1 : 1, columns: 0 }
  if (event.key === 'PageDown') return { rows: pageRows, columns: 0 }
  if (event.key === 'PageUp') return { rows: -pageRows, columns: 0 }
  if (event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return null
  const isForward = event.key === forward
  return leadsOut(field, isForward) ? { rows: 0, columns: isForward ? 1 : -1 } : null
}

/** The prices as a sheet: only the rows that are seen are drawn, whatever their number. */
export function PricesGrid(props: PricesGridProps) {
  const { rows, positionOf, count, problems, comma, isReadOnly, deeds, scroll, onEnter, target, onPaste } = props
  const t = useT('prices')
  const f = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const height = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
    ? rowHeights.narrow
    : rowHeights.wide
  const [view, setView] = useState({ top: scroll.get(), height: 600 })
  const [active, setActive] = useState<string | null>(null)
  const [next, setNext] = useState<{ cell: Cell } | null>(null)
  /** What a cell held when it was entered: Escape brings it back. */
  const entered = useRef<{ cell: Cell; row: PriceRow } | null>(null)

  useLayoutEffect(() => {
    const scroller = box.current
    if (!scroller) return
    scroller.scrollTop = scroll.get()
    const measure = () => {
      scroll.set(scroller.scrollTop)
      setView({ top: scroller.scrollTop, height: scroller.clientHeight })
    }
    measure()
    scroller.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    return () => {
      scroller.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [scroll])

  const goTo = (index: number, column: Column) => {
    const scroller = box.current
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!scroller || !row) return
    const top = rows.indexOf(row) * height
    const head = scroller.querySelector<HTMLElement>('.price-head')?.offsetHeight ?? 0
    if (top < scroller.scrollTop) scroller.scrollTop = top
    else if (top + height > scroller.scrollTop + scroller.clientHeight - head)
      scroller.scrollTop = top + height - scroller.clientHeight + head
    setActive(row.key)
    setNext({ cell: { key: row.key, column } })
  }
  // Once its row is drawn.
  useEffect(() => {
    if (next) inputAt(box.current, next.cell)?.focus({ preventScroll: true })
  }, [next])
  const follow = useEffectEvent(({ key, column }: Cell) => {
    const index = rows.findIndex((row) => row.key === key)
    if (index >= 0) goTo(index, column)
  })
  useEffect(() => {
    if (target) follow(target.cell)
  }, [target])

  const first = Math.max(0, Math.floor(view.top / height) - overscan)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + overscan)
  const drawn = rows.slice(first, last).map((row, i) => ({ row, index: first + i }))
  const activeIndex = active === null ? -1 : rows.findIndex(({ key }) => key === active)
  const activeRow = rows[activeIndex]
  // The row that has the focus stays, or the focus would be lost by scrolling.
  if (activeRow && activeIndex < first) drawn.unshift({ row: activeRow, index: activeIndex })
  if (activeRow && activeIndex >= last) drawn.push({ row: activeRow, index: activeIndex })

  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const field = event.target
    if (!(field instanceof HTMLInputElement) || event.nativeEvent.isComposing) return
    const cell = cellOf(field)
    if (!cell) return
    if (event.key === 'Escape' && field.getAttribute('aria-expanded') !== 'true') {
      const before = entered.current
      if (before?.cell.key !== cell.key || before.cell.column !== cell.column) return
      event.preventDefault()
      event.stopPropagation()
      const { product, text, found, from, price } = before.row
      deeds.change(cell.key, cell.column === 'product' ? { product, text, found } : { from, price })
      return
    }
    if ((event.ctrlKey || event.metaKey) && (event.key === 'Delete' || event.key === 'Backspace')) {
      event.preventDefault()
      event.stopPropagation()
      const index = rows.findIndex(({ key }) => key === cell.key)
      goTo(index + 1 < rows.length ? index + 1 : index - 1, cell.column)
      deeds.remove(cell.key)
      return
    }
    const move = moveOf(event, field, Math.max(1, Math.floor(view.height / height) - 1))
    if (!move) return
    const column = columns[columns.indexOf(cell.column) + move.columns]
    if (!column) return
    event.preventDefault()
    event.stopPropagation()
    goTo(rows.findIndex(({ key }) => key === cell.key) + move.rows, column)
  }

  return (
    // The keys are those of the cells; the box itself is only reached where nothing in it is.
    <div
      ref={box}
      className="price-grid"
      role="grid"
      aria-label={t('prices:prices')}
      aria-rowcount={count + 1}
      aria-colcount={7}
      aria-readonly={isReadOnly || undefined}
      tabIndex={isReadOnly ? 0 : -1}
      onKeyDownCapture={press}
      onFocusCapture={(event) => {
        const cell = cellOf(event.target)
        const row = cell && rows.find(({ key }) => key === cell.key)
        if (!row) return
        setActive(cell.key)
        onEnter(cell)
        if (event.target instanceof HTMLInputElement) entered.current = { cell, row }
      }}
      onPasteCapture={(event) => {
        const cell = event.target instanceof Element ? cellOf(event.target) : null
        if (cell && !isReadOnly && onPaste(cell, event.clipboardData.getData('text/plain'))) {
          event.preventDefault()
          event.stopPropagation()
          // What was pasted is taken back by Undo, all of it, and not by Escape, one cell of it.
          entered.current = null
        }
      }}
    >
      <div role="row" aria-rowindex={1} className="price-row price-head">
        <span role="columnheader" className="price-number">
          <span className="visually-hidden">{t('prices:row')}</span>
        </span>
        <span role="columnheader">{t('prices:product')}</span>
        {(['from', 'price', 'catalogue', 'difference'] as const).map((column) => (
          <span key={column} role="columnheader" className="end">
            {t(`prices:${column}`)}
          </span>
        ))}
        <span role="columnheader">
          <span className="visually-hidden">{t('prices:tools')}</span>
        </span>
      </div>
      <div role="rowgroup" className="price-body" style={{ blockSize: rows.length * height }}>
        {drawn.map(({ row, index }) => (
          <PriceRowCells
            key={row.key}
            row={row}
            position={positionOf(row.key) + 1}
            problem={problems.get(row.key)}
            comma={comma}
            isReadOnly={isReadOnly}
            deeds={deeds}
            style={{ insetBlockStart: index * height, blockSize: height }}
          />
        ))}
      </div>
      {rows.length === 0 ? <p className="muted price-none">{t('prices:noneFound', { count: f.number(0) })}</p> : null}
    </div>
  )
}
