import { useSyncExternalStore } from 'react'

/** A value outside React that components can watch: no context, readable from plain functions. */
export interface Store<T> {
  get: () => T
  set: (next: T) => void
  watch: (listen: () => void) => () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listen of [...listeners]) listen()
    },
    watch: (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.watch, store.get)
