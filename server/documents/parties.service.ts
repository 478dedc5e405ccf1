import { sql } from 'kysely'
import type { Order } from '../../contract/orders.ts'

/** The customer's name in a list: a sub-select, so that counting the list needs no join. */
export const customerName = (document: 'q' | 'o' | 'i' | 'p' | 'e') =>
  sql<string>`(select c.display_name from parties c where c.member_guid = ${sql.ref(`${document}.customerGuid`)})`.as(
    'customerName',
  )

/** The kind of job of a quote or an order, by name. */
export const jobTypeName = (document: 'q' | 'o' | 't') =>
  sql<string | null>`(select j.name from job_types j where j.guid = ${sql.ref(`${document}.jobTypeGuid`)})`.as(
    'jobTypeName',
  )
export const jobTypeOf = (document: 'q' | 'o' | 'e' | 't') =>
  sql<Order['jobType']>`(select json_build_object('guid', j.guid, 'label', j.name)
    from job_types j where j.guid = ${sql.ref(`${document}.jobTypeGuid`)})`.as('jobType')

/** A site `s` in one line, with all that it takes to find it. */
const siteLabel = sql<string>`concat_ws(', ', s.name, s.address ->> 'line1',
  nullif(concat_ws(' ', s.address ->> 'suburb', s.address ->> 'state', s.address ->> 'postcode'), ''))`

/** The same of the site of a document, as a sub-select. */
export const siteLabelOf = (site: string) =>
  sql<string | null>`(select ${siteLabel} from sites s where s.guid = ${sql.ref(site)})`

/** Sub-selects of a document's customer, contact and site, each as the contract shows it. */
export const partiesOf = (document: 'q' | 'o' | 'i' | 'e') =>
  [
    sql<
      Order['customer']
    >`(select json_build_object('guid', c.guid, 'displayName', c.display_name, 'email', c.email, 'phone', c.phone,
      'address', nullif(concat_ws(', ', c.billing_address ->> 'line1', c.billing_address ->> 'suburb'), ''))
      from parties c where c.member_guid = ${sql.ref(`${document}.customerGuid`)})`.as('customer'),
    sql<
      Order['contact']
    >`(select json_build_object('guid', p.guid, 'name', p.name, 'email', p.email, 'phone', p.phone) from contacts p
      where p.guid = ${sql.ref(`${document}.contactGuid`)})`.as('contact'),
    sql<Order['site']>`(select json_build_object('guid', s.guid, 'name', s.name, 'label', ${siteLabel}) from sites s
      where s.guid = ${sql.ref(`${document}.siteGuid`)})`.as('site'),
  ] as const
