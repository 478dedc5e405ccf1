import { type OnConflictBuilder, sql } from 'kysely'
import { isOpenState } from '../../contract/files.ts'
import type { Ctx } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { userOf } from '../core/records.ts'
import { readableFiles } from './content.ts'
import type { Owner } from './owners.ts'

/** The names of those of some files that the caller has sent, or sees on a record, and that nothing was found in. */
export async function namesOfFiles(ctx: Pick<Ctx, 'actor' | 'db'>, guids: readonly string[]) {
  if (guids.length === 0) return new Map<string, string>()
  const rows = await ctx.db
    .selectFrom('files')
    .select(['guid', 'name', 'createdBy', 'scan'])
    .where('guid', 'in', guids)
    .execute()
  const readable = await readableFiles(ctx, rows)
  const open = rows.filter(({ guid, scan }) => readable.has(guid) && (isOpenState(scan) || scan === 'waiting'))
  return new Map(open.map(({ guid, name }) => [guid, name]))
}

/** What hangs there already stays as it is. */
const leaveThere = (c: OnConflictBuilder<DB, 'attachments'>) =>
  c
    .expression(sql`file_guid, owner_guid, owner_noun, coalesce(place, '')`)
    .where('detachedAt', 'is', null)
    .doNothing()

/** Hangs what hangs on one record on another too, as it is there: a revision shows what the quote before it showed. */
export async function carryFiles(ctx: Pick<Ctx, 'actor' | 'db' | 'now'>, from: Owner, to: Owner): Promise<void> {
  const by = userOf(ctx)
  await ctx.db
    .insertInto('attachments')
    .columns([
      ...(['fileGuid', 'place', 'caption', 'forCustomer', 'ownerNoun', 'ownerGuid'] as const),
      ...(['createdAt', 'createdBy', 'updatedAt', 'updatedBy'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('attachments as a')
        .select(['a.fileGuid', 'a.place', 'a.caption', 'a.forCustomer'])
        .select([
          sql<string>`${to.noun}`.as('ownerNoun'),
          sql<string>`${to.guid}::uuid`.as('ownerGuid'),
          'a.createdAt',
          sql<string>`${by}::uuid`.as('createdBy'),
          sql<Date>`${ctx.now}::timestamptz`.as('updatedAt'),
          sql<string>`${by}::uuid`.as('updatedBy'),
        ])
        .where('a.ownerNoun', '=', from.noun)
        .where('a.ownerGuid', '=', from.guid)
        .where('a.detachedAt', 'is', null),
    )
    .onConflict(leaveThere)
    .execute()
}

/** Where files hang that answer questions. */
export const answerPlace = 'answer'

/** Hangs the files that lines are answered with on their document; what hangs there already stays as it is. */
export async function attachAnswers(
  ctx: Pick<Ctx, 'actor' | 'db' | 'now'>,
  { noun, guid }: Owner,
  fileGuids: readonly string[],
): Promise<void> {
  if (fileGuids.length === 0) return
  const by = userOf(ctx)
  const given = { ownerNoun: noun, ownerGuid: guid, place: answerPlace, createdBy: by, updatedBy: by }
  await ctx.db
    .insertInto('attachments')
    .values([...new Set(fileGuids)].map((fileGuid) => ({ ...given, fileGuid, createdAt: ctx.now, updatedAt: ctx.now })))
    .onConflict(leaveThere)
    .execute()
}
