import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '../../contract/events.ts'
import { nounOf } from '../../contract/nouns.ts'
import { type MailResult, maxUnanswered } from '../core/adapters/mail.ts'
import type { AuditLine, Ctx, OpenCtx } from '../core/ctx.ts'
import { readHold } from '../core/hold.ts'
import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { notify } from '../core/notices.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { type Claimed, claimDue, countDue, type Outcome, settle } from './messages.queries.ts'
import { nextTry } from './retries.ts'

export const queueName = 'messages.queue'

/** Messages one process sends at once: as many as the mail account has connections. */
const lanes = 2
/** Below the lease, so that a message is never taken up elsewhere while it is still being sent here. */
const sendTimeoutMs = 45_000
/** A message whose process dies each time is given up in the end. */
const maxTries = 12

export interface QueueOptions {
  sendTimeoutMs?: number
}
export interface QueueReport {
  succeeded: number
  failed: number
  remaining: number
}

/**
 * Sends what is due. Each message is taken with a lease in a transaction of its own, sent, and settled; a process that dies in
 * between leaves a lease that runs out, and the message goes out again under the same Message-ID. Two callers never take the
 * same message. While sending is on hold nothing goes out. What hangs is left to end in the background when the time of the batch is over.
 */
export async function processQueue(
  ctx: OpenCtx,
  hasTime: () => boolean,
  options: QueueOptions = {},
): Promise<QueueReport> {
  if (await readHold(ctx.db)) return { succeeded: 0, failed: 0, remaining: 0 }
  const report = { succeeded: 0, failed: 0 }
  const lane = async () => {
    while (hasTime()) {
      const message = await claimDue(ctx)
      if (!message) return
      const isSent = await deliver(ctx, message, options)
      report[isSent ? 'succeeded' : 'failed']++
    }
  }
  const work = Promise.all(Array.from({ length: lanes }, lane)).then(() => true)
  work.catch((error: unknown) => ctx.log.error({ err: error }, 'a message could not be settled'))
  while (!(await Promise.race([work, sleep(100, false)])) && hasTime());
  return { ...report, remaining: await countDue(ctx) }
}

async function deliver(ctx: OpenCtx, message: Claimed, options: QueueOptions): Promise<boolean> {
  const t = phrases('messages')
  if (message.attempts > maxTries) {
    await finish(ctx, message, {
      status: 'failed',
      failureReason: t('failure.crashed', { attempts: message.attempts - 1 }),
    })
    return false
  }
  const result = await send(ctx, message, options)
  if (result.outcome === 'accepted') {
    const { sha256 } = await ctx.deps.files.put(result.raw, 'message/rfc822')
    await finish(ctx, message, {
      status: 'sent',
      rawSha256: sha256,
      failureReason: /not delivered to/.test(result.response) ? result.response : null,
    })
    return true
  }
  const isDoubtful = result.outcome === 'deferred' && result.isUnanswered === true && message.attempts > maxUnanswered
  const again =
    result.outcome === 'deferred' && !isDoubtful
      ? nextTry(message.attempts, new Date(message.createdAt), ctx.deps.now())
      : null
  if (again) await finish(ctx, message, { status: 'deferred', failureReason: result.reason, nextAttemptAt: again })
  else
    await finish(ctx, message, {
      status: 'failed',
      failureReason: isDoubtful
        ? t('failure.unanswered', { reason: result.reason })
        : result.outcome === 'deferred'
          ? t('failure.gaveUp', { reason: result.reason })
          : result.reason,
    })
  return false
}

async function send(ctx: Ctx, message: Claimed, options: QueueOptions): Promise<MailResult> {
  const t = phrases('messages')
  const attachments: { name: string; mime: string; bytes: Uint8Array }[] = []
  try {
    for (const { kind, guid, name } of message.attachments)
      attachments.push({ name, mime: 'application/pdf', bytes: (await renderPdf(ctx, kind, guid)).bytes })
  } catch (error) {
    return { outcome: 'deferred', reason: t('failure.document', { reason: reasonOf(error) }) }
  }
  const late = new AbortController()
  const timeout = sleep(options.sendTimeoutMs ?? sendTimeoutMs, undefined, { signal: late.signal }).then(
    (): MailResult => ({ outcome: 'deferred', reason: t('failure.silent') }),
  )
  const { guid, sender, recipients, replyTo, subject, bodyHtml, bodyText, messageId } = message
  const sending = ctx.deps.mail
    .send({
      guid,
      from: sender,
      to: recipients,
      ...(replyTo ? { replyTo } : {}),
      subject,
      html: bodyHtml,
      text: bodyText,
      attachments,
      messageId,
    })
    .catch((error: unknown): MailResult => ({ outcome: 'deferred', reason: reasonOf(error) }))
  return Promise.race([sending, timeout]).finally(() => {
    late.abort()
    timeout.catch(() => undefined)
  })
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500)

/** Writes what became of a message, with its line on the document's timeline; a lease that was lost leaves it to the next holder. */
const finish = (ctx: OpenCtx, message: Claimed, outcome: Outcome) =>
  ctx.tx(async (tx) => {
    if (!(await settle(tx, message, outcome)) || outcome.status === 'deferred') return
    tx.audit(auditOf(message, outcome.status === 'sent' ? 'message.sent' : 'message.failed', outcome.failureReason))
    if (outcome.status === 'failed')
      await notify(tx, {
        kind: 'message.failed',
        noun: 'Messages',
        recordGuid: message.guid,
        event: `message.failed:${message.guid}:${message.attempts}`,
        values: { subject: message.subject, to: message.recipients.join(', '), reason: outcome.failureReason },
      })
  })

/** What happened to a message, on the timeline of the document it is about. */
export function auditOf(
  message: Pick<Claimed, 'guid' | 'ownerType' | 'ownerGuid' | 'ownerNumber' | 'recipients' | 'subject'>,
  action: EventName,
  reason?: string | null,
): AuditLine {
  const owner: Pick<AuditLine, 'entity' | 'guid'> =
    message.ownerType && message.ownerGuid
      ? { entity: nounOf(message.ownerType), guid: message.ownerGuid }
      : { entity: 'Messages', guid: message.guid }
  return {
    action,
    ...owner,
    after: {
      to: message.recipients.join(', '),
      number: message.ownerNumber,
      subject: message.subject,
      messageGuid: message.guid,
    },
    ...(reason ? { reason } : {}),
  }
}

/** Runs as soon as a message is queued. */
export const queueJob = defineJob(queueName, { effect: 'external', concurrency: 1 }, async (ctx) => {
  const startedAt = performance.now()
  const { remaining } = await processQueue(ctx, () => performance.now() - startedAt < 15_000)
  if (remaining > 0) ctx.log.info({ remaining }, 'messages wait for the next run')
})

/** Takes up what was deferred, and what a process that died had begun. */
export const queueBatch = defineBatch('messages', '* * * * *', processQueue)
