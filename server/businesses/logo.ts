import type { FileStore } from '../core/adapters/files.ts'
import { readPicture } from '../core/images.ts'

/** Keeps a logo; `null` takes the logo away. */
export async function readLogo(
  files: FileStore,
  logo: { base64: string } | null,
): Promise<{ logoSha256: string | null; logoMime: string | null }> {
  if (logo === null) return { logoSha256: null, logoMime: null }
  const { bytes, mime } = await readPicture(logo.base64, { path: 'logo.base64', maxBytes: 512 * 1024, maxPixels: 4096 })
  const { sha256 } = await files.put(bytes, mime)
  return { logoSha256: sha256, logoMime: mime }
}
