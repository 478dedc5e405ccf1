import type { PublicBusiness } from '../../contract/businesses.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { servicePath } from '../../contract/places.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { Banner } from './parts.tsx'
import { useServiceFormat } from './service-format.ts'

interface BannerProps {
  quote: ServiceQuote
  business: PublicBusiness
  isFresh: boolean
  /** A message was sent that keeps nobody from accepting. */
  hasAsked: boolean
}

function Accepted({ quote, business, isFresh }: BannerProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const { acceptedBy, order, invoice } = quote
  const isOwing = invoice !== null && invoice.balanceCents > 0
  return (
    <Banner
      tone="success"
      icon="success"
      title={isFresh ? t('service:quote.accepted.thanks') : t('service:quote.accepted.title')}
      takesFocus={isFresh}
    >
      <p>
        {acceptedBy
          ? t('service:quote.accepted.by', { name: acceptedBy.name, at: f.dateTime(acceptedBy.at) })
          : t('service:quote.accepted.done')}
      </p>
      <p>
        {isOwing
          ? t('service:quote.accepted.payNext', { amount: f.money(invoice.balanceCents), business: business.name })
          : t('service:quote.accepted.next', { business: business.name })}
      </p>
      <div className="row no-print">
        {isOwing ? (
          <AppLink to={servicePath('invoice', invoice.serviceGuid)} className="button-link">
            <Icon name="card" size={18} />
            {t('service:quote.accepted.pay', { amount: f.money(invoice.balanceCents) })}
          </AppLink>
        ) : null}
        {invoice && !isOwing ? (
          <AppLink to={servicePath('invoice', invoice.serviceGuid)} className="button-link quiet">
            {t('service:quote.accepted.invoice', { number: invoice.number })}
          </AppLink>
        ) : null}
        {order ? (
          <AppLink to={servicePath('order', order.serviceGuid)} className="button-link quiet">
            {t('service:quote.accepted.order', { number: order.number })}
          </AppLink>
        ) : null}
      </div>
    </Banner>
  )
}

/** What stands between a quote and its acceptance, or what came of it; nothing while it is simply open. */
export function QuoteBanner(props: BannerProps) {
  const t = useT('service')
  const { quote, business, isFresh, hasAsked } = props
  const f = useServiceFormat(business.timeZone)
  const names = { business: business.name }
  const { status, changeRequest } = quote
  const asked = changeRequest ? (
    <>
      <p>{t('service:quote.asked.text', { ...names, at: f.dateTime(changeRequest.at) })}</p>
      <blockquote>{changeRequest.note}</blockquote>
    </>
  ) : null
  if (status === 'accepted' || status === 'converted') return <Accepted {...props} />
  if (status === 'declined') {
    return (
      <Banner tone="neutral" icon="close" title={t('service:quote.declined.title')} takesFocus={isFresh}>
        <p>{t('service:quote.declined.text', names)}</p>
      </Banner>
    )
  }
  if (status === 'cancelled') {
    return (
      <Banner tone="neutral" icon="stop" title={t('service:quote.cancelled.title')}>
        <p>{t('service:quote.cancelled.text', names)}</p>
      </Banner>
    )
  }
  if (status === 'expired') {
    return (
      <Banner
        tone="warning"
        icon="clock"
        title={t('service:quote.expired.title', { date: f.date(quote.validUntil) })}
        takesFocus={isFresh}
      >
        {asked ?? <p>{t(hasAsked ? 'service:asks.sentText' : 'service:quote.expired.text', names)}</p>}
      </Banner>
    )
  }
  if (status === 'changes_requested') {
    return (
      <Banner
        tone="info"
        icon="note"
        title={t(changeRequest ? 'service:quote.asked.title' : 'service:asks.sent')}
        takesFocus={isFresh}
      >
        {asked ?? <p>{t('service:asks.sentText', names)}</p>}
      </Banner>
    )
  }
  if (hasAsked)
    return (
      <Banner tone="info" icon="note" title={t('service:quote.asked.title')} takesFocus>
        <p>{t('service:asks.messageText', names)}</p>
      </Banner>
    )
  return null
}
