import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { poolOf } from '../db/connect.ts'
import type { Deps } from '../deps.ts'

const sampleMs = 500
const maxDelayMs = 1000
/** Requests that wait for a connection; beyond this they would only time out later. */
const maxWaiting = 500

/** Sheds requests while the process is behind: a quick 503 is worth more than a slow answer to nobody. */
export function shedUnderPressure(app: FastifyInstance, deps: Pick<Deps, 'db'>) {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let [wasSlow, isBehind] = [false, false]
  const timer = setInterval(() => {
    // One long pause is over by the time it is seen; two in a row are a crowd.
    const isSlow = delay.mean / 1e6 > maxDelayMs
    isBehind = isSlow && wasSlow
    wasSlow = isSlow
    delay.reset()
  }, sampleMs)
  timer.unref()
  app.addHook('onClose', () => {
    clearInterval(timer)
    delay.disable()
  })
  const pool = poolOf.get(deps.db)
  return () => {
    if (isBehind || (pool?.waitingCount ?? 0) > maxWaiting) throw new AppError('OVERLOADED')
  }
}
