import { fork, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import {
  type Asker,
  makeRenderQueue,
  type Order,
  ourselves,
  type RenderQueue,
  type QueueLimits,
} from './render-queue.ts'

export interface RenderJob {
  /** The same for the same document: who asks for what is being drawn already waits for that. */
  key: string
  template: 'quote' | 'order' | 'invoice' | 'statement' | 'mail' | 'picture'
  data: Record<string, unknown>
}

export interface Renderer {
  render(job: RenderJob, asker?: Asker): Promise<Uint8Array>
  close(): void
}

/** What passes between this process and the worker. */
export interface RenderRequest {
  id: number
  job: RenderJob
}
export type RenderReply = { id: number; bytes: Uint8Array } | { id: number; error: string }

export interface RenderOptions extends Partial<QueueLimits> {
  maxAtOnce?: number
  killAfterMs?: number
  idleMs?: number
}
export const drawAtMostMs = 30_000
const defaults = {
  maxAtOnce: 2,
  maxWaiting: 200,
  maxOfGuests: 40,
  maxOfOneGuest: 4,
  killAfterMs: drawAtMostMs,
  idleMs: 60_000,
}
const memoryMb = 300

interface Worker {
  child: ChildProcess
  running: { order: Order; id: number; timer: NodeJS.Timeout } | null
  idle: NodeJS.Timeout | null
}
interface Crew extends Required<RenderOptions> {
  script: string
  /** Takes a line that a worker says on its standard error. */
  say: (line: string) => void
  workers: Set<Worker>
  queue: RenderQueue
  lastId: number
  isClosed: boolean
}

/**
 * Renders documents and mails in processes of its own: what takes too long or too much memory takes a worker down,
 * never the server. Workers start with the first document and end when nobody asks.
 */
export function makeRenderer(script: string, say: (line: string) => void, options: RenderOptions = {}): Renderer {
  const limits = { ...defaults, ...options }
  const crew: Crew = {
    ...limits,
    script,
    say,
    workers: new Set(),
    queue: makeRenderQueue(limits),
    lastId: 0,
    isClosed: false,
  }
  return {
    render: (job, asker = ourselves) => {
      const drawn = crew.queue.add(job, asker)
      handOut(crew)
      return drawn
    },
    close: () => {
      crew.isClosed = true
      crew.queue.close()
      for (const worker of [...crew.workers]) end(crew, worker, 'the server is stopping')
    },
  }
}

/** Gives waiting documents to workers that are free, and starts workers while there are too few. */
function handOut(crew: Crew) {
  while (!crew.isClosed) {
    const free = [...crew.workers].find((worker) => !worker.running)
    if (!free && crew.workers.size >= crew.maxAtOnce) return
    const order = crew.queue.next(Math.max(1, crew.maxAtOnce - 1))
    if (!order) return
    give(crew, free ?? start(crew), order)
  }
}

function start(crew: Crew): Worker {
  // No settings and no secrets: the worker gets what it draws and nothing else.
  const child = fork(crew.script, [], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
    execArgv: [`--max-old-space-size=${memoryMb}`, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const worker: Worker = { child, running: null, idle: null }
  crew.workers.add(worker)
  child.on('message', (reply) => answer(crew, worker, reply as RenderReply))
  child.on('error', () => end(crew, worker, 'the document worker could not be started'))
  child.on('exit', () => end(crew, worker, 'the document worker ended'))
  if (child.stderr) createInterface({ input: child.stderr }).on('line', crew.say)
  child.channel?.unref()
  child.unref()
  return worker
}

function give(crew: Crew, worker: Worker, order: Order) {
  if (worker.idle) clearTimeout(worker.idle)
  worker.idle = null
  const id = ++crew.lastId
  worker.running = {
    order,
    id,
    timer: setTimeout(() => end(crew, worker, 'the document took too long to draw'), crew.killAfterMs),
  }
  worker.child.send({ id, job: order.job } satisfies RenderRequest, (error) => {
    if (error) end(crew, worker, 'the document worker could not be reached')
  })
}

function answer(crew: Crew, worker: Worker, reply: RenderReply) {
  if (worker.running?.id !== reply.id) return
  settle(crew, worker, 'bytes' in reply ? reply.bytes : new Error(`the document could not be drawn: ${reply.error}`))
  worker.idle = setTimeout(() => end(crew, worker, 'idle'), crew.idleMs)
  worker.idle.unref()
  handOut(crew)
}

function settle(crew: Crew, worker: Worker, outcome: Uint8Array | Error) {
  const { running } = worker
  if (!running) return
  clearTimeout(running.timer)
  worker.running = null
  crew.queue.done(running.order, outcome)
}

function end(crew: Crew, worker: Worker, why: string) {
  if (!crew.workers.delete(worker)) return
  if (worker.idle) clearTimeout(worker.idle)
  worker.child.kill('SIGKILL')
  settle(crew, worker, new Error(why))
  handOut(crew)
}
