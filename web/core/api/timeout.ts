import { ApiError } from './error.ts'
import { connection } from './connection.ts'

export const normalTimeoutMs = 10_000
/** Jobs and metrics. */
export const slowTimeoutMs = 20_000

/**
 * Runs an exchange under a time limit (`null`: none). A caller's own abort passes through, every other failure on
 * the way becomes an `ApiError`.
 */
export async function withTimeout<T>(
  timeoutMs: number | null,
  outer: AbortSignal | undefined,
  go: (signal: AbortSignal | null) => Promise<T>,
): Promise<T> {
  const limit = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [limit, outer].filter((signal) => signal !== undefined)
  try {
    return await go(signals.length ? AbortSignal.any(signals) : null)
  } catch (cause) {
    if (outer?.aborted || cause instanceof ApiError) throw cause
    if (limit?.aborted) throw new ApiError('The server took too long to answer.', 'TIMEOUT', 500, { cause })
    connection.set('offline')
    throw new ApiError('The server could not be reached.', 'NETWORK', 500, { cause })
  }
}
