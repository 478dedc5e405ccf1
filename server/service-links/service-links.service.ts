import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import type { Action } from '../../contract/core/op.ts'
import { servicePath } from '../../contract/places.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { Settings } from '../core/env.ts'
import { may } from '../core/http/permission.ts'

export type LinkKind = 'quote' | 'order' | 'invoice' | 'statement'

/** The address a customer opens: `…/service/q/{guid}`. */
export const serviceUrl = (settings: Pick<Settings, 'publicUrl'>, kind: LinkKind, guid: string): string =>
  `${settings.publicUrl}${servicePath(kind, guid)}`

/** Who may act in a customer's name by his page, as far as staff go: those who may send him what stands on it. */
const senders: Record<Exclude<LinkKind, 'statement'>, readonly (readonly [Action, string])[]> = {
  quote: [['update', 'Quotes:Send:Guid']],
  order: [
    ['update', 'Orders:Update:Guid'],
    ['update', 'Quotes:Send:Guid'],
  ],
  invoice: [['update', 'Invoices:Send:Guid']],
}

/** The link of a record as staff see it: nothing for those who only read, for whoever has it can sign. */
export function shownLink(
  { actor, deps }: Pick<Ctx, 'actor' | 'deps'>,
  kind: keyof typeof senders,
  guid: string | null,
): { serviceGuid: string | null; serviceUrl: string | null } {
  const isKept = actor.kind === 'user' && !senders[kind].some((need) => may(actor, ...need))
  if (guid === null || isKept) return { serviceGuid: null, serviceUrl: null }
  return { serviceGuid: guid, serviceUrl: serviceUrl(deps.settings, kind, guid) }
}

/** The open link of a record; made when there is none. Links are random (122 bits) and say nothing about the record. */
export async function openLink(from: Db | Pick<Ctx, 'db'>, kind: LinkKind, recordGuid: string): Promise<string> {
  const db = 'db' in from ? from.db : from
  const made = await db
    .insertInto('serviceLinks')
    .values({ guid: randomUUID(), kind, recordGuid })
    .onConflict((c) =>
      c
        .columns(['kind', 'recordGuid'])
        .where('revokedAt', 'is', null)
        .doUpdateSet({ kind: sql`excluded.kind` }),
    )
    .returning('guid')
    .executeTakeFirstOrThrow()
  return made.guid
}

/** The record behind a link. Unknown, revoked and links of another kind are all the same to a stranger. */
export async function findByLink(db: Db, kind: LinkKind, guid: string): Promise<string> {
  const link = await db
    .selectFrom('serviceLinks')
    .select('recordGuid')
    .where('guid', '=', guid)
    .where('kind', '=', kind)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!link) throw notFound()
  return link.recordGuid
}

/** The kind and record of an open link, whatever its kind. */
export async function lookUpLink(db: Db, guid: string): Promise<{ kind: LinkKind; recordGuid: string }> {
  const link = await db
    .selectFrom('serviceLinks')
    .select(['kind', 'recordGuid'])
    .where('guid', '=', guid)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!link) throw notFound()
  return link
}

const revoke = (ctx: Pick<Ctx, 'db' | 'now'>, kind: LinkKind, recordGuid: string) =>
  ctx.db
    .updateTable('serviceLinks')
    .set({ revokedAt: ctx.now })
    .where('kind', '=', kind)
    .where('recordGuid', '=', recordGuid)
    .where('revokedAt', 'is', null)
    .execute()

/** Ends the open link and makes another one. */
export async function reissueLink(ctx: Pick<Ctx, 'db' | 'now'>, kind: LinkKind, recordGuid: string): Promise<string> {
  await revoke(ctx, kind, recordGuid)
  return openLink(ctx.db, kind, recordGuid)
}

/** Hands the address a customer knows on to the record that takes the old one's place; null when it had none. */
export async function moveLink(
  ctx: Pick<Ctx, 'db' | 'now'>,
  kind: LinkKind,
  fromGuid: string,
  toGuid: string,
): Promise<string | null> {
  const open = await ctx.db
    .selectFrom('serviceLinks')
    .select('guid')
    .where('kind', '=', kind)
    .where('recordGuid', '=', fromGuid)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!open) return null
  await revoke(ctx, kind, toGuid)
  await ctx.db.updateTable('serviceLinks').set({ recordGuid: toGuid }).where('guid', '=', open.guid).execute()
  return open.guid
}

/** Sub-select of a record's open link, for the record's own query. */
export const linkOf = (kind: LinkKind, record: string) =>
  sql<
    string | null
  >`(select sl.guid from service_links sl where sl.kind = ${sql.lit(kind)} and sl.record_guid = ${sql.ref(record)}
    and sl.revoked_at is null)`
