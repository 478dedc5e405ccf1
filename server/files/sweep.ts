import { sql } from 'kysely'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { defineBatch } from '../core/jobs/jobs.ts'
import { frozenFiles, namedBytes } from './references.ts'

const dayMs = 86_400_000
/** How long an upload may take, and a file may hang nowhere. */
const graceDays = 7
/** How long a detached file can be put back. */
const detachedDays = 30
/** Between bytes and the row that names them lies a request; a day is longer than any. */
const looseDays = 1
const atOnce = 100
/** The store is asked while their notes are held: few, and all at the same time. */
const bytesAtOnce = 20

const before = (ctx: Pick<Ctx, 'now'>, days: number) => new Date(ctx.now.getTime() - days * dayMs)

/** What was begun and never finished, with its parts. */
const sweepUploads = (ctx: Ctx) =>
  sql`delete from uploads where guid = any(array(select guid from uploads
    where file_guid is null and created_at < ${before(ctx, graceDays)} limit ${atOnce}))`.execute(ctx.db)

const hangsNowhere = (ctx: Ctx) => sql<boolean>`not exists (select from attachments a where a.file_guid = f.guid
  and (a.detached_at is null or a.detached_at > ${before(ctx, detachedDays)}))
  and not exists (select from product_images p where p.file_guid = f.guid)
  and not exists (select from theme_versions v where f.guid in (v.logo_file_guid, v.logo_dark_file_guid))`

interface Swept {
  taken: number
  /** Where to go on; null at the end. */
  next: string | null
}

/** Files that nothing refers to any more. Whoever attaches one meanwhile holds its row, and it stays. */
async function sweepFiles(ctx: Ctx, after: string): Promise<Swept> {
  const { rows: due } = await sql<{ guid: string }>`select f.guid from files f
    where f.created_at < ${before(ctx, graceDays)} and f.guid > ${after}::uuid and ${hangsNowhere(ctx)}
    order by f.guid limit ${atOnce} for update skip locked`.execute(ctx.db)
  const last = due.at(-1)
  if (!last) return { taken: 0, next: null }
  const frozen = await frozenFiles(
    ctx.db,
    due.map(({ guid }) => guid),
  )
  // Asked again now that they are held: what was attached a moment ago is seen by a statement of its own.
  const { rows: free } = await sql<{ guid: string }>`select f.guid from files f
    where f.guid = any(${due.map(({ guid }) => guid)}::uuid[]) and ${hangsNowhere(ctx)}`.execute(ctx.db)
  const gone = free.map(({ guid }) => guid).filter((guid) => !frozen.has(guid))
  if (gone.length > 0) {
    await ctx.db.deleteFrom('attachments').where('fileGuid', 'in', gone).execute()
    await ctx.db.deleteFrom('files').where('guid', 'in', gone).execute()
  }
  return { taken: gone.length, next: last.guid }
}

/** Bytes that no row names. Their notes are held meanwhile, so that whoever keeps the same bytes waits. */
async function sweepBytes(ctx: Ctx): Promise<{ seen: number; taken: number }> {
  const { rows } = await sql<{ sha256: string }>`select sha256 from loose_bytes
    where since < ${before(ctx, looseDays)} order by since limit ${bytesAtOnce} for update skip locked`.execute(ctx.db)
  const hashes = rows.map(({ sha256 }) => sha256)
  if (hashes.length === 0) return { seen: 0, taken: 0 }
  const named = await namedBytes(ctx.db, hashes)
  const gone = hashes.filter((sha256) => !named.has(sha256))
  await Promise.all(gone.map((sha256) => ctx.deps.files.remove(sha256)))
  await ctx.db.deleteFrom('looseBytes').where('sha256', 'in', hashes).execute()
  return { seen: hashes.length, taken: gone.length }
}

async function sweep(ctx: OpenCtx, hasTime: () => boolean) {
  let succeeded = 0
  for (let count = atOnce; count === atOnce && hasTime(); succeeded += count)
    count = Number((await sweepUploads(ctx)).numAffectedRows ?? 0n)
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null && hasTime();) {
    const from: string = after
    const { taken, next } = await ctx.tx((tx) => sweepFiles(tx, from))
    succeeded += taken
    after = next
  }
  for (let seen = bytesAtOnce; seen === bytesAtOnce && hasTime();) {
    const done = await ctx.tx(sweepBytes)
    succeeded += done.taken
    seen = done.seen
  }
  return { succeeded, failed: 0, remaining: 0 }
}

/** Takes away what nothing refers to: uploads, files, and then bytes. */
export const sweepBatch = defineBatch('files-sweep', '30 2 * * *', sweep)
