import { NoVerdict } from '../core/adapters/clamd.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { scanFile } from './scan.ts'
import { scanQueue } from './uploads.ts'

/** Without an answer the file waits: each minute it is tried again. */
const tryScan = async (ctx: OpenCtx, guid: string): Promise<boolean> => {
  try {
    return (await scanFile(ctx, guid)) !== null
  } catch (error) {
    if (!(error instanceof NoVerdict)) throw error
    ctx.log.warn({ err: error, file: guid }, 'a file could not be checked for viruses')
    return false
  }
}

export const scanJob = defineJob(
  scanQueue,
  { effect: 'external', concurrency: 2, expireInSeconds: 300 },
  async (ctx, { fileGuid }: { fileGuid: string }) => void (await tryScan(ctx, fileGuid)),
)

const atOnce = 20

/** The files that nobody has answered for yet, the oldest first. It stops at the first that has no answer again. */
export const scanBatch = defineBatch('files-scan-waiting', '* * * * *', async (ctx, hasTime) => {
  const waiting = () => ctx.db.selectFrom('files').where('scan', '=', 'waiting')
  let succeeded = 0
  let failed = 0
  if (ctx.deps.settings.scanUrl === undefined) return { succeeded, failed, remaining: 0 }
  while (failed === 0 && hasTime()) {
    const due = await waiting().select('guid').orderBy('createdAt').limit(atOnce).execute()
    for (const { guid } of due) {
      if (failed > 0 || !hasTime()) break
      if (await tryScan(ctx, guid)) succeeded += 1
      else failed += 1
    }
    if (due.length < atOnce) break
  }
  const { count } = await waiting()
    .select((e) => e.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return { succeeded, failed, remaining: Number(count) }
})
