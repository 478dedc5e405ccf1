import { sql } from 'kysely'
import { isOpenState } from '../../contract/files.ts'
import type { Ctx } from '../core/ctx.ts'
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
    .onConflict((c) =>
      c
        .expression(sql`file_guid, owner_guid, owner_noun, coalesce(place, '')`)
        .where('detachedAt', 'is', null)
        .doNothing(),
    )
    .execute()
}
