import { type RawBuilder, sql } from 'kysely'
import type { TimelineEntry } from '../../contract/customers.ts'
import { eventOf, events, eventValues, isEvent } from '../../contract/events.ts'
import { isNoun, type NounName, nounNames, rowOf } from '../../contract/nouns.ts'
import type { Actor, Ctx } from '../core/ctx.ts'
import { valuesOf } from '../core/event-values.ts'
import { may } from '../core/http/permission.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'

export interface TimelineSubject {
  entity: string
  guid: string
}

/** What stands on a record, as the log names it: its lists are called by their nouns. */
export const relatedSubjects = (related: object): TimelineSubject[] =>
  Object.entries(related).flatMap(([list, records]) => {
    const entity = nounNames.find((noun) => noun.toLowerCase() === list)
    return entity ? subjectsOf(entity, records as readonly { guid: string }[]) : []
  })
export const subjectsOf = (entity: NounName, records: readonly { guid: string }[]): TimelineSubject[] =>
  records.map(({ guid }) => ({ entity, guid }))

/** What happened with a record and with those of others that the caller may read. */
export const timelineWith = async (ctx: Ctx, record: TimelineSubject, others: readonly TimelineSubject[]) =>
  timelineOf(ctx, [record, ...(await filterReadable(ctx, others))], entriesWithOthers)

const entriesWithOthers = 200
const maxEntries = 500

/** A line of the audit log with the present name of the user behind it. */
export interface AuditRow {
  entity: string
  at: string
  action: string
  actorKind: string
  actorName: string
  userName: string | null
  after: unknown
  reason: string
}

/** The user behind the line `l`: what the queue sends is the message of whoever wrote it. */
export const whoDid: RawBuilder<string | null> = sql`coalesce(case when l.action = 'message.sent'
  then (select m.created_by from messages m where m.guid = (l.after ->> 'messageGuid')::uuid) end, l.actor_guid)`

/** What happened with records, newest first. */
async function timelineOf(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  subjects: readonly TimelineSubject[],
  limit = 100,
): Promise<TimelineEntry[]> {
  if (subjects.length === 0) return []
  const most = Math.min(limit, maxEntries)
  // Each subject reads its newest lines by the index; the newest of all of them are kept.
  const { rows } = await sql<AuditRow>`select l.at, l.entity, l.action, l.actor_kind, l.actor_name,
      u.name as user_name, l.after, l.reason
    from unnest(${subjects.map((s) => s.entity)}::text[], ${subjects.map((s) => s.guid)}::uuid[]) as s(entity, guid)
    cross join lateral (select * from audit_log a
      where a.entity = s.entity and a.entity_guid = s.guid order by a.id desc limit ${most}) l
    left join users u on u.guid = ${whoDid}
    order by l.id desc limit ${most}`.execute(db)
  return told(rows.map((row) => timelineEntryOf(actor, row)))
}

/** One event may stand in the log for several records (a payment and its invoice): it is told once. */
export function told<E extends TimelineEntry>(entries: readonly E[]): E[] {
  const seen = new Set<string>()
  return entries.filter(({ at, what, values }) => {
    const key = [at, what, values['to'], values['subject']].join('|')
    return !(isEvent(what) && events[what].isStep) && !seen.has(key) && seen.add(key)
  })
}

/** What people may see of a line. */
export function timelineEntryOf(actor: Actor, row: AuditRow): TimelineEntry {
  const { event } = eventOf(row.action, row.entity)
  const values = valuesOf(row, isEvent(event) ? events[event].values : eventValues)
  const right = isNoun(row.entity) ? rowOf(row.entity).amountFor : undefined
  return {
    at: row.at,
    what: event,
    by: nameOf(row),
    byKind: kindOf(row.actorKind),
    values: right === undefined || may(actor, ...right) ? values : withoutAmounts(values),
  }
}

export const withoutAmounts = (values: TimelineEntry['values']): TimelineEntry['values'] =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !key.endsWith('Cents')))

const kindOf = (kind: string) => (kind === 'user' ? 'user' : kind === 'system' ? 'system' : 'guest')
const nameOf = ({ actorKind, actorName, userName }: AuditRow) => userName || (actorKind === 'user' && actorName) || null
