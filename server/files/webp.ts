import { checkSize, damagedPicture, reader, type Walked } from './picture.ts'

const keptChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'])
/** A frame of a moving picture holds chunks of its own, behind sixteen bytes that say where it is drawn. */
const keptInFrames = new Set(['VP8 ', 'VP8L', 'ALPH'])
const frameHead = 16
/** Bits of VP8X that promise Exif and XMP. */
const promises = 0x08 | 0x04

type Read = ReturnType<typeof reader>
interface Chunk {
  type: string
  data: Uint8Array
  at: number
}

/** Walks a WebP from chunk to chunk to the end its header names; what lies behind is left out. */
export function walkWebp(bytes: Uint8Array): Walked {
  const read = reader(bytes)
  if (read.text(0, 4) !== 'RIFF' || read.text(8, 4) !== 'WEBP') throw damagedPicture()
  const end = 8 + read.u32le(4)
  if (end > bytes.byteLength || end < 12) throw damagedPicture()
  const walked: Walked = { kept: [], width: 0, height: 0, exif: null }
  let hasPicture = false
  for (const chunk of chunksOf(read, 12, end)) {
    if (chunk.type === 'EXIF') walked.exif ??= chunk.data
    if (!keptChunks.has(chunk.type)) continue
    hasPicture ||= ['VP8 ', 'VP8L', 'ANMF'].includes(chunk.type)
    measure(read, chunk, walked)
    walked.kept.push(...written(chunk.type, keptData(read, chunk, walked)))
  }
  if (!hasPicture) throw damagedPicture()
  const size = walked.kept.reduce((sum, piece) => sum + piece.byteLength, 4)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(size, 4)
  walked.kept.unshift(head)
  return walked
}

function* chunksOf(read: Read, start: number, end: number): Generator<Chunk> {
  for (let at = start; at < end;) {
    const length = read.u32le(at + 4)
    // The last chunk of an odd length is often written without the byte that fills it up.
    if (at + 8 + length > end) throw damagedPicture()
    yield { type: read.text(at, 4), data: read.slice(at + 8, length), at: at + 8 }
    at += 8 + length + (length % 2)
  }
}

function keptData(read: Read, { type, data, at }: Chunk, walked: Walked): Uint8Array {
  if (type === 'VP8X') {
    const flags = Buffer.from(data)
    flags[0] = (flags[0] ?? 0) & ~promises
    return flags
  }
  if (type !== 'ANMF') return data
  const pieces = [read.slice(at, frameHead)]
  for (const inner of chunksOf(read, at + frameHead, at + data.byteLength)) {
    if (!keptInFrames.has(inner.type)) continue
    measure(read, inner, walked)
    pieces.push(...written(inner.type, inner.data))
  }
  return Buffer.concat(pieces)
}

function written(type: string, data: Uint8Array): Uint8Array[] {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.byteLength, 4)
  return data.byteLength % 2 ? [head, data, Buffer.alloc(1)] : [head, data]
}

/** The largest size that any part of it names: whoever unpacks it may believe each. */
function measure(read: Read, { type, at }: Chunk, walked: Walked) {
  const [width, height] = sizeOf(read, type, at)
  walked.width = Math.max(walked.width, width)
  walked.height = Math.max(walked.height, height)
  if (walked.width > 0) checkSize(walked.width, walked.height)
}

function sizeOf(read: Read, type: string, at: number): [number, number] {
  if (type === 'VP8X') return [read.u24le(at + 4) + 1, read.u24le(at + 7) + 1]
  if (type === 'ANMF') return [read.u24le(at + 6) + 1, read.u24le(at + 9) + 1]
  if (type === 'VP8 ') {
    if (read.text(at + 3, 3) !== '\x9d\x01\x2a') throw damagedPicture()
    return [read.u16le(at + 6) & 0x3fff, read.u16le(at + 8) & 0x3fff]
  }
  if (type === 'VP8L') {
    if (read.u8(at) !== 0x2f) throw damagedPicture()
    const bits = read.u32le(at + 1)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  return [0, 0]
}
