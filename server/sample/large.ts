import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** How much the speed figures are measured with. */
export const referenceSize = { customers: 50_000, documents: 200_000, messages: 500_000 }

/** The reference data, written in one transaction by the role that owns the tables: triggers must rest meanwhile. */
export async function makeLarge(owner: pg.ClientConfig, business: string, user: string, size = referenceSize): Promise<void> {
  const client = new pg.Client({ ...owner, statement_timeout: 0 })
  await client.connect()
  try {
    await client.query('begin')
    for (const [name, value] of Object.entries({ ...size, business, user })) await client.query('select set_config($1, $2, true)', [`sample.${name}`, String(value)])
    await client.query(readFileSync(join(import.meta.dirname, 'large.sql'), 'utf8'))
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
