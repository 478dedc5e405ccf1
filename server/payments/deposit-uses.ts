import type { depositsApi } from '../../contract/deposits.ts'
import { AppError, conflict, invalid, invalidTransition } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { accounts } from '../../contract/ledger.ts'
import type { Ctx } from '../core/ctx.ts'
import { findKeeper } from '../core/family.ts'
import { forfeit, heldOf, lockSecurity, showInvoice, stampSecurity } from '../invoices/invoices.service.ts'
import { allocationOf, bookMoney } from './payments.booking.ts'
import { exceeds, mustTake } from './payments.card.ts'
import { dayOf, lockInvoices, lockVisibleInvoices, reservedOf } from './payments.queries.ts'

type Api = typeof depositsApi
type Deposit = Awaited<ReturnType<typeof lockSecurity>>

/** Lets a security deposit pay an invoice, or keeps a part of it for good. */
export async function useDeposit(ctx: Ctx, input: Input<Api['use']>): Promise<Output<Api['use']>> {
  const { guid, action, cents, invoiceGuid, reason } = input
  if (action === 'apply' && !invoiceGuid) throw invalid('invoiceGuid', 'Choose an invoice.')
  if (action === 'apply' && reason) throw invalid('reason', 'Only what is forfeited has a reason.')
  if (action === 'forfeit' && invoiceGuid) throw invalid('invoiceGuid', 'What is forfeited pays no other invoice.')
  if (action === 'forfeit' && !reason?.trim()) throw invalid('reason', 'Say why you keep it.')
  const deposit = await lockSecurity(ctx, input, () => showInvoice(ctx, guid))
  await mustHold(ctx, deposit, cents)
  if (invoiceGuid) await apply(ctx, deposit, invoiceGuid, cents)
  else await keep(ctx, deposit, cents, reason?.trim() ?? '')
  await stampSecurity(ctx, deposit)
  return showInvoice(ctx, guid)
}

/** Only what was received, and is neither used nor on its way back. */
async function mustHold(ctx: Ctx, deposit: Deposit, cents: number) {
  if (deposit.depositNature !== 'security' || deposit.kind !== 'deposit')
    throw invalidTransition('Only a security deposit is held. Part payments are credited on later invoices.')
  if (deposit.status === 'void') throw invalidTransition(`Deposit request ${deposit.number} is void.`)
  if (deposit.status !== 'issued') throw invalidTransition('Issue the deposit request first.')
  const held = await heldOf(ctx.db, deposit.guid)
  if (held === 0) throw conflict('Nothing of this deposit is held.')
  if (cents > held) throw invalid('cents', `Enter $${centsToDecimal(held)} or less, the deposit held.`)
}

async function apply(ctx: Ctx, deposit: Deposit, invoiceGuid: string, cents: number) {
  const [invoice] = await lockVisibleInvoices(ctx, [invoiceGuid])
  if (!invoice) throw invalid('invoiceGuid', 'We can’t find that invoice.')
  if (invoice.familyGuid !== (await findKeeper(ctx.db, deposit.customerGuid)))
    throw invalid('invoiceGuid', 'This belongs to another customer.')
  if (invoice.entityGuid !== deposit.entityGuid) throw invalid('invoiceGuid', 'This belongs to another company.')
  if (invoice.depositNature === 'security') throw invalid('invoiceGuid', 'A deposit can’t pay a security deposit.')
  mustTake(invoice)
  const reserved = (await reservedOf(ctx.db, [invoice.guid])).get(invoice.guid) ?? 0
  const problem = exceeds({ balanceCents: invoice.balanceCents + invoice.writtenOffCents }, reserved, cents)
  if (problem) throw new AppError('BALANCE_EXCEEDED', problem, { fields: [{ path: 'cents', message: problem }] })
  await bookMoney(ctx, { ...(await outOf(ctx, deposit, cents)), allocations: [allocationOf(invoice, cents)] })
  ctx.audit({
    action: 'deposit.applied',
    entity: 'Invoices',
    guid: deposit.guid,
    after: { number: deposit.number, amountCents: cents, name: invoice.number },
  })
}

/** The tax invoice and what pays it are one entry: Dr 2250, Cr 4000 and 2100. */
async function keep(ctx: Ctx, deposit: Deposit, cents: number, reason: string) {
  const money = await outOf(ctx, deposit, cents)
  const made = await forfeit(ctx, deposit, { cents, reason }, async (guid) => {
    const [invoice] = await lockInvoices(ctx.db, [guid])
    if (!invoice) throw conflict('This was changed meanwhile.')
    await bookMoney(ctx, { ...money, isPosted: true, allocations: [allocationOf(invoice, cents)] })
  })
  ctx.audit({
    action: 'deposit.forfeited',
    entity: 'Invoices',
    guid: deposit.guid,
    after: { number: deposit.number, amountCents: cents, reason, name: made.number },
  })
}

const outOf = async (ctx: Ctx, { guid, businessGuid, customerGuid, number }: Deposit, cents: number) => ({
  ...{ businessGuid, customerGuid },
  depositGuid: guid,
  method: 'account_credit',
  amountCents: cents,
  receivedOn: await dayOf(ctx.db, businessGuid, ctx.now),
  reference: number,
  account: accounts.securityDeposits,
})
