import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export interface HeldLock {
  release(): void
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5

/**
 * A lock between processes on one machine, or null when somebody holds one that excludes it.
 * SQLite takes it as a kernel file lock: it ends with the process that holds it, however that
 * ends, so there are no stale ones.
 */
export const tryLock = (path: string, kind: 'shared' | 'exclusive'): HeldLock | null => {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written, so there is nothing to journal.
    file.exec('pragma journal_mode = memory')
    file.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin; select 1 from sqlite_schema')
  } catch (error) {
    file.close()
    if (isBusy(error)) return null
    throw error
  }
  return { release: () => void (file.isOpen && file.close()) }
}

/** Waits for the lock; `onWait` is told once when it is not free at once. */
export const waitForLock = async (
  path: string,
  kind: 'shared' | 'exclusive',
  { seconds, onWait }: { seconds: number; onWait?: () => void },
): Promise<HeldLock | null> => {
  const deadline = performance.now() + seconds * 1000
  for (let attempt = 0; ; attempt++) {
    const held = tryLock(path, kind)
    if (held || performance.now() > deadline) return held
    if (attempt === 10) onWait?.()
    await sleep(20)
  }
}
