import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { startBusiness } from '../../test/support/factories.ts'
import { aFile } from '../../test/support/files.ts'
import { startS3 } from '../../test/support/s3.ts'
import type { Running } from '../../test/support/start.ts'
import { makeS3 } from '../core/adapters/files-s3.ts'
import { moveFiles } from './move.ts'
import { allNamed } from './references.ts'

let bucket: Awaited<ReturnType<typeof startS3>>
let app: Running
let people: Actors
beforeAll(async () => {
  bucket = await startS3()
  ;({ app, actors: people } = await startBusiness())
})
afterAll(async () => {
  await app.stop()
  await bucket.stop()
})

test('files move to a bucket whole, once, and what is gone is named', async () => {
  const kept = [await aFile(app, people.office), await aFile(app, people.office)].map(({ sha256 }) => sha256)
  const lost = (await aFile(app, people.office)).sha256
  await app.deps.files.remove(lost)
  const to = makeS3(bucket.access)
  const move = () => moveFiles(allNamed(app.deps.db), app.deps.files, to)
  expect(await move()).toEqual({ copied: 2, skipped: 0, missing: [lost] })
  for (const sha256 of kept)
    expect(
      createHash('sha256')
        .update((await to.get(sha256)) ?? '')
        .digest('hex'),
    ).toBe(sha256)
  // What was damaged on its way is copied again; a third file came meanwhile.
  bucket.objects.set(`kept/${kept[0]}`, Buffer.from('fals'))
  const { sha256: late } = await aFile(app, people.office)
  expect(await move()).toEqual({ copied: 2, skipped: 1, missing: [lost] })
  expect(await to.get(late)).not.toBeNull()
  expect(await move()).toEqual({ copied: 0, skipped: 3, missing: [lost] })
})
