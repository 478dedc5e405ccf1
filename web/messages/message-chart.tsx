import { ActionIcon, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import './message-chart.css'
import { addDays, addMonths } from '../../contract/core/dates.ts'
import {
  type MessageCount,
  messageCounts,
  type MessageMetrics,
  messageMetricsApi,
} from '../../contract/message-metrics.ts'
import { messagesApi } from '../../contract/messages.ts'
import { spanOf } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { useListState } from '../core/ui/table/list-state.ts'
import { narrowTo, shows } from './narrowed.ts'

type Period = 'weekly' | 'monthly'
type Bucket = MessageMetrics['buckets'][number]

/** The days of a week or the weeks of a month; folded on phones until it is asked for. */
export function MessageChart() {
  const t = useT('mailing', 'common')
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(!isPhone)
  return (
    <Card
      className="message-chart"
      title={t('mailing:chart.title')}
      actions={
        <ActionIcon
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'mailing:chart.fold' : 'mailing:chart.unfold')}
          title={t(isOpen ? 'mailing:chart.fold' : 'mailing:chart.unfold')}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'up' : 'down'} size={18} />
        </ActionIcon>
      }
    >
      {isOpen ? <Chart /> : null}
    </Card>
  )
}

function Chart() {
  const t = useT('mailing', 'common')
  const f = useFormat()
  const [period, setPeriod] = useState<Period>('weekly')
  const [on, setOn] = useState<string | null>(null)
  const op = messageMetricsApi[period]
  const read = useRead(op, { ...spanOf(op), ...(on ? { on } : {}) }, { keep: true })
  const { data } = read
  const first = data?.buckets[0]?.from
  const last = data?.buckets.at(-1)?.to
  const move = (by: 1 | -1) => {
    if (first) setOn(period === 'weekly' ? addDays(first, by * 7) : addMonths(`${first.slice(0, 8)}01`, by))
  }
  const mover = (by: 1 | -1) => (
    <ActionIcon
      variant="default"
      size={36}
      disabled={!data}
      aria-label={t(by < 0 ? `mailing:chart.${period}.back` : `mailing:chart.${period}.on`)}
      title={t(by < 0 ? `mailing:chart.${period}.back` : `mailing:chart.${period}.on`)}
      onClick={() => move(by)}
    >
      <span className="flips">
        <Icon name={by < 0 ? 'back' : 'next'} size={18} />
      </span>
    </ActionIcon>
  )
  return (
    <div className="stack">
      <div className="row spread">
        <div className="row">
          {mover(-1)}
          <span className="strong" aria-live="polite">
            {first && last ? t('mailing:chart.span', { from: f.date(first), to: f.date(last) }) : ''}
          </span>
          {mover(1)}
        </div>
        <SegmentedControl
          aria-label={t('mailing:chart.period')}
          value={period}
          onChange={(value) => setPeriod(value as Period)}
          data={(['weekly', 'monthly'] as const).map((value) => ({ value, label: t(`mailing:chart.${value}.label`) }))}
        />
      </div>
      {data ? (
        <Bars metrics={data} />
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <LoadingLines lines={4} />
      )}
    </div>
  )
}

/** A round number at or above the largest. */
function topOf(largest: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(largest, 5)))
  return ([1, 2, 5, 10].find((times) => times * unit >= largest) ?? 10) * unit
}

const plotHeight = 120

/** Arrows, Home and End lead from bar to bar, so that Tab needs one step past all of them. */
function moveAmongBars(event: KeyboardEvent<HTMLElement>) {
  const list = event.currentTarget.closest('.message-bars')
  const bars = [...(list?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
  const at = bars.indexOf(event.currentTarget)
  const onward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
  const leadsTo: Readonly<Record<string, number>> = {
    ArrowRight: at + onward,
    ArrowLeft: at - onward,
    Home: 0,
    End: bars.length - 1,
  }
  const next = bars[leadsTo[event.key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function Bars({ metrics: { buckets, totals } }: { metrics: MessageMetrics }) {
  const t = useT('mailing')
  const f = useFormat()
  const nameOf = useBucketName()
  const state = useListState(messagesApi.list)
  const [focused, setFocused] = useState('')
  const bars = buckets.flatMap((bucket) =>
    messageCounts.filter((counted) => bucket[counted] > 0).map((counted) => `${bucket.from}.${counted}`),
  )
  const tabStop = bars.includes(focused) ? focused : bars[0]
  const top = topOf(Math.max(...buckets.flatMap((bucket) => messageCounts.map((counted) => bucket[counted]))))
  const filtersOf = (counted: MessageCount, { from, to }: Pick<Bucket, 'from' | 'to'>) => ({
    counted,
    'countedOn.gte': from,
    'countedOn.lte': to,
  })
  const whole = { from: buckets[0]?.from ?? '', to: buckets.at(-1)?.to ?? '' }
  const pressed = (counted: MessageCount, span: Pick<Bucket, 'from' | 'to'>) => {
    const filters = filtersOf(counted, span)
    const isOn = shows(state, filters)
    return { 'aria-pressed': isOn, onClick: () => narrowTo(state, isOn ? {} : filters) }
  }
  return (
    <>
      <div className="message-legend" role="group" aria-label={t('mailing:chart.totals')}>
        {messageCounts.map((counted) => (
          <button
            key={counted}
            type="button"
            data-counted={counted}
            disabled={totals[counted] === 0}
            {...pressed(counted, whole)}
          >
            {t(`mailing:counted.${counted}`)} <span className="tabular strong">{f.number(totals[counted])}</span>
          </button>
        ))}
      </div>
      <ol className="message-bars">
        {buckets.map((bucket) => (
          <li key={bucket.from}>
            <span className="message-plot">
              {messageCounts.map((counted) => {
                const n = bucket[counted]
                const key = `${bucket.from}.${counted}`
                const label = t('mailing:chart.bar', {
                  counted: t(`mailing:counted.${counted}`),
                  span: nameOf(bucket),
                  count: f.number(n),
                })
                return (
                  <button
                    key={counted}
                    type="button"
                    className="message-bar"
                    data-counted={counted}
                    disabled={n === 0}
                    aria-label={label}
                    title={label}
                    tabIndex={key === tabStop ? 0 : -1}
                    onFocus={() => setFocused(key)}
                    onKeyDown={moveAmongBars}
                    {...pressed(counted, bucket)}
                  >
                    <svg
                      viewBox={`0 0 10 ${plotHeight}`}
                      preserveAspectRatio="none"
                      aria-hidden="true"
                      focusable="false"
                    >
                      <rect width="10" height={(n / top) * plotHeight} y={plotHeight - (n / top) * plotHeight} rx="1" />
                    </svg>
                  </button>
                )
              })}
            </span>
            <span className="message-bucket" aria-hidden="true">
              {nameOf(bucket)}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** A day by its name in the week; some days of a month by the first and the last. */
function useBucketName(): (bucket: Pick<Bucket, 'from' | 'to'>) => string {
  const t = useT('mailing')
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(`${localeOf(language)}-u-nu-latn`, { weekday: 'short', timeZone: 'UTC' })
  const dayOf = (day: string) => String(Number(day.slice(8)))
  return ({ from, to }) =>
    from === to
      ? `${format.format(new Date(`${from}T00:00:00Z`))} ${dayOf(from)}`
      : t('mailing:chart.days', { from: dayOf(from), to: dayOf(to) })
}
