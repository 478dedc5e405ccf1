const minute = 60_000
const hour = 60 * minute

/** When a delivery is tried again, counted from its first try. */
export const retriesAfterMs = [minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 24 * hour] as const

/**
 * The next try of a delivery whose tries began at `first`, after one at `tried`; null after the last. Tries that were
 * missed while nobody worked are not made up for.
 */
export function nextTry(first: Date, tried: Date): Date | null {
  const waited = tried.getTime() - first.getTime()
  const next = retriesAfterMs.find((after) => after > waited)
  return next === undefined ? null : new Date(first.getTime() + next)
}
