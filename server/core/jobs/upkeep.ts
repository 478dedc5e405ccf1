import { sql } from 'kysely'
import type { Ctx, OpenCtx } from '../ctx.ts'
import { defineBatch } from './jobs.ts'

const linesPerSeal = 5000
const rowsPerStep = 5000
const horizonKey = 'audit-horizon'

/** Lines up to `toId` may be sealed when none of the writers is at work any more who were when it was the last line. */
interface Horizon {
  toId: number
  writers: string[]
}

/**
 * Seals the audit log: each seal hashes a stretch of lines and the seal before. A writer that is still at work may hold a line
 * whose number is older than lines already there, so a stretch waits for everybody who was writing when its end was chosen.
 */
export const sealBatch = defineBatch('audit-seal', '* * * * *', async (ctx, hasTime) => {
  let sealed = 0
  const sealTo = async (horizon: Horizon | null) => {
    if (!horizon || (await writersNow(ctx)).some((writer) => horizon.writers.includes(writer))) return false
    for (let count = -1; count !== 0 && hasTime(); sealed += Math.max(count, 0)) count = await sealOnce(ctx, horizon.toId)
    return true
  }
  const before = await readHorizon(ctx)
  // While somebody is still waited for, the horizon stays where it is: moving it on would wait for ever on a busy server.
  if (before === null || (await sealTo(before))) await sealTo(await setHorizon(ctx))
  return { succeeded: sealed, failed: 0, remaining: 0 }
})

async function readHorizon(ctx: Ctx): Promise<Horizon | null> {
  const row = await ctx.db.selectFrom('appState').select('value').where('key', '=', horizonKey).executeTakeFirst()
  return row ? (row.value as unknown as Horizon) : null
}

/** Transactions that have written to the audit log and are not over: they took this lock before their first line got its number. */
async function writersNow(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'audit_log'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(ctx.db)
  return rows.map(({ writer }) => writer)
}

async function setHorizon(ctx: Ctx): Promise<Horizon> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from audit_log`.execute(ctx.db)
  const horizon: Horizon = { toId: rows[0]?.id ?? 0, writers: await writersNow(ctx) }
  const value = JSON.stringify(horizon)
  await ctx.db.insertInto('appState').values({ key: horizonKey, value, updatedAt: ctx.now }).onConflict((c) => c.column('key').doUpdateSet({ value, updatedAt: ctx.now })).execute()
  return horizon
}

const sealOnce = (ctx: OpenCtx, toId: number) =>
  ctx.tx(async (tx) => {
    const last = await tx.db.selectFrom('auditSeals').select(['toId', 'hash']).orderBy('id', 'desc').limit(1).executeTakeFirst()
    const afterId = last?.toId ?? 0
    const previousHash = last?.hash ?? ''
    const { rows } = await sql<{ count: number; last: number; hash: string }>`
      select count(*)::int as count, max(l.id) as last, encode(sha256(convert_to(${previousHash}::text || string_agg(audit_line_hash(l.line), '' order by l.id), 'UTF8')), 'hex') as hash
      from (select a as line, a.id from audit_log a where a.id > ${afterId} and a.id <= ${toId} order by a.id limit ${linesPerSeal}) l`.execute(tx.db)
    const stretch = rows[0]
    if (!stretch || stretch.count === 0) return 0
    await tx.db.insertInto('auditSeals').values({ afterId, toId: stretch.last, lineCount: stretch.count, previousHash, hash: stretch.hash }).execute()
    return stretch.count
  })

/** Takes away what has served its time: keys after two days, sessions and limits when they are over. */
export const pruneBatch = defineBatch('prune', '7 * * * *', async (ctx, hasTime) => {
  const targets = [
    sql`delete from idempotency_keys where ctid = any(array(select ctid from idempotency_keys where created_at < now() - interval '48 hours' limit ${rowsPerStep}))`,
    sql`delete from rate_limits where ctid = any(array(select ctid from rate_limits where resets_at < now() - interval '1 hour' limit ${rowsPerStep}))`,
    sql`delete from sessions where ctid = any(array(select ctid from sessions where renewable_until < now() - interval '7 days' limit ${rowsPerStep}))`,
  ]
  let removed = 0
  for (const target of targets) {
    for (let count = rowsPerStep; count === rowsPerStep && hasTime(); removed += count) count = Number((await target.execute(ctx.db)).numAffectedRows ?? 0n)
  }
  return { succeeded: removed, failed: 0, remaining: 0 }
})
