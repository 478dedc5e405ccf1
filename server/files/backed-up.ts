import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type FileStore, hashPattern, makeFolder } from '../core/adapters/files.ts'
import type { Db } from '../core/ctx.ts'
import { moveFiles } from './move.ts'
import { allNamedOf, namedBytes } from './references.ts'

/** How many hashes one statement is asked of. */
const atOnce = 1000

/** What a backup needs to know of files: those that a snapshot of the tables names, brought from their store. */
export const filesToBackUp = (live: Db, from: FileStore) => ({
  named: allNamedOf,
  copy: async (hashes: readonly string[], dataDir: string): Promise<string[]> => {
    const { missing } = await moveFiles(hashes, from, makeFolder(dataDir))
    const named = new Set<string>()
    // What was swept since the instant of the snapshot is no loss.
    for (let at = 0; at < missing.length; at += atOnce)
      for (const sha256 of await namedBytes(live, missing.slice(at, at + atOnce))) named.add(sha256)
    return missing.filter((sha256) => named.has(sha256))
  },
})

/** The hashes of the files in a backup. */
function hashesIn(folder: string): string[] {
  const root = join(folder, 'data', 'files')
  if (!existsSync(root)) return []
  return readdirSync(root).flatMap((part) => readdirSync(join(root, part)).filter((name) => hashPattern.test(name)))
}

/** Puts the files of a backup into a store; tells which it has now. */
export async function putBack(folder: string, to: FileStore): Promise<Set<string>> {
  const hashes = hashesIn(folder)
  const { missing } = await moveFiles(hashes, makeFolder(join(folder, 'data')), to)
  const damaged = new Set(missing)
  return new Set(hashes.filter((sha256) => !damaged.has(sha256)))
}

/** What the restored tables name and the store does not have whole, with the name of the file where it is one. */
export async function missingFiles(
  owner: pg.ClientConfig,
  files: FileStore,
  kept: ReadonlySet<string>,
): Promise<{ sha256: string; name: string | null }[]> {
  const db = new pg.Client({ ...owner, application_name: 'brolga-restore' })
  await db.connect()
  try {
    const missing: string[] = []
    for (const sha256 of await allNamedOf(db))
      if (!kept.has(sha256) && (await files.get(sha256)) === null) missing.push(sha256)
    const { rows } = await db.query<{ sha256: string; name: string }>(
      `select distinct on (hash) hash as sha256, name
        from files, unnest(array[sha256, original_sha256, view_sha256, thumb_sha256]) as hash
        where hash = any($1) order by hash, files.guid`,
      [missing],
    )
    const names = new Map(rows.map(({ sha256, name }) => [sha256, name]))
    return missing.map((sha256) => ({ sha256, name: names.get(sha256) ?? null }))
  } finally {
    await db.end()
  }
}
