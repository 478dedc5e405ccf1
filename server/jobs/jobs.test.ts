import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import type { Page } from '../../contract/core/common.ts'
import type { JobPreview, JobRun, PlannedReport, ScheduledJob } from '../../contract/jobs.ts'
import { type Actors, logIn, seedActors } from '../../test/support/actors.ts'
import { aBusiness } from '../../test/support/factories.ts'
import { type Caller, type Running, startApp } from '../../test/support/start.ts'
import { pruneBatch } from '../core/jobs/upkeep.ts'
import { definePlanned, type MadeJob } from '../core/jobs/planned.ts'
import { runJobBatch } from '../core/jobs/batches.ts'
import type { Ctx } from '../core/ctx.ts'
import { newHold, writeHold } from '../core/hold.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { conflict } from '../../contract/core/errors.ts'

let app: Running
let actors: Actors
let admin: Caller
let clock = new Date()
beforeAll(async () => {
  app = await startApp({ now: () => clock })
  actors = await seedActors(app)
  admin = { headers: await logIn(app, actors.administrator.authId) }
})
afterAll(() => app.stop())
beforeEach(async () => {
  clock = new Date(clock.getTime() + 10_000)
  await sql`delete from cron_runs`.execute(app.deps.db)
  await sql`delete from cron_jobs`.execute(app.deps.db)
})

const list = async () => (await app.call<{ items: ScheduledJob[] }>(admin, 'GET', '/Cron/Jobs')).data.items
const jobOf = async (name: string) => (await list()).find((job) => job.name === name)
const pause = (name: string, isPaused: boolean, reason?: string, who: Caller = admin) =>
  app.call<{ job: ScheduledJob }>(who, 'PATCH', '/Cron/Jobs', { name, isPaused, ...(reason ? { reason } : {}) })
const scheduled = '/Cron/Process/Messages/Scheduled'
const withKey = (path: string) =>
  app.call<PlannedReport>(null, 'GET', path, undefined, { authorization: `Cron ${app.deps.keys.cron}` })

const record = (key: string) => ({ guid: `00000000-0000-4000-8000-00000000000${key}`, label: `Record ${key}` })
/** A job of four items: one to do, one that a rule refuses, one that is done already, one that is skipped. */
const aJob = (reason = 'paused'): MadeJob =>
  definePlanned<string>({
    name: 'test-job',
    call: { path: '/Cron/Test' },
    cron: '*/15 * * * *',
    plan: async () => ({
      items: [
        ...['1', '2', '3'].map((key) => ({
          item: { key, record: record(key), do: true as const, effect: `Do ${key}.` },
          mark: key,
          businessGuid: null,
        })),
        { item: { key: '4', record: record('4'), do: false as const, reason }, mark: '4', businessGuid: null },
      ],
      isPartial: false,
    }),
    act: async (_ctx, key) => {
      if (key === '2') throw conflict('It is against a rule.')
      return key === '1'
    },
  })
const runsOf = (job: MadeJob) =>
  job.runs({ db: app.deps.db, actor: { kind: 'system', name: 'test' } }, {}) as Promise<Page<JobRun>>

describe('the list of jobs', () => {
  it('has every call of the clock, with its schedule and the next time', async () => {
    const jobs = await list()
    const calls = operations.filter(({ op }) => op.who === 'cron').map(({ op }) => op.path)
    expect(jobs.map(({ path }) => path).toSorted()).toEqual(calls.toSorted())
    expect(jobs.every(({ lastRun, isPaused }) => lastRun === null && !isPaused)).toBe(true)
    const next = await jobOf('recurring-quotes')
    const hour = 3_600_000
    const sevenPast = Math.floor(clock.getTime() / hour) * hour + 7 * 60_000
    expect(next?.nextAt).toBe(new Date(sevenPast > clock.getTime() ? sevenPast : sevenPast + hour).toISOString())
  })

  it('is for operators alone, and so are what jobs would do and did', async () => {
    for (const path of ['/Cron/Jobs', `${scheduled}/Preview`, `${scheduled}/Runs`]) {
      expect((await app.call(actors.field, 'GET', path)).status).toBe(403)
      expect((await app.call(null, 'GET', path)).status).toBe(401)
      expect((await app.call(admin, 'GET', path)).status).toBe(200)
    }
    expect((await pause('hire', true, undefined, actors.field)).status).toBe(403)
    expect((await pause('no-such-job', true)).status).toBe(404)
  })

  it('says when a job ran last, who had it run and what it came to', async () => {
    await withKey(scheduled)
    expect((await jobOf('messages-scheduled'))?.lastRun).toMatchObject({
      at: clock.toISOString(),
      by: 'key',
      report: { processed: 0, considered: 0, isPaused: false },
    })
    await app.call(admin, 'GET', scheduled)
    expect((await jobOf('messages-scheduled'))?.lastRun?.by).toBe('administrator')
    const runs = (await app.call<Page<JobRun>>(admin, 'GET', `${scheduled}/Runs`)).data
    expect(runs.items.map(({ by }) => by).toSorted()).toEqual(['administrator', 'key'].toSorted())
  })
})

describe('a paused job', () => {
  it('answers zeros by key and by hand until it goes on, and both are in the audit log', async () => {
    const { job } = (await pause('messages-scheduled', true, 'The mail server moves.')).data
    expect(job).toMatchObject({ isPaused: true, pausedReason: 'The mail server moves.', nextAt: null })
    for (const answer of [await withKey(scheduled), await app.call<PlannedReport>(admin, 'GET', scheduled)])
      expect(answer.data).toMatchObject({ processed: 0, considered: 0, skipped: 0, isPaused: true })
    expect((await jobOf('messages-scheduled'))?.lastRun).toBeNull()
    expect((await pause('messages-scheduled', false)).data.job).toMatchObject({ isPaused: false, pausedReason: null })
    expect((await withKey(scheduled)).data.isPaused).toBe(false)
    const lines = await app.deps.db
      .selectFrom('auditLog')
      .select(['action', 'reason'])
      .where('action', 'in', ['job.paused', 'job.resumed'])
      .orderBy('action')
      .execute()
    expect(lines).toEqual([
      { action: 'job.paused', reason: 'The mail server moves.' },
      { action: 'job.resumed', reason: '' },
    ])
  })

  it('is what sends, too, while a restored database is looked at, and cannot be resumed from here', async () => {
    await writeHold(app.deps.db, newHold(clock.toISOString(), clock.toISOString(), 'report.txt'), clock)
    const jobs = await list()
    expect(jobs.filter(({ isPaused }) => isPaused).map(({ name, pausedReason }) => [name, pausedReason])).toEqual([
      ['messages', 'restored'],
      ['messages-scheduled', 'restored'],
      ['messages-welcome', 'restored'],
      ['reminders', 'restored'],
    ])
    expect((await withKey(scheduled)).data).toMatchObject({ considered: 0, isPaused: true })
    const refused = await pause('messages-scheduled', false)
    expect([refused.status, refused.message]).toEqual([
      409,
      'Sending is paused because this database was restored. Check what is waiting, then resume.',
    ])
    await app.deps.db.deleteFrom('appState').where('key', '=', 'hold').execute()
  })
})

describe('sending while it is paused', () => {
  it('shows what waits for it, and still sends what lets people log in', async () => {
    await aBusiness(app)
    const { guid: businessGuid } = await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()
    const words = { bodyHtml: '<p>Hello</p>', bodyText: 'Hello', businessGuid }
    const toLogIn = { ownerType: 'user' as const, ownerGuid: actors.office.userGuid, facts: '{}' }
    const due = async (subject: string, more: typeof words | typeof toLogIn, nextAttemptAt = clock) => {
      const guid = randomUUID()
      await app.deps.db
        .insertInto('messages')
        .values({
          ...{ guid, messageId: `<${guid}@brolga.example>`, status: 'queued', nextAttemptAt, createdAt: clock },
          ...{ sender: 'office@brolga.example', recipients: ['mia@example.com'], attachments: '[]', subject, ...more },
        })
        .execute()
    }
    await due('About an invoice', words)
    await due('Log in', toLogIn)
    const hours = (count: number) => new Date(clock.getTime() + count * 3_600_000)
    await due('Tried again', words, hours(23))
    await due('Later', words, hours(25))
    const preview = async () => (await app.call<JobPreview>(admin, 'GET', '/Cron/Process/Messages/Queue/Preview')).data
    const says = ({ items }: JobPreview) => items.map((item) => [item.record.label, item.do || item.reason]).toSorted()
    expect(says(await preview())).toEqual([
      ['About an invoice', true],
      ['Log in', true],
      ['Tried again', 'not_due'],
    ])
    await pause('messages', true)
    const held = await preview()
    expect(says(held)).toEqual([
      ['About an invoice', 'held'],
      ['Log in', true],
      ['Tried again', 'not_due'],
    ])
    expect(held.skipped).toEqual({ held: 1, not_due: 1 })
    expect(held.items.find(({ record: { label } }) => label === 'Tried again')).toMatchObject({
      dueAt: hours(23).toISOString(),
    })
    await app.deps.db.updateTable('messages').set({ status: 'cancelled', facts: null }).execute()
  })
})

describe('a run', () => {
  it('keeps what became of each item and why, what failed first', async () => {
    const report = await aJob().run(app.deps, { actor: { kind: 'system', name: 'cron' } })
    expect(report).toMatchObject({ processed: 2, succeeded: 1, failed: 1, considered: 4, skipped: 2, remaining: 0 })
    const [run, ...others] = (await runsOf(aJob())).items
    expect(others).toEqual([])
    expect(run).toMatchObject({ by: 'key', report: { succeeded: 1, failed: 1, skipped: 2 } })
    expect(new Date(run?.at ?? '')).toEqual(clock)
    expect(run?.items).toEqual([
      { key: '2', record: record('2'), outcome: 'failed', effect: 'Do 2.', reason: 'It is against a rule.' },
      { key: '1', record: record('1'), outcome: 'done', effect: 'Do 1.', reason: null },
      { key: '3', record: record('3'), outcome: 'skipped', effect: 'Do 3.', reason: 'changed' },
      { key: '4', record: record('4'), outcome: 'skipped', effect: null, reason: 'paused' },
    ])
  })

  it('says why an item failed in the language of whoever reads it', async () => {
    const job = definePlanned<string>({
      name: 'test-job',
      call: { path: '/Cron/Test' },
      cron: '* * * * *',
      plan: async () => ({
        items: [{ item: { key: '1', record: record('1'), do: true, effect: 'Do 1.' }, mark: '1', businessGuid: null }],
        isPartial: false,
      }),
      act: async () => {
        throw conflict('An issued document can’t be edited.')
      },
    })
    await job.run(app.deps)
    const { actor, request } = openCtx(systemRun(app.deps, 'test'))
    const said = async (language: 'en' | 'fr') =>
      (await job.runs({ db: app.deps.db, actor, request: { ...request, language } }, {})).items[0]?.items[0]?.reason
    expect(await said('en')).toBe('An issued document can’t be edited.')
    expect(await said('fr')).toBe('Un document émis ne peut pas être modifié.')
  })

  it('tells whoever works in some businesses of their items alone, and so does what it would do', async () => {
    const [own, other] = [randomUUID(), randomUUID()]
    const job = definePlanned<string>({
      name: 'test-job',
      call: { path: '/Cron/Test' },
      cron: '* * * * *',
      plan: async () => ({
        items: [own, other, null].map((businessGuid, index) => ({
          item: { key: `${index + 1}`, record: record(`${index + 1}`), do: true, effect: `Do ${index + 1}.` },
          mark: `${index}`,
          businessGuid,
        })),
        isPartial: false,
      }),
      act: async () => true,
    })
    await job.run(app.deps)
    const worksIn = { guid: [own], customersOf: [own], catalogueOf: [own] }
    const user = { kind: 'user', userGuid: own, name: 'Finn', worksIn } as unknown as Ctx['actor']
    const ctx = openCtx({ ...systemRun(app.deps, 'test'), actor: user })
    const [run] = (await job.runs({ db: app.deps.db, actor: user }, {})).items
    expect(run?.items.map(({ key }) => key)).toEqual(['1'])
    expect(await job.preview(ctx)).toMatchObject({ items: [{ key: '1' }], considered: 1 })
    expect((await runsOf(job)).items[0]?.items).toHaveLength(3)
  })

  it('of the clock is kept where it did something or says something new', async () => {
    const idle = (reason: string): MadeJob =>
      definePlanned<string>({
        name: 'test-job',
        call: { path: '/Cron/Test' },
        cron: '* * * * *',
        plan: async () => ({
          items: [{ item: { key: '4', record: record('4'), do: false, reason }, mark: '4', businessGuid: null }],
          isPartial: false,
        }),
        act: async () => true,
      })
    for (const reason of ['paused', 'paused', 'paused', 'quiet', 'quiet']) {
      clock = new Date(clock.getTime() + 60_000)
      await runJobBatch(app.deps, idle(reason).batch)
    }
    const { items } = await runsOf(idle(''))
    expect(items.map((run) => run.items[0]?.reason)).toEqual(['quiet', 'paused'])
    const row = await app.deps.db.selectFrom('cronJobs').selectAll().where('name', '=', 'test-job').executeTakeFirst()
    expect(row?.lastRunBy).toBe('scheduler')
    expect(new Date(row?.lastRunAt ?? '')).toEqual(clock)
  })

  it('is kept once however many ask at once, and for ninety days', async () => {
    const reports = await Promise.all(Array.from({ length: 10 }, () => aJob().run(app.deps)))
    const real = reports.filter(({ isRunningAlready }) => !isRunningAlready)
    expect(real.length).toBeGreaterThan(0)
    expect((await runsOf(aJob())).items).toHaveLength(real.length)
    await sql`update cron_runs set started_at = now() - interval '91 days'`.execute(app.deps.db)
    await runJobBatch(app.deps, pruneBatch)
    expect((await runsOf(aJob())).items).toEqual([])
    expect(await app.deps.db.selectFrom('cronRunItems').select('key').execute()).toEqual([])
  })
})

describe('calls whose noun is not there yet', () => {
  it('answer zeros', async () => {
    for (const path of ['/Cron/SocialMedia/Instagram/ReloadAllFeeds', '/Cron/Process/Products/Instagram/Images']) {
      expect((await withKey(path)).data).toMatchObject({ processed: 0, considered: 0, skipped: 0, remaining: 0 })
      const preview = await app.call<JobPreview>(admin, 'GET', `${path}/Preview`)
      expect(preview).toMatchObject({ status: 200, data: { items: [], considered: 0, skipped: {}, isPartial: false } })
    }
  })
})
