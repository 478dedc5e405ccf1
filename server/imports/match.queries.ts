import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import type { FileCustomer } from '../../contract/customer-file-rows.ts'

/** What an import may fill where a customer has nothing. */
export const fillable = [
  'abn',
  'acn',
  'email',
  'phone',
  'externalRef',
  'postal',
  'termsDays',
  'notes',
  'site',
  'contacts',
] as const
export type Fillable = (typeof fillable)[number]

/** The list of customers that a file goes into, and the business whose terms of payment it sets. */
export interface Into {
  businessGuid: string
  termsGuid: string
}

export interface Match {
  row: number
  /** How many customers the first key that finds any of them finds. */
  found: number
  /** The customer, where there is one. */
  guid: string | null
  name: string | null
  /** What the customer has none of. */
  blank: Fillable[]
}

/**
 * The customers in use that rows of a file are about: by record, reference, ABN, email, then name. The first of these
 * that finds anything decides. One statement, for as many rows as are given.
 */
export async function findMatches(
  db: Db,
  { businessGuid, termsGuid }: Into,
  given: readonly { row: number; customer: FileCustomer }[],
): Promise<Map<number, Match>> {
  const keys = given.map(({ row, customer: { guid, externalRef: ref, abn, email, displayName: name } }) => ({
    row,
    guid,
    ref,
    abn,
    email,
    name,
  }))
  const of = sql`c.archived_at is null and c.business_guid = ${businessGuid}::uuid`
  const { rows } = await sql<Match>`with given as (
      select g.*, customer_name_key(g.name) as name_key from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        as g(row int, guid uuid, ref text, abn text, email text, name text)
    ), hits as (
      select g.row, 1 as rank, c.family_guid as guid from given g join customers c on c.guid = g.guid and ${of}
      union all
      select g.row, 2, c.family_guid from given g join customers c on c.external_ref = g.ref and ${of}
      union all
      select g.row, 3, c.family_guid from given g join customers c on c.abn = g.abn and ${of}
      union all
      select g.row, 4, c.family_guid from given g join customers c on c.email = g.email and ${of}
      union all
      select g.row, 5, c.family_guid from given g
        join customers c on customer_name_key(c.display_name) = g.name_key and g.name_key <> '' and ${of}
    ), ranked as (
      select row, guid, rank, min(rank) over (partition by row) as best from hits
    ), one as (
      select row, count(distinct guid)::int as found, min(guid::text)::uuid as guid
      from ranked where rank = best group by row
    )
    select one.row, one.found, case when one.found = 1 then one.guid end as guid,
      case when one.found = 1 then c.display_name end as name,
      array_remove(array[
        case when c.abn is null then 'abn' end,
        case when c.acn is null then 'acn' end,
        case when c.email is null then 'email' end,
        case when c.phone is null then 'phone' end,
        case when c.external_ref is null then 'externalRef' end,
        case when c.billing_address is null then 'postal' end,
        case when coalesce(c.internal_notes, '') = '' then 'notes' end,
        case when not exists (select from customer_terms t where t.customer_guid = c.guid
          and t.business_guid = ${termsGuid}::uuid and t.terms_days is not null) then 'termsDays' end,
        case when not exists (select from sites s where s.customer_guid = c.guid and s.archived_at is null)
          then 'site' end,
        case when not exists (select from contact_links l where l.customer_guid = c.guid and l.ended_at is null)
          then 'contacts' end
      ], null) as blank
    from one join customers c on c.guid = one.guid`.execute(db)
  return new Map(rows.map((match) => [match.row, match]))
}
