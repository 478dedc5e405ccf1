import type { T } from '../core/i18n/i18n.ts'
import type { Format } from '../core/i18n/format.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import type { PriceRow, RowProblem } from './price-rows.ts'

/** What is wrong with a row, in a sentence. */
export function problemText(t: T, f: Format, problem: RowProblem, row: PriceRow): string {
  if (problem.key === 'server') return inLanguage(problem.message)
  if (problem.key === 'repeated') return t('prices:problems.repeated', { row: f.number(problem.row) })
  if (problem.key === 'several') return t('prices:problems.several', { count: row.found ?? 0, text: row.text })
  if (problem.key === 'required')
    return t(problem.column === 'product' ? 'prices:problems.noProduct' : 'prices:problems.noPrice')
  return t(`prices:problems.${problem.key}`, { text: row.text })
}
