import { invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { ordersApi } from '../../contract/orders.ts'
import { usualSupply } from '../../contract/supplies.ts'
import { nextNumber } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { notify } from '../core/notices.ts'
import { asJson, blankToNull, firstStamp, userName, userOf } from '../core/records.ts'
import { worksAt } from '../core/works-in.ts'
import { firstStatus } from '../customers/credit.service.ts'
import { checkParties } from '../customers/customers.service.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { attachAnswered } from '../documents/line-options.service.ts'
import { renewed } from '../documents/lines-below.service.ts'
import { asRow, checkProducts, isChoice, priceNew, repriceLines } from '../documents/lines.service.ts'
import { noRange } from '../documents/quantity-range.service.ts'
import { checkJobType } from '../job-types/job-types.service.ts'
import { openLink } from '../service-links/service-links.service.ts'
import { mustSeeAmounts, one } from './order.service.ts'
import { keepStages } from './stages.service.ts'
import { insertChecks, insertLines, type OrderRow, refreshState } from './orders.queries.ts'

type Api = typeof ordersApi

type Given = Pick<OrderRow, 'businessGuid' | 'title' | 'customerGuid' | 'priceMode' | 'roundingRule'> &
  Partial<
    Pick<
      OrderRow,
      | 'contactGuid'
      | 'siteGuid'
      | 'quoteGuid'
      | 'jobTypeGuid'
      | 'ownerGuid'
      | 'customerReference'
      | 'scheduledOn'
      | 'discount'
      | 'internalNotes'
      | 'assignedGuid'
      | 'contractCents'
      | 'supplyBasis'
    >
  >
type NewLines = Parameters<typeof insertLines>[2]

/** The number is taken as late as can be: its counter stays locked until the transaction ends. */
async function insert(
  ctx: Ctx,
  given: Given,
  rows: NewLines,
  totals: { subtotalCents: number; discountCents: number; gstCents: number; totalCents: number },
) {
  const guid = newGuid()
  const serviceGuid = await openLink(ctx, 'order', guid)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  const status = await firstStatus(ctx, { ...given, addsCents: totalCents, noun: 'order' })
  const number = await nextNumber(ctx.db, given.businessGuid, 'order')
  await ctx.db
    .insertInto('orders')
    .values({
      ...given,
      discount: asJson(given.discount),
      guid,
      number,
      status,
      confirmedAt: status === 'confirmed' ? ctx.now : null,
      subtotalCents,
      discountCents,
      gstCents,
      totalCents,
      ...firstStamp(ctx),
    })
    .execute()
  await insertLines(ctx.db, guid, rows)
  await attachAnswered(ctx, 'Orders', guid, rows)
  if (given.jobTypeGuid) await insertChecks(ctx.db, guid, given.jobTypeGuid)
  await refreshState(ctx.db, guid)
  ctx.audit({
    action: 'order.created',
    entity: 'Orders',
    guid,
    after: { number, title: given.title, totalCents, quoteGuid: given.quoteGuid ?? null },
  })
  return { guid, number, serviceGuid }
}

/** Work is given to somebody who works in its business, and so sees it. */
export async function checkAssigned(ctx: Ctx, businessGuid: string, userGuid: string | null | undefined) {
  if (!userGuid) return
  const person = await ctx.db
    .selectFrom('users')
    .select('guid')
    .where('guid', '=', userGuid)
    .where('status', '=', 'active')
    .where(worksAt(businessGuid))
    .executeTakeFirst()
  if (!person) throw invalid('assignedGuid', 'Choose an active user who works in this business.')
}

type Assigned = Pick<OrderRow, 'guid' | 'number' | 'title' | 'version'> & { assignedGuid?: string | null | undefined }

export async function tellAssigned(ctx: Ctx, { guid, number, title, version, assignedGuid }: Assigned) {
  if (!assignedGuid) return
  const { name } = await ctx.db
    .selectFrom('users')
    .select(userName('users').as('name'))
    .where('guid', '=', assignedGuid)
    .executeTakeFirstOrThrow()
  ctx.audit({ action: 'order.assigned', entity: 'Orders', guid, after: { number, title, name } })
  await notify(ctx, {
    kind: 'order.assigned',
    noun: 'Orders',
    recordGuid: guid,
    event: `order.assigned:${guid}:${version}`,
    values: { number, title },
    to: assignedGuid,
  })
}

export async function createOrder(ctx: Ctx, input: Input<Api['create']>) {
  mustSeeAmounts(ctx)
  const { business } = ctx
  const customerGuid = await checkParties(ctx, business.guid, input)
  await checkProducts(ctx, business.guid, input.lines)
  await checkAssigned(ctx, ctx.business.guid, input.assignedGuid)
  await checkJobType(ctx, input.jobTypeGuid)
  const { lines: _lines, ...rest } = input
  const { guid: businessGuid, gstRegistered } = business
  const priceMode = input.priceMode ?? business.defaultPriceMode
  const lines = await fromCatalogue(ctx, { businessGuid, gstRegistered, customerGuid, priceMode }, input.lines)
  const { pricing, rows, totals } = priceNew(business, { ...input, lines }, { withoutChoices: true })
  const given = {
    ...blankToNull({
      contactGuid: null,
      siteGuid: null,
      customerReference: null,
      scheduledOn: null,
      jobTypeGuid: null,
      internalNotes: null,
      assignedGuid: null,
      ...rest,
    }),
    ...pricing,
    customerGuid,
    businessGuid: business.guid,
    supplyBasis: usualSupply(rows, 0),
    ownerGuid: userOf(ctx),
  }
  const { guid, number } = await insert(ctx, given, rows, totals)
  await tellAssigned(ctx, { guid, number, title: given.title, version: 1, assignedGuid: given.assignedGuid })
  return one(ctx, guid)
}

/**
 * The order of an accepted quote: what the customer chose, at the prices he was offered. The
 * quote is locked by the caller.
 */
export async function createFromQuote(
  ctx: Ctx,
  quoteGuid: string,
): Promise<{ guid: string; number: string; serviceGuid: string }> {
  const quote = await ctx.db.selectFrom('quotes').selectAll().where('guid', '=', quoteGuid).executeTakeFirstOrThrow()
  const lines = await ctx.db
    .selectFrom('quoteLines')
    .selectAll()
    .where('quoteGuid', '=', quoteGuid)
    .orderBy('position')
    .execute()
  const counted = lines.filter((line) => !isChoice(line) || line.isSelected)
  const { lines: priced, totals } = repriceLines(counted, quote)
  const rows = renewed(priced).map(({ quoteGuid: _quote, originLineGuid: _origin, ...line }, i) => ({
    ...asRow(line),
    ...noRange,
    sourceLineGuid: priced[i]?.guid ?? null,
    position: i + 1,
    isOptional: false,
    alternativeGroup: null,
    isSelected: true,
  }))
  const {
    businessGuid,
    title,
    customerGuid,
    contactGuid,
    siteGuid,
    ownerGuid,
    priceMode,
    roundingRule,
    discount,
    internalNotes,
    jobTypeGuid,
  } = quote
  const order = await insert(
    ctx,
    {
      businessGuid,
      title,
      customerGuid,
      contactGuid,
      siteGuid,
      quoteGuid,
      ownerGuid: ownerGuid ?? userOf(ctx),
      priceMode,
      roundingRule,
      discount,
      internalNotes,
      jobTypeGuid,
      contractCents: totals.totalCents,
      supplyBasis: usualSupply(rows, quote.schedule?.length ?? 0),
    },
    rows,
    totals,
  )
  if (quote.schedule) await keepStages(ctx, order.guid, quote.schedule, totals.totalCents)
  return order
}
