import { useSyncExternalStore } from 'react'
import type { PriceListItem } from '../../contract/price-lists.ts'
import type { Comma } from '../core/ui/amounts.ts'
import { emptyRow, isEmpty, type PriceRow, type RowProblem, rowProblems, sentItems } from './price-rows.ts'

/** So many steps can be taken back. */
const maxSteps = 30

/**
 * The prices of a list while they are edited. They stand outside the form: a key in one of 5,000 rows is the work of
 * one row.
 */
export interface RowsStore {
  get: () => readonly PriceRow[]
  /** Puts other rows; a `step` can be taken back by `undo`. */
  set: (rows: readonly PriceRow[], step?: 'step') => void
  change: (key: string, change: Partial<PriceRow>) => void
  /** The row as it is now, whatever was drawn of it. */
  row: (key: string) => PriceRow | undefined
  undo: () => void
  canUndo: () => boolean
  problems: () => ReadonlyMap<string, RowProblem>
  isChanged: () => boolean
  /** What would be sent. */
  sent: () => { items: PriceListItem[]; keys: string[] }
  subscribe: (listener: () => void) => () => void
}

/** What can be filled ends in an empty row. */
const withLast = (rows: readonly PriceRow[]): readonly PriceRow[] => {
  const last = rows.at(-1)
  return last && isEmpty(last) ? rows : [...rows, emptyRow()]
}

export function makeRowsStore(first: readonly PriceRow[], comma: Comma): RowsStore {
  const listeners = new Set<() => void>()
  let rows = withLast(first)
  let steps: (readonly PriceRow[])[] = []
  let judged: { rows: readonly PriceRow[]; problems: ReadonlyMap<string, RowProblem>; isChanged: boolean } | null = null
  /** In one order, so that rows that only changed places are the same. */
  const meaning = (of: readonly PriceRow[]) =>
    JSON.stringify(
      sentItems(of, comma)
        .items.map(({ productGuid, from, priceCents }) => `${productGuid} ${from} ${priceCents}`)
        .toSorted(),
    )
  const sentFirst = meaning(first)
  const judge = () => {
    if (judged?.rows !== rows) {
      const problems = rowProblems(rows, comma)
      judged = { rows, problems, isChanged: problems.size > 0 || meaning(rows) !== sentFirst }
    }
    return judged
  }
  const take = (next: readonly PriceRow[]) => {
    rows = withLast(next)
    for (const listener of listeners) listener()
  }
  return {
    get: () => rows,
    set: (next, step) => {
      if (step) steps = [...steps.slice(1 - maxSteps), rows]
      take(next)
    },
    change: (key, change) =>
      take(rows.map((row) => (row.key === key ? { ...row, refused: undefined, ...change } : row))),
    row: (key) => rows.find((row) => row.key === key),
    undo: () => {
      const before = steps.at(-1)
      steps = steps.slice(0, -1)
      if (before) take(before)
    },
    canUndo: () => steps.length > 0,
    problems: () => judge().problems,
    isChanged: () => judge().isChanged,
    sent: () => sentItems(rows, comma),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useRows = (store: RowsStore) => useSyncExternalStore(store.subscribe, store.get)
export const useRowProblems = (store: RowsStore) => useSyncExternalStore(store.subscribe, store.problems)
export const useRowsChanged = (store: RowsStore) => useSyncExternalStore(store.subscribe, store.isChanged)
export const useCanUndo = (store: RowsStore) => useSyncExternalStore(store.subscribe, store.canUndo)
