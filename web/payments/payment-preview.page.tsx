import { paymentsApi, type Payment } from '../../contract/payments.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import '../record/record.css'
import { Allocations, PaymentFacts, Refunds } from './payment-details.tsx'
import type { RefundTarget } from './refund-targets.ts'

const AllocateDialog = whenOpen(() => import('./credit-dialogs.tsx').then((module) => module.AllocateDialog))
const ReverseDialog = whenOpen(() => import('./credit-dialogs.tsx').then((module) => module.ReverseDialog))
const RefundDialog = whenOpen(() => import('./refund-dialog.tsx').then((module) => module.RefundDialog))

export function Page() {
  const guid = useGuid()
  const read = useRead(paymentsApi.get, { guid })
  return <Loaded of={read}>{({ payment }) => <Preview payment={payment} />}</Loaded>
}

/** Each invoice it paid, and what was paid too much. */
function targetsOf(payment: Payment, creditLabel: string): RefundTarget[] {
  const common = { method: payment.method, paymentGuid: payment.guid }
  return [
    ...payment.allocations.map(({ invoiceGuid, invoiceNumber, refundableCents }) => ({
      ...common,
      key: invoiceGuid,
      label: invoiceNumber ?? payment.number,
      invoiceGuid,
      invoiceNumber: invoiceNumber ?? '',
      maxCents: refundableCents,
    })),
    {
      ...common,
      key: 'credit',
      label: creditLabel,
      invoiceGuid: null,
      invoiceNumber: '',
      maxCents: payment.unallocatedCents,
    },
  ]
}

function Preview({ payment }: { payment: Payment }) {
  const t = useT('payments', 'lines', 'common')
  const isReversed = payment.status === 'reversed'
  const hasRefunds = payment.refunds.length > 0 || payment.requests.length > 0
  const reversalRefusal = isReversed ? t('payments:why.reversed') : hasRefunds ? t('payments:why.hasRefunds') : null
  const refusal = isReversed
    ? t('payments:why.reversed')
    : payment.status === 'disputed'
      ? t('payments:why.disputed')
      : payment.status === 'refunded'
        ? t('payments:why.refunded')
        : null
  return (
    <RecordFrame
      noun="Payments"
      title={payment.number}
      subtitle={payment.customerName}
      badge={<StatusChip status={payment.status} ns="payments" />}
      listLabel={t('payments:list.title')}
      actions={[
        {
          key: 'refund',
          op: paymentsApi.refund,
          label: t('payments:refund.title'),
          icon: 'refund',
          place: 'light',
          refusal,
        },
        {
          key: 'allocate',
          op: paymentsApi.allocate,
          label: t('payments:allocate.menu'),
          icon: 'cash',
          refusal: payment.unallocatedCents > 0 ? null : t('payments:why.noCredit'),
        },
        {
          key: 'reverse',
          op: paymentsApi.reverse,
          label: t('payments:reverse.menu'),
          icon: 'undo',
          refusal: reversalRefusal,
        },
      ]}
      record={payment}
      deeds={{
        refund: {
          dialog: (close) => (
            <RefundDialog
              targets={targetsOf(payment, t('payments:credit'))}
              targetLabel={t('payments:refund.of')}
              onClose={close}
            />
          ),
        },
        allocate: { dialog: (close) => <AllocateDialog payment={payment} onClose={close} /> },
        reverse: { dialog: (close) => <ReverseDialog payment={payment} onClose={close} /> },
      }}
    >
      <div className="with-rail">
        <div className="stack cards">
          <Card title={t('payments:allocations')}>
            <Allocations payment={payment} />
          </Card>
          <Card title={t('payments:refunds')}>
            <Refunds payment={payment} />
          </Card>
        </div>
        <div>
          <Card title={t('payments:one.title')}>
            <PaymentFacts payment={payment} />
          </Card>
        </div>
      </div>
    </RecordFrame>
  )
}
