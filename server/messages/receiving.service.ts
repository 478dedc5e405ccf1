import { type RawBuilder, sql } from 'kysely'
import type { MessageFiling } from '../../contract/messages.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { addressesOf } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { notify } from '../core/notices.ts'
import type { MessageRow } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { messageIdOf } from './sender.ts'

/*
 * What comes in becomes a message that nobody changes: it stands in the conversation it answers, or waits until
 * somebody says where it belongs. It moves no document.
 */

const answered = [
  'guid',
  'businessGuid',
  'ownerType',
  'ownerGuid',
  'ownerNumber',
  'customerGuid',
  'purpose',
  'recipients',
  'cc',
  'bcc',
  'subject',
  'status',
  'sentAt',
] as const
export type Answered = Pick<MessageRow, (typeof answered)[number]>

/** A token of ours is the name of its Message-ID; some servers keep the one and write the other anew. */
const tokenIn = (id: string): string[] => /^<([a-z2-7]{26})@/.exec(id)?.slice(1) ?? []

/**
 * The message of ours that a mail answers or reports of: by our Message-ID, the nearest first, or by the token behind
 * the plus. Whoever it says it is from, and what about, counts for nothing.
 */
export const findAnswered = (
  db: Db,
  businessGuid: string,
  { answers, tokens }: { answers: readonly string[]; tokens: readonly string[] },
): Promise<Answered | undefined> => {
  const named = [...answers.flatMap(tokenIn), ...tokens]
  const rank = sql<number>`coalesce(array_position(${[...answers]}::text[], m.message_id),
    cardinality(${[...answers]}::text[]) + array_position(${named}::text[], m.reply_token))`
  return db
    .selectFrom('messages as m')
    .select(answered.map((column) => `m.${column}` as const))
    .where('m.businessGuid', '=', businessGuid)
    .where('m.direction', '=', 'out')
    .where((e) =>
      e.or([
        e('m.messageId', '=', sql<string>`any(${[...answers]}::text[])`),
        e('m.replyToken', '=', sql<string>`any(${named}::text[])`),
      ]),
    )
    .orderBy(rank)
    .limit(1)
    .executeTakeFirst()
}

/** Whether an address is a customer's own, or that of one of his contacts. */
const isOf = (customerGuid: string, address: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${addressesOf(customerGuid)} own where own.address = ${address})`

/** Whether nobody knows a sender: neither the customer nor those the message went to. */
export async function isUnknown(
  db: Db,
  sender: string | null,
  customerGuid: string | null,
  wrote: readonly string[] = [],
): Promise<boolean> {
  if (sender === null) return true
  if (wrote.some((address) => address.toLowerCase() === sender)) return false
  if (customerGuid === null) return true
  const { rows } = await sql<{ isKnown: boolean }>`select ${isOf(customerGuid, sender)} as is_known`.execute(db)
  return rows[0]?.isKnown !== true
}

export interface Letter {
  businessGuid: string
  accountGuid: string
  from: { name: string; address: string } | null
  to: readonly string[]
  cc: readonly string[]
  subject: string
  html: string
  text: string
  isAutomatic: boolean
  rawSha256: string
  receivedAt: string
  fileGuids: readonly string[]
}

/** As a header writes it. */
export const written = (from: Letter['from']): string => {
  if (!from) return ''
  const name = from.name.replace(/["\\<>]/g, '').trim()
  return name ? `"${name}" <${from.address}>` : from.address
}

/** Keeps a mail as a message: in the conversation it answers, else as one that nobody has filed yet. */
export async function receiveMessage(
  ctx: Ctx,
  letter: Letter,
  to: Answered | undefined,
): Promise<{ guid: string; filing: MessageFiling }> {
  const guid = newGuid()
  // A test is about nobody: somebody has to say where an answer to it belongs.
  const filing = to?.ownerGuid || to?.customerGuid ? 'filed' : 'unmatched'
  const sender = letter.from?.address ?? null
  const about = to && {
    ownerType: to.ownerType,
    ownerGuid: to.ownerGuid,
    ownerNumber: to.ownerNumber,
    customerGuid: to.customerGuid,
    purpose: to.purpose,
    isUnknownSender: await isUnknown(ctx.db, sender, to.customerGuid, [...to.recipients, ...to.cc, ...to.bcc]),
  }
  const subject = letter.subject || phrases('messages')('noSubject')
  await ctx.db
    .insertInto('messages')
    .values({
      ...about,
      guid,
      filing,
      businessGuid: letter.businessGuid,
      accountGuid: letter.accountGuid,
      direction: 'in',
      status: 'received',
      isAutomatic: letter.isAutomatic,
      sender: written(letter.from),
      recipients: [...letter.to],
      cc: [...letter.cc],
      subject,
      bodyHtml: letter.html,
      bodyText: letter.text,
      rawSha256: letter.rawSha256,
      messageId: messageIdOf(guid, ''),
      createdAt: letter.receivedAt,
    })
    .execute()
  if (letter.fileGuids.length > 0)
    await ctx.db
      .insertInto('messageFiles')
      .values(letter.fileGuids.map((fileGuid, position) => ({ messageGuid: guid, fileGuid, position })))
      .execute()
  const name = letter.from?.name || sender || '?'
  const line = auditOf(
    {
      ...(about ?? { ownerType: null, ownerGuid: null, ownerNumber: null }),
      guid,
      recipients: [...letter.to],
      subject,
    },
    letter.isAutomatic ? 'message.received_automatic' : 'message.received',
  )
  ctx.audit({ ...line, after: { number: about?.ownerNumber ?? null, subject, name, messageGuid: guid } })
  if (!letter.isAutomatic)
    await notify(ctx, {
      kind: 'message.received',
      noun: 'Messages',
      recordGuid: guid,
      event: `message.received:${guid}`,
      values: { subject, name },
    })
  return { guid, filing }
}
