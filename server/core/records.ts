import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from './ctx.ts'

/** The audit log names records by guid; the installation has one of its own. */
export const installation = '00000000-0000-4000-8000-000000000000'

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

/** The columns a record is made with. */
export function firstStamp(ctx: Pick<Ctx, 'actor' | 'now'>) {
  const by = userOf(ctx)
  return { createdBy: by, updatedBy: by, createdAt: ctx.now, updatedAt: ctx.now }
}

/** The rows of a list: those in use, or the archived ones where it asks for them. */
export const archivedIf = (alias: string, archived: 'true' | 'false' | undefined): RawBuilder<boolean> =>
  archived === 'true'
    ? sql<boolean>`${sql.ref(`${alias}.archivedAt`)} is not null`
    : sql<boolean>`${sql.ref(`${alias}.archivedAt`)} is null`

/** A user by name, or by login while there is no name. */
export const userName = <N extends string | null = string>(alias: string): RawBuilder<N> =>
  sql<N>`coalesce(nullif(${sql.ref(`${alias}.name`)}, ''), ${sql.ref(`${alias}.authId`)})`

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
