import { sql } from 'kysely'
import { AppError, notFound } from '../../contract/core/errors.ts'
import { type AttachmentNoun, attachmentNouns } from '../../contract/files.ts'
import type { Noun, Page } from '../../contract/noun.ts'
import { type NounName, nouns } from '../../contract/nouns.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { reachable } from '../core/http/permission.ts'
import { filterVisible, isRowNoun } from '../row-scope/row-scope.service.ts'

/** The record a file hangs on. */
export interface Owner {
  noun: AttachmentNoun
  guid: string
}
type Right = Page['can']

const attachmentsOf = (noun: AttachmentNoun): NonNullable<Noun['attachments']> => nouns[noun].attachments

/** Those of some records of a noun that a right lets the caller reach. */
async function among(
  ctx: Pick<Ctx, 'actor' | 'db'>,
  noun: AttachmentNoun,
  right: Right,
  guids: readonly string[],
): Promise<Set<string>> {
  const access = reachable(ctx.actor, right)
  if (access === 'none' || guids.length === 0) return new Set()
  const { through } = attachmentsOf(noun)
  if (!through) return isRowNoun(noun) ? filterVisible(ctx, access, noun, guids) : new Set()
  const parents = await parentsOf(ctx.db, noun, through.by, guids)
  const seen = await filterVisible(ctx, access, through.noun, [...new Set(parents.values())])
  return new Set(guids.filter((guid) => seen.has(parents.get(guid) ?? '')))
}

async function parentsOf(db: Db, noun: AttachmentNoun, by: string, guids: readonly string[]) {
  const { rows } = await sql<{ guid: string; parent: string }>`select guid, ${sql.ref(by)} as parent
    from ${sql.table(nouns[noun].table)} where guid = any(${guids}::uuid[])`.execute(db)
  return new Map(rows.map(({ guid, parent }) => [guid, parent]))
}

/** Those of some records that the caller may read, by their keys. */
export async function readableOwners(ctx: Pick<Ctx, 'actor' | 'db'>, owners: readonly Owner[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const [noun, some] of Map.groupBy(owners, (owner) => owner.noun)) {
    const guids = [...new Set(some.map(({ guid }) => guid))]
    // What hung on a noun of another version is nobody's.
    if (!attachmentNouns.includes(noun)) continue
    for (const guid of await among(ctx, noun, attachmentsOf(noun).read, guids)) found.add(keyOf({ noun, guid }))
  }
  return found
}
export const keyOf = ({ noun, guid }: Owner): string => `${noun} ${guid}`

const insufficient = (rights: readonly Right[]) =>
  new AppError('FORBIDDEN', undefined, {
    fields: rights.map((right) => ({ path: 'permission', message: right.join(' ') })),
  })

/** A record outside the caller's rows is not there. */
export async function mustRead(ctx: Ctx, { noun, guid }: Owner): Promise<void> {
  const { read } = attachmentsOf(noun)
  if (reachable(ctx.actor, read) === 'none') throw insufficient([read])
  if (!(await among(ctx, noun, read, [guid])).has(guid)) throw notFound()
}

/** Any of the rights that the noun names is enough. */
export async function mustWrite(ctx: Ctx, owner: Owner): Promise<void> {
  await mustRead(ctx, owner)
  const { write } = attachmentsOf(owner.noun)
  for (const right of write) if ((await among(ctx, owner.noun, right, [owner.guid])).has(owner.guid)) return
  throw insufficient(write)
}

/**
 * Holds the record, so that what hangs on it is counted once at a time, and tells when its document was frozen and
 * whose timeline tells of it.
 */
export async function lockOwner(
  db: Db,
  { noun, guid }: Owner,
): Promise<{ frozenAt: string | null; told: { entity: NounName; guid: string } }> {
  const { frozenAt, through } = attachmentsOf(noun)
  const { rows } = await sql<{ frozenAt: string | null; parent: string | null }>`select
    ${frozenAt ? sql.ref(frozenAt) : sql`null::timestamptz`} as frozen_at,
    ${through ? sql.ref(through.by) : sql`null::uuid`} as parent
    from ${sql.table(nouns[noun].table)} where guid = ${guid}::uuid for no key update`.execute(db)
  const row = rows[0]
  if (!row) throw notFound()
  return {
    frozenAt: row.frozenAt,
    told: through && row.parent ? { entity: through.noun, guid: row.parent } : { entity: noun, guid },
  }
}
