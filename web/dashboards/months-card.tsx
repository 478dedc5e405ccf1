import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import type { Dashboard } from './dashboard.ts'
import { MonthsChart } from './months-chart.tsx'

/** Twelve months of what was invoiced and what came in: drawn, and as a table for those who listen. */
export function MonthsCard({ months }: { months: Dashboard['months'] }) {
  const t = useT('dashboards')
  const f = useFormat()
  const language = useLanguage()
  const nameOf = (month: string, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(`${localeOf(language)}-u-nu-latn`, {
      month: style,
      ...(style === 'long' ? { year: 'numeric' } : {}),
      timeZone: 'UTC',
    }).format(new Date(`${month}-01T00:00:00Z`))
  const total = months.reduce(
    (sum, month) => ({ issued: sum.issued + month.issuedCents, collected: sum.collected + month.collectedCents }),
    { issued: 0, collected: 0 },
  )
  return (
    <Card title={t('dashboards:months.title')} className="months-card">
      <p className="muted months-sum">
        {t('dashboards:months.sum', { issued: f.money(total.issued, true), collected: f.money(total.collected, true) })}
      </p>
      <MonthsChart
        months={months.map((month) => ({
          ...month,
          name: nameOf(month.month, 'short'),
          fullName: nameOf(month.month, 'long'),
        }))}
        issuedLabel={t('dashboards:months.issued')}
        collectedLabel={t('dashboards:months.collected')}
      />
      <table className="visually-hidden">
        <caption>{t('dashboards:months.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('dashboards:months.month')}</th>
            <th scope="col">{t('dashboards:months.issued')}</th>
            <th scope="col">{t('dashboards:months.collected')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row">{nameOf(month.month, 'long')}</th>
              <td>{f.money(month.issuedCents)}</td>
              <td>{f.money(month.collectedCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
