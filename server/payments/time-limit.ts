/** How long a page waits for the provider before it is told that things are being processed. */
const patienceMs = 6000

/** The result, or null when the caller should not wait any longer; the work itself goes on. */
export async function inTime<T>(working: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<null>((resolve) => (timer = setTimeout(resolve, patienceMs, null)))
  working.catch(() => undefined)
  return Promise.race([working, patience]).finally(() => clearTimeout(timer))
}
