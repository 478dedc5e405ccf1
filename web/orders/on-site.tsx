import type { AnyOrder } from '../../contract/orders.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import './orders.css'

const mapOf = (address: string) => `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`
/** What a phone dials: digits, and the plus of a country before them. */
const dialled = (phone: string) => `tel:${phone.replaceAll(/[^\d+]/g, '')}`

/** Where the work is and whom to call: what somebody on the way there needs. */
export function OnSite({ order: { site, contact, customer, crewNote } }: { order: AnyOrder }) {
  const t = useT('orders')
  const phone = contact?.phone ?? customer.phone
  // A household is where it lives.
  const place = site?.label ?? customer.address
  if (!place && !phone && !crewNote) return null
  return (
    <section className="card on-site no-print" aria-label={t('orders:onSite')}>
      {place ? (
        <a className="on-site-link" href={mapOf(place)} target="_blank" rel="noreferrer">
          <Icon name="place" size={22} />
          <span>
            <span className="muted small block">{t('orders:openMap')}</span>
            <bdi className="on-site-text">{place}</bdi>
          </span>
        </a>
      ) : null}
      {phone ? (
        <a className="on-site-link" href={dialled(phone)}>
          <Icon name="phone" size={22} />
          <span>
            <span className="muted small block">
              {t('orders:call', { name: contact?.phone ? contact.name : customer.displayName })}
            </span>
            <bdi className="on-site-text nowrap">{phone}</bdi>
          </span>
        </a>
      ) : null}
      {crewNote ? (
        <div className="on-site-note">
          <Icon name="job" size={22} />
          <span>
            <span className="muted small block">{t('orders:crewNote')}</span>
            <span className="pre-line" dir="auto">
              {crewNote}
            </span>
          </span>
        </div>
      ) : null}
    </section>
  )
}
