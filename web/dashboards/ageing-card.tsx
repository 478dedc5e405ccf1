import { addDays } from '../../contract/core/dates.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { listAt, owingStatuses, type Dashboard } from './dashboard.ts'

type Bucket = Dashboard['ageing'][number]['bucket']

/** Days past due of each bucket, from and to. */
const daysOf: Record<Bucket, { from: number | null; to: number | null }> = {
  current: { from: null, to: 0 },
  d1_30: { from: 1, to: 30 },
  d31_60: { from: 31, to: 60 },
  d61_90: { from: 61, to: 90 },
  d90_plus: { from: 91, to: null },
}

function filtersOf(bucket: Bucket, today: string): Record<string, string> {
  const { from, to } = daysOf[bucket]
  return {
    status: owingStatuses,
    ...(to === null ? {} : { 'dueOn.gte': addDays(today, -to) }),
    ...(from === null ? {} : { 'dueOn.lte': addDays(today, -from) }),
    sort: 'dueOn',
  }
}

/** What is owing, by how late it is. */
export function AgeingCard({ ageing, today }: { ageing: Dashboard['ageing']; today: string }) {
  const t = useT('dashboards')
  const mayList = useCan(invoicesApi.list)
  const most = Math.max(1, ...ageing.map(({ cents }) => cents))
  return (
    <Card title={t('dashboards:ageing.title')}>
      <ul className="bars ageing">
        {ageing.map(({ bucket, cents, count }) => {
          const label = phraseOr(`dashboards:ageing.${bucket}`, bucket)
          return (
            <li
              key={bucket}
              className="bar"
              data-bucket={bucket}
              style={{ '--share': cents / most } as React.CSSProperties}
            >
              <span className="row spread bar-head">
                <span>
                  {mayList && count ? (
                    <AppLink to={listAt(pathTo('Invoices'), filtersOf(bucket, today))} className="bar-link">
                      {label}
                    </AppLink>
                  ) : (
                    label
                  )}{' '}
                  <span className="muted small">{t('dashboards:ageing.count', { count })}</span>
                </span>
                <span className="tabular strong">
                  <Money cents={cents} />
                </span>
              </span>
              <span className="bar-line" aria-hidden="true" />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
