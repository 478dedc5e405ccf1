import exifr from 'exifr'
import { instantAt } from '../../contract/core/dates.ts'

/** What a camera says of a photo, as far as it makes sense. */
export interface Exif {
  /** 1–8, as Exif counts the ways to turn and mirror a picture. */
  orientation: number
  takenAt: string | null
  place: { lat: number; lng: number } | null
}
const nothing: Exif = { orientation: 1, takenAt: null, place: null }

/** No camera writes more, and a JPEG has no room for it. */
const maxBytes = 65_536
const tags = { orientation: 0x0112, takenAt: 0x9003, offset: 0x9011 }
const options = {
  ifd0: { pick: [tags.orientation] },
  exif: { pick: [tags.takenAt, tags.offset] },
  gps: true,
  ifd1: false,
  interop: false,
  xmp: false,
  icc: false,
  iptc: false,
  jfif: false,
  translateValues: false,
  reviveValues: false,
}

/** Reads a block of Exif; what is damaged or missing in it is as if it were not there. `zone` is where clocks show. */
export async function readExif(block: Uint8Array | null, zone: string): Promise<Exif> {
  if (!block || block.byteLength > maxBytes) return nothing
  // Some write the mark of JPEG in front of it elsewhere, too.
  const tiff = Buffer.from(block).subarray(Buffer.from(block).toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0)
  const found: Record<string, unknown> | undefined = await exifr.parse(tiff, options as never).catch(() => undefined)
  if (!found) return nothing
  return {
    orientation: orientationOf(found['Orientation']),
    takenAt: instantOf(found['DateTimeOriginal'], found['OffsetTimeOriginal'], zone),
    place: placeOf(found['latitude'], found['longitude']),
  }
}

const orientationOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 8 ? value : 1

const written = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/
const offset = /^[+-](0\d|1[0-4]):[0-5]\d$/

/** The time a clock showed, with how far it was ahead where that is said, else in the zone of the business. */
function instantOf(value: unknown, ahead: unknown, zone: string): string | null {
  const [, year, month, date, hour, minute, second] = (typeof value === 'string' ? written.exec(value) : null) ?? []
  if (!year) return null
  const utc = new Date(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  // Cameras without a clock write zeros; the 30th of February is no day either.
  if (Number.isNaN(utc.getTime()) || utc.toISOString().slice(8, 10) !== date || year < '1900') return null
  if (typeof ahead === 'string' && offset.test(ahead.trim()))
    return new Date(`${year}-${month}-${date}T${hour}:${minute}:${second}${ahead.trim()}`).toISOString()
  const at = new Date(instantAt(`${year}-${month}-${date}`, Number(hour) * 60 + Number(minute), zone))
  return new Date(at.getTime() + Number(second) * 1000).toISOString()
}

function placeOf(lat: unknown, lng: unknown): Exif['place'] {
  const isPlace =
    typeof lat === 'number' &&
    typeof lng === 'number' &&
    Math.abs(lat) <= 90 &&
    Math.abs(lng) <= 180 &&
    // Phones that have found no satellite yet write zeros.
    (lat !== 0 || lng !== 0)
  return isPlace ? { lat, lng } : null
}
