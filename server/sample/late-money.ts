import { addDays } from '../../contract/core/dates.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { basPeriodOf } from '../../contract/periods.ts'
import { payments } from '../payments/payments.service.ts'
import { play, type Stage } from './actors.ts'

/** Money that was found after its quarter was locked, and that nobody knows the job of: two things to look at. */
export async function makeLateMoney(stage: Stage, businessGuid: string, today: string): Promise<void> {
  const payer = await stage.deps.db
    .selectFrom('invoices as i')
    .innerJoin('parties as c', 'c.memberGuid', 'i.customerGuid')
    .select('i.customerGuid')
    .where('i.businessGuid', '=', businessGuid)
    .where('i.status', '=', 'issued')
    .orderBy('c.displayName', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!payer) return
  const lastQuarter = basPeriodOf(addDays(basPeriodOf(today, 'quarterly').from, -1), 'quarterly')
  await play(stage, paymentsApi.create, payments.create, {
    customerGuid: payer.customerGuid,
    method: 'bank_transfer',
    receivedOn: addDays(lastQuarter.from, -3),
    amountCents: 16_500,
    reference: 'Paid into the old account',
    allocations: [],
  })
}
