import { type RawBuilder, sql } from 'kysely'
import type { Db } from './ctx.ts'

/*
 * A customer that was merged into another keeps what was made for him: merging moves nothing. The two are one family,
 * and whoever is kept speaks for it. So no statement compares a `customer_guid` by itself: rows are asked for by
 * `inFamily`, names and terms come from the view `parties`, and both stand here. A test refuses any other way.
 */

const membersOf = (keeper: RawBuilder<unknown>) =>
  sql`array(select member.guid from customers member where member.family_guid = ${keeper})`

/** The customer who is kept of the family of one of its members. */
export const keeperOf = (member: string | RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(select one.family_guid from customers one where one.guid = ${member}::uuid)`

/** Whether a column names one of the family of whoever is kept. */
export const membersAre = (column: RawBuilder<unknown>, keeper: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${column} = any(${membersOf(keeper)})`

/** Rows of a table made for a customer, whichever of his family they name. */
export const inFamily = (alias: string, member: string | RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.customerGuid`)} = any(${membersOf(keeperOf(member))})`

/** The same for each customer of a query who is kept; `keeper` is the column of his guid. */
export const ofFamily = (alias: string, keeper: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.customerGuid`)} = any(${membersOf(sql.ref(keeper))})`

/** The guid of whoever is kept; undefined where there is no such customer. */
export async function findKeeper(db: Db, member: string): Promise<string | undefined> {
  const row = await db.selectFrom('customers').select('familyGuid').where('guid', '=', member).executeTakeFirst()
  return row?.familyGuid
}

/** Customers `c` who are kept of the families of these. */
export const keepsOneOf = (guids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`c.guid = any(array(select one.family_guid from customers one where one.guid = any(${guids}::uuid[])))`

/**
 * Whether two customers are one, or were when somebody paid for one of them: undoing a merge leaves payments as they
 * are.
 */
export const wereOne = (a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from customer_merges m
    where array[${a}, ${b}] <@ (m.members || m.kept || array[m.keep_guid, m.from_guid]))`

/** Those who were merged into somebody of whom the condition on `kept` holds: a few, found by an index of their own. */
export const mergedInto = (kept: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`select merged.guid from customers merged join customers kept on kept.guid = merged.merged_into
    where merged.merged_into is not null and ${kept}`

/**
 * The addresses of a customer and of those one deals with there and at his sites: `address` in small letters, whose
 * `name` it is, and `place`, 0 for his own and 1 for the others. One may stand there more than once.
 */
export const addressesOf = (customerGuid: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select lower(k.email) as address, k.display_name as name, 0 as place from customers k
      where k.guid = ${keeperOf(customerGuid)} and k.email is not null
    union all select lower(p.email), p.name, 1 from contact_links l left join sites s on s.guid = l.site_guid
      join contacts p on p.guid = l.contact_guid
      where l.ended_at is null and p.archived_at is null and p.email is not null
      and (${inFamily('l', customerGuid)} or ${inFamily('s', customerGuid)}))`
