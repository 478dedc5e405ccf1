import { day } from '../../contract/core/common.ts'
import type { Output } from '../../contract/core/op.ts'
import { journalApi } from '../../contract/journal.ts'
import { accounting } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { useAsked } from './use-asked.ts'
import { accountName } from './said.ts'
import { ReportHead } from './report-head.tsx'
import { OnDay } from './on-day.tsx'
import './accounting.css'

/** What every account comes to at the end of a day. */
export function Page() {
  const t = useT('accounting')
  const { asked, today, set } = useAsked(accounting.trialBalance.path, ['on'])
  const on = day.safeParse(asked.on).data ?? today
  const read = useRead(journalApi.trialBalance, { on }, { keep: true })
  return (
    <>
      <ReportHead
        title={t('accounting:trial.title')}
        subtitle={t('accounting:trial.subtitle')}
        to={on}
        actions={
          <>
            <DownloadButton op={journalApi.trialBalanceFile} input={{ on }}>
              {t('accounting:csv')}
            </DownloadButton>
            <PrintButton />
          </>
        }
      />
      <Card className="report">
        <OnDay on={on} onChoose={(chosen) => void set({ on: chosen })} />
        <Loaded of={read}>
          {({ rows, totals }) =>
            rows.length === 0 ? (
              <EmptyState title={t('accounting:journal.empty')} />
            ) : (
              <>
                <div
                  className="table-scroll report-wide"
                  role="region"
                  aria-label={t('accounting:trial.title')}
                  tabIndex={0}
                >
                  <table className="plain-table">
                    <thead>
                      <tr>
                        <th scope="col">{t('accounting:trial.code')}</th>
                        <th scope="col">{t('accounting:trial.account')}</th>
                        <th scope="col" className="end">
                          {t('accounting:journal.debit')}
                        </th>
                        <th scope="col" className="end">
                          {t('accounting:journal.credit')}
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => (
                        <tr key={row.guid}>
                          <td className="tabular">{row.code}</td>
                          <th scope="row">
                            <AppLink to={ledgerOf(row.guid, on)} className="link">
                              {accountName(row.name, row.role)}
                            </AppLink>
                          </th>
                          <td className="end tabular">{row.debitCents ? <Money cents={row.debitCents} /> : null}</td>
                          <td className="end tabular">{row.creditCents ? <Money cents={row.creditCents} /> : null}</td>
                        </tr>
                      ))}
                    </tbody>
                    <tfoot>
                      <tr>
                        <th scope="row" colSpan={2}>
                          {t('accounting:total')}
                        </th>
                        <td className="end tabular">
                          <Money cents={totals.debitCents} />
                        </td>
                        <td className="end tabular">
                          <Money cents={totals.creditCents} />
                        </td>
                      </tr>
                    </tfoot>
                  </table>
                </div>
                <Cards rows={rows} totals={totals} on={on} />
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  )
}

type Shown = Output<typeof journalApi.trialBalance>

/** On phones: each account with its amount and which side that is on. */
function Cards({ rows, totals, on }: Shown) {
  const t = useT('accounting')
  return (
    <ul className="report-cards">
      {rows.map((row) => (
        <li key={row.guid} className="row spread">
          <span>
            <AppLink to={ledgerOf(row.guid, on)} className="link">
              {accountName(row.name, row.role)}
            </AppLink>
            <span className="cell-sub tabular">{row.code}</span>
          </span>
          <span className="tabular end">
            <Money cents={row.debitCents || row.creditCents} />
            <span className="cell-sub">{t(`accounting:journal.${row.debitCents ? 'debit' : 'credit'}`)}</span>
          </span>
        </li>
      ))}
      {(['debit', 'credit'] as const).map((side) => (
        <li key={side} className="row spread strong">
          <span>{t(side === 'debit' ? 'accounting:trial.totalDebit' : 'accounting:trial.totalCredit')}</span>
          <span className="tabular">
            <Money cents={side === 'debit' ? totals.debitCents : totals.creditCents} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const ledgerOf = (account: string, to: string) =>
  `${accounting.ledger.path}?${new URLSearchParams({ account, to }).toString()}`
