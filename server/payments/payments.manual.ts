import { AppError, invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { accounts } from '../../contract/ledger.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import type { Ctx } from '../core/ctx.ts'
import { bookMoney } from './payments.booking.ts'
import { exceeds, mustTake } from './payments.card.ts'
import { dayOf, type LockedInvoice, lockVisibleInvoices, reservedOf } from './payments.queries.ts'

type Received = Input<typeof paymentsApi.create>
type Allocation = Received['allocations'][number]

/** Books money that came in by transfer, cash or cheque. Returns the guid of the payment. */
export async function recordPayment(ctx: Ctx, input: Received): Promise<string> {
  const { allocations, amountCents } = input
  checkSum(allocations, amountCents)
  const locked = await lockVisibleInvoices(ctx, allocations.map((a) => a.invoiceGuid))
  const invoices = new Map(locked.map((invoice) => [invoice.guid, invoice]))
  const first = allocations[0] && invoices.get(allocations[0].invoiceGuid)
  if (!first) throw invalid('allocations.0.invoiceGuid', 'There is no such invoice.')
  const reserved = await reservedOf(ctx.db, [...invoices.keys()])
  for (const [i, allocation] of allocations.entries()) checkAllocation(i, allocation, first, invoices.get(allocation.invoiceGuid), reserved.get(allocation.invoiceGuid) ?? 0)
  if (input.receivedOn > (await dayOf(ctx.db, first.businessGuid, ctx.now))) throw invalid('receivedOn', 'must not be in the future')
  const { guid } = await bookMoney(ctx, {
    businessGuid: first.businessGuid,
    customerGuid: first.customerGuid,
    method: input.method,
    amountCents,
    receivedOn: input.receivedOn,
    account: accounts.bank,
    reference: input.reference ?? null,
    note: input.note || null,
    allocations: allocations.toSorted((a, b) => (a.invoiceGuid < b.invoiceGuid ? -1 : 1)),
  })
  return guid
}

function checkSum(allocations: readonly Allocation[], amountCents: number) {
  const seen = new Set<string>()
  for (const [i, { invoiceGuid }] of allocations.entries()) {
    if (seen.has(invoiceGuid)) throw invalid(`allocations.${i}.invoiceGuid`, 'stands here twice')
    seen.add(invoiceGuid)
  }
  if (allocations.reduce((sum, a) => sum + a.cents, 0) > amountCents) throw invalid('allocations', 'must not come to more than the amount received')
}

function checkAllocation(i: number, { cents }: Allocation, first: LockedInvoice, invoice: LockedInvoice | undefined, reservedCents: number) {
  if (!invoice) throw invalid(`allocations.${i}.invoiceGuid`, 'There is no such invoice.')
  if (invoice.customerGuid !== first.customerGuid) throw invalid(`allocations.${i}.invoiceGuid`, 'belongs to another customer')
  mustTake(invoice)
  const problem = exceeds(invoice, reservedCents, cents)
  if (problem) throw new AppError('BALANCE_EXCEEDED', problem, { fields: [{ path: `allocations.${i}.cents`, message: problem }] })
}
