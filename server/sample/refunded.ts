import { paymentsApi } from '../../contract/payments.ts'
import { refundRequestsApi } from '../../contract/refund-requests.ts'
import { payments, refundRequests } from '../payments/payments.service.ts'
import { type Crew, play, type Stage } from './actors.ts'

/** Gives money back; what is beyond the limit the administrator approves at once. */
export async function refunded(stage: Stage, crew: Crew, wish: Record<string, unknown>): Promise<void> {
  const { refund } = await play(stage, paymentsApi.refund, payments.refund, wish)
  if (refund.status !== 'requested') return
  const { guid } = refund
  await play({ ...stage, by: crew.admin }, refundRequestsApi.approve, refundRequests.approve, { guid })
}
