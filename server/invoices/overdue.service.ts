import { sql } from 'kysely'
import { formatPattern } from '../../contract/core/dates.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import { overdueApi } from '../../contract/overdue.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { money } from '../core/i18n/format.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { overdueCents } from '../documents/instalments.service.ts'
import { rowForUpdate } from './invoices.queries.ts'

interface Mark {
  dueOn: string
  guid: string
}
interface Overdue extends Mark {
  number: string
  businessGuid: string
  cents: number
  isEmitted: boolean
}

const localDay = (ctx: Ctx) => sql<string>`(${ctx.now}::timestamptz at time zone b.time_zone)::date`

/**
 * Issued invoices that owe something that was due before today, those of the newest due day first, because what was
 * told already is older. `due_on` is the day of the earliest instalment that is not paid.
 */
async function findOverdue(ctx: Ctx, { after, guid }: { after?: Mark | null; guid?: string }, limit: number) {
  const today = localDay(ctx)
  const later = after ? sql`and (i.due_on, i.guid) < (${after.dueOn}::date, ${after.guid}::uuid)` : sql``
  const { rows } = await sql<Overdue>`select i.guid, i.number, i.business_guid, i.due_on::text as due_on,
      ${overdueCents('i', today)} as cents,
      exists (select from invoice_overdues o where o.invoice_guid = i.guid and o.due_on = i.due_on) as is_emitted
    from invoices i join businesses b on b.guid = i.business_guid
    where i.status = 'issued' and i.balance_cents > 0 and i.archived_at is null and i.due_on < ${today}
      ${guid ? sql`and i.guid = ${guid}::uuid` : sql``} ${later}
    order by i.due_on desc, i.guid desc limit ${limit + 1}`.execute(ctx.db)
  return { rows: rows.slice(0, limit), isPartial: rows.length > limit }
}

const shownDay = (day: string) => formatPattern(day, 'd-m-Y', { zone: 'UTC', locale: 'en' })

function itemOf({ guid, number, dueOn, cents, isEmitted }: Overdue): PlanItem {
  const item = { key: guid, record: { guid, label: number } }
  if (isEmitted) return { ...item, do: false, reason: 'emitted' }
  const effect = `Record that ${number} is overdue: ${money(cents)} was due on ${shownDay(dueOn)}.`
  return { ...item, do: true, effect }
}

/** Looks every hour, so that each business hears of what became overdue in the first hour of its day. */
export const overdueJob = definePlanned<Mark>({
  name: 'invoices-overdue',
  call: overdueApi.run,
  cron: '2 * * * *',
  plan: async (ctx, after, limit) => {
    const { rows, isPartial } = await findOverdue(ctx, { after }, limit)
    return {
      items: rows.map((row) => ({
        ...{ item: itemOf(row), mark: { dueOn: row.dueOn, guid: row.guid }, businessGuid: row.businessGuid },
      })),
      isPartial,
    }
  },
  act: async (ctx, guid) => {
    if (!(await rowForUpdate(ctx.db, guid))) return false
    const [row] = (await findOverdue(ctx, { guid }, 1)).rows
    if (!row || row.isEmitted) return false
    const { number, dueOn, cents } = row
    await ctx.workFor(row.businessGuid)
    await ctx.db.insertInto('invoiceOverdues').values({ invoiceGuid: guid, dueOn, at: ctx.now }).execute()
    ctx.audit({ action: 'invoice.overdue', entity: 'Invoices', guid, after: { number, amountCents: cents, dueOn } })
    return true
  },
})

export const overdue: Handlers<typeof overdueApi> = {
  run: (ctx) => overdueJob.run(ctx.deps, ctx),
  preview: (ctx) => overdueJob.preview(ctx),
  runs: (ctx, input) => overdueJob.runs(ctx, input),
}
