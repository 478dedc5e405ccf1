import { addDays } from '../../contract/core/dates.ts'
import { ordersApi } from '../../contract/orders.ts'
import { pathTo } from '../../contract/nouns.ts'
import { isEverywhere } from '../core/api/business.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { listAt, openOrderStatuses, type Dashboard } from './dashboard.ts'
import { Figure } from './figure.tsx'

const list = pathTo('Orders')
const daysSinceMonday = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** What is to be done, and what is done but not invoiced. */
export function WorkCard({ work, today }: { work: Dashboard['work']; today: string }) {
  const t = useT('dashboards')
  const f = useFormat()
  const mayList = useCan(ordersApi.list)
  const monday = addDays(today, -daysSinceMonday(today))
  const at = (filters: Record<string, string>) =>
    mayList ? listAt(list, { status: openOrderStatuses, ...filters }) : null
  return (
    <Card title={t('dashboards:work.title')}>
      <div className="figures">
        <Figure
          label={t('dashboards:work.today')}
          value={f.number(work.today)}
          to={at({ 'scheduledOn.gte': today, 'scheduledOn.lte': today })}
        />
        <Figure
          label={t('dashboards:work.week')}
          value={f.number(work.thisWeek)}
          to={at({ 'scheduledOn.gte': monday, 'scheduledOn.lte': addDays(monday, 6), sort: 'scheduledOn' })}
        />
        <Figure
          label={t('dashboards:work.unscheduled')}
          value={f.number(work.unscheduled)}
          tone={work.unscheduled ? 'warning' : 'success'}
          to={at({ schedule: 'unscheduled' })}
        />
        <Figure
          label={t('dashboards:work.toInvoice')}
          value={f.number(work.toInvoice.count)}
          tone={work.toInvoice.count ? 'warning' : 'success'}
          hint={work.toInvoice.count ? f.money(work.toInvoice.cents, true) : null}
          to={at({ status: 'completed,closed', invoiceStatus: 'to_invoice,partially_invoiced' })}
        />
      </div>
      <h3 className="board-heading">{t('dashboards:upcoming.title')}</h3>
      <Upcoming orders={work.upcoming} />
    </Card>
  )
}

/** The next pieces of work, the soonest first. */
function Upcoming({ orders }: { orders: Dashboard['work']['upcoming'] }) {
  const t = useT('dashboards')
  if (!orders.length) return <p className="muted no-margin">{t('dashboards:upcoming.none')}</p>
  return (
    <ul className="upcoming">
      {orders.map((order) => (
        <li key={order.guid}>
          <span className="upcoming-day tabular">
            <DateText value={order.scheduledOn} />
          </span>
          <span className="upcoming-text">
            <RecordLink noun="Orders" guid={order.guid} className="link">
              {order.title}
            </RecordLink>
            <span className="cell-sub">
              {unbroken(
                [order.number, order.customerName, ...(isEverywhere() ? [order.businessName] : [])].join(' · '),
              )}
            </span>
          </span>
          <StatusChip status={order.status} ns="orders" />
        </li>
      ))}
    </ul>
  )
}
