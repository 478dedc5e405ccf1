import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import { beginImport, importOf, manyRows, previewOf, workOff, xeroFile } from '../../test/support/importing.ts'
import type { Running } from '../../test/support/start.ts'
import { noteStatements } from '../../test/support/statements.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const thousands = process.env['PROVE'] ? 10 : 3
const rows = thousands * 1000

test(`${rows.toLocaleString('en')} rows are taken in with few statements a thousand, and taken back`, async () => {
  const text = xeroFile(manyRows(rows))
  expect((await previewOf(app, people.office, text)).counts).toEqual({ create: rows, fill: 0, skip: 0, bad: 0 })
  const during = noteStatements(app.deps.db)
  let guid = ''
  const statements = await during(async () => {
    guid = ok(await beginImport(app, people.office, text), 201).import.guid
    await workOff(app, guid)
  })
  expect(await importOf(app, people.office, guid)).toMatchObject({ status: 'done', staged: rows, created: rows })
  expect(statements.length).toBeLessThanOrEqual(30 + 9 * thousands)
  const undoing = await during(async () => {
    const { archived, kept } = ok(
      await app.call<{ archived: number; kept: unknown[] }>(
        people.office,
        'POST',
        `/Customers/Imports/Undo/${guid}`,
        {},
      ),
    )
    expect([archived, kept]).toEqual([rows, []])
  })
  expect(undoing.length).toBeLessThanOrEqual(15 + 2.5 * thousands)
}, 120_000)
