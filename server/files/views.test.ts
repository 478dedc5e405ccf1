import { Transformer } from '@napi-rs/image'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { seedActors, type Actors } from '../../test/support/actors.ts'
import { aBusiness } from '../../test/support/factories.ts'
import { aFile, type FileAnswer, sendWhole } from '../../test/support/files.ts'
import { aPhonePhoto, aPicture, pngChunk } from '../../test/support/pictures.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { findFile } from './shown.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  app = await startApp({ hasWorkers: true })
  await app.listen()
  people = await seedActors(app)
  await aBusiness(app)
})
afterAll(() => app.stop())

const drawn = (file: FileAnswer) =>
  vi.waitFor(
    async () => {
      const row = await findFile(app.deps.db, file.guid)
      if (!row?.thumbSha256) throw new Error('not drawn yet')
      return row
    },
    { timeout: 20_000, interval: 50 },
  )
async function served(file: FileAnswer, size: 'thumb' | 'view') {
  const answer = await app.fastify.inject({
    url: `/api/v2/Files/Content/${file.guid}?size=${size}`,
    headers: people.office.headers,
  })
  expect(answer.statusCode).toBe(200)
  const { width, height } = await new Transformer(answer.rawPayload).metadata()
  return { headers: answer.headers, bytes: answer.rawPayload, size: [width, height] }
}

describe('what is drawn of a picture', () => {
  test('is upright, small for lists and larger for screens', async () => {
    const photo = await aPhonePhoto({ orientation: 6 }, 2400, 1800)
    const file = await aFile(app, people.office, photo, 'large.jpg')
    await drawn(file)
    const view = await served(file, 'view')
    expect([view.size, view.headers['content-type']]).toEqual([[1200, 1600], 'image/jpeg'])
    const thumb = await served(file, 'thumb')
    expect(thumb.size).toEqual([240, 320])
    expect(view.bytes.includes('Exif') || thumb.bytes.includes('GPS')).toBe(false)
  }, 30_000)

  test('of a small one is itself, and what can be seen through is white', async () => {
    const file = await aFile(app, people.office, await aPicture('png', 100, 50, 0), 'clear.png')
    await drawn(file)
    const view = await served(file, 'view')
    expect([view.size, view.headers['content-type'], view.headers.etag]).toEqual([
      [100, 50],
      'image/png',
      `"${file.sha256}"`,
    ])
    const thumb = await served(file, 'thumb')
    expect([thumb.size, thumb.headers['content-type']]).toEqual([[100, 50], 'image/jpeg'])
    expect([...(await new Transformer(thumb.bytes).rawPixels()).subarray(0, 3)]).toEqual([255, 255, 255])
    expect(thumb.headers['content-disposition']).toContain('clear.jpg')
  }, 30_000)

  test('is nothing where the picture cannot be unpacked, and everything else goes on', async () => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(500)
    header.writeUInt32BE(500, 4)
    header[8] = 8
    const broken = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      pngChunk('IHDR', header),
      pngChunk('IDAT', Buffer.from('no picture')),
      pngChunk('IEND', Buffer.alloc(0)),
    ])
    const sent = await sendWhole(app, people.office, broken, 'broken.png')
    const after = await aFile(app, people.office, await aPicture('jpeg'), 'after.jpg')
    await drawn(after)
    expect((await findFile(app.deps.db, sent.data.file?.guid ?? ''))?.thumbSha256).toBeNull()
  }, 30_000)
})
