import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { keptAnswer, signatureHeader, unanswered } from '../../contract/webhooks.ts'
import { guardedFetch } from '../core/adapters/guarded-fetch.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { readHold } from '../core/hold.ts'
import { type Lookup, OutboundError } from '../core/outbound.ts'
import { notify } from '../core/notices.ts'
import { stamp } from '../core/records.ts'
import { nextTry } from './retries.ts'
import { openSecret, signatureOf } from './signing.ts'

/** How long an address may take for its whole answer. */
const answerMs = 10_000
/** How long a process may take for one delivery before another one may take it up. */
export const leaseMs = 60_000
/** Deliveries one process makes at once, and how many of them to one address, whoever makes them. */
const lanes = 8
const lanesOfOne = 2
const lookAgainMs = 200

export interface DeliveryOptions {
  answerMs?: number
  lookup?: Lookup
}

/** A delivery that is held, with all that its try needs. */
export interface Held {
  guid: string
  webhookGuid: string
  attempts: number
  body: string
  isTest: boolean
  firstAt: Date
  url: string
  secret: string
  oldSecret: string | null
}

/** What an address made of a try. */
interface Answer {
  status: number | null
  said: string
}

/** Claims go one after the other, whichever process makes them: so what is under way is counted right. */
const claimLock = 7003

/**
 * Takes the next delivery that is due, of the address that least is under way to: a slow one keeps none of the others
 * waiting. Null where nothing may be tried now.
 */
export const claimDue = (ctx: OpenCtx): Promise<Held | null> =>
  ctx.tx(async (tx) => {
    await sql`select pg_advisory_xact_lock(${claimLock})`.execute(tx.db)
    if ((await readHold(tx.db)) !== null) return null
    const now = tx.deps.now()
    const isDue = sql`d.state = 'waiting' and d.next_at <= ${now}
      and (d.lease_until is null or d.lease_until <= ${now})`
    const { rows } = await sql<{ guid: string }>`select due.guid from webhooks w
      cross join lateral (select count(*) as n from webhook_deliveries b
        where b.webhook_guid = w.guid and b.state = 'waiting' and b.lease_until > ${now}) under_way
      cross join lateral (select d.guid, d.next_at from webhook_deliveries d where d.webhook_guid = w.guid and ${isDue}
        order by d.next_at limit 1) due
      where w.status = 'active' and w.archived_at is null and under_way.n < ${lanesOfOne}
      order by under_way.n, due.next_at limit 1`.execute(tx.db)
    return rows[0] ? hold(tx, rows[0].guid, now) : null
  })

/** Notes that a delivery is being tried. A try counts from its beginning: whoever dies meanwhile has made one. */
export async function hold(tx: Pick<Ctx, 'db'>, guid: string, now: Date): Promise<Held> {
  const { firstAt, ...row } = await tx.db
    .updateTable('webhookDeliveries as d')
    .from('webhooks as w')
    .whereRef('w.guid', '=', 'd.webhookGuid')
    .where('d.guid', '=', guid)
    .set({
      attempts: sql`d.attempts + 1`,
      triedAt: now,
      firstAt: sql`coalesce(d.first_at, ${now})`,
      leaseUntil: new Date(now.getTime() + leaseMs),
    })
    .returning(['d.guid', 'd.webhookGuid', 'd.attempts', 'd.body', 'd.isTest', 'd.firstAt'])
    .returning(['w.url', 'w.secret'])
    .returning(sql<string | null>`case when w.old_until > ${now} then w.old_secret end`.as('oldSecret'))
    .executeTakeFirstOrThrow()
  return { ...row, firstAt: new Date(firstAt ?? now) }
}

/** Tries a delivery that is held, and writes what came of it. */
export async function deliver(ctx: OpenCtx, held: Held, options: DeliveryOptions = {}): Promise<boolean> {
  const at = ctx.deps.now()
  const answer = await send(ctx, held, at, options)
  await ctx.tx((tx) => settle(tx, held, answer, at))
  return isTaken(answer)
}

const isTaken = ({ status }: Answer) => status !== null && status >= 200 && status < 300
/** The address says itself that it is there no more. */
const isGone = ({ status }: Answer) => status === 410

async function send(ctx: OpenCtx, held: Held, at: Date, { answerMs: ms = answerMs, lookup }: DeliveryOptions) {
  const { keys, settings } = ctx.deps
  const secret = openSecret(keys, held.webhookGuid, held.secret)
  if (secret === null) return { status: null, said: unanswered.secret }
  const old = held.oldSecret === null ? null : openSecret(keys, held.webhookGuid, held.oldSecret)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Brolga-Webhooks',
    'brolga-delivery': held.guid,
    [signatureHeader.toLowerCase()]: signatureOf(old === null ? [secret] : [secret, old], at, held.body),
  }
  const call = { method: 'POST', headers, body: held.body, timeoutMs: ms, maxBytes: 4 * keptAnswer } as const
  try {
    const { status, body } = await guardedFetch(settings, held.url, call, lookup)
    return { status, said: kept(body) }
  } catch (error) {
    ctx.log.debug({ err: error, delivery: held.guid }, 'a webhook did not answer')
    return { status: null, said: reasonOf(error) }
  }
}

/** An answer as text: what no column can hold, and what would move a terminal or turn the line, is left out. */
const kept = (body: string): string =>
  body
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- leaving out control characters is the point
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .slice(0, keptAnswer)
    .toWellFormed()

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: unanswered.refused,
  ECONNRESET: unanswered.broken,
  EPIPE: unanswered.broken,
  ABORT_ERR: unanswered.late,
  ETIMEDOUT: unanswered.late,
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return error.message
  const { name = '', code = '' } = error as { name?: string; code?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return unanswered.late
  const said = typeof code === 'string' ? code : ''
  if (said.startsWith('HPE_')) return unanswered.unreadable
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(said)) return unanswered.certificate
  return reasons[said] ?? unanswered.failed
}

/** Writes what came of a try; nothing where its lease ran out and somebody else holds the delivery. */
async function settle(tx: Ctx, held: Held, answer: Answer, at: Date): Promise<void> {
  const next = isTaken(answer) || isGone(answer) || held.isTest ? null : nextTry(held.firstAt, at)
  const state = isTaken(answer) ? 'delivered' : next === null ? 'failed' : 'waiting'
  const done = await tx.db
    .updateTable('webhookDeliveries')
    .set({ state, status: answer.status, said: answer.said || null, nextAt: next, leaseUntil: null })
    .where('guid', '=', held.guid)
    .where('state', '=', 'waiting')
    .where('attempts', '=', held.attempts)
    .executeTakeFirst()
  if (done.numUpdatedRows > 0n && isGone(answer)) await pauseGone(tx, held)
}

/** Nothing more is sent to an address that is gone until somebody has looked; what waits stays. */
async function pauseGone(tx: Ctx, { guid: delivery, webhookGuid: guid }: Held): Promise<void> {
  const row = await tx.db
    .selectFrom('webhooks')
    .selectAll()
    .where('guid', '=', guid)
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  await tx.db
    .updateTable('webhooks')
    .set({ status: 'paused', pausedReason: 'gone', ...stamp(tx, row.version) })
    .where('guid', '=', guid)
    .execute()
  tx.audit({ action: 'webhook.paused', entity: 'Webhooks', guid, after: { name: row.name }, reason: 'gone' })
  await notify(tx, {
    kind: 'webhook.paused',
    noun: 'Webhooks',
    recordGuid: guid,
    event: `webhook.paused:${delivery}`,
    values: { name: row.name },
  })
}

/** How many are due and may go out now, to whatever address. */
async function countDue(ctx: Pick<Ctx, 'db' | 'deps'>): Promise<number> {
  if ((await readHold(ctx.db)) !== null) return 0
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from webhook_deliveries d
    join webhooks w on w.guid = d.webhook_guid and w.status = 'active' and w.archived_at is null
    where d.state = 'waiting' and d.next_at <= ${ctx.deps.now()}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/**
 * Makes what is due, several at once, until nothing is left or the time is over. Two callers never make the same. While
 * an address keeps one of them waiting, the others look for what has become due meanwhile.
 */
export async function deliverDue(ctx: OpenCtx, hasTime: () => boolean, options: DeliveryOptions = {}) {
  const report = { succeeded: 0, failed: 0 }
  const underWay = new Set<Promise<boolean>>()
  const lane = async () => {
    while (hasTime()) {
      const held = await claimDue(ctx)
      if (held) {
        const work = deliver(ctx, held, options)
        underWay.add(work)
        report[(await work.finally(() => underWay.delete(work))) ? 'succeeded' : 'failed']++
      } else if (underWay.size === 0) return
      // What fails is told by the lane that does it.
      else await Promise.race([sleep(lookAgainMs), Promise.allSettled(underWay)])
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { ...report, remaining: await countDue(ctx) }
}
