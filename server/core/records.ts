import { type RawBuilder, sql } from 'kysely'
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

const bookkeeping = [
  'version',
  'updatedAt',
  'updatedBy',
  'createdAt',
  'createdBy',
  'searchText',
  'plainName',
  'matchedVersion',
  'familyGuid',
  'nextScheduled',
  'snapshot',
]

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

const plain = (search: string): string => search.toLowerCase().replace(/[\\%_]/g, '\\$&')

/** A search as the pattern of `like` on a lower-cased column: what is special to `like` is taken as it stands. */
export const likeText = (search: string): string => `%${plain(search)}%`

/** The text a record is searched by, which its table keeps: its noun's row says what of. */
export const searchText = (alias: string): RawBuilder<unknown> => sql.ref(`${alias}.searchText`)

/** Fewer characters than the indexes are made of. */
const isShort = (search: string) => search.length < 3

/**
 * Whether a lower-cased column holds a text. One or two characters are looked for where words begin:
 * only there an index finds them.
 */
export const holdsText = (column: RawBuilder<unknown>, search: string): RawBuilder<boolean> =>
  isShort(search)
    ? sql<boolean>`(${column} like ${`${plain(search)}%`} or ${column} like ${`% ${plain(search)}%`})`
    : sql<boolean>`${column} like ${likeText(search)}`
