import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { day } from '../../contract/core/common.ts'
import { agedReceivables, statementPage } from '../../contract/places.ts'
import { ageingSum, type AgedRow, statementsApi } from '../../contract/statements.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { SendStatements } from './send-statements.tsx'
import { useAsked } from './use-asked.ts'
import { ReportHead } from './report-head.tsx'
import { OnDay } from './on-day.tsx'
import './accounting.css'
import './send-statements.css'

const columns = ['currentCents', 'd30Cents', 'd60Cents', 'd90Cents', 'olderCents', 'creditCents', 'totalCents'] as const

/** What customers owe on a day, by how late it is. */
export function Page() {
  const t = useT('accounting')
  const { asked, today, set } = useAsked(agedReceivables.path, ['on'])
  const on = day.safeParse(asked.on).data ?? today
  const read = useRead(statementsApi.aged, { on }, { keep: true })
  const maySend = useCan(statementsApi.send)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [isSending, setSending] = useState(false)
  const rows = read.data?.rows ?? []
  const owing = rows.filter((row) => ageingSum(row) > 0)
  const chosen = picked.size === 0 ? owing : rows.filter(({ customerGuid }) => picked.has(customerGuid))
  const pick = (guid: string, isPicked: boolean) =>
    setPicked((before) => {
      const next = new Set(before)
      if (isPicked) next.add(guid)
      else next.delete(guid)
      return next
    })
  const picking: Picking | null = maySend
    ? { picked, pick, pickAll: (isPicked) => setPicked(new Set(isPicked ? rows.map((row) => row.customerGuid) : [])) }
    : null
  return (
    <>
      <ReportHead
        title={t('accounting:aged.title')}
        subtitle={t('accounting:aged.subtitle')}
        to={on}
        actions={
          <>
            <DownloadButton op={statementsApi.agedFile} input={{ on }}>
              {t('accounting:csv')}
            </DownloadButton>
            <PrintButton />
            {maySend && chosen.length > 0 ? (
              <ActionButton icon="send" onClick={() => setSending(true)}>
                {picked.size > 0 ? t('accounting:send.picked', { count: picked.size }) : t('accounting:send.openMany')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <Card className="report">
        <OnDay on={on} onChoose={(chosen) => void set({ on: chosen })} />
        <Loaded of={read}>
          {({ rows, totals, agrees, ledgerCents }) =>
            rows.length === 0 ? (
              <EmptyState title={t('accounting:aged.empty')} />
            ) : (
              <>
                <AgedTable rows={rows} totals={totals} on={on} picking={picking} />
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
      {isSending ? (
        <SendStatements
          customers={chosen.map((row) => ({
            guid: row.customerGuid,
            name: row.customerName,
            owingCents: row.totalCents,
          }))}
          kind="open"
          asksKind
          to={on}
          onClose={() => {
            setSending(false)
            setPicked(new Set())
          }}
        />
      ) : null}
    </>
  )
}

interface TableProps {
  rows: readonly AgedRow[]
  totals: Omit<AgedRow, 'customerGuid' | 'customerName'>
  on: string
  picking: Picking | null
}

/** Whose statements are sent; none picked are all who owe something. */
interface Picking {
  picked: ReadonlySet<string>
  pick: (guid: string, isPicked: boolean) => void
  pickAll: (isPicked: boolean) => void
}

function PickBox({ row, picking }: { row: AgedRow; picking: Picking | null }) {
  const t = useT('accounting')
  if (!picking) return null
  const { customerGuid, customerName } = row
  return (
    <Checkbox
      aria-label={t('accounting:send.pick', { name: customerName })}
      checked={picking.picked.has(customerGuid)}
      onChange={(event) => picking.pick(customerGuid, event.currentTarget.checked)}
    />
  )
}

function AgedTable({ rows, totals, on, picking }: TableProps) {
  const t = useT('accounting')
  const name = (column: (typeof columns)[number]) => t(`accounting:ageing.${column}`)
  return (
    <>
      <div className="table-scroll report-wide report-stacks">
        <table className="plain-table">
          <thead>
            <tr>
              {picking ? (
                <th scope="col" className="no-print pick-column">
                  <Checkbox
                    aria-label={t('accounting:send.pickAll')}
                    checked={picking.picked.size > 0 && picking.picked.size === rows.length}
                    indeterminate={picking.picked.size > 0 && picking.picked.size < rows.length}
                    onChange={() => picking.pickAll(picking.picked.size < rows.length)}
                  />
                </th>
              ) : null}
              <th scope="col">{t('accounting:customer')}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className="end">
                  {name(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.customerGuid}>
                {picking ? (
                  <td className="no-print pick-column">
                    <PickBox row={row} picking={picking} />
                  </td>
                ) : null}
                <th scope="row">
                  <StatementLink row={row} on={on} />
                </th>
                {columns.map((column) => (
                  <td key={column} className="end tabular">
                    {row[column] === 0 && column !== 'totalCents' ? (
                      <span className="muted">–</span>
                    ) : (
                      <Money cents={column === 'creditCents' ? -row[column] : row[column]} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              {picking ? <td className="no-print pick-column">{'\u00a0'}</td> : null}
              <th scope="row">{t('accounting:total')}</th>
              {columns.map((column) => (
                <td key={column} className="end tabular">
                  <Money cents={column === 'creditCents' ? -totals[column] : totals[column]} />
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <ul className="report-cards">
        {rows.map((row) => (
          <li key={row.customerGuid} className={picking ? 'with-pick' : undefined}>
            <PickBox row={row} picking={picking} />
            <details>
              <summary>
                <span className="strong">{row.customerName}</span>
                <span className="tabular strong">
                  <Money cents={row.totalCents} />
                </span>
              </summary>
              <dl>
                {columns
                  .filter((column) => row[column] !== 0)
                  .map((column) => (
                    <div key={column} className="row spread">
                      <dt className="muted">{name(column)}</dt>
                      <dd className="tabular">
                        <Money cents={column === 'creditCents' ? -row[column] : row[column]} />
                      </dd>
                    </div>
                  ))}
              </dl>
              <StatementLink row={row} on={on} label={t('accounting:statement.view')} />
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
    </>
  )
}

function StatementLink({ row, on, label }: { row: AgedRow; on: string; label?: string }) {
  const maySee = useCan(statementsApi.get)
  const text = label ?? row.customerName
  if (!maySee) return label ? null : text
  const query = new URLSearchParams({ customer: row.customerGuid, name: row.customerName, kind: 'open', to: on })
  return (
    <AppLink to={`${statementPage.path}?${query.toString()}`} className="link">
      {text}
    </AppLink>
  )
}
