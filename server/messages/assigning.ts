import { sql } from 'kysely'
import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { inboundApi } from '../../contract/inbound.ts'
import type { MessageFiling } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { isVisibleOwner, lockMessage, type MessageRow } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { shownMessage } from './messages.records.ts'
import { isUnknown } from './receiving.service.ts'

type Given = Input<typeof inboundApi.assign>
type Kind = 'quote' | 'order' | 'invoice'

interface Place {
  ownerType: Kind | null
  ownerGuid: string | null
  ownerNumber: string | null
  customerGuid: string
  label: string
}

const tables = { quote: 'quotes', order: 'orders', invoice: 'invoices' } as const

/** Only what the caller reads, and what is of the business the email came to. */
async function placeOf(ctx: Ctx, given: Given, businessGuid: string): Promise<Place> {
  if (given.customerGuid) return customerPlace(ctx, given.customerGuid, businessGuid)
  const kind: Kind = given.quoteGuid ? 'quote' : given.orderGuid ? 'order' : 'invoice'
  const guid = given.quoteGuid ?? given.orderGuid ?? given.invoiceGuid ?? ''
  if (!(await isVisibleOwner(ctx, kind, guid))) throw notFound()
  const { rows } = await sql<{ number: string | null; title: string; customerGuid: string }>`select number, title,
    customer_guid from ${sql.table(tables[kind])} where guid = ${guid}::uuid
    and business_guid = ${businessGuid}::uuid`.execute(ctx.db)
  const [row] = rows
  if (!row) throw notFound()
  const { number, title, customerGuid } = row
  return { ownerType: kind, ownerGuid: guid, ownerNumber: number, customerGuid, label: number ?? title }
}

async function customerPlace(ctx: Ctx, guid: string, businessGuid: string): Promise<Place> {
  const [readable] = await filterReadable(ctx, [{ entity: 'Customers', guid }])
  const { rows } = await sql<{ guid: string; label: string }>`select k.guid, k.display_name as label from parties k
    join businesses b on b.customers_of = k.business_guid
    where k.member_guid = ${guid}::uuid and b.guid = ${businessGuid}::uuid`.execute(ctx.db)
  const [row] = rows
  if (!readable || !row) throw notFound()
  return { ownerType: null, ownerGuid: null, ownerNumber: null, customerGuid: row.guid, label: row.label }
}

/** What may be done with an email by where it is. */
const leads: Readonly<Record<'file' | 'ignore' | 'restore', readonly MessageFiling[]>> = {
  file: ['unmatched', 'filed', 'ignored'],
  ignore: ['unmatched'],
  restore: ['ignored'],
}

const addressIn = (sender: string) => (/<([^<>\s]+)>$/.exec(sender)?.[1] ?? sender).toLowerCase() || null

async function writeFiling(ctx: Ctx, row: MessageRow, changes: Partial<MessageRow> & { filing: MessageFiling }) {
  await ctx.db
    .updateTable('messages')
    .set({ ...(changes as object), version: row.version + 1, updatedAt: ctx.now })
    .where('guid', '=', row.guid)
    .execute()
}

async function file(ctx: Ctx, row: MessageRow, given: Given): Promise<string> {
  const { label, ...place } = await placeOf(ctx, given, row.businessGuid ?? '')
  const isUnknownSender = await isUnknown(ctx.db, addressIn(row.sender), place.customerGuid)
  await writeFiling(ctx, row, { ...place, isUnknownSender, filing: 'filed' })
  const line = auditOf({ ...row, ...place }, 'message.filed')
  ctx.audit({ ...line, after: { number: label, subject: row.subject, messageGuid: row.guid } })
  return label
}

/** Files an email that came in, by hand. It moves no document. */
export async function assign(ctx: Ctx, given: Given) {
  const { guid, version, action } = given
  const row = await lockMessage(ctx, guid)
  if (!row) throw notFound()
  if (row.filing === null) throw invalidTransition('Only emails that came in can be filed.')
  await checkVersion(row, version, inboundApi.assign, async () => ({
    message: await shownMessage(ctx, guid),
    filedUnder: null,
  }))
  if (!leads[action ?? 'file'].includes(row.filing))
    throw invalidTransition(
      action === 'restore' ? 'This email isn’t ignored.' : 'This email is no longer waiting to be filed.',
    )
  if (action === undefined) {
    const filedUnder = await file(ctx, row, given)
    return { message: await shownMessage(ctx, guid), filedUnder }
  }
  await writeFiling(ctx, row, { filing: action === 'ignore' ? 'ignored' : 'unmatched' })
  ctx.audit({
    action: action === 'ignore' ? 'message.ignored' : 'message.restored',
    entity: 'Messages',
    guid,
    after: { subject: row.subject },
  })
  return { message: await shownMessage(ctx, guid), filedUnder: null }
}
