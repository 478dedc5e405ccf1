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

test('10,000 rows are taken in with twelve statements a thousand, and taken back', async () => {
  const text = xeroFile(manyRows(10_000))
  expect((await previewOf(app, people.office, text)).counts).toEqual({ create: 10_000, fill: 0, skip: 0, bad: 0 })
  const during = noteStatements(app.deps.db)
  let guid = ''
  const statements = await during(async () => {
    guid = ok(await beginImport(app, people.office, text), 201).import.guid
    await workOff(app, guid)
  })
  expect(await importOf(app, people.office, guid)).toMatchObject({ status: 'done', staged: 10_000, created: 10_000 })
  expect(statements.length).toBeLessThanOrEqual(120)
  const undoing = await during(async () => {
    const { archived, kept } = ok(
      await app.call<{ archived: number; kept: unknown[] }>(
        people.office,
        'POST',
        `/Customers/Imports/Undo/${guid}`,
        {},
      ),
    )
    expect([archived, kept]).toEqual([10_000, []])
  })
  expect(undoing.length).toBeLessThanOrEqual(40)
}, 120_000)
