import { sql } from 'kysely'
import type { MessageFailure } from '../../contract/messages.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { type Route, routeOf, sameRoute } from '../email-accounts/routes.service.ts'
import { type QuietUntil, scheduledAt } from '../core/quiet-time.ts'
import type { Words } from './compose.ts'
import type { MessageRow } from './messages.queries.ts'

/** How long a process may take for one message before another one may take it up. */
const leaseMs = 60_000

const claimed = [
  'guid',
  'businessGuid',
  'template',
  'facts',
  'attempts',
  'createdAt',
  'ownerType',
  'ownerGuid',
  'ownerNumber',
  'sender',
  'replyTo',
  'replyToken',
  'recipients',
  'cc',
  'bcc',
  'subject',
  'bodyHtml',
  'bodyText',
  'attachments',
  'messageId',
  'purpose',
  'category',
  'source',
  'isUnanswered',
  'isTest',
  'isAutomatic',
  'themeVersionGuid',
] as const
/** A message that is held, and the account it leaves by. */
export type Claimed = Pick<MessageRow, (typeof claimed)[number]> & { route: Route }

/** Account emails are not held: without them nobody who has to log in anew could end the hold. */
export const isNeverHeld = ({ ownerType }: Pick<MessageRow, 'ownerType'>) => ownerType === 'user'

const due = (now: Date, isHeld: boolean) =>
  sql<boolean>`(${isHeld ? sql`m.owner_type = 'user' and` : sql``} ((m.status in ('queued', 'deferred')
    and m.next_attempt_at <= ${now}) or (m.status = 'sending' and m.lease_until < ${now})))`

/**
 * A server may have the whole message: it never said a word, or whoever sent it died before he had its answer. The
 * account it was given to is asked for it before it goes out again.
 */
const mayBeSent = sql<boolean>`((m.is_unanswered or m.status = 'sending') and m.account_guid is not null)`

/** Messages that wait for the same account wait together: none of them holds the others up. */
const lineOf = sql<string>`case when ${mayBeSent} then m.account_guid::text
  else coalesce(m.business_guid::text, '') || ' ' || m.purpose end`

const takenUp = (now: Date, route: Route) => ({
  leaseUntil: new Date(now.getTime() + leaseMs),
  accountGuid: route.by === 'account' ? route.account.guid : null,
  accountAt: route.by === 'account' ? now : null,
})

/**
 * Takes the next message that is due, with a lease and the account it leaves by; null when there is none. Messages that
 * others take just now are passed over, and so are those in `waiting`, whose accounts take none now: they stay queued,
 * and no try is counted.
 */
export async function claimDue(
  ctx: OpenCtx,
  isHeld = false,
  waiting: Set<string> = new Set(),
): Promise<Claimed | null> {
  for (;;) {
    const taken = await ctx.tx((tx) => claimNext(tx, isHeld, [...waiting]))
    if (taken === null || typeof taken !== 'string') return taken
    waiting.add(taken)
  }
}

async function claimNext(ctx: Ctx, isHeld: boolean, waiting: string[]): Promise<Claimed | string | null> {
  const now = ctx.deps.now()
  const { rows } = await sql<
    Pick<Claimed, 'guid' | 'businessGuid' | 'purpose'> & {
      accountGuid: string | null
      mayBeSent: boolean
      line: string
    }
  >`select m.guid, m.business_guid, m.purpose, m.account_guid, ${mayBeSent} as may_be_sent, ${lineOf} as line
    from messages m where ${due(now, isHeld)} and ${lineOf} <> all(${waiting}::text[])
    order by m.next_attempt_at nulls first limit 1 for update skip locked`.execute(ctx.db)
  const [next] = rows
  if (!next) return null
  const wanted = { ...next, messageGuid: next.guid }
  const route =
    next.mayBeSent && next.accountGuid ? await sameRoute(ctx, wanted, next.accountGuid) : await routeOf(ctx, wanted)
  if (route.by === 'none') return next.line
  const row = await ctx.db
    .updateTable('messages')
    .set({
      status: 'sending',
      attempts: sql`attempts + 1`,
      ...takenUp(now, route),
      ...(next.mayBeSent ? { isUnanswered: true } : {}),
    })
    .where('guid', '=', next.guid)
    .returning(claimed)
    .executeTakeFirstOrThrow()
  return { ...row, route }
}

/** Another account for a message that is held, after some have failed before they had anything of it. */
export const takeNext = (ctx: OpenCtx, message: Claimed, except: readonly string[]): Promise<Route> =>
  ctx.tx(async (tx) => {
    const still = await tx.db
      .selectFrom('messages')
      .select('guid')
      .where('guid', '=', message.guid)
      .where('status', '=', 'sending')
      .where('attempts', '=', message.attempts)
      .forUpdate()
      .executeTakeFirst()
    if (!still) return { by: 'none' as const }
    const route = await routeOf(tx, { ...message, messageGuid: message.guid }, except)
    if (route.by === 'none') return route
    await held(tx, message).set(takenUp(tx.deps.now(), route)).execute()
    return route
  })

const lookAheadMs = 24 * 3_600_000

/** What is due or tried again within a day, in the order in which it is taken, whether or not sending is held. */
export async function listDue(ctx: Pick<Ctx, 'db' | 'deps'>, limit: number) {
  const now = ctx.deps.now()
  const ahead = new Date(now.getTime() + lookAheadMs)
  const { rows } = await sql<
    Pick<MessageRow, 'guid' | 'businessGuid' | 'subject' | 'recipients' | 'ownerType' | 'nextAttemptAt' | 'isAutomatic'>
  >`select m.guid, m.business_guid, m.subject, m.recipients, m.owner_type, m.next_attempt_at, m.is_automatic
    from messages m where (${due(now, false)} or (m.status in ('queued', 'deferred') and m.next_attempt_at <= ${ahead}))
    order by m.next_attempt_at nulls first limit ${limit}`.execute(ctx.db)
  return rows
}

export async function countDue(ctx: Pick<Ctx, 'db' | 'deps'>, isHeld: boolean): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from messages m where ${due(ctx.deps.now(), isHeld)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** `refused`: recipients that the server took no message for, and why. */
interface Sent {
  status: 'sent'
  rawSha256: string | null
  failureReason: string | null
  sender?: string
  replyTo?: string | null
  refused: readonly { address: string; reason: string }[]
}
export type Outcome =
  | Sent
  | { status: 'deferred'; failureReason: string; nextAttemptAt: Date; isUnanswered: boolean }
  /** Nobody was asked: it waits on as if it had not been taken up. */
  | { status: 'queued'; nextAttemptAt: Date }
  | { status: 'failed'; failureReason: string; failureType: MessageFailure }
  /** Nobody is left whom it may go to. */
  | { status: 'suppressed'; failureReason: string }

type Claim = Pick<Claimed, 'guid' | 'attempts'>
const held = (ctx: Pick<Ctx, 'db'>, claim: Claim) =>
  ctx.db
    .updateTable('messages')
    .where('guid', '=', claim.guid)
    .where('status', '=', 'sending')
    .where('attempts', '=', claim.attempts)

/** Keeps the words of a message that is still held by this claim, in place of what they were made of. */
export async function storeWords(ctx: Pick<Ctx, 'db'>, claim: Claim, words: Words): Promise<boolean> {
  const done = await held(ctx, claim)
    .set({ ...words, facts: null })
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

function columnsOf(outcome: Outcome, now: Date) {
  if (outcome.status === 'queued') return { ...outcome, attempts: sql<number>`attempts - 1`, accountAt: null }
  if (outcome.status === 'deferred') return outcome
  if (outcome.status === 'suppressed') return { ...outcome, nextAttemptAt: null, settledAt: now }
  if (outcome.status === 'failed') return { ...outcome, nextAttemptAt: null, settledAt: now, isUnanswered: false }
  const { refused: _refused, ...columns } = outcome
  return { ...columns, failureType: null, nextAttemptAt: null, sentAt: now, settledAt: now, isUnanswered: false }
}

/** Settles a message that is still held by this claim; false when the lease ran out and somebody else holds it. */
export async function settle(ctx: Pick<Ctx, 'db' | 'deps'>, claim: Claim, outcome: Outcome): Promise<boolean> {
  const now = ctx.deps.now()
  const done = await held(ctx, claim)
    .set({ ...columnsOf(outcome, now), leaseUntil: null })
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) return false
  if (outcome.status === 'sent') await settleRecipients(ctx, claim.guid, now, outcome.refused)
  if (outcome.status === 'failed' && ['address', 'refused'].includes(outcome.failureType))
    await recipients(ctx, claim.guid).set({ state: 'refused', at: now, reason: outcome.failureReason }).execute()
  return true
}

const recipients = (ctx: Pick<Ctx, 'db'>, guid: string) =>
  ctx.db.updateTable('messageRecipients').where('messageGuid', '=', guid).where('state', '=', 'waiting')

/**
 * Gives a message back until its time. What was not composed yet says then what is so then; what was keeps its words.
 */
export const postpone = (ctx: Pick<Ctx, 'db'>, claim: Claimed, { at, zone }: QuietUntil) =>
  held(ctx, claim)
    .set({ attempts: sql<number>`attempts - 1`, leaseUntil: null, accountAt: null })
    .set(
      claim.source && claim.bodyHtml === null
        ? { status: 'scheduled', facts: null, nextAttemptAt: null, ...scheduledAt(at, zone) }
        : { status: 'queued', nextAttemptAt: at },
    )
    .execute()

/** A server may take a message for some of its recipients only. */
async function settleRecipients(ctx: Pick<Ctx, 'db'>, guid: string, now: Date, refused: Sent['refused']) {
  for (const { address, reason } of refused)
    await recipients(ctx, guid)
      .set({ state: 'refused', at: now, reason })
      .where(sql<boolean>`lower(address) = lower(${address})`)
      .execute()
  await recipients(ctx, guid).set({ state: 'sent', at: now }).execute()
}
