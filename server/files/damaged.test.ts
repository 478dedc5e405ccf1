import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredFiles } from '../../contract/maintenance.ts'
import { type Actors, aPerson, aPersonWho, aRole } from '../../test/support/actors.ts'
import { startClamd } from '../../test/support/clamd.ts'
import { aCustomer, aQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { aFile, anAttachment } from '../../test/support/files.ts'
import { caughtUp, heardDuring, openScreen } from '../../test/support/live.ts'
import { aPicture } from '../../test/support/pictures.ts'
import type { Running } from '../../test/support/start.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { scanFile } from './scan.ts'

let clamd: Awaited<ReturnType<typeof startClamd>>
let app: Running
let people: Actors
let customerGuid: string
let origin: string
beforeAll(async () => {
  clamd = await startClamd()
  ;({ app, actors: people, customerGuid } = await startBusiness({ env: { SCAN_URL: clamd.url } }))
  origin = await app.listen()
})
afterAll(async () => {
  await app.stop()
  await clamd.stop()
})

const ctx = () => openCtx(systemRun(app.deps, 'test'))
const seen = async () =>
  ok(await app.call<{ files: StoredFiles }>(people.administrator, 'GET', '/Maintenance/Files')).files
const check = async () =>
  ok(await app.call<{ files: StoredFiles }>(people.administrator, 'POST', '/Maintenance/Files/Check', {})).files

test('files that wait are counted, and damaged ones told to whoever operates until they are back', async () => {
  const [file, other] = [await aFile(app, people.office), await aFile(app, people.office)]
  expect(await seen()).toMatchObject({ waiting: 2, waitingSince: expect.any(String), damaged: [] })
  for (const { guid } of [file, other]) await scanFile(ctx(), guid)
  expect(await seen()).toEqual({ waiting: 0, waitingSince: null, damaged: [] })

  const whole = await app.deps.files.get(file.sha256)
  const path = join(app.dataDir, 'files', file.sha256.slice(0, 2), file.sha256)
  const [boss, office] = [await openScreen(origin, people.administrator), await openScreen(origin, people.office)]
  await caughtUp(app, boss, people.administrator)
  writeFileSync(path, Buffer.alloc(file.bytes, 'x'))
  const read = () => app.call(people.office, 'GET', `/Files/Content/${file.guid}`)
  for (let n = 0; n < 2; n++) expect((await read()).status).toBe(503)
  await caughtUp(app, boss, people.administrator)
  expect(boss.greetings.map(({ isDamaged }) => isDamaged)).toEqual([false, true])
  expect((await seen()).damaged).toEqual([{ sha256: file.sha256, name: 'note.txt', seenAt: expect.any(String) }])
  expect((await app.call(people.office, 'GET', '/Maintenance/Files')).status).toBe(403)
  expect((await app.call(people.office, 'POST', '/Maintenance/Files/Check', {})).status).toBe(403)

  expect((await check()).damaged).toHaveLength(1)
  writeFileSync(path, whole ?? '')
  expect((await check()).damaged).toEqual([])
  await caughtUp(app, boss, people.administrator)
  expect(boss.greetings.at(-1)?.isDamaged).toBe(false)
  expect((await read()).status).toBe(200)

  // What nothing names any more is nobody's loss.
  await app.deps.files.remove(other.sha256)
  expect((await app.call(people.office, 'GET', `/Files/Content/${other.guid}`)).status).toBe(503)
  expect((await seen()).damaged).toHaveLength(1)
  await app.deps.db.deleteFrom('uploads').where('fileGuid', '=', other.guid).execute()
  await app.deps.db.deleteFrom('files').where('guid', '=', other.guid).execute()
  expect((await check()).damaged).toEqual([])
  boss.stop()
  office.stop()
})

test('open screens hear when a check ends and when views are drawn, wherever the file was sent', async () => {
  const quote = await aQuote(app, people.office, customerGuid)
  const { guid: home } = await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()
  const role = await aRole(app, 'Reads quotes', [{ subject: 'Quotes', action: 'read' }])
  const limited = await aPerson(app, 'limited', role)
  await app.deps.db
    .updateTable('users')
    .set({ businessGuids: [home] })
    .where('guid', '=', limited.userGuid)
    .execute()
  const nobody = await aPersonWho(app, 'nobody', [{ subject: 'Users', action: 'read' }])
  // It is sent in a window of another business.
  const { business } = ok(
    await app.call<{ business: { guid: string } }>(people.administrator, 'POST', '/Businesses', {
      legalName: 'Second Pty Ltd',
    }),
    201,
  )
  const elsewhere = { headers: { ...people.administrator.headers, 'x-business-guid': business.guid } }
  const file = await aFile(app, elsewhere, await aPicture('jpeg'), 'site.jpg')
  await anAttachment(app, people.administrator, ['Quotes', quote.guid], {}, file)
  const scan = () => scanFile(ctx(), file.guid)
  const draw = () =>
    app.deps.db
      .updateTable('files')
      .set({ thumbSha256: file.sha256, viewSha256: file.sha256 })
      .where('guid', '=', file.guid)
      .execute()
  expect(await heardDuring(app, origin, limited, 'Quotes', scan)).toEqual([quote.guid])
  expect(await heardDuring(app, origin, limited, 'Quotes', draw)).toEqual([quote.guid])
  const address = { line1: '1 Wharf Road', suburb: 'Sydney', state: 'NSW', postcode: '2000' }
  const owner = await aCustomer(app, people.office, { displayName: 'Wharf', sites: [{ name: 'Wharf', address }] })
  await anAttachment(app, people.administrator, ['Sites', owner.sites[0]?.guid ?? ''], {}, file)
  expect(await heardDuring(app, origin, people.office, 'Customers', draw)).toEqual([owner.guid])
  expect(await heardDuring(app, origin, nobody, 'Quotes', draw)).toEqual([])
})
