import { AppError, conflict, invalid, notFound } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { accounts } from '../../contract/ledger.ts'
import { mayBePrepaid } from '../../contract/order-actions.ts'
import { type CreditUse, proposedUses } from '../../contract/credit-uses.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import { type Ctx, withCtx } from '../core/ctx.ts'
import { findKeeper } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { firstUnlockedDay } from '../journal/locks.service.ts'
import { postEntry } from '../journal/journal.service.ts'
import { filterReadableReferences } from '../row-scope/row-scope.service.ts'
import {
  type CreditedPayment,
  creditsOf,
  hasRefunds,
  insertReversal,
  lockPayments,
  owingOf,
  type Standing,
  standingOf,
} from './allocations.queries.ts'
import { freeOf, mirror, takePart } from './freeing.ts'
import { addPosted, allocationOf, later } from './payments.booking.ts'
import { exceeds, mustTake } from './payments.card.ts'
import { dayOf, type LockedInvoice, lockVisibleInvoices, reservedOf } from './payments.queries.ts'
import { mustSeePayment, showPayment } from './payments.read.ts'
import { givenBack } from './refunds.queries.ts'

type Api = typeof paymentsApi

/** Lets the credit of one payment pay invoices of its customer. */
export async function allocateCredit(ctx: Ctx, input: Input<Api['allocate']>): Promise<Output<Api['allocate']>> {
  await mustSeePayment(ctx, input.guid)
  const uses = input.allocations.map((one) => ({ ...one, paymentGuid: input.guid }))
  await spendCredit(ctx, uses, input.on)
  return shown(ctx, input.guid)
}

const shown = async (ctx: Ctx, guid: string) => ({ payment: await showPayment(withCtx(ctx, { rows: 'all' }), guid) })

/** Lets all credit of a customer pay what is owing: as it is told, else oldest money and oldest due first. */
export async function applyCredit(ctx: Ctx, input: Input<Api['applyCredit']>): Promise<Output<Api['applyCredit']>> {
  const customerGuid = await findKeeper(ctx.db, input.guid)
  const [customer] = customerGuid ? await filterReadableReferences(ctx, 'Customers', [{ guid: customerGuid }]) : []
  if (!customer) throw notFound()
  const of = { entityGuid: ctx.business.entityGuid, customerGuid: customer.guid }
  const found = await creditsOf(ctx, of)
  const credits = found.map(({ orderStatus, ...credit }) => ({
    ...credit,
    isKept: credit.orderGuid !== null && orderStatus !== null && mayBePrepaid(orderStatus),
  }))
  const owing = await owingOf(ctx, of)
  const reserved = await reservedOf(
    ctx.db,
    owing.map((invoice) => invoice.guid),
  )
  const free = owing.map(({ guid, number, dueOn, orderGuid, balanceCents }) => ({
    ...{ guid, number: number ?? '', dueOn, orderGuid },
    cents: Math.max(balanceCents - (reserved.get(guid) ?? 0), 0),
  }))
  const uses = input.allocations ?? proposedUses(credits, free)
  for (const [i, use] of uses.entries())
    if (!credits.some((credit) => credit.guid === use.paymentGuid))
      throw invalid(`allocations.${i}.paymentGuid`, 'This payment has no credit left.')
  if (uses.length === 0) {
    const keeps = free.some((one) => one.cents > 0) ? credits.find(({ isKept }) => isKept) : undefined
    if (keeps) throw conflict(`What is left is a prepayment of order ${keeps.orderNumber}. Allocate it by hand.`)
    throw conflict(credits.length === 0 ? 'There is no credit to apply.' : 'Nothing is owing.')
  }
  if (!input.dryRun) await spendCredit(ctx, uses, input.on)
  const used = uses.reduce((sum, use) => sum + use.cents, 0)
  const numbers = new Map(owing.map((invoice) => [invoice.guid, invoice.number ?? '']))
  return {
    allocations: uses.map((use) => ({ ...use, invoiceNumber: numbers.get(use.invoiceGuid) ?? '' })),
    leftCents: credits.reduce((sum, credit) => sum + credit.cents, 0) - used,
    credits,
    invoices: free.filter(({ cents }) => cents > 0),
  }
}

/** Invoices are locked before payments, each in guid order. */
async function spendCredit(ctx: Ctx, uses: readonly CreditUse[], wishedOn: string | undefined): Promise<void> {
  const locked = await lockVisibleInvoices(
    ctx,
    uses.map((use) => use.invoiceGuid),
  )
  const seen = await filterReadableReferences(ctx, 'Invoices', locked)
  const invoices = new Map(seen.map((invoice) => [invoice.guid, invoice]))
  const reserved = await reservedOf(ctx.db, [...invoices.keys()])
  const payments = new Map(
    (
      await lockPayments(
        ctx.db,
        uses.map((use) => use.paymentGuid),
      )
    ).map((payment) => [payment.guid, payment]),
  )
  const used = new Map<string, number>()
  const add = (guid: string, cents: number) => used.set(guid, (used.get(guid) ?? 0) + cents).get(guid) ?? 0
  for (const [i, use] of uses.entries()) {
    const [payment, invoice] = [payments.get(use.paymentGuid), invoices.get(use.invoiceGuid)]
    if (!payment) throw notFound()
    if (payment.isReversed) throw conflict('This payment is already reversed.')
    const path = `allocations.${i}`
    if (!invoice) throw invalid(`${path}.invoiceGuid`, 'We can’t find that invoice.')
    await mustFit(ctx, payment, invoice, path)
    if (add(payment.guid, use.cents) > payment.creditCents)
      throw invalid(`${path}.cents`, `Up to $${centsToDecimal(Math.max(payment.creditCents, 0))} can be allocated.`)
    const left = { balanceCents: invoice.balanceCents + invoice.writtenOffCents }
    const problem = exceeds(left, reserved.get(invoice.guid) ?? 0, add(invoice.guid, use.cents))
    if (problem)
      throw new AppError('BALANCE_EXCEEDED', problem, { fields: [{ path: `${path}.cents`, message: problem }] })
  }
  for (const use of uses) {
    const [payment, invoice] = [payments.get(use.paymentGuid), invoices.get(use.invoiceGuid)]
    if (payment && invoice) await applyOne(ctx, payment, invoice, use.cents, wishedOn)
    // A second part for the same invoice finds less owing.
    if (invoice) invoice.balanceCents = Math.max(invoice.balanceCents - use.cents, 0)
  }
}

async function mustFit(ctx: Ctx, payment: CreditedPayment, invoice: LockedInvoice, path: string) {
  if (invoice.familyGuid !== (await findKeeper(ctx.db, payment.customerGuid)))
    throw invalid(`${path}.invoiceGuid`, 'This belongs to another customer.')
  if (invoice.entityGuid !== payment.entityGuid)
    throw invalid(`${path}.invoiceGuid`, 'A payment can’t pay invoices of two companies. Record one for each.')
  mustTake(invoice)
}

async function applyOne(
  ctx: Ctx,
  payment: CreditedPayment,
  invoice: LockedInvoice,
  cents: number,
  wishedOn: string | undefined,
) {
  const today = await dayOf(ctx.db, payment.businessGuid, ctx.now)
  if (wishedOn !== undefined && wishedOn > today) throw invalid('on', 'Choose today or an earlier date.')
  const day = later(later(wishedOn ?? today, payment.receivedOn), invoice.issueOn)
  const on = await firstUnlockedDay(ctx, payment.businessGuid, day)
  await addPosted(ctx, payment, allocationOf(invoice, cents), on)
  tellMoved(ctx, 'allocated', payment, invoice.guid, cents)
}

export function tellMoved(
  ctx: Ctx,
  what: 'allocated' | 'unallocated',
  { guid, number }: Pick<CreditedPayment, 'guid' | 'number'>,
  invoiceGuid: string,
  amountCents: number,
) {
  const after = { number, amountCents }
  ctx.audit({ action: `payment.${what}`, entity: 'Payments', guid, after })
  ctx.audit({ action: `payment.${what}`, entity: 'Invoices', guid: invoiceGuid, after })
}

/** Takes a payment off an invoice, or a part of it: the whole is mirrored, what stays is added anew on the same day. */
export async function takeOff(ctx: Ctx, input: Input<Api['unallocate']>): Promise<Output<Api['unallocate']>> {
  await mustSeePayment(ctx, input.guid)
  const before = (await standingOf(ctx.db, input.guid)).find((one) => one.guid === input.allocationGuid)
  if (!before) throw invalid('allocationGuid', 'This is already taken off the invoice.')
  const [invoice] = await lockVisibleInvoices(ctx, [before.invoiceGuid])
  if (!invoice) throw notFound()
  const payment = await lockOne(ctx, input.guid)
  if (payment.depositGuid)
    throw conflict('This came from a deposit. Reverse the payment instead, and it is held again.')
  const standing = (await standingOf(ctx.db, input.guid)).find((one) => one.guid === input.allocationGuid)
  if (!standing) throw invalid('allocationGuid', 'This is already taken off the invoice.')
  const cents = await freeCentsOf(ctx, payment, invoice, standing, input.cents)
  const on = await firstUnlockedDay(ctx, payment.businessGuid, standing.effectiveOn)
  await takePart(ctx, payment, standing, { cents, on, issueOn: invoice.issueOn })
  tellMoved(ctx, 'unallocated', payment, invoice.guid, cents)
  return shown(ctx, payment.guid)
}

/** What is taken off of an allocation: all of it, or what was asked for, and never what was refunded of it. */
async function freeCentsOf(
  ctx: Ctx,
  payment: CreditedPayment,
  invoice: LockedInvoice,
  { guid, cents }: Standing,
  wished: number | undefined,
): Promise<number> {
  const back = (await givenBack(ctx.db, payment.guid)).get(invoice.guid) ?? 0
  const standing = (await standingOf(ctx.db, payment.guid)).filter((one) => one.invoiceGuid === invoice.guid)
  const free = freeOf(standing, back).find((one) => one.guid === guid)?.freeCents ?? 0
  if (free === 0)
    throw conflict(`What this payment paid of invoice ${invoice.number} was refunded, so it can’t be taken off.`)
  const most = `$${centsToDecimal(free)}`
  if ((wished ?? 0) > free)
    throw invalid(
      'cents',
      free < cents ? `Enter ${most} or less. The rest is already refunded.` : `Enter $${centsToDecimal(free)} or less.`,
    )
  return wished ?? free
}

async function lockOne(ctx: Ctx, guid: string): Promise<CreditedPayment> {
  const [payment] = await lockPayments(ctx.db, [guid])
  if (!payment) throw notFound()
  if (payment.isReversed) throw conflict('This payment is already reversed.')
  return payment
}

/** Takes a payment back that turned out not to be one: what it paid is owed again, and GST stays as it was invoiced. */
export async function reversePayment(ctx: Ctx, input: Input<Api['reverse']>): Promise<Output<Api['reverse']>> {
  await mustSeePayment(ctx, input.guid)
  const before = await standingOf(ctx.db, input.guid)
  // A deposit that was applied is held again.
  const { depositGuid } = await ctx.db
    .selectFrom('payments')
    .select('depositGuid')
    .where('guid', '=', input.guid)
    .executeTakeFirstOrThrow()
  const touched = [...before, ...(depositGuid ? [{ invoiceGuid: depositGuid }] : [])]
  const invoices = touched.length > 0 ? await lockInvoicesOf(ctx, touched) : new Set<string>()
  const payment = await lockOne(ctx, input.guid)
  await mustReverse(ctx, payment, input)
  const standing = await standingOf(ctx.db, input.guid)
  if (standing.some((one) => !invoices.has(one.invoiceGuid)))
    throw conflict('This was changed meanwhile. Look at the payment again.')
  const { on, reason } = input
  for (const one of standing) await mirror(ctx, payment, one, later(on, one.effectiveOn))
  const guid = newGuid()
  await insertReversal(ctx.db, {
    guid,
    paymentGuid: payment.guid,
    reasonCode: reason,
    reversedOn: on,
    note: input.note || null,
    createdAt: ctx.now,
    createdBy: userOf(ctx),
  })
  const { businessGuid, customerGuid, amountCents, number } = payment
  await postEntry(ctx, {
    businessGuid,
    source: 'payment_reversal',
    sourceGuid: guid,
    postedOn: on,
    narrative: `Payment ${number} reversed`,
    lines: [
      { account: accounts.customerCredit, debitCents: amountCents, customerGuid },
      { account: layOn(payment), creditCents: amountCents, ...(payment.depositGuid ? { customerGuid } : {}) },
    ],
  })
  const after = { number, amountCents, reason, note: input.note || null }
  ctx.audit({ action: 'payment.reversed', entity: 'Payments', guid: payment.guid, after })
  for (const invoiceGuid of invoices)
    ctx.audit({ action: 'payment.reversed', entity: 'Invoices', guid: invoiceGuid, after })
  return shown(ctx, payment.guid)
}

/** Where the money of a payment lies. */
const layOn = ({ depositGuid, provider }: CreditedPayment) =>
  depositGuid ? accounts.securityDeposits : provider ? accounts.cardClearing : accounts.bank

async function lockInvoicesOf(ctx: Ctx, standing: readonly Pick<Standing, 'invoiceGuid'>[]): Promise<Set<string>> {
  const guids = [...new Set(standing.map((one) => one.invoiceGuid))]
  const locked = await lockVisibleInvoices(ctx, guids)
  if (locked.length < guids.length) throw notFound()
  if (locked.some((invoice) => invoice.forfeitsGuid && standing.some((one) => one.invoiceGuid === invoice.guid)))
    throw conflict('This was forfeited and is billed. Refund it instead.')
  return new Set(guids)
}

async function mustReverse(ctx: Ctx, payment: CreditedPayment, { on, reason }: Input<Api['reverse']>) {
  if (payment.provider && reason !== 'disputed')
    throw conflict('A card payment can only be reversed when the bank took it back. Refund it instead.')
  if (payment.depositGuid && reason !== 'wrong_entry')
    throw conflict('Money of a deposit can only be taken back when it was applied by mistake.')
  if (await hasRefunds(ctx.db, payment.guid))
    throw conflict('Refunds were made from this payment, so it can’t be reversed.')
  if (on > (await dayOf(ctx.db, payment.businessGuid, ctx.now))) throw invalid('on', 'Choose today or an earlier date.')
  if (on < payment.receivedOn) throw invalid('on', 'Choose the day the payment was received, or later.')
}
