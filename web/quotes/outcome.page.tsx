import { useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { day as dayText } from '../../contract/core/common.ts'
import { addDays, financialYear, localDay } from '../../contract/core/dates.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import {
  ofNone,
  type OutcomeGroup,
  outcomeGroups,
  outcomeOp,
  type OutcomeRow,
  quarterOf,
  quotesOfOutcome,
} from '../../contract/outcome.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { spanOf } from '../core/api/business.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import './outcome.css'

interface Period {
  from: string
  to: string
}

const yearOf = (day: string): Period => {
  const { start, end } = financialYear(day)
  return { from: start, to: end }
}

/** The periods that are mostly asked for, as seen from today. */
const periodsAt = (today: string) => {
  const thisYear = yearOf(today)
  return {
    thisQuarter: quarterOf(today),
    lastQuarter: quarterOf(today, 1),
    thisYear,
    lastYear: yearOf(addDays(thisYear.from, -1)),
  }
}
const periodNames = ['thisQuarter', 'lastQuarter', 'thisYear', 'lastYear'] as const

/** What the address asks for; the quotes lost this quarter by their reason where it says nothing. */
function useAsked() {
  const { zone } = useFormat()
  const go = useGo()
  const search = useSearch({ strict: false }) as Partial<Record<'from' | 'to' | 'by', string>>
  const [today] = useState(() => localDay(new Date().toISOString(), zone))
  const usual = quarterOf(today)
  const read = (value: string | undefined, other: string) => dayText.safeParse(value).data ?? other
  const asked = {
    from: read(search.from, usual.from),
    to: read(search.to, usual.to),
    by: outcomeGroups.find((group) => group === search.by) ?? ('reason' as const),
  }
  const set = (change: Partial<typeof asked>) =>
    void go(`${pathOf('Quotes', 'outcome')}?${new URLSearchParams({ ...asked, ...change }).toString()}`, {
      isReplacing: true,
    })
  return { asked, today, set }
}

export function Page() {
  const t = useT('quotes', 'common')
  const { asked, today, set } = useAsked()
  const report = useRead(outcomeOp, { ...asked, ...spanOf(outcomeOp) }, { keep: true })
  // Until the next answer is there, the last one stays, and is read as what it was asked by.
  const [answered, setAnswered] = useState(asked)
  const isNew = report.data !== undefined && !report.isPlaceholderData
  if (isNew && JSON.stringify(answered) !== JSON.stringify(asked)) setAnswered(asked)
  const periods = periodsAt(today)
  const chosen = periodNames.find((name) => periods[name].from === asked.from && periods[name].to === asked.to)
  return (
    <>
      <PageHeader
        title={t('quotes:outcome.title')}
        subtitle={t('quotes:outcome.subtitle')}
        crumbs={[{ to: pathTo('Quotes'), label: t('quotes:list.title') }]}
      />
      <Card className="outcome">
        <div className="row outcome-asked no-print">
          <ChoiceInput
            label={t('quotes:outcome.period')}
            placeholder={t('quotes:outcome.periods.own')}
            value={chosen ?? null}
            onChange={(value) => {
              const name = periodNames.find((known) => known === value)
              if (name) set(periods[name])
            }}
            data={periodNames.map((value) => ({ value, label: t(`quotes:outcome.periods.${value}`) }))}
          />
          <DateInput
            label={t('quotes:outcome.from')}
            w={160}
            value={asked.from}
            onChange={(from) => (from ? set({ from, ...(from > asked.to ? { to: from } : {}) }) : undefined)}
          />
          <DateInput
            label={t('quotes:outcome.to')}
            w={160}
            value={asked.to}
            onChange={(to) => (to ? set({ to, ...(to < asked.from ? { from: to } : {}) }) : undefined)}
          />
          <ChoiceInput
            label={t('quotes:outcome.by')}
            value={asked.by}
            onChange={(value) => set({ by: outcomeGroups.find((group) => group === value) ?? 'reason' })}
            data={outcomeGroups.map((value) => ({ value, label: t(`quotes:outcome.groups.${value}`) }))}
          />
        </div>
        {report.error ? <ErrorState error={report.error} onRetry={() => void report.refetch()} /> : null}
        {report.isPending ? <LoadingLines /> : null}
        {report.data ? <Answered {...report.data} by={answered.by} period={answered} /> : null}
      </Card>
    </>
  )
}

interface Report {
  items: readonly OutcomeRow[]
  total: Omit<OutcomeRow, 'key' | 'label'>
  isComplete: boolean
  by: OutcomeGroup
  period: Period
}

/** What a row is called. */
function useNames(by: OutcomeGroup) {
  const t = useT('quotes')
  const language = useLanguage()
  const months = new Intl.DateTimeFormat(`${localeOf(language)}-u-nu-latn`, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return ({ key, label }: OutcomeRow) => {
    if (label !== null) return label
    if (by === 'month') return months.format(new Date(`${key}-01T00:00:00Z`))
    if (key === 'expired') return t('quotes:outcome.expired')
    if (key === ofNone) return t(by === 'stream' ? 'quotes:outcome.none.stream' : 'quotes:outcome.none.jobType')
    return phraseOr(`quotes:reasons.${key}`, key)
  }
}

function Answered({ items, total, isComplete, by, period }: Report) {
  const t = useT('quotes')
  const f = useFormat()
  const nameOf = useNames(by)
  const mayList = useCan(quotesApi.list)
  const isReason = by === 'reason'
  if (total.won + total.lost === 0) return <EmptyState title={t('quotes:outcome.empty')} />
  const most = Math.max(...items.map(({ won, lost }) => won + lost))
  const rate = (bp: number | null) => (bp === null ? '–' : f.percent(bp, true))
  const listOf = (key: string, outcome?: 'won' | 'lost') =>
    mayList
      ? `${pathTo('Quotes')}?${new URLSearchParams({
          ...quotesOfOutcome(by, period, key),
          ...(outcome ? { outcome } : {}),
        }).toString()}`
      : null
  return (
    <>
      <dl className="outcome-sums">
        <Sum label={t('quotes:outcome.won')} count={total.won} cents={total.wonCents} />
        <Sum label={t('quotes:outcome.lost')} count={total.lost} cents={total.lostCents} />
        <div>
          <dt>{t('quotes:outcome.rate')}</dt>
          <dd className="outcome-sum tabular">{rate(total.rateBp)}</dd>
        </div>
      </dl>
      {items.length === 0 ? <p className="muted no-margin">{t('quotes:outcome.emptyLost')}</p> : null}
      {items.length ? (
        <div className="table-scroll" role="region" aria-label={t('quotes:outcome.title')} tabIndex={0}>
          <table className="plain-table outcome-table">
            <caption className="visually-hidden">{t('quotes:outcome.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t(`quotes:outcome.groups.${by}`)}</th>
                {isReason ? null : (
                  <th scope="col" className="end">
                    {t('quotes:outcome.won')}
                  </th>
                )}
                <th scope="col" className="end">
                  {t('quotes:outcome.lost')}
                </th>
                {isReason ? null : (
                  <th scope="col" className="end">
                    {t('quotes:outcome.rate')}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {items.map((row) => (
                <tr key={row.key}>
                  <th scope="row">
                    <ToList to={listOf(row.key)} className="outcome-name">
                      <span>{nameOf(row)}</span>
                      <Bar won={row.won / most} lost={row.lost / most} />
                    </ToList>
                  </th>
                  {isReason ? null : (
                    <Count count={row.won} cents={row.wonCents} to={row.won ? listOf(row.key, 'won') : null} />
                  )}
                  <Count count={row.lost} cents={row.lostCents} to={row.lost ? listOf(row.key, 'lost') : null} />
                  {isReason ? null : <td className="end tabular">{rate(row.rateBp)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {by === 'stream' ? <p className="muted small no-margin">{t('quotes:outcome.streams')}</p> : null}
      {isComplete ? null : (
        <p className="muted small no-margin">{t('quotes:outcome.most', { number: f.number(items.length) })}</p>
      )}
    </>
  )
}

function Sum({ label, count, cents }: { label: string; count: number; cents: number }) {
  const f = useFormat()
  return (
    <div>
      <dt>{label}</dt>
      <dd className="outcome-sum tabular">{f.number(count)}</dd>
      <dd className="muted tabular">
        <Money cents={cents} />
      </dd>
    </div>
  )
}

function ToList({ to, className, children }: { to: string | null; className: string; children: ReactNode }) {
  if (to === null) return <span className={className}>{children}</span>
  return (
    <AppLink to={to} className={className}>
      {children}
    </AppLink>
  )
}

function Count({ count, cents, to }: { count: number; cents: number; to: string | null }) {
  const f = useFormat()
  return (
    <td className="end tabular">
      <ToList to={to} className="outcome-count">
        {f.number(count)}
      </ToList>
      <span className="muted small block">
        <Money cents={cents} />
      </span>
    </td>
  )
}

/** How many of its quotes were won and lost, as shares of the longest; its figures stand beside it. */
const Bar = ({ won, lost }: { won: number; lost: number }) => (
  <span className="outcome-bar" aria-hidden="true">
    <span data-outcome="won" style={{ inlineSize: `${won * 100}%` }} />
    <span data-outcome="lost" style={{ inlineSize: `${lost * 100}%` }} />
  </span>
)
