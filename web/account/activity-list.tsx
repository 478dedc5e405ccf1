import type { ActivityEntry } from '../../contract/activity.ts'
import { useFormat, type Format } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { Timeline } from '../core/ui/timeline.tsx'
import type { Tone } from '../core/ui/status-chip.tsx'

/** Where a record is looked at, by the noun of the line. */
const places: Record<string, string> = {
  Quotes: '/apps/quotes/preview/',
  Orders: '/apps/orders/preview/',
  Invoices: '/apps/invoices/preview/',
  Payments: '/apps/payments/preview/',
  Customers: '/apps/customers/preview/',
  Products: '/apps/products/preview/',
  Messages: '/apps/messages/preview/',
  Businesses: '/setup/businesses/view/',
  Roles: '/setup/roles/edit/',
  Users: '/apps/users/view/',
}

const flat = (what: string) => what.replaceAll(/[.-]/g, '_')
const readable = (what: string) => what.replaceAll(/[._-]/g, ' ').replace(/^\w/, (first) => first.toUpperCase())

/** The sentence of one line: one of its own, one of the timelines, or at least readable words. */
export function activityTitle({ what, noun, values }: ActivityEntry, f: Format): string {
  const amount = values['amountCents'] ?? values['totalCents']
  const filled = Object.fromEntries(Object.entries({ ...values, amount: typeof amount === 'number' ? f.money(amount) : '' }).map(([key, value]) => [key, value ?? '']))
  const other = phraseOr(`timeline:what.${what}`, phraseOr(`account:did.${flat(`${noun}.${what}`)}`, readable(what), filled), filled)
  return phraseOr(`account:did.${flat(what)}`, other, filled)
}

/** Which record it was, where the sentence does not say so. */
const recordOf = ({ values }: ActivityEntry, title: string) => ['number', 'name', 'title', 'subject'].map((key) => values[key]).find((value) => typeof value === 'string' && value !== '' && !title.includes(value))

const toneOf = (what: string): Tone => (/fail|disable|declin|void|off$/.test(what) ? 'error' : /login|logout|session|try|tried/.test(what) ? 'neutral' : /accept|receiv|complet|on$/.test(what) ? 'success' : 'primary')

/** What a person did, the newest first; `names` says who did it, where that is not always the same. */
export function ActivityList({ items, hasNames = false }: { items: readonly ActivityEntry[]; hasNames?: boolean }) {
  const t = useT('timeline', 'account', 'common')
  const f = useFormat()
  return (
    <Timeline
      items={items.map((entry, index) => {
        const title = activityTitle(entry, f)
        const place = places[entry.noun]
        return {
          key: `${entry.at} ${index}`,
          at: entry.at,
          title: place && entry.guid ? <AppLink to={place + entry.guid}>{title}</AppLink> : title,
          by: hasNames ? (entry.by ?? t('timeline:bySystem')) : undefined,
          detail: recordOf(entry, title),
          tone: toneOf(entry.what),
        }
      })}
    />
  )
}
