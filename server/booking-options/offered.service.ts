import { sql } from 'kysely'
import { type OfferedOption, orderProblems } from '../../contract/booking-options.ts'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import type { Ctx, Db } from '../core/ctx.ts'

/** The business whose catalogue the caller works with. */
export const poolOf = (ctx: Ctx): string => ctx.business.catalogueOf

const definition = [
  'o.guid',
  'o.code',
  'o.label',
  'o.help',
  'o.input',
  'o.required',
  'o.answeredBy',
  'o.choices',
  'o.visibleWhen',
] as const

/** Every option of a catalogue, those that were put away too: conditions may name them. */
export const definitionsOf = (db: Db, poolGuid: string): Promise<OfferedOption[]> =>
  db.selectFrom('bookingOptions as o').select(definition).where('o.businessGuid', '=', poolGuid).execute()

/** What each product and kind of job asks that asks an option: all of its questions in order. */
export async function optionsAskedWith(db: Db, optionGuid: string): Promise<Map<string, OfferedOption[]>> {
  const rows = await db
    .selectFrom('optionUses as u')
    .innerJoin('bookingOptions as o', 'o.guid', 'u.optionGuid')
    .select(definition)
    .select(sql<string>`coalesce(u.product_guid, u.job_type_guid)`.as('asking'))
    .where(sql<boolean>`coalesce(u.product_guid, u.job_type_guid) in (
      select coalesce(used.product_guid, used.job_type_guid) from option_uses used
      where used.option_guid = ${optionGuid})`)
    .orderBy('u.position')
    .execute()
  return Map.groupBy(rows, ({ asking }) => asking)
}

function askedBy(column: 'product_guid' | 'job_type_guid', record: string) {
  return sql<string[]>`(select coalesce(json_agg(u.option_guid order by u.position), '[]'::json)
    from option_uses u where ${sql.ref(`u.${column}`)} = ${sql.ref(record)})`
}

/** The questions of a product in order, as the record of the product names them. */
export const optionGuidsOf = askedBy('product_guid', 'p.guid')
/** The same of a kind of job. */
export const optionGuidsOfJobType = askedBy('job_type_guid', 'j.guid')

interface Asking {
  /** Whose questions they are: a product's, or those of a kind of job. */
  column: 'productGuid' | 'jobTypeGuid'
  guid: string
  businessGuid: string
}

/**
 * Sets which questions are asked, in order. Options are of the same catalogue; one that was put away may only stay.
 */
export async function setOptionUses(
  ctx: Ctx,
  { column, guid, businessGuid }: Asking,
  optionGuids: readonly string[],
): Promise<void> {
  const before = await ctx.db
    .selectFrom('optionUses')
    .select('optionGuid')
    .where(column, '=', guid)
    .orderBy('position')
    .execute()
  const kept = new Set(before.map(({ optionGuid }) => optionGuid))
  if (before.map(({ optionGuid }) => optionGuid).join() === optionGuids.join()) return
  await checkUsed(ctx, businessGuid, optionGuids, kept)
  await ctx.db.deleteFrom('optionUses').where(column, '=', guid).execute()
  if (optionGuids.length > 0)
    await ctx.db
      .insertInto('optionUses')
      .values(optionGuids.map((optionGuid, i) => ({ [column]: guid, optionGuid, position: i + 1 })))
      .execute()
}

async function checkUsed(ctx: Ctx, poolGuid: string, asked: readonly string[], kept: ReadonlySet<string>) {
  const rows = await ctx.db
    .selectFrom('bookingOptions as o')
    .select(definition)
    .select('o.archivedAt')
    .where('o.businessGuid', '=', poolGuid)
    .execute()
  const known = new Map(rows.map((row) => [row.guid, row]))
  const fields = asked.flatMap((guid, i): FieldError[] => {
    const path = `optionGuids.${i}`
    const row = known.get(guid)
    if (!row) return [{ path, message: 'We can’t find that option.' }]
    if (row.archivedAt !== null && !kept.has(guid))
      return [{ path, message: 'This option is archived. Restore it first.' }]
    return asked.indexOf(guid) < i ? [{ path, message: 'This is listed twice.' }] : []
  })
  const inOrder = asked.flatMap((guid) => known.get(guid) ?? [])
  if (fields.length === 0) fields.push(...orderProblems(inOrder, rows))
  refuseFields(fields)
}
