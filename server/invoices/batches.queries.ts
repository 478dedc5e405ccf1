import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Batch, BatchItem, BatchReason } from '../../contract/batches.ts'
import type { Ctx } from '../core/ctx.ts'
import type { BatchTables } from '../core/db/schema-batches.ts'
import { ofFamily } from '../core/family.ts'
import { userOf } from '../core/records.ts'
import { customerName } from '../documents/parties.service.ts'
import { emailedAt, visibleInvoices } from './invoices.queries.ts'

export type BatchRow = Selectable<BatchTables['batches']>
type ItemRow = Omit<BatchItem, 'message'>

/** So long one may be left alone before it counts as stopped. */
const idleMs = 86_400_000
export const isIdle = (ctx: Ctx, { movedAt }: Pick<BatchRow, 'movedAt'>): boolean =>
  ctx.now.getTime() - new Date(movedAt).getTime() >= idleMs

const own = (ctx: Ctx) => ctx.db.selectFrom('batches as b').where('b.userGuid', '=', userOf(ctx))

/** What the caller has begun here and not finished, the newest first. */
export const unfinished = (ctx: Ctx) =>
  own(ctx).selectAll('b').where('b.state', '<>', 'finished').orderBy('b.createdAt', 'desc').orderBy('b.guid')

export const findUnfinished = (ctx: Ctx): Promise<BatchRow | undefined> =>
  unfinished(ctx).where('b.businessGuid', '=', ctx.business.guid).limit(1).executeTakeFirst()

export const lockBatch = (ctx: Ctx, guid: string): Promise<BatchRow | undefined> =>
  own(ctx).selectAll('b').where('b.guid', '=', guid).forUpdate().executeTakeFirst()

/** A batch with its counts. One that was left alone has stopped. */
export async function shownBatch(ctx: Ctx, row: BatchRow): Promise<Batch> {
  const count = (state: string) => sql<number>`count(*) filter (where state = ${state})::int`
  const counts = await ctx.db
    .selectFrom('batchItems')
    .select([
      sql<number>`count(*)::int`.as('total'),
      count('done').as('done'),
      count('failed').as('failed'),
      count('skipped').as('skipped'),
      count('ready').as('remaining'),
    ])
    .where('batchGuid', '=', row.guid)
    .executeTakeFirstOrThrow()
  const state = row.state === 'open' && isIdle(ctx, row) ? 'stopped' : row.state
  return { guid: row.guid, state, templateGuid: row.templateGuid, ...counts }
}

/**
 * Whom the message about an invoice goes to: its own contact, else the customer, else a contact who receives invoices.
 */
const addressOf = sql<string | null>`coalesce(
  (select k.email from contacts k where k.guid = i.contact_guid),
  p.email,
  (select k.email from contact_links l join contacts k on k.guid = l.contact_guid
    where ${ofFamily('l', 'p.guid')} and l.ended_at is null and k.archived_at is null and l.receives_invoices
      and k.email is not null order by l.is_primary desc, l.created_at limit 1))`

const suppressed = (address: RawBuilder<unknown>) => sql<boolean>`exists (select from suppressions s
  where s.business_guid = i.business_guid and s.address = lower(${address})
    and s.scope = 'all' and s.lifted_at is null)`

/** Invoices of the caller's business, each with why nothing would be sent about it. */
export async function chosenInvoices(
  ctx: Ctx,
  guids: readonly string[],
): Promise<{ guid: string; number: string | null; reason: BatchReason | null }[]> {
  const rows = await visibleInvoices(ctx)
    .innerJoin('parties as p', 'p.memberGuid', 'i.customerGuid')
    .select(['i.guid', 'i.number'])
    .select(
      sql<BatchReason | null>`case when i.status = 'void' then 'void'
        when i.status = 'written_off' then 'written_off'
        when i.status <> 'issued' or i.archived_at is not null then 'not_issued'
        when p.status = 'blocked' then 'blocked'
        when ${addressOf} is null then 'no_address'
        when ${suppressed(addressOf)} then 'suppressed' end`.as('reason'),
    )
    .where('i.businessGuid', '=', ctx.business.guid)
    .where(sql<boolean>`i.guid = any(${guids}::uuid[])`)
    .execute()
  const named = rows.map((row) => ({ ...row, by: row.number ?? '\uffff' }))
  return named.toSorted((a, b) => a.by.localeCompare(b.by, 'en', { numeric: true }) || (a.guid < b.guid ? -1 : 1))
}

/** Items of a batch as they are shown, in their order; all of them, or some. */
export async function itemsOf(ctx: Ctx, batchGuid: string, invoiceGuids?: readonly string[]): Promise<ItemRow[]> {
  let query = ctx.db
    .selectFrom('batchItems as t')
    .innerJoin('invoices as i', 'i.guid', 't.invoiceGuid')
    .innerJoin('parties as p', 'p.memberGuid', 'i.customerGuid')
    .leftJoin('messages as m', 'm.guid', 't.messageGuid')
    .select([
      't.invoiceGuid',
      sql<string>`coalesce(i.number, i.title)`.as('number'),
      customerName('i'),
      sql<string[]>`coalesce(m.recipients, array_remove(array[${addressOf}], null))`.as('to'),
      'i.balanceCents',
      emailedAt.as('emailedAt'),
      't.state',
      't.messageGuid',
      't.reason',
    ])
    .where('t.batchGuid', '=', batchGuid)
  if (invoiceGuids) query = query.where(sql<boolean>`t.invoice_guid = any(${invoiceGuids}::uuid[])`)
  return query.orderBy('t.position').execute()
}

export const readyItems = (ctx: Ctx, batchGuid: string, count: number) =>
  ctx.db
    .selectFrom('batchItems')
    .select('invoiceGuid')
    .where('batchGuid', '=', batchGuid)
    .where('state', '=', 'ready')
    .orderBy('position')
    .limit(count)
    .execute()

/** What is left of a batch is passed over, and it is over. */
export async function finishBatch(ctx: Ctx, guid: string): Promise<string[]> {
  const left = await ctx.db
    .updateTable('batchItems')
    .set({ state: 'skipped', reason: 'passed_over' })
    .where('batchGuid', '=', guid)
    .where('state', '=', 'ready')
    .returning('invoiceGuid')
    .execute()
  await ctx.db
    .updateTable('batches')
    .set({ state: 'finished', endedAt: ctx.now, movedAt: ctx.now })
    .where('guid', '=', guid)
    .execute()
  return left.map(({ invoiceGuid }) => invoiceGuid)
}
