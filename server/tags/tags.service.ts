import { type RawBuilder, sql } from 'kysely'
import { invalid, notFound } from '../../contract/core/errors.ts'
import { keysOf, maxTags, tagKey } from '../../contract/core/tagging.ts'
import { type NounWith, nouns, rowOf } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { exactUpTo } from '../core/db/page-found.ts'
import { applyRows } from '../core/db/rows.ts'
import { keeperOf, membersAre } from '../core/family.ts'
import { areAll } from '../core/figures.ts'
import { newGuid } from '../core/guid.ts'
import { guidsOf, isIn, type Reach, reachOf } from '../core/reach.ts'
import { likeText, userOf } from '../core/records.ts'
import { filterVisible, rowColumns } from '../row-scope/row-scope.service.ts'

/** A noun whose records people tag. */
export type TagNoun = NounWith<'hasTags'>

/** The tags of a record, those of a customer who was merged with those of whoever is kept. */
const isOf = (noun: TagNoun, record: RawBuilder<unknown>) =>
  rowOf(noun).merged ? membersAre(sql.ref('t.recordGuid'), record) : sql<boolean>`t.record_guid = ${record}`

/** Tags as lists and records show them: each once, by name. */
export const tagsOf = (noun: TagNoun, alias: string): RawBuilder<string[]> =>
  sql<string[]>`array(select min(t.tag) from record_tags t where t.noun = ${sql.lit(noun)}
    and ${isOf(noun, sql.ref(`${alias}.guid`))} group by t.tag_key order by t.tag_key)`

/** What a list is narrowed to, and whether that is more than are counted. */
export interface Tagged {
  within: RawBuilder<boolean>[]
  areMany?: true
}

/**
 * Rows of a list that have one of the tags that a filter names. Few are found by the index of tags; of many each row of
 * the list is asked, as far as it is read.
 */
export async function taggedWith(
  ctx: Ctx,
  reach: Reach,
  noun: TagNoun,
  alias: string,
  filter: string | undefined,
): Promise<Tagged> {
  if (filter === undefined) return { within: [] }
  const named = sql`t.noun = ${noun} and t.tag_key = any(${keysOf(filter)}::text[])`
  const record = sql.ref('t.recordGuid')
  const { rows } = await sql<{ guid: string }>`select ${rowOf(noun).merged ? keeperOf(record) : record} as guid
    from record_tags t where ${isIn(reach, 't.businessGuid', rowOf(noun).pool)} and ${named}
    limit ${exactUpTo + 1}`.execute(ctx.db)
  const guid = sql.ref(`${alias}.guid`)
  return rows.length > exactUpTo
    ? {
        within: [sql<boolean>`exists (select from record_tags t where ${isOf(noun, guid)} and ${named})`],
        areMany: true,
      }
    : { within: [sql<boolean>`${guid} = any(${[...new Set(rows.map((row) => row.guid))]}::uuid[])`] }
}

interface Asked {
  search?: string | undefined
  business?: string | undefined
}

/** More of them are found by what one types. */
const mostKnown = 200

/**
 * Tags that records of a noun have, by name: each is found by one step in an index, however many records have it.
 * Whoever sees some records alone is told those of these.
 */
async function known(ctx: Ctx, noun: TagNoun, { search, business }: Asked): Promise<{ items: string[] }> {
  const pools = guidsOf(await reachOf(ctx, { business }), rowOf(noun).pool)
  const ofNoun = sql`t.business_guid = p.guid and t.noun = ${noun}`
  const next = (after: RawBuilder<unknown>) =>
    sql`(select t.tag_key from record_tags t where ${ofNoun}${after} order by t.tag_key limit 1)`
  const visible = applyRows(
    ctx,
    ctx.db.selectFrom(`${nouns[noun].table} as d` as 'quotes as d').select('d.guid'),
    rowColumns(ctx, noun, 'd'),
  )
  const seen = areAll(pools, ctx) ? sql`true` : sql`t.record_guid in (${visible})`
  const { rows } = await sql<{ tag: string }>`select distinct on (own.tag_key) own.tag
    from unnest(${pools}::uuid[]) p(guid) cross join lateral (with recursive step as (
      select ${next(sql``)} as tag_key
      union all select ${next(sql` and t.tag_key > step.tag_key`)} from step where step.tag_key is not null)
    select told.tag, step.tag_key from step cross join lateral (select t.tag from record_tags t
      where ${ofNoun} and t.tag_key = step.tag_key and ${seen} limit 1) told
    where ${search ? sql`step.tag_key like ${likeText(search)}` : sql`step.tag_key is not null`}
    order by step.tag_key limit ${mostKnown}) own
    order by own.tag_key limit ${mostKnown}`.execute(ctx.db)
  return { items: rows.map(({ tag }) => tag) }
}

interface Change {
  add?: readonly string[] | undefined
  remove?: readonly string[] | undefined
}

/** Each once, as it was written first. */
const once = (tags: readonly string[] = []) =>
  [...new Map(tags.toReversed().map((tag) => [tagKey(tag), tag]))].toReversed()

/** A record that the caller may change, held while its tags are. */
async function hold(ctx: Ctx, noun: TagNoun, asked: string) {
  const guid = rowOf(noun).merged ? keeperOf(asked) : sql<string>`${asked}::uuid`
  const names = nouns[noun].hit.label.map((column) => sql.ref(`d.${column}`))
  const { rows } = await sql<{ guid: string; businessGuid: string; label: string }>`select d.guid, d.business_guid,
    coalesce(${sql.join(names)}) as label
    from ${sql.table(nouns[noun].table)} d where d.guid = ${guid} for no key update`.execute(ctx.db)
  const [row] = rows
  if (!row || !(await filterVisible(ctx, ctx.rows, noun, [row.guid])).has(row.guid)) throw notFound()
  return row
}

const present = async (ctx: Ctx, noun: TagNoun, guid: string) =>
  (
    await sql<{ tag: string; tagKey: string }>`select min(t.tag) as tag, t.tag_key from record_tags t
    where t.noun = ${noun} and ${isOf(noun, sql`${guid}::uuid`)} group by t.tag_key order by t.tag_key`.execute(ctx.db)
  ).rows

/** Adds tags to a record and takes others away, and tells which; what is there already is left as it is written. */
async function changeTags(ctx: Ctx, noun: TagNoun, asked: string, { add, remove }: Change) {
  const record = await hold(ctx, noun, asked)
  const { guid } = record
  const before = await present(ctx, noun, guid)
  const has = new Map(before.map(({ tagKey: key, tag }) => [key, tag]))
  const fresh = once(add).filter(([key]) => !has.has(key))
  const gone = once(remove).filter(([key]) => has.has(key))
  if (has.size + fresh.length - gone.length > maxTags) throw invalid('add', `Use up to ${maxTags} tags.`)
  if (gone.length > 0)
    await sql`delete from record_tags t where t.noun = ${noun} and ${isOf(noun, sql`${guid}::uuid`)}
      and t.tag_key = any(${gone.map(([key]) => key)}::text[])`.execute(ctx.db)
  await insertTags(
    ctx,
    noun,
    record,
    fresh.map(([, tag]) => tag),
  )
  const told = (action: 'tag.added' | 'tag.removed', names: readonly string[]) => {
    if (names.length > 0)
      ctx.audit({ action, entity: noun, guid, after: { name: names.join(', '), kind: noun, title: record.label } })
  }
  told(
    'tag.added',
    fresh.map(([, tag]) => tag),
  )
  told(
    'tag.removed',
    gone.map(([key]) => has.get(key) ?? key),
  )
  const isGone = new Set(gone.map(([key]) => key))
  const tags = [...before.map(({ tagKey: key, tag }): [string, string] => [key, tag]), ...fresh]
    .filter(([key]) => !isGone.has(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, tag]) => tag)
  return { guid, tags }
}

async function insertTags(
  ctx: Ctx,
  noun: TagNoun,
  record: { guid: string; businessGuid: string },
  tags: readonly string[],
) {
  if (tags.length === 0) return
  await ctx.db
    .insertInto('recordTags')
    .values(
      tags.map((tag) => ({
        guid: newGuid(),
        businessGuid: record.businessGuid,
        noun,
        recordGuid: record.guid,
        tag,
        createdAt: ctx.now,
        createdBy: userOf(ctx),
      })),
    )
    .execute()
}

/** A new version of a record keeps the tags of the one before it. */
export async function copyTags(ctx: Ctx, noun: TagNoun, from: { guid: string; businessGuid: string }, to: string) {
  const tags = await present(ctx, noun, from.guid)
  await insertTags(
    ctx,
    noun,
    { guid: to, businessGuid: from.businessGuid },
    tags.map(({ tag }) => tag),
  )
}

interface Edited {
  guid: string
  version: number
}
type WithTags<I> = I & { addTags?: readonly string[] | undefined; removeTags?: readonly string[] | undefined }

/**
 * One of many that are changed alike. Tags change whatever the record's state is, and without its version: whoever adds
 * one takes nothing of others' away.
 */
export const withTags =
  <I extends Edited>(noun: TagNoun, update: (ctx: Ctx, input: I) => Promise<unknown>) =>
  async (ctx: Ctx, { addTags, removeTags, ...input }: WithTags<I>): Promise<void> => {
    const { guid, version: _version, ...rest } = input
    if (Object.keys(rest).length > 0) await update(ctx, input as unknown as I)
    if (addTags || removeTags) await changeTags(ctx, noun, guid, { add: addTags, remove: removeTags })
  }

/** The handlers of a noun's tags. */
export const tagging = (noun: TagNoun) => ({
  tags: (ctx: Ctx, asked: Asked) => known(ctx, noun, asked),
  tag: (ctx: Ctx, { guid, ...change }: Change & { guid: string }) => changeTags(ctx, noun, guid, change),
})
