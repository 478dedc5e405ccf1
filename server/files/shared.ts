import { maxAttachments, type AttachmentNoun, type SharedFile } from '../../contract/files.ts'
import type { Db } from '../core/ctx.ts'

/** The files of a record that its customer is shown, the oldest first; what waits for its check is not there yet. */
export async function sharedFiles(db: Db, noun: AttachmentNoun, guid: string): Promise<SharedFile[]> {
  const rows = await db
    .selectFrom('attachments as a')
    .innerJoin('files as f', 'f.guid', 'a.fileGuid')
    .select(['f.guid', 'f.name', 'f.mime', 'f.bytes', 'f.thumbSha256', 'f.takenAt', 'f.createdAt', 'a.caption'])
    .where('a.ownerGuid', '=', guid)
    .where('a.ownerNoun', '=', noun)
    .where('a.detachedAt', 'is', null)
    .where('a.forCustomer', '=', true)
    .where('f.scan', 'in', ['off', 'clean'])
    .orderBy('a.createdAt')
    .orderBy('a.guid')
    .limit(maxAttachments)
    .execute()
  return rows.map(({ thumbSha256, ...row }) => ({ ...row, hasThumb: thumbSha256 !== null }))
}
