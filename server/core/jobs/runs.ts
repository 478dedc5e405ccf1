import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from '../../../contract/core/common.ts'
import { type JobRun, type PlannedReport, restoredReason, type RunItem } from '../../../contract/jobs.ts'
import type { Ctx } from '../ctx.ts'
import { pageOf } from '../db/page.ts'
import { newGuid } from '../guid.ts'
import { readHold } from '../hold.ts'
import { sayIn } from '../i18n/sentences.ts'

/** Who has a job run, as it is kept. */
export const byClock = 'scheduler'
export const byCaller = ({ actor }: Pick<Ctx, 'actor'>): string => (actor.kind === 'user' ? actor.name : 'key')

/** So many items are kept of a run. */
const keptItems = 500
const order: readonly RunItem['outcome'][] = ['failed', 'done', 'skipped']

interface Stoppable {
  name: string
  /** Sends something out of the house: it rests while a restored database is being looked at. */
  isSending: boolean
}

/** Why a job does nothing now, whoever asks for it; null where it may. Empty where nobody said why. */
export async function stopOf({ db }: Pick<Ctx, 'db'>, { name, isSending }: Stoppable): Promise<string | null> {
  if (isSending && (await readHold(db)) !== null) return restoredReason
  const row = await db
    .selectFrom('cronJobs')
    .select(['isPaused', 'pausedReason'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.isPaused ? (row.pausedReason ?? '') : null
}

/** An item with whose it is; null where it is of the whole installation. */
export interface ToldItem extends RunItem {
  businessGuid: string | null
}

/** Whether the caller is told of an item of a business: of those he works in. */
export const knows =
  ({ actor }: Pick<Ctx, 'actor'>) =>
  (businessGuid: string | null): boolean =>
    actor.kind !== 'user' ||
    actor.worksIn === null ||
    (businessGuid !== null && actor.worksIn.guid.includes(businessGuid))

interface EndedRun {
  name: string
  at: Date
  by: string
  report: PlannedReport
  items: readonly ToldItem[]
}

/** Keeps when a job ran last, and the run itself where it did something, somebody asked, or an item has news. */
export async function keepRun(ctx: Pick<Ctx, 'db'>, { name, at, by, report, items }: EndedRun) {
  const said = items.map(({ key, outcome, reason }) => [key, outcome, reason])
  const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex')
  const before = await ctx.db
    .selectFrom('cronJobs')
    .select('lastDigest')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  const last = { lastRunAt: at, lastRunBy: by, lastReport: JSON.stringify(report), lastDigest: digest }
  await ctx.db
    .insertInto('cronJobs')
    .values({ name, ...last })
    .onConflict((c) => c.column('name').doUpdateSet(last))
    .execute()
  const isNews = items.length > 0 && before?.lastDigest !== digest
  if (report.processed === 0 && by === byClock && !isNews) return
  const guid = newGuid()
  await ctx.db
    .insertInto('cronRuns')
    .values({ guid, name, startedAt: at, startedBy: by, report: JSON.stringify(report) })
    .execute()
  const kept = items.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome)).slice(0, keptItems)
  if (kept.length === 0) return
  await ctx.db
    .insertInto('cronRunItems')
    .values(
      kept.map(({ key, businessGuid, record, outcome, effect, reason }, position) => ({
        ...{ runGuid: guid, position, key, businessGuid, recordGuid: record.guid, recordLabel: record.label },
        ...{ outcome, effect, reason },
      })),
    )
    .execute()
}

/** Whoever looks at runs; a window has a language. */
export type RunReader = Pick<Ctx, 'db' | 'actor'> & Partial<Pick<Ctx, 'request'>>
interface RunsInput {
  sort?: string | undefined
  size?: number | undefined
  page?: number | undefined
  after?: string | undefined
}

/**
 * Earlier runs of a job with what became of each item that the caller is told of, the newest first. A rule that refused
 * one is told in the reader's language.
 */
export async function runsOfJob(ctx: RunReader, name: string, input: RunsInput): Promise<Page<JobRun>> {
  const page = await pageOf({
    query: ctx.db
      .selectFrom('cronRuns as r')
      .select(['r.guid', 'r.startedAt as at', 'r.startedBy as by', 'r.report'])
      .where('r.name', '=', name),
    input,
    sorts: { at: 'r.startedAt' },
    guid: 'r.guid',
    defaultSort: '-at',
  })
  const rows = page.items.length
    ? await ctx.db
        .selectFrom('cronRunItems')
        .select(['runGuid', 'key', 'businessGuid', 'outcome', 'effect', 'reason'])
        .select(sql<RunItem['record']>`jsonb_build_object('guid', record_guid, 'label', record_label)`.as('record'))
        .where(
          'runGuid',
          'in',
          page.items.map(({ guid }) => guid),
        )
        .orderBy('runGuid')
        .orderBy('position')
        .execute()
    : []
  const isTold = knows(ctx)
  const told = rows.filter(({ businessGuid }) => isTold(businessGuid))
  const itemsOf = Map.groupBy(told, ({ runGuid }) => runGuid)
  return {
    ...page,
    items: page.items.map((run) => ({
      ...run,
      items: (itemsOf.get(run.guid) ?? []).map(({ runGuid: _run, businessGuid: _business, reason, ...item }) => ({
        ...item,
        reason: reason && sayIn(ctx.request?.language ?? 'en', reason),
      })),
    })),
  }
}
