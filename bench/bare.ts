import type pg from 'pg'

// Tables of the reference's own for its writes: the rows of the product's, the indexes its
// statements want, and nothing else.

const tables: readonly [name: string, ...indexes: string[]][] = [
  ['invoices', 'unique (guid)', '(customer_guid)'],
  ['invoice_lines', 'unique (guid)', '(invoice_guid)'],
  ['payments', 'unique (guid)', 'unique (business_guid, number)', '(customer_guid)'],
  ['payment_allocations', 'unique (guid)', '(payment_guid)', '(invoice_guid)'],
  ['number_counters', 'unique (business_guid, kind)'],
]

/** Copies the tables; the reference writes to these, without triggers, checks or foreign keys. */
export async function makeBareTables(db: pg.Client) {
  await db.query('drop schema if exists bare cascade; create schema bare')
  for (const [name, ...indexes] of tables) {
    await db.query(`create table bare.${name} as table public.${name}`)
    for (const index of indexes) await db.query(`create ${index.replace(/^(unique )?/, `$1index on bare.${name} `)}`)
  }
}
