import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import type { Ctx } from '../ctx.ts'
import { snapshot } from '../db/transact.ts'
import { openCtx, type Run } from '../run.ts'
import { disposition } from './raw.ts'

const pageSize = 100
const maxRows = 100_000
const byteOrderMark = '\uFEFF'

type Handle = (ctx: Ctx, input: Record<string, unknown>) => Promise<unknown>
interface ListPage {
  items: Record<string, unknown>[]
  page: { next: string | null }
}

/**
 * A list as a CSV stream: page by page through the list's own handler, all pages in one snapshot. The snapshot ends
 * with the stream, however that ends: read to its end, broken off by the reader, or given up because nobody reads.
 */
export async function sendCsv(reply: FastifyReply, run: Run, op: Op, handle: Handle, input: Record<string, unknown>) {
  const finished = beginExport(run)
  const body = new PassThrough()
  // The first page is fetched before anything is sent, so that a failure is still an honest answer.
  const ready = Promise.withResolvers<void>()
  const writing = snapshot(run.deps.exports, async (db) => {
    // A slow reader may keep the snapshot open for a while; one that reads nothing loses the connection before.
    await sql`set local idle_in_transaction_session_timeout = '120s'`.execute(db)
    const pages = pagesOf(openCtx(run, db), op, handle, input)
    const first = await pages.next()
    ready.resolve()
    await pipeline(linesOf(columnsOf(op, input), first, pages), body)
  })
  writing.finally(finished).catch((error: unknown) => {
    ready.reject(error)
    body.destroy()
  })
  await ready.promise
  const noun = op.path.split('/').findLast((part) => part !== '' && part !== 'Export') ?? 'export'
  const day = run.now.toISOString().slice(0, 10)
  reply
    .code(200)
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', disposition(`${noun.toLowerCase()}-${day}.csv`))
  return reply.send(body)
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

async function* linesOf(columns: [string, string][], first: IteratorResult<Record<string, unknown>[]>, pages: Pages) {
  yield byteOrderMark + columns.map(([, heading]) => cell(heading)).join(',') + '\r\n'
  const lineOf = (item: unknown) => columns.map(([path]) => valueCell(path, item)).join(',') + '\r\n'
  const linesOfPage = (items: readonly unknown[]) => items.map(lineOf).join('')
  if (first.done) return
  yield linesOfPage(first.value)
  for await (const items of pages) yield linesOfPage(items)
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
  if (typeof value === 'number') return /cents$/i.test(path) ? decimal(value) : String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return cell(value.map(String).join('; '))
  return cell(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Cents as an amount with two decimals, by text alone. */
const decimal = (cents: number) => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** RFC 4180, and no cell that a spreadsheet would take for a formula. */
const cell = (text: string) => {
  const safe = /^[=+\-@\t\r\n|%＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
