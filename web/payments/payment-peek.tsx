import { paymentsApi } from '../../contract/payments.ts'
import { useRead } from '../core/api/hooks.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { Allocations, PaymentFacts, Refunds } from './payment-details.tsx'

/** A payment at a glance, without leaving the list. */
export function PaymentPeek({ guid }: { guid: string }) {
  const read = useRead(paymentsApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ payment }) => (
        <div className="stack">
          <div>
            <StatusChip status={payment.status} ns="payments" />
          </div>
          <PaymentFacts payment={payment} />
          <Allocations payment={payment} />
          {payment.refunds.length ? <Refunds payment={payment} /> : null}
        </div>
      )}
    </Loaded>
  )
}
