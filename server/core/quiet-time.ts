import { sql } from 'kysely'
import { formatPattern } from '../../contract/core/dates.ts'
import type { State } from '../../contract/core/address.ts'
import { isQuietAt, nextAllowed, type QuietPlace, type QuietTime } from '../../contract/core/quiet-time.ts'
import type { HolidayChange } from '../../contract/core/holidays.ts'
import type { Db } from './ctx.ts'

/** When nobody is written to by what no person sends, of one business. */
export interface QuietOf {
  businessGuid: string
  quiet: QuietTime
  place: QuietPlace
}

interface Row {
  businessGuid: string
  zone: string
  state: State | null
  from: number
  to: number
  weekdays: number[]
  holidays: boolean
  changes: HolidayChange[]
}

/** What of a row of `businesses b` and its `mail_policies q` says when it is quiet there; names as `Row` has them. */
export const quietColumns = sql`b.guid as business_guid, b.time_zone as zone,
  coalesce(b.holiday_state, b.address ->> 'state') as state, q.quiet_from as "from", q.quiet_to as "to",
  q.quiet_weekdays as weekdays, q.quiet_holidays as holidays,
  (select coalesce(json_agg(json_build_object('state', h.state, 'day', h.day, 'name', h.name, 'isAdded', h.is_added,
    'fromMin', h.from_min)), '[]'::json) from holiday_changes h where h.business_guid = b.guid) as changes`

export const quietOf = ({ businessGuid, zone, state, changes, ...quiet }: Row): QuietOf => ({
  businessGuid,
  quiet: { from: quiet.from, to: quiet.to, weekdays: quiet.weekdays, holidays: quiet.holidays },
  place: { zone, state, changes },
})
export type QuietRow = Row

/** Those of some businesses, in one statement. */
export async function findQuiet(db: Db, businessGuids: readonly string[]): Promise<Map<string, QuietOf>> {
  if (businessGuids.length === 0) return new Map()
  const { rows } =
    await sql<Row>`select ${quietColumns} from businesses b join mail_policies q on q.business_guid = b.guid
    where b.guid = any(${businessGuids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.businessGuid, quietOf(row)]))
}

export const isQuietNow = ({ quiet, place }: QuietOf, now: Date): boolean => isQuietAt(quiet, place, now.toISOString())

interface Sent {
  isAutomatic: boolean
  businessGuid: string | null
}
/** Which of some messages wait because it is quiet where they come from: those that no person sends. */
export async function quietAmong(db: Db, messages: readonly Sent[], now: Date): Promise<(message: Sent) => boolean> {
  const automatic = messages.flatMap(({ isAutomatic, businessGuid }) =>
    isAutomatic && businessGuid ? businessGuid : [],
  )
  const found = await findQuiet(db, [...new Set(automatic)])
  const quiet = new Set([...found.values()].filter((one) => isQuietNow(one, now)).map((one) => one.businessGuid))
  return ({ isAutomatic, businessGuid }) => isAutomatic && businessGuid !== null && quiet.has(businessGuid)
}

export interface QuietUntil {
  at: Date
  zone: string
}
/** An instant as a message keeps it: with what the clocks show there. */
export const scheduledAt = (at: Date, zone: string) => ({
  scheduledAt: at,
  scheduledFor: formatPattern(at.toISOString(), 'Y-m-d\\TH:i', { zone, locale: 'en' }),
  timeZone: zone,
})

/** Until when a message of a business waits that no person sends; null where it may go now, or never could. */
export async function quietUntil(db: Db, businessGuid: string, now: Date): Promise<QuietUntil | null> {
  const found = (await findQuiet(db, [businessGuid])).get(businessGuid)
  if (!found) return null
  const at = now.toISOString()
  const next = nextAllowed(found.quiet, found.place, at)
  return next === null || next === at ? null : { at: new Date(next), zone: found.place.zone }
}
