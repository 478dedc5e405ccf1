import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Db } from '../core/ctx.ts'
import { noteAll } from '../core/db/ledger-log.ts'
import { canonical, documentData } from '../documents/documents.service.ts'

/** How much the speed figures are measured with. */
export const referenceSize = {
  customers: 50_000,
  products: 5000,
  quotes: 100_000,
  documents: 200_000,
  messages: 500_000,
}
/** The data ends on this day, whenever it is made: the same every time. */
const lastDay = '2026-10-31'

/** Whether the reference data is in this database. */
export const hasLarge = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('customers')
    .select('guid')
    .where('email', '=', 'accounts1@customer.example')
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * The reference data, beside a sample company, in one transaction by the role that owns the tables: triggers
 * must rest meanwhile. What lists and tiles read needs no log of money; without it nothing proves the data, and
 * making it takes half the time.
 */
export async function makeLarge(
  db: Db,
  owner: pg.ClientConfig,
  size = referenceSize,
  { hasLedgerLog = true } = {},
): Promise<void> {
  const { guid: business } = await db
    .selectFrom('businesses')
    .select('guid')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { guid: person } = await db
    .selectFrom('users')
    .select('guid')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { guid: printed } = await db
    .selectFrom('invoices')
    .select('guid')
    .where('businessGuid', '=', business)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirstOrThrow()
  const business_json = canonical((await documentData(db, 'invoice', printed)).content.business)
  const client = new pg.Client({ ...owner, statement_timeout: 0 })
  await client.connect()
  try {
    await client.query(
      `begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
        set local work_mem = '256MB'; set local temp_buffers = '256MB'; set local maintenance_work_mem = '512MB'`,
    )
    for (const [name, value] of Object.entries({ ...size, business, person, business_json, last_day: lastDay }))
      await client.query('select set_config($1, $2, true)', [`sample.${name}`, String(value)])
    await client.query(readFileSync(join(import.meta.dirname, 'large.sql'), 'utf8'))
    if (hasLedgerLog) await noteAll(client)
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
