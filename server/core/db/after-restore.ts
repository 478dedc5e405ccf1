import { nouns, numberedBy } from '../../../contract/nouns.ts'
import type pg from 'pg'
import { SettingsError } from '../env.ts'
import { holdKey, newHold } from '../hold.ts'

interface Counter {
  businessGuid: string
  business: string
  kind: string
  prefix: string
  padding: number
  next: number
}

export interface AfterRestore {
  /** The instant the data is of. */
  madeAt: string
  now: Date
  /** The name of the report in DATA_DIR. */
  report: string
  /** The last number that was given of a kind; null leaves a gap. `gap` is how many numbers that would be. */
  lastGiven: (counter: Counter, gap: number) => Promise<string | null>
  /** Gives every customer's page a new address, so that addresses revoked since the backup stay dead. */
  hasNewLinks: boolean
}

/** Of every kind at least so many numbers are left out when nobody says which was the last. */
const smallestGap = 100
const monthMs = 30 * 86_400_000
const installation = '00000000-0000-4000-8000-000000000000'

/**
 * Makes a restored database safe to go on with: logins end, nothing is sent or charged until somebody has let it, no
 * number is given twice. Answers with what nobody can know, for the report.
 */
export async function settleRestore(db: pg.ClientBase, options: AfterRestore): Promise<string[]> {
  const { madeAt, now } = options
  const one = async (text: string, values: unknown[] = []) =>
    Number((await db.query<{ n: string }>(text, values)).rows[0]?.n ?? 0)
  await db.query('begin')
  const sessions = await one(
    `with ended as (update sessions set revoked_at = $1 where revoked_at is null returning 1)
      select count(*) as n from ended`,
    [now],
  )
  // Links to reset a password and invitations are bound to it.
  await db.query('update users set auth_version = auth_version + 1')
  const jobs = await one(
    `with gone as (delete from pgboss.job where state in ('created', 'retry', 'active') returning 1)
      select count(*) as n from gone`,
  )
  const hold = JSON.stringify(newHold(now.toISOString(), madeAt, options.report))
  await db.query(
    `insert into app_state (key, value, updated_at) values ($1, $2, $3)
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [holdKey, hold, now],
  )
  const numbers = await moveNumbers(db, options)
  const links = options.hasNewLinks
    ? await renewLinks(db, now)
    : await one('select count(*) as n from service_links where revoked_at is null')
  // Their links are void, and what they tell of may be undone.
  await db.query(
    `update messages set status = 'cancelled', next_attempt_at = null, lease_until = null where owner_type = 'user'
      and status in ('queued', 'sending', 'deferred')`,
  )
  const mails = await one(
    `select count(*) as n from messages where status in ('queued', 'sending', 'deferred', 'scheduled')`,
  )
  const attempts = await one(
    `select count(*) as n from payment_attempts where status in ('processing', 'requires_action')`,
  )
  await note(db, options, 'backup.restored', 'Maintenance', installation, { madeAt, sessions, jobs, mails, links })
  await db.query('commit')
  return [
    `Everything done between ${madeAt} and this restore is missing here: customers, quotes, acceptances, orders, ` +
      'invoices, payments recorded by hand, changes of users and rights. Nobody can list it.',
    `${sessions} logins were ended; links to reset passwords and invitations sent before are void. ` +
      'A user who was deactivated, or a right that was taken away, since the backup is back: check Users and Roles.',
    ...numbers,
    `${mails} emails were waiting at the time of the backup and may have gone out since. ` +
      'Nothing is sent until an administrator decides in the banner "Sending is on hold".',
    `${jobs} queued jobs of that time were dropped, because they may have been done since: ` +
      'receipts and notifications of the last minutes before the backup may never come.',
    `${attempts} card payments were open at the time of the backup; they are settled by asking the provider. ` +
      'Payments taken since are asked for within a minute of the next start; ' +
      'what is unknown here stands in Payments, To check. Card payments and card refunds are paused until then.',
    options.hasNewLinks
      ? `${links} links of customers' pages were replaced by new ones; the ones customers have no longer work. ` +
        'Send the documents again.'
      : `${links} links of customers' pages work as at the time of the backup. ` +
        'A link that was revoked or reissued since works again in its old form: ' +
        'revoke it again where that matters, or restore with --new-links.',
  ]
}

async function moveNumbers(db: pg.ClientBase, options: AfterRestore): Promise<string[]> {
  const { rows: counters } = await db.query<Counter>(
    `select c.business_guid as "businessGuid", coalesce(b.trading_name, b.legal_name) as business, c.kind,
      c.prefix, c.padding, c.next
      from number_counters c join businesses b on b.guid = c.business_guid order by 2, 3`,
  )
  const told: string[] = []
  const moved = new Map<string, { kind: string; prefix: string; next: number }[]>()
  for (const counter of counters) {
    const gap = await gapOf(db, counter, options)
    const last = await options.lastGiven(counter, gap)
    const next = last === null ? counter.next + gap : numberOf(counter, last) + 1
    if (next < counter.next)
      throw new SettingsError(
        `${last} cannot be the last ${counter.kind} number: ${counter.prefix}${counter.next - 1} is in the backup.`,
      )
    const what = counter.kind.replace('_', ' ')
    const written = (n: number) => `${counter.prefix}${String(n).padStart(counter.padding, '0')}`
    if (next > counter.next) {
      await db.query('update number_counters set next = $3 where business_guid = $1 and kind = $2', [
        counter.businessGuid,
        counter.kind,
        next,
      ])
      moved.set(counter.businessGuid, [
        ...(moved.get(counter.businessGuid) ?? []),
        { kind: counter.kind, prefix: counter.prefix, next },
      ])
      const why = last === null ? ', as a gap for what was given since the backup' : ''
      told.push(
        `${counter.business}: ${what} numbers ${written(counter.next)} to ${written(next - 1)} are left out${why}; ` +
          `the next one is ${written(next)}.`,
      )
    } else told.push(`${counter.business}: the next ${what} number is ${written(next)}, as you said.`)
  }
  for (const [businessGuid, numbering] of moved)
    await note(db, options, 'business.updated', 'Businesses', businessGuid, { numbering })
  return told
}

/** What was given in the month before the backup, three times over for the days since, to the next full hundred. */
async function gapOf(
  db: pg.ClientBase,
  { businessGuid, kind }: Counter,
  { madeAt, now }: AfterRestore,
): Promise<number> {
  const noun = numberedBy(kind)
  if (!noun) return smallestGap
  const { rows } = await db.query<{ n: string }>(
    `select count(*) as n from ${nouns[noun].table}
      where business_guid = $1 and number is not null and created_at > $2::timestamptz - interval '30 days'`,
    [businessGuid, madeAt],
  )
  const months = Math.max((now.getTime() - new Date(madeAt).getTime()) / monthMs, 0)
  return Math.max(Math.ceil((3 * Number(rows[0]?.n ?? 0) * months) / 100) * 100, smallestGap)
}

const numberOf = ({ prefix, kind }: Counter, last: string): number => {
  const digits = last.startsWith(prefix) ? last.slice(prefix.length) : last
  if (!/^\d{1,9}$/.test(digits)) throw new SettingsError(`${last} is no ${kind} number; they look like ${prefix}1042.`)
  return Number(digits)
}

async function renewLinks(db: pg.ClientBase, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `with dead as (update service_links set revoked_at = $1 where revoked_at is null
      returning kind, record_guid) insert into service_links (guid, kind, record_guid, created_at)
      select gen_random_uuid(), kind, record_guid, $1 from dead`,
    [now],
  )
  return rowCount ?? 0
}

const note = (db: pg.ClientBase, { now }: AfterRestore, action: string, entity: string, guid: string, after: object) =>
  db.query(
    `insert into audit_log (at, actor_kind, actor_name, action, entity, entity_guid, after)
      values ($1, 'system', 'restore', $2, $3, $4, $5)`,
    [now, action, entity, guid, JSON.stringify(after)],
  )
