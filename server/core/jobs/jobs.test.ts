import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actors, seedActors } from '../../../test/support/actors.ts'
import { type Running, startApp } from '../../../test/support/start.ts'
import { inTransaction, systemRun } from '../run.ts'
import { runJobBatch } from './batches.ts'
import { defineBatch, defineJob } from './jobs.ts'
import { sealBatch } from './seals.ts'
import { pruneBatch } from './upkeep.ts'
import { prepareQueues, startWorkers } from './worker.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

async function until(what: () => Promise<boolean>) {
  await expect.poll(what).toBe(true)
}

describe('queued work', () => {
  it('is done once for what was committed, and never for what was rolled back', async () => {
    let runs = 0
    const job = defineJob<{ note: string }>('test-note', { effect: 'transaction' }, async (ctx, { note }) => {
      runs++
      if (runs === 1) throw new Error('the first try fails after its effect')
      await ctx.db
        .insertInto('appState')
        .values({ key: `note-${note}`, value: '{}' })
        .execute()
    })
    await prepareQueues(app.deps.boss, [job], [])
    await inTransaction(systemRun(app.deps, 'test'), (ctx) => ctx.enqueue('test-note', { note: 'kept' }))
    await expect(
      inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
        await ctx.enqueue('test-note', { note: 'lost' })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await startWorkers(app.deps, [job], [])
    await until(
      async () =>
        (await app.deps.db.selectFrom('appState').select('key').where('key', 'like', 'note-%').execute()).length > 0,
    )
    const states = async () =>
      (
        await sql<{ state: string }>`select state::text from pgboss.job where name = 'test-note'`.execute(app.deps.db)
      ).rows.map(({ state }) => state)
    await until(async () => (await states()).every((state) => state === 'completed'))
    // The other one was never queued.
    expect(await states()).toEqual(['completed'])
    expect(await app.deps.db.selectFrom('appState').select('key').where('key', 'like', 'note-%').execute()).toEqual([
      { key: 'note-kept' },
    ])
  })
})

describe('the log', () => {
  it('tells of each job, and why one failed', async () => {
    const told: unknown[] = []
    const log: typeof app.deps.log = Object.assign(Object.create(app.deps.log) as typeof app.deps.log, {
      debug: (facts: { job?: string }, text: string) => facts.job && told.push([text, facts.job]),
      warn: (facts: { job?: string; err?: Error }, text: string) => told.push([text, facts.job, facts.err?.message]),
    })
    const jobs = ['good', 'bad'].map((name) =>
      defineJob(`test-${name}`, { effect: 'transaction', retryLimit: 0 }, async () => {
        if (name === 'bad') throw new Error('no paper')
      }),
    )
    await prepareQueues(app.deps.boss, jobs, [])
    await inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
      for (const { name } of jobs) await ctx.enqueue(name, {})
    })
    await startWorkers({ ...app.deps, log }, jobs, [])
    await until(async () => told.length === 2)
    expect(told).toHaveLength(2)
    expect(told).toContainEqual(['a job is done', 'test-good'])
    expect(told).toContainEqual(['a job failed', 'test-bad', 'no paper'])
  })
})

describe('a scheduled batch', () => {
  it('runs once when it is called twice at the same time', async () => {
    let runs = 0
    const other = Promise.withResolvers<void>()
    const batch = defineBatch('test-batch', '* * * * *', async () => {
      runs++
      await other.promise
      return { succeeded: 3, failed: 1, remaining: 2 }
    })
    const both = [runJobBatch(app.deps, batch), runJobBatch(app.deps, batch)]
    // The one that is turned away ends first; then the other may.
    await Promise.race(both)
    other.resolve()
    const reports = await Promise.all(both)
    expect(runs).toBe(1)
    expect(reports.map((r) => r.processed).toSorted()).toEqual([0, 4])
    expect((await runJobBatch(app.deps, batch)).isRunningAlready).toBe(false)
  })
})

describe('the audit log', () => {
  it('is never changed, not even by the program itself', async () => {
    await expect(sql`update audit_log set action = 'x'`.execute(app.deps.db)).rejects.toMatchObject({ code: '42501' })
    await expect(sql`delete from audit_log`.execute(app.deps.db)).rejects.toMatchObject({ code: '42501' })
    await expect(
      sql`insert into ledger_log (subject, record) values ('payments', gen_random_uuid())`.execute(app.deps.db),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(sql`truncate audit_seals`.execute(app.deps.db)).rejects.toMatchObject({ code: '42501' })
  })
  it('is sealed without gaps, and never past a transaction that still writes', async () => {
    await runJobBatch(app.deps, sealBatch)
    const slow = await app.deps.db.startTransaction().execute()
    await slow.insertInto('auditLog').values({ actorKind: 'system', action: 'slow', entity: 'Test' }).execute()
    await app.deps.db.insertInto('auditLog').values({ actorKind: 'system', action: 'quick', entity: 'Test' }).execute()
    // This one sets a horizon past the slow line, which the next must wait for.
    await runJobBatch(app.deps, sealBatch)
    const before = (await app.deps.db.selectFrom('auditSeals').selectAll().where('log', '=', 'audit').execute()).length
    await runJobBatch(app.deps, sealBatch)
    expect((await app.deps.db.selectFrom('auditSeals').selectAll().where('log', '=', 'audit').execute()).length).toBe(
      before,
    )
    await slow.commit().execute()
    // Transactions of other tests on the same server hold the horizon back for a while.
    await until(async () => {
      await runJobBatch(app.deps, sealBatch)
      const { rows } = await sql<{
        open: boolean
      }>`select exists (select from audit_log
        where id > coalesce((select max(to_id) from audit_seals where log = 'audit'), 0)) as open`.execute(app.deps.db)
      return rows[0]?.open === false
    })
    const seals = await app.deps.db
      .selectFrom('auditSeals')
      .selectAll()
      .where('log', '=', 'audit')
      .orderBy('id')
      .execute()
    const { rows } = await sql<{
      n: number
      last: number
    }>`select count(*)::int as n, max(id) as last from audit_log`.execute(app.deps.db)
    expect(seals.reduce((sum, s) => sum + s.lineCount, 0)).toBe(rows[0]?.n)
    expect(seals.at(-1)?.toId).toBe(rows[0]?.last)
    expect(seals.slice(1).every((s, i) => s.afterId === seals[i]?.toId && s.previousHash === seals[i]?.hash)).toBe(true)
  })
})

describe('pruning', () => {
  it('takes away old keys and keeps the young', async () => {
    const key = { actor: 'a', route: 'r', bodySha256: 'x' }
    await app.deps.db
      .insertInto('idempotencyKeys')
      .values([
        { ...key, key: 'old', createdAt: new Date(Date.now() - 3 * 86_400_000) },
        { ...key, key: 'young' },
      ])
      .execute()
    await runJobBatch(app.deps, pruneBatch)
    expect(await app.deps.db.selectFrom('idempotencyKeys').select('key').where('actor', '=', 'a').execute()).toEqual([
      { key: 'young' },
    ])
    expect((await app.call(actors.sales, 'GET', '/Kernal/Auth/Roles/Permissions')).status).toBe(200)
  })
})
