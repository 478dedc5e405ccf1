import { marginGrades, maySeeCosts } from '../../contract/lines.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Filter } from '../core/ui/table/types.ts'

/** The list's filter by what is wrong with a margin, for those who see costs. */
export function useMarginFilter(): Filter[] {
  const t = useT('common')
  const may = useCan(maySeeCosts)
  if (!may) return []
  const options = marginGrades.map((value) => ({ value, label: t(`common:margin.${value}`) }))
  return [{ type: 'one', field: 'margin', label: t('common:margin.title'), options }]
}
