import type { Order } from '../../contract/orders.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DocumentBanner } from '../lines/document-banner.tsx'
import { OrderLetter } from '../service/order-letter.tsx'
import { OwnLetter } from '../service/own-letter.tsx'

export function OrderDocument({ order }: { order: Order }) {
  const t = useT('orders', 'service')
  return (
    <>
      {order.statusReason ? <DocumentBanner tone={order.status === 'cancelled' ? 'error' : 'warning'}>{t('orders:because', { reason: order.statusReason })}</DocumentBanner> : null}
      <OwnLetter>{(business) => <OrderLetter order={{ ...order, customer: { name: order.customer.displayName, language: 'en' }, siteLabel: order.site?.label ?? null, paidCents: 0 }} business={business} isInset />}</OwnLetter>
    </>
  )
}
