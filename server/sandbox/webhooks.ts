import { createHmac } from 'node:crypto'
import type { Store, WebhookEvent } from './store.ts'

export const webhookModes = ['normal', 'hold', 'duplicate', 'late', 'shuffle'] as const
export type WebhookMode = (typeof webhookModes)[number]

const attemptTimeoutMs = 5000
const firstRetryMs = 500
const longestRetryMs = 60_000
/** With the longest pause between them this is about three days. */
const maxAttempts = 4300
const maxAtOnce = 8
const shuffleForMs = 300

export const signWebhook = (secret: string, body: string, unixSeconds: number): string =>
  `t=${unixSeconds},v1=${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`

interface Waiting {
  event: WebhookEvent
  attempts: number
}

/** Delivers events at least once and in no promised order, until the receiver answers with a 2xx. */
export function makeWebhooks(store: Store, options: { url: () => string | null; secret: string; now: () => Date }) {
  let mode: WebhookMode = 'normal'
  let lateMs = 3000
  let isStopped = false
  let running = 0
  let ready: Waiting[] = []
  const held = new Map<string, WebhookEvent>()
  const timers = new Set<NodeJS.Timeout>()
  let shuffled: WebhookEvent[] = []

  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!isStopped) work()
    }, ms)
    timer.unref()
    timers.add(timer)
  }

  async function attempt(event: WebhookEvent): Promise<boolean> {
    const url = options.url()
    if (!url) return false
    const body = JSON.stringify({ id: event.id, type: event.type, createdAt: event.createdAt, data: event.data })
    const headers = {
      'content-type': 'application/json',
      'brolga-signature': signWebhook(options.secret, body, Math.floor(options.now().getTime() / 1000)),
    }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(attemptTimeoutMs),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }

  async function deliver(waiting: Waiting): Promise<void> {
    const { event } = waiting
    if (await attempt(event)) {
      if (store.undelivered.has(event.id)) await store.append({ kind: 'delivered', id: event.id })
      return
    }
    const attempts = waiting.attempts + 1
    if (attempts < maxAttempts)
      later(Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 10)), () => queue({ event, attempts }))
  }

  function pump(): void {
    while (!isStopped && running < maxAtOnce && ready.length > 0) {
      const waiting = ready.shift()
      if (!waiting) return
      running++
      deliver(waiting)
        .catch(() => {})
        .finally(() => {
          running--
          pump()
        })
    }
  }

  function queue(waiting: Waiting): void {
    ready.push(waiting)
    pump()
  }

  function shuffle(): void {
    const events = shuffled.map((event) => ({ event, at: Math.random() })).sort((a, b) => a.at - b.at)
    shuffled = []
    for (const { event } of events) queue({ event, attempts: 0 })
  }

  function announce(event: WebhookEvent): void {
    if (isStopped || !options.url()) return
    if (mode === 'hold') held.set(event.id, event)
    else if (mode === 'late') later(lateMs, () => queue({ event, attempts: 0 }))
    else if (mode === 'shuffle') {
      if (shuffled.length === 0) later(shuffleForMs, shuffle)
      shuffled.push(event)
    } else for (let i = 0; i < (mode === 'duplicate' ? 3 : 1); i++) queue({ event, attempts: 0 })
  }

  const idle = async () => {
    while (running > 0 || ready.length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  return {
    announce,
    /** Takes up again what a restart or a receiver that was not known yet has left behind. */
    resume: () => {
      for (const event of store.undelivered.values()) announce(event)
    },
    setMode: (next: WebhookMode, delayMs: number) => {
      mode = next
      lateMs = delayMs
    },
    /** Sends what is held, now, and tells how many. */
    flush: async (): Promise<number> => {
      const events = [...held.values()]
      held.clear()
      for (const event of events) queue({ event, attempts: 0 })
      if (shuffled.length > 0) shuffle()
      await idle()
      return events.length
    },
    undelivered: () => store.undelivered.size,
    stop: () => {
      isStopped = true
      ready = []
      timers.forEach(clearTimeout)
      timers.clear()
    },
  }
}
export type Webhooks = ReturnType<typeof makeWebhooks>
