import type { Customer, CustomerMoney as Amounts } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'

export function CustomerMoney({ money }: { money: Amounts }) {
  const t = useT('customers')
  return (
    <>
      <div className="balance">
        <span className="muted">{t('customers:money.balance')}</span>
        <strong className="balance-amount tabular">
          <Money cents={money.balanceCents} />
        </strong>
        {money.overdueCents ? (
          <span className="overdue small">
            <Money cents={money.overdueCents} /> {t('customers:overdueNote')}
          </span>
        ) : money.balanceCents ? (
          <span className="muted small">{t('customers:money.nothingOverdue')}</span>
        ) : null}
      </div>
      <KeyValueList
        items={[
          { label: t('customers:money.invoiced'), value: <Money cents={money.invoicedCents} /> },
          { label: t('customers:money.paid'), value: <Money cents={money.paidCents} /> },
          {
            label: t('customers:money.credit'),
            value: <Money cents={money.unallocatedCents} />,
            isHidden: money.unallocatedCents === 0,
          },
          { label: t('customers:money.openQuotes'), value: <Money cents={money.openQuotesCents} /> },
          { label: t('customers:money.committed'), value: <Money cents={money.committedCents} /> },
        ]}
      />
    </>
  )
}

export function MoneyCard({ customer }: { customer: Customer }) {
  const t = useT('customers')
  if (!customer.money && !customer.internalNotes) return null
  return (
    <Card title={t(customer.money ? 'customers:money.title' : 'customers:internalNotes')}>
      <div className="stack">
        {customer.money ? <CustomerMoney money={customer.money} /> : null}
        {customer.internalNotes ? (
          <div className="customer-note">
            {customer.money ? <span className="muted small">{t('customers:internalNotes')}</span> : null}
            <p className="no-margin pre-line">{customer.internalNotes}</p>
          </div>
        ) : null}
      </div>
    </Card>
  )
}
