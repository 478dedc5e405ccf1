import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fileSentences } from '../../contract/files.ts'
import type { Actors } from '../../test/support/actors.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { eicar, startClamd } from '../../test/support/clamd.ts'
import { aQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { aFile, anAttachment, attach, attachmentsOf, type FileAnswer } from '../../test/support/files.ts'
import type { Running } from '../../test/support/start.ts'
import { askClamd, NoVerdict } from '../core/adapters/clamd.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { scanBatch } from './files.jobs.ts'
import { scanFile, scanUnchecked } from './scan.ts'

let clamd: Awaited<ReturnType<typeof startClamd>>
let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  clamd = await startClamd()
  ;({ app, actors: people, customerGuid } = await startBusiness({ env: { SCAN_URL: clamd.url } }))
})
afterAll(async () => {
  await app.stop()
  await clamd.stop()
})
afterEach(() => {
  clamd.is('well')
  clamd.seen()
})

const ctx = () => openCtx(systemRun(app.deps, 'test'))
const bytesOf = (guid: string, size = 'file') => app.call(people.office, 'GET', `/Files/Content/${guid}?size=${size}`)
const stateOf = async (guid: string) =>
  (await app.deps.db.selectFrom('files').select('scan').where('guid', '=', guid).executeTakeFirstOrThrow()).scan
const virus = (): Promise<FileAnswer> =>
  aFile(app, people.office, Buffer.concat([Buffer.from(crypto.randomUUID()), eicar]), 'invoice.txt')

describe('a scanner', () => {
  test('gets every byte and says what it found', async () => {
    expect(await askClamd(clamd.url, Buffer.alloc(200_001, 'a'))).toBe('clean')
    expect(await askClamd(clamd.url, Buffer.concat([Buffer.alloc(65_500, 'a'), eicar]))).toBe('infected')
    expect(clamd.seen()).toEqual([200_001, 65_568])
  })
  test.each(['silent', 'hangs up', 'full'] as const)('that gives no answer has not said clean: %s', async (mood) => {
    clamd.is(mood)
    await expect(askClamd(clamd.url, Buffer.from('a'), 300)).rejects.toBeInstanceOf(NoVerdict)
  })
  test('that is not there has not either', async () => {
    await expect(askClamd('clamd://127.0.0.1:9', Buffer.from('a'))).rejects.toBeInstanceOf(NoVerdict)
  })
})

test('nobody gets a file before it was found clean', async () => {
  const file = await aFile(app, people.office)
  expect(file.scan).toBe('waiting')
  expect(await bytesOf(file.guid)).toMatchObject({ status: 409, message: fileSentences.waiting })
  expect(await scanFile(ctx(), file.guid)).toBe('clean')
  expect((await bytesOf(file.guid)).status).toBe(200)
  expect(await scanFile(ctx(), file.guid)).toBeNull()
})

test('an infected file loses its bytes at once, stays where it hangs, and is told to who may change that', async () => {
  const quote = await aQuote(app, people.office, customerGuid)
  const file = await virus()
  await anAttachment(app, people.office, ['Quotes', quote.guid], { caption: 'From the customer' }, file)
  expect(await scanFile(ctx(), file.guid)).toBe('infected')
  expect(await app.deps.files.get(file.sha256)).toBeNull()
  expect(await bytesOf(file.guid)).toMatchObject({ status: 409, message: fileSentences.infected })
  expect(await attachmentsOf(app, people.office, ['Quotes', quote.guid])).toMatchObject([
    { caption: 'From the customer', file: { scan: 'infected', hasThumb: false, hasView: false } },
  ])
  await tellPeople(app)
  const told = await app.deps.db
    .selectFrom('notifications as n')
    .innerJoin('users as u', 'u.guid', 'n.userGuid')
    .innerJoin('roles as r', 'r.guid', 'u.roleGuid')
    .select(['r.name as role', 'n.recordGuid', 'n.kind'])
    .where('n.kind', '=', 'attachment.infected')
    .execute()
  expect(told.every(({ recordGuid }) => recordGuid === quote.guid)).toBe(true)
  expect(told.map(({ role }) => role)).toContain('Office')
  expect(told.map(({ role }) => role)).not.toContain('Read only')
  expect(await scanFile(ctx(), file.guid)).toBeNull()
})

test('without an answer a file waits, and is tried again each minute until there is one', async () => {
  const file = await aFile(app, people.office)
  clamd.is('hangs up')
  await expect(scanFile(ctx(), file.guid)).rejects.toBeInstanceOf(NoVerdict)
  expect(await runJobBatch(app.deps, scanBatch)).toMatchObject({ succeeded: 0, failed: 1 })
  expect(await stateOf(file.guid)).toBe('waiting')
  clamd.is('well')
  expect(await runJobBatch(app.deps, scanBatch)).toMatchObject({ failed: 0, remaining: 0 })
  expect(await stateOf(file.guid)).toBe('clean')
})

test('what came before anybody checked files is checked by the command, and can be read meanwhile', async () => {
  const [old, bad] = [await aFile(app, people.office), await virus()]
  await app.deps.db.updateTable('files').set({ scan: 'off' }).where('guid', 'in', [old.guid, bad.guid]).execute()
  expect((await bytesOf(old.guid)).status).toBe(200)
  expect(await scanUnchecked(ctx())).toMatchObject({ clean: 1, infected: 1, failed: 0 })
  expect([await stateOf(old.guid), await stateOf(bad.guid)]).toEqual(['clean', 'infected'])
})

test('a file that waits is not shown to customers', async () => {
  const quote = await aQuote(app, people.office, customerGuid)
  const file = await aFile(app, people.office)
  const refused = await attach(app, people.office, ['Quotes', quote.guid], { fileGuid: file.guid, forCustomer: true })
  expect(refused).toMatchObject({ status: 409, message: fileSentences.waiting })
  await scanFile(ctx(), file.guid)
  ok(await attach(app, people.office, ['Quotes', quote.guid], { fileGuid: file.guid, forCustomer: true }), 201)
})
