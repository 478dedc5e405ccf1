import { day } from '../../contract/core/common.ts'
import { depositsApi, type HeldDeposit } from '../../contract/deposits.ts'
import { depositsHeld } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { Money } from '../core/ui/money.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { useAsked } from './use-asked.ts'
import { ReportHead } from './report-head.tsx'
import { OnDay } from './on-day.tsx'
import './accounting.css'

/** Deposits that wait on a day to be credited, applied or given back. */
export function Page() {
  const t = useT('accounting')
  const { asked, today, set } = useAsked(depositsHeld.path, ['on'])
  const on = day.safeParse(asked.on).data ?? today
  const read = useRead(depositsApi.held, { on }, { keep: true })
  return (
    <>
      <ReportHead
        title={t('accounting:deposits.title')}
        subtitle={t('accounting:deposits.subtitle')}
        to={on}
        actions={
          <>
            <DownloadButton op={depositsApi.heldFile} input={{ on }}>
              {t('accounting:csv')}
            </DownloadButton>
            <PrintButton />
          </>
        }
      />
      <Card className="report">
        <OnDay on={on} onChoose={(chosen) => void set({ on: chosen })} />
        <Loaded of={read}>
          {({ rows, totals, agrees, ledgerCents }) =>
            rows.length === 0 ? (
              <EmptyState title={t('accounting:deposits.empty')} />
            ) : (
              <>
                <DepositTable rows={rows} totals={totals} />
                <DepositCards rows={rows} totals={totals} />
                <p className={`report-proof ${agrees ? 'muted' : 'overdue'}`}>
                  <Icon name={agrees ? 'success' : 'warning'} size={18} />
                  <span>
                    {t(agrees ? 'accounting:aged.agrees' : 'accounting:aged.differs')} <Money cents={ledgerCents} />
                  </span>
                </p>
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  )
}

interface Shown {
  rows: readonly HeldDeposit[]
  totals: { partPaymentCents: number; securityCents: number; totalCents: number; unpaidCents: number }
}

const order = (row: HeldDeposit) =>
  row.orderGuid ? (
    <RecordLink noun="Orders" guid={row.orderGuid}>
      {row.orderNumber}
    </RecordLink>
  ) : (
    <span className="muted">–</span>
  )
const document = (row: HeldDeposit) => (
  <RecordLink noun="Invoices" guid={row.invoiceGuid}>
    {row.number}
  </RecordLink>
)
const cents = (amount: number) => (amount === 0 ? <span className="muted">–</span> : <Money cents={amount} />)

function DepositTable({ rows, totals }: Shown) {
  const t = useT('accounting')
  const heads = ['document', 'order', 'nature', 'since'] as const
  return (
    <div className="table-scroll report-wide">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('accounting:customer')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {t(`accounting:deposits.${head}`)}
              </th>
            ))}
            <th scope="col" className="end">
              {t('accounting:deposits.unpaid')}
            </th>
            <th scope="col" className="end">
              {t('accounting:deposits.held')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.invoiceGuid}>
              <th scope="row">
                <RecordLink noun="Customers" guid={row.customerGuid}>
                  {row.customerName}
                </RecordLink>
              </th>
              <td>{document(row)}</td>
              <td>{order(row)}</td>
              <td>{t(`accounting:deposits.natures.${row.nature}`)}</td>
              <td>
                <DateText value={row.since} />
              </td>
              <td className="end tabular">{cents(row.unpaidCents)}</td>
              <td className="end tabular">{cents(row.cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {(['part_payment', 'security'] as const).map((nature) => {
            const sum = nature === 'security' ? totals.securityCents : totals.partPaymentCents
            return (
              <tr key={nature} className="muted">
                <th scope="row" colSpan={6}>
                  {t(`accounting:deposits.natures.${nature}`)}
                </th>
                <td className="end tabular">{cents(sum)}</td>
              </tr>
            )
          })}
          <tr>
            <th scope="row" colSpan={5}>
              {t('accounting:total')}
            </th>
            <td className="end tabular">{cents(totals.unpaidCents)}</td>
            <td className="end tabular">
              <Money cents={totals.totalCents} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function DepositCards({ rows, totals }: Shown) {
  const t = useT('accounting')
  return (
    <ul className="report-cards">
      {rows.map((row) => (
        <li key={row.invoiceGuid}>
          <details>
            <summary>
              <span>
                <span className="strong">{row.customerName}</span> <bdi className="cell-sub">{row.number}</bdi>
              </span>
              <span className="tabular strong">
                <Money cents={row.cents} />
              </span>
            </summary>
            <dl>
              {(
                [
                  ['document', document(row)],
                  ['order', order(row)],
                  ['nature', t(`accounting:deposits.natures.${row.nature}`)],
                  ['since', <DateText key="since" value={row.since} />],
                  ['unpaid', cents(row.unpaidCents)],
                ] as const
              ).map(([name, value]) => (
                <div key={name} className="row spread">
                  <dt className="muted">{t(`accounting:deposits.${name}`)}</dt>
                  <dd className="tabular">{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        </li>
      ))}
      <li className="row spread report-card-total">
        <span className="strong">{t('accounting:total')}</span>
        <span className="tabular strong">
          <Money cents={totals.totalCents} />
        </span>
      </li>
    </ul>
  )
}
