import { Money } from '../core/ui/money.tsx'
import { useT } from '../core/i18n/i18n.ts'
import type { Margin } from './catalogue-prices.ts'
import { gradeOf, MarginText } from './margin-text.tsx'

/** What is left after costs: a bar, and in words. */
export function MarginBar({ margin }: { margin: Margin }) {
  const t = useT('lines', 'common')
  return (
    <div className="margin-bar" data-grade={gradeOf(margin)}>
      <span className="strong">{margin.bp === null ? t('common:margin.title') : <MarginText margin={margin} />}</span>
      <span className="margin-track" aria-hidden="true">
        <span style={{ inlineSize: `${Math.max(0, Math.min(100, (margin.bp ?? 0) / 100))}%` }} />
      </span>
      <Money cents={margin.cents} />
      {margin.uncosted > 0 ? <span className="muted">{t('lines:uncosted', { count: margin.uncosted })}</span> : null}
    </div>
  )
}
