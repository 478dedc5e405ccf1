import type { Updateable } from 'kysely'
import { conflict, invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { customersApi } from '../../contract/customers.ts'
import { mergesApi } from '../../contract/merges.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import type { Customers } from '../core/db/schema-business.ts'
import { newGuid } from '../core/guid.ts'
import { asJson, stamp, userOf } from '../core/records.ts'
import { one } from './customers.service.ts'
import { alike, dismiss, duplicates, matchSome, reopen } from './duplicates.ts'
import { type Changes, fieldsOf, mustBeChosen, noTerms, plannedFields, plannedTerms, takenBack } from './merge-plan.ts'
import {
  countsOf,
  type CustomerRow,
  findRows,
  findTerms,
  laterMerge,
  lockRows,
  type TermsRow,
} from './merges.queries.ts'

type Api = typeof mergesApi
interface Pair {
  keepGuid: string
  fromGuid: string
}

/** Two customers of one pool who are nobody else yet: of two who merge the same the later finds them merged. */
async function pairOf(ctx: Ctx, { keepGuid, fromGuid }: Pair, read: typeof lockRows) {
  if (keepGuid === fromGuid) throw invalid('fromGuid', 'Choose another customer.')
  const rows = await read(ctx, [keepGuid, fromGuid])
  const keep = rows.find((row) => row.guid === keepGuid)
  const from = rows.find((row) => row.guid === fromGuid)
  if (!keep) throw invalid('keepGuid', 'We can’t find that customer.')
  if (!from) throw invalid('fromGuid', 'We can’t find that customer.')
  if (keep.mergedInto !== null) throw conflict(`${keep.displayName} was merged into another customer.`)
  if (from.mergedInto !== null) throw conflict(`${from.displayName} was merged into another customer.`)
  if (keep.businessGuid !== from.businessGuid) throw invalid('fromGuid', 'Choose a customer of the same list.')
  const terms = await findTerms(ctx.db, [keepGuid, fromGuid])
  return { keep, from, terms }
}

async function preview(ctx: Ctx, input: Input<Api['preview']>) {
  const two = await pairOf(ctx, input, findRows)
  const [keep, from] = [await one(ctx, input.keepGuid), await one(ctx, input.fromGuid)]
  const fields = fieldsOf(two, ctx.business.guid)
  const has = (what: (row: TermsRow) => boolean) => two.terms.some(what)
  const members = from.customer.mergedFrom.length + keep.customer.mergedFrom.length
  return {
    keep: keep.customer,
    from: from.customer,
    fields,
    counts: await countsOf(ctx.db, input.fromGuid),
    creditCents: from.customer.money?.unallocatedCents ?? null,
    warnings: [
      ...(fields.some(({ chosen }) => chosen === null) ? (['abn'] as const) : []),
      ...(has((row) => row.isOnHold) ? (['hold'] as const) : []),
      ...(has((row) => row.limitCents !== null) ? (['limit'] as const) : []),
      ...([two.keep, two.from].some((row) => row.status === 'blocked') ? (['blocked'] as const) : []),
      ...(members > 0 ? (['family'] as const) : []),
      ...([two.keep, two.from].some((row) => row.archivedAt !== null) ? (['archived'] as const) : []),
    ],
  }
}

/** Writes fields that changed: those of the customer, and of his terms in each business. */
async function write(ctx: Ctx, row: CustomerRow, fields: Record<string, unknown>) {
  const { billingAddress, ...plain } = fields
  const changes = plain as Updateable<Customers>
  if ('billingAddress' in fields) changes.billingAddress = asJson(billingAddress)
  await ctx.db
    .updateTable('customers')
    .set({ ...changes, ...stamp(ctx, row.version) })
    .where('guid', '=', row.guid)
    .execute()
}
async function writeTerms(ctx: Ctx, customerGuid: string, businessGuid: string, fields: Record<string, unknown>) {
  if (Object.keys(fields).length === 0) return
  await ctx.db
    .insertInto('customerTerms')
    .values({ ...noTerms(customerGuid, businessGuid), ...fields })
    .onConflict((found) => found.columns(['customerGuid', 'businessGuid']).doUpdateSet(fields))
    .execute()
}
const afterOf = (changes: Changes) =>
  Object.fromEntries(Object.entries(changes).map(([field, { after }]) => [field, after]))

async function merge(ctx: Ctx, input: Input<Api['merge']>) {
  const two = await pairOf(ctx, input, lockRows)
  const { keep, from } = two
  const { keepVersion, fromVersion, choices } = input
  await checkVersion(keep, keepVersion, customersApi.get, () => one(ctx, keep.guid))
  await checkVersion(from, fromVersion, customersApi.get, () => one(ctx, from.guid))
  mustBeChosen(two, ctx.business.guid, choices)
  const fields = plannedFields(two, ctx.business.guid, choices)
  const terms = plannedTerms(two, ctx, choices)
  await write(ctx, keep, afterOf(fields))
  for (const [businessGuid, changes] of Object.entries(terms))
    await writeTerms(ctx, keep.guid, businessGuid, afterOf(changes))
  const before = await ctx.db.selectFrom('customers').select('guid').where('mergedInto', '=', keep.guid).execute()
  const came = await ctx.db
    .updateTable('customers')
    .set({ mergedInto: keep.guid })
    .where('mergedInto', '=', from.guid)
    .returning('guid')
    .execute()
  await write(ctx, from, { mergedInto: keep.guid })
  const guid = newGuid()
  const row = await ctx.db
    .insertInto('customerMerges')
    .values({
      guid,
      businessGuid: keep.businessGuid,
      keepGuid: keep.guid,
      fromGuid: from.guid,
      members: came.map((member) => member.guid),
      kept: before.map((member) => member.guid),
      fields: JSON.stringify(fields),
      terms: JSON.stringify(terms),
      mergedBy: userOf(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  ctx.audit({
    action: 'customer.merged',
    entity: 'Customers',
    guid: keep.guid,
    after: {
      name: keep.displayName,
      title: from.displayName,
      fromGuid: from.guid,
      mergeGuid: guid,
      ...afterOf(fields),
    },
  })
  return { merge: row, ...(await one(ctx, keep.guid)) }
}

async function findMerge(ctx: Ctx, guid: string) {
  const row = await ctx.db.selectFrom('customerMerges').selectAll().where('guid', '=', guid).executeTakeFirst()
  // Whoever may not see the customers may not know of their merge.
  if (!row || (await findRows(ctx, [row.keepGuid, row.fromGuid])).length < 2) throw notFound()
  return row
}

async function undo(ctx: Ctx, { guid, version }: Input<Api['undo']>) {
  const known = await findMerge(ctx, guid)
  const rows = await lockRows(ctx, [known.keepGuid, known.fromGuid])
  const row = await ctx.db
    .selectFrom('customerMerges')
    .selectAll()
    .where('guid', '=', guid)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const keep = rows.find((one) => one.guid === row.keepGuid)
  const from = rows.find((one) => one.guid === row.fromGuid)
  if (!keep || !from) throw notFound()
  if (row.undoneAt !== null) throw conflict('This merge was already undone.')
  await checkVersion(row, version, mergesApi.get, () => ({ merge: row }))
  const later = await laterMerge(ctx.db, row)
  if (later !== undefined) throw conflict(`Undo the merge with ${later} first.`)
  const { restored, leftAsIs } = takenBack(row.fields, keep)
  await write(ctx, keep, restored)
  const present = await findTerms(ctx.db, [keep.guid])
  for (const [businessGuid, changes] of Object.entries(row.terms)) {
    const now = present.find((terms) => terms.businessGuid === businessGuid) ?? noTerms(keep.guid, businessGuid)
    const back = takenBack(changes, now)
    leftAsIs.push(...back.leftAsIs)
    await writeTerms(ctx, keep.guid, businessGuid, back.restored)
  }
  await write(ctx, from, { mergedInto: null })
  if (row.members.length > 0)
    await ctx.db
      .updateTable('customers')
      .set({ mergedInto: from.guid })
      .where('guid', 'in', [...row.members])
      .execute()
  const undone = await ctx.db
    .updateTable('customerMerges')
    .set({ undoneAt: ctx.now, undoneBy: userOf(ctx), version: row.version + 1 })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  ctx.audit({
    action: 'customer.unmerged',
    entity: 'Customers',
    guid: keep.guid,
    after: { name: keep.displayName, title: from.displayName, fromGuid: from.guid, mergeGuid: guid, ...restored },
  })
  const [kept, freed] = [await one(ctx, keep.guid), await one(ctx, from.guid)]
  return { merge: undone, keep: kept.customer, from: freed.customer, leftAsIs }
}

/** Compares those who were changed at once, without waiting for the night. */
export const matchDuplicates = matchSome

export const merges: Handlers<Api> = {
  preview,
  merge,
  undo,
  get: async (ctx, { guid }) => ({ merge: await findMerge(ctx, guid) }),
  duplicates,
  dismiss,
  reopen,
  alike,
}
