import type { ReactNode } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import type { ServiceOrder } from '../../contract/service.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock, TotalsRow } from '../lines/totals-block.tsx'
import { Letter } from './letter.tsx'
import { useServiceFormat } from './service-format.ts'

/** What stands in the letter, for its customer and for whoever writes it. */
export type LetterOrder = Pick<
  ServiceOrder,
  | 'number'
  | 'title'
  | 'customer'
  | 'createdAt'
  | 'scheduledOn'
  | 'siteLabel'
  | 'customerReference'
  | 'priceMode'
  | 'lines'
  | 'totals'
  | 'paidCents'
>

type LetterHead = Omit<LetterOrder, 'priceMode' | 'lines' | 'totals' | 'paidCents'>

/** The order itself, complete on paper. */
export function OrderLetter({
  order,
  business,
  isInset = false,
}: {
  order: LetterOrder
  business: PublicBusiness
  isInset?: boolean
}) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  return (
    <OrderSheet order={order} business={business} isInset={isInset}>
      <DocumentLines lines={order.lines} priceMode={order.priceMode} hasAllParts={isInset} format={f} />
      <TotalsBlock totals={order.totals}>
        {order.paidCents ? <TotalsRow label={t('service:order.paidSoFar')} cents={order.paidCents} /> : null}
      </TotalsBlock>
    </OrderSheet>
  )
}

/** The paper with what stands above the lines. */
export function OrderSheet({
  order,
  business,
  isInset,
  children,
}: {
  order: LetterHead
  business: PublicBusiness
  isInset: boolean
  children: ReactNode
}) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  return (
    <Letter
      isInset={isInset}
      business={business}
      kind={t('service:order.kind')}
      number={order.number}
      title={order.title}
      facts={[
        { label: t('service:facts.customer'), value: order.customer.name },
        { label: t('service:facts.date'), value: f.date(order.createdAt) },
        order.scheduledOn ? { label: t('service:facts.scheduled'), value: f.date(order.scheduledOn) } : null,
        order.siteLabel ? { label: t('service:facts.site'), value: order.siteLabel } : null,
        order.customerReference ? { label: t('service:facts.reference'), value: order.customerReference } : null,
      ]}
    >
      {children}
    </Letter>
  )
}
