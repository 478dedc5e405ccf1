import { invalid } from '../../contract/core/errors.ts'
import type { CustomerInput, CustomerTerms } from '../../contract/customers.ts'
import type { Ctx } from '../core/ctx.ts'
import { filterReadableReferences } from '../row-scope/row-scope.service.ts'
import { blankToNull, changed } from '../core/records.ts'

/** As they are kept: without the name of the list. */
type KeptTerms = Omit<CustomerTerms, 'priceList'>
type Sent = Pick<Partial<CustomerInput>, 'paymentTermsDays' | 'terms'>

const none: KeptTerms = {
  termsDays: null,
  limitCents: null,
  isOnHold: false,
  holdReason: null,
  discountBp: 0,
  priceListGuid: null,
}

/** The terms a business has with a customer who is kept; without a row those of the business, without limit. */
async function termsFor(ctx: Ctx, customerGuid: string, businessGuid: string): Promise<KeptTerms> {
  const row = await ctx.db
    .selectFrom('customerTerms')
    .select(['termsDays', 'limitCents', 'isOnHold', 'holdReason', 'discountBp', 'priceListGuid'])
    .where('customerGuid', '=', customerGuid)
    .where('businessGuid', '=', businessGuid)
    .executeTakeFirst()
  return row ?? none
}

/** What was sent of the terms, in one shape. */
function sentTerms({ paymentTermsDays, terms }: Sent): Partial<KeptTerms> {
  const given = blankToNull(terms ?? {})
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return paymentTermsDays === undefined ? sent : { ...sent, termsDays: paymentTermsDays }
}

/** A list of the catalogue the business works with, which the caller may see. */
async function checkList(ctx: Ctx, guid: string) {
  const found = await ctx.db
    .selectFrom('priceLists')
    .select('guid')
    .where('guid', '=', guid)
    .where('businessGuid', '=', ctx.business.catalogueOf)
    .where('archivedAt', 'is', null)
    .execute()
  const [known] = await filterReadableReferences(ctx, 'PriceLists', found)
  if (!known) throw invalid('terms.priceListGuid', 'Choose a price list.')
}

/** Saves the terms of the business the call works for; gives what differs, for the log. */
export async function saveTerms(ctx: Ctx, customerGuid: string, input: Sent) {
  const sent = sentTerms(input)
  if (Object.keys(sent).length === 0) return { before: {}, after: {} }
  const businessGuid = ctx.business.guid
  const before = await termsFor(ctx, customerGuid, businessGuid)
  const after: KeptTerms = {
    ...before,
    ...sent,
    discountBp: sent.discountBp === undefined ? before.discountBp : (sent.discountBp ?? 0),
  }
  // Who is taken off hold is on hold for no reason any more.
  if (!after.isOnHold) {
    if (sent.holdReason) throw invalid('terms.holdReason', 'Give a reason only with a hold.')
    after.holdReason = null
  }
  if (after.priceListGuid !== null && after.priceListGuid !== before.priceListGuid)
    await checkList(ctx, after.priceListGuid)
  const difference = changed(before, after)
  if (Object.keys(difference.after).length === 0) return difference
  await ctx.db
    .insertInto('customerTerms')
    .values({ customerGuid, businessGuid, ...after })
    .onConflict((conflict) => conflict.columns(['customerGuid', 'businessGuid']).doUpdateSet({ ...after }))
    .execute()
  return difference
}
