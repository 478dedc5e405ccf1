import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = `brolga-tests-${process.getuid?.() ?? 'user'}-`
/** Says in a folder which checkout it belongs to. */
const owner = 'checkout'
/** Bytes that must be free there: a run has some dozen databases of twenty megabytes at a time. */
const enough = 4 * 1024 ** 3

/** Where the PostgreSQL of a checkout's tests keeps its files: in memory where the machine has a place for that. */
export const testHome = (root: string): string => {
  const onDisk = join(root, '.tmp/test-database')
  if (!existsSync(memory)) return onDisk
  clearOrphans()
  const home = join(memory, `${prefix}${createHash('sha256').update(root).digest('hex').slice(0, 12)}`)
  if (!existsSync(home)) {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < enough) return onDisk
    mkdirSync(home, { mode: 0o755, recursive: true })
    writeFileSync(join(home, owner), root)
  }
  return home
}

/** What checkouts that are gone have left in memory. */
const clearOrphans = () => {
  for (const name of readdirSync(memory)) {
    const root = name.startsWith(prefix) && readOwner(join(memory, name, owner))
    if (root && !existsSync(root)) rmSync(join(memory, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

const readOwner = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Being made or cleared away by another run.
    return null
  }
}
