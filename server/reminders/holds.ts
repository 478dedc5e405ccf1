import { sql } from 'kysely'
import { localDay } from '../../contract/core/dates.ts'
import { invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Page } from '../../contract/core/common.ts'
import type { Input } from '../../contract/core/op.ts'
import type { ReminderHold, remindersApi } from '../../contract/reminders.ts'
import type { AuditLine, Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, rowCondition } from '../core/db/rows.ts'
import { inFamily, keeperOf } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { readable } from '../core/http/permission.ts'
import { userName, userOf } from '../core/records.ts'
import { filterReadable, rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof remindersApi

export const today = (ctx: Ctx): string => localDay(ctx.now.toISOString(), ctx.business.timeZone)

/** Whether the caller may read a record that stands as an alias. */
function mayRead(ctx: Ctx, noun: 'Customers' | 'Invoices', alias: string) {
  const rows = readable(ctx.actor, noun, 'Guid')
  return rows === 'none' ? sql<boolean>`false` : rowCondition({ actor: ctx.actor, rows }, rowColumns(ctx, noun, alias))
}

/** Holds of the caller's business, on records that he may read. */
const visible = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('reminderHolds as h'), rowColumns(ctx, 'Reminders', 'h'))
    .leftJoin('invoices as i', 'i.guid', 'h.invoiceGuid')
    .where('h.businessGuid', '=', ctx.business.guid)
    .where(
      sql<boolean>`case when h.invoice_guid is null then exists (select from customers c
        where c.guid = ${keeperOf(sql.ref('h.customerGuid'))} and ${mayRead(ctx, 'Customers', 'c')})
        else ${mayRead(ctx, 'Invoices', 'i')} end`,
    )

const nameOf = (customer: string) =>
  sql<string>`(select p.display_name from parties p where p.member_guid = ${sql.ref(customer)})`

const shown = (ctx: Ctx) =>
  visible(ctx)
    .leftJoin('users as u', 'u.guid', 'h.createdBy')
    .select(['h.guid', 'h.invoiceGuid', 'h.until', 'h.reason', 'h.note', 'h.liftedAt', 'h.createdAt'])
    .select([
      sql<string | null>`${keeperOf(sql.ref('h.customerGuid'))}`.as('customerGuid'),
      sql<
        ReminderHold['record']
      >`json_build_object('guid', coalesce(h.invoice_guid, ${keeperOf(sql.ref('h.customerGuid'))}), 'label',
        coalesce(i.number, i.title, ${nameOf('h.customerGuid')}))`.as('record'),
      sql<string>`coalesce(${nameOf('h.customerGuid')}, ${nameOf('i.customerGuid')})`.as('customerName'),
      userName<string | null>('u').as('createdBy'),
    ])

/** Of an invoice, or of its customer. */
function keepsBack(invoiceGuid: string) {
  const customer = sql`(select x.customer_guid from invoices x where x.guid = ${invoiceGuid}::uuid)`
  return sql<boolean>`(h.invoice_guid = ${invoiceGuid}::uuid or ${inFamily('h', customer)})`
}

const inForce = (ctx: Ctx) =>
  sql<boolean>`(h.lifted_at is null and (h.until is null or h.until >= ${today(ctx)}::date))`

export async function listHolds(ctx: Ctx, input: Input<Api['holds']>): Promise<Page<ReminderHold>> {
  const { customerGuid, invoiceGuid, isInForce } = input
  let query = shown(ctx)
  if (customerGuid)
    query = query.where(sql<boolean>`(${inFamily('h', customerGuid)} or ${inFamily('i', customerGuid)})`)
  if (invoiceGuid) query = query.where(keepsBack(invoiceGuid))
  if (isInForce) query = query.where(sql<boolean>`${inForce(ctx)} = ${isInForce === 'true'}`)
  return pageOf({
    query,
    sorts: { createdAt: 'h.createdAt', until: { column: 'h.until', nullable: true } },
    guid: 'h.guid',
    input,
    defaultSort: '-createdAt',
  })
}

async function one(ctx: Ctx, guid: string): Promise<{ hold: ReminderHold }> {
  const hold = await shown(ctx).where('h.guid', '=', guid).executeTakeFirst()
  if (!hold) throw notFound()
  return { hold }
}

/** The record that is held tells of it. */
const told = ({ record, customerGuid }: ReminderHold): Pick<AuditLine, 'entity' | 'guid'> => ({
  entity: customerGuid === null ? 'Invoices' : 'Customers',
  guid: record.guid,
})

export async function hold(ctx: Ctx, input: Input<Api['hold']>) {
  const { customerGuid, invoiceGuid, until = null, reason, note } = input
  if ((customerGuid === undefined) === (invoiceGuid === undefined))
    throw invalid(invoiceGuid ? 'invoiceGuid' : 'customerGuid', 'Choose a customer or an invoice.')
  if (until !== null && until < today(ctx)) throw invalid('until', 'Choose today or a later day.')
  await mustBeOurs(ctx, customerGuid, invoiceGuid)
  const guid = newGuid()
  await ctx.db
    .insertInto('reminderHolds')
    .values({
      ...{ guid, businessGuid: ctx.business.guid, reason, until, note: note || null },
      ...{ customerGuid: customerGuid ?? null, invoiceGuid: invoiceGuid ?? null },
      ...{ createdAt: ctx.now, createdBy: userOf(ctx) },
    })
    .execute()
  const held = await one(ctx, guid)
  const { record, reason: kind, note: said } = held.hold
  ctx.audit({ action: 'reminders.held', ...told(held.hold), after: { name: record.label, kind, note: said, until } })
  return held
}

/** Of the caller's business, and his to read. */
async function mustBeOurs(ctx: Ctx, customerGuid: string | undefined, invoiceGuid: string | undefined) {
  const entity = customerGuid ? 'Customers' : 'Invoices'
  const guid = customerGuid ?? invoiceGuid ?? ''
  const [found] = await filterReadable(ctx, [{ entity, guid }])
  const row = customerGuid
    ? await ctx.db
        .selectFrom('customers')
        .select('guid')
        .where('guid', '=', guid)
        .where('businessGuid', '=', ctx.business.customersOf)
        .executeTakeFirst()
    : await ctx.db
        .selectFrom('invoices')
        .select('guid')
        .where('guid', '=', guid)
        .where('businessGuid', '=', ctx.business.guid)
        .executeTakeFirst()
  if (!found || !row) throw invalid(customerGuid ? 'customerGuid' : 'invoiceGuid', 'We can’t find that record.')
}

/** Whether reminders of what was held are kept back all the same: also by a hold that the caller may not read. */
async function isKeptBack(ctx: Ctx, { customerGuid, invoiceGuid }: ReminderHold): Promise<boolean> {
  const another = ctx.db
    .selectFrom('reminderHolds as h')
    .select('h.guid')
    .where('h.businessGuid', '=', ctx.business.guid)
    .where(inForce(ctx))
    .where(invoiceGuid ? keepsBack(invoiceGuid) : inFamily('h', customerGuid ?? ''))
  return (await another.executeTakeFirst()) !== undefined
}

export async function lift(ctx: Ctx, { guid }: Input<Api['lift']>) {
  const row = await visible(ctx).select(['h.liftedAt']).where('h.guid', '=', guid).forUpdate('h').executeTakeFirst()
  if (!row) throw notFound()
  if (row.liftedAt !== null) throw invalidTransition('Reminders continue already.')
  await ctx.db
    .updateTable('reminderHolds')
    .set({ liftedAt: ctx.now, liftedBy: userOf(ctx) })
    .where('guid', '=', guid)
    .execute()
  const { hold: lifted } = await one(ctx, guid)
  const isStillHeld = await isKeptBack(ctx, lifted)
  const kind = isStillHeld ? 'still_held' : null
  ctx.audit({ action: 'reminders.continued', ...told(lifted), after: { name: lifted.record.label, kind } })
  return { hold: lifted, isStillHeld }
}
