import { businessesApi } from '../../contract/businesses.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { day } from '../../contract/core/common.ts'
import { customersApi } from '../../contract/customers.ts'
import { statementPage } from '../../contract/places.ts'
import { activityBegins, type Statement, type StatementRow, statementsApi } from '../../contract/statements.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { StatementActions } from './statement-actions.tsx'
import { useAsked } from './use-asked.ts'
import './accounting.css'

const kinds = ['open', 'activity'] as const

/** The statement of a customer: choices on the left, the letter on the right. */
export function Page() {
  const t = useT('accounting')
  const { asked, today, set } = useAsked(statementPage.path, ['customer', 'name', 'kind', 'from', 'to'])
  const kind = kinds.find((one) => one === asked.kind) ?? 'open'
  const to = day.safeParse(asked.to).data ?? today
  const from = day.safeParse(asked.from).data ?? activityBegins(to)
  const guid = asked.customer ?? ''
  const read = useRead(
    statementsApi.get,
    { guid, kind, to, ...(kind === 'activity' ? { from } : {}) },
    { enabled: guid !== '', keep: true },
  )
  // An address somebody kept has no name: the statement does.
  const addressed = read.data?.statement.customer
  const name = asked.name ?? (addressed?.guid === guid ? addressed.name : undefined)
  return (
    <>
      <PageHeader
        title={t('accounting:statement.title')}
        subtitle={t('accounting:statement.subtitle')}
        actions={
          read.data && guid ? (
            <StatementActions statement={read.data.statement} kind={kind} from={from} to={to} />
          ) : null
        }
      />
      <div className="statement-grid">
        <Card className="no-print">
          <div className="stack">
            <LookupInput
              label={t('accounting:customer')}
              op={customersApi.list}
              input={{ sort: 'displayName' }}
              option={(item) => ({ value: item.guid, label: item.displayName })}
              {...(guid && name ? { chosen: { value: guid, label: name } } : {})}
              value={guid || null}
              onPick={(item) => void set({ customer: item.guid, name: item.displayName })}
              onChange={(value) => (value ? undefined : void set({ customer: undefined, name: undefined }))}
            />
            <ChoiceInput
              label={t('accounting:statement.kind')}
              data={kinds.map((value) => ({ value, label: t(`accounting:statement.kinds.${value}`) }))}
              value={kind}
              onChange={(value) => void set({ kind: value ?? 'open' })}
            />
            {kind === 'activity' ? (
              <DateInput
                label={t('accounting:statement.from')}
                max={to}
                value={from}
                onChange={(chosen) => void set({ from: chosen })}
              />
            ) : null}
            <DateInput
              label={t(kind === 'activity' ? 'accounting:statement.to' : 'accounting:statement.on')}
              value={to}
              onChange={(chosen) => void set({ to: chosen })}
            />
          </div>
        </Card>
        {guid ? (
          <Loaded of={read}>{({ statement }) => <Letter statement={statement} />}</Loaded>
        ) : (
          <Card>
            <EmptyState title={t('accounting:statement.choose')} />
          </Card>
        )}
      </div>
    </>
  )
}

/** A balance stands under its heading whichever way the page runs, so no cell spans several columns. */
function BalanceRow({ kind, label, cents }: { kind: Statement['kind']; label: string; cents: number }) {
  return (
    <tr>
      <td className="wide-only" aria-hidden="true" />
      <th scope="row">{label}</th>
      <td className="wide-only" aria-hidden="true" />
      <td aria-hidden="true" />
      {kind === 'activity' ? <td className="wide-only" aria-hidden="true" /> : null}
      <td className="end tabular">
        <Money cents={cents} />
      </td>
    </tr>
  )
}

function Letter({ statement }: { statement: Statement }) {
  const t = useT('accounting')
  const f = useFormat()
  const business = useRead(businessesApi.current, {}).data?.business
  const { customer, kind, from, to, rows, openingCents, closingCents, creditCents, serviceUrl, seenAt } = statement
  const what = (row: StatementRow) =>
    row.what === 'instalment' ? (row.text ?? '') : t(`accounting:statement.what.${row.what}`)
  return (
    <Card className="statement-letter">
      <header className="row spread statement-head">
        <div>
          <p className="strong no-margin">{business?.name}</p>
          {business?.abn ? (
            <p className="muted small no-margin">{t('accounting:statement.abn', { abn: formatAbn(business.abn) })}</p>
          ) : null}
        </div>
        <div className="end">
          <h2 className="no-margin">{t('accounting:statement.one')}</h2>
          <p className="muted small no-margin">
            {from
              ? t('accounting:statement.period', { from: f.date(from), to: f.date(to) })
              : t('accounting:statement.asAt', { day: f.date(to) })}
          </p>
        </div>
      </header>
      <p>
        <RecordLink noun="Customers" guid={customer.guid} className="link strong">
          {customer.name}
        </RecordLink>
        {serviceUrl ? (
          <span className="muted small block no-print">
            {seenAt ? t('accounting:statement.seen', { time: f.dateTime(seenAt) }) : t('accounting:statement.notSeen')}
          </span>
        ) : null}
      </p>
      {rows.length === 0 && openingCents === 0 ? (
        <p className="muted">{t('accounting:statement.nothing')}</p>
      ) : (
        <div className="table-scroll">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col" className="wide-only">
                  {t('accounting:statement.day')}
                </th>
                <th scope="col">{t('accounting:statement.number')}</th>
                <th scope="col" className="wide-only">
                  {t('accounting:statement.due')}
                </th>
                <th scope="col" className="end">
                  {t('accounting:statement.debit')}
                </th>
                {kind === 'activity' ? (
                  <th scope="col" className="end wide-only">
                    {t('accounting:statement.credit')}
                  </th>
                ) : null}
                <th scope="col" className="end">
                  {t('accounting:statement.balance')}
                </th>
              </tr>
            </thead>
            <tbody>
              {kind === 'activity' ? (
                <BalanceRow kind={kind} label={t('accounting:statement.opening')} cents={openingCents} />
              ) : null}
              {rows.map((row, i) => (
                <tr key={i}>
                  <td className="wide-only">
                    <DateText value={row.on} />
                  </td>
                  <td>
                    <RecordLink noun={row.noun} guid={row.guid} className="link">
                      {unbroken(row.number)}
                    </RecordLink>
                    <span className="cell-sub">
                      {what(row)}
                      <span className="phone-only"> · {f.date(row.on)}</span>
                    </span>
                  </td>
                  <td className={`wide-only ${row.dueOn && row.dueOn < to ? 'overdue' : ''}`}>
                    {row.dueOn ? <DateText value={row.dueOn} /> : <span className="muted">–</span>}
                  </td>
                  <td className="end tabular">
                    {kind === 'open' ? (
                      <Money cents={row.debitCents - row.creditCents} />
                    ) : row.debitCents ? (
                      <Money cents={row.debitCents} />
                    ) : (
                      <span className="phone-only">
                        <Money cents={-row.creditCents} />
                      </span>
                    )}
                  </td>
                  {kind === 'activity' ? (
                    <td className="end tabular wide-only">
                      {row.creditCents ? <Money cents={row.creditCents} /> : null}
                    </td>
                  ) : null}
                  <td className="end tabular">
                    <Money cents={row.balanceCents} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <BalanceRow
                kind={kind}
                label={t(kind === 'open' ? 'accounting:statement.owing' : 'accounting:statement.closing')}
                cents={closingCents}
              />
            </tfoot>
          </table>
        </div>
      )}
      {kind === 'open' && creditCents !== 0 ? (
        <p className="small">{t('accounting:statement.creditHeld', { amount: f.money(creditCents) })}</p>
      ) : null}
      <dl className="ageing-strip">
        {(['currentCents', 'd30Cents', 'd60Cents', 'd90Cents', 'olderCents'] as const).map((column) => (
          <div key={column}>
            <dt className="muted small">{t(`accounting:ageing.${column}`)}</dt>
            <dd className="tabular strong">
              <Money cents={statement.ageing[column]} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
