const minute = 60_000
const hour = 60 * minute

/** Waits between tries, in milliseconds; the last one repeats. */
const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 24 * hour] as const
const giveUpAfterMs = 72 * hour

/**
 * When to try again after this many tries, or null when it has been tried long enough. A tenth more or less, so that
 * what failed together does not come back together.
 */
export function nextTry(attempts: number, createdAt: Date, now: Date, random: () => number = Math.random): Date | null {
  const wait = waits[Math.min(Math.max(attempts, 1), waits.length) - 1] ?? 24 * hour
  const at = new Date(now.getTime() + wait * (0.9 + random() * 0.2))
  return at.getTime() - createdAt.getTime() > giveUpAfterMs ? null : at
}
