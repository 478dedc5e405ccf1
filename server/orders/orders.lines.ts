import type { Selectable } from 'kysely'
import { AppError, conflict, type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import { trimQuantity, type LineInput } from '../../contract/lines.ts'
import type { Businesses } from '../core/db/schema-business.ts'
import type { Ctx } from '../core/ctx.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { attachAnswered } from '../documents/line-options.service.ts'
import { inputsOf } from '../documents/lines-below.service.ts'
import {
  checkProducts,
  priceLines,
  type CataloguedInput,
  type PricedLines,
  type Terms,
} from '../documents/lines.service.ts'
import { isRepriced, isSameDiscount } from '../documents/terms.service.ts'
import { hireWithin } from './hire.queries.ts'
import {
  invoicesOf,
  linesOnInvoices,
  orderLines,
  replaceLines,
  type OrderLineRow,
  type OrderRow,
} from './orders.queries.ts'
import { toUnits } from '../documents/quantities.service.ts'

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/**
 * Prices and saves the lines of an order as a whole, or prices those it has when only its terms
 * changed. What is invoiced stays.
 */
export async function saveLines(
  ctx: Ctx,
  business: Pick<Selectable<Businesses>, 'guid' | 'gstRegistered'>,
  order: OrderRow,
  terms: Terms,
  sent: readonly LineInput[] | undefined,
): Promise<PricedLines['totals'] | null> {
  const isOnNewTerms = isRepriced(terms, order)
  if (!sent && !isOnNewTerms) return null
  const before = await orderLines(ctx.db, order.guid)
  const begun = before.filter((line) => toUnits(line.quantityInvoiced) > 0n)
  if (begun.length > 0 && isOnNewTerms) refuseNewTerms(terms, order)
  const { guid: businessGuid, gstRegistered } = business
  const { customerGuid } = order
  const given = { businessGuid, gstRegistered, customerGuid, priceMode: terms.priceMode }
  const input = sent ? await fromCatalogue(ctx, given, sent, before) : inputsOf(before)
  const { rows, totals } = priceLines(input, {
    ...terms,
    gstRegistered: business.gstRegistered,
    known: new Set(before.map((line) => line.guid)),
    withoutChoices: true,
  })
  if (sent) {
    await checkProducts(ctx, business.guid, sent, new Set(before.flatMap((line) => line.productGuid ?? [])))
    refuseTakingAway(begun, input)
    await refuseHired(ctx, order, before, input)
    await refuseRemoval(ctx, order, before, rows)
  }
  const hired = await hireWithin(ctx.db, order.guid)
  const work = hired.lines.size === 0 ? totals : totalsWithout(hired.lines, input, terms, gstRegistered)
  await refuseLessThanInvoiced(ctx, order, work.totalCents)
  await replaceLines(ctx.db, order.guid, rows)
  await attachAnswered(ctx, 'Orders', order.guid, rows)
  return totals
}

function refuseNewTerms(terms: Terms, order: OrderRow): never {
  const path =
    terms.priceMode !== order.priceMode
      ? 'priceMode'
      : terms.roundingRule !== order.roundingRule
        ? 'roundingRule'
        : 'discount'
  throw new AppError('VALIDATION_FAILED', undefined, {
    fields: [{ path, message: 'Part of this order is invoiced, so this can’t be changed.' }],
  })
}

/** A line that is invoiced, in part or whole, keeps its price; its quantity cannot go below what is invoiced. */
function refuseTakingAway(begun: readonly OrderLineRow[], sent: readonly CataloguedInput[]) {
  const entered = begun.filter((line) => line.parentLineGuid === null)
  const fields = entered.flatMap((line): FieldError[] => {
    const i = sent.findIndex((s) => s.guid === line.guid)
    const now = sent[i]
    if (!now) return [{ path: 'lines', message: `“${line.name}” is already invoiced and can’t be removed.` }]
    if (toUnits(now.quantity) < toUnits(line.quantityInvoiced))
      return [
        {
          path: `lines.${i}.quantity`,
          message: `Enter ${trimQuantity(line.quantityInvoiced)} or more. That much is already invoiced.`,
        },
      ]
    if (now.unitPriceCents !== line.unitPriceCents)
      return [
        {
          path: `lines.${i}.unitPriceCents`,
          message: 'Part of this line is invoiced, so this can’t be changed. Add another line instead.',
        },
      ]
    if (!isSameDiscount(now.discount, line.discount))
      return [{ path: `lines.${i}.discount`, message: 'Part of this line is invoiced, so this can’t be changed.' }]
    if ((line.kind !== 'bundle' && !same(now.gstCode, line.gstCode)) || isText(now))
      return [{ path: `lines.${i}.gstCode`, message: 'Part of this line is invoiced, so this can’t be changed.' }]
    return []
  })
  refuseFields(fields)
}

/** A line that is on hire stays as it was agreed until it is back; one below another goes with that. */
async function refuseHired(
  ctx: Ctx,
  order: OrderRow,
  before: readonly OrderLineRow[],
  sent: readonly CataloguedInput[],
) {
  const { lines: hired } = await hireWithin(ctx.db, order.guid)
  const leading = new Set(
    before.filter(({ guid }) => hired.has(guid)).map(({ guid, parentLineGuid }) => parentLineGuid ?? guid),
  )
  refuseFields(
    before
      .filter(({ guid }) => leading.has(guid))
      .flatMap((line): FieldError[] => {
        const i = sent.findIndex((one) => one.guid === line.guid)
        const now = sent[i]
        if (!now) return [{ path: 'lines', message: `“${line.name}” is on hire and can’t be removed.` }]
        const message = 'This line is on hire, so this can’t be changed.'
        if (toUnits(now.quantity) !== toUnits(line.quantity)) return [{ path: `lines.${i}.quantity`, message }]
        if (now.unitPriceCents !== line.unitPriceCents) return [{ path: `lines.${i}.unitPriceCents`, message }]
        if (!isSameDiscount(now.discount, line.discount)) return [{ path: `lines.${i}.discount`, message }]
        if (!same(now.gstCode, line.gstCode)) return [{ path: `lines.${i}.gstCode`, message }]
        if (!same(now.hireFrom, line.hireFrom)) return [{ path: `lines.${i}.hireFrom`, message }]
        return same(now.hireTo, line.hireTo) ? [] : [{ path: `lines.${i}.hireTo`, message }]
      }),
  )
}

/** What an order comes to without what is billed as hire. */
export const totalsWithout = (
  hired: ReadonlySet<string>,
  input: readonly CataloguedInput[],
  terms: Terms,
  gstRegistered: boolean,
) => {
  const others = input.filter(({ guid }) => !guid || !hired.has(guid))
  return priceLines(others, { ...terms, gstRegistered, known: 'any', withoutChoices: true }).totals
}

/** Voided invoices and archived drafts still tell which line they were made of. */
export async function refuseRemoval(
  ctx: Ctx,
  order: OrderRow,
  before: readonly OrderLineRow[],
  rows: readonly { guid: string }[],
) {
  const kept = new Set(rows.map((line) => line.guid))
  const removed = before.filter((line) => !kept.has(line.guid))
  if (removed.length === 0) return
  const named = await linesOnInvoices(ctx.db, order.guid)
  const held = removed.filter((line) => named.has(line.guid))
  if (held.length > 0)
    throw new AppError('VALIDATION_FAILED', undefined, {
      fields: held.map((line) => ({
        path: 'lines',
        message: `“${line.name}” is on an invoice and can’t be removed. Set its price to zero instead.`,
      })),
    })
}

export async function refuseLessThanInvoiced(ctx: Ctx, order: OrderRow, totalCents: number) {
  const invoices = await invoicesOf(ctx.db, order.guid)
  const billed = invoices
    .filter((i) => i.kind !== 'deposit' && !i.isHire)
    .reduce((sum, i) => sum + i.totalCents + i.depositAppliedCents, 0)
  if (billed > 0 && totalCents < billed)
    throw conflict('The order total can’t be less than the amount already invoiced.')
}
