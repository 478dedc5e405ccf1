import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { localDay } from '../../../contract/core/dates.ts'
import { centsToDecimal } from '../../../contract/core/money.ts'
import type { Op } from '../../../contract/core/op.ts'
import type { Ctx } from '../ctx.ts'
import { snapshot } from '../db/transact.ts'
import { openCtx, type Run } from '../run.ts'
import { byteOrderMark, cell, lineEnd } from './cells.ts'
import { disposition } from './raw.ts'

const pageSize = 100
const maxRows = 100_000

type Handle = (ctx: Ctx, input: Record<string, unknown>) => Promise<unknown>
interface ListPage {
  items: Record<string, unknown>[]
  page: { next: string | null }
}

/** A file that is written while it is read: what an operation that produces `text/csv` without columns returns. */
export interface WrittenFile {
  fileName: string
  /** CSV where it is left out. */
  mime?: string
  lines: AsyncGenerator<string>
}

/** Sends a list as CSV, page by page through the list's own handler, or the file that the handler writes. */
export const sendCsv = (reply: FastifyReply, run: Run, op: Op, handle: Handle, input: Record<string, unknown>) =>
  sendWritten(reply, run, async (ctx) => {
    if (!op.columns) return (await handle(ctx, input)) as WrittenFile
    const noun = op.path.split('/').findLast((part) => part !== '' && part !== 'Export') ?? 'export'
    const day = localDay(run.now.toISOString(), run.business?.timeZone ?? run.deps.settings.timeZone)
    // A file for another program is another file than the list's own.
    const program = typeof input['format'] === 'string' && op.formats?.[input['format']] ? `${input['format']}-` : ''
    return {
      fileName: `${noun.toLowerCase()}-${program}${day}.csv`,
      lines: linesOf(columnsOf(op, input), pagesOf(ctx, op, handle, input)),
    }
  })

/**
 * A file as a stream, read in one snapshot. The snapshot ends with the stream, however that ends: read to its end,
 * broken off by the reader, or given up because nobody reads.
 */
async function sendWritten(reply: FastifyReply, run: Run, write: (ctx: Ctx) => Promise<WrittenFile>) {
  const finished = beginExport(run)
  const body = new PassThrough()
  // The first lines are fetched before anything is sent, so that a failure is still an honest answer.
  const ready = Promise.withResolvers<Omit<WrittenFile, 'lines'>>()
  const writing = snapshot(run.deps.exports, async (db) => {
    // A slow reader may keep the snapshot open for a while; one that reads nothing loses the connection before.
    await sql`set local idle_in_transaction_session_timeout = '120s'`.execute(db)
    const { lines, ...named } = await write(openCtx(run, db))
    const first = await lines.next()
    ready.resolve(named)
    await pipeline(startingWith(first, lines), body)
  })
  writing.finally(finished).catch((error: unknown) => {
    ready.reject(error)
    body.destroy()
  })
  const { fileName, mime } = await ready.promise
  reply
    .code(200)
    .header('content-type', `${mime ?? 'text/csv'}; charset=utf-8`)
    .header('content-disposition', disposition(fileName))
  return reply.send(body)
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>) {
  if (first.done) return
  yield first.value
  yield* rest
}

/** A person's exports at once: a reader that stalls keeps a connection for a while, and there are few. */
const maxAtOnce = 2
const running = new WeakMap<Run['deps']['exports'], Map<string, number>>()

/** Counts an export of the caller's, until what is given back is called. */
function beginExport({ deps, actor }: Run): () => void {
  const counts = running.get(deps.exports) ?? new Map<string, number>()
  running.set(deps.exports, counts)
  const who = actor.kind === 'user' ? actor.userGuid : actor.kind
  const count = counts.get(who) ?? 0
  if (count >= maxAtOnce)
    throw new AppError('RATE_LIMITED', 'You already have two exports running. Wait for one to finish.')
  counts.set(who, count + 1)
  return () => {
    const left = (counts.get(who) ?? 1) - 1
    if (left > 0) counts.set(who, left)
    else counts.delete(who)
  }
}

type Pages = AsyncGenerator<Record<string, unknown>[]>

const columnsOf = ({ columns, formats }: Op, { format }: Record<string, unknown>) =>
  Object.entries((typeof format === 'string' ? formats?.[format] : undefined) ?? columns ?? {})

async function* linesOf(columns: [string, string][], pages: Pages): AsyncGenerator<string> {
  const lineOf = (item: unknown) => columns.map(([path]) => valueCell(path, item)).join(',') + lineEnd
  let head = byteOrderMark + columns.map(([, heading]) => cell(heading)).join(',') + lineEnd
  for await (const items of pages) {
    yield head + items.map(lineOf).join('')
    head = ''
  }
}

async function* pagesOf(ctx: Ctx, op: Op, handle: Handle, input: Record<string, unknown>): Pages {
  const { page: _page, after: _after, ...rest } = input
  let after: string | null = null
  let count = 0
  do {
    const { items, page } = op.response.parse(
      await handle(ctx, { ...rest, size: pageSize, ...(after ? { after } : {}) }),
    ) as ListPage
    yield items
    count += items.length
    after = page.next
  } while (after !== null && count < maxRows)
}

const reach = (path: string, item: unknown): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      item,
    )

function valueCell(path: string, item: unknown): string {
  const value = reach(path, item)
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return /cents$/i.test(path) ? centsToDecimal(value) : String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return cell(value.map(String).join('; '))
  return cell(typeof value === 'string' ? value : JSON.stringify(value))
}
