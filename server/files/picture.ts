import { type AppError, invalid } from '../../contract/core/errors.ts'
import { fileSentences, maxPixels } from '../../contract/files.ts'

/** A picture as its own bytes tell of it, walked to its end, with nothing unpacked. */
export interface Walked {
  /** The pieces that make the picture, in order: all that says where, when and by what it was taken is left out. */
  kept: Uint8Array[]
  /** Pixels as they are stored, before they are turned upright. */
  width: number
  height: number
  /** The Exif block of the camera, as TIFF; null where there is none. */
  exif: Uint8Array | null
}

export const damagedPicture = (): AppError => invalid('file', fileSentences.damagedPicture)

/** Asked as soon as a header names a size, because a small file may unpack to a very large picture. */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw damagedPicture()
  if (width * height > maxPixels) throw invalid('file', fileSentences.pixels)
}

/** Reads numbers of a picture; what lies beyond its end makes it a damaged one. */
export const reader = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = (at: number, length: number) => {
    if (at < 0 || at + length > bytes.byteLength) throw damagedPicture()
    return at
  }
  return {
    u8: (at: number) => view.getUint8(within(at, 1)),
    u16: (at: number) => view.getUint16(within(at, 2)),
    u16le: (at: number) => view.getUint16(within(at, 2), true),
    u24le: (at: number) => view.getUint8(within(at, 3)) | (view.getUint16(at + 1, true) << 8),
    u32: (at: number) => view.getUint32(within(at, 4)),
    u32le: (at: number) => view.getUint32(within(at, 4), true),
    text: (at: number, length: number) =>
      Buffer.from(bytes.buffer, bytes.byteOffset + within(at, length), length).toString('latin1'),
    slice: (at: number, length: number) => bytes.subarray(within(at, length), at + length),
  }
}
