import { Transformer } from '@napi-rs/image'
import exifr from 'exifr'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileSentences } from '../../contract/files.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { aFile, anAttachment, type FileAnswer, sendWhole } from '../../test/support/files.ts'
import {
  aPhonePhoto,
  aPicture,
  aWebp,
  exifOf,
  exifSegment,
  pngChunk,
  segment,
  webpChunk,
  withChunks,
  withSegments,
} from '../../test/support/pictures.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startBusiness())
})
afterAll(() => app.stop())

const send = (bytes: Uint8Array, name: string, more: Record<string, unknown> = {}) =>
  sendWhole(app, people.office, bytes, name, more)
const sentence = async (bytes: Uint8Array, name: string) => {
  const { status, errors } = await send(bytes, name)
  return [status, errors[0]?.message]
}
/** The bytes as the API serves them. */
async function served(file: FileAnswer, size = 'file'): Promise<Buffer> {
  const answer = await app.fastify.inject({
    url: `/api/v2/Files/Content/${file.guid}?size=${size}`,
    headers: people.office.headers,
  })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}
const pixelsOf = (bytes: Buffer) => new Transformer(bytes).rawPixels()
/** Everything by which a file may tell where it was taken: names, numbers in text, and the numbers of Exif. */
const places = [
  'GPS',
  '33.857',
  '151.21',
  '33,51',
  'ftyp',
  'Sydney',
  'Phone 7',
  'MPF\0',
  exifOf().toString('latin1', 130),
]
const tellsOf = (bytes: Buffer) => places.filter((text) => bytes.toString('latin1').includes(text))

describe('a photo', () => {
  test('keeps its dots and loses where, by what and, behind its end, everything', async () => {
    const photo = await aPhonePhoto({ orientation: 6, takenAt: '2026:03:01 09:30:15', offset: '+11:00' }, 80, 60)
    expect(tellsOf(photo).length).toBeGreaterThan(5)
    const file = await aFile(app, people.office, photo, 'gate.jpeg')
    expect(file).toMatchObject({
      name: 'gate.jpeg',
      mime: 'image/jpeg',
      // Upright: it was taken on its side.
      width: 60,
      height: 80,
      takenAt: '2026-02-28T22:30:15.000Z',
      lat: null,
      lng: null,
    })
    const bytes = await served(file)
    expect(tellsOf(bytes)).toEqual([])
    expect(await exifr.gps(bytes)).toBeUndefined()
    expect(await exifr.parse(bytes, { translateValues: false })).toEqual({ Orientation: 6 })
    expect(bytes.length).toBe(file.bytes)
    expect((await pixelsOf(bytes)).equals(await pixelsOf(photo))).toBe(true)
  })

  test('keeps its profile and colours, and is taken when the clock of the business says so', async () => {
    const profile = segment(0xe2, Buffer.from('ICC_PROFILE\0\u0001\u0001profile', 'latin1'))
    const adobe = segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\u0001', 'latin1'))
    const photo = withSegments(
      await aPicture('jpeg'),
      exifSegment({ takenAt: '2026:07:01 12:00:00' }),
      profile,
      adobe,
      segment(0xec, Buffer.from('Ducky', 'latin1')),
    )
    const file = await aFile(app, people.office, photo, 'a.jpg')
    const bytes = await served(file)
    expect([bytes.includes(profile), bytes.includes(adobe), bytes.includes('Exif'), bytes.includes('Ducky')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    // Noon in Sydney in winter.
    expect(file.takenAt).toBe('2026-07-01T02:00:00.000Z')
  })

  test('without a time of its own was taken when the browser says, unless that is yet to come', async () => {
    const plain = await aPicture('jpeg')
    const taken = async (takenAt: string) => ok(await send(plain, 'a.jpg', { takenAt }), 201).file?.takenAt
    expect(await taken('2026-01-01T10:00:00+10:00')).toBe('2026-01-01T00:00:00.000Z')
    expect(await taken('2999-01-01T00:00:00Z')).toBeNull()
    const zeros = withSegments(plain, exifSegment({ takenAt: '0000:00:00 00:00:00' }))
    expect((await aFile(app, people.office, zeros, 'a.jpg')).takenAt).toBeNull()
    const impossible = withSegments(plain, exifSegment({ takenAt: '2026:02:30 10:00:00' }))
    expect((await aFile(app, people.office, impossible, 'a.jpg')).takenAt).toBeNull()
    const broken = withSegments(plain, segment(0xe1, Buffer.from('Exif\0\0MM\0*\0\0\0\u0008\xff\xff', 'latin1')))
    expect((await aFile(app, people.office, broken, 'a.jpg')).takenAt).toBeNull()
    expect((await send(plain, 'a.jpg', { takenAt: 'yesterday' })).errors[0]?.path).toBe('takenAt')
  })

  test('that is progressive, or has restarts and fill bytes, is walked to its end', async () => {
    const jpeg = await aPicture('jpeg', 32, 32)
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff]), jpeg.subarray(2)])
    expect((await aFile(app, people.office, filled, 'fill.jpg')).width).toBe(32)
    const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const twice = Buffer.concat([jpeg.subarray(0, -2), jpeg.subarray(scan)])
    expect((await aFile(app, people.office, twice, 'scans.jpg')).bytes).toBe(twice.length)
  })
})

describe('where a photo was taken', () => {
  const photo = aPhonePhoto({ orientation: 3, takenAt: '2026:03:01 09:30:15' })
  const choose = async (photoLocation: string) => {
    const { items } = ok(await app.call<{ items: { guid: string }[] }>(people.administrator, 'GET', '/Businesses'))
    const path = `/Businesses/${items[0]?.guid}`
    const { business } = ok(await app.call<{ business: { version: number } }>(people.administrator, 'GET', path))
    const sent = { version: business.version, photoLocation }
    return app.call(people.administrator, 'PATCH', path, sent)
  }

  test('is kept with the original when the business wants it, for those with the right alone', async () => {
    expect((await choose('nowhere')).errors[0]?.path).toBe('photoLocation')
    ok(await choose('keep'))
    const current = await app.call<{ business: { photoLocation: string } }>(people.sales, 'GET', '/Businesses/Current')
    expect(ok(current).business.photoLocation).toBe('keep')
    const customer = await aCustomer(app, people.office)
    const quote = await aSentQuote(app, people.office, customer.guid)
    const file = await aFile(app, people.office, await photo, 'place.jpg')
    expect([file.lat?.toFixed(4), file.lng?.toFixed(4)]).toEqual(['-33.8570', '151.2153'])
    const { guid } = await anAttachment(app, people.office, ['Quotes', quote.guid], { forCustomer: true }, file)
    const asSales = await app.call<{ items: { file: FileAnswer }[] }>(
      people.sales,
      'GET',
      `/Files/Attachments?noun=Quotes&owner=${quote.guid}`,
    )
    expect(ok(asSales).items[0]?.file).toMatchObject({ lat: null, lng: null })
    expect(guid).toBeTruthy()
    expect((await served(file, 'original')).equals(await photo)).toBe(true)
    const path = `/Files/Content/${file.guid}?size=original`
    expect((await app.call(people.sales, 'GET', path)).status).toBe(403)
    expect((await app.call(people.readOnly, 'GET', path)).status).toBe(403)
    expect((await app.call(people.guest, 'GET', `${path}&link=${quote.serviceGuid}`)).status).toBe(403)
    const shown = await app.fastify.inject({
      url: `/api/v2/Files/Content/${file.guid}?link=${quote.serviceGuid}`,
      headers: people.guest.headers,
    })
    expect([shown.statusCode, tellsOf(shown.rawPayload)]).toEqual([200, []])
  })

  test('is nowhere when it is not wanted, and there is no original', async () => {
    ok(await choose('strip'))
    const file = await aFile(app, people.office, await photo, 'place.jpg')
    expect([file.lat, file.lng, file.takenAt !== null]).toEqual([null, null, true])
    expect((await app.call(people.office, 'GET', `/Files/Content/${file.guid}?size=original`)).status).toBe(404)
  })
})

describe('a PNG', () => {
  test('loses texts, times and Exif, and what is behind its end', async () => {
    const png = await aPicture('png')
    const told = Buffer.concat([
      withChunks(
        png,
        pngChunk('tEXt', Buffer.from('Comment\0GPS 33.857 151.21', 'latin1')),
        pngChunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0Sydney', 'latin1')),
        pngChunk('eXIf', exifOf({ takenAt: '2026:03:01 09:30:15', offset: '+11:00' })),
        pngChunk('tIME', Buffer.from([7, 234, 3, 1, 9, 30, 15])),
        pngChunk('pHYs', Buffer.from([0, 0, 11, 19, 0, 0, 11, 19, 1])),
        pngChunk('prVt', Buffer.from('GPS', 'latin1')),
      ),
      Buffer.from('PK\u0003\u0004 GPS behind the end'),
    ])
    const file = await aFile(app, people.office, told, 'plan.png')
    const bytes = await served(file)
    expect(tellsOf(bytes)).toEqual([])
    expect([file.takenAt, file.width, file.height]).toEqual(['2026-02-28T22:30:15.000Z', 64, 48])
    expect([bytes.includes('pHYs'), bytes.includes('tIME'), bytes.includes('prVt')]).toEqual([true, false, false])
    expect((await pixelsOf(bytes)).equals(await pixelsOf(png))).toBe(true)
    expect(bytes.subarray(-8, -4).toString('latin1')).toBe('IEND')
  })

  test('is refused when a part of it is cut off or changed', async () => {
    const png = await aPicture('png')
    const changed = Buffer.from(png)
    const at = png.indexOf('IDAT') + 6
    changed[at] = (changed[at] ?? 0) ^ 0xff
    for (const broken of [png.subarray(0, -4), png.subarray(0, 60), changed])
      expect(await sentence(broken, 'a.png')).toEqual([422, fileSentences.damagedPicture])
  })
})

describe('a WebP', () => {
  test('loses Exif and XMP, and stops promising them', async () => {
    const plain = await aPicture('webp', 30, 20, 255)
    const picture = plain.subarray(plain.indexOf('VP8 '))
    const head = Buffer.alloc(10)
    head[0] = 0x08 | 0x04 | 0x20
    head[4] = 29
    head[7] = 19
    const told = Buffer.concat([
      aWebp(
        webpChunk('VP8X', head),
        webpChunk('ICCP', Buffer.from('profile')),
        picture,
        webpChunk('EXIF', exifOf({ takenAt: '2026:03:01 09:30:15', offset: '+00:00' })),
        webpChunk('XMP ', Buffer.from('GPS Sydney')),
      ),
      Buffer.from('GPS 33.857'),
    ])
    const file = await aFile(app, people.office, told, 'a.webp')
    const bytes = await served(file)
    expect(tellsOf(bytes)).toEqual([])
    expect([file.mime, file.takenAt, file.width, file.height]).toEqual([
      'image/webp',
      '2026-03-01T09:30:15.000Z',
      30,
      20,
    ])
    expect(bytes[bytes.indexOf('VP8X') + 8]).toBe(0x20)
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
    expect((await pixelsOf(bytes)).equals(await pixelsOf(told))).toBe(true)
    expect(await sentence(plain.subarray(0, -10), 'a.webp')).toEqual([422, fileSentences.damagedPicture])
  })

  test('that moves hides nothing within its frames', async () => {
    const plain = await aPicture('webp', 30, 20, 255)
    const picture = plain.subarray(plain.indexOf('VP8 '))
    const head = Buffer.alloc(10)
    head[0] = 0x02
    head[4] = 29
    head[7] = 19
    const place = Buffer.alloc(16)
    place[6] = 29
    place[9] = 19
    const frame = webpChunk('ANMF', Buffer.concat([place, picture, webpChunk('HIDE', Buffer.from('GPS Sydney'))]))
    const moving = aWebp(webpChunk('VP8X', head), webpChunk('ANIM', Buffer.alloc(6)), frame)
    const bytes = await served(await aFile(app, people.office, moving, 'a.webp'))
    expect([tellsOf(bytes), bytes.includes('ANMF'), bytes.includes('HIDE')]).toEqual([[], true, false])
  })
})

/** A PNG of one bit a dot, so that fifty megapixels are a small file. */
function aLargePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

describe('the size of a picture', () => {
  test('is fifty megapixels at most, by its header alone', async () => {
    expect(await aFile(app, people.office, aLargePng(8000, 6250), 'large.png')).toMatchObject({
      width: 8000,
      height: 6250,
    })
    expect(await sentence(aLargePng(8000, 6251), 'larger.png')).toEqual([422, fileSentences.pixels])
    // What would be there to unpack need not be there at all.
    const header = aLargePng(60_000, 60_000).subarray(0, 33)
    expect(await sentence(Buffer.concat([header, pngChunk('IDAT', Buffer.alloc(1))]), 'bomb.png')).toEqual([
      422,
      fileSentences.pixels,
    ])
    const jpeg = await aPicture('jpeg')
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    const sized = (width: number, height: number) => {
      const bytes = Buffer.from(jpeg)
      bytes.writeUInt16BE(height, frame + 5)
      bytes.writeUInt16BE(width, frame + 7)
      return bytes
    }
    expect(await sentence(sized(8000, 6251), 'bomb.jpg')).toEqual([422, fileSentences.pixels])
    expect(await sentence(sized(8000, 0), 'flat.jpg')).toEqual([422, fileSentences.damagedPicture])
    const second = sized(100, 100).subarray(frame, frame + 19)
    const twice = Buffer.concat([jpeg.subarray(0, frame), second, jpeg.subarray(frame)])
    expect(await sentence(twice, 'two.jpg')).toEqual([422, fileSentences.damagedPicture])
  })
})

describe('what a file is', () => {
  const zip = (...names: string[]) =>
    Buffer.concat([
      ...names.map((name) => {
        const head = Buffer.alloc(30)
        head.writeUInt32LE(0x04034b50)
        head.writeUInt16LE(name.length, 26)
        return Buffer.concat([head, Buffer.from(name, 'latin1')])
      }),
      Buffer.from('PK\u0005\u0006', 'latin1'),
      Buffer.alloc(18),
    ])

  test('is told by its bytes, whatever its name says', async () => {
    const typed = async (bytes: Uint8Array, name: string) => {
      const { file } = ok(await send(bytes, name), 201)
      return [file?.mime, file?.name]
    }
    expect(await typed(Buffer.from('%PDF-1.7\n1 0 obj'), 'plan.jpg')).toEqual(['application/pdf', 'plan.pdf'])
    expect(await typed(await aPicture('png'), 'photo.jpg')).toEqual(['image/png', 'photo.png'])
    expect(await typed(Buffer.from('a,b\n1,2\n'), 'rows.csv')).toEqual(['text/csv', 'rows.csv'])
    expect(await typed(Buffer.from('a,b\n1,2\n'), 'rows.dat')).toEqual(['text/plain', 'rows.txt'])
    expect(await typed(Buffer.from('<!doctype html><script>1</script>'), 'run.html')).toEqual(['text/plain', 'run.txt'])
    const drawing = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    expect(await typed(Buffer.from(drawing), 'logo.svg')).toEqual(['text/plain', 'logo.txt'])
    expect(await typed(Buffer.from('#!/bin/sh\nrm -rf /'), 'go.sh')).toEqual(['text/plain', 'go.txt'])
    expect(await typed(Buffer.from('\ufeffcafé'), 'word')).toEqual(['text/plain', 'word.txt'])
  })

  test('must be one of those that are accepted', async () => {
    const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1')
    expect(await sentence(heic, 'IMG_1.jpg')).toEqual([422, fileSentences.heic])
    const refused: [string, Buffer][] = [
      ['program', Buffer.from('MZ\x90\0\u0003\0\0\0', 'latin1')],
      ['moving picture', Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0;', 'latin1')],
      ['archive', zip('a.txt')],
      ['text of another encoding', Buffer.from('caf\xe9', 'latin1')],
      ['text with zeros', Buffer.from('a\0b')],
      ['half a letter', Buffer.from([0xc3])],
    ]
    for (const [name, bytes] of refused)
      expect([name, await sentence(bytes, 'a.txt')]).toEqual([name, [422, fileSentences.type]])
  })

  test('is refused when a picture begins as one thing and ends as another, or is cut off', async () => {
    const jpeg = await aPicture('jpeg')
    for (const bytes of [
      jpeg.subarray(0, -2),
      jpeg.subarray(0, 30),
      Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
      Buffer.from([0xff, 0xd8, 0xff]),
    ])
      expect(await sentence(bytes, 'a.jpg')).toEqual([422, fileSentences.damagedPicture])
    // A page behind a picture is cut off with everything else there.
    const both = await aFile(
      app,
      people.office,
      Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]),
      'a.html',
    )
    expect((await served(both)).includes('script')).toBe(false)
    expect(both.name).toBe('a.jpg')
    const comment = withSegments(jpeg, segment(0xfe, Buffer.from('*/=alert(1)//')))
    expect((await served(await aFile(app, people.office, comment, 'a.js'))).includes('alert')).toBe(false)
  })
})
