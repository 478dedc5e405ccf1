import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { useReducedMotion } from '@mantine/hooks'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage } from '../core/i18n/i18n.ts'
import { isRtl } from '../core/i18n/languages.ts'

export interface ChartMonth {
  name: string
  fullName: string
  issuedCents: number
  collectedCents: number
}

/** The drawing alone; its figures are in the table beside it, so it is hidden from those who listen. */
export function MonthsChart({ months, issuedLabel, collectedLabel }: { months: readonly ChartMonth[]; issuedLabel: string; collectedLabel: string }) {
  const f = useFormat()
  const isStill = useReducedMotion()
  const isMirrored = isRtl(useLanguage())
  const data = months.map((month) => ({ ...month }))
  return (
    // The library does not mirror: text would run into the plot, so the data and the axis are turned round instead.
    <div dir="ltr" className="months-chart" aria-hidden="true">
      <BarChart
        h="100%"
        data={isMirrored ? data.toReversed() : data}
        dataKey="name"
        series={[
          { name: 'issuedCents', label: issuedLabel, color: 'var(--accent)' },
          { name: 'collectedCents', label: collectedLabel, color: 'var(--success)' },
        ]}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 44 }}
        valueFormatter={(cents) => f.money(cents, true)}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ width: 76, orientation: isMirrored ? 'right' : 'left' }}
        xAxisProps={{ interval: 'equidistantPreserveStart' }}
        tooltipAnimationDuration={0}
        maxBarWidth={18}
        barProps={{ radius: [3, 3, 0, 0], isAnimationActive: !isStill, animationDuration: 500 }}
        barChartProps={{ accessibilityLayer: false, barGap: 2 }}
      />
    </div>
  )
}
