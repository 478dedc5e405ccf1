import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx, Db, OpenCtx } from '../ctx.ts'
import { addAnchors } from './anchor.ts'
import { defineBatch } from './jobs.ts'

const linesPerSeal = 5000

type LogName = 'audit' | 'ledger'
interface SealedLog {
  log: LogName
  table: 'audit_log' | 'ledger_log'
  /** All that a line says, the same in every session; `l` is the line. */
  line: RawBuilder<string>
}

export const sealedLogs: readonly SealedLog[] = [
  {
    log: 'audit',
    table: 'audit_log',
    line: sql<string>`jsonb_build_array(l.id, extract(epoch from l.at), l.actor_kind, l.actor_guid, l.actor_name,
      l.api_guid, l.ip, l.request_id, l.action, l.entity, l.entity_guid, l.before, l.after, l.reason)::text`,
  },
  {
    log: 'ledger',
    table: 'ledger_log',
    line: sql<string>`jsonb_build_array(l.id, l.subject, l.record, encode(l.digest, 'hex'), l.is_upgrade)::text`,
  },
]

/** The hash of a stretch of lines, which continues the hash before it. */
export const stretchHash = (previousHash: RawBuilder<unknown>, line: RawBuilder<string>) => {
  const hashOf = (text: RawBuilder<unknown>) => sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
  return hashOf(sql`${previousHash} || coalesce(string_agg(${hashOf(line)}, '' order by l.id), '')`)
}

export interface Seal {
  id: number
  at: string | Date
  log: LogName
  afterId: number
  toId: number
  lineCount: number
  previousHash: string
  hash: string
}

/** What whoever may write to the database alone cannot make: the key is not in it. */
export const macOf = (key: Buffer, { id, at, log, afterId, toId, lineCount, previousHash, hash }: Seal) =>
  createHmac('sha256', key)
    .update(JSON.stringify([id, new Date(at).toISOString(), log, afterId, toId, lineCount, previousHash, hash]))
    .digest('hex')

/** Lines up to `toId` may be sealed when none of the writers is at work any more who were when it was the last line. */
interface Horizon {
  toId: number
  writers: string[]
}

/**
 * Seals both logs: each seal hashes a stretch of lines and the seal before, and is anchored outside the database. A
 * writer that is still at work may hold a line whose number is older than lines already there, so a stretch waits for
 * everybody who was writing when its end was chosen.
 */
export const sealBatch = defineBatch('audit-seal', '* * * * *', async (ctx, hasTime) => {
  let sealed = 0
  for (const log of sealedLogs) sealed += await sealLog(ctx, log, hasTime)
  return { succeeded: sealed, failed: 0, remaining: 0 }
})

async function sealLog(ctx: OpenCtx, log: SealedLog, hasTime: () => boolean): Promise<number> {
  let sealed = 0
  const sealTo = async (horizon: Horizon | null) => {
    if (!horizon || (await writersNow(ctx.db, log)).some((writer) => horizon.writers.includes(writer))) return false
    for (let count = -1; count !== 0 && hasTime(); sealed += Math.max(count, 0))
      count = await sealOnce(ctx, log, horizon.toId)
    return true
  }
  const before = await readHorizon(ctx, log)
  // While somebody is still waited for, the horizon stays where it is: moving it on would
  // wait for ever on a busy server.
  if (before === null || (await sealTo(before))) await sealTo(await setHorizon(ctx, log))
  return sealed
}

const horizonKey = ({ log }: SealedLog) => `${log}-horizon`

async function readHorizon(ctx: Ctx, log: SealedLog): Promise<Horizon | null> {
  const row = await ctx.db.selectFrom('appState').select('value').where('key', '=', horizonKey(log)).executeTakeFirst()
  return row ? (row.value as unknown as Horizon) : null
}

/**
 * Transactions that have written to the log and are not over: they took this lock before
 * their first line got its number.
 */
async function writersNow(db: Db, { table }: SealedLog): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${table}::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ writer }) => writer)
}

async function setHorizon(ctx: Ctx, log: SealedLog): Promise<Horizon> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(log.table)}`.execute(ctx.db)
  const horizon: Horizon = { toId: rows[0]?.id ?? 0, writers: await writersNow(ctx.db, log) }
  const value = JSON.stringify(horizon)
  await ctx.db
    .insertInto('appState')
    .values({ key: horizonKey(log), value, updatedAt: ctx.now })
    .onConflict((c) => c.column('key').doUpdateSet({ value, updatedAt: ctx.now }))
    .execute()
  return horizon
}

async function sealOnce(ctx: OpenCtx, { log, table, line }: SealedLog, toId: number): Promise<number> {
  const sealed = await ctx.tx(async (tx) => {
    const last = await tx.db
      .selectFrom('auditSeals')
      .select(['toId', 'hash'])
      .where('log', '=', log)
      .orderBy('afterId', 'desc')
      .limit(1)
      .executeTakeFirst()
    const afterId = last?.toId ?? 0
    const previousHash = last?.hash ?? ''
    const { rows } = await sql<{ id: number; count: number; last: number; hash: string }>`
      select nextval(pg_get_serial_sequence('audit_seals', 'id')) as id, count(*)::int as count, max(l.id) as last,
      ${stretchHash(sql`${previousHash}::text`, line)} as hash
      from (select * from ${sql.table(table)} a where a.id > ${afterId} and a.id <= ${toId}
        order by a.id limit ${linesPerSeal}) l`.execute(tx.db)
    const stretch = rows[0]
    if (!stretch || stretch.count === 0) return null
    const seal: Seal = {
      id: stretch.id,
      at: tx.now,
      log,
      afterId,
      toId: stretch.last,
      lineCount: stretch.count,
      previousHash,
      hash: stretch.hash,
    }
    const mac = macOf(ctx.deps.keys.seal, seal)
    await sql`insert into audit_seals (id, at, log, after_id, to_id, line_count, previous_hash, hash, mac)
      overriding system value
      values (${seal.id}, ${tx.now}, ${log}, ${afterId}, ${seal.toId}, ${seal.lineCount}, ${previousHash},
      ${seal.hash}, ${mac})`.execute(tx.db)
    return { ...seal, mac }
  })
  if (!sealed) return 0
  try {
    addAnchors(ctx.deps.settings.dataDir, [{ log, toId: sealed.toId, mac: sealed.mac, at: ctx.now.toISOString() }])
  } catch (error) {
    // The next one names a later line, which holds this one too.
    ctx.log.error({ err: error }, 'the seal of the log could not be anchored in DATA_DIR')
  }
  return sealed.lineCount
}
