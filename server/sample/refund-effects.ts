import { invoicesApi } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { invoices } from '../invoices/invoices.service.ts'
import { payments } from '../payments/payments.service.ts'
import { type Crew, play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'
import { refunded } from './refunded.ts'

const dayMs = 86_400_000
/** The same $110.00 of $1,100.00, given back for two reasons; the second goes to a bank account. */
const refunds = [
  {
    customer: 2,
    title: 'Temporary fencing, two weeks',
    wish: { effect: 'price_reduced', reasonCode: 'price_adjustment', note: 'One day less than planned.' },
  },
  {
    customer: 4,
    title: 'Site screens, two weeks',
    wish: {
      effect: 'money_back',
      reasonCode: 'duplicate',
      note: 'Their accounts sent $110.00 that was meant for somebody else.',
      method: 'bank',
      payee: { accountName: 'Accounts payable', bsb: '062-000', accountNumber: '10203040' },
    },
  },
]

/** Money that went back: once the price was lowered, once the invoice owes it again. */
export async function makeRefundEffects(stage: Stage, crew: Crew, { customers }: Ground): Promise<void> {
  for (const { customer, title, wish } of refunds) {
    const earlier = { ...stage, at: new Date(stage.at.getTime() - 4 * dayMs) }
    const { invoice: draft } = await play(earlier, invoicesApi.create, invoices.create, {
      customerGuid: customers[customer]?.guid,
      title,
      priceMode: 'inclusive',
      lines: [{ name: title, unitPriceCents: 110_000 }],
    })
    const { guid, version } = draft
    const { invoice } = await play(earlier, invoicesApi.issue, invoices.issue, { guid, version })
    const { payment } = await play(earlier, paymentsApi.create, payments.create, {
      method: 'bank_transfer',
      receivedOn: invoice.issueOn,
      amountCents: 110_000,
      reference: invoice.number,
      allocations: [{ invoiceGuid: guid, cents: 110_000 }],
    })
    await refunded(stage, crew, { paymentGuid: payment.guid, amountCents: 11_000, ...wish })
  }
}
