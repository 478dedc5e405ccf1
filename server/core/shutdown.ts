import { setTimeout as sleep } from 'node:timers/promises'

type Closer = () => Promise<void>

/**
 * A person who presses Ctrl-C once makes two or three signals: the terminal's, npm's and
 * that of the process in between.
 */
const oneIntentMs = 500
const longestMs = 20_000
/** What does not end within this is left behind: the database is stopped last, and must be. */
const longestStepMs = 8000

export interface Shutdown {
  /** What has been started is ended in reverse order. */
  add(close: Closer): void
  /** Done at once when a second Ctrl-C forces the end. */
  onForce(end: () => void): void
  now(code: number): Promise<never>
  /** What breaks while all is being taken down is no news. */
  isEnding(): boolean
}

/** Ends what this process has started, whether it asks for it or a signal does. */
export const makeShutdown = (say: (text: string) => void): Shutdown => {
  const closers: Closer[] = []
  const forced: (() => void)[] = []
  let signalledAt = 0
  let ending: Promise<never> | null = null

  const force = () => {
    for (const end of forced) end()
    process.exit(130)
  }
  const end = async (code: number): Promise<never> => {
    setTimeout(force, longestMs).unref()
    for (let close = closers.pop(); close; close = closers.pop()) {
      try {
        await Promise.race([
          close(),
          sleep(longestStepMs, undefined, { ref: false }).then(() => say('Something took too long to stop.')),
        ])
      } catch (error) {
        say(`Something did not stop cleanly: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    process.exit(code)
  }
  const now = (code: number) => (ending ??= end(code))

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const at = performance.now()
      if (ending && signalledAt > 0 && at - signalledAt > oneIntentMs) force()
      if (!ending) say('Stopping …')
      if (signalledAt === 0) signalledAt = at
      void now(0)
    })
  }
  return {
    add: (close) => void closers.push(close),
    onForce: (end) => void forced.push(end),
    now,
    isEnding: () => ending !== null,
  }
}
