import { invalid } from '../../contract/core/errors.ts'
import type { FileStore } from '../core/adapters/files.ts'

const mostBytes = 512 * 1024
/** A picture that unpacks to more than this would stall whoever draws it. */
const mostPixels = 4096

interface Size {
  width: number
  height: number
}

/** Width and height of a PNG; null for anything else. */
export function pngSize(bytes: Buffer): Size | null {
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47 && bytes.readUInt32BE(4) === 0x0d0a1a0a && bytes.toString('latin1', 12, 16) === 'IHDR'
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
}

/** Walks the segments of a JPEG to the one that says how large it is. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** Keeps a logo, whose kind is known by its bytes alone; `null` takes the logo away. */
export async function readLogo(files: FileStore, logo: { base64: string } | null): Promise<{ logoSha256: string | null; logoMime: string | null }> {
  if (logo === null) return { logoSha256: null, logoMime: null }
  const bytes = Buffer.from(logo.base64, 'base64')
  if (bytes.length > mostBytes) throw invalid('logo.base64', 'must be 512 KiB or less')
  const png = pngSize(bytes)
  const size = png ?? jpegSize(bytes)
  if (!size) throw invalid('logo.base64', 'must be a PNG or JPEG picture')
  if (size.width < 1 || size.height < 1 || size.width > mostPixels || size.height > mostPixels) throw invalid('logo.base64', `must be at most ${mostPixels} pixels wide and high`)
  const mime = png ? 'image/png' : 'image/jpeg'
  const { sha256 } = await files.put(bytes, mime)
  return { logoSha256: sha256, logoMime: mime }
}
