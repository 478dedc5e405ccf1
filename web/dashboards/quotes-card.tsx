import { RingProgress } from '@mantine/core'
import { quoteDisplayStatuses, quotesApi } from '../../contract/quotes.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { listAt, type Dashboard } from './dashboard.ts'

const list = pathTo('Quotes')

/** How quotes stand, how many are accepted, and which ones run out soon. */
export function QuotesCard({ quotes }: { quotes: Dashboard['quotes'] }) {
  const t = useT('dashboards', 'quotes')
  const f = useFormat()
  const mayList = useCan(quotesApi.list)
  const rate = quotes.acceptanceRateBp
  const byStatus = quoteDisplayStatuses.flatMap((status) => quotes.byStatus.find((row) => row.status === status) ?? [])
  const { expiringSoon } = quotes
  return (
    <Card title={t('dashboards:quotes.title')} className="quotes-card">
      <div className="quotes-board">
        <div className="quotes-rate">
          <RingProgress
            size={148}
            thickness={13}
            roundCaps
            rootColor="color-mix(in srgb, var(--neutral) 16%, transparent)"
            sections={[{ value: (rate ?? 0) / 100, color: 'var(--success)' }]}
            label={
              <span className="ring-label tabular">
                {rate === null ? '–' : f.percent(Math.round(rate / 100) * 100)}
              </span>
            }
          />
          <p className="no-margin">
            <span className="strong block">{t('dashboards:quotes.rate')}</span>
            <span className="muted small">
              {rate === null ? t('dashboards:quotes.rateNone') : t('dashboards:quotes.rateHint')}
            </span>
          </p>
          <p className="no-margin expiring" data-some={expiringSoon.count > 0}>
            {mayList && expiringSoon.count ? (
              <AppLink
                to={listAt(list, { status: 'sent,viewed,changes_requested', sort: 'validUntil' })}
                className="link"
              >
                {t('dashboards:quotes.expiring', { count: expiringSoon.count })}
              </AppLink>
            ) : (
              <span className="muted">{t('dashboards:quotes.expiring', { count: expiringSoon.count })}</span>
            )}
            {expiringSoon.count ? (
              <span className="muted small block">
                {t('dashboards:quotes.worth', { amount: f.money(expiringSoon.cents, true) })}
              </span>
            ) : null}
          </p>
        </div>
        {byStatus.length ? (
          <table className="plain-table status-table">
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{t('quotes:statusLabel')}</th>
                <th scope="col">{t('dashboards:count')}</th>
                <th scope="col">{t('quotes:total')}</th>
              </tr>
            </thead>
            <tbody>
              {byStatus.map(({ status, count, totalCents }) => (
                <tr key={status}>
                  <td>
                    {mayList ? (
                      <AppLink to={listAt(list, { status })} className="chip-link">
                        <StatusChip status={status} ns="quotes" />
                      </AppLink>
                    ) : (
                      <StatusChip status={status} ns="quotes" />
                    )}
                  </td>
                  <td className="end tabular">{f.number(count)}</td>
                  <td className="end tabular">
                    <Money cents={totalCents} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className="muted no-margin">{t('dashboards:quotes.none')}</p>
        )}
      </div>
    </Card>
  )
}
