import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { aFile, anAttachment, anUpload, type FileAnswer, finish, sendPart } from '../../test/support/files.ts'
import { aPicture } from '../../test/support/pictures.ts'
import type { Running } from '../../test/support/start.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { newGuid } from '../core/guid.ts'
import { otherHashes, references } from './references.ts'
import { sweepBatch } from './sweep.ts'

let app: Running
let people: Actors
let customerGuid: string
let owner: pg.Client
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  owner = new pg.Client(app.database.owner)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await app.stop()
})

const dayMs = 86_400_000
/** The night's sweep as it is so many days from now. */
const sweepIn = (days: number) =>
  runJobBatch({ ...app.deps, now: () => new Date(Date.now() + days * dayMs) }, sweepBatch)
const customer = () => ['Customers', customerGuid] as const
const isKept = async (file: { sha256: string }) => (await app.deps.files.get(file.sha256)) !== null
const isThere = async ({ guid }: FileAnswer) =>
  (await app.deps.db.selectFrom('files').select('guid').where('guid', '=', guid).executeTakeFirst()) !== undefined
const stateOf = async (file: FileAnswer) => [await isThere(file), await isKept(file)]

describe('the sweep of the night', () => {
  test('takes files that hang nowhere after seven days, and their bytes when no other file has the same', async () => {
    const [loose, hung] = [await aFile(app, people.office), await aFile(app, people.office)]
    await anAttachment(app, people.office, customer(), {}, hung)
    const same = Buffer.from(`the same ${randomUUID()}`)
    const [one, two] = [await aFile(app, people.office, same), await aFile(app, people.office, same)]
    await anAttachment(app, people.office, customer(), {}, two)
    await sweepIn(6)
    expect(await stateOf(loose)).toEqual([true, true])
    await sweepIn(8)
    expect(await stateOf(loose)).toEqual([false, false])
    expect(await stateOf(hung)).toEqual([true, true])
    expect([await isThere(one), await isThere(two), await isKept(two)]).toEqual([false, true, true])
  })

  test('keeps what was detached for thirty days', async () => {
    const file = await aFile(app, people.office)
    const { guid } = await anAttachment(app, people.office, customer(), {}, file)
    ok(await app.call(people.office, 'DELETE', `/Files/Attachments/${guid}?version=1`))
    await sweepIn(29)
    expect(await stateOf(file)).toEqual([true, true])
    await sweepIn(31)
    expect(await isThere(file)).toBe(false)
    expect((await app.call(people.office, 'POST', `/Files/Attachments/Restore/${guid}`)).status).toBe(404)
  })

  test('takes uploads that were never finished after seven days, with their parts', async () => {
    const bytes = Buffer.alloc(600_000, 'a')
    const upload = await anUpload(app, people.office, bytes.length, 'half.txt')
    ok(await sendPart(app, people.office, upload.guid, bytes, 0))
    await sweepIn(6)
    expect((await finish(app, people.office, upload.guid)).status).toBe(409)
    await sweepIn(8)
    expect((await finish(app, people.office, upload.guid)).status).toBe(404)
  })

  test('keeps files that a frozen document names, though they hang nowhere', async () => {
    const file = await aFile(app, people.office)
    const quote = await aSentQuote(app, people.office, customerGuid)
    await plant('quotes', 'snapshot', JSON.stringify({ photos: [file.guid] }), quote.guid)
    await sweepIn(40)
    expect(await stateOf(file)).toEqual([true, true])
    const shown = await app.call(people.guest, 'GET', `/Files/Content/${file.guid}?link=${quote.serviceGuid}`)
    expect(shown.status).toBe(200)
  })

  test('leaves bytes that came again meanwhile', async () => {
    const picture = await aPicture('png', 31, 17)
    const first = await aFile(app, people.office, picture, 'a.png')
    await sweepIn(8)
    expect(await isThere(first)).toBe(false)
    const ctx = { db: app.deps.db, deps: app.deps, now: new Date(Date.now() + 9 * dayMs) }
    await keepBytes(ctx, picture, 'image/png')
    await sweepIn(9.5)
    expect(await isKept(first)).toBe(true)
    await sweepIn(10.1)
    expect(await isKept(first)).toBe(false)
  })

  test('leaves a logo that was changed: the version of the theme that had it may be worn again', async () => {
    const { items } = ok(await app.call<{ items: { guid: string }[] }>(people.administrator, 'GET', '/Businesses'))
    const path = `/Businesses/${items[0]?.guid}`
    const hashes: string[] = []
    for (const shade of [10, 20]) {
      const logo = await aPicture('png', 10, 10, shade)
      const { business } = ok(await app.call<{ business: { version: number } }>(people.administrator, 'GET', path))
      const sent = { version: business.version, logo: { base64: logo.toString('base64') } }
      ok(await app.call(people.administrator, 'PATCH', path, sent))
      hashes.push(createHash('sha256').update(logo).digest('hex'))
    }
    await sweepIn(1.1)
    expect(await Promise.all(hashes.map((sha256) => isKept({ sha256 })))).toEqual([true, true])
  })
})

const keyOf = (table: string) => (table === 'document_pdfs' ? 'record_guid' : 'guid')

/** Writes past what keeps documents as they are. */
async function plant(table: string, column: string, value: string | null, guid: string) {
  await owner.query('begin; set local session_replication_role = replica')
  const key = keyOf(table)
  const { rowCount } = await owner.query(`update ${table} set ${column} = $1 where ${key} = $2`, [value, guid])
  await owner.query('commit')
  expect(rowCount).toBe(1)
}

/** One that was ignored, of an account that nobody asks about here. */
async function anInboundMail() {
  await owner.query('begin; set local session_replication_role = replica')
  await owner.query(`insert into inbound_mails (business_guid, account_guid, uid_validity, uid, bytes, state)
    values (new_guid(), new_guid(), 1, 1, 1, 'ignored')`)
  await owner.query('commit')
}

describe('what names bytes', () => {
  test('is every column whose name says so', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name like '%sha256' order by 1`,
    )
    const known = [...references.map(({ table, column }) => `${table}.${column}`), ...otherHashes]
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  })

  test.each(references.map((reference) => [`${reference.table}.${reference.column}`, reference] as const))(
    'keeps them from the sweep: %s',
    async (_, { table, column, isJson }) => {
      const quote = await aSentQuote(app, people.office, customerGuid)
      await app.call(people.office, 'GET', `/Quotes/Pdf/${quote.guid}`)
      if (table === 'invoices')
        await app.call(people.office, 'POST', '/Invoices', {
          customerGuid,
          title: 'A',
          lines: [{ name: 'a', quantity: '1', unitPriceCents: 1 }],
        })
      await anAttachment(app, people.office, customer())
      if (table === 'inbound_mails') await anInboundMail()
      const bytes = Buffer.from(`kept for ${table}.${column} ${newGuid()}`)
      const { sha256 } = await keepBytes({ db: app.deps.db, deps: app.deps, now: new Date() }, bytes, 'text/plain')
      const value = isJson ? JSON.stringify({ deep: [{ sha256 }] }) : sha256
      const { rows } = await owner.query<{ guid: string; before: string | null }>(
        `select ${keyOf(table)} as guid, ${column}::text as before from ${table} limit 1`,
      )
      const row = rows[0]
      if (!row) throw new Error(`there is no row in ${table}`)
      await plant(table, column, value, row.guid)
      await sweepIn(2)
      expect(await isKept({ sha256 })).toBe(true)
      await plant(table, column, row.before, row.guid)
      await keepBytes({ db: app.deps.db, deps: app.deps, now: new Date() }, bytes, 'text/plain')
      await sweepIn(2)
      expect(await isKept({ sha256 })).toBe(false)
    },
  )
})
