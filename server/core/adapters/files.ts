import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../contract/core/errors.ts'
import { fileSentences } from '../../../contract/files.ts'

/**
 * Files by the hash of their content: the same bytes are kept once, and nothing a person chose becomes a path. A store
 * that cannot be reached is 503.
 */
export interface FileStore {
  put(bytes: Uint8Array, mime: string): Promise<{ sha256: string }>
  /** Null when there is no such file, or its bytes are not what they were. */
  get(sha256: string): Promise<Uint8Array | null>
  /** Nothing happens where there is no such file. */
  remove(sha256: string): Promise<void>
}

export const hashPattern = /^[0-9a-f]{64}$/
export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** What is said where the bytes of files cannot be had; the cause is for the log. */
export const unreachable = (cause?: unknown): AppError =>
  new AppError('OVERLOADED', fileSentences.unreachable, { cause })

/** Files in a folder of this machine, or of one that several share. */
export function makeFolder(dataDir: string): FileStore {
  const root = join(dataDir, 'files')
  const folderOf = (sha256: string) => join(root, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256)
  return {
    put: async (bytes) => {
      const sha256 = hashOf(bytes)
      // What a disk has damaged keeps its length: the bytes themselves are laid side by side.
      const isThere = await readFile(pathOf(sha256)).then(
        (kept) => kept.equals(bytes),
        () => false,
      )
      if (!isThere) {
        await mkdir(folderOf(sha256), { recursive: true, mode: 0o700 })
        await writeWhole(pathOf(sha256), bytes)
      }
      return { sha256 }
    },
    get: async (sha256) => {
      if (!hashPattern.test(sha256)) return null
      const bytes = await readFile(pathOf(sha256)).catch((error: unknown) => {
        if (isMissing(error)) return null
        throw error
      })
      return bytes && hashOf(bytes) === sha256 ? bytes : null
    },
    remove: async (sha256) => {
      if (hashPattern.test(sha256)) await rm(pathOf(sha256), { force: true })
    },
  }
}

/** Written aside, flushed and moved into place: a killed process leaves no half file under the final name. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(aside, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(aside, path)
  } finally {
    await rm(aside, { force: true })
  }
}
