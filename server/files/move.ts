import type { FileStore } from '../core/adapters/files.ts'

export interface Moved {
  copied: number
  skipped: number
  /** Named by a record, and gone or damaged in the first store. */
  missing: string[]
}

/** Copies files from one store to another; what is there with the right bytes is skipped. */
export async function moveFiles(
  hashes: AsyncIterable<string> | Iterable<string>,
  from: FileStore,
  to: FileStore,
): Promise<Moved> {
  const moved: Moved = { copied: 0, skipped: 0, missing: [] }
  for await (const sha256 of hashes) {
    const isThere = (await to.get(sha256)) !== null
    const bytes = isThere ? null : await from.get(sha256)
    if (isThere) moved.skipped += 1
    else if (bytes) {
      await to.put(bytes, 'application/octet-stream')
      moved.copied += 1
    } else moved.missing.push(sha256)
  }
  return moved
}
