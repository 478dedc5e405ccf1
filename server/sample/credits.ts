import { addDays } from '../../contract/core/dates.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { payments } from '../payments/payments.service.ts'
import { play, type Stage } from './actors.ts'

/** Money that paid nothing at first, money that still pays nothing, and a direct debit that bounced. */
export async function makeCredits(stage: Stage, businessGuid: string, today: string): Promise<void> {
  const open = await stage.deps.db
    .selectFrom('invoices')
    .select(['guid', 'customerGuid', 'balanceCents', 'number'])
    .where('businessGuid', '=', businessGuid)
    .where('status', '=', 'issued')
    .where('kind', '=', 'standard')
    .where('balanceCents', '>', 30_000)
    .where('dueOn', '>', today)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('paymentAttempts as t')
            .select('t.guid')
            .whereRef('t.invoiceGuid', '=', 'invoices.guid')
            .where('t.status', 'in', ['processing', 'requires_action']),
        ),
      ),
    )
    .orderBy('number')
    .limit(3)
    .execute()
  const [advance, applied, bounced] = open
  if (!advance || !applied || !bounced) return
  const receivedOn = addDays(today, -3)
  await play(stage, paymentsApi.create, payments.create, {
    customerGuid: advance.customerGuid,
    method: 'bank_transfer',
    receivedOn,
    amountCents: 50_000,
    reference: 'For the next job',
    allocations: [],
  })
  const { payment } = await play(stage, paymentsApi.create, payments.create, {
    customerGuid: applied.customerGuid,
    method: 'bank_transfer',
    receivedOn,
    amountCents: 30_000,
    reference: 'Part payment',
    allocations: [],
  })
  await play(stage, paymentsApi.allocate, payments.allocate, {
    guid: payment.guid,
    allocations: [{ invoiceGuid: applied.guid, cents: 25_000 }],
  })
  const debit = await play(stage, paymentsApi.create, payments.create, {
    method: 'direct_debit',
    receivedOn,
    amountCents: bounced.balanceCents,
    reference: bounced.number,
    allocations: [{ invoiceGuid: bounced.guid, cents: bounced.balanceCents }],
  })
  await play(stage, paymentsApi.reverse, payments.reverse, {
    guid: debit.payment.guid,
    reason: 'dishonoured',
    on: today,
    note: 'Account closed, says the bank.',
  })
}
