import { lowMarginBp } from '../../contract/lines.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'

export interface MarginOf {
  /** Left out where only the share is known. */
  cents?: number
  bp: number | null
}
type Grade = 'loss' | 'low' | 'fine'

export const gradeOf = ({ cents, bp }: MarginOf): Grade => {
  if ((cents ?? bp ?? 0) < 0) return 'loss'
  return bp !== null && bp < lowMarginBp ? 'low' : 'fine'
}

/** “33.2 % margin”, and in a word what is wrong with it. */
export function MarginText({ margin, isBare = false }: { margin: MarginOf; isBare?: boolean }) {
  const t = useT('common')
  const f = useFormat()
  const grade = gradeOf(margin)
  const share = margin.bp === null ? null : f.percent(margin.bp, true)
  return (
    <span className="margin-text">
      <span className="tabular">{share === null || isBare ? share : t('common:margin.of', { share })}</span>
      {grade === 'fine' ? null : <span className={`margin-grade margin-${grade}`}>{t(`common:margin.${grade}`)}</span>}
    </span>
  )
}
