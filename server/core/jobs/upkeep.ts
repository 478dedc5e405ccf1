import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '../ctx.ts'
import { defineBatch } from './jobs.ts'

const linesPerSeal = 5000
const rowsPerStep = 5000
const horizonKey = 'audit-horizon'

interface Horizon {
  toId: number
  /** The transaction id from which on every transaction began after `toId` was given out. */
  xid: string
}

/**
 * Seals the audit log: each seal hashes a stretch of lines and the seal before. Lines are taken up to a horizon beyond which no
 * older transaction can still write, so that a line never appears behind a seal.
 */
export const sealBatch = defineBatch('audit-seal', '* * * * *', async (ctx, hasTime) => {
  let sealed = 0
  const horizon = await readHorizon(ctx)
  if (horizon && (await hasPassed(ctx, horizon))) {
    for (let count = -1; count !== 0 && hasTime(); sealed += Math.max(count, 0)) count = await sealOnce(ctx, horizon.toId)
    await setHorizon(ctx)
  } else if (!horizon) await setHorizon(ctx)
  return { succeeded: sealed, failed: 0, remaining: 0 }
})

async function readHorizon(ctx: Ctx): Promise<Horizon | null> {
  const row = await ctx.db.selectFrom('appState').select('value').where('key', '=', horizonKey).executeTakeFirst()
  return row ? (row.value as unknown as Horizon) : null
}

async function hasPassed(ctx: Ctx, { xid }: Horizon): Promise<boolean> {
  // After a restore into another cluster the ids begin low again: an id from the future is one of the old cluster.
  const { rows } = await sql<{ passed: boolean }>`
    select pg_snapshot_xmin(s) >= ${xid}::text::xid8 or ${xid}::text::xid8 > pg_snapshot_xmax(s) as passed from pg_current_snapshot() as s`.execute(ctx.db)
  return rows[0]?.passed === true
}

async function setHorizon(ctx: Ctx) {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from audit_log`.execute(ctx.db)
  // A writer gets its line's id a moment before its transaction id; by now it has both.
  await sleep(200)
  const { rows: snapshots } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(ctx.db)
  const value = JSON.stringify({ toId: rows[0]?.id ?? 0, xid: snapshots[0]?.xid ?? '0' } satisfies Horizon)
  await ctx.db.insertInto('appState').values({ key: horizonKey, value, updatedAt: ctx.now }).onConflict((c) => c.column('key').doUpdateSet({ value, updatedAt: ctx.now })).execute()
}

const sealOnce = (ctx: Ctx, toId: number) =>
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
