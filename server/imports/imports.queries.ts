import { sql } from 'kysely'
import type { FileCustomer } from '../../contract/customer-file-rows.ts'
import type { ImportStatus } from '../../contract/imports.ts'
import { nouns, nounsWith } from '../../contract/nouns.ts'
import type { Db } from '../core/ctx.ts'
import type { Into } from './match.queries.ts'

/** Imports as people see them. */
export const listedImports = (db: Db, businessGuid: string) =>
  db
    .selectFrom('customerImports as i')
    .leftJoin('users as u', 'u.guid', 'i.createdBy')
    .select([
      'i.guid',
      'i.fileName',
      'i.source',
      'i.onDuplicate',
      'i.status',
      'i.total',
      'i.staged',
      'i.created',
      'i.filled',
      'i.skipped',
      'i.archived',
      'i.failure',
      'i.createdAt',
      'u.name as createdByName',
      'i.finishedAt',
      'i.undoneAt',
    ])
    .where('i.businessGuid', '=', businessGuid)

/** An import as work is done on it: with who began it. */
export const findImport = (db: Db, guid: string) =>
  db
    .selectFrom('customerImports as i')
    .leftJoin('users as u', 'u.guid', 'i.createdBy')
    .selectAll('i')
    .select('u.name as createdByName')
    .where('i.guid', '=', guid)
    .executeTakeFirst()
export type ImportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>

export const lockImport = (db: Db, businessGuid: string, guid: string) =>
  db
    .selectFrom('customerImports')
    .selectAll()
    .where('guid', '=', guid)
    .where('businessGuid', '=', businessGuid)
    .forUpdate()
    .executeTakeFirst()

/** The import that the same bytes made, as long as it is not undone. */
export const findSameFile = (db: Db, businessGuid: string, sha256: string) =>
  db
    .selectFrom('customerImports')
    .select(['status', 'createdAt'])
    .where('businessGuid', '=', businessGuid)
    .where('sha256', '=', sha256)
    .where('status', 'in', ['staging', 'applying', 'done'])
    .executeTakeFirst()

/** Takes an import from one status to another; false when it was in none of those, because somebody stopped it. */
export async function moveOn(
  db: Db,
  guid: string,
  from: ImportStatus,
  to: ImportStatus,
  facts: { failure?: string; finishedAt?: Date; created?: number; filled?: number; skipped?: number } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('customerImports')
    .set({ ...facts, status: to })
    .where('guid', '=', guid)
    .where('status', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What is kept only to be applied. */
export async function dropStaged(db: Db, guid: string) {
  await db.deleteFrom('customerImportFiles').where('importGuid', '=', guid).execute()
  await db.deleteFrom('customerImportRows').where('importGuid', '=', guid).execute()
}

/** Stages rows and counts them, in one statement; false when the import was stopped. */
export async function stage(
  db: Db,
  guid: string,
  rows: readonly { row: number; customer: FileCustomer }[],
): Promise<boolean> {
  const { rows: told } = await sql<{ staged: number }>`with counted as (
      update customer_imports set staged = staged + ${rows.length}::int
      where guid = ${guid}::uuid and status = 'staging' returning staged
    ), added as (
      insert into customer_import_rows (import_guid, row, customer)
      select ${guid}::uuid, x.row, x.customer from counted,
        jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(row int, customer jsonb)
    ) select staged from counted`.execute(db)
  return told.length === 1
}

/** Staged rows in the order of the file, behind `after`. */
export const readStaged = (db: Db, guid: string, after: number, limit: number) =>
  db
    .selectFrom('customerImportRows')
    .select(['row', 'customer'])
    .where('importGuid', '=', guid)
    .where('row', '>', after)
    .orderBy('row')
    .limit(limit)
    .execute()

/** A customer as it is written; without a guid of its own it fills one that is there. */
export interface Written {
  row: number
  guid: string
  isCreated: boolean
  /** What is written of it: everything of a new one, the blanks of one that was there. */
  facts: Partial<FileCustomer>
  site: { guid: string; name: string; address: unknown } | null
  contacts: { guid: string; linkGuid: string; name: string; email: string | null; isPrimary: boolean }[]
}
interface By {
  importGuid: string
  userGuid: string | null
  language: string
  now: Date
}

const rowsOf = (written: readonly Written[]) =>
  JSON.stringify(written.map(({ guid, facts }) => ({ ...facts, guid, site: undefined, contacts: undefined })))
const factColumns = sql`x(guid uuid, kind text, "displayName" text, abn text, acn text, email text, phone text,
  "externalRef" text, postal jsonb, notes text)`

export const insertCustomers = (db: Db, { businessGuid }: Into, by: By, written: readonly Written[]) =>
  sql`insert into customers (guid, business_guid, kind, display_name, language, abn, acn, email, phone, external_ref,
      billing_address, internal_notes, created_at, created_by, updated_at, updated_by)
    select x.guid, ${businessGuid}::uuid, x.kind, x."displayName", ${by.language}, x.abn, x.acn, x.email, x.phone,
      x."externalRef", x.postal, x.notes, ${by.now}::timestamptz, ${by.userGuid}::uuid, ${by.now}::timestamptz,
      ${by.userGuid}::uuid
    from jsonb_to_recordset(${rowsOf(written)}::jsonb) as ${factColumns}`.execute(db)

/** Blanks alone: what somebody has written meanwhile stays. */
export const fillCustomers = (db: Db, by: By, written: readonly Written[]) =>
  sql`update customers c set abn = coalesce(c.abn, x.abn), acn = coalesce(c.acn, x.acn),
      email = coalesce(c.email, x.email), phone = coalesce(c.phone, x.phone),
      external_ref = coalesce(c.external_ref, x."externalRef"),
      billing_address = coalesce(c.billing_address, x.postal),
      internal_notes = coalesce(nullif(c.internal_notes, ''), x.notes),
      version = c.version + 1, updated_at = ${by.now}::timestamptz, updated_by = ${by.userGuid}::uuid
    from jsonb_to_recordset(${rowsOf(written)}::jsonb) as ${factColumns} where c.guid = x.guid`.execute(db)

/** What hangs on customers, new or filled, and what came of each row, in one statement. */
export function writeAround(db: Db, { termsGuid }: Into, by: By, written: readonly Written[]) {
  const people = written.flatMap((one) =>
    one.contacts.map((contact) => ({ ...contact, customerGuid: one.guid, isCreated: one.isCreated })),
  )
  const sites = written.flatMap(({ guid, site }) => (site ? [{ ...site, customerGuid: guid }] : []))
  const terms = written.flatMap(({ guid, facts: { termsDays } }) =>
    typeof termsDays === 'number' ? [{ guid, days: termsDays }] : [],
  )
  const outcomes = written.map(({ row, guid, isCreated, facts, site, contacts }) => {
    const { contacts: _people, site: _place, ...simple } = facts
    const around = {
      ...(site ? { site: site.guid } : {}),
      ...(contacts.length > 0 ? { contacts: contacts.map((c) => c.guid) } : {}),
    }
    return { row, guid, isCreated, filled: isCreated ? null : { ...simple, ...around } }
  })
  return sql`with people as (
      insert into contacts (guid, customer_guid, name, email, created_at)
      select x.guid, x."customerGuid", x.name, x.email, ${by.now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as x(guid uuid, "customerGuid" uuid, name text, email text)
    ), links as (
      insert into contact_links (guid, contact_guid, customer_guid, is_primary, created_at)
      select x."linkGuid", x.guid, x."customerGuid", x."isPrimary", ${by.now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as x("linkGuid" uuid, guid uuid, "customerGuid" uuid, "isPrimary" boolean)
    ), places as (
      insert into sites (guid, customer_guid, name, address, created_at)
      select x.guid, x."customerGuid", x.name, x.address, ${by.now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(sites)}::jsonb)
        as x(guid uuid, "customerGuid" uuid, name text, address jsonb)
    ), days as (
      insert into customer_terms as t (customer_guid, business_guid, terms_days)
      select x.guid, ${termsGuid}::uuid, x.days
      from jsonb_to_recordset(${JSON.stringify(terms)}::jsonb) as x(guid uuid, days int)
      on conflict (customer_guid, business_guid) do update set terms_days = coalesce(t.terms_days, excluded.terms_days)
    )
    update customer_import_rows r
    set customer_guid = x.guid, is_created = x."isCreated", filled = x.filled, customer = null
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as x(row int, guid uuid, "isCreated" boolean, filled jsonb)
    where r.import_guid = ${by.importGuid}::uuid and r.row = x.row`.execute(db)
}

/** Rows that changed nothing tell nothing. */
export const dropUntouched = (db: Db, guid: string) =>
  db.deleteFrom('customerImportRows').where('importGuid', '=', guid).where('customerGuid', 'is', null).execute()

/** One import at a time goes into a list: the next one finds the customers of the one before. */
export const waitForTurn = async (db: Db, businessGuid: string) => {
  await sql`select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true),
    set_config('app.quiet', 'on', true)`.execute(db)
  await sql`select pg_advisory_xact_lock(7003, hashtext(${businessGuid}))`.execute(db)
}

/** Tells open screens once, instead of customer by customer. */
export const tellOnce = (db: Db, businessGuid: string, customerGuid: string) =>
  sql`select pg_notify('live', ${JSON.stringify({ noun: 'Customers', guid: customerGuid, businessGuid })})`.execute(db)

export interface Kept {
  guid: string
  displayName: string
  reason: 'inUse' | 'changed'
}

/** The customers of an import that stay when it is undone, and why. */
export async function findKept(db: Db, importGuid: string): Promise<Kept[]> {
  const uses = nounsWith('isForCustomer').map(
    (noun) => sql`exists (select from ${sql.table(nouns[noun].table)} d where d.customer_guid = c.guid)`,
  )
  const files = sql`exists (select from attachments a where a.owner_noun = 'Customers' and a.owner_guid = c.guid
    and a.detached_at is null)`
  const { rows } = await sql<Kept>`select guid, display_name, case when in_use then 'inUse' else 'changed' end as reason
    from (
      select c.guid, c.display_name, c.version, c.archived_at, (${sql.join([...uses, files], sql` or `)}) as in_use
      from customer_import_rows r join customers c on c.guid = r.customer_guid
      where r.import_guid = ${importGuid}::uuid and r.is_created
    ) k where archived_at is null and (in_use or version > 1) order by display_name, guid`.execute(db)
  return rows
}

interface Undo {
  importGuid: string
  userGuid: string | null
  now: Date
}

/** Archives the customers that an import made, but for those that stay. */
export async function archiveCreated(db: Db, { importGuid, userGuid, now }: Undo, kept: readonly string[]) {
  const { rows } = await sql<{ guid: string; displayName: string }>`update customers c
    set archived_at = ${now}::timestamptz, version = c.version + 1, updated_at = ${now}::timestamptz,
      updated_by = ${userGuid}::uuid
    from customer_import_rows r where r.import_guid = ${importGuid}::uuid and r.is_created and c.guid = r.customer_guid
      and c.archived_at is null and not c.guid = any(${kept}::uuid[])
    returning c.guid, c.display_name`.execute(db)
  return rows
}

const emptied = (column: string, field: string) =>
  sql`${sql.ref(column)} = case when c.${sql.ref(column)} = r.filled ->> ${sql.lit(field)} then null
    else c.${sql.ref(column)} end`

/** Empties what an import filled, as far as it still says the same. */
export async function emptyFilled(db: Db, { importGuid, userGuid, now }: Undo, termsGuid: string) {
  const { rows } = await sql<{ guid: string; displayName: string }>`update customers c set ${emptied('abn', 'abn')},
      ${emptied('acn', 'acn')}, ${emptied('email', 'email')}, ${emptied('phone', 'phone')},
      ${emptied('external_ref', 'externalRef')}, ${emptied('internal_notes', 'notes')},
      billing_address = case when c.billing_address = r.filled -> 'postal' then null else c.billing_address end,
      version = c.version + 1, updated_at = ${now}::timestamptz, updated_by = ${userGuid}::uuid
    from customer_import_rows r where r.import_guid = ${importGuid}::uuid and r.filled is not null
      and c.guid = r.customer_guid returning c.guid, c.display_name`.execute(db)
  const filled = sql`select r.customer_guid, r.filled from customer_import_rows r
    where r.import_guid = ${importGuid}::uuid and r.filled is not null`
  await sql`update customer_terms t set terms_days = null from (${filled}) r where t.customer_guid = r.customer_guid
    and t.business_guid = ${termsGuid}::uuid and t.terms_days = (r.filled ->> 'termsDays')::int`.execute(db)
  await sql`update sites s set archived_at = ${now}::timestamptz from (${filled}) r
    where s.guid = (r.filled ->> 'site')::uuid and s.archived_at is null
      and not exists (select from quotes d where d.site_guid = s.guid)
      and not exists (select from orders d where d.site_guid = s.guid)
      and not exists (select from invoices d where d.site_guid = s.guid)`.execute(db)
  await sql`update contact_links l set ended_at = ${now}::timestamptz, is_primary = false from (${filled}) r
    where l.customer_guid = r.customer_guid and l.ended_at is null
      and l.contact_guid in (select value::uuid from jsonb_array_elements_text(r.filled -> 'contacts'))`.execute(db)
  return rows
}
