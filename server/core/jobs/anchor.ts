import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDataDir } from '../data-dir.ts'

/**
 * How far a log was sealed, as it is kept outside the database: a database that knows less was
 * cut off or is an older copy.
 */
export interface Anchor {
  log: string
  toId: number
  mac: string
  at: string
  /**
   * Why the line before need not be there any more: a backup was restored, or an operator has
   * taken the database as it is.
   */
  because?: 'restored' | 'accepted'
}

const anchorFile = 'ledger.anchor'

/** One line a seal, only ever added; short enough that lines of two processes never mix. */
export const addAnchors = (dataDir: string, anchors: readonly Anchor[]) => {
  ensureDataDir(dataDir)
  if (anchors.length > 0)
    appendFileSync(join(dataDir, anchorFile), anchors.map((anchor) => `${JSON.stringify(anchor)}\n`).join(''), {
      mode: 0o600,
    })
}

const isAnchor = (value: unknown): value is Anchor =>
  typeof value === 'object' &&
  value !== null &&
  'log' in value &&
  'toId' in value &&
  'mac' in value &&
  typeof value.toId === 'number'

const parse = (line: string): Anchor[] => {
  try {
    const value: unknown = JSON.parse(line)
    return isAnchor(value) ? [value] : []
  } catch {
    // A line that a full disk has cut short.
    return []
  }
}

/** The last line of each log; null when the file is not there. */
export const lastAnchors = (dataDir: string): Map<string, Anchor> | null => {
  const path = join(dataDir, anchorFile)
  if (!existsSync(path)) return null
  return new Map(
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap(parse)
      .map((anchor) => [anchor.log, anchor]),
  )
}
