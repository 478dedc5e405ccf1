import { createHash } from 'node:crypto'
import type { FileStore } from './adapters/files.ts'
import type { Db } from './ctx.ts'

/**
 * Keeps bytes in the file store, for a row that is about to name them. They are noted as loose first: whoever takes
 * away what no row names waits for that note, or finds it new. Within a transaction it holds until the row is there.
 */
export async function keepBytes(
  { db, now, deps }: { db: Db; now: Date; deps: { files: FileStore } },
  bytes: Uint8Array,
  mime: string,
): Promise<{ sha256: string }> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await db
    .insertInto('looseBytes')
    .values({ sha256, since: now })
    .onConflict((c) => c.column('sha256').doUpdateSet({ since: now }))
    .execute()
  return deps.files.put(bytes, mime)
}
