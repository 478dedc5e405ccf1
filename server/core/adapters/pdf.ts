import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../../contract/core/errors.ts'

export interface PdfJob {
  template: 'quote' | 'order' | 'invoice'
  data: Record<string, unknown>
}

export interface PdfRenderer {
  render(job: PdfJob): Promise<Uint8Array>
  close(): void
}

/** What passes between this process and the worker. */
export interface PdfRequest {
  id: number
  job: PdfJob
}
export type PdfReply = { id: number; bytes: Uint8Array } | { id: number; error: string }

const mostAtOnce = 2
const mostWaiting = 200
const killAfterMs = 10_000
const idleMs = 60_000
const memoryMb = 300

interface Waiting {
  job: PdfJob
  resolve: (bytes: Uint8Array) => void
  reject: (error: Error) => void
}
interface Worker {
  child: ChildProcess
  running: (Waiting & { id: number; timer: NodeJS.Timeout }) | null
  idle: NodeJS.Timeout | null
}

/**
 * Renders in processes of its own: a document that takes too long or too much memory takes a worker down, never the server.
 * Workers start with the first document and end when nobody asks.
 */
export function makePdfRenderer(script = fileURLToPath(new URL('./pdf-worker.ts', import.meta.url))): PdfRenderer {
  const workers = new Set<Worker>()
  const queue: Waiting[] = []
  let lastId = 0
  let isClosed = false

  const settle = (worker: Worker, how: (waiting: Waiting) => void) => {
    const { running } = worker
    if (!running) return
    clearTimeout(running.timer)
    worker.running = null
    how(running)
  }
  const end = (worker: Worker, why: string) => {
    if (!workers.delete(worker)) return
    if (worker.idle) clearTimeout(worker.idle)
    worker.child.kill('SIGKILL')
    settle(worker, ({ reject }) => reject(new Error(why)))
    next()
  }
  const answer = (worker: Worker, reply: PdfReply) => {
    if (worker.running?.id !== reply.id) return
    settle(worker, ({ resolve, reject }) => ('bytes' in reply ? resolve(reply.bytes) : reject(new Error(`the document could not be drawn: ${reply.error}`))))
    worker.idle = setTimeout(() => end(worker, 'idle'), idleMs)
    worker.idle.unref()
    next()
  }
  const start = (): Worker => {
    // No settings and no secrets: the worker gets what it draws and nothing else.
    const child = fork(script, [], { env: { PATH: process.env['PATH'] ?? '' }, execArgv: [`--max-old-space-size=${memoryMb}`], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const worker: Worker = { child, running: null, idle: null }
    workers.add(worker)
    child.on('message', (reply) => answer(worker, reply as PdfReply))
    child.on('error', () => end(worker, 'the document worker could not be started'))
    child.on('exit', () => end(worker, 'the document worker ended'))
    child.channel?.unref()
    child.unref()
    return worker
  }
  const give = (worker: Worker, waiting: Waiting) => {
    if (worker.idle) clearTimeout(worker.idle)
    worker.idle = null
    const id = ++lastId
    worker.running = { ...waiting, id, timer: setTimeout(() => end(worker, 'the document took too long to draw'), killAfterMs) }
    worker.child.send({ id, job: waiting.job } satisfies PdfRequest)
  }
  const next = () => {
    while (queue.length > 0 && !isClosed) {
      const free = [...workers].find((w) => !w.running) ?? (workers.size < mostAtOnce ? start() : undefined)
      const waiting = free ? queue.shift() : undefined
      if (!free || !waiting) return
      give(free, waiting)
    }
  }
  return {
    render: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed || queue.length >= mostWaiting) return reject(new AppError('OVERLOADED'))
        queue.push({ job, resolve, reject })
        next()
      }),
    close: () => {
      isClosed = true
      for (const { reject } of queue.splice(0)) reject(new AppError('UNAVAILABLE'))
      for (const worker of [...workers]) end(worker, 'the server is stopping')
    },
  }
}
