import type { EventValue } from '../../contract/events.ts'

/** What a phrase about an event is filled with. */
type Values = Record<string, string | number | null>

/** What of a line of the audit log reaches people; everything else of it stays inside. */
export function valuesOf({ after, reason }: { after: unknown; reason: string }, shown: readonly EventValue[]): Values {
  const values: Values = {}
  const given: Record<string, unknown> = typeof after === 'object' && after !== null ? { ...after } : {}
  for (const key of shown) {
    const value = Array.isArray(given[key]) ? given[key].filter((v) => typeof v === 'string').join(', ') : given[key]
    if (typeof value === 'string' || typeof value === 'number' || value === null) values[key] = value
  }
  if (reason && values['reason'] === undefined) values['reason'] = reason
  return values
}
