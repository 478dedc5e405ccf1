import { invoicesApi } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { refundRequestsApi } from '../../contract/refund-requests.ts'
import { invoices } from '../invoices/invoices.service.ts'
import { expireSome, payments, refundRequests } from '../payments/payments.service.ts'
import { type Crew, onStage, play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'

const dayMs = 86_400_000
/** What became of each: the days since it was asked for, and who it is for. */
const stories = [
  ['expired', 9, 1],
  ['declined', 6, 3],
  ['cancelled', 5, 5],
  ['approved', 3, 7],
  ['requested', 1, 9],
  ['requested', 1, 11],
] as const

/** The office asks for refunds beyond the limit; one of them came from the administrator, who can't approve it. */
export async function makeRefundRequests(stage: Stage, crew: Crew, { customers }: Ground): Promise<void> {
  for (const [i, [fate, days, index]] of stories.entries()) {
    const at = new Date(stage.at.getTime() - days * dayMs)
    const customer = customers[index]
    const cents = 180_000 + i * 11_000
    const { invoice: draft } = await play({ ...stage, at }, invoicesApi.create, invoices.create, {
      customerGuid: customer?.guid,
      title: 'Site hoarding, first stage',
      priceMode: 'inclusive',
      lines: [{ name: 'Site hoarding', unitPriceCents: cents }],
    })
    const issued = await play({ ...stage, at }, invoicesApi.issue, invoices.issue, {
      guid: draft.guid,
      version: draft.version,
    })
    const { payment } = await play({ ...stage, at }, paymentsApi.create, payments.create, {
      method: 'bank_transfer',
      receivedOn: issued.invoice.issueOn,
      amountCents: cents,
      allocations: [{ invoiceGuid: draft.guid, cents }],
    })
    const by = i === stories.length - 1 ? crew.admin : crew.office
    const { refund } = await play({ ...stage, at, by }, paymentsApi.refund, payments.refund, {
      paymentGuid: payment.guid,
      amountCents: cents - 40_000,
      reasonCode: fate === 'declined' ? 'goodwill' : 'cancelled',
      note: fate === 'declined' ? 'The customer asks for a discount.' : 'The second half of the site stays open.',
    })
    const later = new Date(at.getTime() + 5 * 3_600_000)
    const { guid } = refund
    if (fate === 'approved')
      await play({ ...stage, at: later, by: crew.admin }, refundRequestsApi.approve, refundRequests.approve, { guid })
    if (fate === 'declined')
      await play({ ...stage, at: later, by: crew.admin }, refundRequestsApi.decline, refundRequests.decline, {
        guid,
        reason: 'A discount was agreed in the quote already.',
      })
    if (fate === 'cancelled')
      await play({ ...stage, at: later, by }, refundRequestsApi.cancel, refundRequests.cancel, { guid })
  }
  await onStage(stage, (ctx) => expireSome(ctx, 100))
}
