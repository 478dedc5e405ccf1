import type { Customer, CustomerMoney as Amounts } from '../../contract/customers.ts'
import { businessHere, isEverywhere } from '../core/api/business.ts'
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
      <ByBusiness rows={money.byBusiness} />
    </>
  )
}

/** What is owed to other businesses with the same list of customers: a window of one does not add it up. */
function ByBusiness({ rows }: { rows: Amounts['byBusiness'] }) {
  const t = useT('customers')
  const isWhole = isEverywhere()
  const here = businessHere()
  const shown = rows.filter(({ businessGuid }) => isWhole || businessGuid !== here)
  if (shown.length === 0 || (isWhole && shown.length === 1)) return null
  return (
    <section className="stack by-business">
      <h3 className="no-margin small muted">{t(`customers:money.${isWhole ? 'byBusiness' : 'others'}`)}</h3>
      <KeyValueList
        items={shown.map(({ name, balanceCents, overdueCents, unallocatedCents }) => ({
          label: name,
          value: (
            <>
              <Money cents={balanceCents} />
              {overdueCents ? (
                <span className="cell-sub overdue">
                  <Money cents={overdueCents} /> {t('customers:overdueNote')}
                </span>
              ) : null}
              {unallocatedCents ? (
                <span className="cell-sub">
                  {t('customers:money.credit')} <Money cents={unallocatedCents} />
                </span>
              ) : null}
            </>
          ),
        }))}
      />
    </section>
  )
}

export function MoneyCard({ customer }: { customer: Customer }) {
  const t = useT('customers')
  if (!customer.money) return null
  return (
    <Card title={t('customers:money.title')}>
      <div className="stack">
        <CustomerMoney money={customer.money} />
      </div>
    </Card>
  )
}
