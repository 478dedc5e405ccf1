import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import { startS3 } from '../../../test/support/s3.ts'
import { type FileStore, makeFolder } from './files.ts'
import { makeS3 } from './files-s3.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'brolga-files-'))
let bucket: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  bucket = await startS3()
})
afterAll(async () => {
  await bucket.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
afterEach(() => void bucket.asked())

interface Tried {
  store: () => FileStore
  damage: (sha256: string) => void
}
const folder: Tried = {
  store: () => makeFolder(dataDir),
  damage: (sha256) => writeFileSync(join(dataDir, 'files', sha256.slice(0, 2), sha256), 'fals'),
}
const s3: Tried = {
  store: () => makeS3(bucket.access),
  damage: (sha256) => void bucket.objects.set(`kept/${sha256}`, Buffer.from('fals')),
}

describe.each([
  ['a folder', folder],
  ['a bucket', s3],
] as const)('files in %s', (_name, { store, damage }) => {
  it('gives back what it was given, once for the same bytes', async () => {
    const files = store()
    const bytes = Buffer.from('a plan of the site')
    const [a, b] = await Promise.all([files.put(bytes, 'text/plain'), files.put(bytes, 'text/plain')])
    expect(a).toEqual(b)
    expect(a.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(Buffer.from((await files.get(a.sha256)) ?? []).toString()).toBe('a plan of the site')
  })
  it('takes a file of 25 MB, and one of a single byte', async () => {
    const files = store()
    for (const bytes of [Buffer.alloc(26_214_400, 7), Buffer.from([0])]) {
      const { sha256 } = await files.put(bytes, 'application/pdf')
      expect(bytes.equals((await files.get(sha256)) ?? new Uint8Array())).toBe(true)
    }
  })
  it.each(['../../etc/passwd', '', 'x'.repeat(64), 'A'.repeat(64), '0'.repeat(64)])(
    'knows no file by another name: %s',
    async (name) => {
      expect(await store().get(name)).toBeNull()
      await store().remove(name)
    },
  )
  it('does not hand out bytes that are no longer what they were', async () => {
    const { sha256 } = await store().put(Buffer.from('true'), 'text/plain')
    damage(sha256)
    expect(await store().get(sha256)).toBeNull()
  })
  it('forgets what is removed, and removes it again without complaint', async () => {
    const files = store()
    const { sha256 } = await files.put(Buffer.from('gone soon'), 'text/plain')
    await files.remove(sha256)
    expect(await files.get(sha256)).toBeNull()
    await files.remove(sha256)
  })
})

// Each waits before it tries again, so they wait at the same time, each with a bucket of its own.
describe.concurrent('a bucket with faults', () => {
  const kept = Buffer.from('kept in spite of it')
  const nameOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const buckets: Awaited<ReturnType<typeof startS3>>[] = []
  afterAll(async () => void (await Promise.all(buckets.map((one) => one.stop()))))
  const aBucket = async () => {
    const own = await startS3()
    buckets.push(own)
    return own
  }

  it.each(['error', 'busy', 'reset'] as const)('is written and read at the third try: %s', async (fault) => {
    const bucket = await aBucket()
    const files = makeS3(bucket.access)
    bucket.fail(fault, fault)
    expect(await files.put(kept, 'text/plain')).toEqual({ sha256: nameOf(kept) })
    expect(bucket.asked()).toEqual(['PUT', 'PUT', 'PUT'])
    bucket.fail(fault, fault)
    expect(await files.get(nameOf(kept))).toEqual(new Uint8Array(kept))
    expect(bucket.asked()).toEqual(['GET', 'GET', 'GET'])
  })
  it.each(['cut', 'corrupt', 'stall'] as const)(
    'is asked again for what came damaged or not at all: %s',
    async (fault) => {
      const bucket = await aBucket()
      const files = makeS3(bucket.access)
      await files.put(kept, 'text/plain')
      bucket.asked()
      bucket.fail(fault)
      expect(await files.get(nameOf(kept))).toEqual(new Uint8Array(kept))
      expect(bucket.asked()).toEqual(['GET', 'GET'])
    },
  )
  it('is given up after three tries, with 503 and a sentence', async () => {
    const bucket = await aBucket()
    const files = makeS3(bucket.access)
    bucket.fail('error', 'error', 'error')
    const refused = await files.put(kept, 'text/plain').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({
      status: 503,
      message: 'Files can’t be reached right now. Try again in a moment.',
    })
    expect(bucket.asked()).toEqual(['PUT', 'PUT', 'PUT'])
  })
  it('never keeps a request that stalls beyond its time', async () => {
    const bucket = await aBucket()
    bucket.fail('stall', 'stall', 'stall')
    await expect(makeS3(bucket.access).get(nameOf(kept))).rejects.toMatchObject({ status: 503 })
    expect(bucket.asked()).toEqual(['GET', 'GET', 'GET'])
  })
  it('is not asked again by somebody it refuses', async () => {
    const bucket = await aBucket()
    const stranger = makeS3({ ...bucket.access, secretKey: 'a guess' })
    await expect(stranger.put(kept, 'text/plain')).rejects.toMatchObject({ status: 503 })
    await expect(stranger.get(nameOf(kept))).rejects.toMatchObject({ status: 503 })
    expect(bucket.asked()).toEqual(['PUT', 'GET'])
  })
  it('is unreachable where nobody listens', async () => {
    const bucket = await aBucket()
    const nowhere = makeS3({ ...bucket.access, bucketUrl: 'http://127.0.0.1:9/files' })
    await expect(nowhere.get(nameOf(kept))).rejects.toMatchObject({ status: 503 })
  })
})
