import { isText } from './core/money.ts'
import { leadsFrom } from './core/transitions.ts'
import { type Series, seriesTransitions } from './series.ts'

type Deed = 'start' | 'pause' | 'resume' | 'cancel' | 'run'
/** Why not, as a word that the screens have a phrase for. */
export type SeriesRefusal = 'noLines' | 'notNow'

/** Why a deed cannot be done with a series now; null when it can. */
export function seriesRefusal(
  deed: Deed,
  series: Pick<Series, 'status'> & { lines: readonly Pick<Series['lines'][number], 'kind'>[] },
): SeriesRefusal | null {
  if (!leadsFrom(seriesTransitions, deed, series.status)) return 'notNow'
  return (deed === 'start' || deed === 'resume') && series.lines.every(isText) ? 'noLines' : null
}
