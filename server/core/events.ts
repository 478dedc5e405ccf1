import { type RawBuilder, sql } from 'kysely'
import { events } from '../../contract/events.ts'
import { isNoun, type NounName, rowOf } from '../../contract/nouns.ts'
import type { AuditLine, Db } from './ctx.ts'
import { valuesOf } from './event-values.ts'
import { newGuid } from './guid.ts'
import type { Run } from './run.ts'

/** Whoever takes events up hears of new ones by a job of this queue. */
export const eventQueue = 'events.new'

/** A statement has fewer values than 65,536. */
const eventsAtOnce = 1000
/** What happens at once is told at once, and by one job. */
const gatheredMs = 150

interface Subject {
  noun: NounName
  guid: string
}
const subjectOf = ({ of, entity, guid }: AuditLine): Subject | null =>
  of === undefined ? (isNoun(entity) ? { noun: entity, guid } : null) : of

/**
 * What of some lines is an event: those whose row says that actions wait for it. One thing that happened may stand on
 * several records, a payment on its invoices, too; its event is of the record it happened to.
 */
function happened(lines: readonly AuditLine[]): { line: AuditLine; subject: Subject }[] {
  const told = lines.flatMap((line) => {
    const subject = subjectOf(line)
    return events[line.action].automates && subject ? [{ line, subject }] : []
  })
  const own = new Set(told.filter(isOwn).map(({ line }) => line.action))
  return told.filter((one) => isOwn(one) || !own.has(one.line.action))
}
const isOwn = ({ line, subject }: { line: AuditLine; subject: Subject }) => events[line.action].noun === subject.noun

/** Whose a record is, as SQL: of a list that businesses share the one that works on it, if it works with that list. */
function businessOf({ noun, guid }: Subject, working: string | null): RawBuilder<string | null> {
  const { table, scope, pool } = rowOf(noun)
  const otherwise = sql`coalesce(${working}::uuid,
    (select b.guid from businesses b where b.archived_at is null order by b.created_at, b.guid limit 1))`
  if (!scope?.business) return sql<string | null>`${otherwise}`
  const own = sql`(select ${sql.ref(`d.${scope.business}`)} from ${sql.table(table)} d where d.guid = ${guid}::uuid)`
  if (!pool) return sql<string | null>`coalesce(${own}, ${otherwise})`
  return sql<string | null>`coalesce((select b.guid from businesses b
    where b.guid = ${working}::uuid and ${sql.ref(`b.${pool}`)} = ${own}), ${own}, ${otherwise})`
}

interface Doer {
  byKind: 'user' | 'guest' | 'system'
  byGuid: string | null
  byName: string
}
function whoDid({ actor }: Run, { by }: AuditLine): Doer {
  if (by) return { byKind: 'user', byGuid: by.guid, byName: by.name }
  if (actor.kind === 'user') return { byKind: 'user', byGuid: actor.userGuid, byName: actor.name }
  return { byKind: actor.kind === 'system' ? 'system' : 'guest', byGuid: null, byName: '' }
}

/** The chain of what is done is its run's; of a message that an action has sent it goes on, whenever that is. */
function chainOf({ chain }: Run, { noun, guid }: Subject, eventGuid: string) {
  if (chain || noun !== 'Messages') return { depth: chain?.depth ?? 0, rootGuid: chain?.rootGuid ?? eventGuid }
  const sentBy = (column: string) => sql`(select ${sql.ref(`r.${column}`)} from messages m
    join action_runs r on r.guid = m.run_guid where m.guid = ${guid}::uuid)`
  return {
    depth: sql<number>`coalesce(${sentBy('depth')} + 1, 0)`,
    rootGuid: sql<string>`coalesce(${sentBy('rootGuid')}, ${eventGuid}::uuid)`,
  }
}

/**
 * Keeps what happened for actions and webhooks, beside the lines that say so and in their transaction, with one
 * statement. Whether there was anything.
 */
export async function raiseEvents(run: Run, db: Db, lines: readonly AuditLine[]): Promise<boolean> {
  const rows = happened(lines).map(({ line, subject }) => {
    const guid = newGuid()
    return {
      ...{ guid, key: line.action, noun: subject.noun, recordGuid: subject.guid, at: run.now },
      businessGuid: businessOf(subject, run.business?.guid ?? null),
      values: JSON.stringify(valuesOf({ after: line.after, reason: line.reason ?? '' }, events[line.action].values)),
      ...chainOf(run, subject, guid),
      onceKey: line.onceKey ?? null,
      ...whoDid(run, line),
    }
  })
  for (let at = 0; at < rows.length; at += eventsAtOnce)
    await db
      .insertInto('events')
      .values(rows.slice(at, at + eventsAtOnce))
      .onConflict((c) => c.column('onceKey').doNothing())
      .execute()
  return rows.length > 0
}

const announced = new WeakSet<object>()

/** Has events that are committed taken up in a moment. Were it lost with its process, the clock makes up for it. */
export function announceEvents({ hasEvents, deps: { boss, log } }: Pick<Run, 'hasEvents' | 'deps'>): void {
  if (!hasEvents || announced.has(boss)) return
  announced.add(boss)
  const tell = async () => {
    announced.delete(boss)
    await boss.send(eventQueue, {}, { singletonKey: 'all' })
  }
  setTimeout(() => {
    tell().catch((error: unknown) => log.debug({ err: error }, 'new events could not be announced'))
  }, gatheredMs).unref()
}
