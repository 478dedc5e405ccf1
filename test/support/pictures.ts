import { Transformer } from '@napi-rs/image'
import { crc32 } from 'node:zlib'

/** A picture in one colour, as JPEG, PNG or WebP. */
export const aPicture = async (
  kind: 'jpeg' | 'png' | 'webp',
  width = 64,
  height = 48,
  shade = 200,
): Promise<Buffer> => {
  const drawn = Transformer.fromRgbaPixels(Buffer.alloc(width * height * 4, shade), width, height)
  return kind === 'jpeg' ? drawn.jpeg(80) : kind === 'png' ? drawn.png() : drawn.webp(80)
}

const u16 = (n: number) => Buffer.from([n >> 8, n & 0xff])
const u32 = (n: number) => Buffer.concat([u16(n >>> 16), u16(n & 0xffff)])
const ascii = (text: string) => Buffer.from(`${text}\0`, 'latin1')
const rationals = (...pairs: [number, number][]) => Buffer.concat(pairs.flatMap(([a, b]) => [u32(a), u32(b)]))

type Entry = [tag: number, type: number, count: number, data: Buffer]

/** A directory of Exif that begins at `base`, with what does not fit into its entries behind it. */
function directory(entries: readonly Entry[], base: number): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4)
  head.writeUInt16BE(entries.length)
  const behind: Buffer[] = []
  let at = base + head.length
  for (const [i, [tag, type, count, data]] of entries.entries()) {
    const entry = 2 + i * 12
    Buffer.concat([u16(tag), u16(type), u32(count)]).copy(head, entry)
    if (data.length <= 4) data.copy(head, entry + 8)
    else {
      head.writeUInt32BE(at, entry + 8)
      behind.push(data)
      at += data.length
    }
  }
  return Buffer.concat([head, ...behind])
}

interface CameraFacts {
  orientation?: number
  /** As cameras write it: `2026:03:01 09:30:15`. */
  takenAt?: string
  /** `+11:00` */
  offset?: string
  /** Whether it says that it was taken at the Sydney Opera House. */
  hasPlace?: boolean
}

/** What a phone writes of a photo, as TIFF. */
export function exifOf({ orientation = 1, takenAt, offset, hasPlace = true }: CameraFacts = {}): Buffer {
  const exif: Entry[] = []
  if (takenAt) exif.push([0x9003, 2, 20, ascii(takenAt)])
  if (offset) exif.push([0x9011, 2, 7, ascii(offset)])
  const firstBytes = 2 + 4 * 12 + 4 + 8
  const exifAt = 8 + firstBytes
  const ofExif = directory(exif, exifAt)
  const gpsAt = exifAt + ofExif.length
  const gps: Entry[] = hasPlace
    ? [
        [1, 2, 2, ascii('S')],
        [2, 5, 3, rationals([33, 1], [51, 1], [2520, 100])],
        [3, 2, 2, ascii('E')],
        [4, 5, 3, rationals([151, 1], [12, 1], [5500, 100])],
      ]
    : []
  const first: Entry[] = [
    [0x010f, 2, 8, ascii('Phone 7')],
    [0x0112, 3, 1, u16(orientation)],
    [0x8769, 4, 1, u32(exifAt)],
    [0x8825, 4, 1, u32(gpsAt)],
  ]
  return Buffer.concat([Buffer.from('MM\0*', 'latin1'), u32(8), directory(first, 8), ofExif, directory(gps, gpsAt)])
}

export const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])
export const exifSegment = (facts?: CameraFacts): Buffer =>
  segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifOf(facts)]))
const xmp = segment(
  0xe1,
  Buffer.from(
    'http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude="33,51.42S" exif:GPSLongitude="151,12.9E"/>',
    'latin1',
  ),
)

/** Where segments go into a JPEG: behind its start. */
export const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** A photo as a phone takes it: with its place in Exif, in XMP, in a comment, and in the film behind its end. */
export const aPhonePhoto = async (facts: CameraFacts = {}, width = 64, height = 48): Promise<Buffer> => {
  const jpeg = await aPicture('jpeg', width, height)
  const photo = withSegments(
    jpeg,
    exifSegment(facts),
    xmp,
    segment(0xe2, Buffer.from('MPF\0 another picture follows', 'latin1')),
    segment(0xed, Buffer.from('Photoshop 3.0\0 City: Sydney', 'latin1')),
    segment(0xfe, Buffer.from('GPS 33.857 S 151.215 E', 'latin1')),
  )
  const second = withSegments(await aPicture('jpeg', 16, 16), exifSegment(facts))
  return Buffer.concat([photo, second, Buffer.from('....ftypmp42 moov \xa9xyz -33.8570+151.2153/', 'latin1')])
}

/** A JPEG of exactly so many bytes whose segments that go have `leaving` bytes: what is left is the difference. */
export async function aJpegOf(bytes: number, leaving: number): Promise<Buffer> {
  const jpeg = await aPicture('jpeg', 640, 480)
  const gone = segment(0xfe, Buffer.alloc(leaving - 4, 0x2e))
  // A colour profile stays whatever it holds, so it fills the picture up.
  let missing = bytes - leaving - jpeg.length
  const filling: Buffer[] = []
  for (; missing > 0; missing -= filling.at(-1)?.length ?? 0) {
    const most = Math.min(missing, 65_000)
    const length = missing - most > 0 && missing - most < 100 ? most - 100 : most
    filling.push(segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.alloc(length - 16, 1)])))
  }
  return withSegments(jpeg, gone, ...filling)
}

export const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}
/** A PNG with chunks put in behind its header. */
export const withChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** A chunk of WebP, filled up to an even length. */
export const webpChunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
export const aWebp = (...chunks: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
