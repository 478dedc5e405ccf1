import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { contact, site, CustomerMoney, customersApi } from '../../contract/customers.ts'
import { nouns, nounsWith } from '../../contract/nouns.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { exactUpTo } from '../core/db/page-found.ts'
import { applyRows } from '../core/db/rows.ts'
import { holdsText, searchText } from '../core/records.ts'
import { customerName } from '../documents/parties.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type Contact = z.output<typeof contact>
type Site = z.output<typeof site>

/** The customers the caller may know of. Whoever does a customer's work is assigned to the customer. */
const visibleCustomers = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('customers as c'), rowColumns(ctx, 'Customers', 'c'))

/** What a customer owes one business: others may work with the same customers. */
const owing = (businessGuid: string, today: string | null) =>
  sql<number>`coalesce((select sum(i.balance_cents) from invoices i where i.customer_guid = c.guid
    and i.business_guid = ${businessGuid}::uuid and i.status = 'issued' and i.balance_cents > 0
    ${today === null ? sql`` : sql`and i.due_on < ${today}::date`}), 0)::bigint`

export type CustomerFilters = z.output<typeof customersApi.list.query>

/** The customers of a list by what indexes begin with. */
export function foundCustomers(ctx: Ctx, pool: string, { archived }: CustomerFilters) {
  const query = visibleCustomers(ctx).where('c.businessGuid', '=', pool)
  return archived === 'true' ? query.where('c.archivedAt', 'is not', null) : query.where('c.archivedAt', 'is', null)
}

/**
 * How many customers are read in the order of the list where more owe than are counted: each is asked for its invoices.
 */
const walkedCustomers = { any: 800, overdue: 2000 }

/**
 * Customers who owe, each found by one step in an index: the invoices in between are not read. Who is overdue is found
 * by the invoices that are. Null where there are more than are counted.
 */
async function owingCustomers(db: Db, waiting: RawBuilder<unknown>, overdue: RawBuilder<unknown> | null) {
  const first = (after: RawBuilder<unknown>) =>
    sql`select i.customer_guid from invoices i where ${waiting}${after} order by i.customer_guid, i.due_on limit 1`
  const { rows } = await (
    overdue
      ? sql<{
          guid: string
        }>`select i.customer_guid as guid from invoices i where ${waiting}${overdue} order by i.due_on
          limit ${exactUpTo + 1}`
      : sql<{ guid: string }>`with recursive step as (
      (${first(sql``)}) union all
      select next.* from step, lateral (${first(sql` and i.customer_guid > step.customer_guid`)}) next
    ) select customer_guid as guid from step limit ${exactUpTo + 1}`
  ).execute(db)
  return rows.length > exactUpTo ? null : [...new Set(rows.map((row) => row.guid))]
}

async function isOwing(db: Db, businessGuid: string, { archived, owing: owes }: CustomerFilters, today: string) {
  const waiting = sql`i.business_guid = ${businessGuid}::uuid and i.status = 'issued' and i.balance_cents > 0
    and i.archived_at is null`
  const overdue = owes === 'overdue' ? sql` and i.due_on < ${today}::date` : null
  // The archived are few, and each can be asked.
  const guids = archived === 'true' ? null : await owingCustomers(db, waiting, overdue)
  if (guids) return { within: sql<boolean>`c.guid = any(${guids}::uuid[])` }
  return {
    within: sql<boolean>`coalesce((select true from invoices i where i.customer_guid = c.guid
      and ${waiting}${overdue ?? sql``} limit 1), false)`,
    ...(archived === 'true' ? {} : { areMany: true, walked: walkedCustomers[overdue ? 'overdue' : 'any'] }),
  }
}

/** By what else they are narrowed, and whether they are more than are counted. */
export async function customersWithin(
  ctx: Ctx,
  businessGuid: string,
  today: string,
  filters: CustomerFilters,
): Promise<{ within: RawBuilder<boolean>[]; areMany?: boolean; walked?: number }> {
  const { search, kind } = filters
  const narrowed = [
    ...(search ? [holdsText(searchText('c'), search)] : []),
    ...(kind ? [sql<boolean>`c.kind = any(${kind.split(',')}::text[])`] : []),
  ]
  if (!filters.owing) return { within: narrowed }
  const { within, areMany, walked } = await isOwing(ctx.db, businessGuid, filters, today)
  // What a search finds may be few of them.
  return { within: [...narrowed, within], ...(areMany && !search ? { areMany, walked } : {}) }
}

/** What a list shows of each. */
export const listedCustomers = (ctx: Ctx, businessGuid: string, today: string) =>
  ctx.db.selectFrom('customers as c').select([
    'c.guid',
    'c.kind',
    'c.displayName',
    'c.abn',
    'c.email',
    'c.phone',
    'c.createdAt',
    'c.archivedAt',
    sql<string | null>`c.billing_address ->> 'suburb'`.as('suburb'),
    owing(businessGuid, null).as('balanceCents'),
    owing(businessGuid, today).as('overdueCents'),
    sql<string | null>`(select o.created_at from orders o where o.customer_guid = c.guid
        and o.business_guid = ${businessGuid}::uuid order by o.created_at desc limit 1)`.as('lastOrderAt'),
  ])

const contactsJson = sql<
  Contact[]
>`(select coalesce(json_agg(json_build_object('guid', p.guid, 'name', p.name, 'position', p.position, 'email', p.email,
  'phone', p.phone,
  'isPrimary', p.is_primary, 'receivesQuotes', p.receives_quotes, 'receivesInvoices', p.receives_invoices)
  order by p.is_primary desc, p.created_at, p.name, p.guid), '[]'::json)
  from contacts p where p.customer_guid = c.guid and p.archived_at is null)`
const sitesJson = sql<
  Site[]
>`(select coalesce(json_agg(json_build_object('guid', s.guid, 'name', s.name, 'address', s.address, 'accessNotes',
  s.access_notes) order by s.created_at, s.name, s.guid), '[]'::json)
  from sites s where s.customer_guid = c.guid and s.archived_at is null)`

/**
 * What a customer owes a business, was invoiced and paid; money received that no invoice took; and what open quotes
 * come to.
 */
const moneyJson = (businessGuid: string, today: string) => sql<CustomerMoney>`(select json_build_object(
  'balanceCents', i.balance, 'overdueCents', i.overdue, 'invoicedCents', i.invoiced, 'paidCents', i.paid,
  'unallocatedCents', greatest(0, (select coalesce(sum(p.amount_cents), 0) from payments p
  where p.customer_guid = c.guid and p.business_guid = ${businessGuid}::uuid)
    - (select coalesce(sum(a.cents), 0) from payment_allocations a join payments p on p.guid = a.payment_guid
    where p.customer_guid = c.guid and p.business_guid = ${businessGuid}::uuid)
    - (select coalesce(sum(r.amount_cents), 0) from refunds r join payments p on p.guid = r.payment_guid
    where p.customer_guid = c.guid and p.business_guid = ${businessGuid}::uuid and r.invoice_guid is null)),
  'openQuotesCents', (select coalesce(sum(q.total_cents), 0) from quotes q where q.customer_guid = c.guid
  and q.business_guid = ${businessGuid}::uuid and q.status in ('sent', 'changes_requested')
  and q.archived_at is null and (q.valid_until is null or q.valid_until >= ${today}::date)))
  from (select coalesce(sum(balance_cents), 0) as balance, coalesce(sum(balance_cents)
  filter (where due_on < ${today}::date), 0) as overdue,
    coalesce(sum(total_cents - credited_cents), 0) as invoiced, coalesce(sum(paid_cents - refunded_cents), 0) as paid
    from invoices where customer_guid = c.guid and business_guid = ${businessGuid}::uuid and status = 'issued'
    and kind <> 'adjustment_note') i)`

export const findCustomer = (ctx: Ctx, guid: string, businessGuid: string, today: string) =>
  visibleCustomers(ctx)
    .selectAll('c')
    .select([contactsJson.as('contacts'), sitesJson.as('sites'), moneyJson(businessGuid, today).as('money')])
    .where('c.guid', '=', guid)
    .executeTakeFirst()

export const lockCustomer = (ctx: Ctx, guid: string) =>
  visibleCustomers(ctx).selectAll('c').where('c.guid', '=', guid).forUpdate('c').executeTakeFirst()

export const findContacts = (db: Db, customerGuid: string) =>
  db
    .selectFrom('contacts')
    .select(['guid'])
    .where('customerGuid', '=', customerGuid)
    .where('archivedAt', 'is', null)
    .execute()
export const findSites = (db: Db, customerGuid: string) =>
  db
    .selectFrom('sites')
    .select(['guid'])
    .where('customerGuid', '=', customerGuid)
    .where('archivedAt', 'is', null)
    .execute()

/** The newest records of a customer, each as the audit log names it. */
export const findTimelineSubjects = async (db: Db, guid: string, limit: number) => {
  const newest = nounsWith('isForCustomer').map(
    (noun) => sql`(select ${sql.lit(noun)} as entity, guid from ${sql.table(nouns[noun].table)}
      where customer_guid = ${guid}::uuid order by created_at desc limit ${limit})`,
  )
  const { rows } = await sql<{
    entity: string
    guid: string
  }>`${sql.join(newest, sql` union all `)}`.execute(db)
  return rows
}

/** The contacts of a list. Whoever may see all customers has them from the contacts alone. */
export function foundContacts(ctx: Ctx, pool: string) {
  const query = ctx.db.selectFrom('contacts as p').where('p.listedIn', '=', pool)
  return ctx.rows === 'all' ? query : query.where('p.customerGuid', 'in', visibleCustomers(ctx).select('c.guid'))
}

export const contactsWithin = ({
  search,
  customerGuid,
}: {
  search?: string | undefined
  customerGuid?: string | undefined
}): RawBuilder<boolean>[] => [
  ...(search ? [holdsText(searchText('p'), search)] : []),
  ...(customerGuid ? [sql<boolean>`p.customer_guid = ${customerGuid}::uuid`] : []),
]

/** What a list shows of each. */
export const listedContacts = (ctx: Ctx) =>
  ctx.db
    .selectFrom('contacts as p')
    .select([
      'p.guid',
      'p.name',
      'p.position',
      'p.email',
      'p.phone',
      'p.isPrimary',
      'p.receivesQuotes',
      'p.receivesInvoices',
      'p.customerGuid',
      customerName('p'),
      'p.createdAt',
    ])

export interface PartyFacts {
  archivedAt: string | null
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
  const { rows } = await sql<PartyFacts>`select c.archived_at,
    exists (select 1 from contacts p where p.guid = ${given.contactGuid}::uuid and p.customer_guid = c.guid
    and p.archived_at is null) as contact_ok,
    exists (select 1 from sites s where s.guid = ${given.siteGuid}::uuid and s.customer_guid = c.guid
    and s.archived_at is null) as site_ok
    from customers c where c.guid = ${given.customerGuid}::uuid
    and c.business_guid = (select b.customers_of from businesses b where b.guid = ${businessGuid}::uuid)`.execute(db)
  return rows[0]
}
