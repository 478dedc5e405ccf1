import type { AnyOrder } from '../../contract/orders.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DocumentBanner } from '../lines/document-banner.tsx'
import { WorkLines } from '../lines/work-lines.tsx'
import { OrderLetter, OrderSheet } from '../portal/order-letter.tsx'
import { OwnLetter } from '../portal/own-letter.tsx'

export function OrderDocument({ order }: { order: AnyOrder }) {
  const t = useT('orders', 'service')
  const head = {
    ...order,
    customer: { name: order.customer.displayName, language: 'en' as const },
    siteLabel: order.site?.label ?? null,
  }
  return (
    <>
      {order.statusReason ? (
        <DocumentBanner tone={order.status === 'cancelled' ? 'error' : 'warning'}>
          {t('orders:because', { reason: order.statusReason })}
        </DocumentBanner>
      ) : null}
      <OwnLetter of={order}>
        {(business) =>
          order.hasAmounts ? (
            <OrderLetter order={{ ...order, ...head, lines: order.lines, paidCents: 0 }} business={business} isInset />
          ) : (
            <OrderSheet order={head} business={business} isInset>
              <WorkLines lines={order.lines} />
            </OrderSheet>
          )
        }
      </OwnLetter>
    </>
  )
}
