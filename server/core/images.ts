import { Transformer } from '@napi-rs/image'
import { AppError, invalid } from '../../contract/core/errors.ts'
import { makeTurns } from './turns.ts'

/** A picture takes four bytes a dot while it is decoded: a few at once, a bounded line behind. */
const inTurn = makeTurns({ atOnce: 2, maxWaiting: 50 })

interface Size {
  width: number
  height: number
}

/** Width and height of a PNG; null for anything else. */
export function pngSize(bytes: Buffer): Size | null {
  const isPng =
    bytes.length > 24 &&
    bytes.readUInt32BE(0) === 0x89504e47 &&
    bytes.readUInt32BE(4) === 0x0d0a1a0a &&
    bytes.toString('latin1', 12, 16) === 'IHDR'
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

interface Bounds {
  /** The field that is told about. */
  path: string
  maxBytes: number
  maxPixels: number
}

/**
 * Decodes a picture to its last dot: one that only begins like a picture would fail later, before
 * somebody who did not send it.
 */
export async function mustDecode(bytes: Buffer, refusal: AppError): Promise<void> {
  try {
    await inTurn(() => new Transformer(bytes).rawPixels())
  } catch (error) {
    throw error instanceof AppError ? error : refusal
  }
}

/** A picture somebody sent: its kind is known by its bytes alone, never by what was said of it. */
export async function readPicture(
  base64: string,
  { path, maxBytes, maxPixels }: Bounds,
): Promise<{ bytes: Buffer; mime: 'image/png' | 'image/jpeg' }> {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > maxBytes) throw invalid(path, `Use a file of ${Math.floor(maxBytes / 1024)} KB or less.`)
  const png = pngSize(bytes)
  const size = png ?? jpegSize(bytes)
  if (!size) throw invalid(path, 'Choose a PNG or JPEG image.')
  // A picture that unpacks to more than this would stall whoever draws it.
  if (size.width < 1 || size.height < 1 || size.width > maxPixels || size.height > maxPixels)
    throw invalid(path, `Use an image up to ${maxPixels} pixels wide and high.`)
  await mustDecode(bytes, invalid(path, 'Choose a PNG or JPEG image.'))
  return { bytes, mime: png ? 'image/png' : 'image/jpeg' }
}
