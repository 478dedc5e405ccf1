import { storagePrefix } from './config.ts'

/** A stored value with the time it was stored (ms since 1970), so that readers can decide when it is stale. */
export interface Stored<T> {
  value: T
  at: number
}

const fullKey = (key: string) => `${storagePrefix}.${key}`

// Private windows and full disks refuse storage: what they refuse is kept for one page load. Nothing else is, or a
// value that another window took away would come back.
const memory = new Map<string, string>()

export function readStored<T>(key: string): Stored<T> | null {
  const name = fullKey(key)
  let raw = memory.get(name) ?? null
  try {
    raw ??= localStorage.getItem(name)
  } catch {
    // memory answers
  }
  if (raw === null) return null
  try {
    return JSON.parse(raw) as Stored<T>
  } catch {
    return null
  }
}

/** Page meta, matched permission, auth status and permissions are stale after five minutes. */
export const staleAfterMs = 5 * 60_000

/** The value unless it is stale; a stale one is forgotten. */
export function readFresh<T>(key: string): T | null {
  const stored = readStored<T>(key)
  if (!stored) return null
  const age = Date.now() - stored.at
  if (age >= 0 && age < staleAfterMs) return stored.value
  dropStored(key)
  return null
}

export function writeStored(key: string, value: unknown) {
  const raw = JSON.stringify({ value, at: Date.now() })
  const name = fullKey(key)
  memory.delete(name)
  try {
    localStorage.setItem(name, raw)
  } catch {
    memory.set(name, raw)
  }
}

export function dropStored(key: string) {
  memory.delete(fullKey(key))
  try {
    localStorage.removeItem(fullKey(key))
  } catch {
    // memory forgot it
  }
}

/** Values of this window alone, which survive a reload: another window has its own. */
export function readHere<T>(key: string): Stored<T> | null {
  try {
    return JSON.parse(sessionStorage.getItem(fullKey(key)) ?? 'null') as Stored<T> | null
  } catch {
    return null
  }
}

export function writeHere(key: string, value: unknown) {
  try {
    sessionStorage.setItem(fullKey(key), JSON.stringify({ value, at: Date.now() }))
  } catch {
    // The window does without.
  }
}

export function dropHere(key: string) {
  try {
    sessionStorage.removeItem(fullKey(key))
  } catch {
    // There is none.
  }
}

/** Calls back when another tab changes one of our values; `key` is without prefix. */
export function onStoredElsewhere(listen: (key: string) => void) {
  const handle = (event: StorageEvent) => {
    if (event.key?.startsWith(`${storagePrefix}.`)) listen(event.key.slice(storagePrefix.length + 1))
  }
  window.addEventListener('storage', handle)
  return () => window.removeEventListener('storage', handle)
}

const week = 7 * 24 * 60 * 60

export function readCookie(key: string): string | null {
  const start = `${fullKey(key)}=`
  const found = document.cookie.split('; ').find((part) => part.startsWith(start))
  return found ? decodeURIComponent(found.slice(start.length)) : null
}

/** Layout cookies live one week. */
export function writeCookie(key: string, value: string) {
  document.cookie = `${fullKey(key)}=${encodeURIComponent(value)}; path=/; max-age=${week}; samesite=lax`
}
