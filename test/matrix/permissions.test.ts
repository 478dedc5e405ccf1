import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, operations } from '../../contract/api.ts'
import { parentOf } from '../../contract/core/ability.ts'
import type { Op } from '../../contract/core/op.ts'
import { everyoneRules } from '../../server/core/rights.ts'
import { type Actors, seedActors } from '../support/actors.ts'
import { type Caller, type Running, startApp } from '../support/start.ts'

/**
 * Who may call what, as a table people have read: a change of it is a decision. `UPDATE_MATRIX=1` writes it anew; then
 * read the difference line by line.
 */
const path = join(import.meta.dirname, 'permissions.golden.json')
const isUpdate = process.env['UPDATE_MATRIX'] === '1'

const kinds = [
  'noOne',
  'guest',
  'emptyRole',
  'administrator',
  'office',
  'sales',
  'field',
  'accountant',
  'readOnly',
] as const
type Kind = (typeof kinds)[number]
interface Row {
  can: string
  who: Op['who']
  allowed: Kind[]
}
const golden = isUpdate ? {} : (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Row>)

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

const guid = '01890000-0000-7000-8000-000000000000'

/** A request that passes every permission check and no schema, so that nothing is ever done. */
function knock(op: Op, who: Caller | null) {
  const url = op.path.replace(/:\w+/g, guid)
  return op.method === 'GET' || op.method === 'DELETE'
    ? app.call(who, op.method, `${url}?notAParameter=1`)
    : app.call(who, op.method, url, { notAParameter: 1 })
}

/** A webhook is let in by its signature, whoever brings it. */
async function expectSignature(id: string, op: Op) {
  const row: Row = { can: op.can.join(' '), who: op.who, allowed: [] }
  if (isUpdate) golden[id] = row
  expect(golden[id]).toEqual(row)
  const statuses = await Promise.all(kinds.map(async (kind) => (await knock(op, actors[kind])).status))
  expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
}

describe.each(operations.map(({ noun, name, op }) => ({ id: `${noun}.${name}`, op })))('$id', ({ id, op }) => {
  it('is open to whom the table says and to nobody else', async () => {
    if (op.who === 'webhook') return expectSignature(id, op)
    const statuses = Object.fromEntries(
      await Promise.all(kinds.map(async (kind) => [kind, (await knock(op, actors[kind])).status] as const)),
    )
    const allowed = kinds.filter((kind) => statuses[kind] === 400 || statuses[kind] === 422)
    const row: Row = { can: op.can.join(' '), who: op.who, allowed }
    if (isUpdate) golden[id] = row
    expect(golden[id]).toEqual(row)
    for (const kind of kinds)
      if (!allowed.includes(kind)) expect([kind, statuses[kind]]).toEqual([kind, kind === 'noOne' ? 401 : 403])
  })
})

describe('the table', () => {
  it('names every operation and none that is gone', () => {
    if (isUpdate)
      writeFileSync(
        path,
        `{\n${Object.entries(golden)
          .map(([id, row]) => `  ${JSON.stringify(id)}: ${JSON.stringify(row)}`)
          .join(',\n')}\n}\n`,
      )
    expect(Object.keys(golden)).toEqual(operations.map(({ noun, name }) => `${noun}.${name}`))
  })
  it('was walked without doing anything', async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from audit_log where action <> 'user.logged_in'`.execute(app.deps.db)
    expect(rows[0]?.n).toBe(0)
  })
  it('has rules of sample roles for subjects that exist, and for nothing else', async () => {
    const subjects = new Set(catalogue.flatMap(({ subject }) => [subject, parentOf(subject)]))
    const rules = await app.deps.db.selectFrom('permissions').select('subject').distinct().execute()
    expect(rules.map((r) => r.subject).filter((s) => s !== 'all' && !subjects.has(s))).toEqual([])
    expect(everyoneRules.map((r) => r.subject).filter((s) => !subjects.has(s))).toEqual([])
  })
})
