import { crc32 } from 'node:zlib'
import { checkSize, damagedPicture, reader, type Walked } from './picture.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** What draws the picture. Texts, times and Exif are not among it. */
const keptChunks = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT pHYs acTL fcTL fdAT'.split(' '))

/** Walks a PNG from chunk to chunk to its end, and proves each chunk that is kept by its checksum. */
export function walkPng(bytes: Uint8Array): Walked {
  if (!signature.equals(bytes.subarray(0, signature.length))) throw damagedPicture()
  const read = reader(bytes)
  const walked: Walked = { kept: [bytes.subarray(0, signature.length)], width: 0, height: 0, exif: null }
  let hasData = false
  for (let at = signature.length; ;) {
    const length = read.u32(at)
    const type = read.text(at + 4, 4)
    const chunk = read.slice(at, length + 12)
    const isFirst = at === signature.length
    if (isFirst !== (type === 'IHDR')) throw damagedPicture()
    if (isFirst) {
      if (length !== 13) throw damagedPicture()
      walked.width = read.u32(at + 8)
      walked.height = read.u32(at + 12)
      checkSize(walked.width, walked.height)
    }
    if (type === 'eXIf') walked.exif ??= chunk.subarray(8, -4)
    if (keptChunks.has(type)) {
      if (crc32(chunk.subarray(4, -4)) !== read.u32(at + length + 8)) throw damagedPicture()
      walked.kept.push(chunk)
    }
    hasData ||= type === 'IDAT'
    at += length + 12
    if (type === 'IEND') {
      if (!hasData) throw damagedPicture()
      return walked
    }
  }
}
