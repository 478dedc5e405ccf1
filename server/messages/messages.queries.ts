import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Message, messageOwners, MessagePurpose, messagesApi, TemplateKind } from '../../contract/messages.ts'
import { nounOf, nouns } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { addressesOf, inFamily } from '../core/family.ts'
import { applyRows } from '../core/db/rows.ts'
import type { Messages } from '../core/db/schema-money.ts'
import { readable } from '../core/http/permission.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type MessageOwner = (typeof messageOwners)[number]

type NewMessage = Omit<Insertable<Messages>, 'status' | 'attempts' | 'createdAt' | 'createdBy'>

/** The address within a header such as `"Jo" <jo@x.example>`. */
export const addressIn = (column: string): RawBuilder<string> =>
  sql<string>`substring(${sql.ref(column)} from ${'<?([^<>[:space:]]+@[^<>[:space:]]+)>?$'}::text)`

/** Which account writes about what. */
export function purposeOf(ownerType: MessageRow['ownerType']): MessagePurpose {
  if (ownerType === 'quote' || ownerType === 'order') return 'bookings'
  return ownerType && ownerType !== 'user' ? 'billing' : 'general'
}

/** Somebody waits to log in: account emails go before what was queued in the hour before them. */
const headStartMs = 3_600_000

/** A message that waits, due now; or one that is still to be sent, and then due at no time. */
export async function insertMessage(
  ctx: Pick<Ctx, 'db' | 'now' | 'actor'>,
  message: NewMessage,
  status: 'queued' | 'draft' | 'scheduled' = 'queued',
): Promise<void> {
  const createdBy = ctx.actor.kind === 'user' ? ctx.actor.userGuid : null
  const nextAttemptAt = message.ownerType === 'user' ? new Date(ctx.now.getTime() - headStartMs) : ctx.now
  await ctx.db
    .insertInto('messages')
    .values({
      purpose: purposeOf(message.ownerType ?? null),
      ...message,
      status,
      nextAttemptAt: status === 'queued' ? nextAttemptAt : null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      createdBy,
    })
    .execute()
}

/** The messages the caller may know of: account emails are nobody's to read. */
export const visibleMessages = (ctx: Ctx) =>
  applyRows(
    ctx,
    ctx.db.selectFrom('messages as m').where('m.businessGuid', 'is not', null),
    rowColumns(ctx, 'Messages', 'm'),
  )

export type MessageFilters = z.output<typeof messagesApi.list.query>

/** What went out, or is going to, beside whose it is: notes stand on the records they are about. */
export const foundMessages = (ctx: Ctx) => visibleMessages(ctx).where('m.direction', '<>', 'internal')

/** By what else than their status they are narrowed. */
export const messagesWithin = (filters: MessageFilters): RawBuilder<boolean>[] => [
  ...(filters.ownerType ? [sql<boolean>`m.owner_type = any(${filters.ownerType.split(',')}::text[])`] : []),
  ...(filters.ownerGuid ? [sql<boolean>`m.owner_guid = ${filters.ownerGuid}::uuid`] : []),
  ...(filters.direction ? [sql<boolean>`m.direction = ${filters.direction}`] : []),
  ...(filters.category ? [sql<boolean>`m.category = ${filters.category}`] : []),
  ...(filters.isUnmatched
    ? [sql<boolean>`(m.filing is not distinct from 'unmatched') = ${filters.isUnmatched === 'true'}`]
    : []),
  ...(filters.customerGuid ? [inFamily('m', filters.customerGuid)] : []),
]

/** What a list shows of each. */
export const listedMessages = (ctx: Ctx) =>
  ctx.db
    .selectFrom('messages as m')
    .select([
      'm.guid',
      sql<string>`m.business_guid`.as('businessGuid'),
      'm.subject',
      'm.direction',
      'm.sender as from',
      sql<string>`array_to_string(m.recipients, ', ')`.as('to'),
      'm.status',
      sql<boolean>`m.filing is not distinct from 'unmatched'`.as('isUnmatched'),
      'm.isTest',
      sql<string | null>`(select c.display_name from parties c where c.member_guid = m.customer_guid)`.as(
        'customerName',
      ),
      sql<MessageOwner | null>`m.owner_type`.as('ownerType'),
      'm.ownerGuid',
      'm.ownerNumber',
      'm.scheduledAt',
      'm.sentAt',
      sql<string | null>`(select v.at from message_views v where v.message_guid = m.guid)`.as('openedAt'),
      'm.failureReason',
      'm.createdAt',
    ])

/** Whether nobody knew its sender when it came, and he has become no contact of its customer since. */
export const isStranger = sql<boolean>`(m.is_unknown_sender and not exists (
  select from ${addressesOf(sql`m.customer_guid`)} own
  where own.address = lower(substring(m.sender, '[^[:space:]<>]+@[^[:space:]<>]+'))))`

const recipientsJson = sql<Message['recipients']>`(select coalesce(json_agg(json_build_object('address', r.address,
    'as', r.kind, 'state', r.state, 'at', r.at, 'reason', r.reason)
    order by array_position(array['to', 'cc', 'bcc'], r.kind), r.address), '[]'::json)
  from message_recipients r where r.message_guid = m.guid)`
const filesJson = sql<Message['files']>`(select coalesce(json_agg(json_build_object('guid', f.guid, 'name', f.name,
    'mime', f.mime, 'bytes', f.bytes) order by a.position), '[]'::json)
  from message_files a join files f on f.guid = a.file_guid where a.message_guid = m.guid)`

export const findMessage = (ctx: Ctx, guid: string) =>
  visibleMessages(ctx)
    .leftJoin('parties as c', 'c.memberGuid', 'm.customerGuid')
    .leftJoin('users as u', 'u.guid', 'm.createdBy')
    .select([
      'm.guid',
      sql<string>`m.business_guid`.as('businessGuid'),
      sql<MessageOwner | null>`m.owner_type`.as('ownerType'),
      'm.ownerGuid',
      'm.ownerNumber',
      'm.customerGuid',
      'c.displayName as customerName',
      sql<TemplateKind | null>`m.template`.as('template'),
      'm.facts',
      'm.recipients as to',
      'm.sender as from',
      'm.subject',
      'm.bodyHtml',
      'm.bodyText',
      'm.themeVersionGuid',
      'm.attachments',
      'm.status',
      'm.direction',
    ])
    .select([
      'm.attempts',
      'm.nextAttemptAt',
      'm.sentAt',
      'm.settledAt',
      'm.failureReason',
      'm.failureType',
      'm.resendOfGuid',
      'm.createdAt',
      'u.name as createdBy',
    ])
    .select([
      'm.version',
      'm.category',
      'm.purpose',
      'm.cc',
      'm.bcc',
      'm.source',
      'm.scheduledFor',
      'm.timeZone',
      'm.scheduledAt',
      'm.cancelWhen',
      'm.isTest',
      'm.filing',
      isStranger.as('isUnknownSender'),
      sql<string | null>`(select v.template_guid from template_versions v
        where v.guid = (m.source ->> 'templateVersionGuid')::uuid)`.as('templateGuid'),
      sql<string | null>`(select v.theme_guid from theme_versions v where v.guid = m.theme_version_guid)`.as(
        'themeGuid',
      ),
      recipientsJson.as('recipients'),
      filesJson.as('files'),
      sql<string | null>`(select v.at from message_views v where v.message_guid = m.guid)`.as('openedAt'),
    ])
    .where('m.guid', '=', guid)
    .executeTakeFirst()

export type MessageRow = Selectable<Messages>

export const lockMessage = (ctx: Ctx, guid: string): Promise<MessageRow | undefined> =>
  visibleMessages(ctx).selectAll('m').where('m.guid', '=', guid).forUpdate().executeTakeFirst()

/** Whether the caller may read a document: by the rows of this operation, and by those of the document's own noun. */
export async function isVisibleOwner(ctx: Ctx, kind: 'quote' | 'order' | 'invoice', guid: string): Promise<boolean> {
  const noun = nounOf(kind)
  const own = readable(ctx.actor, noun, 'Guid')
  if (own === 'none') return false
  const columns = rowColumns(ctx, noun, 'd')
  const all = ctx.db
    .selectFrom(`${nouns[noun].table} as d` as 'quotes as d')
    .select('d.guid')
    .where('d.guid', '=', guid)
  return (
    (await applyRows({ actor: ctx.actor, rows: own }, applyRows(ctx, all, columns), columns).executeTakeFirst()) !==
    undefined
  )
}
