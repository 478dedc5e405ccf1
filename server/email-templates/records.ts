import { type RawBuilder, sql } from 'kysely'
import type { TemplateKind } from '../../contract/messages.ts'
import { nouns } from '../../contract/nouns.ts'
import { templateKindFacts, type TemplateRecord } from '../../contract/template-kinds.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { keeperOf, ofFamily } from '../core/family.ts'
import { readable } from '../core/http/permission.ts'
import { likeText } from '../core/records.ts'
import { recordTables } from '../messages/trial.service.ts'
import { rowColumns, type RowNoun } from '../row-scope/row-scope.service.ts'

/** What a record is called where a problem names it. */
const label: Readonly<Record<TemplateRecord, RawBuilder<string>>> = {
  quote: sql`coalesce(d.number, d.title)`,
  order: sql`d.number`,
  invoice: sql`coalesce(d.number, d.title)`,
  payment: sql`d.number`,
  refund: sql`d.number`,
  statement: sql`(select c.display_name from parties c where c.member_guid = d.customer_guid)`,
  customer: sql`d.display_name`,
}
const hint: Readonly<Record<TemplateRecord, RawBuilder<string | null>>> = {
  quote: sql`d.title`,
  order: sql`d.title`,
  invoice: sql`d.title`,
  payment: sql`(select c.display_name from parties c where c.member_guid = d.customer_guid)`,
  refund: sql`null::text`,
  statement: sql`d.to_on::text`,
  customer: sql`d.email`,
}
/** Those of them that are kept in use. */
const used: Readonly<Record<TemplateRecord, RawBuilder<boolean>>> = {
  quote: sql`d.archived_at is null`,
  order: sql`d.archived_at is null`,
  invoice: sql`d.archived_at is null`,
  payment: sql`true`,
  refund: sql`true`,
  statement: sql`true`,
  customer: sql`d.archived_at is null and d.family_guid = d.guid`,
}
/** Customers may be shared: they are of the pool of a business. */
const ofBusiness = (record: TemplateRecord, businessGuid: string) =>
  record === 'customer'
    ? sql<boolean>`d.business_guid = (select b.customers_of from businesses b where b.guid = ${businessGuid})`
    : sql<boolean>`d.business_guid = ${businessGuid}`

/** Which of its records a kind is about. */
const about: Readonly<Partial<Record<TemplateKind, RawBuilder<boolean>>>> = {
  quote_accepted: sql`d.status in ('accepted', 'converted')`,
  quote_answered: sql`d.sent_at is not null`,
  quote_followup: sql`d.status = 'sent'`,
  request_received: sql`exists (select from requests r where r.quote_guid = d.guid)`,
  change_order: sql`exists (select from change_events e where e.order_guid = d.guid and e.reason = 'sent')`,
  change_accepted: sql`exists (select from change_events e where e.order_guid = d.guid and e.reason = 'accepted')`,
  statement_receipt: sql`exists (select from payment_attempts a where a.guid = d.attempt_guid
    and a.statement_page_guid is not null)`,
  reminder: sql`exists (select from invoices i where ${ofFamily('i', 'd.guid')} and i.status = 'issued'
    and i.balance_cents > 0 and i.due_on < current_date)`,
}
/** What is not sent or issued yet comes after the others: what it has no value for may come with that. */
const draftsLast = (record: TemplateRecord) =>
  record === 'quote' || record === 'invoice' ? sql`d.status in ('draft', 'scheduled'), ` : sql``
/** When a record was touched last; money and statements never are. */
const changedAt = (record: TemplateRecord) =>
  record === 'payment' || record === 'refund' || record === 'statement' ? sql`d.created_at` : sql`d.updated_at`

const found = (kind: TemplateKind, businessGuid: string) => {
  const { record } = templateKindFacts[kind]
  return sql`from ${sql.table(recordTables[record])} d where ${ofBusiness(record, businessGuid)} and ${used[record]}
    and ${about[kind] ?? sql`true`}`
}

interface ProofRecord {
  guid: string
  label: string
}
/** As many as are looked at, the newest. */
const mostRecords = 20_000

/** Records of a kind there are now, the newest first and drafts last: the first ones stand as examples. */
export async function proofRecords(db: Db, kind: TemplateKind, businessGuid: string): Promise<string[]> {
  const { rows } = await sql<{ guid: string }>`select d.guid ${found(kind, businessGuid)}
    order by ${draftsLast(templateKindFacts[kind].record)}d.created_at desc, d.guid desc
    limit ${mostRecords}`.execute(db)
  return rows.map(({ guid }) => guid)
}

/** How some of them are called. */
export async function labelsOf(db: Db, kind: TemplateKind, guids: readonly string[]): Promise<Map<string, string>> {
  const { record } = templateKindFacts[kind]
  const { rows } = await sql<ProofRecord>`select d.guid, ${label[record]} as label
    from ${sql.table(recordTables[record])} d where d.guid = any(${guids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.guid, row.label]))
}

/** Those that changed since an instant, up to one more than are looked at again. */
export async function changedRecords(
  db: Db,
  kind: TemplateKind,
  businessGuid: string,
  { since, most }: { since: string; most: number },
): Promise<string[]> {
  const { record } = templateKindFacts[kind]
  const { rows } = await sql<{ guid: string }>`select d.guid ${found(kind, businessGuid)}
    and ${changedAt(record)} >= ${since}::timestamptz
    order by d.created_at desc, d.guid desc limit ${most + 1}`.execute(db)
  return rows.map(({ guid }) => guid)
}

const nounsOf: Readonly<Record<TemplateRecord, RowNoun>> = {
  quote: 'Quotes',
  order: 'Orders',
  invoice: 'Invoices',
  payment: 'Payments',
  refund: 'Refunds',
  statement: 'Customers',
  customer: 'Customers',
}

/** The rows of a noun that the caller may read, as `d`. */
const visible = (ctx: Ctx, noun: RowNoun) => {
  const rows = readable(ctx.actor, noun, 'Guid')
  if (rows === 'none') return null
  const columns = rowColumns(ctx, noun, 'd')
  const all = ctx.db.selectFrom(`${nouns[noun].table} as d` as 'quotes as d').select('d.guid')
  return applyRows({ actor: ctx.actor, rows }, applyRows(ctx, all, columns), columns)
}

/** Whether a record is one a template of this kind and business is filled from, and the caller's to read. */
export async function isRecord(ctx: Ctx, kind: TemplateKind, businessGuid: string, guid: string): Promise<boolean> {
  const { record } = templateKindFacts[kind]
  const readableRows = visible(ctx, nounsOf[record])
  if (!readableRows) return false
  const { rows } = await sql<{ customer: string }>`select ${
    record === 'statement' ? keeperOf(sql`d.customer_guid`) : sql`d.guid`
  } as customer from ${sql.table(recordTables[record])} d
    where d.guid = ${guid} and ${ofBusiness(record, businessGuid)}`.execute(ctx.db)
  const [row] = rows
  if (!row) return false
  return (await readableRows.where('d.guid', '=', row.customer).executeTakeFirst()) !== undefined
}

const offered = 20

/** Some records to choose from, the newest first. */
export async function findRecords(
  ctx: Ctx,
  kind: TemplateKind,
  businessGuid: string,
  search: string | undefined,
): Promise<{ guid: string; label: string; hint: string | null }[]> {
  const { record } = templateKindFacts[kind]
  const readableRows = visible(ctx, nounsOf[record])
  if (!readableRows) return []
  const mine = record === 'statement' ? keeperOf(sql`d.customer_guid`) : sql`d.guid`
  const typed = search ? likeText(search) : null
  const { rows } = await sql<{ guid: string; label: string; hint: string | null }>`select d.guid,
    ${label[record]} as label, ${hint[record]} as hint ${found(kind, businessGuid)}
    and ${mine} in (${readableRows})
    ${typed ? sql`and (lower(${label[record]}) like ${typed} or lower(${hint[record]}) like ${typed})` : sql``}
    order by d.created_at desc, d.guid desc limit ${offered}`.execute(ctx.db)
  return rows
}
