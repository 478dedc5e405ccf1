import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { fromKysely } from 'pg-boss'
import { AppError } from '../../contract/core/errors.ts'
import { type BusinessRow, findBusiness } from './business.ts'
import type { Actor, AuditLine, Chain, Ctx, Db, OpenCtx, RequestFacts } from './ctx.ts'
import type { DB } from './db/schema.ts'
import { transact } from './db/transact.ts'
import type { Deps } from './deps.ts'
import { announceEvents, raiseEvents } from './events.ts'
import { isRetryable } from './http/errors.ts'
import { type Answer, answerKept, keepAnswer, type KeyUse } from './http/idempotency.ts'
import type { Turns } from './turns.ts'

const maxAttempts = 4
/** A statement has fewer values than 65,536. */
const linesAtOnce = 1000

/** What a run starts from; contexts are made from it, one per transaction. */
export interface Run {
  deps: Deps
  actor: Actor
  rows: Ctx['rows']
  /** Of whoever asks; guests and jobs name that of the record they are about. */
  business: BusinessRow | null
  now: Date
  log: Ctx['log']
  request: RequestFacts
  /** Raised when the caller was told that it took too long: nothing may be committed after that. */
  isOver: boolean
  /** Whether a line of the audit log was written. */
  isAudited: boolean
  /** Whether events were raised that actions may wait for. */
  hasEvents: boolean
  /** What an action does follows from the event it waited for. */
  chain?: Chain
  /** Waits for the turn of a transaction without holding a connection. */
  turns: Turns
  /** A write that leaves no line in the audit log is refused and rolled back. */
  mustAudit: boolean
  /** The answer to keep for whoever sends the same request again. */
  kept?: { use: KeyUse; answer: Answer } | null
}

const noRequest: RequestFacts = {
  id: '',
  ip: null,
  userAgent: null,
  language: 'en',
  idempotencyKey: null,
  apiGuid: null,
  businessGuid: null,
  bearer: null,
  raw: null,
}

/** A run of the system itself: a job, a cron call, the sample maker. */
export const systemRun = (deps: Deps, name: string): Run => ({
  deps,
  actor: { kind: 'system', name },
  rows: 'all',
  business: null,
  now: deps.now(),
  log: deps.log,
  request: noRequest,
  isOver: false,
  isAudited: false,
  hasEvents: false,
  turns: (work) => work(),
  mustAudit: false,
})

/** The context of reads and of external work: on the pool, with short transactions by `ctx.tx`. */
export function openCtx(run: Run, db: Db = run.deps.db): OpenCtx {
  return {
    ...shared(run),
    get business() {
      return businessOf(run)
    },
    workFor: (guid) => workFor(run, db, guid),
    deps: run.deps,
    db,
    audit: () => {
      throw new Error('an audit line needs a transaction: write it within ctx.tx')
    },
    enqueue: (queue, data, options) => send(run, db, queue, data, options),
    tx: (work) => inTransaction(run, work),
  }
}

/** Runs work in one transaction with its audit lines; tried again when it lost a race against another one. */
export function inTransaction<T>(run: Run, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return run.turns(() => attempt(run, work))
}

async function attempt<T>(run: Run, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  // Whoever was told to come back meanwhile does not take a connection any more.
  if (run.isOver) throw new AppError('OVERLOADED')
  for (let tries = 1; ; tries++) {
    try {
      const result = await transact(run.deps.db, (db) => inOpenTransaction(run, db, work))
      announceEvents(run)
      return result
    } catch (error) {
      if (!isRetryable(error) || tries >= maxAttempts || run.isOver) throw error
      await sleep(tries * (5 + Math.random() * 20))
    }
  }
}

/** The same inside a transaction that is open already, for jobs that settle themselves in it. */
export async function inOpenTransaction<T>(run: Run, db: Transaction<DB>, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const lines: AuditLine[] = []
  const ctx: Ctx = {
    ...shared(run),
    get business() {
      return businessOf(run)
    },
    workFor: (guid) => workFor(run, db, guid),
    db,
    audit: (line) => void lines.push(line),
    enqueue: (queue, data, options) => send(run, db, queue, data, options),
  }
  const result = await work(ctx)
  if (run.mustAudit && lines.length === 0) throw new Error('a write ended without an audit line')
  if (lines.length > 0) {
    await writeAudit(run, db, lines)
    if (await raiseEvents(run, db, lines)) run.hasEvents = true
    run.isAudited = true
  } else if (run.kept) await keepAnswer(db, run.deps.keys, run.kept.use, run.kept.answer)
  if (run.isOver) throw new AppError('OVERLOADED')
  return result
}

const shared = (run: Run) => ({
  actor: run.actor,
  now: run.now,
  rows: run.rows,
  log: run.log,
  request: run.request,
  deps: run.deps,
})

function businessOf(run: Run): BusinessRow {
  if (run.business) return run.business
  if (run.actor.kind === 'user') throw new AppError('UNAVAILABLE', 'The app isn’t set up yet.')
  throw new Error('the business is not known yet: guests and jobs name that of their record')
}

async function workFor(run: Run, db: Db, guid: string): Promise<BusinessRow> {
  if (run.business?.guid === guid) return run.business
  const row = await findBusiness(db, guid)
  if (!row) throw new Error(`there is no business ${guid}`)
  return (run.business = row)
}

async function send(
  run: Run,
  db: Db,
  queue: string,
  data: Record<string, unknown>,
  options: Parameters<Ctx['enqueue']>[2] = {},
) {
  await run.deps.boss.send(queue, data, { ...options, db: fromKysely(db) })
}

const asJson = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

async function writeAudit(run: Run, db: Db, lines: AuditLine[]) {
  const { actor, request } = run
  const who = {
    actorKind: actor.kind,
    actorGuid: actor.kind === 'user' ? actor.userGuid : null,
    actorName: actor.kind === 'user' || actor.kind === 'system' ? actor.name : '',
    // What is done in somebody's name by itself comes from no caller.
    apiGuid: actor.kind === 'system' ? null : actor.apiGuid || null,
    ip: request.ip ?? '',
    requestId: request.id,
    at: run.now,
  }
  const rows = lines.map((line) => ({
    ...who,
    ...(line.by ? { actorKind: 'user' as const, actorGuid: line.by.guid, actorName: line.by.name } : {}),
    action: line.action,
    entity: line.entity,
    entityGuid: line.guid,
    before: asJson(line.before),
    after: asJson(line.after),
    reason: line.reason ?? '',
  }))
  const { kept } = run
  for (let at = 0; at < rows.length; at += linesAtOnce)
    await (kept && at === 0 ? db.with('kept', (q) => answerKept(q, run.deps.keys, kept.use, kept.answer)) : db)
      .insertInto('auditLog')
      .values(rows.slice(at, at + linesAtOnce))
      .execute()
}
