import type { Selectable } from 'kysely'
import { AppError, conflict, invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import {
  bytesOfPart,
  type FileRecord,
  type filesApi,
  fileSentences,
  isPictureType,
  missingParts,
  partBytes,
  partsOf,
  plainName,
  type Upload,
} from '../../contract/files.ts'
import type { Ctx, Db, OpenCtx } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { makeTurns } from '../core/turns.ts'
import { type Arrived, receive, type Received } from './receive.ts'
import { findFile, shownFile } from './shown.ts'
import { viewsQueue } from './views.ts'

type Api = typeof filesApi
type UploadRow = Selectable<DB['uploads']>

/** Unfinished uploads of one sender; who begins more gives up his oldest. */
const maxOpen = 50
/** A file is in memory while it is received: a few at once, a bounded line behind. */
const inTurn = makeTurns({ atOnce: 3, maxWaiting: 100 })

/** Who sends: a user, or the session of a guest. */
function senderOf({ actor }: Pick<Ctx, 'actor'>): string {
  if (actor.kind === 'user') return actor.userGuid
  if (actor.kind === 'guest') return actor.sessionGuid
  throw new AppError('NOT_AUTHENTICATED')
}

const findByKey = (db: Db, actorGuid: string, clientKey: string): Promise<UploadRow | undefined> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('actorGuid', '=', actorGuid)
    .where('clientKey', '=', clientKey)
    .executeTakeFirst()

/** The upload of a key; what was started as something else is not gone on with. */
async function startedBefore(db: Db, sender: string, { clientKey, bytes, fileName }: Input<Api['create']>) {
  const found = await findByKey(db, sender, clientKey)
  if (found && (found.bytes !== bytes || found.fileName !== plainName(fileName)))
    throw conflict(fileSentences.otherFile)
  return found
}

export async function create(
  ctx: OpenCtx,
  input: Input<Api['create']>,
): Promise<{ file: FileRecord } | { upload: Upload }> {
  const sender = senderOf(ctx)
  const before = await startedBefore(ctx.db, sender, input)
  if (before?.fileGuid) return { file: await fileOf(ctx, before.fileGuid) }
  if (input.base64 === undefined)
    return { upload: await shownUpload(ctx.db, before ?? (await ctx.tx((tx) => start(tx, sender, input)))) }
  const arrived = {
    bytes: Buffer.from(input.base64, 'base64'),
    expected: input.bytes,
    fileName: plainName(input.fileName),
    takenAt: input.takenAt ?? null,
  }
  const received = await inTurn(() => receive(ctx, arrived, ctx.business))
  const fileGuid = await ctx.tx(async (tx) => settle(tx, (await start(tx, sender, input)).guid, received))
  return { file: await fileOf(ctx, fileGuid) }
}

/** Begins an upload, or finds that a request beside this one has. */
async function start(ctx: Ctx, sender: string, input: Input<Api['create']>): Promise<UploadRow> {
  const made = await ctx.db
    .insertInto('uploads')
    .values({
      guid: newGuid(),
      businessGuid: ctx.business.guid,
      actorGuid: sender,
      clientKey: input.clientKey,
      fileName: plainName(input.fileName),
      bytes: input.bytes,
      takenAt: input.takenAt ?? null,
      createdAt: ctx.now,
    })
    .onConflict((c) => c.constraint('upload_started').doNothing())
    .returningAll()
    .executeTakeFirst()
  const row = made ?? (await startedBefore(ctx.db, sender, input))
  if (!row) throw conflict(fileSentences.otherFile)
  if (made) await giveUpOldest(ctx.db, sender)
  return row
}

const giveUpOldest = (db: Db, sender: string) =>
  db
    .deleteFrom('uploads')
    .where('guid', 'in', (q) =>
      q
        .selectFrom('uploads')
        .select('guid')
        .where('actorGuid', '=', sender)
        .where('fileGuid', 'is', null)
        .orderBy('createdAt', 'desc')
        .orderBy('guid', 'desc')
        .offset(maxOpen),
    )
    .execute()

async function shownUpload(db: Db, { guid, bytes, fileGuid }: UploadRow): Promise<Upload> {
  const parts = partsOf(bytes)
  // What was made a file is all there, though its parts are gone.
  const received = fileGuid === null ? await partNumbers(db, guid) : Array.from({ length: parts }, (_, i) => i)
  return { guid, bytes, partBytes, parts, received }
}

const partNumbers = async (db: Db, uploadGuid: string): Promise<number[]> => {
  const query = db.selectFrom('uploadParts').select('part').where('uploadGuid', '=', uploadGuid).orderBy('part')
  return (await query.execute()).map(({ part }) => part)
}

const findOwn = async (ctx: Ctx, guid: string, lock?: 'key share'): Promise<UploadRow> => {
  const query = ctx.db.selectFrom('uploads').selectAll().where('guid', '=', guid).where('actorGuid', '=', senderOf(ctx))
  const row = await (lock ? query.forKeyShare() : query).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Keeps one part. It may come twice, and in any order, from any process. */
export async function addPart(ctx: Ctx, { guid, index, base64 }: Input<Api['part']>): Promise<{ upload: Upload }> {
  const upload = await findOwn(ctx, guid, 'key share')
  const bytes = Buffer.from(base64, 'base64')
  if (index >= partsOf(upload.bytes)) throw invalid('index', `Send parts 0 to ${partsOf(upload.bytes) - 1}.`)
  if (bytes.byteLength !== bytesOfPart(upload.bytes, index)) throw invalid('base64', fileSentences.damaged)
  if (upload.fileGuid !== null) return { upload: await shownUpload(ctx.db, upload) }
  const made = await ctx.db
    .insertInto('uploadParts')
    .values({ uploadGuid: guid, part: index, bytes })
    .onConflict((c) => c.columns(['uploadGuid', 'part']).doNothing())
    .executeTakeFirst()
  if (!made.numInsertedOrUpdatedRows && !(await isSame(ctx.db, guid, index, bytes)))
    throw conflict(fileSentences.otherPart)
  return { upload: await shownUpload(ctx.db, upload) }
}

const isSame = async (db: Db, uploadGuid: string, part: number, bytes: Buffer): Promise<boolean> =>
  (await db
    .selectFrom('uploadParts')
    .select('part')
    .where('uploadGuid', '=', uploadGuid)
    .where('part', '=', part)
    .where('bytes', '=', bytes)
    .executeTakeFirst()) !== undefined

/** Makes a file of the parts. Whoever asks again, also at the same time, is answered the same file. */
export async function finish(ctx: OpenCtx, { guid, sha256 }: Input<Api['finish']>): Promise<{ file: FileRecord }> {
  const upload = await findOwn(ctx, guid)
  if (upload.fileGuid) return { file: await fileOf(ctx, upload.fileGuid) }
  const received = await inTurn(async () => {
    const bytes = await joined(ctx.db, upload)
    const arrived: Arrived = {
      bytes,
      expected: upload.bytes,
      sha256,
      fileName: upload.fileName,
      takenAt: upload.takenAt,
    }
    return receive(ctx, arrived, ctx.business)
  }).catch(async (error: unknown) => {
    // Another request may have finished meanwhile and taken the parts away.
    if ((await findOwn(ctx, guid)).fileGuid === null) throw error
    return null
  })
  const fileGuid = received ? await ctx.tx((tx) => settle(tx, guid, received)) : (await findOwn(ctx, guid)).fileGuid
  return { file: await fileOf(ctx, fileGuid ?? '') }
}

async function joined(db: Db, { guid, bytes }: UploadRow): Promise<Buffer> {
  const missing = partsOf(bytes) - (await partNumbers(db, guid)).length
  if (missing > 0) throw conflict(missingParts(missing))
  const parts = await db
    .selectFrom('uploadParts')
    .select('bytes')
    .where('uploadGuid', '=', guid)
    .orderBy('part')
    .execute()
  return Buffer.concat(parts.map((part) => part.bytes))
}

/** Writes the row of a file whose bytes are kept; under the lock of its upload, so that there is one. */
async function settle(ctx: Ctx, uploadGuid: string, received: Received): Promise<string> {
  const { db } = ctx
  const upload = await db
    .selectFrom('uploads')
    .selectAll()
    .where('guid', '=', uploadGuid)
    .forUpdate()
    .executeTakeFirst()
  if (!upload) throw notFound()
  if (upload.fileGuid !== null) return upload.fileGuid
  const guid = newGuid()
  const scan = ctx.deps.settings.scanUrl === undefined ? 'off' : 'waiting'
  await db
    .insertInto('files')
    .values({
      guid,
      businessGuid: upload.businessGuid,
      ...received,
      scan,
      createdAt: ctx.now,
      createdBy: userOf(ctx),
      isFromCustomer: ctx.actor.kind === 'guest',
    })
    .execute()
  await db.updateTable('uploads').set({ fileGuid: guid }).where('guid', '=', uploadGuid).execute()
  await db.deleteFrom('uploadParts').where('uploadGuid', '=', uploadGuid).execute()
  await handOver(ctx, guid, received, scan)
  return guid
}

/** Whoever checks files for viruses works off this queue, and marks each as clean or infected. */
export const scanQueue = 'files-scan'

/** Views are drawn of what is known to be clean. */
export const handOver = async (ctx: Ctx, fileGuid: string, { mime }: Received, scan: 'off' | 'waiting') => {
  if (scan === 'waiting') await ctx.enqueue(scanQueue, { fileGuid })
  else if (isPictureType(mime)) await ctx.enqueue(viewsQueue, { fileGuid })
}

async function fileOf(ctx: Ctx, guid: string): Promise<FileRecord> {
  const row = await findFile(ctx.db, guid)
  if (!row) throw notFound()
  return shownFile(ctx, row)
}
