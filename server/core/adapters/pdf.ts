import { fork, type ChildProcess } from 'node:child_process'
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

export interface PdfOptions {
  mostAtOnce?: number
  mostWaiting?: number
  killAfterMs?: number
  idleMs?: number
}
const defaults = { mostAtOnce: 2, mostWaiting: 200, killAfterMs: 10_000, idleMs: 60_000 }
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
interface Crew extends Required<PdfOptions> {
  script: string
  workers: Set<Worker>
  queue: Waiting[]
  lastId: number
  isClosed: boolean
}

/**
 * Renders in processes of its own: a document that takes too long or too much memory takes a worker down, never the server.
 * Workers start with the first document and end when nobody asks.
 */
export function makePdfRenderer(script: string, options: PdfOptions = {}): PdfRenderer {
  const crew: Crew = { ...defaults, ...options, script, workers: new Set(), queue: [], lastId: 0, isClosed: false }
  return {
    render: (job) =>
      new Promise((resolve, reject) => {
        if (crew.isClosed || crew.queue.length >= crew.mostWaiting) return reject(new AppError('OVERLOADED'))
        crew.queue.push({ job, resolve, reject })
        handOut(crew)
      }),
    close: () => {
      crew.isClosed = true
      for (const { reject } of crew.queue.splice(0)) reject(new AppError('UNAVAILABLE'))
      for (const worker of [...crew.workers]) end(crew, worker, 'the server is stopping')
    },
  }
}

/** Gives waiting documents to workers that are free, and starts workers while there are too few. */
function handOut(crew: Crew) {
  while (crew.queue.length > 0 && !crew.isClosed) {
    const free = [...crew.workers].find((w) => !w.running) ?? (crew.workers.size < crew.mostAtOnce ? start(crew) : undefined)
    const waiting = free ? crew.queue.shift() : undefined
    if (!free || !waiting) return
    give(crew, free, waiting)
  }
}

function start(crew: Crew): Worker {
  // No settings and no secrets: the worker gets what it draws and nothing else.
  const child = fork(crew.script, [], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
    execArgv: [`--max-old-space-size=${memoryMb}`, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const worker: Worker = { child, running: null, idle: null }
  crew.workers.add(worker)
  child.on('message', (reply) => answer(crew, worker, reply as PdfReply))
  child.on('error', () => end(crew, worker, 'the document worker could not be started'))
  child.on('exit', () => end(crew, worker, 'the document worker ended'))
  child.channel?.unref()
  child.unref()
  return worker
}

function give(crew: Crew, worker: Worker, waiting: Waiting) {
  if (worker.idle) clearTimeout(worker.idle)
  worker.idle = null
  const id = ++crew.lastId
  worker.running = { ...waiting, id, timer: setTimeout(() => end(crew, worker, 'the document took too long to draw'), crew.killAfterMs) }
  worker.child.send({ id, job: waiting.job } satisfies PdfRequest, (error) => {
    if (error) end(crew, worker, 'the document worker could not be reached')
  })
}

function answer(crew: Crew, worker: Worker, reply: PdfReply) {
  if (worker.running?.id !== reply.id) return
  settle(worker, ({ resolve, reject }) => ('bytes' in reply ? resolve(reply.bytes) : reject(new Error(`the document could not be drawn: ${reply.error}`))))
  worker.idle = setTimeout(() => end(crew, worker, 'idle'), crew.idleMs)
  worker.idle.unref()
  handOut(crew)
}

function settle(worker: Worker, how: (waiting: Waiting) => void) {
  const { running } = worker
  if (!running) return
  clearTimeout(running.timer)
  worker.running = null
  how(running)
}

function end(crew: Crew, worker: Worker, why: string) {
  if (!crew.workers.delete(worker)) return
  if (worker.idle) clearTimeout(worker.idle)
  worker.child.kill('SIGKILL')
  settle(worker, ({ reject }) => reject(new Error(why)))
  handOut(crew)
}
