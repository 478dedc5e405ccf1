import { sql } from 'kysely'
import type { Address } from '../../contract/core/address.ts'
import type { Ctx } from '../core/ctx.ts'

interface Found {
  guid: string
  displayName: string
  externalRef: string | null
  email: string | null
  phone: string | null
  abn: string | null
  postal: Address | null
  site: Address | null
  termsDays: number | null
  contacts: { name: string; email: string | null }[]
}

/** Xero has one person beside the contact and five more. */
const maxPeople = 6

async function find({ db, business }: Ctx, guids: readonly string[]): Promise<Map<string, Found>> {
  const { rows } = await sql<Found>`select c.guid, c.display_name, c.external_ref, c.email, c.phone, c.abn,
    c.billing_address as postal, (select s.address from sites s where s.customer_guid = c.guid
      and s.archived_at is null order by s.created_at, s.name, s.guid limit 1) as site,
    (select t.terms_days from customer_terms t where t.customer_guid = c.guid
      and t.business_guid = ${business.guid}::uuid) as terms_days,
    (select coalesce(json_agg(json_build_object('name', name, 'email', email)), '[]'::json) from (
      select p.name, p.email from contact_links l join contacts p on p.guid = l.contact_guid
      where l.customer_guid = c.guid and l.ended_at is null and p.archived_at is null
      order by l.is_primary desc, p.created_at, p.name, p.guid limit ${maxPeople}) people) as contacts
    from customers c where c.guid = any(${guids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.guid, row]))
}

const addressOf = (prefix: 'PO' | 'SA', address: Address | null) => ({
  [`${prefix}AddressLine1`]: address?.line1,
  [`${prefix}AddressLine2`]: address?.line2,
  [`${prefix}City`]: address?.suburb,
  [`${prefix}Region`]: address?.state,
  [`${prefix}PostalCode`]: address?.postcode,
})

/** The last word of a name is the last name. */
function nameOf(prefix: string, name = '') {
  const at = name.lastIndexOf(' ')
  return at < 0
    ? { [`${prefix}FirstName`]: name }
    : { [`${prefix}FirstName`]: name.slice(0, at), [`${prefix}LastName`]: name.slice(at + 1) }
}

/** Customers as rows of Xero's contacts, by the headings of its columns. */
export async function xeroRows(ctx: Ctx, listed: readonly { guid: string }[]): Promise<Record<string, unknown>[]> {
  const found = await find(
    ctx,
    listed.map(({ guid }) => guid),
  )
  return listed.flatMap(({ guid }) => {
    const customer = found.get(guid)
    if (!customer) return []
    const [first, ...others] = customer.contacts
    return [
      {
        '*ContactName': customer.displayName,
        AccountNumber: customer.externalRef,
        EmailAddress: customer.email,
        ...nameOf('', first?.name),
        ...addressOf('PO', customer.postal),
        ...addressOf('SA', customer.site),
        PhoneNumber: customer.phone,
        TaxNumber: customer.abn,
        DueDateSalesDay: customer.termsDays,
        DueDateSalesTerm: customer.termsDays === null ? null : 'Days After',
        ...Object.assign(
          {},
          ...others.map(({ name, email }, i) => ({
            ...nameOf(`Person${i + 1}`, name),
            [`Person${i + 1}Email`]: email,
          })),
        ),
      },
    ]
  })
}
