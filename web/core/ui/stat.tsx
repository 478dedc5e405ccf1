import type { ReactNode } from 'react'
import { AppLink } from './link.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import type { Tone } from './status-chip.tsx'

/** A line of a series without axes; decoration beside the figure it belongs to. */
export function Sparkline({
  values,
  width = 104,
  height = 32,
}: {
  values: readonly number[]
  width?: number
  height?: number
}) {
  if (values.length < 2) return null
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  const x = (i: number) => 2 + (i * (width - 4)) / (values.length - 1)
  const y = (value: number) => height - 3 - ((value - low) / span) * (height - 6)
  return (
    <svg
      className="sparkline flips"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
    >
      <polyline points={values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} />
    </svg>
  )
}

export interface StatProps {
  label: string
  value: ReactNode
  icon: IconName
  tone?: Tone
  /** A quieter line under the label. */
  hint?: ReactNode
  /** The list behind the figure. */
  to?: string
  series?: readonly number[]
}

/** One figure of a dashboard, opening the list behind it. */
export function Stat({ label, value, icon, tone = 'primary', hint, to, series }: StatProps) {
  return (
    <div className="card stat" data-tone={tone}>
      <div className="stat-text">
        <p className="stat-value tabular">{value}</p>
        <p className="stat-label">
          {to ? (
            <AppLink to={to} className="stat-link">
              {label}
            </AppLink>
          ) : (
            label
          )}
        </p>
        {hint ? <p className="stat-hint">{hint}</p> : null}
        {series ? <Sparkline values={series} /> : null}
      </div>
      <span className="stat-icon">
        <Icon name={icon} size={24} />
      </span>
    </div>
  )
}
