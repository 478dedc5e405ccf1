import { sql } from 'kysely'
import { conflict, invalid } from '../../contract/core/errors.ts'
import {
  fileSentences,
  type GuestPhoto,
  isOpenState,
  isPictureType,
  partBytes,
  type FileRecord,
} from '../../contract/files.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { countUse } from '../core/http/limits.ts'
import { firstStamp } from '../core/records.ts'
import { answerPlace } from './answered.ts'
import { lockOwner, type Owner } from './owners.ts'
import { typeOf } from './types.ts'
import { create } from './uploads.ts'

/** Photos of customers on one record, and how many a link brings in an hour. */
const maxPhotos = 20
const perHour = { most: 40, seconds: 3600 }

/**
 * A photo that a customer sends through a link: it hangs on the record at once, as an answer, and is his to see unless
 * it has to be checked first. The business is known, the link looked up.
 */
export async function receivePhoto(
  ctx: OpenCtx,
  owner: Owner,
  photo: GuestPhoto,
  caption: string,
): Promise<FileRecord> {
  const { clientKey, fileName, base64, takenAt } = photo
  await countUse(ctx.db, `photo:${owner.guid}`, perHour, 'You’ve sent many photos. Try again in an hour.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.byteLength > partBytes) throw invalid('base64', fileSentences.largePicture)
  if (!isPictureType(await typeOf(bytes, fileName))) throw invalid('base64', fileSentences.type)
  await refuseMore(ctx, owner)
  const made = await create(ctx, { clientKey, fileName, bytes: bytes.byteLength, base64, takenAt })
  if (!('file' in made)) throw new Error('a whole file was answered with an upload')
  const { file } = made
  await ctx.tx(async (tx) => {
    const { told } = await lockOwner(tx.db, owner)
    await refuseMore(tx, owner, file.guid)
    const { numInsertedOrUpdatedRows: count } = await tx.db
      .insertInto('attachments')
      .values({
        fileGuid: file.guid,
        ownerNoun: owner.noun,
        ownerGuid: owner.guid,
        place: answerPlace,
        caption,
        forCustomer: isOpenState(file.scan),
        ...firstStamp(tx),
      })
      .onConflict((c) =>
        c
          .expression(sql`file_guid, owner_guid, owner_noun, coalesce(place, '')`)
          .where('detachedAt', 'is', null)
          .doNothing(),
      )
      .executeTakeFirstOrThrow()
    if (count) tx.audit({ action: 'attachment.added', ...told, after: { name: [file.name], files: [file.guid] } })
  })
  return file
}

async function refuseMore({ db }: Pick<OpenCtx, 'db'>, { noun, guid }: Owner, but?: string): Promise<void> {
  const { count } = await db
    .selectFrom('attachments')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('ownerGuid', '=', guid)
    .where('ownerNoun', '=', noun)
    .where('place', '=', answerPlace)
    .where('detachedAt', 'is', null)
    .where('fileGuid', '!=', but ?? guid)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPhotos) throw conflict(`You can send up to ${maxPhotos} photos. Contact us to send more.`)
}
