import { checkSize, damagedPicture, reader, type Walked } from './picture.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe
/** Markers that stand alone, without a length: restarts, and one that means nothing. */
const isAlone = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
/** Frame headers carry the size; the three among them are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const exifMark = 'Exif\0\0'
/** What is needed to show the picture as it is: density, colour profile, and how its colours are stored. */
const keptApplications: Readonly<Record<number, string>> = { 0xe0: 'JFIF\0', 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' }

/**
 * Walks a JPEG from segment to segment to its end. Pictures behind the end (motion photos, previews, gain maps) are
 * left out, and with them the places they name.
 */
export function walkJpeg(bytes: Uint8Array): Walked {
  const read = reader(bytes)
  if (read.u8(0) !== 0xff || read.u8(1) !== startOfImage) throw damagedPicture()
  const walked: Walked = { kept: [read.slice(0, 2)], width: 0, height: 0, exif: null }
  let hasScan = false
  for (let at = 2; ;) {
    const { marker, from } = nextMarker(read, at)
    if (marker === endOfImage) {
      if (!hasScan || walked.width === 0) throw damagedPicture()
      walked.kept.push(read.slice(from, 2))
      return walked
    }
    if (isAlone(marker)) {
      at = from + 2
      continue
    }
    const length = read.u16(from + 2)
    if (length < 2) throw damagedPicture()
    const segment = read.slice(from, length + 2)
    if (isFrame(marker)) readFrame(read, from, walked)
    if (marker === 0xe1 && length >= 8 && read.text(from + 4, 6) === exifMark && !walked.exif)
      walked.exif = segment.subarray(10)
    if (isKept(read, marker, from, length)) walked.kept.push(segment)
    at = from + length + 2
    if (marker === startOfScan) {
      const end = endOfScan(bytes, at)
      walked.kept.push(read.slice(at, end - at))
      hasScan = true
      at = end
    }
  }
}

type Read = ReturnType<typeof reader>

/** Any number of 0xff may stand before a marker. */
function nextMarker(read: Read, start: number): { marker: number; from: number } {
  let at = start
  if (read.u8(at) !== 0xff) throw damagedPicture()
  while (read.u8(at + 1) === 0xff) at++
  return { marker: read.u8(at + 1), from: at }
}

function readFrame(read: Read, from: number, walked: Walked) {
  const height = read.u16(from + 5)
  const width = read.u16(from + 7)
  // Two frames that differ would be counted by one and unpacked by the other.
  if (walked.width > 0 && (walked.width !== width || walked.height !== height)) throw damagedPicture()
  checkSize(width, height)
  walked.width = width
  walked.height = height
}

function isKept(read: Read, marker: number, from: number, length: number): boolean {
  if (marker === comment) return false
  if (!isApplication(marker)) return true
  const mark = keptApplications[marker]
  return mark !== undefined && length - 2 >= mark.length && read.text(from + 4, mark.length) === mark
}

/** In the data of a scan a 0xff is followed by zero or a restart; any other marker ends it. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    const isData = next === 0x00 || (next >= 0xd0 && next <= 0xd7)
    if (!isData && next !== 0xff) return at
  }
  throw damagedPicture()
}

/** A segment of Exif that says how to turn the picture and nothing else. */
export function orientationSegment(orientation: number): Uint8Array {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  const head = Buffer.from([0xff, 0xe1, 0, 2 + exifMark.length + tiff.length])
  return Buffer.concat([head, Buffer.from(exifMark, 'latin1'), tiff])
}
