import type { ReactNode } from 'react'
import { AppLink } from '../core/ui/link.tsx'
import type { Tone } from '../core/ui/status-chip.tsx'

/** A small figure inside a card, opening its list. */
export function Figure({
  label,
  value,
  hint,
  to,
  tone = 'primary',
}: {
  label: string
  value: ReactNode
  hint?: ReactNode
  to?: string | null
  tone?: Tone
}) {
  return (
    <div className="figure" data-tone={tone}>
      <span className="figure-value tabular">{value}</span>
      {to ? (
        <AppLink to={to} className="figure-label figure-link">
          {label}
        </AppLink>
      ) : (
        <span className="figure-label">{label}</span>
      )}
      {hint ? <span className="muted small">{hint}</span> : null}
    </div>
  )
}
