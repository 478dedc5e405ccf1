import { sql } from 'kysely'
import { forbidden, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { messagesApi, type Note } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { inFamily } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { userName, userOf } from '../core/records.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { lockMessage, visibleMessages } from './messages.queries.ts'
import { messageIdOf } from './sender.ts'

type Api = typeof messagesApi

/** Where a timeline tells of a note it shows so much of it. */
const toldCharacters = 200

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** A note as the messages keep their words. */
const asHtml = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

const shown = (ctx: Ctx) =>
  visibleMessages(ctx)
    .leftJoin('users as u', 'u.guid', 'm.createdBy')
    .where('m.direction', '=', 'internal')
    .select([
      'm.guid',
      'm.version',
      sql<string>`m.body_text`.as('bodyText'),
      'm.createdAt',
      'm.updatedAt',
      userName<string | null>('u').as('createdBy'),
      sql<boolean>`m.created_by is not distinct from ${userOf(ctx)}::uuid`.as('isOwn'),
    ])

async function mustReadCustomer(ctx: Ctx, guid: string): Promise<void> {
  if ((await filterReadable(ctx, [{ entity: 'Customers', guid }])).length === 0) throw notFound()
}

async function notes(ctx: Ctx, { customerGuid, ...input }: Input<Api['notes']>) {
  await mustReadCustomer(ctx, customerGuid)
  return pageOf({
    query: shown(ctx).where(inFamily('m', customerGuid)),
    input,
    sorts: { createdAt: 'm.createdAt' },
    guid: 'm.guid',
    defaultSort: '-createdAt',
  })
}

async function one(ctx: Ctx, guid: string): Promise<{ note: Note }> {
  const note = await shown(ctx).where('m.guid', '=', guid).executeTakeFirst()
  if (!note) throw notFound()
  return { note }
}

const told = (text: string) => (text.length > toldCharacters ? `${text.slice(0, toldCharacters)}…` : text)

async function note(ctx: Ctx, { customerGuid, bodyText }: Input<Api['note']>) {
  await mustReadCustomer(ctx, customerGuid)
  const { rows } = await sql<{ guid: string; businessGuid: string }>`select k.guid, case
      when k.business_guid = ${ctx.business.customersOf}::uuid then ${ctx.business.guid}::uuid else k.business_guid end
      as business_guid from parties k where k.member_guid = ${customerGuid}::uuid`.execute(ctx.db)
  const [customer] = rows
  if (!customer) throw invalid('customerGuid', 'We can’t find that customer.')
  const guid = newGuid()
  await ctx.db
    .insertInto('messages')
    .values({
      guid,
      businessGuid: customer.businessGuid,
      customerGuid: customer.guid,
      direction: 'internal',
      status: 'noted',
      sender: '',
      recipients: [],
      subject: 'Note',
      bodyText,
      bodyHtml: asHtml(bodyText),
      messageId: messageIdOf(guid, ''),
      createdAt: ctx.now,
      updatedAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  ctx.audit({ action: 'message.noted', entity: 'Messages', guid, after: { note: told(bodyText) } })
  return one(ctx, guid)
}

/** Only whoever wrote a note changes it: what somebody said stays theirs. */
async function editNote(ctx: Ctx, { guid, version, bodyText: given }: Input<Api['editNote']>) {
  const row = await lockMessage(ctx, guid)
  if (!row) throw notFound()
  const bodyText = given ?? row.bodyText ?? ''
  if (row.direction !== 'internal') throw invalidTransition('You cannot edit messages that have already been sent')
  await mustReadCustomer(ctx, row.customerGuid ?? '')
  if (row.createdBy === null || row.createdBy !== userOf(ctx)) throw forbidden('You can edit your own notes only.')
  await checkVersion(row, version, messagesApi.note, () => one(ctx, guid))
  await ctx.db
    .updateTable('messages')
    .set({ bodyText, bodyHtml: asHtml(bodyText), version: row.version + 1, updatedAt: ctx.now })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: 'message.note_edited',
    entity: 'Messages',
    guid,
    before: { bodyText: row.bodyText },
    after: { note: told(bodyText) },
  })
  return one(ctx, guid)
}

/** What staff write down about a customer. */
export const noteHandlers = { notes, note, editNote }
