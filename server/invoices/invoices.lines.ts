import { AppError } from '../../contract/core/errors.ts'
import { trimQuantity, type Discount, type LineInput } from '../../contract/lines.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkProducts, priceLines } from '../lines/lines.service.ts'
import { insertLines, type Totals } from './invoices.drafts.ts'
import { invoiceLines, type InvoiceLineRow, type InvoiceRow } from './invoices.queries.ts'

interface Pricing {
  priceMode: InvoiceRow['priceMode']
  roundingRule: InvoiceRow['roundingRule']
  discount: Discount | null
}

const sameDiscount = (a: Discount | null | undefined, b: Discount | null | undefined) => a?.type === b?.type && a?.value === b?.value

const asInput = (row: InvoiceLineRow): LineInput => ({
  guid: row.guid,
  kind: row.kind as LineInput['kind'],
  productGuid: row.productGuid,
  name: row.name,
  description: row.description,
  quantity: row.quantity,
  unit: row.unit as LineInput['unit'],
  unitPriceCents: row.unitPriceCents,
  discount: row.discount,
  gstCode: row.gstCode,
  isOptional: false,
})

/** Replaces the lines of a draft, or prices them again on new terms; null when nothing changes. What an order made stays as the order has it. */
export async function repricedLines(ctx: Ctx, invoice: InvoiceRow, pricing: Pricing, sent: readonly LineInput[] | undefined): Promise<Totals | null> {
  const isRepriced = pricing.priceMode !== invoice.priceMode || pricing.roundingRule !== invoice.roundingRule || !sameDiscount(pricing.discount, invoice.discount)
  if (!sent && !isRepriced) return null
  const before = await invoiceLines(ctx.db, invoice.guid)
  if (invoice.orderGuid) {
    if (isRepriced || (sent && !isSame(before, sent))) refuse(isRepriced ? 'discount' : 'lines')
    return null
  }
  const business = await ctx.db.selectFrom('businesses').select(['guid', 'gstRegistered']).where('guid', '=', invoice.businessGuid).executeTakeFirstOrThrow()
  if (sent) await checkProducts(ctx.db, business.guid, sent, new Set(before.flatMap((line) => line.productGuid ?? [])))
  const { rows, totals } = priceLines(sent ?? before.map(asInput), { ...pricing, gstRegistered: business.gstRegistered, known: new Set(before.map((line) => line.guid)), withoutChoices: true })
  await ctx.db.deleteFrom('invoiceLines').where('invoiceGuid', '=', invoice.guid).execute()
  await insertLines(ctx, invoice.guid, rows)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  return { subtotalCents, discountCents, gstCents, totalCents }
}

function refuse(path: string): never {
  throw new AppError('VALIDATION_FAILED', 'The lines of this invoice come from its order. Change the order, then draft the invoice again.', { fields: [{ path, message: 'comes from the order and is changed there' }] })
}

/** An editor sends what it shows: unchanged lines are no change. Deposit credits cannot be sent at all. */
function isSame(before: readonly InvoiceLineRow[], sent: readonly LineInput[]): boolean {
  const shown = before.filter((line) => line.kind !== 'deposit_credit')
  if (shown.length !== sent.length) return false
  return shown.every((line, i) => {
    const now = sent[i]
    if (!now) return false
    const isHeading = line.kind === 'section' || line.kind === 'text'
    const isText = now.guid === line.guid && now.kind === line.kind && now.name === line.name && (now.description || null) === line.description
    return isText && (isHeading || (trimQuantity(now.quantity) === trimQuantity(line.quantity) && now.unitPriceCents === line.unitPriceCents && now.gstCode === line.gstCode && sameDiscount(now.discount, line.discount)))
  })
}
