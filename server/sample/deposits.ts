import { depositsApi } from '../../contract/deposits.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { invoices, orderInvoicing } from '../invoices/invoices.service.ts'
import { orders } from '../orders/orders.service.ts'
import { depositUses, payments } from '../payments/payments.service.ts'
import { play, type Stage } from './actors.ts'

const clause =
  'We keep this deposit, or the part that covers our loss, if the equipment comes back late, damaged or incomplete.'

/** Two bonds for equipment: one is held, of the other a part was kept for damage and the rest is still to go back. */
export async function makeDeposits(
  stage: Stage,
  customers: readonly { guid: string; siteGuids: string[] }[],
  today: string,
): Promise<void> {
  const jobs = [
    { title: 'Mobile scaffold, three weeks', cents: 50_000, keptCents: 0 },
    { title: 'Traffic barriers, two weeks', cents: 80_000, keptCents: 22_000 },
  ]
  for (const [i, { title, cents, keptCents }] of jobs.entries()) {
    const customer = customers[i + 2]
    if (!customer) return
    const { order } = await play(stage, ordersApi.create, orders.create, {
      customerGuid: customer.guid,
      siteGuid: customer.siteGuids[0] ?? null,
      title,
      lines: [{ name: title, quantity: '1', unitPriceCents: 820_000 }],
    })
    const made = await play(stage, ordersApi.invoice, orderInvoicing.invoice, {
      guid: order.guid,
      version: order.version,
      kind: 'deposit',
      cents,
      depositNature: 'security',
      forfeitureClause: clause,
    })
    const { guid } = made.invoice
    const { invoice } = await play(stage, invoicesApi.issue, invoices.issue, { guid, version: 1 })
    await play(stage, paymentsApi.create, payments.create, {
      method: 'bank_transfer',
      receivedOn: today,
      amountCents: cents,
      reference: invoice.number,
      allocations: [{ invoiceGuid: guid, cents }],
    })
    if (keptCents > 0)
      await play(stage, depositsApi.use, depositUses.use, {
        guid,
        version: invoice.version,
        action: 'forfeit',
        cents: keptCents,
        reason: 'Two barriers came back broken',
      })
  }
}
