import { AppError } from '../../../contract/core/errors.ts'
import type { RenderJob } from './renderer.ts'

/** Who waits for a document. */
export interface Asker {
  /**
   * Names the guest, so that none of them keeps the others waiting; null for the business's own people and its mail.
   */
  guest: string | null
  /** Raised when nobody waits any more. */
  gone?: AbortSignal | undefined
}
export const ourselves: Asker = { guest: null }

interface Waiter {
  asker: Asker
  resolve: (bytes: Uint8Array) => void
  reject: (error: Error) => void
}
/** One document that is to be drawn, however many wait for it. */
export interface Order {
  job: RenderJob
  waiters: Set<Waiter>
  isDrawing: boolean
}

export interface QueueLimits {
  maxWaiting: number
  /** Documents of all guests together that wait or are drawn. */
  maxOfGuests: number
  maxOfOneGuest: number
}

const isOfGuests = (order: Order) => [...order.waiters].every(({ asker }) => asker.guest !== null)
const isOf = (order: Order, guest: string) => [...order.waiters].some(({ asker }) => asker.guest === guest)

/** Documents to draw, in the order they are drawn: our own before those of guests, who never have every worker. */
export function makeRenderQueue(limits: QueueLimits) {
  const orders = new Set<Order>()

  const refusalFor = ({ guest }: Asker): AppError | null => {
    if (orders.size >= limits.maxWaiting) return new AppError('OVERLOADED')
    if (guest === null) return null
    const ofGuests = [...orders].filter(isOfGuests)
    if (ofGuests.filter((order) => isOf(order, guest)).length >= limits.maxOfOneGuest)
      return new AppError('RATE_LIMITED', undefined, { data: { retryAfterSeconds: 5 } })
    return ofGuests.length >= limits.maxOfGuests ? new AppError('OVERLOADED') : null
  }

  const leave = (order: Order, waiter: Waiter) => {
    order.waiters.delete(waiter)
    waiter.reject(new AppError('UNAVAILABLE'))
    if (order.waiters.size === 0 && !order.isDrawing) orders.delete(order)
  }

  const join = (order: Order, asker: Asker) =>
    new Promise<Uint8Array>((resolve, reject) => {
      const waiter = { asker, resolve, reject }
      order.waiters.add(waiter)
      asker.gone?.addEventListener('abort', () => leave(order, waiter), { once: true })
    })

  return {
    /** Waits for a document with whoever waits for it already. */
    add: async (job: RenderJob, asker: Asker): Promise<Uint8Array> => {
      if (asker.gone?.aborted) throw new AppError('UNAVAILABLE')
      const known = [...orders].find((order) => order.job.key === job.key)
      const refusal = known ? null : refusalFor(asker)
      if (refusal) throw refusal
      const order = known ?? { job, waiters: new Set(), isDrawing: false }
      orders.add(order)
      return join(order, asker)
    },
    /** The next to draw; `maxForGuests` is how many of theirs may be in work at once. */
    next: (maxForGuests: number): Order | null => {
      const waiting = [...orders].filter((order) => !order.isDrawing)
      const inWork = [...orders].filter((order) => order.isDrawing && isOfGuests(order)).length
      const order = waiting.find((one) => !isOfGuests(one)) ?? (inWork < maxForGuests ? waiting[0] : undefined)
      if (order) order.isDrawing = true
      return order ?? null
    },
    done: (order: Order, outcome: Uint8Array | Error) => {
      orders.delete(order)
      for (const { resolve, reject } of order.waiters) {
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
    },
    close: () => {
      for (const order of orders) for (const { reject } of order.waiters) reject(new AppError('UNAVAILABLE'))
      orders.clear()
    },
  }
}
export type RenderQueue = ReturnType<typeof makeRenderQueue>
