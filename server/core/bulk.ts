import { sql } from 'kysely'
import { AppError } from '../../contract/core/errors.ts'
import type { NounName } from '../../contract/nouns.ts'
import { type AuditLine, type Ctx, withCtx } from './ctx.ts'
import { isRetryable, toAppError } from './http/errors.ts'

interface BulkResult {
  results: { guid: string; ok: boolean; message: string }[]
}

/**
 * One action over many records, each within a savepoint of its own: what fails leaves nothing behind, not
 * even its audit lines, and the others go on. They are taken in the order of their guids, so that two of
 * these never wait for each other.
 */
export async function eachInSavepoint(
  ctx: Ctx,
  entity: NounName,
  guids: readonly string[],
  done: string,
  work: (ctx: Ctx, guid: string) => Promise<unknown>,
): Promise<BulkResult> {
  const results = new Map<string, { ok: boolean; message: string }>()
  for (const guid of [...new Set(guids)].sort()) results.set(guid, await attempt(ctx, guid, done, work))
  const asked = [...new Set(guids)].map((guid) => ({ guid, ...(results.get(guid) ?? { ok: false, message: '' }) }))
  const [first] = asked
  if (first && asked.every((r) => !r.ok))
    ctx.audit({ action: 'bulk.refused', entity, guid: first.guid, after: { guids: asked.map((r) => r.guid) } })
  return { results: asked }
}

async function attempt(ctx: Ctx, guid: string, done: string, work: (ctx: Ctx, guid: string) => Promise<unknown>) {
  const lines: AuditLine[] = []
  await sql`savepoint one_of_many`.execute(ctx.db)
  try {
    await work(withCtx(ctx, { audit: (line) => void lines.push(line) }), guid)
  } catch (thrown) {
    const error = toAppError(thrown)
    // A lost race or a database that gives up concerns the whole transaction, not this record.
    if (isRetryable(thrown) || !(error instanceof AppError) || error.status >= 500) throw thrown
    await sql`rollback to savepoint one_of_many`.execute(ctx.db)
    // Of many rows no field is marked: what is wrong with it is said instead.
    return { ok: false, message: error.fields?.[0]?.message ?? error.message }
  }
  await sql`release savepoint one_of_many`.execute(ctx.db)
  for (const line of lines) ctx.audit(line)
  return { ok: true, message: done }
}

/**
 * Archiving and bringing back, one record or many: `setArchived` does it or refuses, `one` is what the answer shows.
 */
export function archiving<R>(
  entity: NounName,
  setArchived: (ctx: Ctx, guid: string, isArchived: boolean) => Promise<unknown>,
  one: (ctx: Ctx, guid: string) => Promise<R>,
) {
  const set =
    (isArchived: boolean) =>
    async (ctx: Ctx, { guid }: { guid: string }): Promise<R> => {
      await setArchived(ctx, guid, isArchived)
      return one(ctx, guid)
    }
  const bulk = (ctx: Ctx, { action, guids }: { action: 'archive' | 'restore'; guids: readonly string[] }) =>
    eachInSavepoint(ctx, entity, guids, action === 'archive' ? 'Archived.' : 'Restored.', (within, guid) =>
      setArchived(within, guid, action === 'archive'),
    )
  return { remove: set(true), restore: set(false), bulk }
}

interface Changed {
  guid: string
  version: number
}
/** The same change of many records, by the noun's own `update`: who was there first keeps what he wrote. */
export const bulkEdit =
  <I extends Changed>(entity: NounName, update: (ctx: Ctx, input: I) => Promise<unknown>) =>
  (
    ctx: Ctx,
    { set, rows }: { set: Partial<Omit<I, keyof Changed>>; rows: readonly Changed[] },
  ): Promise<BulkResult> => {
    const versions = new Map(rows.map(({ guid, version }) => [guid, version]))
    return eachInSavepoint(ctx, entity, [...versions.keys()], 'Saved.', (within, guid) =>
      // Every other field of a change may be left out.
      update(within, { ...set, guid, version: versions.get(guid) } as unknown as I),
    )
  }
