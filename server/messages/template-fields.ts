import { type RawBuilder, sql } from 'kysely'
import type { TemplateTexts } from '../../contract/email-templates.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import type { TemplateRecord } from '../../contract/template-kinds.ts'
import type { FrozenFacts } from '../core/db/schema-money.ts'
import type { From } from '../documents/document-messages.service.ts'
import { localDay } from '../../contract/core/dates.ts'
import { inFamily } from '../core/family.ts'
import { askedCents } from '../documents/instalments.service.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'

/** Where each kind of record stands. */
export const recordTables = {
  quote: 'quotes',
  order: 'orders',
  invoice: 'invoices',
  payment: 'payments',
  refund: 'refunds',
  statement: 'statements',
  customer: 'customers',
} as const satisfies Record<TemplateRecord, string>

const linesOf = (kind: 'quote' | 'order' | 'invoice') => sql`(select coalesce(json_agg(json_build_object('name', l.name,
  'description', l.description, 'quantity', trim_scale(l.quantity)::text, 'unit', l.unit, 'total',
  l.total_cents + coalesce((select sum(c.total_cents) from ${sql.table(`${kind}_lines`)} c
  where c.parent_line_guid = l.guid), 0)::bigint)
  order by l.position), '[]'::json) from ${sql.table(`${kind}_lines`)} l
  where ${sql.ref(`l.${kind}_guid`)} = d.guid and l.kind not in ('section', 'text')
  and l.parent_line_guid is null)`

/** What each kind of record says of itself. */
const own: Readonly<Record<TemplateRecord, RawBuilder<unknown>>> = {
  quote: sql`json_build_object('number', d.number, 'title', d.title, 'total', d.total_cents, 'deposit',
    case d.deposit_rule ->> 'type'
    when 'percent' then round(d.total_cents * (d.deposit_rule ->> 'value')::numeric / 10000)
    when 'fixed' then least(d.total_cents, (d.deposit_rule ->> 'value')::bigint) end,
    'validUntil', d.valid_until, 'lines', ${linesOf('quote')})`,
  order: sql`json_build_object('number', d.number, 'title', d.title, 'total', d.total_cents, 'toInvoice',
    order_to_invoice(d.guid), 'scheduledOn', d.scheduled_on, 'lines', ${linesOf('order')})`,
  invoice: sql`json_build_object('number', d.number, 'title', d.title, 'total', d.total_cents, 'balance',
    case when d.status in ('draft', 'scheduled') then d.total_cents else d.balance_cents end,
    'issuedOn', d.issue_on, 'dueOn', d.due_on, 'lines', ${linesOf('invoice')})`,
  payment: sql`json_build_object('number', d.number, 'amount', d.amount_cents, 'receivedOn', d.received_on)`,
  refund: sql`json_build_object('number', d.number, 'amount', d.amount_cents)`,
  statement: sql`null`,
  customer: sql`null`,
}
const customerOf = (record: TemplateRecord) =>
  record === 'customer'
    ? sql`d.guid`
    : record === 'refund'
      ? sql`(select p.customer_guid from payments p where p.guid = d.payment_guid)`
      : sql`d.customer_guid`
const hasSite = (record: TemplateRecord) => record === 'quote' || record === 'order' || record === 'invoice'
const jobTypeOf = (record: TemplateRecord) =>
  record === 'invoice' ? sql`(select o.job_type_guid from orders o where o.guid = d.order_guid)` : sql`d.job_type_guid`

/** The change of an order that was sent or accepted last. */
const change = sql`(select json_build_object('number', c.position::text, 'title', c.title, 'contractBefore',
  c.contract_before_cents, 'contractAfter', c.contract_after_cents) from change_orders c
  where c.order_guid = d.guid order by c.position desc limit 1)`

/**
 * What a customer owes a business and is late, the oldest first; of a message that was made of some invoices, what
 * these ask for by the day they are due.
 */
const reminder = (day: string, serviceBase: string, customerGuid: string, of: FieldSource) => {
  const message = of.messageGuid ?? null
  const isOfSome = sql`exists (select from message_invoices x where x.message_guid = ${message}::uuid)`
  return sql`(select json_build_object('total', coalesce(sum(r.cents), 0), 'invoices', coalesce(json_agg(
    json_build_object('number', r.number, 'title', r.title, 'dueOn', r.due_on, 'daysLate',
      greatest(${day}::date - r.due_on, 0), 'balance', r.cents, 'link',
      (select ${serviceBase}::text || l.guid::text from service_links l where l.record_guid = r.guid
        and l.kind = 'invoice' and l.revoked_at is null limit 1)) order by r.due_on, r.number), '[]'::json))
    from (select i.guid, i.number, i.title, i.due_on, case when ${isOfSome} then ${askedCents('i')}
        else i.balance_cents end as cents from invoices i
      where i.status = 'issued' and i.balance_cents > 0 and i.business_guid = ${of.businessGuid}::uuid
      and ${inFamily('i', customerGuid)} and case when ${isOfSome} then exists (select from message_invoices x
        where x.message_guid = ${message}::uuid and x.invoice_guid = i.guid) else i.due_on < ${day}::date end) r)`
}

async function dayIn(db: From['db'], now: Date, businessGuid: string): Promise<string> {
  const row = await db.selectFrom('businesses').select('timeZone').where('guid', '=', businessGuid).executeTakeFirst()
  return localDay(now.toISOString(), row?.timeZone ?? 'Australia/Sydney')
}

interface FieldSource {
  businessGuid: string
  kind: TemplateKind
  record: TemplateRecord
  guid: string
  /** The message that says it, where it is kept already. */
  messageGuid?: string | undefined
}

/** The fields a template of a kind may name, by their types, of one record; in one statement. */
export async function recordFields({ db, deps }: From, source: FieldSource): Promise<object> {
  const { businessGuid, kind, guid, record } = source
  const table = sql.table(recordTables[record])
  const day = kind === 'reminder' ? await dayIn(db, deps.now(), businessGuid) : ''
  const late = reminder(day, serviceUrl(deps.settings, 'invoice', ''), guid, source)
  const isChange = kind === 'change_order' || kind === 'change_accepted'
  const { rows } = await sql<{ fields: object }>`select json_strip_nulls(json_build_object(
    'business', (select json_build_object('name', coalesce(b.trading_name, b.legal_name), 'legalName', b.legal_name,
      'phone', b.phone, 'email', b.email, 'website', b.website) from businesses b
      where b.guid = ${businessGuid}),
    'customer', (select json_build_object('name', c.display_name, 'email', c.email) from parties c
      where c.member_guid = ${customerOf(record)}),
    'site', ${
      hasSite(record)
        ? sql`(select json_build_object('name', s.name, 'line1', s.address ->> 'line1', 'suburb',
      s.address ->> 'suburb', 'state', s.address ->> 'state', 'postcode', s.address ->> 'postcode')
      from sites s where s.guid = d.site_guid)`
        : sql`null::json`
    },
    'jobType', ${
      hasSite(record)
        ? sql`(select json_build_object('name', j.name, 'durationMin', j.duration_min) from job_types j
      where j.guid = ${jobTypeOf(record)})`
        : sql`null::json`
    },
    ${sql.lit(record)}, ${own[record]},
    'payment', ${
      record === 'refund'
        ? sql`(select json_build_object('number', p.number, 'amount', p.amount_cents, 'receivedOn', p.received_on)
      from payments p where p.guid = d.payment_guid)`
        : record === 'payment'
          ? own.payment
          : sql`null::json`
    },
    'change', ${isChange ? change : sql`null::json`},
    'reminder', ${kind === 'reminder' ? late : sql`null::json`}
  )) as fields from ${table} d where d.guid = ${guid}`.execute(db)
  return rows[0]?.fields ?? {}
}

const roots = /\b(business|customer|site|jobType|quote|order|invoice|payment|refund|change|reminder)\./
/** Whether a template says more than the words that are there already. */
export const namesFields = (texts: TemplateTexts): boolean =>
  roots.test([texts.subject, texts.preheader, texts.bodyHtml, texts.button].join(' '))

/** What a message says, with its fields. A document that is being sent got its number after they were read. */
export function withFields(
  facts: FrozenFacts,
  fields: object | null,
  ownerType: string,
  number: string | null,
): FrozenFacts {
  if (!fields) return facts
  const record = (fields as Record<string, unknown>)[ownerType]
  if (!number || record === null || typeof record !== 'object') return { ...facts, fields }
  return { ...facts, fields: { ...fields, [ownerType]: { ...record, number } } }
}
