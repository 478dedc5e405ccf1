import { sql } from 'kysely'
import type { TemplateKind } from '../../contract/messages.ts'
import type { Ctx } from '../core/ctx.ts'
import { keeperOf, membersAre } from '../core/family.ts'
import { findQuiet, isQuietNow } from '../core/quiet-time.ts'
import { messageVariables } from '../documents/document-messages.service.ts'
import { workOffQueue } from './mailing.ts'
import { lockMessage, type MessageRow } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { suppressedAmong } from './suppressions.ts'
import { aboutMessage, withFieldsOf } from './writing-about.ts'
import { fillOrRefuse, usedTemplate } from './writing-words.ts'

/** What still holds of a message that a rule made of invoices: those it may speak of, or why of none. */
export interface StillSo {
  invoiceGuids: readonly string[]
  /** Why it speaks of none; null while there are some. */
  reason: string | null
}
type AskAgain = (ctx: Ctx, messageGuid: string) => Promise<StillSo | null>
const askers = new Map<TemplateKind, AskAgain>()
/** Whoever makes messages of a kind by a rule is asked again before one goes out; of one by hand it answers null. */
export const askAgainOf = (kind: TemplateKind, ask: AskAgain): void => void askers.set(kind, ask)

/** So many papers go along with a message; of more it has none. */
const mostPapers = 5
/** The PDFs of the invoices that a message speaks of. */
export async function papersOf(ctx: Ctx, invoiceGuids: readonly string[]): Promise<MessageRow['attachments']> {
  if (invoiceGuids.length > mostPapers) return []
  const papers: MessageRow['attachments'] = []
  for (const guid of invoiceGuids) papers.push(...(await messageVariables(ctx, 'invoice', 'invoice', guid)).attachments)
  return papers
}

const isOwing = sql`i.status = 'issued' and i.balance_cents > 0`
/** What it speaks of is paid, or void: its invoices, or all that its customer owed the business. */
export const isSettled = sql<boolean>`(m.cancel_when = 'settled' and not case
  when exists (select from message_invoices x where x.message_guid = m.guid) then exists (select from message_invoices x
    join invoices i on i.guid = x.invoice_guid where x.message_guid = m.guid and ${isOwing})
  when m.owner_type = 'invoice' then exists (select from invoices i where i.guid = m.owner_guid and ${isOwing})
  else exists (select from invoices i where i.business_guid = m.business_guid and ${isOwing}
    and ${membersAre(sql.ref('i.customerGuid'), keeperOf(sql.ref('m.customerGuid')))}) end)`

export const setMessage = (ctx: Ctx, row: Pick<MessageRow, 'guid' | 'version'>, values: object) =>
  ctx.db
    .updateTable('messages')
    .set({ ...values, version: row.version + 1, updatedAt: ctx.now })
    .where('guid', '=', row.guid)
    .execute()

export async function lockDue(ctx: Ctx, guid: string): Promise<MessageRow | null> {
  const row = await lockMessage(ctx, guid)
  return row?.status === 'scheduled' && row.scheduledAt !== null && new Date(row.scheduledAt) <= ctx.now ? row : null
}

async function takeBack(ctx: Ctx, row: MessageRow, why: string): Promise<true> {
  const isStep = row.isAutomatic && row.template === 'reminder'
  const reason = isStep ? `${why} This step isn’t repeated.` : why
  await setMessage(ctx, row, { status: 'cancelled', failureReason: reason })
  ctx.audit(auditOf(row, 'message.cancelled', reason))
  return true
}

/** Leaves out what a message need not speak of any more; why it has nothing left to say, or null. */
async function asked(ctx: Ctx, row: MessageRow): Promise<{ reason: string | null; attachments?: string }> {
  const again = row.isAutomatic && row.template ? await askers.get(row.template as TemplateKind)?.(ctx, row.guid) : null
  if (!again) return { reason: null }
  if (again.reason !== null) return again
  const { numDeletedRows } = await ctx.db
    .deleteFrom('messageInvoices')
    .where('messageGuid', '=', row.guid)
    .where('invoiceGuid', 'not in', again.invoiceGuids)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return { reason: null }
  return { reason: null, attachments: JSON.stringify(await papersOf(ctx, again.invoiceGuids)) }
}

/** Fixes the words of a message whose time has come, with what is so now, and has it sent; or takes it back. */
export async function release(ctx: Ctx, guid: string): Promise<boolean> {
  const row = await lockDue(ctx, guid)
  if (!row?.source || !row.businessGuid) return false
  const quiet = row.isAutomatic ? (await findQuiet(ctx.db, [row.businessGuid])).get(row.businessGuid) : undefined
  if (quiet && isQuietNow(quiet, ctx.now)) return false
  await ctx.workFor(row.businessGuid)
  const { rows } = await sql<{ isSettled: boolean }>`select ${isSettled} as "isSettled" from messages m
    where m.guid = ${guid}::uuid`.execute(ctx.db)
  if (rows[0]?.isSettled) return takeBack(ctx, row, 'Nothing is owing.')
  const { reason, ...parts } = await asked(ctx, row)
  if (reason !== null) return takeBack(ctx, row, reason)
  const closed = await suppressedAmong(ctx.db, row.businessGuid, row.recipients, row.category)
  if (row.recipients.every((address) => closed.has(address.toLowerCase()))) {
    await setMessage(ctx, row, { status: 'suppressed', settledAt: ctx.now })
    ctx.audit(auditOf(row, 'message.suppressed'))
    return true
  }
  const template = await usedTemplate(ctx.db, row.source.templateVersionGuid, row.source.language)
  const about = await withFieldsOf(ctx, await aboutMessage(ctx, row), template?.kind)
  const { subject, facts } = fillOrRefuse({ source: row.source, template }, about)
  const queued = { status: 'queued', subject, facts: JSON.stringify(facts), nextAttemptAt: ctx.now, ...parts }
  await setMessage(ctx, row, queued)
  ctx.audit(auditOf({ ...row, subject }, 'message.queued'))
  await workOffQueue(ctx)
  return true
}
