import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type {
  contact,
  site,
  Customer,
  CustomerMoney,
  CustomerStatus,
  CustomerTerms,
  customersApi,
} from '../../contract/customers.ts'
import { nouns, nounsWith } from '../../contract/nouns.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { exactUpTo } from '../core/db/page-found.ts'
import { applyRows } from '../core/db/rows.ts'
import { inFamily, keeperOf, keepsOneOf, ofFamily } from '../core/family.ts'
import { dayIn, isIn, type Reach } from '../core/reach.ts'
import { archivedIf, holdsText, searchText } from '../core/records.ts'
import { dealing } from '../core/works-in.ts'
import { overdueCents } from '../documents/instalments.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { taggedWith, tagsOf } from '../tags/tags.service.ts'

type Contact = z.output<typeof contact>
type Site = z.output<typeof site>

/** The customers the caller may know of. Whoever does a customer's work is assigned to the customer. */
export const visibleCustomers = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('customers as c'), rowColumns(ctx, 'Customers', 'c'))

/** What a customer owes these businesses: others may work with the same customers. */
const owing = (reach: Reach, cents: RawBuilder<unknown>, late = sql``) =>
  sql<number>`coalesce((select sum(${cents}) from invoices i where ${ofFamily('i', 'c.guid')}
    and ${isIn(reach, 'i.businessGuid')} and i.status = 'issued' and i.balance_cents > 0 ${late}), 0)::bigint`
const owingInAll = (reach: Reach) => owing(reach, sql`i.balance_cents`)
const owingLate = (reach: Reach) => {
  const today = dayIn(reach, 'i.businessGuid')
  return owing(reach, overdueCents('i', today), sql`and i.due_on < ${today}::date`)
}

export type CustomerFilters = z.output<typeof customersApi.list.query>

/** The customers of a list by what indexes begin with, beside whose they are. */
export function foundCustomers(ctx: Ctx, { archived }: CustomerFilters) {
  return visibleCustomers(ctx).where('c.mergedInto', 'is', null).where(archivedIf('c', archived))
}

/**
 * How many customers are read in the order of the list where more owe than are counted: each is asked for its invoices.
 */
const walkedCustomers = { any: 800, overdue: 2000 }

/**
 * Customers who owe, each found by one step in an index: the invoices in between are not read. Who is overdue is found
 * by the invoices that are. Null where there are more than are counted.
 */
async function owingCustomers(db: Db, reach: Reach, late: boolean) {
  const each = reach.map((of) => {
    const waiting = isOpen([of])
    const first = (after: RawBuilder<unknown>) =>
      sql`select i.customer_guid from invoices i where ${waiting}${after} order by i.customer_guid, i.due_on limit 1`
    return late
      ? sql`(select i.customer_guid as guid from invoices i where ${waiting} and i.due_on < ${of.today}::date
          order by i.due_on limit ${exactUpTo + 1})`
      : sql`(with recursive step as (
      (${first(sql``)}) union all
      select next.* from step, lateral (${first(sql` and i.customer_guid > step.customer_guid`)}) next
    ) select customer_guid as guid from step limit ${exactUpTo + 1})`
  })
  const { rows } = await sql<{ guid: string }>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows.length > exactUpTo ? null : [...new Set(rows.map((row) => row.guid))]
}

const isOpen = (reach: Reach) => sql`${isIn(reach, 'i.businessGuid')} and i.status = 'issued' and i.balance_cents > 0
    and i.archived_at is null`

async function isOwing(db: Db, reach: Reach, { archived, owing: owes }: CustomerFilters) {
  const overdue = owes === 'overdue' ? sql` and i.due_on < ${dayIn(reach, 'i.businessGuid')}::date` : null
  // The archived are few, and each can be asked.
  const guids = archived === 'true' ? null : await owingCustomers(db, reach, overdue !== null)
  if (guids) return { within: keepsOneOf(guids) }
  return {
    within: sql<boolean>`coalesce((select true from invoices i where ${ofFamily('i', 'c.guid')}
      and ${isOpen(reach)}${overdue ?? sql``} limit 1), false)`,
    ...(archived === 'true' ? {} : { areMany: true, walked: walkedCustomers[overdue ? 'overdue' : 'any'] }),
  }
}

/** By what else they are narrowed, and whether they are more than are counted. */
export async function customersWithin(
  ctx: Ctx,
  reach: Reach,
  filters: CustomerFilters,
): Promise<{ within: RawBuilder<boolean>[]; areMany?: boolean; walked?: number }> {
  const { search, kind } = filters
  const tagged = await taggedWith(ctx, reach, 'Customers', 'c', filters.tag)
  const narrowed = [
    ...tagged.within,
    ...(search ? [holdsText(searchText('c'), search)] : []),
    ...(kind ? [sql<boolean>`c.kind = any(${kind.split(',')}::text[])`] : []),
  ]
  if (!filters.owing) return { within: narrowed, ...(tagged.areMany && !search ? { areMany: true } : {}) }
  const { within, areMany, walked } = await isOwing(ctx.db, reach, filters)
  // What a search finds may be few of them.
  return { within: [...narrowed, within], ...(areMany && !search ? { areMany, walked } : {}) }
}

/** What a list shows of each. */
export const listedCustomers = (ctx: Ctx, reach: Reach) =>
  ctx.db.selectFrom('customers as c').select([
    'c.guid',
    'c.businessGuid',
    'c.version',
    'c.kind',
    'c.displayName',
    'c.status',
    'c.abn',
    'c.email',
    'c.phone',
    'c.createdAt',
    'c.archivedAt',
    tagsOf('Customers', 'c').as('tags'),
    sql<string | null>`c.billing_address ->> 'suburb'`.as('suburb'),
    sql<boolean>`coalesce((select bool_or(t.is_on_hold) from customer_terms t where t.customer_guid = c.guid
        and ${isIn(reach, 't.businessGuid')}), false)`.as('isOnHold'),
    owingInAll(reach).as('balanceCents'),
    owingLate(reach).as('overdueCents'),
    sql<string | null>`(select o.created_at from orders o where ${ofFamily('o', 'c.guid')}
        and ${isIn(reach, 'o.businessGuid')} order by o.created_at desc limit 1)`.as('lastOrderAt'),
  ])

/** One person, who may be a contact of several of the family, stands there once. */
const contactsJson = sql<Contact[]>`(select coalesce(json_agg(json_build_object('guid', p.guid, 'name', p.name,
  'position', p.position, 'email', p.email, 'phone', p.phone, 'role', l.role, 'isPrimary', l.is_primary,
  'receivesQuotes', l.receives_quotes, 'receivesInvoices', l.receives_invoices,
  'receivesReminders', l.receives_reminders)
  order by l.is_primary desc, p.created_at, p.name, p.guid), '[]'::json)
  from (select distinct on (l.contact_guid) l.* from contact_links l
    where ${ofFamily('l', 'c.guid')} and l.ended_at is null
    order by l.contact_guid, l.customer_guid = c.guid desc, l.created_at) l
  join contacts p on p.guid = l.contact_guid where p.archived_at is null)`
const sitesJson = sql<
  Site[]
>`(select coalesce(json_agg(json_build_object('guid', s.guid, 'name', s.name, 'address', s.address, 'accessNotes',
  s.access_notes) order by s.created_at, s.name, s.guid), '[]'::json)
  from sites s where ${ofFamily('s', 'c.guid')} and s.archived_at is null)`
const termsJson = (business: RawBuilder<unknown>) => sql<CustomerTerms>`coalesce((select json_build_object(
  'termsDays', t.terms_days, 'limitCents', t.limit_cents, 'isOnHold', t.is_on_hold, 'holdReason', t.hold_reason,
  'discountBp', t.discount_bp, 'priceListGuid', t.price_list_guid, 'priceList', (select
  json_build_object('guid', l.guid, 'label', l.name, 'isActive', l.is_active and l.archived_at is null)
  from price_lists l where l.guid = t.price_list_guid)) from customer_terms t
  where t.customer_guid = c.guid and t.business_guid = ${business}),
  json_build_object('termsDays', null, 'limitCents', null, 'isOnHold', false, 'holdReason', null, 'discountBp', 0,
  'priceListGuid', null, 'priceList', null))`

const mergedFromJson = sql<Customer['mergedFrom']>`(select coalesce(json_agg(json_build_object('guid', f.guid,
  'displayName', f.display_name, 'mergedAt', to_char(m.merged_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'mergeGuid', m.guid) order by m.merged_at desc, m.guid), '[]'::json) from customer_merges m
  join customers f on f.guid = m.from_guid where m.undone_at is null and f.family_guid = c.guid
  and f.guid <> c.guid)`

/**
 * What a customer owes some businesses, was invoiced and paid; money received that no invoice took; and what open
 * quotes come to.
 */
const moneyJson = (businesses: RawBuilder<unknown>, today: string) => sql<
  Omit<CustomerMoney, 'byBusiness'>
>`(select json_build_object(
  'balanceCents', i.balance, 'overdueCents', i.overdue, 'invoicedCents', i.invoiced, 'paidCents', i.paid,
  'unallocatedCents', greatest(0, (select coalesce(sum(p.amount_cents), 0) from payments p
  where ${ofFamily('p', 'c.guid')} and p.business_guid = any(${businesses})
  and not exists (select from payment_reversals v where v.payment_guid = p.guid))
    - (select coalesce(sum(a.cents), 0) from payment_allocations a join payments p on p.guid = a.payment_guid
    where ${ofFamily('p', 'c.guid')} and p.business_guid = any(${businesses}))
    - (select coalesce(sum(r.amount_cents), 0) from refunds r join payments p on p.guid = r.payment_guid
    where ${ofFamily('p', 'c.guid')} and p.business_guid = any(${businesses}) and r.invoice_guid is null)),
  'openQuotesCents', (select coalesce(sum(q.total_cents), 0) from quotes q where ${ofFamily('q', 'c.guid')}
  and q.business_guid = any(${businesses}) and q.status in ('sent', 'changes_requested')
  and q.archived_at is null and (q.valid_until is null or q.valid_until >= ${today}::date)),
  'committedCents', (select coalesce(sum(greatest(o.total_cents - o.invoiced_cents, 0)), 0) from orders o
  where ${ofFamily('o', 'c.guid')} and o.business_guid = any(${businesses})
  and o.status in ('confirmed', 'in_progress', 'on_hold') and o.archived_at is null))
  from (select coalesce(sum(balance_cents), 0) as balance,
  coalesce(sum(${overdueCents('n', sql<string>`${today}`)}), 0) as overdue,
    coalesce(sum(total_cents - credited_cents), 0) as invoiced, coalesce(sum(paid_cents - refunded_cents), 0) as paid
    from invoices n where ${ofFamily('n', 'c.guid')} and n.business_guid = any(${businesses}) and status = 'issued'
    and kind <> 'adjustment_note') i)`

/** The same by business, of all that work with the list and the caller works in: others may be owed something, too. */
const owedJson = (ctx: Ctx) => {
  const within = ctx.actor.kind === 'user' ? ctx.actor.worksIn : null
  const today = sql<string>`(${ctx.now}::timestamptz at time zone b.time_zone)::date`
  return sql<CustomerMoney['byBusiness']>`(select coalesce(json_agg(json_build_object('businessGuid', o.guid,
    'name', o.name, 'balanceCents', o.balance, 'overdueCents', o.overdue, 'unallocatedCents', o.credit)
    order by o.name, o.guid), '[]'::json) from (
      select b.guid, coalesce(b.trading_name, b.legal_name) as name, i.balance, i.overdue, greatest(0,
        (select coalesce(sum(p.amount_cents - (select coalesce(sum(a.cents), 0) from payment_allocations a
          where a.payment_guid = p.guid) - (select coalesce(sum(r.amount_cents), 0) from refunds r
          where r.payment_guid = p.guid and r.invoice_guid is null)), 0) from payments p
          where ${ofFamily('p', 'c.guid')} and p.business_guid = b.guid
          and not exists (select from payment_reversals v where v.payment_guid = p.guid))) as credit
      from businesses b cross join lateral (select coalesce(sum(n.balance_cents), 0) as balance,
        coalesce(sum(${overdueCents('n', today)}), 0) as overdue from invoices n
        where ${ofFamily('n', 'c.guid')} and n.business_guid = b.guid and n.status = 'issued'
        and n.balance_cents > 0) i
      where b.customers_of = c.business_guid and b.archived_at is null
      ${within ? sql`and b.guid = any(${within.guid}::uuid[])` : sql``}
    ) o where o.balance <> 0 or o.credit <> 0)`
}

/** One customer; its money as some businesses have it, else as the one of the call. */
export function findCustomer(ctx: Ctx, guid: string, today: string, businesses: readonly string[] | null) {
  const business = dealing(ctx, 'c.businessGuid', 'customersOf')
  const dealers = businesses ? sql`${businesses}::uuid[]` : sql`array[${business}]`
  return visibleCustomers(ctx)
    .selectAll('c')
    .select([
      contactsJson.as('contacts'),
      sitesJson.as('sites'),
      termsJson(business).as('terms'),
      mergedFromJson.as('mergedFrom'),
      tagsOf('Customers', 'c').as('tags'),
      moneyJson(dealers, today).as('money'),
      owedJson(ctx).as('owed'),
    ])
    .where('c.guid', '=', keeperOf(guid))
    .executeTakeFirst()
}

export const lockCustomer = (ctx: Ctx, guid: string) =>
  visibleCustomers(ctx).selectAll('c').where('c.guid', '=', keeperOf(guid)).forUpdate('c').executeTakeFirst()

/** The links of those who are contacts of a family now. */
export const findContactLinks = (db: Db, customerGuid: string) =>
  db
    .selectFrom('contactLinks as l')
    .select(['l.guid', 'l.contactGuid'])
    .where(inFamily('l', customerGuid))
    .where('l.endedAt', 'is', null)
    .execute()
export const findSites = (db: Db, customerGuid: string) =>
  db
    .selectFrom('sites as s')
    .select('s.guid')
    .where(inFamily('s', customerGuid))
    .where('s.archivedAt', 'is', null)
    .execute()

/** The newest records of a customer, each as the audit log names it. */
export const findTimelineSubjects = async (db: Db, guid: string, limit: number) => {
  const newest = nounsWith('isForCustomer').map(
    (noun) => sql`(select ${sql.lit(noun)} as entity, guid from ${sql.table(nouns[noun].table)} of_it
      where ${inFamily('of_it', guid)} order by created_at desc limit ${limit})`,
  )
  const { rows } = await sql<{
    entity: string
    guid: string
  }>`${sql.join(newest, sql` union all `)}`.execute(db)
  return rows
}

export interface PartyFacts {
  /** Whoever is kept of the family: documents are made for him. */
  keeperGuid: string
  archivedAt: string | null
  status: CustomerStatus
  displayName: string
  contactOk: boolean
  siteOk: boolean
}

/**
 * Whether a customer of those a business works with takes part, and whether contact and site are his and in use;
 * undefined when there is no such customer.
 */
export const findParties = async (
  db: Db,
  businessGuid: string,
  given: { customerGuid: string; contactGuid: string | null; siteGuid: string | null },
): Promise<PartyFacts | undefined> => {
  const { rows } = await sql<PartyFacts>`select c.guid as keeper_guid, c.archived_at, c.status, c.display_name,
    exists (select 1 from contacts p join contact_links l on l.contact_guid = p.guid
    left join sites s on s.guid = l.site_guid
    where p.guid = ${given.contactGuid}::uuid and p.archived_at is null and l.ended_at is null
    and (${ofFamily('l', 'c.guid')} or ${ofFamily('s', 'c.guid')})) as contact_ok,
    exists (select 1 from sites s where s.guid = ${given.siteGuid}::uuid and ${ofFamily('s', 'c.guid')}
    and s.archived_at is null) as site_ok
    from parties c where c.member_guid = ${given.customerGuid}::uuid
    and c.business_guid = (select b.customers_of from businesses b where b.guid = ${businessGuid}::uuid)`.execute(db)
  return rows[0]
}
