import { AppError } from '../../contract/core/errors.ts'
import { plainName } from '../../contract/files.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { receive } from './receive.ts'
import { handOver } from './uploads.ts'

/**
 * Keeps what hung on an email as a file, received like any other: null where it is none that is accepted. The business
 * is known.
 */
export async function keepMailed(
  ctx: Ctx,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<string | null> {
  const arrived = {
    bytes: Buffer.from(bytes),
    expected: bytes.byteLength,
    fileName: plainName(name) || 'attachment',
    takenAt: null,
  }
  const received = await receive(ctx, arrived, ctx.business).catch((error: unknown) => {
    if (error instanceof AppError && error.status < 500) return null
    throw error
  })
  if (!received) return null
  const guid = newGuid()
  const scan = ctx.deps.settings.scanUrl === undefined ? 'off' : 'waiting'
  await ctx.db
    .insertInto('files')
    .values({
      ...{ guid, scan, ...received },
      businessGuid: ctx.business.guid,
      createdAt: ctx.now,
      createdBy: null,
      isFromCustomer: true,
    })
    .execute()
  await handOver(ctx, guid, received, scan)
  return guid
}
