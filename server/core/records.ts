import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../contract/core/errors.ts'
import type { NounName } from '../../contract/nouns.ts'
import type { Ctx } from './ctx.ts'

/** The person behind a change; nobody when a guest or the product itself did it. */
export const userOf = (ctx: Pick<Ctx, 'actor'>): string | null =>
  ctx.actor.kind === 'user' ? ctx.actor.userGuid : null

/** A value for a JSON column. */
export const asJson = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value)

/** An emptied text field is no text. */
export const blankToNull = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).map(([k, v]) => [k, v === '' ? null : v])) as T

/** The columns a change writes on every record. */
export const stamp = (ctx: Pick<Ctx, 'actor' | 'now'>, version: number) => ({
  version: version + 1,
  updatedAt: ctx.now,
  updatedBy: userOf(ctx),
})

const bookkeeping = ['version', 'updatedAt', 'updatedBy', 'createdAt', 'createdBy', 'searchText', 'snapshot']

/** The fields that differ, before and after, for the audit log. */
export function changed(
  before: object,
  after: object,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const old = new Map(Object.entries(before))
  const differing = Object.entries(after).filter(
    ([key, value]) => !bookkeeping.includes(key) && JSON.stringify(value) !== JSON.stringify(old.get(key)),
  )
  return {
    before: Object.fromEntries(differing.map(([key]) => [key, old.get(key) ?? null])),
    after: Object.fromEntries(differing),
  }
}

export interface BulkResult {
  results: { guid: string; ok: boolean; message: string }[]
}

/** One action over many records: each succeeds or is refused for itself, in the order given. */
async function eachOf(
  ctx: Ctx,
  entity: NounName,
  guids: readonly string[],
  done: string,
  work: (guid: string) => Promise<unknown>,
): Promise<BulkResult> {
  const results: BulkResult['results'] = []
  for (const guid of new Set(guids)) {
    try {
      await work(guid)
      results.push({ guid, ok: true, message: done })
    } catch (error) {
      // What the database refused has ended the whole transaction.
      if (!(error instanceof AppError) || error.status >= 500 || error.cause !== undefined) throw error
      results.push({ guid, ok: false, message: error.message })
    }
  }
  const [first] = results
  if (first && results.every((r) => !r.ok))
    ctx.audit({ action: 'bulk.refused', entity, guid: first.guid, after: { guids: results.map((r) => r.guid) } })
  return { results }
}

/** Archiving and bringing back, one record or many: `setArchived` does it or refuses, `one` is what the answer shows. */
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
    eachOf(ctx, entity, guids, action === 'archive' ? 'Archived.' : 'Restored.', (guid) =>
      setArchived(ctx, guid, action === 'archive'),
    )
  return { remove: set(true), restore: set(false), bulk }
}

const plain = (search: string): string => search.toLowerCase().replace(/[\\%_]/g, '\\$&')

/** A search as the pattern of `like` on a lower-cased column: what is special to `like` is taken as it stands. */
export const likeText = (search: string): string => `%${plain(search)}%`

/** Fewer characters than the indexes are made of. */
const isShort = (search: string) => search.length < 3

/** Whether a lower-cased column holds a text. One or two characters are looked for where words begin: only there an index finds them. */
export const holdsText = (column: RawBuilder<unknown>, search: string): RawBuilder<boolean> =>
  isShort(search)
    ? sql<boolean>`(${column} like ${`${plain(search)}%`} or ${column} like ${`% ${plain(search)}%`})`
    : sql<boolean>`${column} like ${likeText(search)}`
