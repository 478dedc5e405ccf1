import { AppError } from '../../contract/core/errors.ts'

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets a bounded number of works run at once; the others wait in their order, and beyond a
 * bounded line nobody waits at all.
 */
export function makeTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new AppError('OVERLOADED')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
