import { createHash } from 'node:crypto'
import { invalid } from '../../contract/core/errors.ts'
import { cleanName, fileSentences, type FileType, isPictureType, type PictureType } from '../../contract/files.ts'
import type { BusinessRow } from '../core/business.ts'
import { unreachable } from '../core/adapters/files.ts'
import type { Ctx } from '../core/ctx.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { readExif } from './exif.ts'
import { orientationSegment, walkJpeg } from './jpeg.ts'
import type { Walked } from './picture.ts'
import { walkPng } from './png.ts'
import { typeOf } from './types.ts'
import { walkWebp } from './webp.ts'

/** Bytes as they arrived, with what was said of them. */
export interface Arrived {
  bytes: Buffer
  /** How many there should be. */
  expected: number
  /** Their hash as the sender knows it. */
  sha256?: string | null | undefined
  fileName: string
  /** When the browser says the file was last changed. */
  takenAt: string | null
}

/** What is written of a file, its bytes being in the store. */
export interface Received {
  name: string
  mime: FileType
  bytes: number
  sha256: string
  originalSha256: string | null
  width: number | null
  height: number | null
  takenAt: string | null
  lat: number | null
  lng: number | null
}

type House = Pick<BusinessRow, 'timeZone' | 'photoLocation'>

/**
 * Length, hash, type, pixels, then what pictures say of themselves is taken out; only what is left is kept. Nothing
 * reaches the store before that.
 */
export async function receive(ctx: Ctx, arrived: Arrived, house: House): Promise<Received> {
  const { bytes, expected, sha256, fileName } = arrived
  if (bytes.byteLength !== expected) throw invalid('file', fileSentences.damaged)
  if (sha256 && hashOf(bytes) !== sha256.toLowerCase()) throw invalid('file', fileSentences.damaged)
  const mime = await typeOf(bytes, fileName)
  const name = cleanName(fileName, mime)
  if (!isPictureType(mime)) {
    const kept = await put(ctx, bytes, mime)
    return { name, mime, bytes: bytes.byteLength, sha256: kept, ...noPicture }
  }
  const { stripped, takenAt, place, ...size } = await strip(bytes, mime, house.timeZone)
  const isKept = house.photoLocation === 'keep'
  return {
    name,
    mime,
    bytes: stripped.byteLength,
    sha256: await put(ctx, stripped, mime),
    originalSha256: isKept ? await put(ctx, bytes, mime) : null,
    ...size,
    takenAt: takenAt ?? notAhead(arrived.takenAt, ctx.now),
    lat: isKept && place ? place.lat : null,
    lng: isKept && place ? place.lng : null,
  }
}

const noPicture = { originalSha256: null, width: null, height: null, takenAt: null, lat: null, lng: null }
const walks: Record<PictureType, (bytes: Uint8Array) => Walked> = {
  'image/jpeg': walkJpeg,
  'image/png': walkPng,
  'image/webp': walkWebp,
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** A clock that goes wrong says nothing. */
const notAhead = (at: string | null, now: Date) =>
  at !== null && new Date(at) <= now ? new Date(at).toISOString() : null

async function put(ctx: Ctx, bytes: Uint8Array, mime: string): Promise<string> {
  try {
    return (await keepBytes(ctx, bytes, mime)).sha256
  } catch (cause) {
    throw unreachable(cause)
  }
}

/** The same picture without what it says of place, time and camera; only how it is turned stays, where that shows. */
async function strip(bytes: Buffer, mime: PictureType, zone: string) {
  const { kept, width, height, exif } = walks[mime](bytes)
  const { orientation, takenAt, place } = await readExif(exif, zone)
  const isTurned = mime === 'image/jpeg' && orientation !== 1
  if (isTurned) kept.splice(behindFirst(kept), 0, orientationSegment(orientation))
  const isOnItsSide = isTurned && orientation >= 5
  return {
    stripped: Buffer.concat(kept),
    width: isOnItsSide ? height : width,
    height: isOnItsSide ? width : height,
    takenAt,
    place,
  }
}

/** Exif stands behind the start of the picture, and behind the density where a JPEG begins with it. */
const behindFirst = (kept: readonly Uint8Array[]) => (kept[1]?.[1] === 0xe0 ? 2 : 1)
