import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '../../contract/events.ts'
import { nounOf } from '../../contract/nouns.ts'
import { isOpenState } from '../../contract/files.ts'
import { notDueReason, type PlanItem } from '../../contract/jobs.ts'
import { messagesApi, type MessageFailure } from '../../contract/messages.ts'
import { maxUnanswered } from '../core/adapters/mail.ts'
import type { AuditLine, OpenCtx } from '../core/ctx.ts'
import { defineJob } from '../core/jobs/jobs.ts'
import { defineWorked, type Tell } from '../core/jobs/planned.ts'
import { stopOf } from '../core/jobs/runs.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { type Notice, notify } from '../core/notices.ts'
import { quietAmong, quietUntil } from '../core/quiet-time.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { drawSentStatement } from '../documents/statement-paper.service.ts'
import { themeVersionOf } from '../themes/dressing.service.ts'
import { composeWords, type Words } from './compose.ts'
import {
  type Claimed,
  claimDue,
  countDue,
  isNeverHeld,
  listDue,
  type Outcome,
  postpone,
  settle,
  storeWords,
} from './claims.ts'
import { logosOfMail } from './logos.ts'
import { asOffer, withoutSuppressed } from './dropping.ts'
import { leave, type Left, reasonOf } from './leave.ts'
import { nextTry } from './retries.ts'

export const queueName = 'messages.queue'
const job = { name: 'messages', isSending: true }

/** Messages one process sends at once: as many as the mail account has connections. */
const lanes = 2
/** Below the lease, so that a message is never taken up elsewhere while it is still being sent here. */
const sendTimeoutMs = 45_000
/** How long a server that said nothing is given before its Sent folder is asked. */
const unansweredMs = 30 * 60_000
/** A message whose process dies each time is given up in the end. */
const maxTries = 12

export interface QueueOptions {
  sendTimeoutMs?: number
  /** Hears what became of each message. */
  tell?: Tell
}
export interface QueueReport {
  succeeded: number
  failed: number
  remaining: number
}

/**
 * Sends what is due. Each message is taken with a lease in a transaction of its own, composed, sent, and settled; a
 * process that dies in between leaves a lease that runs out, and the message goes out again under the same Message-ID.
 * Two callers never take the same message. While sending is on hold or paused nothing goes out but what lets people log
 * in. What hangs is left to end in the background when the time of the batch is over.
 */
export async function processQueue(
  ctx: OpenCtx,
  hasTime: () => boolean,
  options: QueueOptions = {},
): Promise<QueueReport> {
  const isHeld = (await stopOf(ctx, job)) !== null
  const report = { succeeded: 0, failed: 0 }
  const waiting = new Set<string>()
  const lane = async () => {
    while (hasTime()) {
      const message = await claimDue(ctx, isHeld, waiting)
      if (!message) return
      if (await waits(ctx, message)) {
        options.tell?.({ ...toldOf(message), outcome: 'skipped', reason: 'quiet' })
        continue
      }
      const outcome = await deliver(ctx, message, options)
      const isSent = outcome.status === 'sent'
      report[isSent ? 'succeeded' : 'failed']++
      options.tell?.({
        ...toldOf(message),
        ...(isSent ? { outcome: 'done', reason: null } : { outcome: 'failed', reason: whyOf(outcome) }),
      })
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

async function deliver(ctx: OpenCtx, message: Claimed, options: QueueOptions): Promise<Outcome> {
  const outcome = hopeless(ctx, message) ?? (await sentTo(ctx, message, options))
  await finish(ctx, message, outcome)
  return outcome
}

async function sentTo(ctx: OpenCtx, message: Claimed, options: QueueOptions): Promise<Outcome> {
  const people = await withoutSuppressed(ctx, message)
  if (!people) return { status: 'suppressed', failureReason: phrases('messages')('failure.suppressed') }
  const left = await send(ctx, { ...message, ...people }, options)
  if (left.outcome === 'refused') return failed(left.reason, left.type)
  if (left.outcome !== 'accepted') return againOf(ctx, message, left)
  return {
    status: 'sent',
    rawSha256: isAboutLogin(message) || !left.raw ? null : (await keepBytes(ctx, left.raw, 'message/rfc822')).sha256,
    failureReason: left.refused.map(({ address }) => `not delivered to ${address}`).join('; ') || null,
    refused: left.refused,
    ...(left.sender === undefined ? {} : { sender: left.sender, replyTo: left.replyTo ?? null }),
  }
}

const whyOf = (outcome: Outcome): string =>
  'failureReason' in outcome && outcome.failureReason ? outcome.failureReason : 'no_account'

/** As a preview and a run tell of a message. */
const shownOf = ({ guid, subject, recipients }: Pick<Claimed, 'guid' | 'subject' | 'recipients'>) => ({
  key: guid,
  record: { guid, label: subject },
  effect: `Send “${subject}” to ${recipients.join(', ')}.`,
})

const toldOf = (message: Claimed) => ({ ...shownOf(message), businessGuid: message.businessGuid })

/** What no person sends waits out quiet hours and days, unless an account may have it already. */
async function waits(ctx: OpenCtx, message: Claimed): Promise<boolean> {
  const { isAutomatic, isUnanswered, businessGuid } = message
  if (!isAutomatic || isUnanswered || businessGuid === null) return false
  const quiet = await quietUntil(ctx.db, businessGuid, ctx.deps.now())
  if (quiet) await postpone(ctx, message, quiet)
  return quiet !== null
}

/** Why a message is not even tried any more. */
function hopeless(ctx: OpenCtx, { attempts, facts }: Claimed): Outcome | null {
  const t = phrases('messages')
  if (attempts > maxTries) return failed(t('failure.crashed', { attempts: attempts - 1 }), 'crashed')
  return facts?.until && new Date(facts.until) <= ctx.deps.now() ? failed(t('failure.expired'), 'document') : null
}

const failed = (failureReason: string, failureType: MessageFailure): Outcome => ({
  status: 'failed',
  failureReason,
  failureType,
})

/**
 * What could not be sent is tried again: for days where the mail server is to blame, and three times where that is of
 * no use. What an account took without an answer waits until its Sent folder tells.
 */
function againOf(ctx: OpenCtx, message: Claimed, left: NotSent): Outcome {
  const t = phrases('messages')
  const now = ctx.deps.now()
  if (left.isWaiting) return { status: 'queued', nextAttemptAt: now }
  if (message.attempts > maxUnanswered) {
    if (left.isUnanswered) return failed(t('failure.unanswered', { reason: left.reason }), left.type)
    if (left.isOurs) return failed(left.reason, left.type)
  }
  const isUnanswered = message.isUnanswered || (left.isUnanswered === true && left.byAccount === true)
  const nextAttemptAt =
    left.isUnanswered && left.byAccount
      ? new Date(now.getTime() + unansweredMs)
      : nextTry(message.attempts, new Date(message.createdAt), now)
  return nextAttemptAt
    ? { status: 'deferred', failureReason: left.reason, nextAttemptAt, isUnanswered }
    : failed(t('failure.gaveUp', { reason: left.reason }), left.type)
}

type NotSent = Extract<Left, { reason: string }>

const isAboutLogin = ({ ownerType }: Pick<Claimed, 'ownerType'>) => ownerType === 'user'

const ours = (key: string, error: unknown): NotSent => ({
  outcome: 'deferred',
  reason: phrases('messages')(key, { reason: reasonOf(error) }),
  type: 'document',
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

/** The files that go along, as they were sent to us. */
async function filesWith(ctx: OpenCtx, messageGuid: string) {
  const rows = await ctx.db
    .selectFrom('messageFiles as a')
    .innerJoin('files as f', 'f.guid', 'a.fileGuid')
    .select(['f.name', 'f.mime', 'f.sha256', 'f.scan'])
    .where('a.messageGuid', '=', messageGuid)
    .orderBy('a.position')
    .execute()
  const files: { name: string; mime: string; bytes: Uint8Array }[] = []
  for (const { name, mime, sha256, scan } of rows) {
    const bytes = isOpenState(scan) ? await ctx.deps.files.get(sha256) : null
    if (!bytes) throw new Error(`the file ${name} can’t be read`)
    files.push({ name, mime, bytes })
  }
  return files
}

/** RFC 3834: who answers by a machine does not answer this. */
const notByHand = { 'Auto-Submitted': 'auto-generated' } as const

async function send(ctx: OpenCtx, message: Claimed, options: QueueOptions): Promise<Left> {
  const { guid, sender, recipients, cc, bcc, replyTo, subject, messageId } = message
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
    attachments.push(...(await filesWith(ctx, guid)))
  } catch (error) {
    return ours('failure.document', error)
  }
  const offer = await asOffer(ctx, message, recipients, words)
  const version = await themeVersionOf(ctx.db, message.themeVersionGuid)
  const inline = await logosOfMail(ctx.deps.files, words.bodyHtml, version)
  const mail = {
    guid,
    from: sender,
    to: recipients,
    cc,
    bcc,
    ...(replyTo ? { replyTo } : {}),
    subject,
    html: offer.words.bodyHtml,
    text: offer.words.bodyText,
    headers: message.isAutomatic ? { ...offer.headers, ...notByHand } : offer.headers,
    attachments,
    inline,
    messageId,
  }
  return leave(ctx, message, mail, options.sendTimeoutMs ?? sendTimeoutMs)
}

/**
 * Writes what became of a message, with its line on the document's timeline; a lease that was lost
 * leaves it to the next holder.
 */
const finish = (ctx: OpenCtx, message: Claimed, outcome: Outcome) =>
  ctx.tx(async (tx) => {
    if (!(await settle(tx, message, outcome)) || outcome.status === 'deferred' || outcome.status === 'queued') return
    tx.audit(auditOf(message, `message.${outcome.status}`, outcome.failureReason))
    if (outcome.status !== 'sent')
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
  message: Pick<Claimed, 'guid' | 'ownerType' | 'ownerGuid' | 'ownerNumber' | 'recipients' | 'subject'> & {
    isTest?: boolean
  },
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
    // Whoever logs in, or tries a template, waits for no action.
    of: message.ownerType === 'user' || message.isTest ? null : { noun: 'Messages', guid: message.guid },
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

interface Standing {
  now: Date
  isHeld: boolean
  isQuiet: boolean
}
function itemOf(message: Awaited<ReturnType<typeof listDue>>[number], { now, isHeld, isQuiet }: Standing): PlanItem {
  const { effect, ...shown } = shownOf(message)
  const { nextAttemptAt } = message
  if (nextAttemptAt && new Date(nextAttemptAt) > now)
    return { ...shown, do: false, reason: notDueReason, dueAt: new Date(nextAttemptAt).toISOString() }
  if (isHeld && !isNeverHeld(message)) return { ...shown, do: false, reason: 'held' }
  return isQuiet ? { ...shown, do: false, reason: 'quiet' } : { ...shown, do: true, effect }
}

/** Takes up what was deferred, and what a process that died had begun. */
export const sendingJob = defineWorked<null>({
  ...job,
  call: messagesApi.queue,
  cron: '* * * * *',
  plan: async (ctx, _after, limit) => {
    const isHeld = (await stopOf(ctx, job)) !== null
    const due = await listDue(ctx, limit + 1)
    const quiet = await quietAmong(ctx.db, due, ctx.now)
    return {
      items: due.slice(0, limit).map((message) => ({
        item: itemOf(message, { now: ctx.now, isHeld, isQuiet: quiet(message) }),
        ...{ mark: null, businessGuid: message.businessGuid },
      })),
      isPartial: due.length > limit,
    }
  },
  work: (ctx, hasTime, tell) => processQueue(ctx, hasTime, { tell }),
})
