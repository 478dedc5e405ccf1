import type { Ctx } from '../core/ctx.ts'
import { readPicture } from '../core/images.ts'
import { keepBytes } from '../core/keep-bytes.ts'

/** Keeps a logo; `null` takes the logo away. */
export async function readLogo(
  ctx: Ctx,
  logo: { base64: string } | null,
): Promise<{ sha256: string; mime: string } | null> {
  if (logo === null) return null
  const { bytes, mime } = await readPicture(logo.base64, { path: 'logo.base64', maxBytes: 512 * 1024, maxPixels: 4096 })
  const { sha256 } = await keepBytes(ctx, bytes, mime)
  return { sha256, mime }
}
