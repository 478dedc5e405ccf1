import { AppError } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import { trimQuantity, type LineInput } from '../../contract/lines.ts'
import type { Ctx } from '../core/ctx.ts'
import { inputsOf } from '../documents/lines-below.service.ts'
import { checkProducts, priceLines, type DocumentTotals, type Terms } from '../documents/lines.service.ts'
import { isRepriced, isSameDiscount } from '../documents/terms.service.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { lockOrder } from '../orders/order.service.ts'
import { depositRows } from './invoices.deposit.ts'
import { insertLines } from './invoices.drafts.ts'
import { invoiceLines, type InvoiceLineRow, type InvoiceRow } from './invoices.queries.ts'

/**
 * Replaces the lines of a draft, or prices them again on new terms; null when nothing changes. What an order
 * made stays as the order has it.
 */
export async function repricedLines(
  ctx: Ctx,
  invoice: InvoiceRow,
  terms: Terms,
  sent: readonly LineInput[] | undefined,
): Promise<DocumentTotals | null> {
  const isOnNewTerms = isRepriced(terms, invoice)
  if (!sent && !isOnNewTerms) return null
  const before = await invoiceLines(ctx.db, invoice.guid)
  if (invoice.orderGuid) {
    if (isOnNewTerms || (sent && !isSame(before, sent))) refuse(isOnNewTerms ? 'discount' : 'lines')
    return null
  }
  const business = await ctx.db
    .selectFrom('businesses')
    .select(['guid', 'gstRegistered'])
    .where('guid', '=', invoice.businessGuid)
    .executeTakeFirstOrThrow()
  if (sent) await checkProducts(ctx, business.guid, sent, new Set(before.flatMap((line) => line.productGuid ?? [])))
  const { guid: businessGuid, gstRegistered } = business
  const { customerGuid } = invoice
  const given = { businessGuid, gstRegistered, customerGuid, priceMode: terms.priceMode }
  const lines = sent ? await fromCatalogue(ctx, given, sent, before) : inputsOf(before)
  const { rows, totals } = priceLines(lines, {
    ...terms,
    gstRegistered: business.gstRegistered,
    known: new Set(before.map((line) => line.guid)),
    withoutChoices: true,
  })
  await ctx.db.deleteFrom('invoiceLines').where('invoiceGuid', '=', invoice.guid).execute()
  await insertLines(ctx, invoice.guid, rows)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  return { subtotalCents, discountCents, gstCents, totalCents }
}

/** The lines of a draft of a deposit anew, where its nature changes; null where only its clause does. */
export async function linesOfNature(
  ctx: Ctx,
  draft: InvoiceRow,
  { depositNature: nature }: Pick<InvoiceRow, 'depositNature'>,
): Promise<DocumentTotals | null> {
  if (nature === draft.depositNature || !draft.orderGuid) return null
  const order = await lockOrder(ctx, draft.orderGuid)
  const { language } = await ctx.db
    .selectFrom('parties')
    .select('language')
    .where('memberGuid', '=', draft.customerGuid)
    .executeTakeFirstOrThrow()
  const { rows, totals } = await depositRows(ctx, order, { cents: draft.totalCents, nature, language })
  await ctx.db.deleteFrom('invoiceLines').where('invoiceGuid', '=', draft.guid).execute()
  await insertLines(ctx, draft.guid, rows)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  return { subtotalCents, discountCents, gstCents, totalCents }
}

function refuse(path: string): never {
  throw new AppError(
    'VALIDATION_FAILED',
    'This invoice’s lines come from its order. Edit the order, then create the invoice again.',
    { fields: [{ path, message: 'Change this on the order.' }] },
  )
}

/** An editor sends what it shows: unchanged lines are no change. Deposit credits cannot be sent at all. */
function isSame(before: readonly InvoiceLineRow[], sent: readonly LineInput[]): boolean {
  const shown = before.filter((line) => line.kind !== 'deposit_credit' && line.parentLineGuid === null)
  if (shown.length !== sent.length) return false
  return shown.every((line, i) => {
    const now = sent[i]
    if (!now) return false
    const isSameText =
      now.guid === line.guid &&
      now.kind === line.kind &&
      now.name === line.name &&
      (now.description || null) === line.description
    return (
      isSameText &&
      (isText(line) ||
        (trimQuantity(now.quantity) === trimQuantity(line.quantity) &&
          now.unitPriceCents === line.unitPriceCents &&
          (line.kind === 'bundle' || now.gstCode === line.gstCode) &&
          isSameDiscount(now.discount, line.discount)))
    )
  })
}
