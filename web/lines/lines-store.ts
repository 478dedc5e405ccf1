import { useSyncExternalStore } from 'react'
import { changed, hasProblems, sentLines, withDefaults, type EditorLine } from './line-state.ts'

/**
 * The lines of one document while they are edited. They stand outside the form, so that a key in one of a
 * hundred lines is the work of one row: a row listens to its own line, the editor to the order of the
 * lines, the totals to everything.
 */
export interface LinesStore {
  get: () => readonly EditorLine[]
  set: (lines: readonly EditorLine[]) => void
  /** What the line is now, whatever a row has seen of it. */
  line: (key: string) => EditorLine | undefined
  change: (key: string, change: Partial<EditorLine>) => void
  /** The keys in their order: the same list until lines are added, moved or dropped. */
  keys: () => readonly string[]
  /** Whether saving would send other lines than at first. */
  isChanged: () => boolean
  subscribe: (listener: () => void) => () => void
}

export function makeLinesStore(first: readonly EditorLine[]): LinesStore {
  const listeners = new Set<() => void>()
  let lines: readonly EditorLine[] = []
  let byKey = new Map<string, EditorLine>()
  let keys: readonly string[] = []
  const sentFirst = JSON.stringify(sentLines(withDefaults(first)))
  let judged: { lines: readonly EditorLine[]; isChanged: boolean } | null = null
  const take = (given: readonly EditorLine[]) => {
    const next = withDefaults(given)
    lines = next
    byKey = new Map(next.map((line) => [line.key, line]))
    if (next.length !== keys.length || next.some(({ key }, index) => key !== keys[index]))
      keys = next.map(({ key }) => key)
  }
  take(first)
  const set = (next: readonly EditorLine[]) => {
    take(next)
    for (const listener of listeners) listener()
  }
  return {
    get: () => lines,
    set,
    line: (key) => byKey.get(key),
    change: (key, change) => set(lines.map((line) => (line.key === key ? changed(line, change) : line))),
    keys: () => keys,
    isChanged: () => {
      if (judged?.lines !== lines) judged = { lines, isChanged: JSON.stringify(sentLines(lines)) !== sentFirst }
      return judged.isChanged
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useLines = (store: LinesStore) => useSyncExternalStore(store.subscribe, store.get)
export const useLine = (store: LinesStore, key: string) => useSyncExternalStore(store.subscribe, () => store.line(key))
/** Whether there is something to save in the lines. */
export const useLinesChanged = (store: LinesStore) => useSyncExternalStore(store.subscribe, store.isChanged)
/** Whether something is still wrong with a line since it was last saved. */
export const useLineProblems = (store: LinesStore) =>
  useSyncExternalStore(store.subscribe, () => hasProblems(store.get()))
export const useLineKeys = (store: LinesStore) => useSyncExternalStore(store.subscribe, store.keys)
