import { AppError } from '../../contract/core/errors.ts'
import { drawnSides, isOpenState, isPictureType } from '../../contract/files.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { defineJob } from '../core/jobs/jobs.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { noteDamaged } from './damaged.ts'
import { type FileRow, findFile } from './shown.ts'

/** What the worker draws from, and how large at most. */
export interface Picture {
  bytes: Uint8Array
  /** The longer side in pixels. */
  side: number
  /** Whether nothing behind it can show through. */
  isOpaque: boolean
}

/** Queued with `{ fileGuid }` for a picture that may be shown: at once, or when it was found clean. */
export const viewsQueue = 'files-views'

/** Draws what lists and screens show of a picture. What cannot be drawn has none, and people see its icon. */
async function draw(ctx: OpenCtx, { fileGuid }: { fileGuid: string }): Promise<void> {
  const file = await findFile(ctx.db, fileGuid)
  if (!file || !isPictureType(file.mime) || !isOpenState(file.scan) || file.thumbSha256 !== null) return
  const bytes = await ctx.deps.files.get(file.sha256)
  if (!bytes) {
    await noteDamaged(ctx, file.sha256, fileGuid)
    throw new Error(`the bytes of file ${fileGuid} are gone or damaged`)
  }
  try {
    const view = isSmall(file) ? null : await drawn(ctx, file, bytes, 'view')
    const thumb = await drawn(ctx, file, view ?? bytes, 'thumb')
    const viewSha256 = view ? (await keepBytes(ctx, view, 'image/jpeg')).sha256 : file.sha256
    const thumbSha256 = (await keepBytes(ctx, thumb, 'image/jpeg')).sha256
    await ctx.db
      .updateTable('files')
      .set({ viewSha256, thumbSha256 })
      .where('guid', '=', fileGuid)
      .where('scan', 'in', ['off', 'clean'])
      .execute()
  } catch (error) {
    // Too many at once, or the server ends: later it may be drawn.
    if (error instanceof AppError || !(error instanceof Error) || !error.message.startsWith('the document')) throw error
    ctx.log.warn({ err: error, file: fileGuid }, 'a picture could not be drawn')
  }
}

const isSmall = ({ width, height }: FileRow) => Math.max(width ?? 0, height ?? 0) <= drawnSides.view

function drawn(ctx: OpenCtx, file: FileRow, bytes: Uint8Array, size: 'view' | 'thumb'): Promise<Uint8Array> {
  const data: Picture = { bytes, side: drawnSides[size], isOpaque: file.mime === 'image/jpeg' }
  return ctx.deps.renderer.render({ key: `picture:${file.sha256}:${size}`, template: 'picture', data: { ...data } })
}

export const viewsJob = defineJob<{ fileGuid: string }>(
  viewsQueue,
  { effect: 'external', concurrency: 2, retryLimit: 5, expireInSeconds: 120 },
  draw,
)
