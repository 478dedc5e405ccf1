import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NounName, nounNames, nounsWith, rowOf } from '../../contract/nouns.ts'
import { type FreshDatabase, freshDatabase } from '../../test/support/start-db.ts'

/** What the rows of nouns say of tables, as the database has it. */

let database: FreshDatabase
let db: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  db = new pg.Client(database.owner)
  await db.connect()
}, 120_000)
afterAll(async () => {
  await db.end()
  await database.drop()
})

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const tablesWith = async (column: string) => {
  const { rows } = await db.query<{ table: string }>(
    `select c.relname as table
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    [column],
  )
  return new Set(rows.map(({ table }) => table))
}

test.each(nounsWith('searchText'))(
  '%s keep the text that they are searched by, and an index finds it',
  async (noun) => {
    const { table, searchText } = rowOf(noun)
    const { rows } = await db.query<{ made: string; columns: string[]; isIndexed: boolean }>(
      `select pg_get_expr(d.adbin, d.adrelid) as made,
        (select array_agg(o.attname::text) from pg_attribute o
          where o.attrelid = a.attrelid and o.attnum > 0) as columns,
        exists (select from pg_indexes i
          where i.tablename = $1 and i.indexdef like '%gin (search_text gin_trgm_ops)') as "isIndexed"
      from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = $1::regclass and a.attname = 'search_text' and a.attgenerated = 's'`,
      [table],
    )
    const columns = rows[0]?.columns ?? []
    const named = rows[0]?.made.match(/\w+/g)?.filter((word) => columns.includes(word)) ?? []
    expect([...new Set(named)].map(camelCase)).toEqual(searchText)
    expect(rows[0]?.isIndexed).toBe(true)
  },
)

test('no table keeps a text of which no row says what it is made of', async () => {
  const said = new Set(nounsWith('searchText').map((noun) => rowOf(noun).table))
  const others = [...(await tablesWith('search_text'))].filter((table) => !said.has(table))
  expect(others).toEqual(['journal_entries'])
})

test('rows say who is made for a customer and who is never archived', async () => {
  const forCustomers = await tablesWith('customer_guid')
  const archived = await tablesWith('archived_at')
  const isPart = (noun: NounName) => Boolean(rowOf(noun).partOf ?? rowOf(noun).attachments?.through)
  const isForCustomer = nounNames.filter((noun) => forCustomers.has(rowOf(noun).table) && !isPart(noun))
  expect(nounsWith('isForCustomer')).toEqual(isForCustomer)
  expect(nounsWith('hit').filter((noun) => rowOf(noun).isForGood)).toEqual(
    nounsWith('hit').filter((noun) => !archived.has(rowOf(noun).table)),
  )
})
