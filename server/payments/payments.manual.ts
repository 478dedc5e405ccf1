import { localDay } from '../../contract/core/dates.ts'
import { AppError, invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { accounts } from '../../contract/ledger.ts'
import { mayBePrepaid } from '../../contract/order-actions.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx } from '../core/ctx.ts'
import { findKeeper } from '../core/family.ts'
import { writeOffDifference } from '../invoices/invoice-books.service.ts'
import { firstUnlockedDay } from '../journal/locks.service.ts'
import { filterReadableReferences, readableReference } from '../row-scope/row-scope.service.ts'
import { allocationOf, bookMoney } from './payments.booking.ts'
import { exceeds, mustTake } from './payments.card.ts'
import {
  entityOf,
  legalNameOf,
  type LockedInvoice,
  lockVisibleInvoices,
  orderFor,
  reservedOf,
} from './payments.queries.ts'

type Received = Input<typeof paymentsApi.create>
type Allocation = Received['allocations'][number]

/** Books money that came in by transfer, cash or cheque. Returns the guid of the payment. */
export async function recordPayment(ctx: Ctx, input: Received): Promise<string> {
  const { allocations, amountCents, receivedOn } = input
  checkSum(allocations, amountCents)
  const invoices = await lockAllocated(ctx, allocations)
  const payer = await payerOf(ctx, input, invoices)
  const reserved = await reservedOf(ctx.db, [...invoices.keys()])
  await checkEntity(ctx, allocations, payer, invoices)
  if (input.orderGuid !== undefined) await checkOrder(ctx, input.orderGuid, payer)
  for (const [i, allocation] of allocations.entries())
    checkAllocation(
      i,
      allocation,
      payer,
      invoices.get(allocation.invoiceGuid),
      reserved.get(allocation.invoiceGuid) ?? 0,
    )
  await checkDay(ctx, payer.businessGuid, receivedOn)
  const { guid } = await bookMoney(ctx, {
    businessGuid: payer.businessGuid,
    customerGuid: payer.customerGuid,
    orderGuid: input.orderGuid ?? null,
    method: input.method,
    amountCents,
    receivedOn,
    account: accounts.bank,
    reference: input.reference ?? null,
    note: input.note || null,
    allocations: allocations
      .flatMap((one) => {
        const invoice = invoices.get(one.invoiceGuid)
        return invoice ? [allocationOf(invoice, one.cents)] : []
      })
      .toSorted((a, b) => (a.invoiceGuid < b.invoiceGuid ? -1 : 1)),
  })
  for (const [i, { invoiceGuid, writeOffCents: cents }] of allocations.entries())
    if (cents)
      await writeOffDifference(ctx, {
        invoiceGuid,
        cents,
        on: await firstUnlockedDay(ctx, payer.businessGuid, receivedOn),
        paymentGuid: guid,
        path: `allocations.${i}.writeOffCents`,
      })
  return guid
}

async function lockAllocated(ctx: Ctx, allocations: readonly Allocation[]): Promise<Map<string, LockedInvoice>> {
  if (allocations.length === 0) return new Map()
  const locked = await lockVisibleInvoices(
    ctx,
    allocations.map((a) => a.invoiceGuid),
  )
  // Who may record payments pays the invoices that he may see, no others.
  const seen = await filterReadableReferences(ctx, 'Invoices', locked)
  return new Map(seen.map((invoice) => [invoice.guid, invoice]))
}

type Payer = Pick<LockedInvoice, 'businessGuid' | 'entityGuid' | 'customerGuid' | 'familyGuid'>

/** Whose money it is: the customer's who is named, else the one's whose invoices it pays. */
async function payerOf(
  ctx: Ctx,
  { allocations, customerGuid }: Received,
  invoices: ReadonlyMap<string, LockedInvoice>,
): Promise<Payer> {
  const first = allocations[0] && invoices.get(allocations[0].invoiceGuid)
  if (allocations.length > 0 && !first) throw invalid('allocations.0.invoiceGuid', 'We can’t find that invoice.')
  if (first && (customerGuid === undefined || (await findKeeper(ctx.db, customerGuid)) === first.familyGuid))
    return first
  if (first) throw invalid('allocations.0.invoiceGuid', 'This belongs to another customer.')
  if (customerGuid === undefined) throw invalid('customerGuid', 'This field is required.')
  const asked = await ctx.db
    .selectFrom('parties')
    .select(['guid', 'businessGuid'])
    .where('memberGuid', '=', customerGuid)
    .executeTakeFirst()
  const customer = await readableReference(ctx, 'Customers', asked ?? null)
  if (!customer) throw invalid('customerGuid', 'Choose a customer.')
  const { guid: businessGuid, entityGuid } = await takerOf(ctx, customer.businessGuid)
  return { businessGuid, entityGuid, customerGuid: customer.guid, familyGuid: customer.guid }
}

/** Who takes money that pays no invoice: the business of the call, where it works with the customer. */
async function takerOf(ctx: Ctx, pool: string): Promise<Pick<BusinessRow, 'guid' | 'entityGuid'>> {
  const { business, actor } = ctx
  if (business.customersOf === pool) return business
  if (actor.kind === 'user' && actor.worksIn && !actor.worksIn.guid.includes(pool))
    throw invalid('customerGuid', 'Choose a customer.')
  return { guid: pool, entityGuid: await entityOf(ctx.db, pool) }
}

/** Money goes to one legal entity: it pays nothing that is owed to another one. */
async function checkEntity(
  ctx: Ctx,
  allocations: readonly Allocation[],
  payer: Payer,
  invoices: ReadonlyMap<string, LockedInvoice>,
) {
  const at = allocations.findIndex(({ invoiceGuid }) => {
    const invoice = invoices.get(invoiceGuid)
    return invoice !== undefined && invoice.entityGuid !== payer.entityGuid
  })
  const other = invoices.get(allocations[at]?.invoiceGuid ?? '')
  if (!other) return
  const name = await legalNameOf(ctx.db, other.entityGuid)
  throw invalid(`allocations.${at}.invoiceGuid`, `This invoice is ${name}’s. Record a separate payment for it.`)
}

/** A prepayment is for an open order of the payer, to the legal entity that takes the money. */
async function checkOrder(ctx: Ctx, orderGuid: string, payer: Payer) {
  const asked = await orderFor(ctx.db, orderGuid)
  const order = await readableReference(ctx, 'Orders', asked ?? null)
  if (!order) throw invalid('orderGuid', 'We can’t find that order.')
  if (order.familyGuid !== payer.familyGuid) throw invalid('orderGuid', 'This belongs to another customer.')
  if (order.entityGuid !== payer.entityGuid) {
    const name = await legalNameOf(ctx.db, order.entityGuid)
    throw invalid('orderGuid', `This order is ${name}’s. Record a separate payment for it.`)
  }
  if (order.archivedAt !== null || !mayBePrepaid(order.status)) throw invalid('orderGuid', 'Choose an open order.')
}

async function checkDay(ctx: Ctx, businessGuid: string, receivedOn: string) {
  const { timeZone, beganOn } = await ctx.db
    .selectFrom('businesses')
    .select(['timeZone', 'beganOn'])
    .where('guid', '=', businessGuid)
    .executeTakeFirstOrThrow()
  if (receivedOn > localDay(ctx.now.toISOString(), timeZone))
    throw invalid('receivedOn', 'Choose today or an earlier date.')
  if (receivedOn < beganOn) throw invalid('receivedOn', `Choose ${beganOn} or later, when your books begin.`)
}

function checkSum(allocations: readonly Allocation[], amountCents: number) {
  const seen = new Set<string>()
  for (const [i, { invoiceGuid }] of allocations.entries()) {
    if (seen.has(invoiceGuid)) throw invalid(`allocations.${i}.invoiceGuid`, 'This is listed twice.')
    seen.add(invoiceGuid)
  }
  if (allocations.reduce((sum, a) => sum + a.cents, 0) > amountCents)
    throw invalid('allocations', 'Allocate no more than the amount received.')
}

function checkAllocation(
  i: number,
  { cents }: Allocation,
  payer: Payer,
  invoice: LockedInvoice | undefined,
  reservedCents: number,
) {
  if (!invoice) throw invalid(`allocations.${i}.invoiceGuid`, 'We can’t find that invoice.')
  if (invoice.familyGuid !== payer.familyGuid)
    throw invalid(`allocations.${i}.invoiceGuid`, 'This belongs to another customer.')
  mustTake(invoice)
  // What was written off is owed again as far as it is paid after all.
  const problem = exceeds({ balanceCents: invoice.balanceCents + invoice.writtenOffCents }, reservedCents, cents)
  if (problem)
    throw new AppError('BALANCE_EXCEEDED', problem, { fields: [{ path: `allocations.${i}.cents`, message: problem }] })
}
