import { type RawBuilder, sql } from 'kysely'
import type { ActionRun } from '../../contract/actions.ts'
import { notFound } from '../../contract/core/errors.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { Input } from '../../contract/core/op.ts'
import { type eventLogApi, factsOf, type ListedEvent } from '../../contract/event-log.ts'
import type { EventName } from '../../contract/events.ts'
import { isNoun, type NounName, nounNames, rowOf } from '../../contract/nouns.ts'
import { isList, type VariableFields, type VariableType } from '../../contract/template-variables.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, rowCondition } from '../core/db/rows.ts'
import { may, readable } from '../core/http/permission.ts'
import { sayIn } from '../core/i18n/sentences.ts'
import { dayStart, isIn, reachOf, zoneIn } from '../core/reach.ts'
import { isRowNoun, rowColumns } from '../row-scope/row-scope.service.ts'
import { withoutAmounts } from '../timeline/timeline.service.ts'

type Api = typeof eventLogApi
type Reader = Pick<Ctx, 'actor' | 'rows' | 'db'>

/** Whether the record of an event is one that the caller may read, by the rows of its own noun. */
function hasReadableRecord({ actor }: Pick<Ctx, 'actor'>): RawBuilder<boolean> {
  const open: NounName[] = []
  const some: RawBuilder<boolean>[] = []
  for (const noun of nounNames) {
    const rows = readable(actor, noun, 'Guid')
    if (rows === 'none') continue
    if (rows === 'all' || !isRowNoun(noun)) open.push(noun)
    else
      some.push(sql<boolean>`(e.noun = ${noun} and exists (select from ${sql.table(rowOf(noun).table)} d
        where d.guid = e.record_guid and ${rowCondition({ actor, rows }, rowColumns({ actor }, noun, 'd'))}))`)
  }
  return sql<boolean>`(${sql.join([sql`e.noun = any(${open}::text[])`, ...some], sql` or `)})`
}

/** The events the caller may know of. */
const visibleEvents = (ctx: Reader) =>
  applyRows(
    ctx,
    ctx.db
      .selectFrom('events as e')
      .innerJoin('businesses as b', 'b.guid', 'e.businessGuid')
      .leftJoin('users as u', 'u.guid', 'e.byGuid')
      .where(hasReadableRecord(ctx)),
    rowColumns(ctx, 'Events', 'e'),
  )

const shown = [
  'e.guid',
  'e.key',
  'e.at',
  'e.byKind',
  'e.noun',
  'e.recordGuid',
  'e.values',
  'e.depth',
  'e.rootGuid',
] as const
const listed = (ctx: Reader) =>
  visibleEvents(ctx)
    .select(shown)
    .select([
      sql<string>`e.business_guid`.as('businessGuid'),
      sql<string>`coalesce(b.trading_name, b.legal_name)`.as('businessName'),
      sql<string | null>`coalesce(u.name, nullif(e.by_name, ''))`.as('by'),
      sql<number>`(select count(*)::int from action_runs r where r.event_guid = e.guid and r.state <> 'skipped')`.as(
        'started',
      ),
    ])
type Row = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

type Named = Pick<Row, 'noun' | 'recordGuid' | 'values'>

/** What records are called now, as far as their nouns say how. */
async function labelsOf(db: Ctx['db'], rows: readonly Named[]): Promise<Map<string, string>> {
  const labels = new Map<string, string>()
  for (const [noun, some] of Map.groupBy(rows, (row) => row.noun)) {
    const { hit, searchText, table } = rowOf(noun)
    const columns = hit?.label ?? searchText?.slice(0, 1) ?? []
    if (columns.length === 0) continue
    const name = sql.join(columns.map((column) => sql`nullif(${sql.ref(`d.${column}`)}, '')`))
    const found = await sql<{ guid: string; label: string | null }>`select d.guid, coalesce(${name}) as label
      from ${sql.table(table)} d where d.guid = any(${some.map(({ recordGuid }) => recordGuid)}::uuid[])`.execute(db)
    for (const { guid, label } of found.rows) if (label) labels.set(guid, label)
  }
  return labels
}
const called = ({ values }: Pick<Named, 'values'>): string =>
  ['number', 'name', 'title', 'subject', 'to'].map((key) => values[key]).find((one) => typeof one === 'string') ?? ''

/** What the record of an event is called. */
export const labelOf = async (db: Ctx['db'], event: Named): Promise<string> =>
  (await labelsOf(db, [event])).get(event.recordGuid) ?? called(event)

const mayKnowAmounts = ({ actor }: Pick<Ctx, 'actor'>, noun: string) => {
  const right = isNoun(noun) ? rowOf(noun).amountFor : undefined
  return right === undefined || may(actor, ...right)
}

async function toldEvents(ctx: Reader, rows: readonly Row[]): Promise<ListedEvent[]> {
  const labels = await labelsOf(ctx.db, rows)
  return rows.map((row) => {
    const { recordGuid, values, ...event } = row
    return {
      ...event,
      record: { guid: recordGuid, label: labels.get(recordGuid) ?? called(row) },
      values: mayKnowAmounts(ctx, row.noun) ? values : withoutAmounts(values),
    }
  })
}

async function list(ctx: Ctx, { business, key, noun, day, ...input }: Input<Api['list']>) {
  const reach = await reachOf(ctx, { business })
  let query = listed(ctx).where(isIn(reach, 'e.businessGuid'))
  if (key) query = query.where('e.key', '=', key)
  if (noun) query = query.where('e.noun', '=', noun)
  if (day) {
    const zone = zoneIn(reach, 'e.businessGuid')
    query = query.where(sql<boolean>`e.at >= ${dayStart(day, zone)} and e.at < ${dayStart(day, zone, 1)}`)
  }
  const page = await pageOf({ query, input, sorts: { at: 'e.at' }, guid: 'e.guid', defaultSort: '-at' })
  return { ...page, items: await toldEvents(ctx, page.items) }
}

/** What a record says of itself without what it comes to. */
function withoutMoney(value: unknown, type: VariableType | undefined): unknown {
  if (typeof type !== 'object' || typeof value !== 'object' || value === null) return value
  if (isList(type)) return Array.isArray(value) ? value.map((one) => withoutMoney(one, type.each)) : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      type[name] === 'money' ? [] : [[name, withoutMoney(inner, type[name])] as const],
    ),
  )
}
/** What somebody may know of an event and its record. */
export const toldTo = (
  ctx: Pick<Ctx, 'actor'>,
  { noun, values, facts }: Pick<Row, 'noun' | 'values'> & { facts: Record<string, unknown> | null },
) => ({
  values: mayKnowAmounts(ctx, noun) ? values : withoutAmounts(values),
  facts: factsFor(ctx, { noun, facts }),
})
function factsFor(ctx: Pick<Ctx, 'actor'>, { noun, facts }: { noun: NounName; facts: Record<string, unknown> | null }) {
  const fields: VariableFields | null = factsOf(noun)
  if (!facts || !fields || mayKnowAmounts(ctx, noun)) return facts
  return withoutMoney(facts, fields) as Record<string, unknown>
}

/** A run as it is told: what refused an effect is said in the language of the reader. */
export const runIn = <R extends Pick<ActionRun, 'reason' | 'trace'>>(language: Language, run: R): R => ({
  ...run,
  reason: run.reason && sayIn(language, run.reason),
  trace: run.trace.map((line) => (line.ok ? line : { ...line, said: sayIn(language, line.said) })),
})

/** What became of the actions that waited for an event, as far as the caller may read them. */
async function runsOf(ctx: Ctx, eventGuid: string): Promise<ActionRun[]> {
  const { language } = ctx.request
  const rows = readable(ctx.actor, 'Actions', 'Guid')
  if (rows === 'none') return []
  const found = await applyRows(
    { actor: ctx.actor, rows },
    ctx.db.selectFrom('actionRuns as r').innerJoin('actions as a', 'a.guid', 'r.actionGuid'),
    rowColumns(ctx, 'Actions', 'a'),
  )
    .select(['r.guid', 'r.noun', 'r.replay', 'r.state', 'r.reason', 'r.createdAt as at', 'r.dueAt', 'r.endedAt'])
    .select(['r.trace', 'r.eventGuid as event'])
    .select(sql<ActionRun['action']>`json_build_object('guid', a.guid, 'label', a.name)`.as('action'))
    .select(sql<ActionRun['record']>`json_build_object('guid', r.record_guid, 'label', r.record_label)`.as('record'))
    .where('r.eventGuid', '=', eventGuid)
    .orderBy('r.createdAt')
    .orderBy('r.guid')
    .limit(chainLength)
    .execute()
  return found.map((run) => runIn(language, run))
}

/** As many of a chain are shown. */
const chainLength = 200

async function get(ctx: Ctx, { guid }: Input<Api['get']>) {
  const row = await listed(ctx).select('e.facts').where('e.guid', '=', guid).executeTakeFirst()
  if (!row) throw notFound()
  const { facts: _facts, ...own } = row
  const chain = await listed(ctx)
    .where('e.rootGuid', '=', row.rootGuid)
    .orderBy('e.at')
    .orderBy('e.depth')
    .orderBy('e.guid')
    .limit(chainLength)
    .execute()
  const [event, ...others] = await toldEvents(ctx, [own, ...chain])
  if (!event) throw notFound()
  return { event: { ...event, ...toldTo(ctx, row), runs: await runsOf(ctx, guid) }, chain: others }
}

export const eventLog: Handlers<Api> = { list, get }

/** The rows of events that the caller may read, whatever the own operation shows. */
const asReader = (ctx: Ctx): Reader => {
  const rows = readable(ctx.actor, 'Events', 'All')
  return withCtx(ctx, { rows: rows === 'none' ? [] : rows })
}

/** The newest events of a kind with what was known of their records then, the oldest of them first. */
export async function pastEvents(ctx: Ctx, wanted: { key: EventName; since: Date; limit: number }) {
  const reader = asReader(ctx)
  const rows = await listed(reader)
    .select('e.facts')
    .where('e.businessGuid', '=', ctx.business.guid)
    .where('e.key', '=', wanted.key)
    .where('e.at', '>=', wanted.since.toISOString())
    .orderBy('e.at', 'desc')
    .orderBy('e.guid', 'desc')
    .limit(wanted.limit)
    .execute()
  return withLabels(ctx, rows.toReversed())
}

/** Events that are asked for once more: of a kind and a business, and among those that the caller may read. */
export async function eventsAgain(
  ctx: Ctx,
  wanted: { guids: readonly string[]; key: EventName; businessGuid: string },
) {
  const rows = await listed(asReader(ctx))
    .where('e.businessGuid', '=', wanted.businessGuid)
    .where('e.key', '=', wanted.key)
    .where('e.guid', 'in', wanted.guids)
    .orderBy('e.at')
    .orderBy('e.guid')
    .execute()
  return withLabels(ctx, rows)
}

async function withLabels<R extends Row>({ db }: Ctx, rows: readonly R[]) {
  const labels = await labelsOf(db, rows)
  return rows.map((row) => ({
    ...row,
    record: { guid: row.recordGuid, label: labels.get(row.recordGuid) ?? called(row) },
  }))
}
