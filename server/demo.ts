import { randomInt } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './core/db/database.ts'
import { wipe } from './core/db/wipe.ts'
import type { Settings } from './core/env.ts'
import { people } from './sample/company.ts'

/** Kept in the data folder, so that later starts can show the password of the first one. */
interface DemoState {
  password: string
  state: 'making' | 'made'
}

const fileOf = (settings: Settings) => join(settings.dataDir, 'demo.json')

const readDemo = (settings: Settings): DemoState | null => {
  try {
    return JSON.parse(readFileSync(fileOf(settings), 'utf8')) as DemoState
  } catch {
    return null
  }
}

const writeDemo = (settings: Settings, state: DemoState) => {
  const file = fileOf(settings)
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

// Without letters and digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const randomPassword = () =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')).join(
    '-',
  )

/** A first start that was killed half way has left part of the sample company; nothing else can be in there yet. */
export const clearHalfMadeSample = async (settings: Settings, database: Database) => {
  if (readDemo(settings)?.state === 'making') await wipe(database.owner)
}

/** Makes the sample company when the database is new. */
export const ensureSample = async (settings: Settings, isNew: boolean, make: (password: string) => Promise<void>) => {
  if (readDemo(settings)?.state === 'made' || !isNew) return
  const password = settings.demoPassword ?? randomPassword()
  writeDemo(settings, { password, state: 'making' })
  await make(password)
  writeDemo(settings, { password, state: 'made' })
}

/** The sample logins as a table for the terminal. */
export const loginsText = (settings: Settings): string => {
  const demo = readDemo(settings)
  if (!demo) return '  This database has users of its own; log in as one of them.'
  const logins = people.map(([key, first, last, role]) => [`${key}@demo.example`, `${first} ${last}`, role])
  const widths = [0, 1].map((column) => Math.max(...logins.map((row) => row[column]?.length ?? 0)))
  const rows = logins.map((row) => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('   ')}`)
  const note =
    settings.demoPassword && settings.demoPassword !== demo.password
      ? ['  (DEMO_PASSWORD counts on the first start of a data folder only.)']
      : []
  return [...rows, '', `  Password of all: ${demo.password}`, ...note].join('\n')
}
