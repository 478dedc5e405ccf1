import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Margin } from './catalogue-prices.ts'

const thinBp = 1000
const goodBp = 3000
const gradeOf = (bp: number) => (bp < 0 ? 'loss' : bp < thinBp ? 'thin' : bp < goodBp ? 'fair' : 'good')

/** What is left after costs: a bar, and in words. */
export function MarginBar({ margin }: { margin: Margin }) {
  const t = useT('lines')
  const f = useFormat()
  const bp = margin.bp ?? 0
  const grade = gradeOf(margin.cents < 0 ? -1 : bp)
  return (
    <div className="margin-bar" data-grade={grade}>
      <span className="strong">{t('lines:margin.title')}</span>
      <span className="tabular">
        {t('lines:margin.of', { amount: f.money(margin.cents), share: f.percent(bp, true) })}
      </span>
      <span className="margin-track" aria-hidden="true">
        <span style={{ inlineSize: `${Math.max(0, Math.min(100, bp / 100))}%` }} />
      </span>
      <span>{t(`lines:margin.${grade}`)}</span>
      {margin.uncosted > 0 ? (
        <span className="muted">{t('lines:margin.uncosted', { count: margin.uncosted })}</span>
      ) : null}
    </div>
  )
}
