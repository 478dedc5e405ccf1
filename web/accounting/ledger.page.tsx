import { day } from '../../contract/core/common.ts'
import { journalApi, ledgerPageSize, type LedgerRow } from '../../contract/journal.ts'
import { accounting } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Money } from '../core/ui/money.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { useAsked } from './use-asked.ts'
import { PageSteps } from './page-steps.tsx'
import { EntrySource } from './entry-source.tsx'
import { ReportHead } from './report-head.tsx'
import { accountName, narrativeOf } from './said.ts'
import './accounting.css'

/** What was posted to one account, day by day. */
export function Page() {
  const t = useT('accounting')
  const { asked, today, set } = useAsked(accounting.ledger.path, ['account', 'from', 'to', 'page'])
  const chart = useRead(journalApi.accounts, {})
  const accounts = chart.data?.accounts ?? []
  const chosen = accounts.find(({ guid }) => guid === asked.account) ?? accounts.find(({ role }) => role === 'bank')
  const from = day.safeParse(asked.from).data
  const to = day.safeParse(asked.to).data ?? today
  return (
    <>
      <ReportHead
        title={t('accounting:ledger.title')}
        subtitle={t('accounting:ledger.subtitle')}
        from={from}
        to={to}
        crumbs={[{ to: accounting.trialBalance.path, label: t('accounting:trial.title') }]}
        actions={<PrintButton />}
      />
      <Card className="report">
        <div className="row report-asked no-print">
          <ChoiceInput
            label={t('accounting:trial.account')}
            miw={260}
            value={chosen?.guid ?? null}
            onChange={(account) => (account ? void set({ account, page: undefined }) : undefined)}
            data={accounts.map(({ guid, code, name, role }) => ({
              value: guid,
              label: `${code} ${accountName(name, role)}`,
            }))}
          />
          <DateInput
            label={t('accounting:statement.from')}
            w={170}
            value={from ?? ''}
            max={to}
            onChange={(next) => void set({ from: next ?? undefined, page: undefined })}
          />
          <DateInput
            label={t('accounting:statement.to')}
            w={170}
            value={to}
            {...(from ? { min: from } : {})}
            onChange={(next) => (next ? void set({ to: next, page: undefined }) : undefined)}
          />
        </div>
        {chosen ? (
          <Rows
            accountGuid={chosen.guid}
            from={from}
            to={to}
            page={Math.max(Number(asked.page) || 1, 1)}
            onPage={(page) => void set({ page: page === 1 ? undefined : String(page) })}
          />
        ) : null}
      </Card>
    </>
  )
}

interface RowsProps {
  accountGuid: string
  from: string | undefined
  to: string
  page: number
  onPage: (page: number) => void
}

function Rows({ accountGuid, from, to, page, onPage }: RowsProps) {
  const t = useT('accounting')
  const asked = { accountGuid, to, page, ...(from ? { from } : {}) }
  const read = useRead(journalApi.ledger, asked, { keep: true })
  return (
    <Loaded of={read}>
      {({ rows, openingCents, closingCents, rowCount }) => {
        if (rowCount === 0 && openingCents === 0) return <EmptyState title={t('accounting:journal.empty')} />
        return (
          <>
            <div
              className="table-scroll report-wide"
              role="region"
              aria-label={t('accounting:ledger.title')}
              tabIndex={0}
            >
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t('accounting:journal.day')}</th>
                    <th scope="col">{t('accounting:journal.number')}</th>
                    <th scope="col">{t('accounting:journal.text')}</th>
                    {(['debit', 'credit', 'balance'] as const).map((column) => (
                      <th key={column} scope="col" className="end">
                        {t(`accounting:journal.${column}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {page === 1 ? (
                    <tr>
                      <th scope="row" colSpan={5}>
                        {t('accounting:statement.opening')}
                      </th>
                      <td className="end tabular">
                        <Money cents={openingCents} />
                      </td>
                    </tr>
                  ) : null}
                  {rows.map((row, index) => (
                    <tr key={`${row.entryGuid} ${index}`}>
                      <td>
                        <DateText value={row.on} />
                      </td>
                      <td className="tabular">{row.number}</td>
                      <td>
                        {unbroken(textOf(row))}
                        <EntrySource of={row} />
                      </td>
                      <td className="end tabular">{row.debitCents ? <Money cents={row.debitCents} /> : null}</td>
                      <td className="end tabular">{row.creditCents ? <Money cents={row.creditCents} /> : null}</td>
                      <td className="end tabular">
                        <Money cents={row.balanceCents} />
                      </td>
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row" colSpan={5}>
                      {t('accounting:statement.closing')}
                    </th>
                    <td className="end tabular">
                      <Money cents={closingCents} />
                    </td>
                  </tr>
                </tfoot>
              </table>
            </div>
            <Cards rows={rows} closingCents={closingCents} />
            <PageSteps page={page} count={rowCount} size={ledgerPageSize} onPage={onPage} />
          </>
        )
      }}
    </Loaded>
  )
}

const textOf = ({ text, ...row }: LedgerRow) => narrativeOf({ ...row, narrative: text })

/** On phones: what it was and how much, the rest below. */
function Cards({ rows, closingCents }: { rows: readonly LedgerRow[]; closingCents: number }) {
  const t = useT('accounting')
  return (
    <ul className="report-cards">
      {rows.map((row, index) => (
        <li key={`${row.entryGuid} ${index}`}>
          <details>
            <summary>
              <span>
                <DateText value={row.on} /> <span className="strong">{unbroken(textOf(row))}</span>
              </span>
              <span className="tabular strong">
                <Money cents={row.debitCents - row.creditCents} />
              </span>
            </summary>
            <dl>
              <div className="row spread">
                <dt className="muted">{t('accounting:journal.number')}</dt>
                <dd className="tabular">{row.number}</dd>
              </div>
              <div className="row spread">
                <dt className="muted">{t('accounting:journal.source')}</dt>
                <dd>
                  <EntrySource of={row} />
                </dd>
              </div>
              <div className="row spread">
                <dt className="muted">{t('accounting:journal.balance')}</dt>
                <dd className="tabular">
                  <Money cents={row.balanceCents} />
                </dd>
              </div>
            </dl>
          </details>
        </li>
      ))}
      <li className="row spread report-card-total">
        <span className="strong">{t('accounting:statement.closing')}</span>
        <span className="tabular strong">
          <Money cents={closingCents} />
        </span>
      </li>
    </ul>
  )
}
