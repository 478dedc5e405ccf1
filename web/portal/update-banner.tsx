import type { PublicBusiness } from '../../contract/businesses.ts'
import { isCounterOffer } from '../../contract/negotiation.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Banner } from './parts.tsx'
import { openOffers, updateSince } from './requests.ts'
import { useServiceFormat } from './service-format.ts'

interface UpdateProps {
  /** The quote as the visitor read it last. */
  before: ServiceQuote
  quote: ServiceQuote
  business: PublicBusiness
  /** Something that the visitor did came too late. */
  isRefused: boolean
  onCompare: (revision: number) => void
  onSeen: () => void
}

/** What happened to the quote while it was read: a revision, an answer; nothing while there is nothing new. */
export function UpdateBanner({ before, quote, business, isRefused, onCompare, onSeen }: UpdateProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const update = updateSince(before, quote)
  if (!update) return <div className="service-updates" role="status" />
  const { revision, answered } = update
  const isComparable = quote.revisions.some((one) => one.revision === before.revision && one.revision < quote.revision)
  const total = f.money(quote.totals.totalCents)
  return (
    <div className="service-updates" role="status">
      <Banner
        key={quote.documentSha256}
        tone="warning"
        icon="info"
        title={t(isRefused ? 'service:quote.stale' : 'service:quote.revised.title')}
        takesFocus={isRefused}
      >
        {revision === null ? null : (
          <p>
            {t(isRefused ? 'service:quote.revised.refused' : 'service:quote.revised.text', {
              business: business.name,
              total,
            })}
          </p>
        )}
        {answered > 0 ? <p>{t('service:asks.answered', { business: business.name, count: answered })}</p> : null}
        <div className="row">
          {revision !== null && isComparable ? (
            <button type="button" className="link" onClick={() => onCompare(before.revision)}>
              {t('service:revisions.open')}
            </button>
          ) : null}
          <button type="button" className="link" onClick={onSeen}>
            {t('service:quote.revised.seen')}
          </button>
        </div>
      </Banner>
    </div>
  )
}

/** Why a quote can't be accepted while its requests are looked at. */
export function Waiting({ quote }: { quote: ServiceQuote }) {
  const t = useT('service')
  const isAgreed = quote.asks.some(
    (ask) =>
      isCounterOffer(ask) &&
      ask.revision === quote.revision &&
      (ask.answer?.outcome === 'agreed' || ask.answer?.outcome === 'countered'),
  )
  if (quote.status !== 'changes_requested') return null
  if (openOffers(quote).length > 0) return <p className="no-margin">{t('service:asks.looking')}</p>
  return isAgreed ? <p className="no-margin">{t('service:asks.preparing')}</p> : null
}
