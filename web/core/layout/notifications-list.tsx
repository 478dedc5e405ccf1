import { pathOf, pathTo } from '../../../contract/nouns.ts'
import { places, refundRequests } from '../../../contract/places.ts'
import type { Notification, notificationsApi } from '../../../contract/notifications.ts'
import type { useRead } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useFormat } from '../i18n/format.ts'
import { phraseOr, useT } from '../i18n/i18n.ts'
import { DateText } from '../ui/date-text.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.ts'
import { AppLink } from '../ui/link.tsx'
import type { Tone } from '../ui/status-chip.tsx'
import { unbroken } from '../ui/unbroken.tsx'

const looks: Record<Notification['kind'], { icon: IconName; tone: Tone }> = {
  'quote.accepted': { icon: 'check', tone: 'success' },
  'quote.declined': { icon: 'close', tone: 'error' },
  'quote.changes_requested': { icon: 'edit', tone: 'warning' },
  'quote.commented': { icon: 'mail', tone: 'info' },
  'request.received': { icon: 'request', tone: 'info' },
  'series.failed': { icon: 'warning', tone: 'error' },
  'series.quote_unsent': { icon: 'mail', tone: 'warning' },
  'payment.received': { icon: 'cash', tone: 'success' },
  'payment.failed': { icon: 'card', tone: 'error' },
  'payment.disputed': { icon: 'card', tone: 'error' },
  'refund.awaits_approval': { icon: 'refund', tone: 'warning' },
  'refund.approved': { icon: 'refund', tone: 'success' },
  'refund.declined': { icon: 'refund', tone: 'error' },
  'charge.put_aside': { icon: 'card', tone: 'warning' },
  'attachment.infected': { icon: 'warning', tone: 'error' },
  'email_account.login_ended': { icon: 'mail', tone: 'error' },
  'email_account.broke': { icon: 'mail', tone: 'error' },
  'webhook.paused': { icon: 'link', tone: 'warning' },
  'message.failed': { icon: 'mail', tone: 'error' },
  'message.bounced': { icon: 'mail', tone: 'error' },
  'message.received': { icon: 'mail', tone: 'info' },
  'order.assigned': { icon: 'order', tone: 'primary' },
  'order.stage_ready': { icon: 'cash', tone: 'info' },
  'order.change_accepted': { icon: 'check', tone: 'success' },
  'order.change_declined': { icon: 'close', tone: 'error' },
  'action.told': { icon: 'event', tone: 'info' },
  'order.moved': { icon: 'order', tone: 'info' },
}

/** The newest notifications, each leading to its record. */
export function NotificationsList({
  of: { data, error, refetch },
  onOpen,
}: {
  of: ReturnType<typeof useRead<typeof notificationsApi.list>>
  onOpen: (item: Notification) => void
}) {
  const t = useT('shell', 'common')
  const text = useErrorText()
  if (error && !data)
    return (
      <div className="notifications-none">
        <p className="no-margin">{text(error)}</p>
        <button type="button" className="link" onClick={() => void refetch()}>
          {t('common:retry')}
        </button>
      </div>
    )
  if (!data) return <p className="notifications-none">{t('common:loading')}</p>
  if (!data.items.length) return <p className="notifications-none">{t('shell:notifications.none')}</p>
  return (
    <ul>
      {data.items.map((item) => (
        <li key={item.guid}>
          <Row item={item} onOpen={() => onOpen(item)} />
        </li>
      ))}
    </ul>
  )
}

/** Where it is read or, of a card payment that fits nothing here, decided. */
function placeOf({ kind, noun, recordGuid }: Notification) {
  if (kind === 'charge.put_aside') return pathOf('Payments', 'check')
  if (kind === 'refund.awaits_approval') return refundRequests.path
  if (noun === 'EmailAccounts' || noun === 'Webhooks') return pathOf(noun, 'list')
  const isAsked = kind === 'quote.changes_requested' || kind === 'quote.commented'
  const place = pathTo(noun as string, recordGuid) ?? pathTo(noun as string) ?? places.start
  return place + (isAsked ? '?tab=asks' : '')
}

/** What of it is told in a second line. */
function useNote() {
  const t = useT('shell')
  const { money } = useFormat()
  return ({ kind, values }: Notification) => {
    const { amountCents, number, customerName, reason, note } = values
    if (kind === 'charge.put_aside') {
      const amount = typeof amountCents === 'number' ? money(amountCents) : null
      return [amount, number, customerName].filter(Boolean).join(' · ')
    }
    if (kind === 'payment.disputed')
      return phraseOr(`shell:disputeReasons.${reason ?? null}`, t('shell:disputeReasons.general'))
    return note ?? reason
  }
}

function keyOf(kind: Notification['kind'], { deed, record }: Notification['values']): string {
  if (kind === 'order.moved') return `order_moved_${deed}`
  // What was told before records were named has none.
  if (kind === 'action.told' && record) return 'action_told_of'
  return kind.replace('.', '_')
}

function useSentence() {
  const t = useT('shell')
  const { money } = useFormat()
  return ({ kind, values }: Notification) => {
    const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? '']))
    // Of a payment, or the total of a quote.
    const cents = values.amountCents ?? values.totalCents
    const amount = typeof cents === 'number' ? money(cents) : ''
    return phraseOr(`shell:notify.${keyOf(kind, values)}`, t('shell:notifications.title'), { ...texts, amount })
  }
}

function Row({ item, onOpen }: { item: Notification; onOpen: () => void }) {
  const t = useT('shell')
  const sentence = useSentence()
  const { icon, tone } = looks[item.kind]
  const note = useNote()(item)
  return (
    <AppLink to={placeOf(item)} className="notification" onClick={onOpen}>
      <span className="notification-icon" data-tone={tone}>
        <Icon name={icon} size={18} />
      </span>
      <span className="notification-text">
        <span className={item.readAt ? '' : 'strong'}>{unbroken(sentence(item))}</span>
        {note ? <span className="notification-note prose">{unbroken(note)}</span> : null}
        <span className="muted small">
          <DateText value={item.createdAt} as="relative" />
        </span>
      </span>
      {item.readAt ? null : (
        <span className="notification-new">
          <span className="visually-hidden">{t('shell:notifications.unread')}</span>
        </span>
      )}
    </AppLink>
  )
}
