import { businessesApi } from '../../contract/businesses.ts'
import { day } from '../../contract/core/common.ts'
import { addDays } from '../../contract/core/dates.ts'
import { basPeriodOf } from '../../contract/periods.ts'
import { useRead } from '../core/api/hooks.ts'
import { useAsked } from './use-asked.ts'

export type Period = { from: string; to: string }

/** The period that the address asks a report for: that of the last activity statement where it names none. */
export function usePeriod<K extends string>(path: string, keys: readonly K[]) {
  const { asked, today, set } = useAsked<'from' | 'to' | K>(path, ['from', 'to', ...keys])
  const own = useRead(businessesApi.current, {}).data
  const business = own?.business
  /** Whose books they are: a brand has none of its own. */
  const entity = own?.businesses.find(({ guid }) => guid === business?.entityGuid)?.legalName
  const cycle = business?.basCycle ?? 'quarterly'
  const present: Period = basPeriodOf(today, cycle)
  const previous: Period = basPeriodOf(addDays(present.from, -1), cycle)
  const from = day.safeParse(asked.from).data ?? previous.from
  const to = day.safeParse(asked.to).data ?? previous.to
  return { asked, today, set, business, entity, from, to, isBackwards: to < from, present, previous }
}
