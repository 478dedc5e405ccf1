import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'

/** Where the hash of kept bytes may stand: a column, or anywhere in a column of JSON under the name `sha256`. */
interface Reference {
  table: string
  column: string
  isJson?: true
}

/** Every place. What is named by none of them is taken away, so whoever keeps bytes adds his. */
export const references: readonly Reference[] = [
  { table: 'files', column: 'sha256' },
  { table: 'files', column: 'original_sha256' },
  { table: 'files', column: 'view_sha256' },
  { table: 'files', column: 'thumb_sha256' },
  { table: 'businesses', column: 'logo_sha256' },
  { table: 'users', column: 'avatar_sha256' },
  { table: 'document_pdfs', column: 'file_sha256' },
  { table: 'messages', column: 'raw_sha256' },
  { table: 'messages', column: 'attachments', isJson: true },
  { table: 'quotes', column: 'snapshot', isJson: true },
  { table: 'quotes', column: 'acceptance', isJson: true },
  { table: 'invoices', column: 'snapshot', isJson: true },
]

/** Columns of this name that say something of other bytes. */
export const otherHashes = [
  'quotes.snapshot_sha256',
  'invoices.snapshot_sha256',
  'document_pdfs.content_sha256',
  'idempotency_keys.body_sha256',
  'customer_imports.sha256',
  'loose_bytes.sha256',
]

/** Those of some hashes that a row names. */
export async function namedBytes(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>()
  for (const { table, column, isJson } of references) {
    const [from, at] = [sql.table(table), sql.ref(column)]
    const { rows } = await (
      isJson
        ? sql<{ hash: string }>`select distinct found #>> '{}' as hash
          from ${from}, jsonb_path_query(${at}::jsonb, 'strict $.**.sha256') as found
          where found #>> '{}' = any(${hashes}::text[])`
        : sql<{ hash: string }>`select distinct ${at} as hash from ${from} where ${at} = any(${hashes}::text[])`
    ).execute(db)
    for (const { hash } of rows) named.add(hash)
  }
  return named
}

/** Hashes that one statement gives. */
const atOnce = 1000

/** Every hash that a row names, each once, in order. */
export async function* allNamed(db: Db): AsyncGenerator<string> {
  const each = references.map(({ table, column, isJson }) =>
    isJson
      ? sql`select found #>> '{}' as hash from ${sql.table(table)},
          jsonb_path_query(${sql.ref(column)}::jsonb, 'strict $.**.sha256') as found`
      : sql`select ${sql.ref(column)} as hash from ${sql.table(table)}`,
  )
  for (let after = ''; ;) {
    const { rows } = await sql<{
      hash: string
    }>`select distinct hash from (${sql.join(each, sql` union all `)}) as named
      where hash > ${after} and hash ~ '^[0-9a-f]{64}$' order by hash limit ${atOnce}`.execute(db)
    for (const { hash } of rows) yield hash
    const last = rows.at(-1)
    if (rows.length < atOnce || !last) return
    after = last.hash
  }
}

/** Those of some files that a frozen document names. */
export async function frozenFiles(db: Db, guids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ guid: string }>`select guid from unnest(${guids}::text[]) as g(guid)
    where exists (select from quotes where position(g.guid in snapshot::text) > 0)
      or exists (select from invoices where position(g.guid in snapshot::text) > 0)`.execute(db)
  return new Set(rows.map(({ guid }) => guid))
}
