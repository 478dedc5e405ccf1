import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/start-db.ts'

interface Column {
  table: string
  /** Of what it computes the database says the types alone. */
  isView: boolean
  column: string
  type: string
  isNullable: boolean
  /** A default, a number it counts by itself, or a trigger. */
  isFilled: boolean
  /** Computed from other columns, or numbered by the database alone: nobody writes it. */
  isOwnWork: boolean
}

const root = join(import.meta.dirname, '../../..')
const folder = join(root, '.tmp', `schema-check-${process.pid}`)

/** Written by triggers and read in SQL. */
const inSqlAlone = ['figure_days', 'figure_entries', 'figure_sources', 'held_money', 'held_sources', 'ledger_columns']

/** Not null, and a trigger sees to it. */
const byTrigger = ['entity_guid']

/** What the driver makes of each type of the database. */
const readAs: Record<string, string> = {
  text: 'string',
  bpchar: 'string',
  uuid: 'string',
  numeric: 'string',
  date: 'string',
  timestamptz: 'string',
  datemultirange: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  bool: 'boolean',
  float8: 'number',
  bytea: 'Uint8Array',
  _text: 'readonly string[]',
  _uuid: 'readonly string[]',
  _int4: 'readonly number[]',
  _int8: 'readonly number[]',
  jsonb: 'unknown',
  json: 'unknown',
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

let database: FreshDatabase
let columns: Column[]

beforeAll(async () => {
  database = await freshDatabase()
  const db = new pg.Client(database.owner)
  await db.connect()
  const { rows } = await db.query<Column>(
    `select c.relname as table, c.relkind = 'v' as "isView", a.attname as column, t.typname as type,
      not a.attnotnull as "isNullable",
      a.atthasdef or a.attidentity <> '' or a.attname = any($1) as "isFilled",
      a.attgenerated <> '' or a.attidentity = 'a' as "isOwnWork"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    order by c.relname, a.attnum`,
    [byTrigger],
  )
  columns = rows
  await db.end()
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

/** One statement of types for each fact, under a name that says which. */
const claims = (): string[] => {
  const tables = Map.groupBy(columns, ({ table }) => table)
  const typed = [...tables].filter(([table]) => !inSqlAlone.includes(table))
  const names = typed.map(([table]) => `'${camelCase(table)}'`).join(' | ')
  const ofTables = typed.flatMap(([table, list]) => {
    const type = `DB['${camelCase(table)}']`
    const names = list.map(({ column }) => `'${camelCase(column)}'`).join(' | ')
    return [
      `${table}: columns |Same<keyof ${type}, ${names}>`,
      ...list.flatMap(({ column, type: stored, isView, isNullable, isFilled, isOwnWork }) => {
        const key = `'${camelCase(column)}'`
        const read = `Selectable<${type}>[${key}]`
        const name = `${table}.${column}`
        const kind = `${name}: ${stored} |Is<NonNullable<${read}>, ${readAs[stored] ?? `'no type for ${stored}'`}>`
        if (isView) return [kind]
        const given = isOwnWork
          ? `${name}: own work |Same<${key} extends keyof Insertable<${type}> ? 1 : 0, 0>`
          : `${name}: may be left out |Same<Leaves<Insertable<${type}>, ${key}>, ${isNullable || isFilled ? 1 : 0}>`
        return [kind, `${name}: null |May<${read}, ${isNullable ? 1 : 0}>`, given]
      }),
    ]
  })
  return [`tables |Same<keyof DB, ${names}>`, ...ofTables]
}

const prelude = [
  `import type { Insertable, Selectable } from 'kysely'`,
  `import type { DB } from '../../server/core/db/schema.ts'`,
  'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false',
  'type Is<A, B> = [A] extends [B] ? true : false',
  // Any JSON may be null in itself.
  'type May<R, N> = unknown extends R ? true : Same<null extends R ? 1 : 0, N>',
  // What a trigger fills is left out by everybody.
  'type Leaves<T, K extends PropertyKey> = K extends keyof T ? ({} extends Pick<T, K> ? 1 : 0) : 1',
  'type Claim<T extends true> = T',
]

const compile = () =>
  new Promise<string>((done) =>
    execFile(
      process.execPath,
      [join(root, 'node_modules/.bin/tsc'), '-p', folder, '--pretty', 'false'],
      { maxBuffer: 20_000_000 },
      (_error, stdout, stderr) => done(stdout + stderr),
    ),
  )

describe('the table types', () => {
  it('say of each table and column what the database says', async () => {
    const facts = claims()
    const lines = facts.map((fact, i) => `export type Claim${i} = Claim<${fact.slice(fact.indexOf('|') + 1)}>`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'claims.ts'), [...prelude, ...lines].join('\n'))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: { lib: ['es2025'], types: ['node'] },
        files: ['claims.ts'],
      }),
    )
    const said = await compile()
    const wrong = [...said.matchAll(/claims\.ts\((\d+),/g)].map(
      ([, line]) => facts[Number(line) - 1 - prelude.length]?.split(' |')[0] ?? said,
    )
    expect([...new Set(wrong)]).toEqual([])
    expect(said).toBe('')
    expect(facts.length).toBeGreaterThan(500)
  })
})
