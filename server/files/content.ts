import { sql } from 'kysely'
import { conflict, forbidden, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { fileSentences, type FileSize, type filesApi, isOpenState, isPictureType } from '../../contract/files.ts'
import { nounOf } from '../../contract/nouns.ts'
import { unreachable } from '../core/adapters/files.ts'
import type { Ctx } from '../core/ctx.ts'
import { userOf } from '../core/records.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { lookUpLink } from '../service-links/service-links.service.ts'
import { noteDamaged } from './damaged.ts'
import { keyOf, readableOwners } from './owners.ts'
import { type FileRow, findFile, maySeeOriginals } from './shown.ts'

/** Records a file hangs on that are looked at before it is said to be nobody's. */
const maxOwners = 1000

/** Those of some files that the caller may read: his own, and whatever hangs, or hung, on a record he reads. */
export async function readableFiles(
  ctx: Pick<Ctx, 'actor' | 'db'>,
  files: readonly { guid: string; createdBy: string | null }[],
): Promise<Set<string>> {
  if (ctx.actor.kind === 'system') return new Set(files.map(({ guid }) => guid))
  const user = userOf(ctx)
  if (user === null) return new Set()
  const own = files.filter(({ createdBy }) => createdBy === user).map(({ guid }) => guid)
  const others = files.filter(({ createdBy }) => createdBy !== user).map(({ guid }) => guid)
  if (others.length === 0) return new Set(own)
  const hung = await ctx.db
    .selectFrom('attachments')
    .select(['fileGuid', 'ownerNoun', 'ownerGuid'])
    .distinct()
    .where('fileGuid', 'in', others)
    .limit(maxOwners)
    .execute()
  const pictured = await ctx.db
    .selectFrom('productImages')
    .select(['fileGuid', 'productGuid as ownerGuid'])
    .where('fileGuid', 'in', others)
    .limit(maxOwners)
    .execute()
  const mailed = await mailedFiles(ctx, others)
  const places = [...hung, ...pictured.map((picture) => ({ ...picture, ownerNoun: 'Products' as const }))]
  const owners = await readableOwners(
    ctx,
    places.map(({ ownerNoun: noun, ownerGuid: guid }) => ({ noun, guid })),
  )
  const seen = places.filter(({ ownerNoun: noun, ownerGuid: guid }) => owners.has(keyOf({ noun, guid })))
  return new Set([...own, ...mailed, ...seen.map(({ fileGuid }) => fileGuid)])
}

/** Those that went or came with a message the caller reads, along with the record it is about. */
async function mailedFiles(ctx: Pick<Ctx, 'actor' | 'db'>, files: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('messageFiles as f')
    .innerJoin('messages as m', 'm.guid', 'f.messageGuid')
    .select(['f.fileGuid', 'm.guid', 'm.ownerType', 'm.ownerGuid'])
    .where('f.fileGuid', 'in', [...files])
    .limit(maxOwners)
    .execute()
  const recordsOf = ({ guid, ownerType, ownerGuid }: (typeof rows)[number]) => [
    { entity: 'Messages', guid },
    ...(ownerType && ownerGuid ? [{ entity: nounOf(ownerType), guid: ownerGuid }] : []),
  ]
  const readable = new Set((await filterReadable(ctx, rows.flatMap(recordsOf))).map(({ guid }) => guid))
  return rows.filter((row) => recordsOf(row).every(({ guid }) => readable.has(guid))).map(({ fileGuid }) => fileGuid)
}

/** Those of some files that are pictures, may be looked at, and are the caller's to use. */
export async function usablePictures(ctx: Ctx, guids: readonly string[]): Promise<Set<string>> {
  if (guids.length === 0) return new Set()
  const rows = await ctx.db
    .selectFrom('files')
    .select(['guid', 'createdBy', 'mime', 'scan'])
    .where('guid', 'in', guids)
    .forKeyShare()
    .execute()
  return readableFiles(
    ctx,
    rows.filter(({ mime, scan }) => isPictureType(mime) && scan !== 'infected'),
  )
}

/** Whether a customer's link leads to a record that shows him the file, or whose frozen document names it. */
async function isBehindLink(ctx: Ctx, link: string, fileGuid: string): Promise<boolean> {
  const { kind, recordGuid } = await lookUpLink(ctx.db, link)
  if (kind === 'statement') return false
  const shown = await ctx.db
    .selectFrom('attachments')
    .select('guid')
    .where('fileGuid', '=', fileGuid)
    .where('ownerGuid', '=', recordGuid)
    .where('ownerNoun', '=', nounOf(kind))
    .where('forCustomer', '=', true)
    .where('detachedAt', 'is', null)
    .executeTakeFirst()
  if (shown || kind === 'order') return shown !== undefined
  const frozen = await ctx.db
    .selectFrom(kind === 'quote' ? 'quotes' : 'invoices')
    .select('guid')
    .where('guid', '=', recordGuid)
    .where(sql<boolean>`position(${fileGuid}::text in ${frozenText(kind)}) > 0`)
    .executeTakeFirst()
  return frozen !== undefined
}

/** What a customer agreed to has the files he answered with. */
const frozenText = (kind: 'quote' | 'invoice') =>
  kind === 'quote' ? sql`snapshot::text || coalesce(acceptance::text, '')` : sql`snapshot::text`

interface Bytes {
  sha256: string
  mime: string
  name: string
}

/** Which bytes a size asks for; null where there are none (yet). */
function bytesOf(file: FileRow, size: FileSize): Bytes | null {
  const { name, mime } = file
  if (size === 'file') return { sha256: file.sha256, mime, name }
  if (size === 'original') return file.originalSha256 === null ? null : { sha256: file.originalSha256, mime, name }
  const sha256 = size === 'thumb' ? file.thumbSha256 : file.viewSha256
  if (sha256 === null) return null
  // A picture that is small enough is its own view.
  const isItself = sha256 === file.sha256
  return { sha256, mime: isItself ? mime : 'image/jpeg', name: isItself ? name : name.replace(/[^.]*$/, 'jpg') }
}

export async function content(ctx: Ctx, { guid, size = 'file', link }: Input<(typeof filesApi)['content']>) {
  const file = await findFile(ctx.db, guid)
  if (!file) throw notFound()
  const isReader = (await readableFiles(ctx, [file])).has(guid)
  if (!isReader && !(link && (await isBehindLink(ctx, link, guid)))) throw notFound()
  // A customer's link never leads to the place a photo was taken at, whatever rights guests were given.
  if (size === 'original' && !(isReader && maySeeOriginals(ctx.actor))) throw forbidden()
  if (!isOpenState(file.scan)) throw conflict(file.scan === 'infected' ? fileSentences.infected : fileSentences.waiting)
  const asked = bytesOf(file, size)
  if (!asked) throw notFound()
  const bytes = await ctx.deps.files.get(asked.sha256).catch((cause: unknown) => {
    throw unreachable(cause)
  })
  if (!bytes) {
    await noteDamaged(ctx, asked.sha256, guid)
    throw unreachable()
  }
  return {
    bytes,
    fileName: asked.name,
    mime: asked.mime.startsWith('text/') ? `${asked.mime}; charset=utf-8` : asked.mime,
    etag: asked.sha256,
  }
}
