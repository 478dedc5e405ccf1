import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import {
  alikeFrom,
  compareCustomers,
  type DuplicateReason,
  gradeOf,
  type Likeness,
  plainName,
  possibleFrom,
} from '../../contract/duplicates.ts'
import type { Duplicate, mergesApi } from '../../contract/merges.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { defineBatch } from '../core/jobs/jobs.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { visibleCustomers } from './customers.queries.ts'

type Api = typeof mergesApi
type Brief = Duplicate['a']
type Known = Brief & Likeness

/** More customers than these with one number or name say nothing of any of them. */
const candidatesEach = 50
const hintsShown = 5
const customersPerStep = 200

const briefJson = (alias: string) => {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<Brief>`json_build_object('guid', ${of('guid')}, 'version', ${of('version')},
    'displayName', ${of('displayName')}, 'kind', ${of('kind')}, 'abn', ${of('abn')}, 'email', ${of('email')},
    'phone', ${of('phone')}, 'suburb', ${of('billingAddress')} ->> 'suburb',
    'state', ${of('billingAddress')} ->> 'state', 'postcode', ${of('billingAddress')} ->> 'postcode',
    'createdAt', to_char(${of('createdAt')} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`
}

/** Those who may be somebody: each way by its index, a few of each. */
async function candidates(db: Db, pool: string, given: Likeness): Promise<Known[]> {
  const digits = (given.phone ?? '').replaceAll(/\D/g, '').slice(-9)
  const plain = plainName(given.displayName)
  const mine = sql`c.business_guid = ${pool}::uuid and c.archived_at is null and c.merged_into is null`
  const ways = [
    ...(given.abn ? [sql`c.abn = ${given.abn}`] : []),
    ...(given.email ? [sql`lower(c.email) = ${given.email.toLowerCase()}`] : []),
    ...(digits.length === 9
      ? [sql`c.phone is not null and right(regexp_replace(c.phone, '\\D', '', 'g'), 9) = ${digits}`]
      : []),
    ...(plain ? [sql`c.plain_name % ${plain}`] : []),
  ]
  if (ways.length === 0) return []
  const found = ways.map(
    (way) => sql`(select c.guid from customers c where ${mine} and ${way} limit ${candidatesEach})`,
  )
  const { rows } = await sql<{ known: Known }>`select ${briefJson('c')} as known from customers c
    where c.guid in (${sql.join(found, sql` union `)})`.execute(db)
  return rows.map(({ known }) => known)
}

const likenessOf = ({ displayName, abn, email, phone, postcode }: Known): Likeness => ({
  displayName,
  abn,
  email,
  phone,
  postcode,
})

async function alikeTo(db: Db, pool: string, given: Likeness) {
  await sql`select set_config('pg_trgm.similarity_threshold', ${String(alikeFrom - 0.1)}, true)`.execute(db)
  return (await candidates(db, pool, given))
    .map((known) => ({ known, ...compareCustomers(given, likenessOf(known)) }))
    .filter(({ points }) => points >= possibleFrom)
    .toSorted((a, b) => b.points - a.points)
}

/**
 * Who a customer that is being entered may be already. A name alone tells too little to be kept as a pair, and enough
 * to be asked about.
 */
export async function alike(ctx: Ctx, input: Input<Api['alike']>) {
  const given: Likeness = {
    displayName: input.displayName ?? '',
    abn: input.abn?.replaceAll(/\D/g, '') || null,
    email: input.email || null,
    phone: input.phone ?? null,
    postcode: input.postcode ?? null,
  }
  const found = (await candidates(ctx.db, ctx.business.customersOf, given))
    .map((known) => ({ ...known, ...compareCustomers(given, likenessOf(known)) }))
    .filter(({ points, reasons }) => points >= possibleFrom || reasons.includes('name') || reasons.includes('email'))
    .toSorted((a, b) => b.points - a.points)
  const seen = new Set(
    found.length === 0
      ? []
      : (
          await visibleCustomers(ctx)
            .select('c.guid')
            .where(
              'c.guid',
              'in',
              found.map(({ guid }) => guid),
            )
            .execute()
        ).map(({ guid }) => guid),
  )
  return { items: found.filter(({ guid }) => seen.has(guid)).slice(0, hintsShown) }
}

export async function duplicates(ctx: Ctx, input: Input<Api['duplicates']>) {
  const visible = () => visibleCustomers(ctx).select('c.guid')
  const mine = ctx.db
    .selectFrom('duplicatePairs as d')
    .innerJoin('customers as a', 'a.guid', 'd.aGuid')
    .innerJoin('customers as b', 'b.guid', 'd.bGuid')
    .where('d.businessGuid', '=', ctx.business.customersOf)
    .where('d.dismissedAt', input.status === 'dismissed' ? 'is not' : 'is', null)
    .where('a.mergedInto', 'is', null)
    .where('b.mergedInto', 'is', null)
    .where('a.archivedAt', 'is', null)
    .where('b.archivedAt', 'is', null)
  const seen = ctx.rows === 'all' ? mine : mine.where('a.guid', 'in', visible()).where('b.guid', 'in', visible())
  const words = input.search?.toLowerCase()
  const page = await pageOf({
    query: (words
      ? seen.where((where) =>
          where.or([
            where(sql<string>`a.search_text`, 'like', `%${words}%`),
            where(sql<string>`b.search_text`, 'like', `%${words}%`),
          ]),
        )
      : seen
    ).select(['d.guid', 'd.points', 'd.reasons', briefJson('a').as('a'), briefJson('b').as('b')]),
    input,
    sorts: { points: 'd.points' },
    guid: 'd.guid',
    defaultSort: '-points',
  })
  return {
    ...page,
    items: page.items.map((item) => ({
      ...item,
      reasons: item.reasons as DuplicateReason[],
      grade: gradeOf(item.points),
    })),
  }
}

/** Says that two customers are not one, or takes that back. */
const setDismissed =
  (isDismissed: boolean) =>
  async (ctx: Ctx, { guid }: Input<Api['dismiss']>) => {
    const pair = await ctx.db.selectFrom('duplicatePairs').selectAll().where('guid', '=', guid).executeTakeFirst()
    const both = pair
      ? await visibleCustomers(ctx)
          .select(['c.guid', 'c.displayName'])
          .where('c.guid', 'in', [pair.aGuid, pair.bGuid])
          .execute()
      : []
    const [one, other] = both
    if (!pair || !one || !other) throw notFound()
    await ctx.db
      .updateTable('duplicatePairs')
      .set(isDismissed ? { dismissedAt: ctx.now, dismissedBy: userOf(ctx) } : { dismissedAt: null, dismissedBy: null })
      .where('guid', '=', guid)
      .where('dismissedAt', isDismissed ? 'is' : 'is not', null)
      .execute()
    ctx.audit({
      action: isDismissed ? 'customer.told_apart' : 'customer.told_alike',
      entity: 'Customers',
      guid: one.guid,
      after: { name: one.displayName, title: other.displayName },
    })
    return { guid }
  }
export const dismiss = setDismissed(true)
export const reopen = setDismissed(false)

/** Compares one customer with those who may be the same, and keeps which of them may be. */
async function matchOne(ctx: Ctx, row: { guid: string; version: number; businessGuid: string; known: Known }) {
  const found = (await alikeTo(ctx.db, row.businessGuid, likenessOf(row.known))).filter(
    ({ known }) => known.guid !== row.guid,
  )
  const others = found.map(({ known }) => known.guid)
  // Those that are alike no more are pairs no more; what somebody has told apart stays told apart.
  await sql`delete from duplicate_pairs where ${row.guid}::uuid in (a_guid, b_guid) and dismissed_at is null
    and not (a_guid = any(${others}::uuid[]) or b_guid = any(${others}::uuid[]))`.execute(ctx.db)
  if (found.length > 0)
    await ctx.db
      .insertInto('duplicatePairs')
      .values(
        found.map(({ known, points, reasons }) => {
          const [aGuid, bGuid] = row.guid < known.guid ? [row.guid, known.guid] : [known.guid, row.guid]
          return { guid: newGuid(), businessGuid: row.businessGuid, aGuid, bGuid, points, reasons, foundAt: ctx.now }
        }),
      )
      .onConflict((conflict) =>
        conflict.columns(['aGuid', 'bGuid']).doUpdateSet((set) => ({
          points: set.ref('excluded.points'),
          reasons: set.ref('excluded.reasons'),
        })),
      )
      .execute()
  await sql`update customers set matched_version = ${row.version} where guid = ${row.guid}::uuid`.execute(ctx.db)
}

/** Customers that were changed since they were last compared; gives how many. */
export async function matchSome(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ guid: string; version: number; businessGuid: string; known: Known }>`
    select c.guid, c.version, c.business_guid, ${briefJson('c')} as known from customers c
    where c.archived_at is null and c.merged_into is null and c.matched_version is distinct from c.version
    order by c.guid limit ${customersPerStep} for update of c skip locked`.execute(ctx.db)
  for (const row of rows) await matchOne(ctx, row)
  return rows.length
}

/** Whoever was changed during the day is compared at night. */
export const duplicatesBatch = defineBatch('customers-duplicates', '41 2 * * *', async (ctx, hasTime) => {
  let processed = 0
  while (hasTime()) {
    const done = await ctx.tx(matchSome)
    processed += done
    if (done < customersPerStep) return { succeeded: processed, failed: 0, remaining: 0 }
  }
  return { succeeded: processed, failed: 0, remaining: 1 }
})
