import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Timeline } from '../core/ui/timeline.tsx'
import { timelineItems } from '../timeline/record-timeline.tsx'
import type { Dashboard } from './dashboard.ts'

/** The pages of the nouns the activity is about; refunds are shown with their payments, whose guid is not known here. */
const pages: Record<string, string> = { Customers: '/apps/customers/preview', Products: '/apps/products/preview', Quotes: '/apps/quotes/preview', Orders: '/apps/orders/preview', Invoices: '/apps/invoices/preview', Payments: '/apps/payments/preview' }

/** What happened last, each opening its record. */
export function ActivityCard({ activity }: { activity: Dashboard['activity'] }) {
  const t = useT('dashboards', 'timeline')
  const f = useFormat()
  const items = timelineItems(activity, f, { guest: t('timeline:byGuest'), system: t('timeline:bySystem') })
  const linked = items.map((item, index) => {
    const entry = activity[index]
    const page = entry ? pages[entry.noun] : undefined
    return page && entry?.guid ? { ...item, title: <AppLink to={`${page}/${entry.guid}`} className="activity-link">{item.title}</AppLink> } : item
  })
  return (
    <Card title={t('dashboards:activity.title')}>
      <Timeline items={linked} />
    </Card>
  )
}
