import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { startBusiness } from '../../test/support/factories.ts'
import { aFile } from '../../test/support/files.ts'
import { startS3 } from '../../test/support/s3.ts'
import type { Running } from '../../test/support/start.ts'
import { makeFolder } from '../core/adapters/files.ts'
import { makeS3 } from '../core/adapters/files-s3.ts'
import { backUp } from '../core/db/backup.ts'
import { checkBackup } from '../core/db/restore.ts'
import { filesToBackUp, missingFiles, putBack } from './backed-up.ts'

let bucket: Awaited<ReturnType<typeof startS3>>
let app: Running
let people: Actors
const base = mkdtempSync(join(tmpdir(), 'brolga-backed-up-'))
beforeAll(async () => {
  bucket = await startS3()
  const { accessKey, secretKey } = bucket.access
  const env = { FILES_URL: bucket.url, FILES_ACCESS_KEY: accessKey, FILES_SECRET_KEY: secretKey }
  ;({ app, actors: people } = await startBusiness({ env }))
})
afterAll(async () => {
  await app.stop()
  await bucket.stop()
  rmSync(base, { recursive: true, force: true })
})

let made = 0
async function take() {
  const folder = join(base, `backup-${++made}`)
  const files = filesToBackUp(app.deps.db, app.deps.files)
  await backUp({ owner: app.database.owner, dataDir: app.dataDir, keyFingerprint: 'abc', files }, folder)
  return { folder, manifest: await checkBackup(folder) }
}
const textOf = async (files: { get: (sha256: string) => Promise<Uint8Array | null> }, sha256: string) =>
  Buffer.from((await files.get(sha256)) ?? []).toString()

test('a backup has the files of a bucket, and a restore fills whichever store is set', async () => {
  const [kept, damaged] = [await aFile(app, people.office, Buffer.from('kept')), await aFile(app, people.office)]
  const lost = await aFile(app, people.office, Buffer.from('lost'), 'plan.txt')
  const infected = await aFile(app, people.office, Buffer.from('infected'))
  await app.deps.db.updateTable('files').set({ scan: 'infected' }).where('guid', '=', infected.guid).execute()
  for (const { sha256 } of [lost, infected]) await app.deps.files.remove(sha256)
  const { folder, manifest } = await take()
  expect(manifest.missing).toEqual([lost.sha256])

  // One of the backup's own files is damaged on the shelf: same length, other bytes.
  const shelf = join(folder, 'data', 'files', damaged.sha256.slice(0, 2), damaged.sha256)
  writeFileSync(shelf, Buffer.alloc(damaged.bytes, 'x'))
  const disk = makeFolder(join(base, 'disk'))
  const other = makeS3({ ...bucket.access, prefix: 'other/' })
  for (const store of [disk, other]) {
    const back = await putBack(folder, store)
    expect([...back]).toEqual([kept.sha256])
    expect(await textOf(store, kept.sha256)).toBe('kept')
    const missing = await missingFiles(app.database.owner, store, back)
    expect(missing.map(({ name }) => name).toSorted()).toEqual(['note.txt', 'plan.txt'])
    expect(missing.map(({ sha256 }) => sha256).toSorted()).toEqual([damaged.sha256, lost.sha256].toSorted())
  }
  // What the store has itself is not missing.
  expect(await missingFiles(app.database.owner, app.deps.files, new Set())).toEqual([
    { sha256: lost.sha256, name: 'plan.txt' },
  ])
})

test('a store that can’t be reached ends a restore before anything is done', async () => {
  const { folder } = await take()
  const nowhere = makeS3({ ...bucket.access, bucketUrl: 'http://127.0.0.1:9/files' })
  await expect(putBack(folder, nowhere)).rejects.toMatchObject({ status: 503 })
})

test('what a disk damaged without changing its length is written anew', async () => {
  const disk = makeFolder(join(base, 'rotten'))
  const { sha256 } = await disk.put(Buffer.from('true'), 'text/plain')
  writeFileSync(join(base, 'rotten', 'files', sha256.slice(0, 2), sha256), 'fals')
  expect(await disk.get(sha256)).toBeNull()
  await disk.put(Buffer.from('true'), 'text/plain')
  expect(await textOf(disk, sha256)).toBe('true')
})
