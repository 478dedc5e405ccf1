import { day } from '../../contract/core/common.ts'
import { journalApi } from '../../contract/journal.ts'
import { accounting } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { useAsked } from './use-asked.ts'
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
      <PageHeader
        title={t('accounting:trial.title')}
        subtitle={t('accounting:trial.subtitle')}
        actions={<PrintButton />}
      />
      <Card className="report">
        <OnDay on={on} onChoose={(chosen) => void set({ on: chosen })} />
        <Loaded of={read}>
          {({ rows, totals }) =>
            rows.length === 0 ? (
              <EmptyState title={t('accounting:journal.empty')} />
            ) : (
              <div className="table-scroll" role="region" aria-label={t('accounting:trial.title')} tabIndex={0}>
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
                            {row.name}
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
            )
          }
        </Loaded>
      </Card>
    </>
  )
}

const ledgerOf = (account: string, to: string) =>
  `${accounting.ledger.path}?${new URLSearchParams({ account, to }).toString()}`
