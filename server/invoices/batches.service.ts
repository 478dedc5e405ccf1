import { sql } from 'kysely'
import type { BatchItem, BatchReason, batchesApi } from '../../contract/batches.ts'
import { AppError, conflict, invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { AuditLine, Ctx, Handlers } from '../core/ctx.ts'
import { withCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { isRetryable, sayConstraints } from '../core/http/errors.ts'
import { stamp, userOf } from '../core/records.ts'
import { messageVariables } from '../documents/document-messages.service.ts'
import { fillChosen, previewFilled, templatesOf } from '../messages/chosen.service.ts'
import { queueAbout, suppressedAmong } from '../messages/messages.service.ts'
import {
  type BatchRow,
  chosenInvoices,
  findUnfinished,
  finishBatch,
  isIdle,
  itemsOf,
  lockBatch,
  readyItems,
  shownBatch,
  unfinished,
} from './batches.queries.ts'
import { lockVisibleInvoice } from './invoices.drafts.ts'
import { orderOfVisible } from './invoices.queries.ts'

type Api = typeof batchesApi

const unfinishedYet = 'Finish the messages you’ve begun first.'
sayConstraints({ batch_open_once: ['CONFLICT', unfinishedYet] })

/** What is said of an invoice that nothing was sent about. */
const said: Readonly<Record<BatchReason, string>> = {
  no_address: 'This customer has no email address.',
  suppressed: 'These addresses are suppressed.',
  not_issued: 'This invoice is not issued yet.',
  void: 'This invoice is void.',
  written_off: 'This invoice is written off.',
  blocked: 'This customer is blocked.',
  gone: 'We can’t find that invoice.',
  passed_over: 'Skipped.',
  error: 'An error occured',
}

const shownItems = async (ctx: Ctx, batchGuid: string, invoiceGuids?: readonly string[]): Promise<BatchItem[]> =>
  (await itemsOf(ctx, batchGuid, invoiceGuids)).map((item) => ({
    ...item,
    message: item.reason && said[item.reason],
  }))

async function open(ctx: Ctx) {
  const templates = await templatesOf(ctx, ctx.business.guid, 'invoice')
  const row = await findUnfinished(ctx)
  if (!row) return { batch: null, items: [], templates }
  return { batch: await shownBatch(ctx, row), items: await shownItems(ctx, row.guid), templates }
}

async function begin(ctx: Ctx, { invoiceGuids, templateGuid = null }: Input<Api['begin']>) {
  const userGuid = userOf(ctx)
  if (userGuid === null) throw notFound()
  const businessGuid = ctx.business.guid
  if (templateGuid && !(await templatesOf(ctx, businessGuid, 'invoice')).some(({ guid }) => guid === templateGuid))
    throw invalid('templateGuid', 'Choose a template for invoices.')
  const chosen = await chosenInvoices(ctx, invoiceGuids)
  if (chosen.length === 0) throw invalid('invoiceGuids', 'No invoice GUID was found')
  await makeRoom(ctx)
  const guid = newGuid()
  const row = await ctx.db
    .insertInto('batches')
    .values({ guid, businessGuid, userGuid, templateGuid, createdAt: ctx.now, movedAt: ctx.now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('batchItems')
    .values(
      chosen.map(({ guid: invoiceGuid, reason }, position) => ({
        batchGuid: guid,
        invoiceGuid,
        position,
        ...(reason ? { state: 'skipped' as const, reason } : {}),
      })),
    )
    .execute()
  return answer(ctx, row)
}

/**
 * One at a time: what was only put in a row, stopped or left alone makes room for another one. One that is under way is
 * finished first.
 */
async function makeRoom(ctx: Ctx): Promise<void> {
  for (const old of await unfinished(ctx).forUpdate().execute()) {
    const { state, done, remaining } = await shownBatch(ctx, old)
    if (state === 'open' && done > 0 && remaining > 0) throw conflict(unfinishedYet)
    await finishBatch(ctx, old.guid)
  }
}

const answer = async (ctx: Ctx, row: BatchRow, invoiceGuids?: readonly string[]) => ({
  batch: await shownBatch(ctx, row),
  items: await shownItems(ctx, row.guid, invoiceGuids),
})

async function go(ctx: Ctx, { batchGuid, action, count }: Input<Api['go']>) {
  // Whoever asks at the same time waits here: each finds what the others have left.
  const row = await lockBatch(ctx, batchGuid)
  if (!row) throw notFound()
  const touched = row.state === 'finished' ? [] : await deeds[action](ctx, row, count)
  const after = await lockBatch(ctx, batchGuid)
  return answer(ctx, after ?? row, touched)
}

const deeds: Readonly<Record<Input<Api['go']>['action'], (ctx: Ctx, row: BatchRow, n: number) => Promise<string[]>>> = {
  next,
  stop: async (ctx, { guid }) => {
    await moved(ctx, guid, 'stopped')
    return []
  },
  finish: (ctx, { guid }) => finishBatch(ctx, guid),
}

const moved = (ctx: Ctx, guid: string, state: 'open' | 'stopped') =>
  ctx.db.updateTable('batches').set({ state, movedAt: ctx.now }).where('guid', '=', guid).execute()

async function next(ctx: Ctx, row: BatchRow, count: number): Promise<string[]> {
  const ready = await readyItems(ctx, row.guid, count)
  if (row.templateGuid) await needTemplate(ctx, row, row.templateGuid)
  if (row.state !== 'open' || isIdle(ctx, row) || ready.length > 0) await moved(ctx, row.guid, 'open')
  const taken: string[] = []
  for (const { invoiceGuid } of ready) {
    const isTaken = await take(ctx, row, invoiceGuid, taken.length === 0)
    if (!isTaken) break
    taken.push(invoiceGuid)
  }
  if ((await readyItems(ctx, row.guid, 1)).length === 0) await finishBatch(ctx, row.guid)
  return taken
}

async function needTemplate(ctx: Ctx, row: BatchRow, templateGuid: string): Promise<void> {
  const templates = await templatesOf(ctx, row.businessGuid, 'invoice')
  if (!templates.some(({ guid }) => guid === templateGuid))
    throw conflict('This template is not in use. Choose another.')
}

type Outcome = { state: 'done'; messageGuid: string } | { state: 'skipped' | 'failed'; reason: BatchReason }

/**
 * Sends one within a savepoint of its own: its message and its place in the batch are written together, or neither is.
 * False where a limit of the day is reached after others were sent: the rest waits.
 */
async function take(ctx: Ctx, row: BatchRow, invoiceGuid: string, isFirst: boolean): Promise<boolean> {
  const lines: AuditLine[] = []
  await sql`savepoint one_of_batch`.execute(ctx.db)
  let outcome: Outcome
  try {
    outcome = await send(withCtx(ctx, { audit: (line) => void lines.push(line) }), row, invoiceGuid)
    await sql`release savepoint one_of_batch`.execute(ctx.db)
    for (const line of lines) ctx.audit(line)
  } catch (error) {
    if (isRetryable(error)) throw error
    const isLimit = error instanceof AppError && error.code === 'RATE_LIMITED'
    if (isLimit && isFirst) throw error
    await sql`rollback to savepoint one_of_batch`.execute(ctx.db)
    if (isLimit) return false
    ctx.log.warn({ err: error, invoice: invoiceGuid }, 'a message of a batch could not be made')
    outcome = { state: 'failed', reason: 'error' }
  }
  await ctx.db
    .updateTable('batchItems')
    .set(outcome)
    .where('batchGuid', '=', row.guid)
    .where('invoiceGuid', '=', invoiceGuid)
    .execute()
  return true
}

async function send(ctx: Ctx, row: BatchRow, invoiceGuid: string): Promise<Outcome> {
  if (!(await orderOfVisible(ctx, invoiceGuid))) return { state: 'skipped', reason: 'gone' }
  const invoice = await lockVisibleInvoice(ctx, invoiceGuid)
  // What has changed since it was put in the row is seen under its lock.
  const [chosen] = await chosenInvoices(ctx, [invoiceGuid])
  if (!chosen) return { state: 'skipped', reason: 'gone' }
  if (chosen.reason) return { state: 'skipped', reason: chosen.reason }
  const about = await messageVariables(ctx, 'invoice', 'invoice', invoiceGuid)
  const closed = await suppressedAmong(ctx.db, row.businessGuid, about.recipients, 'transactional')
  const to = about.recipients.filter((address) => !closed.has(address.toLowerCase()))
  if (to.length === 0) return { state: 'skipped', reason: about.recipients.length ? 'suppressed' : 'no_address' }
  const { subject, facts } = await fillChosen(ctx, about, invoiceGuid, row.templateGuid)
  const message = {
    template: 'invoice',
    ownerType: 'invoice',
    ownerGuid: invoiceGuid,
    to,
    subject,
    filled: facts,
  } as const
  const queued = await queueAbout(ctx, message, about)
  if (!queued) return { state: 'skipped', reason: 'no_address' }
  await ctx.db
    .updateTable('invoices')
    .set({ sentAt: ctx.now, ...stamp(ctx, invoice.version) })
    .where('guid', '=', invoiceGuid)
    .execute()
  ctx.audit({
    action: 'invoice.sent',
    entity: 'Invoices',
    guid: invoiceGuid,
    after: { number: invoice.number, kind: invoice.kind, to: to.join(', ') },
  })
  return { state: 'done', messageGuid: queued.guid }
}

async function preview(ctx: Ctx, { guid, templateGuid }: Input<Api['preview']>) {
  if (!(await orderOfVisible(ctx, guid))) throw notFound()
  const about = await messageVariables(ctx, 'invoice', 'invoice', guid)
  const filled = await fillChosen(ctx, about, guid, templateGuid ?? null)
  return {
    to: [...about.recipients],
    subject: filled.subject,
    bodyHtml: await previewFilled(ctx, about, { guid, kind: 'invoice', filled }),
    attachments: about.attachments.map(({ name }) => ({ name })),
  }
}

export const invoiceBatches: Handlers<Api> = { open, begin, go, preview }
