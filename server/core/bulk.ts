import { sql } from 'kysely'
import { AppError } from '../../contract/core/errors.ts'
import type { EventName } from '../../contract/events.ts'
import { type NounName, nouns } from '../../contract/nouns.ts'
import { type AuditLine, type Ctx, withCtx } from './ctx.ts'
import { isRetryable, toAppError } from './http/errors.ts'
import { stamp } from './records.ts'

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

/** The nouns whose events of being put away and brought back are called after one of their records. */
type ArchivedNoun = {
  [N in NounName]: `${(typeof nouns)[N]['one']}.${'archived' | 'restored'}` extends EventName ? N : never
}[NounName]

/** Puts a record that is locked away, or brings it back, and tells of it by its name. `more` are columns besides. */
export async function writeArchived(
  ctx: Ctx,
  noun: ArchivedNoun,
  row: { guid: string; version: number; name: string },
  isArchived: boolean,
  more: object = {},
): Promise<void> {
  const { table, one } = nouns[noun]
  await ctx.db
    .updateTable(table as 'products')
    .set({ archivedAt: isArchived ? ctx.now : null, ...more, ...stamp(ctx, row.version) })
    .where('guid', '=', row.guid)
    .execute()
  ctx.audit({
    action: `${one}.${isArchived ? 'archived' : 'restored'}`,
    entity: noun,
    guid: row.guid,
    after: { name: row.name },
  })
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
