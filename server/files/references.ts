import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../core/ctx.ts'

/** Where the hash of kept bytes may stand: a column, or anywhere in a column of JSON under the name `sha256`. */
interface Reference {
  table: string
  column: string
  isJson?: true
  /** Which rows; all of them when not said. */
  where?: string
}

// An infected file has lost its bytes; the row stays and tells of it.
const where = "scan <> 'infected'"

/** Every place. What is named by none of them is taken away, so whoever keeps bytes adds his. */
export const references: readonly Reference[] = [
  { table: 'files', column: 'sha256', where },
  { table: 'files', column: 'original_sha256', where },
  { table: 'files', column: 'view_sha256', where },
  { table: 'files', column: 'thumb_sha256', where },
  { table: 'businesses', column: 'logo_sha256' },
  { table: 'theme_versions', column: 'logo_sha256' },
  { table: 'theme_versions', column: 'logo_dark_sha256' },
  { table: 'users', column: 'avatar_sha256' },
  { table: 'document_pdfs', column: 'file_sha256' },
  { table: 'messages', column: 'raw_sha256' },
  { table: 'inbound_mails', column: 'raw_sha256' },
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
  'frame_contents.sha256',
  'quote_frames.content_sha256',
  'quote_frames.chain_sha256',
  'change_orders.sha256',
  'change_events.chain_sha256',
]

/** All that stands at a place, as `hash`. */
const hashesAt = ({ table, column, isJson, where: rows }: Reference): string =>
  isJson
    ? `select found #>> '{}' as hash from ${table}, jsonb_path_query(${column}::jsonb, 'strict $.**.sha256') as found`
    : `select ${column} as hash from ${table}${rows ? ` where ${rows}` : ''}`

/** Those of some hashes that a row names. */
export async function namedBytes(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>()
  for (const reference of references) {
    const { rows } = await sql<{ hash: string }>`select distinct hash from (${sql.raw(hashesAt(reference))}) as named
      where hash = any(${hashes}::text[])`.execute(db)
    for (const { hash } of rows) named.add(hash)
  }
  return named
}

const allHashes = references.map(hashesAt).join(' union all ')
const isHash = "hash ~ '^[0-9a-f]{64}$'"

/** Hashes that one statement gives. */
const atOnce = 1000

/** Every hash that a row names, each once, in order. */
export async function* allNamed(db: Db): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const { rows } = await sql<{ hash: string }>`select distinct hash from (${sql.raw(allHashes)}) as named
      where hash > ${after} and ${sql.raw(isHash)} order by hash limit ${atOnce}`.execute(db)
    for (const { hash } of rows) yield hash
    const last = rows.at(-1)
    if (rows.length < atOnce || !last) return
    after = last.hash
  }
}

/** The same at once, as of the instant of a connection and however long it takes. */
export async function allNamedOf(db: pg.ClientBase): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>(
    `select distinct hash from (${allHashes}) as named where ${isHash} order by hash`,
  )
  return rows.map(({ hash }) => hash)
}

/** Those of some files that a frozen document names. */
export async function frozenFiles(db: Db, guids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ guid: string }>`select guid from unnest(${guids}::text[]) as g(guid)
    where exists (select from quotes where position(g.guid in snapshot::text || coalesce(acceptance::text, '')) > 0)
      or exists (select from invoices where position(g.guid in snapshot::text) > 0)`.execute(db)
  return new Set(rows.map(({ guid }) => guid))
}
