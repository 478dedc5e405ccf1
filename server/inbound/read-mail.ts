import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { QuarantineReason } from '../../contract/inbound.ts'
import { mailLimits, type ReadMail } from './read-shape.ts'

/** So much of the headers is looked at where the whole mail is kept away. */
const shownHeaderBytes = 65_536

/** A mail that was read, or why it is kept away. */
export type Reading = { mail: ReadMail } | { reason: QuarantineReason }

type Reply = { isReady: true } | { mail: ReadMail } | { error: string }

const program = join(import.meta.dirname, 'mail-thread.ts')
const memoryMb = 256
/** A machine that is busy may need so long until the thread is loaded; only then its time counts. */
const startsWithinMs = 30_000

/**
 * Reads a mail in a thread of its own, which takes nothing along: what takes too long or too much memory ends the
 * thread and never the server.
 */
export async function readMail(raw: Uint8Array, milliseconds: number = mailLimits.milliseconds): Promise<Reading> {
  if (raw.byteLength > mailLimits.bytes) return { reason: 'size' }
  const thread = new Worker(program, {
    workerData: raw,
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
  })
  // Nobody reads what it prints.
  thread.stdout.resume()
  thread.stderr.resume()
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Reading>((resolve) => {
      const late = () => resolve({ reason: 'time' })
      timer = setTimeout(late, startsWithinMs)
      thread.on('message', (reply: Reply) => {
        clearTimeout(timer)
        if ('isReady' in reply) timer = setTimeout(late, milliseconds)
        else resolve('mail' in reply ? reply : { reason: reasonOf(reply.error) })
      })
      thread.once('error', (error) => resolve({ reason: isOutOfMemory(error) ? 'memory' : 'unreadable' }))
      thread.once('exit', () => resolve({ reason: 'unreadable' }))
    })
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

/** The headers of a mail without anything below them, cut where a line ends. */
function headersOf(raw: Uint8Array): Uint8Array {
  const start = Buffer.from(raw.subarray(0, shownHeaderBytes)).toString('latin1')
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1)
  const isWhole = headers.length < start.length || raw.byteLength <= shownHeaderBytes
  return Buffer.from(isWhole ? headers : headers.slice(0, headers.lastIndexOf('\n') + 1), 'latin1')
}

/** Who a mail that is kept away says it is from, and what about: read by itself, in the same thread and limits. */
export async function readHeaders(raw: Uint8Array): Promise<Pick<ReadMail, 'from' | 'subject'> | null> {
  const headers = headersOf(raw)
  if (headers.byteLength === 0) return null
  const reading = await readMail(headers)
  return 'mail' in reading ? { from: reading.mail.from, subject: reading.mail.subject } : null
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

function reasonOf(said: string): QuarantineReason {
  if (/nesting depth/i.test(said)) return 'depth'
  return /header/i.test(said) && /exceeded|size/i.test(said) ? 'headers' : 'unreadable'
}
