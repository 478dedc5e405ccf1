import { sql } from 'kysely'
import type { Said } from '../../contract/service-talk.ts'
import type { Ctx } from '../core/ctx.ts'
import { addressesOf } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { htmlOfText } from '../core/html/body.ts'
import { countUse } from '../core/http/limits.ts'
import { notify } from '../core/notices.ts'
import { addressIn } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { messageIdOf } from './sender.ts'

/** The order whose page a customer writes from. */
export interface TalkedAbout {
  guid: string
  businessGuid: string
  customerGuid: string
  number: string | null
  customerName: string
  businessName: string
}

const atOnce = 50
/** What one link may write in a day. */
const perDay = { most: 20, seconds: 86_400 }
const longest = 4000

/**
 * What was written to the customer about an order, and what he and his contacts wrote. What went to others alone, or
 * came from them, is none of his: they may be suppliers.
 */
export async function talkOn({ db }: Pick<Ctx, 'db'>, order: TalkedAbout): Promise<Said[]> {
  const { rows } = await sql<Said>`
    with own as (select own.address from ${addressesOf(order.customerGuid)} own)
    select * from (select m.guid, m.direction = 'out' as "isOurs",
        case m.direction when 'out' then ${order.businessName}
          else coalesce(substring(m.sender from '^"?([^"<]+)"? <'), m.sender) end as by,
        m.subject, left(btrim(regexp_replace(split_part(m.body_text, E'\\n-- \\n', 1),
          E'\\n\\n[^\\n]+:\\nhttps?://\\S+\\s*$', ''), E' \\n'), ${longest}) as text,
        coalesce(m.sent_at, m.created_at) as at
      from messages m where m.owner_type = 'order' and m.owner_guid = ${order.guid}::uuid and not m.is_test
        and m.body_text is not null and (m.direction = 'in'
            and (m.account_guid is null or lower(${addressIn('m.sender')}) in (select address from own))
          or m.direction = 'out' and m.status in ('sent', 'delivered')
            and exists (select from unnest(m.recipients || m.cc) a where lower(a) in (select address from own)))
      order by coalesce(m.sent_at, m.created_at) desc, m.guid desc limit ${atOnce}) newest
    order by at, guid`.execute(db)
  return rows
}

/** Keeps what a customer wrote on the page of his order, and tells the office. */
export async function hear(ctx: Ctx, order: TalkedAbout, linkGuid: string, text: string): Promise<void> {
  await countUse(
    ctx.db,
    `talk:${linkGuid}`,
    perDay,
    'You’ve written a lot today. Please call us, or write again tomorrow.',
  )
  const guid = newGuid()
  const { businessGuid, customerGuid, number, customerName: name } = order
  const [subject = ''] = text.split('\n')
  const owner = { ownerType: 'order', ownerGuid: order.guid, ownerNumber: number } as const
  const row = { ...owner, guid, recipients: [], subject: subject.slice(0, 120) }
  await ctx.db
    .insertInto('messages')
    .values({
      ...row,
      ...{ businessGuid, customerGuid, purpose: 'bookings', direction: 'in', status: 'received', filing: 'filed' },
      sender: name,
      bodyText: text,
      bodyHtml: htmlOfText(text),
      messageId: messageIdOf(guid, ''),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .execute()
  const after = { number, subject: row.subject, name, messageGuid: guid }
  ctx.audit({ ...auditOf(row, 'message.received'), after })
  const values = { subject: row.subject, name }
  await notify(ctx, {
    kind: 'message.received',
    noun: 'Messages',
    recordGuid: guid,
    event: `message.received:${guid}`,
    values,
  })
}
