import { sql } from 'kysely'
import { forbidden, invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { type Message, type messagesApi, type Note } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { inFamily } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { cleanFilled, htmlOfText } from '../core/html/body.ts'
import { textOfBody } from '../core/html/text.ts'
import { userName, userOf } from '../core/records.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { needBody } from './messages.body.ts'
import { type MessageRow, visibleMessages } from './messages.queries.ts'
import { shownMessage } from './messages.records.ts'
import { messageIdOf } from './sender.ts'
import type { About } from './writing-about.ts'

type Api = typeof messagesApi

/** Where a timeline tells of a note it shows so much of it. */
const toldCharacters = 200
const maxNote = 4000

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

/** Notes on a customer as a whole, the newest first. */
export async function notes(ctx: Ctx, { customerGuid, ...input }: Input<Api['notes']>) {
  await mustReadCustomer(ctx, customerGuid)
  return pageOf({
    query: shown(ctx).where(inFamily('m', customerGuid)).where('m.ownerType', 'is', null),
    input,
    sorts: { createdAt: 'm.createdAt' },
    guid: 'm.guid',
    defaultSort: '-createdAt',
  })
}

async function one(ctx: Ctx, guid: string): Promise<{ note: Note; message: Message }> {
  const note = await shown(ctx).where('m.guid', '=', guid).executeTakeFirst()
  if (!note) throw notFound()
  return { note, message: await shownMessage(ctx, guid) }
}

const told = (text: string) => (text.length > toldCharacters ? `${text.slice(0, toldCharacters)}…` : text)

interface Worded {
  bodyText?: string | undefined
  bodyHtml?: string | undefined
}
/** A note is entered as text, or with its formats. */
function wordsOf({ bodyText, bodyHtml }: Worded): { bodyText: string; bodyHtml: string } {
  const words =
    bodyHtml === undefined
      ? { bodyText: bodyText ?? '', bodyHtml: htmlOfText(bodyText ?? '') }
      : { bodyText: textOfBody(cleanFilled(bodyHtml)).trim(), bodyHtml: cleanFilled(bodyHtml) }
  if (!words.bodyText.trim()) throw invalid(bodyHtml === undefined ? 'bodyText' : 'bodyHtml', 'Write a note.')
  if (words.bodyText.length > maxNote) throw invalid('bodyHtml', 'Write up to 4,000 characters.')
  return words
}

/** Keeps a note on a customer or on a document. */
export async function writeNote(ctx: Ctx, { ownerType, ownerGuid, facts }: About, given: Worded) {
  const words = wordsOf(given)
  const guid = newGuid()
  const owner = ownerType === 'customer' ? {} : { ownerType, ownerGuid, ownerNumber: facts.ownerNumber }
  await ctx.db
    .insertInto('messages')
    .values({
      ...{ guid, businessGuid: facts.businessGuid, customerGuid: facts.customerGuid },
      ...owner,
      direction: 'internal',
      status: 'noted',
      sender: '',
      recipients: [],
      subject: 'Note',
      ...words,
      messageId: messageIdOf(guid, ''),
      createdAt: ctx.now,
      updatedAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  ctx.audit({ action: 'message.noted', entity: 'Messages', guid, after: { note: told(words.bodyText) } })
  return one(ctx, guid)
}

/** Only whoever wrote a note changes it: what somebody said stays theirs. */
export async function editNote(ctx: Ctx, row: MessageRow, { version, ...given }: Worded & { version: number }) {
  const { guid } = row
  if (row.ownerType === null) await mustReadCustomer(ctx, row.customerGuid ?? '')
  await needBody(ctx, row)
  if (row.createdBy === null || row.createdBy !== userOf(ctx)) throw forbidden('You can edit your own notes only.')
  await checkVersion(row, version, messageWritesApi.edit, () => one(ctx, guid))
  const isSame = given.bodyText === undefined && given.bodyHtml === undefined
  const words = isSame ? { bodyText: row.bodyText ?? '', bodyHtml: row.bodyHtml ?? '' } : wordsOf(given)
  await ctx.db
    .updateTable('messages')
    .set({ ...words, version: row.version + 1, updatedAt: ctx.now })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: 'message.note_edited',
    entity: 'Messages',
    guid,
    before: { bodyText: row.bodyText },
    after: { note: told(words.bodyText) },
  })
  return one(ctx, guid)
}
