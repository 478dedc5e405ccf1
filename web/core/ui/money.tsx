import { useFormat } from '../i18n/format.ts'

/** An amount in cents. Negative amounts keep their sign; `isWhole` leaves the cents out. */
export function Money({
  cents,
  isWhole = false,
  className = '',
}: {
  cents: number | null | undefined
  isWhole?: boolean
  className?: string
}) {
  const { money } = useFormat()
  if (cents === null || cents === undefined) return <span className="muted">–</span>
  return <bdi className={`tabular ${className}`}>{money(cents, isWhole)}</bdi>
}
