import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '../../contract/events.ts'
import { nounOf } from '../../contract/nouns.ts'
import { type MailResult, maxUnanswered } from '../core/adapters/mail.ts'
import type { AuditLine, OpenCtx } from '../core/ctx.ts'
import { readHold } from '../core/hold.ts'
import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { type Notice, notify } from '../core/notices.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { drawSentStatement } from '../documents/statement-paper.service.ts'
import { themeVersionOf } from '../themes/dressing.service.ts'
import { composeWords, type Words } from './compose.ts'
import { logosOfMail } from './logos.ts'
import { type Claimed, claimDue, countDue, type Outcome, settle, storeWords } from './messages.queries.ts'
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
 * Sends what is due. Each message is taken with a lease in a transaction of its own, composed, sent, and settled; a
 * process that dies in between leaves a lease that runs out, and the message goes out again under the same Message-ID.
 * Two callers never take the same message. While sending is on hold nothing goes out but what lets people log in. What
 * hangs is left to end in the background when the time of the batch is over.
 */
export async function processQueue(
  ctx: OpenCtx,
  hasTime: () => boolean,
  options: QueueOptions = {},
): Promise<QueueReport> {
  const isHeld = (await readHold(ctx.db)) !== null
  const report = { succeeded: 0, failed: 0 }
  const lane = async () => {
    while (hasTime()) {
      const message = await claimDue(ctx, isHeld)
      if (!message) return
      const isSent = await deliver(ctx, message, options)
      report[isSent ? 'succeeded' : 'failed']++
    }
  }
  const work = Promise.all(Array.from({ length: lanes }, lane)).then(() => true)
  work.catch((error: unknown) => ctx.log.error({ err: error }, 'a message could not be settled'))
  let isDone = false
  do {
    isDone = await Promise.race([work, sleep(100, false)])
  } while (!isDone && hasTime())
  return { ...report, remaining: await countDue(ctx, isHeld) }
}

async function deliver(ctx: OpenCtx, message: Claimed, options: QueueOptions): Promise<boolean> {
  const failureReason = hopeless(ctx, message)
  if (failureReason) {
    await finish(ctx, message, { status: 'failed', failureReason })
    return false
  }
  const result = await send(ctx, message, options)
  if (result.outcome === 'accepted') {
    await finish(ctx, message, {
      status: 'sent',
      rawSha256: isAboutLogin(message) ? null : (await keepBytes(ctx, result.raw, 'message/rfc822')).sha256,
      failureReason: /not delivered to/.test(result.response) ? result.response : null,
    })
    return true
  }
  await finish(ctx, message, result.outcome === 'refused' ? failed(result.reason) : againOf(ctx, message, result))
  return false
}

/** Why a message is not even tried any more. */
function hopeless(ctx: OpenCtx, { attempts, facts }: Claimed): string | null {
  const t = phrases('messages')
  if (attempts > maxTries) return t('failure.crashed', { attempts: attempts - 1 })
  return facts?.until && new Date(facts.until) <= ctx.deps.now() ? t('failure.expired') : null
}

const failed = (failureReason: string): Outcome => ({ status: 'failed', failureReason })

/**
 * What could not be sent is tried again: for days where the mail server is to blame, and three
 * times where that is of no use.
 */
function againOf(ctx: OpenCtx, message: Claimed, result: Deferred): Outcome {
  const t = phrases('messages')
  if (message.attempts > maxUnanswered) {
    if (result.isUnanswered) return failed(t('failure.unanswered', { reason: result.reason }))
    if (result.isOurs) return failed(result.reason)
  }
  const nextAttemptAt = nextTry(message.attempts, new Date(message.createdAt), ctx.deps.now())
  return nextAttemptAt
    ? { status: 'deferred', failureReason: result.reason, nextAttemptAt }
    : failed(t('failure.gaveUp', { reason: result.reason }))
}

/** `isOurs`: the mail server was not even asked, because the message could not be made. */
type Deferred = Extract<MailResult, { reason: string }> & { isOurs?: true }
type Sent = Exclude<MailResult, { reason: string }> | Deferred

const isAboutLogin = ({ ownerType }: Pick<Claimed, 'ownerType'>) => ownerType === 'user'

const ours = (key: string, error: unknown): Deferred => ({
  outcome: 'deferred',
  reason: phrases('messages')(key, { reason: reasonOf(error) }),
  isOurs: true,
})

/**
 * The words of a message, composed once and kept, so that every try and every resend says the same. Those of an account
 * email are made of the same facts each time and never kept: its link is for its reader alone.
 */
async function wordsOf(ctx: OpenCtx, message: Claimed): Promise<Words> {
  const { facts, bodyHtml, bodyText } = message
  if (bodyHtml !== null && bodyText !== null) return { bodyHtml, bodyText }
  if (!facts) throw new Error('it has neither words nor facts')
  const words = await composeWords(ctx, {
    ...message,
    facts,
    themeVersion: await themeVersionOf(ctx.db, message.themeVersionGuid),
  })
  if (!isAboutLogin(message) && !(await storeWords(ctx, message, words))) throw new Error('its lease ran out')
  return words
}

async function send(ctx: OpenCtx, message: Claimed, options: QueueOptions): Promise<Sent> {
  const { guid, sender, recipients, replyTo, subject, messageId } = message
  let words: Words
  try {
    words = await wordsOf(ctx, message)
  } catch (error) {
    return ours('failure.template', error)
  }
  const attachments: { name: string; mime: string; bytes: Uint8Array }[] = []
  try {
    for (const { kind, guid: document, name } of message.attachments)
      attachments.push({
        name,
        mime: 'application/pdf',
        bytes: (await (kind === 'statement' ? drawSentStatement(ctx, document) : renderPdf(ctx, kind, document))).bytes,
      })
  } catch (error) {
    return ours('failure.document', error)
  }
  const version = await themeVersionOf(ctx.db, message.themeVersionGuid)
  const inline = await logosOfMail(ctx.deps.files, words.bodyHtml, version)
  const late = new AbortController()
  const timeout = sleep(options.sendTimeoutMs ?? sendTimeoutMs, undefined, { signal: late.signal }).then(
    (): MailResult => ({ outcome: 'deferred', reason: phrases('messages')('failure.silent') }),
  )
  const sending = ctx.deps.mail
    .send({
      guid,
      from: sender,
      to: recipients,
      ...(replyTo ? { replyTo } : {}),
      subject,
      html: words.bodyHtml,
      text: words.bodyText,
      attachments,
      inline,
      messageId,
    })
    .catch((error: unknown): MailResult => ({ outcome: 'deferred', reason: reasonOf(error) }))
  return Promise.race([sending, timeout]).finally(() => {
    late.abort()
    timeout.catch(() => undefined)
  })
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500)

/**
 * Writes what became of a message, with its line on the document's timeline; a lease that was lost
 * leaves it to the next holder.
 */
const finish = (ctx: OpenCtx, message: Claimed, outcome: Outcome) =>
  ctx.tx(async (tx) => {
    if (!(await settle(tx, message, outcome)) || outcome.status === 'deferred') return
    tx.audit(auditOf(message, outcome.status === 'sent' ? 'message.sent' : 'message.failed', outcome.failureReason))
    if (outcome.status === 'failed')
      await notify(tx, {
        kind: 'message.failed',
        ...noticeOf(message, tx.now),
        values: { subject: message.subject, to: message.recipients.join(', '), reason: outcome.failureReason },
      })
  })

/**
 * A failed account email is told on the page of its user, once a day: strangers may ask for one as often as they like.
 */
const noticeOf = (message: Claimed, now: Date): Pick<Notice, 'noun' | 'recordGuid' | 'event'> =>
  isAboutLogin(message) && message.ownerGuid
    ? {
        noun: 'Users',
        recordGuid: message.ownerGuid,
        event: `message.failed:${message.ownerGuid}:${now.toISOString().slice(0, 10)}`,
      }
    : { noun: 'Messages', recordGuid: message.guid, event: `message.failed:${message.guid}:${message.attempts}` }

/** What happened to a message, on the timeline of whom or what it is about. */
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
