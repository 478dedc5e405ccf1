import type { Instalment } from '../../contract/instalments.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'

/** The parts an invoice is paid in: what of each is covered. */
export function Instalments({ instalments, f }: { instalments: readonly Instalment[]; f: Format }) {
  const t = useT('service')
  if (instalments.length === 0) return null
  return (
    <section className="letter-payments" aria-labelledby="instalments-title">
      <h3 id="instalments-title">{t('service:invoice.plan.title')}</h3>
      <ul>
        {instalments.map(({ label, dueOn, cents, paidCents }, i) => (
          <li key={i}>
            <span>
              {label}
              <span className="muted small block">
                {t('service:invoice.plan.due', { day: f.date(dueOn) })}
                {paidCents >= cents
                  ? ` · ${t('service:invoice.plan.paid')}`
                  : paidCents > 0
                    ? ` · ${t('service:invoice.plan.partly', { amount: f.money(paidCents) })}`
                    : ''}
              </span>
            </span>
            <span className="tabular">{f.money(cents)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
