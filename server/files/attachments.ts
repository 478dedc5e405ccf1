import { AppError, conflict, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type Attachment, fileSentences, filesApi, isOpenState, maxAttachments } from '../../contract/files.ts'
import type { Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { changed, stamp, userOf } from '../core/records.ts'
import { readableFiles } from './content.ts'
import { lockOwner, mustRead, mustWrite, type Owner } from './owners.ts'
import { type FileRow, findFile, selectFiles, showAttachments } from './shown.ts'

type Api = typeof filesApi

sayConstraints({ attachment_hangs_there: ['ALREADY_EXISTS', 'This file is already on this record.'] })

export async function attachments(ctx: Ctx, input: Input<Api['attachments']>) {
  const owner = { noun: input.noun, guid: input.owner }
  await mustRead(ctx, owner)
  const query = liveOf(ctx, owner, input.detached === 'true').select(['a.guid', 'a.createdAt'])
  const found = await pageOf({
    query,
    input,
    sorts: { createdAt: 'a.createdAt' },
    guid: 'a.guid',
    defaultSort: '-createdAt',
  })
  return {
    ...found,
    items: await showAttachments(
      ctx,
      found.items.map(({ guid }) => guid),
    ),
  }
}

const liveOf = ({ db }: Pick<Ctx, 'db'>, { noun, guid }: Owner, isDetached = false) =>
  db
    .selectFrom('attachments as a')
    .where('a.ownerGuid', '=', guid)
    .where('a.ownerNoun', '=', noun)
    .where('a.detachedAt', isDetached ? 'is not' : 'is', null)

type Item = Input<Api['attach']>['items'][number]

/** The files of some items: those the caller has sent, or sees on a record. */
async function filesOf(ctx: Ctx, items: readonly Item[]): Promise<Map<string, FileRow>> {
  const guids = [...new Set(items.map(({ fileGuid }) => fileGuid))]
  const rows = await selectFiles(ctx.db).where('f.guid', 'in', guids).execute()
  const readable = await readableFiles(ctx, rows)
  const files = new Map(rows.filter(({ guid }) => readable.has(guid)).map((row) => [row.guid, row]))
  for (const [i, { fileGuid, forCustomer }] of items.entries()) {
    const file = files.get(fileGuid)
    if (!file) throw invalid(`items.${i}.fileGuid`, 'We can’t find that file. Send it again.')
    if (file.scan === 'infected') throw conflict(fileSentences.infected)
    if (forCustomer) mustBeOpen(file)
  }
  return files
}

/** A customer is shown nothing that is not known to be clean. */
function mustBeOpen({ scan }: Pick<FileRow, 'scan'>) {
  if (!isOpenState(scan)) throw conflict(scan === 'infected' ? fileSentences.infected : fileSentences.waiting)
}

const sameSpot = (a: { fileGuid: string; place?: string | null | undefined }) => `${a.fileGuid} ${a.place ?? ''}`

/** What hangs there already stays as it is, so that asking again changes nothing. */
export async function attach(ctx: Ctx, { noun, ownerGuid, items }: Input<Api['attach']>) {
  const owner: Owner = { noun, guid: ownerGuid }
  await mustWrite(ctx, owner)
  const files = await filesOf(ctx, items)
  const { told } = await lockOwner(ctx.db, owner)
  const live = await liveOf(ctx, owner).select(['a.guid', 'a.fileGuid', 'a.place']).execute()
  const there = new Map(live.map((row) => [sameSpot(row), row.guid]))
  const wanted = new Map(items.map((item) => [sameSpot(item), item]))
  const added = [...wanted].filter(([spot]) => !there.has(spot)).map(([, item]) => ({ guid: newGuid(), item }))
  if (live.length + added.length > maxAttachments) throw conflict(fileSentences.full)
  if (added.length > 0)
    await ctx.db
      .insertInto('attachments')
      .values(
        added.map(({ guid, item }, i) => ({
          guid,
          ...item,
          ownerNoun: noun,
          ownerGuid,
          // A list shows the newest first: those of one call stand in their order.
          createdAt: new Date(ctx.now.getTime() - i),
          createdBy: userOf(ctx),
          updatedAt: ctx.now,
          updatedBy: userOf(ctx),
        })),
      )
      .execute()
  for (const { guid, item } of added) there.set(sameSpot(item), guid)
  ctx.audit({
    action: added.length > 0 ? 'attachment.added' : 'attachment.updated',
    ...told,
    after: { name: items.map(({ fileGuid }) => files.get(fileGuid)?.name ?? ''), files: items.map((i) => i.fileGuid) },
  })
  return {
    attachments: await showAttachments(
      ctx,
      [...wanted.keys()].flatMap((spot) => there.get(spot) ?? []),
    ),
  }
}

/** An attachment of a record that the caller may change: the record is held first, so that all wait in one order. */
async function hold(ctx: Ctx, guid: string) {
  const found = await ctx.db.selectFrom('attachments').selectAll().where('guid', '=', guid).executeTakeFirst()
  if (!found) throw notFound()
  const owner: Owner = { noun: found.ownerNoun, guid: found.ownerGuid }
  await mustWrite(ctx, owner)
  const { told, frozenAt } = await lockOwner(ctx.db, owner)
  const row = await ctx.db
    .selectFrom('attachments')
    .selectAll()
    .where('guid', '=', guid)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const file = await findFile(ctx.db, row.fileGuid)
  if (!file) throw notFound()
  return { row, file, owner, told, frozenAt }
}
type Held = Awaited<ReturnType<typeof hold>>

async function one(ctx: Ctx, guid: string): Promise<{ attachment: Attachment }> {
  const [attachment] = await showAttachments(ctx, [guid])
  if (!attachment) throw notFound()
  return { attachment }
}

export async function updateAttachment(ctx: Ctx, { guid, version, ...changes }: Input<Api['updateAttachment']>) {
  const { row, file, told } = await hold(ctx, guid)
  await checkVersion(row, version, filesApi.updateAttachment, () => one(ctx, guid))
  if (changes.forCustomer) mustBeOpen(file)
  const after = await ctx.db
    .updateTable('attachments')
    .set({ ...changes, ...stamp(ctx, row.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(row, after)
  ctx.audit({
    action: 'attachment.updated',
    ...told,
    before: change.before,
    after: { ...change.after, name: file.name },
  })
  return one(ctx, guid)
}

async function setDetached(ctx: Ctx, { row, file, told }: Held, isDetached: boolean) {
  await ctx.db
    .updateTable('attachments')
    .set({ detachedAt: isDetached ? ctx.now : null, ...stamp(ctx, row.version) })
    .where('guid', '=', row.guid)
    .execute()
  ctx.audit({
    action: isDetached ? 'attachment.detached' : 'attachment.restored',
    ...told,
    after: { name: file.name, files: [file.guid] },
  })
  return one(ctx, row.guid)
}

export async function detach(ctx: Ctx, { guid, version }: Input<Api['detach']>) {
  const held = await hold(ctx, guid)
  const { row, frozenAt } = held
  await checkVersion(row, version, filesApi.detach, () => one(ctx, guid))
  if (row.detachedAt !== null) throw invalidTransition('This file is already detached.')
  // Later ones are no part of what was frozen.
  if (frozenAt !== null && new Date(row.createdAt) <= new Date(frozenAt)) throw conflict(fileSentences.frozen)
  return setDetached(ctx, held, true)
}

export async function restoreAttachment(ctx: Ctx, { guid }: Input<Api['restoreAttachment']>) {
  const held = await hold(ctx, guid)
  const { row, owner } = held
  if (row.detachedAt === null) throw invalidTransition('This file isn’t detached.')
  const live = await liveOf(ctx, owner).select(['a.fileGuid', 'a.place']).execute()
  if (live.length >= maxAttachments) throw conflict(fileSentences.full)
  if (live.some((other) => sameSpot(other) === sameSpot(row)))
    throw new AppError('ALREADY_EXISTS', 'This file is already on this record.')
  return setDetached(ctx, held, false)
}
