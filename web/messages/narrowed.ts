import type { ListState } from '../core/ui/table/list-state.ts'

/** Everything that narrows the list of messages. */
const narrowing = [
  'search',
  'status',
  'ownerType',
  'ownerGuid',
  'customerGuid',
  'direction',
  'category',
  'isUnmatched',
  'isTest',
  'counted',
  'countedOn.gte',
  'countedOn.lte',
] as const

type Filters = Readonly<Record<string, string>>

/** Whether the list shows exactly that. */
export const shows = ({ values }: ListState, filters: Filters): boolean =>
  Object.keys(filters).length > 0 && narrowing.every((field) => (values[field] ?? '') === (filters[field] ?? ''))

/** Shows exactly that: a figure counts without whatever else the list was narrowed by. */
export const narrowTo = (state: ListState, filters: Filters) =>
  state.set({ ...Object.fromEntries(narrowing.map((field) => [field, null])), ...filters })
