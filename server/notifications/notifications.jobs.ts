import { sql } from 'kysely'
import { readRight, rowOf } from '../../contract/nouns.ts'
import type { Actor, Ctx, WorksIn } from '../core/ctx.ts'
import { reachable } from '../core/http/permission.ts'
import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { type Notice, noticeQueue } from '../core/notices.ts'
import { worksInText } from '../core/works-in.ts'
import { filterVisible, isRowNoun } from '../row-scope/row-scope.service.ts'

const keptDays = 90
const rowsPerStep = 5000

/** A notice as it was queued: with the person who caused it. */
export type Told = Notice & { by: string | null }

interface Person {
  guid: string
  roleGuid: string
  rulesVersion: number
  worksIn: WorksIn | null
}

/** Those who work here and want to hear of this kind; not the one who did it. */
async function listenersOf(ctx: Ctx, notice: Told): Promise<Person[]> {
  let query = ctx.db
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.guid', 'u.roleGuid')
    .select(['u.guid', 'u.roleGuid', 'r.rulesVersion', sql<WorksIn | null>`${sql.raw(worksInText)}`.as('worksIn')])
    .where('u.status', '=', 'active')
    .where('r.archivedAt', 'is', null)
    .where(sql<boolean>`not ${notice.kind} = any(u.quiet_kinds)`)
  if (notice.to) query = query.where('u.guid', '=', notice.to)
  if (notice.by) query = query.where('u.guid', '<>', notice.by)
  return query.execute()
}

/**
 * Whether a person may read the record, or do what the notice is for: asked with the rules and rows
 * as they are for that person.
 */
async function mayKnow(ctx: Ctx, person: Person, { noun, recordGuid, right, for: task }: Notice): Promise<boolean> {
  const rights = await ctx.deps.rights.of(ctx.db, person.roleGuid, person.rulesVersion)
  const actor: Actor = {
    kind: 'user',
    apiGuid: '',
    sessionGuid: '',
    userGuid: person.guid,
    name: '',
    roleGuid: person.roleGuid,
    ...rights,
    worksIn: person.worksIn,
  }
  const [action, subject] = task?.can ?? right ?? readRight(noun, 'Guid')
  const rows = reachable(actor, [action, subject])
  if (rows === 'none') return false
  if (task?.invoiceGuid === null) return rows === 'all'
  const [rowsOf, guid] = task ? (['Invoices', task.invoiceGuid] as const) : [noun, recordGuid]
  if (rows === 'all' || !isRowNoun(rowsOf)) return true
  return (await filterVisible({ actor, db: ctx.db }, rows, rowsOf, [guid])).has(guid)
}

/** What people call the record by: a payment by the invoices it was for. */
const numberOf = (noun: Notice['noun']) => {
  if (noun === 'Messages') return sql`d.owner_number`
  if (noun === 'Series') return sql`d.title`
  if (noun !== 'Payments') return sql`d.number`
  return sql`coalesce((select string_agg(distinct i.number, ', ') from payment_allocations a join invoices i
    on i.guid = a.invoice_guid where a.payment_guid = d.guid), d.number)`
}

/** Whose record it is, and its number; people, accounts and webhooks have neither, and an action says all there is. */
async function describe(ctx: Ctx, { kind, noun, recordGuid }: Notice): Promise<Record<string, string | null>> {
  if (noun === 'Users' || noun === 'EmailAccounts' || noun === 'Webhooks' || kind === 'action.told') return {}
  const number = numberOf(noun)
  const { rows } = await sql<{
    number: string | null
    customerName: string | null
  }>`select ${number} as number, (select c.display_name from parties c
    where c.member_guid = d.customer_guid) as customer_name
    from ${sql.table(rowOf(noun).table)} d where d.guid = ${recordGuid}::uuid`.execute(ctx.db)
  return { number: rows[0]?.number ?? null, customerName: rows[0]?.customerName ?? null }
}

/** Tells those who may know, each once. */
export async function spread(ctx: Ctx, notice: Told): Promise<void> {
  const told: string[] = []
  for (const person of await listenersOf(ctx, notice)) if (await mayKnow(ctx, person, notice)) told.push(person.guid)
  if (told.length === 0) return
  const { event, kind, noun, recordGuid } = notice
  const values = { ...(await describe(ctx, notice)), ...notice.values }
  await ctx.db
    .insertInto('notifications')
    .values(
      told.map((userGuid) => ({
        userGuid,
        event,
        kind,
        noun,
        recordGuid,
        details: JSON.stringify(values),
        createdAt: ctx.now,
      })),
    )
    .onConflict((c) => c.columns(['userGuid', 'event']).doNothing())
    .execute()
}

export const noticeJob = defineJob(noticeQueue, { effect: 'transaction', concurrency: 2 }, (ctx, data) =>
  spread(ctx, data as unknown as Told),
)

/** Nobody reads what is three months old. Used and dead links go with it. */
export const forgetBatch = defineBatch('notifications-prune', '23 3 * * *', async (ctx, hasTime) => {
  let removed = 0
  for (const old of [
    sql`delete from notifications where guid = any(array(select guid from notifications
      where created_at < now() - make_interval(days => ${keptDays}) limit ${rowsPerStep}))`,
    sql`delete from credential_links where hash = any(array(select hash from credential_links
      where expires_at < now() - interval '30 days' limit ${rowsPerStep}))`,
  ])
    for (let count = rowsPerStep; count === rowsPerStep && hasTime(); removed += count)
      count = Number((await old.execute(ctx.db)).numAffectedRows ?? 0n)
  return { succeeded: removed, failed: 0, remaining: 0 }
})
