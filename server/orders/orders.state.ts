import { displayStatus } from '../../contract/display-status.ts'
import type { Order } from '../../contract/orders.ts'
import { isUnissued } from '../../contract/invoice-transitions.ts'
import type { FoundRun } from './hire.queries.ts'
import type { OrderInvoice } from './orders.queries.ts'

const sum = (invoices: readonly OrderInvoice[], amount: (i: OrderInvoice) => number) =>
  invoices.reduce((total, i) => total + amount(i), 0)

/**
 * What running hires are billed beyond what the order's total has of them: until such a hire ends the total waits, and
 * nothing else on the order is less to invoice for it.
 */
const beyondPlan = (hire: readonly Pick<FoundRun, 'isSettled' | 'invoicedCents' | 'countedCents'>[]) =>
  hire
    .filter(({ isSettled }) => !isSettled)
    .reduce((cents, run) => cents + Math.max(run.invoicedCents - run.countedCents, 0), 0)

/** What is only held bills nothing of an order. */
const billing = (invoices: readonly OrderInvoice[]) => invoices.filter((i) => i.depositNature === 'part_payment')

/** What was billed, paid and credited on an order's invoices. */
export function moneyOf(
  totalCents: number,
  all: readonly OrderInvoice[],
  payments: readonly Pick<Order['related']['payments'][number], 'prepaidCents'>[],
  hire: Parameters<typeof beyondPlan>[0],
  gstForwardCents: number,
): Order['money'] {
  const invoices = billing(all)
  const live = invoices.filter((i) => i.status !== 'void' && i.kind !== 'adjustment_note')
  const issued = live.filter((i) => !isUnissued(i.status))
  const drafts = live.filter((i) => isUnissued(i.status))
  const deposits = issued.filter((i) => i.kind === 'deposit')
  const work = live.filter((i) => i.kind !== 'deposit')
  const takenBack = invoices.filter((i) => i.status !== 'void' && i.kind === 'adjustment_note' && i.isHire)
  const depositCreditCents = Math.max(
    sum(deposits, (i) => i.totalCents - i.creditedCents) - sum(live, (i) => i.depositAppliedCents),
    0,
  )
  return {
    invoicedCents: sum(issued, (i) => i.totalCents),
    creditedCents: sum(issued, (i) => i.creditedCents),
    paidCents: sum(issued, (i) => i.paidCents - i.refundedCents),
    owingCents: sum(issued, (i) => i.balanceCents),
    prepaidCents: payments.reduce((total, payment) => total + payment.prepaidCents, 0),
    gstForwardCents,
    // A deposit that was given back is to be invoiced again; what hire came to too much is not of the total.
    toInvoiceCents: Math.max(
      totalCents +
        beyondPlan(hire) +
        sum(takenBack, (i) => i.totalCents) -
        sum(work, (i) => i.totalCents + i.depositAppliedCents) -
        depositCreditCents,
      0,
    ),
    draftedCents: sum(drafts, (i) => i.totalCents),
    depositPaidCents: sum(deposits, (i) => i.paidCents - i.refundedCents),
    depositCreditCents,
    creditableCents: sum(
      issued.filter((i) => i.status === 'issued'),
      (i) => i.totalCents - i.creditedCents,
    ),
  }
}

/** Overpaid is an order on whose invoices more is paid, and not given back, than it comes to. */
export function paymentStatusOf(
  order: { status: Order['status']; invoiceStatus: Order['invoiceStatus']; totalCents: number },
  money: Order['money'],
  invoices: readonly OrderInvoice[],
): Order['paymentStatus'] {
  const live = billing(invoices).filter((i) => i.status !== 'void' && i.kind !== 'adjustment_note')
  if (money.paidCents <= 0) return live.some((i) => i.refundedCents > 0) ? 'refunded' : 'not_paid'
  if (money.paidCents > order.totalCents) return 'overpaid'
  if (live.some((i) => i.refundedCents > 0)) return 'partially_refunded'
  const isAllBilled =
    order.status === 'cancelled' || order.invoiceStatus === 'invoiced' || order.invoiceStatus === 'over_invoiced'
  if (isAllBilled && money.owingCents === 0 && live.every((i) => !isUnissued(i.status))) return 'paid'
  const isDepositOnly = money.depositPaidCents === money.paidCents
  return isDepositOnly && live.every((i) => i.kind !== 'deposit' || i.balanceCents === 0)
    ? 'deposit_paid'
    : 'partially_paid'
}

export function scheduleStatusOf(
  order: { status: Order['status']; scheduledOn: string | null },
  today: string,
): Order['scheduleStatus'] {
  if (order.status === 'completed' || order.status === 'closed') return 'done'
  if (order.scheduledOn === null || order.status === 'cancelled') return 'unscheduled'
  if (order.scheduledOn === today) return 'today'
  return order.scheduledOn < today ? 'late' : 'scheduled'
}

export const relatedInvoices = (invoices: readonly OrderInvoice[], today: string): Order['related']['invoices'] =>
  invoices.map((i) => ({
    guid: i.guid,
    label: i.number ?? 'Draft',
    kind: i.kind,
    displayStatus: displayStatus('Invoices', i, today),
    totalCents: i.totalCents,
    balanceCents: i.balanceCents,
  }))
