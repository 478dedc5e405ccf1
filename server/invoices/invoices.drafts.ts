import { leadsFrom } from '../../contract/core/transitions.ts'
import type { Insertable } from 'kysely'
import { conflict, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { isHeading } from '../../contract/core/money.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { orderTransitions } from '../../contract/orders.ts'
import { invoiceTransitions } from '../../contract/invoice-transitions.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import type { Invoices } from '../core/db/schema-business.ts'
import { newGuid } from '../core/guid.ts'
import { asJson, firstStamp, stamp } from '../core/records.ts'
import { asRow, type DocumentTotals, type LineRow } from '../documents/lines.service.ts'
import { freeHireDays, hireWithin, refuseHireDraft } from '../orders/hire.service.ts'
import { giveBackQuantities, lockOrder, takeQuantities } from '../orders/order.service.ts'
import { toUnits } from '../documents/quantities.service.ts'
import {
  billedOf,
  invoiceLines,
  lockOpenDeposits,
  rowForUpdate,
  orderOfVisible,
  quantitiesOf,
  type InvoiceRow,
} from './invoices.queries.ts'
import { attachAnswered } from '../documents/line-options.service.ts'
import type { DraftLine } from './credits.ts'

type Given = Omit<
  Insertable<Invoices>,
  'guid' | 'discount' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy' | keyof DocumentTotals
> & { discount: InvoiceRow['discount'] }
export type NewLine = (
  | LineRow
  | (Omit<DraftLine, 'discount' | 'hireRates' | 'options'> & Pick<LineRow, 'discount' | 'hireRates' | 'options'>)
) & {
  orderLineGuid?: string | null
  depositInvoiceGuid?: string | null
}

/** A draft with its lines; issuing makes it what it is going to be. */
export async function insertDraft(
  ctx: Ctx,
  given: Given,
  lines: readonly NewLine[],
  { subtotalCents, discountCents, gstCents, totalCents }: DocumentTotals,
): Promise<string> {
  const guid = newGuid()
  await ctx.db
    .insertInto('invoices')
    .values({
      ...given,
      discount: asJson(given.discount),
      subtotalCents,
      discountCents,
      gstCents,
      totalCents,
      guid,
      ...firstStamp(ctx),
    })
    .execute()
  await insertLines(ctx, guid, lines)
  return guid
}

export async function insertLines(ctx: Ctx, invoiceGuid: string, lines: readonly NewLine[]) {
  if (lines.length > 0)
    await ctx.db
      .insertInto('invoiceLines')
      .values(lines.map((line) => ({ ...line, invoiceGuid })))
      .execute()
  await attachAnswered(ctx, 'Invoices', invoiceGuid, lines)
}

export const asNewLine = (line: DraftLine): NewLine => asRow(line)

/** Locks an invoice that the caller may change, in the version he saw; its order is locked before it. */
export async function lockVisibleInvoice(
  ctx: Ctx,
  guid: string,
  seen?: { version: number; shown: () => Promise<unknown> },
): Promise<InvoiceRow> {
  const known = await orderOfVisible(ctx, guid)
  if (!known) throw notFound()
  if (known.orderGuid) await lockOrder(ctx, known.orderGuid)
  const row = await rowForUpdate(ctx.db, guid)
  if (!row) throw notFound()
  if (seen) await checkVersion(row, seen.version, invoicesApi.get, seen.shown)
  return row
}

const done = { update: 'changed', archive: 'archived', issue: 'issued again' } as const

/** Refuses a deed that the invoice's status does not allow, by the table of the contract. */
export function allow(deed: keyof typeof done, { status, number }: Pick<InvoiceRow, 'status' | 'number'>) {
  if (leadsFrom(invoiceTransitions, deed, status)) return
  if (status === 'scheduled') throw invalidTransition(`This invoice is scheduled and can’t be ${done[deed]}.`)
  if (deed === 'archive') throw invalidTransition('Only drafts can be archived. Void an issued invoice instead.')
  if (status === 'void') throw invalidTransition(`Invoice ${number} is void.`)
  if (status === 'written_off') throw invalidTransition(`Invoice ${number} is written off.`)
  throw invalidTransition(`Invoice ${number} is issued and can’t be ${done[deed]}.`)
}

/** What a draft took of its order can be invoiced again. */
export async function archiveDraft(ctx: Ctx, guid: string) {
  await archiveLocked(ctx, await lockVisibleInvoice(ctx, guid))
}

/** A draft of an order that is locked, whoever sees its invoices. */
export async function putAway(ctx: Ctx, guid: string) {
  const invoice = await rowForUpdate(ctx.db, guid)
  if (invoice) await archiveLocked(ctx, invoice)
}

async function archiveLocked(ctx: Ctx, invoice: InvoiceRow) {
  const { guid } = invoice
  allow('archive', invoice)
  if (invoice.archivedAt !== null) throw invalidTransition('This draft is already archived.')
  await ctx.db
    .updateTable('invoices')
    .set({ archivedAt: ctx.now, ...stamp(ctx, invoice.version) })
    .where('guid', '=', guid)
    .execute()
  await freeHireDays(ctx, guid)
  if (invoice.orderGuid)
    await giveBackQuantities(ctx, invoice.orderGuid, quantitiesOf(await invoiceLines(ctx.db, guid)))
  ctx.audit({
    action: 'invoice.archived',
    entity: 'Invoices',
    guid,
    after: { title: invoice.title, totalCents: invoice.totalCents },
  })
}

/** A draft comes back only while what it stands for is still to be invoiced. */
export async function restoreDraft(ctx: Ctx, guid: string) {
  const invoice = await lockVisibleInvoice(ctx, guid)
  if (invoice.archivedAt === null) throw invalidTransition('This draft isn’t archived.')
  const order = invoice.orderGuid ? await lockOrder(ctx, invoice.orderGuid) : null
  await refuseHireDraft(ctx.db, guid)
  if (order) await retake(ctx, invoice, order)
  await ctx.db
    .updateTable('invoices')
    .set({ archivedAt: null, ...stamp(ctx, invoice.version) })
    .where('guid', '=', guid)
    .execute()
  if (order) await takeQuantities(ctx, order, quantitiesOf(await invoiceLines(ctx.db, guid)))
  ctx.audit({
    action: 'invoice.restored',
    entity: 'Invoices',
    guid,
    after: { title: invoice.title, totalCents: invoice.totalCents },
  })
}

const taken = () => conflict('The order has changed or been invoiced since. Create a new invoice from the order.')

async function retake(ctx: Ctx, invoice: InvoiceRow, order: Awaited<ReturnType<typeof lockOrder>>) {
  const orderGuid = order.guid
  const lines = await invoiceLines(ctx.db, invoice.guid)
  const wanted = quantitiesOf(lines)
  if (!leadsFrom(orderTransitions, 'invoice', order.status) || order.archivedAt !== null) throw taken()
  const hired = await hireWithin(ctx.db, orderGuid)
  const all = await ctx.db
    .selectFrom('orderLines')
    .select(['guid', 'kind', 'quantity', 'quantityInvoiced', 'unitPriceCents'])
    .where('orderGuid', '=', orderGuid)
    .execute()
  const now = all.filter((line) => !hired.lines.has(line.guid))
  const fits = [...wanted].every(([guid, quantity]) => {
    const line = now.find((l) => l.guid === guid)
    const mine = lines.find((l) => l.orderLineGuid === guid)
    return (
      line &&
      mine &&
      line.unitPriceCents === mine.unitPriceCents &&
      toUnits(line.quantity) - toUnits(line.quantityInvoiced) >= toUnits(quantity)
    )
  })
  if (!fits) throw taken()
  await checkDeposits(ctx, orderGuid, lines)
  const isLast = now.every(
    (l) => isHeading(l) || toUnits(l.quantity) === toUnits(l.quantityInvoiced) + toUnits(wanted.get(l.guid) ?? '0'),
  )
  const billed = await billedOf(ctx.db, orderGuid, invoice.guid)
  if (isLast && billed.workCents + invoice.totalCents + invoice.depositAppliedCents !== order.totalCents - hired.cents)
    throw taken()
}

async function checkDeposits(ctx: Ctx, orderGuid: string, lines: Awaited<ReturnType<typeof invoiceLines>>) {
  const credits = lines.filter((l) => l.depositInvoiceGuid !== null)
  if (credits.length === 0) return
  const open = await lockOpenDeposits(ctx.db, orderGuid, { without: credits[0]?.invoiceGuid ?? '' })
  const fits = credits.every((credit) => {
    const part = open.find((d) => d.guid === credit.depositInvoiceGuid)?.parts.find((p) => p.gstCode === credit.gstCode)
    return part && part.netCents + credit.netCents >= 0 && part.gstCents + credit.gstCents >= 0
  })
  if (!fits) throw taken()
}
