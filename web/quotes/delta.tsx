import { useFormat } from '../core/i18n/format.ts'

/** What something adds or takes away, with its sign; a dash where nothing changes. */
export function Delta({ cents, className = '' }: { cents: number | null; className?: string }) {
  const { money } = useFormat()
  if (!cents) return <span className="muted">–</span>
  return (
    <bdi dir="ltr" className={`tabular ${cents > 0 ? 'delta-up' : 'delta-down'} ${className}`}>
      {cents > 0 ? '+' : ''}
      {money(cents)}
    </bdi>
  )
}
