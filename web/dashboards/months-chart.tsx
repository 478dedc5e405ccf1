import { useFormat } from '../core/i18n/format.ts'
import { scaleOf } from './scale.ts'

export interface ChartMonth {
  month: string
  name: string
  fullName: string
  issuedCents: number
  collectedCents: number
}

/** The drawing alone; its figures are in the table beside it, so it is hidden from those who listen. */
export function MonthsChart({
  months,
  issuedLabel,
  collectedLabel,
}: {
  months: readonly ChartMonth[]
  issuedLabel: string
  collectedLabel: string
}) {
  const f = useFormat()
  const scale = scaleOf(Math.max(0, ...months.flatMap((month) => [month.issuedCents, month.collectedCents])))
  const top = scale.at(-1) ?? 1
  const titleOf = (month: ChartMonth) =>
    [
      month.fullName,
      `${issuedLabel}: ${f.money(month.issuedCents)}`,
      `${collectedLabel}: ${f.money(month.collectedCents)}`,
    ].join('\n')
  // What was taken back or given back beyond what came in has no bar below the line; its figure stands in the words.
  const height = (cents: number) => ({ blockSize: `${(Math.max(cents, 0) / top) * 100}%` })
  return (
    <div className="months-chart" aria-hidden="true">
      <p className="months-legend">
        <span data-series="issued">{issuedLabel}</span>
        <span data-series="collected">{collectedLabel}</span>
      </p>
      <div className="months-plot">
        <div className="months-axis tabular">
          {scale.toReversed().map((cents) => (
            <span key={cents}>{f.money(cents, true)}</span>
          ))}
        </div>
        <div className="months-bars">
          {months.map((month) => (
            <div key={month.month} className="months-month" title={titleOf(month)}>
              <span className="months-bar" data-series="issued" style={height(month.issuedCents)} />
              <span className="months-bar" data-series="collected" style={height(month.collectedCents)} />
              <span className="months-name">{month.name}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
