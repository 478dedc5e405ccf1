import { addDays } from '../../contract/core/dates.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { orders } from '../orders/orders.service.ts'
import { payments } from '../payments/payments.service.ts'
import { play, type Stage } from './actors.ts'

/** An order that was paid for in part before there was any invoice: all its GST counts with that money. */
export async function makePrepayments(stage: Stage, businessGuid: string, today: string): Promise<void> {
  const last = await stage.deps.db
    .selectFrom('orders')
    .select('customerGuid')
    .where('businessGuid', '=', businessGuid)
    .where('status', '=', 'completed')
    .orderBy('number', 'desc')
    .executeTakeFirst()
  if (!last) return
  const { customerGuid } = last
  const { order } = await play(stage, ordersApi.create, orders.create, {
    customerGuid,
    title: 'Temporary fencing for the school fete',
    lines: [
      { name: 'Fence panels, set up and taken down', kind: 'item', quantity: '48', unitPriceCents: 2_900 },
      { name: 'Delivery and pick-up', kind: 'labour', quantity: '1', unitPriceCents: 38_000 },
    ],
  })
  await play(stage, paymentsApi.create, payments.create, {
    customerGuid,
    orderGuid: order.guid,
    method: 'bank_transfer',
    receivedOn: addDays(today, -2),
    amountCents: 60_000,
    reference: order.number,
    allocations: [],
  })
}
