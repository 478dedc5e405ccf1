import type { ServiceOrder } from '../../contract/service.ts'
import { servicePath } from '../../contract/places.ts'
import type { Format } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { Panel } from './parts.tsx'

const isOwing = (invoice: ServiceOrder['invoices'][number]) => invoice.balanceCents > 0 && invoice.status !== 'void'

/** The customer's words for a status: whether we have seen it open is nothing to him. */
const shownStatus = (status: string) => (status === 'sent' || status === 'viewed' ? 'due' : status)

/** What was invoiced so far, with the way to pay what is open. */
export function OrderInvoices({ order, f }: { order: ServiceOrder; f: Format }) {
  const t = useT('service', 'common')
  if (!order.invoices.length) {
    return (
      <Panel title={t('service:order.invoices')} className="no-print">
        <p className="muted no-margin">{t('service:order.noInvoices')}</p>
      </Panel>
    )
  }
  return (
    <Panel title={t('service:order.invoices')} className="no-print">
      <ul className="invoice-list">
        {order.invoices.map((invoice) => (
          <li key={invoice.serviceGuid}>
            <div className="row spread">
              <AppLink to={servicePath('invoice', invoice.serviceGuid)} className="link">
                {invoice.number}
              </AppLink>
              <StatusChip status={shownStatus(invoice.status)} ns="invoices" />
            </div>
            <div className="row spread">
              <span className="muted small">{phraseOr(`service:invoice.kinds.${invoice.kind}`, invoice.kind)}</span>
              <span className="tabular">{f.money(invoice.totalCents)}</span>
            </div>
            {isOwing(invoice) ? (
              <>
                <p className="muted small no-margin">
                  {t('service:order.owing', { amount: f.money(invoice.balanceCents), date: f.date(invoice.dueOn) })}
                </p>
                <AppLink
                  to={servicePath('invoice', invoice.serviceGuid)}
                  className="button-link"
                  label={t('service:order.payNamed', { number: invoice.number, amount: f.money(invoice.balanceCents) })}
                >
                  {t('service:order.pay', { amount: f.money(invoice.balanceCents) })}
                </AppLink>
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
