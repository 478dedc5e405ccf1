import { useEffect, useRef, useState } from 'react'
import { type BasLabel, type BasLine, basApi, basLabels, basPageSize } from '../../contract/bas.ts'
import { gstBases } from '../../contract/businesses.ts'
import type { Output } from '../../contract/core/op.ts'
import { accounting } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { PrintButton } from '../core/ui/print-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { Oddities } from './oddities.tsx'
import { PeriodFields } from './period-fields.tsx'
import { PageSteps } from './page-steps.tsx'
import { PeriodLock } from './period-lock.tsx'
import { usePeriod } from './use-period.ts'
import './accounting.css'

type Sheet = Output<typeof basApi.bas>

/** The worksheet of the activity statement: every figure with its documents, and whether the ledger says the same. */
export function Page() {
  const t = useT('accounting')
  const period = usePeriod(accounting.bas.path, ['basis', 'label'])
  const { asked, today, set, business, from, to } = period
  const basis = gstBases.find((known) => known === asked.basis) ?? business?.gstBasis ?? 'accrual'
  const label = basLabels.find((known) => known === asked.label) ?? null
  const read = useRead(
    basApi.bas,
    { from, to, basis },
    { keep: true, enabled: business !== undefined && !period.isBackwards },
  )
  return (
    <>
      <PageHeader
        title={t('accounting:bas.title')}
        subtitle={[t('accounting:bas.subtitle'), period.entity].filter(Boolean).join(' · ')}
        actions={
          <>
            <DownloadButton op={basApi.detail} input={{ from, to, basis }}>
              {t('accounting:bas.detail')}
            </DownloadButton>
            <PrintButton />
          </>
        }
      />
      <Card className="report">
        <PeriodFields period={period} onChange={(chosen) => void set({ ...chosen, label: undefined })}>
          <ChoiceInput
            label={t('accounting:bas.basis')}
            data={gstBases.map((value) => ({ value, label: t(`accounting:bas.bases.${value}`) }))}
            value={basis}
            onChange={(value) => void set({ basis: value ?? undefined })}
          />
        </PeriodFields>
        {period.isBackwards ? null : (
          <Loaded of={read}>
            {(sheet) => (
              <>
                {sheet.oddities > 0 ? <Oddities from={from} to={to} /> : null}
                <PeriodLock from={sheet.from} to={sheet.to} isLocked={sheet.isLocked} today={today} />
                <Worksheet sheet={sheet} chosen={label} onChoose={(next) => void set({ from, to, label: next })} />
                {label && hasDocuments(sheet) ? (
                  <Documents
                    key={`${label} ${from} ${to} ${basis}`}
                    label={label}
                    totalCents={sheet.labels.find((row) => row.label === label)?.cents ?? 0}
                    asked={{ from, to, basis }}
                  />
                ) : null}
              </>
            )}
          </Loaded>
        )}
      </Card>
    </>
  )
}

const hasDocuments = ({ labels }: Sheet) => labels.some((row) => row.documents > 0)

interface WorksheetProps {
  sheet: Sheet
  chosen: BasLabel | null
  onChoose: (label: BasLabel) => void
}

function Worksheet({ sheet, chosen, onChoose }: WorksheetProps) {
  const t = useT('accounting')
  const f = useFormat()
  if (!hasDocuments(sheet)) return <EmptyState title={t('accounting:bas.empty')} />
  return (
    <>
      <div className="table-scroll" role="region" aria-label={t('accounting:bas.title')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('accounting:bas.label')}</th>
              <th scope="col" className="end">
                {t('accounting:bas.cents')}
              </th>
              <th scope="col" className="end">
                {t('accounting:bas.dollars')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sheet.labels.map((row) => (
              <tr key={row.label} aria-selected={row.label === chosen}>
                <th scope="row">
                  <span className="strong">{row.label}</span> {t(`accounting:bas.labels.${row.label}`)}
                  {row.documents > 0 ? (
                    <button
                      type="button"
                      className="link small report-more no-print"
                      aria-label={t('accounting:bas.show', { label: row.label })}
                      onClick={() => onChoose(row.label)}
                    >
                      {t('accounting:bas.documents', { count: row.documents })}
                    </button>
                  ) : null}
                </th>
                <td className="end tabular">
                  <Money cents={row.cents} />
                </td>
                <td className="end tabular">
                  <bdi dir="ltr">{f.number(row.dollars)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Agreement sheet={sheet} />
    </>
  )
}

function Agreement({ sheet: { agrees, accountCents, decreases, forward } }: { sheet: Sheet }) {
  const t = useT('accounting')
  const f = useFormat()
  const fallen = Object.entries(decreases).flatMap(([label, cents]) =>
    cents === 0 ? [] : [`${label} ${f.money(Math.abs(cents))}`],
  )
  return (
    <>
      {fallen.length > 0 ? <p className="muted">{t('accounting:bas.decreases', { list: fallen.join(', ') })}</p> : null}
      {forward.orders.length > 0 ? <Forward of={forward} /> : null}
      {agrees === null ? (
        <p className="muted">{t('accounting:bas.otherBasis')}</p>
      ) : (
        <p className={`report-proof ${agrees ? 'muted' : 'overdue'}`}>
          <Icon name={agrees ? 'success' : 'warning'} size={18} />
          <span>
            {t(agrees ? 'accounting:bas.agrees' : 'accounting:bas.differs')} <Money cents={accountCents} />
          </span>
        </p>
      )}
    </>
  )
}

/** Why 1A isn't an eleventh of the sales: the GST of an order counts as a whole with what comes first for it. */
function Forward({ of: { cents, orders } }: { of: Sheet['forward'] }) {
  const t = useT('accounting')
  const f = useFormat()
  const said = cents < 0 ? 'accounting:bas.forward.back' : 'accounting:bas.forward.more'
  return (
    <p className="muted">
      {unbroken(t(said, { amount: f.money(Math.abs(cents)) }))}{' '}
      {orders.map((order, i) => (
        <span key={order.guid}>
          {i > 0 ? ', ' : ''}
          <RecordLink noun="Orders" guid={order.guid} className="link">
            {order.number}
          </RecordLink>{' '}
          <Money cents={order.cents} />
        </span>
      ))}
    </p>
  )
}

interface DocumentsProps {
  label: BasLabel
  totalCents: number
  asked: { from: string; to: string; basis: (typeof gstBases)[number] }
}

/** What a figure is made of: each document before and after the period. */
function Documents({ label, totalCents, asked }: DocumentsProps) {
  const t = useT('accounting')
  const title = useRef<HTMLHeadingElement>(null)
  // It opens below: whoever asked for it goes there.
  useEffect(() => title.current?.focus(), [])
  const [page, setPage] = useState(1)
  const read = useRead(basApi.lines, { ...asked, label, page }, { keep: true })
  return (
    <section className="stack report-lines">
      <div className="row spread">
        <h2 ref={title} tabIndex={-1} className="card-title">
          {t('accounting:bas.lines', { label })}
        </h2>
        <DownloadButton
          op={basApi.detail}
          input={{ ...asked, label }}
          size="compact-sm"
          aria-label={t('accounting:bas.downloadLabel', { label })}
        >
          {t('accounting:bas.download')}
        </DownloadButton>
      </div>
      <Loaded of={read}>
        {({ items, page: { total } }) => (
          <>
            <div
              className="table-scroll report-wide"
              role="region"
              aria-label={t('accounting:bas.lines', { label })}
              tabIndex={0}
            >
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t('accounting:bas.document')}</th>
                    <th scope="col">{t('accounting:bas.on')}</th>
                    {(['before', 'after', 'moved'] as const).map((column) => (
                      <th key={column} scope="col" className="end">
                        {t(`accounting:bas.${column}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.map((line) => (
                    <tr key={line.guid}>
                      <th scope="row">
                        <RecordLink noun={line.noun} guid={line.guid} className="link">
                          {line.number}
                        </RecordLink>
                        <span className="cell-sub">{line.customerName}</span>
                      </th>
                      <td>
                        <DateText value={line.on} />
                      </td>
                      {[line.beforeCents, line.afterCents, line.cents].map((amount, i) => (
                        <td
                          key={`${line.guid} ${i === 0 ? 'before' : i === 1 ? 'after' : 'moved'}`}
                          className="end tabular"
                        >
                          <Money cents={amount} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row" colSpan={4}>
                      {t('accounting:total')}
                    </th>
                    <td className="end tabular strong">
                      <Money cents={totalCents} />
                    </td>
                  </tr>
                </tfoot>
              </table>
            </div>
            <DocumentCards items={items} totalCents={totalCents} />
            <PageSteps page={page} count={total?.value ?? 0} size={basPageSize} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** On phones: what it was and how much it moved, the rest below. */
function DocumentCards({ items, totalCents }: { items: readonly BasLine[]; totalCents: number }) {
  const t = useT('accounting')
  return (
    <ul className="report-cards">
      {items.map((line) => (
        <li key={line.guid}>
          <details>
            <summary>
              <span>
                <bdi className="strong">{line.number}</bdi> <span className="cell-sub">{line.customerName}</span>
              </span>
              <span className="tabular strong">
                <Money cents={line.cents} />
              </span>
            </summary>
            <dl>
              <div className="row spread">
                <dt className="muted">{t('accounting:bas.document')}</dt>
                <dd>
                  <RecordLink noun={line.noun} guid={line.guid} className="link">
                    {line.number}
                  </RecordLink>
                </dd>
              </div>
              <div className="row spread">
                <dt className="muted">{t('accounting:bas.on')}</dt>
                <dd>
                  <DateText value={line.on} />
                </dd>
              </div>
              <div className="row spread">
                <dt className="muted">{t('accounting:bas.before')}</dt>
                <dd className="tabular">
                  <Money cents={line.beforeCents} />
                </dd>
              </div>
              <div className="row spread">
                <dt className="muted">{t('accounting:bas.after')}</dt>
                <dd className="tabular">
                  <Money cents={line.afterCents} />
                </dd>
              </div>
            </dl>
          </details>
        </li>
      ))}
      <li className="row spread report-card-total">
        <span className="strong">{t('accounting:total')}</span>
        <span className="tabular strong">
          <Money cents={totalCents} />
        </span>
      </li>
    </ul>
  )
}
