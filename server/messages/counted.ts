import { type RawBuilder, sql } from 'kysely'
import type { MessageCount } from '../../contract/message-metrics.ts'
import { dayStart, type Reach, zoneIn } from '../core/reach.ts'

interface Counted {
  /** Which messages it counts. */
  is: RawBuilder<boolean>
  /** The instant whose day they count on. */
  at: RawBuilder<string>
}

const bounce = sql<string>`coalesce((select min(r.at) from message_recipients r
  where r.message_guid = m.guid and r.state = 'bounced'), m.counted_at)`

const countedBy: Readonly<Record<MessageCount, Counted>> = {
  sent: { is: sql`m.direction = 'out' and m.status in ('sent', 'delivered', 'bounced')`, at: sql`m.counted_at` },
  failed: { is: sql`m.direction = 'out' and m.status = 'failed'`, at: sql`m.counted_at` },
  bounced: { is: sql`m.direction = 'out' and m.status = 'bounced'`, at: bounce },
  received: { is: sql`m.direction = 'in'`, at: sql`m.created_at` },
  opened: {
    is: sql`m.direction = 'out'`,
    at: sql`(select v.at from message_views v where v.message_guid = m.guid)`,
  },
}

/** Without a kind a message is of the day it was sent or given up, or came in. */
const anyOfThem: Counted = {
  is: sql`true`,
  at: sql`coalesce(m.counted_at, case when m.direction = 'in' then m.created_at end)`,
}

export interface CountedOn {
  counted?: MessageCount | undefined
  'countedOn.gte'?: string | undefined
  'countedOn.lte'?: string | undefined
}

/**
 * The messages that a bar counts, on local days of their business: metrics and lists ask by the same conditions, so
 * that a bar is as high as its list is long.
 */
export function countedWithin(reach: Reach, input: CountedOn): RawBuilder<boolean>[] {
  const { counted, 'countedOn.gte': from, 'countedOn.lte': until } = input
  if (!counted && !from && !until) return []
  const { is, at } = counted ? countedBy[counted] : anyOfThem
  const zone = zoneIn(reach, 'm.businessGuid')
  const span = (instant: RawBuilder<string>) => [
    ...(from ? [sql`${instant} >= ${dayStart(from, zone)}`] : []),
    ...(until ? [sql`${instant} < ${dayStart(until, zone, 1)}`] : []),
  ]
  // By the index of their instants, where a span of days names few.
  if (counted === 'opened') {
    const views = sql`exists (select from message_views v where
      ${sql.join([sql`v.message_guid = m.guid`, ...span(sql`v.at`)], sql` and `)})`
    return [sql<boolean>`(${is} and ${views})`]
  }
  const days = from || until ? span(at) : [sql`${at} is not null`]
  return [sql<boolean>`(${sql.join([is, ...days], sql` and `)})`]
}

/** The local day a message counts on. */
export const countedDay = (reach: Reach, counted: MessageCount): RawBuilder<string> =>
  sql<string>`to_char(${countedBy[counted].at} at time zone ${zoneIn(reach, 'm.businessGuid')}, 'YYYY-MM-DD')`
