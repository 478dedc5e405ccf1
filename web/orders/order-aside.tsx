import { businessesApi } from '../../contract/businesses.ts'
import type { AnyOrder, Order } from '../../contract/orders.ts'
import { useRead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { PaidAmount, RelatedCard, type RelatedItem } from '../lines/related-card.tsx'
import { ServiceLinkCard } from '../lines/service-link-card.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { StagesCard } from './stages-card.tsx'

/** Beside the order: money, states, the customer's page, what belongs to it. */
export function OrderRail({ order }: { order: AnyOrder }) {
  const t = useT('orders', 'lines', 'common')
  const related: RelatedItem[] = [
    ...(order.related.quote
      ? [
          {
            key: 'quote',
            kind: t('orders:quote'),
            label: order.related.quote.label,
            noun: 'Quotes',
            guid: order.related.quote.guid,
          },
        ]
      : []),
    ...order.related.invoices.map((invoice) => ({
      key: invoice.guid,
      kind: t('orders:invoice'),
      label: invoice.label,
      noun: 'Invoices',
      guid: invoice.guid,
      end: <StatusChip status={invoice.displayStatus} ns="invoices" />,
    })),
    ...order.related.payments.map((payment) => ({
      key: payment.guid,
      kind: payment.prepaidCents > 0 ? t('orders:prepayment') : t('orders:payment'),
      label: payment.label,
      noun: 'Payments',
      guid: payment.guid,
      end: <PaidAmount cents={payment.amountCents} isDisputed={payment.isDisputed} />,
    })),
    ...order.related.messages.map((message) => ({
      key: message.guid,
      kind: t('orders:message'),
      label: message.label,
      noun: 'Messages',
      guid: message.guid,
      end: <StatusChip status={message.status} ns="messages" />,
    })),
  ]
  return (
    <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
      {order.hasAmounts ? <Amounts order={order} /> : null}
      {order.hasAmounts && order.stages.length > 0 ? <StagesCard order={order} /> : null}
      <Card>
        <KeyValueList
          items={[
            {
              label: t('orders:customer'),
              value: (
                <RecordLink noun="Customers" guid={order.customerGuid}>
                  {order.customer.displayName}
                </RecordLink>
              ),
            },
            { label: t('orders:assignedTo'), value: order.assigned?.name, isHidden: !order.assigned },
            { label: t('common:jobType'), value: order.jobType?.label, isHidden: !order.jobType },
            {
              label: t('orders:scheduleStatus'),
              value: phraseOr(`orders:scheduleStatuses.${order.scheduleStatus}`, order.scheduleStatus),
            },
            {
              label: t('orders:invoiceStatus'),
              value: phraseOr(`orders:invoiceStatuses.${order.invoiceStatus}`, order.invoiceStatus),
              isHidden: !order.hasAmounts,
            },
            {
              label: t('orders:paymentStatus'),
              value: phraseOr(`orders:paymentStatuses.${order.paymentStatus}`, order.paymentStatus),
              isHidden: !order.hasAmounts,
            },
            { label: t('orders:internalNotes'), value: order.internalNotes, isHidden: !order.internalNotes },
          ]}
        />
      </Card>
      {order.hasAmounts && order.serviceUrl ? <ServiceLinkCard url={order.serviceUrl} seen="" /> : null}
      <RelatedCard title={t('orders:related')} items={related} empty={t('orders:nothingRelated')} />
    </div>
  )
}

function Amounts({ order: { status, totals, money, contractCents, supplyBasis } }: { order: Order }) {
  const t = useT('orders')
  const basis = useRead(businessesApi.current, {}).data?.business.gstBasis
  const isCancelled = status === 'cancelled'
  return (
    <Card title={t('orders:money')}>
      <KeyValueList
        items={[
          {
            label: t('orders:agreedFirst'),
            value: <Money cents={contractCents ?? 0} />,
            isHidden: contractCents === null || contractCents === totals.totalCents,
          },
          { label: t('orders:total'), value: <Money cents={totals.totalCents} /> },
          { label: t('orders:invoiced'), value: <Money cents={money.invoicedCents} /> },
          {
            label: t('orders:credited'),
            value: <Money cents={-money.creditedCents} />,
            isHidden: money.creditedCents === 0,
          },
          {
            label: t('orders:inDrafts'),
            value: <Money cents={money.draftedCents} />,
            isHidden: money.draftedCents === 0,
          },
          { label: t('orders:toInvoice'), value: <Money cents={money.toInvoiceCents} /> },
          { label: t('orders:paid'), value: <Money cents={money.paidCents} /> },
          {
            label: t('orders:prepaid'),
            value: <Money cents={money.prepaidCents} />,
            isHidden: money.prepaidCents === 0,
          },
          { label: t('orders:owing'), value: <Money cents={money.owingCents} /> },
          {
            label: t('orders:depositPaid'),
            value: <Money cents={money.depositPaidCents} />,
            isHidden: money.depositPaidCents === 0,
          },
          {
            label: t('orders:supply.counts'),
            value: t(`orders:supply.bases.${supplyBasis}`),
            isHidden: totals.gstCents === 0 || basis !== 'accrual',
          },
          {
            label: t('orders:supply.forward'),
            value: <Money cents={money.gstForwardCents} />,
            isHidden: money.gstForwardCents === 0,
          },
          {
            label: t('orders:creditable'),
            value: <Money cents={money.creditableCents} />,
            isHidden: !isCancelled || money.creditableCents === 0,
          },
          {
            label: t('orders:depositCredit'),
            value: <Money cents={money.depositCreditCents} />,
            isHidden: money.depositCreditCents === 0,
          },
        ]}
      />
    </Card>
  )
}
