import type { Every } from '../../contract/core/recurrence.ts'
import type { Series, SeriesEnds } from '../../contract/series.ts'
import type { Format } from '../core/i18n/format.ts'
import type { T } from '../core/i18n/i18n.ts'

/** `Every month`, `Every 3 months`. */
export const everyText = (t: T, { n, unit }: Every) => t(`series:everies.${unit}`, { count: n })

export const endsText = (t: T, f: Format, ends: SeriesEnds) => {
  if (ends.type === 'count') return t('series:ends.afterCount', { count: ends.n })
  return ends.type === 'until' ? t('series:ends.until', { day: f.date(ends.on) }) : t('series:ends.never')
}

/** How much prices rise, and to what they are rounded. */
export const riseText = (t: T, f: Format, { bp, stepCents }: Pick<Series['rises'][number], 'bp' | 'stepCents'>) =>
  stepCents === 1 ? f.percent(bp) : t('series:rise.stepped', { percent: f.percent(bp), step: f.money(stepCents) })
