import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { contactsApi } from '../../contract/contacts.ts'
import type { Ctx } from '../core/ctx.ts'
import { guidsOf, type Reach } from '../core/reach.ts'
import { areAll } from '../core/figures.ts'
import { inFamily } from '../core/family.ts'
import { holdsText, searchText } from '../core/records.ts'
import { visibleCustomers } from './customers.queries.ts'

type Listed = z.output<typeof contactsApi.list.response>['items'][number]
type Contact = z.output<typeof contactsApi.get.response>['contact']

/** The contacts of a list. Whoever may see all customers has them from the contacts alone. */
export function foundContacts(ctx: Ctx, reach: Reach) {
  const query = ctx.db.selectFrom('contacts as p').where('p.listedIn', 'is not', null)
  return areAll(guidsOf(reach), ctx)
    ? query
    : query.where('p.customerGuid', 'in', visibleCustomers(ctx).select('c.guid'))
}

/** Of whom a person is a contact now, directly or at one of the sites. */
const isOf = (customerGuid: string) =>
  sql<boolean>`p.guid = any(array(
    select l.contact_guid from contact_links l where l.ended_at is null and ${inFamily('l', customerGuid)}
    union all select l.contact_guid from contact_links l join sites s on s.guid = l.site_guid
      where l.ended_at is null and ${inFamily('s', customerGuid)}))`

export const contactsWithin = ({
  search,
  customerGuid,
}: {
  search?: string | undefined
  customerGuid?: string | undefined
}): RawBuilder<boolean>[] => [
  ...(search ? [holdsText(searchText('p'), search)] : []),
  ...(customerGuid ? [isOf(customerGuid)] : []),
]

type Home = Pick<
  Listed,
  'customerGuid' | 'customerName' | 'role' | 'isPrimary' | 'receivesQuotes' | 'receivesInvoices' | 'receivesReminders'
>

/** What the person is where they belong first: nothing where every link has ended. */
const homeJson = sql<Home | null>`(select json_build_object('customerGuid', k.guid, 'customerName', k.display_name,
  'role', l.role, 'isPrimary', l.is_primary, 'receivesQuotes', l.receives_quotes,
  'receivesInvoices', l.receives_invoices, 'receivesReminders', l.receives_reminders)
  from contact_links l left join sites s on s.guid = l.site_guid
  join parties k on k.member_guid = coalesce(l.customer_guid, s.customer_guid)
  where l.contact_guid = p.guid and l.ended_at is null
  order by l.customer_guid is null, l.created_at, l.guid limit 1)`

/** What a list shows of each. */
export const listedContacts = (ctx: Ctx) =>
  ctx.db
    .selectFrom('contacts as p')
    .select([
      'p.guid',
      sql<string>`p.listed_in`.as('businessGuid'),
      'p.version',
      'p.name',
      'p.position',
      'p.email',
      'p.phone',
      'p.createdAt',
    ])
    .select(homeJson.as('home'))

/** A person of a list with what they are where they belong first. */
export const atHome = <P extends { home: Home | null }>({ home, ...person }: P) => ({
  ...person,
  ...(home ?? {
    customerGuid: null,
    customerName: null,
    role: 'other' as const,
    isPrimary: false,
    receivesQuotes: false,
    receivesInvoices: false,
    receivesReminders: false,
  }),
})

const linksJson = sql<Contact['links']>`(select coalesce(json_agg(json_build_object('customerGuid', l.customer_guid,
  'siteGuid', l.site_guid, 'label', concat_ws(', ', k.display_name, s.name), 'role', l.role,
  'isPrimary', l.is_primary, 'receivesQuotes', l.receives_quotes, 'receivesInvoices', l.receives_invoices,
  'receivesReminders', l.receives_reminders) order by l.customer_guid is null, l.created_at, l.guid), '[]'::json)
  from contact_links l left join sites s on s.guid = l.site_guid
  join parties k on k.member_guid = coalesce(l.customer_guid, s.customer_guid)
  where l.contact_guid = p.guid and l.ended_at is null)`

const visibleContacts = (ctx: Ctx) => {
  const query = ctx.db.selectFrom('contacts as p')
  return ctx.rows === 'all' ? query : query.where('p.customerGuid', 'in', visibleCustomers(ctx).select('c.guid'))
}
export const findContact = (ctx: Ctx, guid: string) =>
  visibleContacts(ctx).selectAll('p').select(linksJson.as('links')).where('p.guid', '=', guid).executeTakeFirst()
export const lockContact = (ctx: Ctx, guid: string) =>
  visibleContacts(ctx).selectAll('p').where('p.guid', '=', guid).forUpdate('p').executeTakeFirst()

/** The sites and customers that links name, each with the customer it is of. */
export async function findTargets(ctx: Ctx, customers: readonly string[], sites: readonly string[]) {
  const { rows } = await sql<{ guid: string; customerGuid: string }>`
    select m.guid, m.guid as customer_guid from customers m where m.guid = any(${customers}::uuid[])
    union all select s.guid, s.customer_guid from sites s where s.guid = any(${sites}::uuid[])
      and s.archived_at is null`.execute(ctx.db)
  return new Map(rows.map((row) => [row.guid, row.customerGuid]))
}
