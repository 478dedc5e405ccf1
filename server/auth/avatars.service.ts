import type { FileStore } from '../core/adapters/files.ts'
import type { Ctx } from '../core/ctx.ts'
import { readPicture } from '../core/images.ts'
import { keepBytes } from '../core/keep-bytes.ts'

const maxKept = 200
const kept = new Map<string, string>()

export interface AvatarColumns {
  avatarSha256: string | null
  avatarMime: string | null
}

/** Keeps a picture of a person; `null` takes it away. */
export async function readAvatar(ctx: Ctx, avatar: { base64: string } | null): Promise<AvatarColumns> {
  if (avatar === null) return { avatarSha256: null, avatarMime: null }
  const { bytes, mime } = await readPicture(avatar.base64, {
    path: 'avatar.base64',
    maxBytes: 64 * 1024,
    maxPixels: 512,
  })
  const { sha256 } = await keepBytes(ctx, bytes, mime)
  return { avatarSha256: sha256, avatarMime: mime }
}

/**
 * The picture as a data address: small enough to travel with the record, so that no address
 * needs credentials of its own.
 */
export async function avatarOf(files: FileStore, { avatarSha256, avatarMime }: AvatarColumns): Promise<string | null> {
  if (!avatarSha256 || !avatarMime) return null
  const known = kept.get(avatarSha256)
  if (known) return known
  const bytes = await files.get(avatarSha256)
  if (!bytes) return null
  const address = `data:${avatarMime};base64,${Buffer.from(bytes).toString('base64')}`
  if (kept.size >= maxKept) kept.clear()
  kept.set(avatarSha256, address)
  return address
}
