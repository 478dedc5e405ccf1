import type { Selectable } from 'kysely'
import type { Attachment, FileRecord } from '../../contract/files.ts'
import type { Actor, Ctx, Db } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { may } from '../core/http/permission.ts'

export type FileRow = Selectable<DB['files']> & { createdByName: string | null }
type AttachmentRow = Selectable<DB['attachments']>

/** Whether somebody may have photos as they were sent, with the place they were taken at. */
export const maySeeOriginals = (actor: Actor): boolean => may(actor, 'read', 'Files:Original')

export const selectFiles = (db: Db) =>
  db
    .selectFrom('files as f')
    .leftJoin('users as u', 'u.guid', 'f.createdBy')
    .selectAll('f')
    .select('u.name as createdByName')

export const findFile = (db: Db, guid: string): Promise<FileRow | undefined> =>
  selectFiles(db).where('f.guid', '=', guid).executeTakeFirst()

export function shownFile({ actor }: Pick<Ctx, 'actor'>, row: FileRow): FileRecord {
  const hasPlace = maySeeOriginals(actor)
  return {
    guid: row.guid,
    name: row.name,
    mime: row.mime,
    bytes: row.bytes,
    sha256: row.sha256,
    hasThumb: row.thumbSha256 !== null,
    hasView: row.viewSha256 !== null,
    width: row.width,
    height: row.height,
    takenAt: row.takenAt,
    lat: hasPlace ? row.lat : null,
    lng: hasPlace ? row.lng : null,
    scan: row.scan,
    createdAt: row.createdAt,
    createdBy: person(row.createdBy, row.createdByName),
    isFromCustomer: row.isFromCustomer,
  }
}

const person = (guid: string | null, name: string | null) => (guid === null ? null : { guid, name: name ?? '' })

const shownAttachment = (
  ctx: Pick<Ctx, 'actor'>,
  row: AttachmentRow & { addedBy: string | null },
  file: FileRow,
): Attachment => ({
  guid: row.guid,
  version: row.version,
  file: shownFile(ctx, file),
  owner: { noun: row.ownerNoun, guid: row.ownerGuid },
  place: row.place,
  caption: row.caption,
  forCustomer: row.forCustomer,
  detachedAt: row.detachedAt,
  createdAt: row.createdAt,
  createdBy: person(row.createdBy, row.addedBy),
})

/** Attachments by their guids, as people see them, in the order of the guids; in two statements however many. */
export async function showAttachments(ctx: Pick<Ctx, 'actor' | 'db'>, guids: readonly string[]): Promise<Attachment[]> {
  if (guids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('attachments as a')
    .leftJoin('users as w', 'w.guid', 'a.createdBy')
    .selectAll('a')
    .select('w.name as addedBy')
    .where('a.guid', 'in', guids)
    .execute()
  const files = await selectFiles(ctx.db)
    .where('f.guid', 'in', [...new Set(rows.map((row) => row.fileGuid))])
    .execute()
  return guids.flatMap((guid) => {
    const row = rows.find((one) => one.guid === guid)
    const file = row && files.find((one) => one.guid === row.fileGuid)
    return row && file ? [shownAttachment(ctx, row, file)] : []
  })
}
