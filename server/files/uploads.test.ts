import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileSentences, maxFileBytes } from '../../contract/files.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aSecondApp, ok, startBusiness } from '../../test/support/factories.ts'
import { aFile, anUpload, finish, partOf, sendPart, sendWhole } from '../../test/support/files.ts'
import { aJpegOf, aPicture } from '../../test/support/pictures.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startBusiness())
})
afterAll(() => app.stop())

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const start = (body: Record<string, unknown>) =>
  app.call(people.office, 'POST', '/Files', { clientKey: randomUUID(), fileName: 'a.txt', bytes: 5, ...body })
const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(app.deps.db)).rows[0]?.n

describe('a small file', () => {
  test('arrives in one call, and is the same file when it is sent again', async () => {
    const clientKey = randomUUID()
    const bytes = Buffer.from('Gate code: ask at the office.')
    const first = ok(await sendWhole(app, people.office, bytes, 'gate.txt', { clientKey }), 201).file
    expect(first).toMatchObject({
      name: 'gate.txt',
      mime: 'text/plain',
      bytes: bytes.length,
      sha256: hashOf(bytes),
      hasThumb: false,
      hasView: false,
      width: null,
      takenAt: null,
      scan: 'off',
      createdBy: { guid: people.office.userGuid, name: 'office' },
    })
    expect(ok(await sendWhole(app, people.office, bytes, 'gate.txt', { clientKey }), 201).file).toEqual(first)
    const other = await sendWhole(app, people.office, bytes, 'other.txt', { clientKey })
    expect([other.status, other.message]).toEqual([409, fileSentences.otherFile])
    const longer = await sendWhole(app, people.office, Buffer.concat([bytes, bytes]), 'gate.txt', { clientKey })
    expect([longer.status, longer.message]).toEqual([409, fileSentences.otherFile])
    // The key is each sender's own.
    const another = ok(await sendWhole(app, people.sales, bytes, 'gate.txt', { clientKey }), 201).file
    expect(another?.guid).not.toBe(first?.guid)
    expect(another?.sha256).toBe(first?.sha256)
  })

  test('is made once of two that arrive together', async () => {
    const clientKey = randomUUID()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => sendWhole(app, people.office, Buffer.from('together'), 'a.txt', { clientKey })),
    )
    expect(new Set(answers.map((a) => ok(a, 201).file?.guid)).size).toBe(1)
  })

  test('must be as long as was said, have something in it, and not be too large', async () => {
    const short = await start({ bytes: 6, base64: Buffer.from('hello').toString('base64') })
    expect([short.status, short.errors[0]?.message]).toEqual([422, fileSentences.damaged])
    expect((await start({ bytes: 0 })).errors[0]).toEqual({ path: 'bytes', message: 'This file is empty.' })
    expect((await start({ bytes: maxFileBytes + 1 })).errors[0]).toEqual({
      path: 'bytes',
      message: 'Choose a file of up to 25 MB.',
    })
    expect((await start({ bytes: maxFileBytes })).status).toBe(201)
    expect((await start({ base64: 'not base64!' })).errors[0]?.path).toBe('base64')
  })

  test('keeps a name that is safe to show and to save', async () => {
    const named = async (fileName: string) => (await aFile(app, people.office, Buffer.from('words'), fileName)).name
    expect(await named('run.html')).toBe('run.txt')
    expect(await named('../../etc/passwd')).toBe('etcpasswd.txt')
    expect(await named('..\\..\\boot.ini')).toBe('boot.txt')
    expect(await named('.htaccess')).toBe('htaccess.txt')
    expect(await named('a\u0000b\r\nc.txt')).toBe('abc.txt')
    expect(await named('invoice\u202Etxt.exe')).toBe('invoicetxt.txt')
    expect(await named('cafe\u0301.TXT')).toBe('café.TXT')
    expect(await named('\u0007')).toBe('file.txt')
    expect(await named('📄'.repeat(100))).toMatch(/\.txt$/)
    expect((await named('x'.repeat(200))).length).toBe(200)
    expect((await start({ fileName: 'x'.repeat(201) })).errors[0]?.path).toBe('fileName')
    expect((await start({ fileName: '\ud800.txt', base64: 'aGVsbG8=' })).errors[0]?.path).toBe('fileName')
  })
})

describe('a larger file', () => {
  test('arrives in parts, in any order, and is made of them once: 3,000,000 bytes, of which 412 go', async () => {
    const photo = await aJpegOf(3_000_000, 412)
    const upload = await anUpload(app, people.office, photo.length, 'site.jpg')
    expect(upload).toMatchObject({ bytes: 3_000_000, partBytes: 524_288, parts: 6, received: [] })
    for (const index of [5, 0, 3]) ok(await sendPart(app, people.office, upload.guid, photo, index))
    const early = await finish(app, people.office, upload.guid)
    expect([early.status, early.message]).toEqual([409, '3 parts of this file are missing. Continue the upload.'])
    for (const index of [1, 2]) ok(await sendPart(app, people.office, upload.guid, photo, index))
    const one = await finish(app, people.office, upload.guid)
    expect(one.message).toBe('1 part of this file is missing. Continue the upload.')
    expect(ok(await sendPart(app, people.office, upload.guid, photo, 4)).upload.received).toEqual([0, 1, 2, 3, 4, 5])
    const { file } = ok(await finish(app, people.office, upload.guid, hashOf(photo).toUpperCase()), 201)
    expect(file).toMatchObject({ name: 'site.jpg', mime: 'image/jpeg', bytes: 2_999_588, width: 640, height: 480 })
    const stored = await app.deps.files.get(file.sha256)
    expect(stored?.byteLength).toBe(2_999_588)
    expect(await count('upload_parts')).toBe(0)
    // Whoever did not hear the answers asks again.
    expect(ok(await finish(app, people.office, upload.guid), 201).file.guid).toBe(file.guid)
    expect(ok(await sendPart(app, people.office, upload.guid, photo, 2)).upload.received).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('takes the same part twice, and not another one in its place', async () => {
    const bytes = Buffer.alloc(600_000, 'a')
    const upload = await anUpload(app, people.office, bytes.length, 'long.txt')
    ok(await sendPart(app, people.office, upload.guid, bytes, 0))
    expect(ok(await sendPart(app, people.office, upload.guid, bytes, 0)).upload.received).toEqual([0])
    const other = await sendPart(app, people.office, upload.guid, Buffer.alloc(600_000, 'b'), 0)
    expect([other.status, other.message]).toEqual([409, fileSentences.otherPart])
    const send = (index: number, part: Buffer) =>
      app.call(people.office, 'POST', `/Files/Parts/${upload.guid}`, { index, base64: part.toString('base64') })
    expect((await send(1, bytes.subarray(0, 75_711))).errors[0]?.path).toBe('base64')
    expect((await send(1, Buffer.alloc(0))).errors[0]?.path).toBe('base64')
    expect((await send(2, bytes.subarray(0, 10))).errors[0]?.path).toBe('index')
    expect((await send(50, bytes.subarray(0, 10))).errors[0]?.path).toBe('index')
    expect((await send(-1, bytes.subarray(0, 10))).errors[0]?.path).toBe('index')
  })

  test('is one file when it is finished twice at once, and one when parts race', async () => {
    const bytes = Buffer.alloc(1_200_000, 'x')
    const upload = await anUpload(app, people.office, bytes.length, 'race.txt')
    const parts = await Promise.all([0, 1, 2, 0, 1, 2].map((i) => sendPart(app, people.office, upload.guid, bytes, i)))
    expect(parts.map((p) => p.status)).toEqual(Array(6).fill(200))
    const before = await count('files')
    const answers = await Promise.all([1, 2, 3, 4].map(() => finish(app, people.office, upload.guid)))
    expect(new Set(answers.map((a) => ok(a, 201).file.guid)).size).toBe(1)
    expect(await count('files')).toBe((before ?? 0) + 1)
  })

  test('goes on in another process', async () => {
    const second = await aSecondApp(app)
    try {
      const bytes = Buffer.alloc(1_100_000, 'y')
      const clientKey = randomUUID()
      const upload = await anUpload(app, people.office, bytes.length, 'half.txt', clientKey)
      ok(await sendPart(app, people.office, upload.guid, bytes, 0))
      const again = await second.call(people.office, 'POST', '/Files', {
        clientKey,
        fileName: 'half.txt',
        bytes: bytes.length,
      })
      expect(JSON.parse(again.body)).toMatchObject({ serviceData: { upload: { guid: upload.guid, received: [0] } } })
      for (const index of [1, 2]) {
        const sent = { index, base64: partOf(bytes, index) }
        expect((await second.call(people.office, 'POST', `/Files/Parts/${upload.guid}`, sent)).status).toBe(200)
      }
      const made = await second.call(people.office, 'POST', `/Files/Finish/${upload.guid}`, {})
      expect(made.status).toBe(201)
      expect(ok(await finish(app, people.office, upload.guid), 201).file.sha256).toBe(hashOf(bytes))
    } finally {
      await second.close()
    }
  })

  test('is whoever sends it alone, and is refused when its hash is another', async () => {
    const bytes = Buffer.alloc(10, 'z')
    const upload = await anUpload(app, people.office, bytes.length, 'own.txt')
    expect((await sendPart(app, people.sales, upload.guid, bytes, 0)).status).toBe(404)
    ok(await sendPart(app, people.office, upload.guid, bytes, 0))
    expect((await finish(app, people.sales, upload.guid)).status).toBe(404)
    const wrong = await finish(app, people.office, upload.guid, hashOf(Buffer.from('other')))
    expect([wrong.status, wrong.errors[0]?.message]).toEqual([422, fileSentences.damaged])
    expect((await finish(app, people.office, upload.guid, 'no hash')).errors[0]?.path).toBe('sha256')
    expect((await finish(app, people.office, randomUUID())).status).toBe(404)
    ok(await finish(app, people.office, upload.guid, hashOf(bytes)), 201)
  })

  test('gives up the oldest of very many that were never finished', async () => {
    const first = await anUpload(app, people.field, 600_000, 'first.txt')
    for (let i = 0; i < 50; i++) await anUpload(app, people.field, 600_000, `${i}.txt`)
    expect((await finish(app, people.field, first.guid)).status).toBe(404)
    const open = sql<{ n: number }>`select count(*)::int as n from uploads where actor_guid = ${people.field.userGuid}`
    expect((await open.execute(app.deps.db)).rows[0]?.n).toBe(50)
  })
})

test('equal bytes are two files and one stored object', async () => {
  const picture = await aPicture('png', 20, 20)
  const [one, two] = [
    await aFile(app, people.office, picture, 'one.png'),
    await aFile(app, people.office, picture, 'two.png'),
  ]
  expect(one.guid).not.toBe(two.guid)
  expect(one.sha256).toBe(two.sha256)
})

test('only people who may send files do, and guests never', async () => {
  const statuses = await Promise.all(
    [people.office, people.sales, people.field, people.accountant, people.readOnly, people.emptyRole, people.guest].map(
      async (who) => (await sendWhole(app, who, Buffer.from('a'), 'a.txt')).status,
    ),
  )
  expect(statuses).toEqual([201, 201, 201, 201, 403, 403, 403])
  expect((await sendWhole(app, null, Buffer.from('a'), 'a.txt')).status).toBe(401)
})
