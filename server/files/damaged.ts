import { sql } from 'kysely'
import type { StoredFiles } from '../../contract/maintenance.ts'
import { damagedKey } from '../core/maintenance.ts'
import type { Ctx } from '../core/ctx.ts'
import { namedBytes } from './references.ts'

/** Beyond this many the store as a whole is what has to be looked at. */
const maxNoted = 200
const checkedAtOnce = 10

/** Bytes that a row names are gone, or not what they were: whoever operates the product is told until they are back. */
export async function noteDamaged({ db, now, log }: Pick<Ctx, 'db' | 'now' | 'log'>, sha256: string, file: string) {
  log.error({ file, sha256 }, 'the bytes of a file are gone or damaged')
  await sql`insert into app_state (key, value, updated_at)
    select ${damagedKey + sha256}, '{}'::jsonb, ${now}
      where (select count(*) from app_state where key like ${`${damagedKey}%`}) < ${maxNoted}
    on conflict (key) do nothing`.execute(db)
}

const noted = async ({ db }: Pick<Ctx, 'db'>) => {
  const rows = await db
    .selectFrom('appState')
    .select(['key', 'updatedAt as seenAt'])
    .where('key', 'like', `${damagedKey}%`)
    .orderBy('updatedAt')
    .orderBy('key')
    .execute()
  return rows.map(({ key, seenAt }) => ({ sha256: key.slice(damagedKey.length), seenAt }))
}

/** What operators know of the store of files: which wait for their check, and which are gone or damaged. */
export async function storedFiles(ctx: Pick<Ctx, 'db'>): Promise<StoredFiles> {
  const damaged = await noted(ctx)
  const { rows: names } = await sql<{ sha256: string; name: string }>`select distinct on (hash) hash as sha256, name
    from files, unnest(array[sha256, original_sha256, view_sha256, thumb_sha256]) as hash
    where hash = any(${damaged.map(({ sha256 }) => sha256)}::text[]) order by hash, guid`.execute(ctx.db)
  const nameOf = new Map(names.map(({ sha256, name }) => [sha256, name]))
  const { count, since } = await ctx.db
    .selectFrom('files')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('createdAt').as('since')])
    .where('scan', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return {
    waiting: Number(count),
    waitingSince: since,
    damaged: damaged.map((one) => ({ ...one, name: nameOf.get(one.sha256) ?? null })),
  }
}

/** Reads what was damaged again, and forgets what is whole, or named by nothing any more. */
export async function checkDamaged(ctx: Pick<Ctx, 'db' | 'deps'>): Promise<void> {
  const hashes = (await noted(ctx)).map(({ sha256 }) => sha256)
  const named = await namedBytes(ctx.db, hashes)
  const mended = hashes.filter((sha256) => !named.has(sha256))
  const left = hashes.filter((sha256) => named.has(sha256))
  for (let at = 0; at < left.length; at += checkedAtOnce)
    await Promise.all(
      left.slice(at, at + checkedAtOnce).map(async (sha256) => {
        if (await ctx.deps.files.get(sha256)) mended.push(sha256)
      }),
    )
  if (mended.length === 0) return
  const keys = mended.map((sha256) => damagedKey + sha256)
  await ctx.db.deleteFrom('appState').where('key', 'in', keys).execute()
}
