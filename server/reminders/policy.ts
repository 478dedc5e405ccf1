import type { Selectable } from 'kysely'
import { localDay } from '../../contract/core/dates.ts'
import { type FieldError, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { isQuietHour } from '../../contract/core/quiet-time.ts'
import { clockOf, parseTime } from '../../contract/core/times.ts'
import { type ReminderPolicy, remindersApi } from '../../contract/reminders.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import type { MailPolicies, ReminderPolicies } from '../core/db/schema-reminders.ts'
import { changed, stamp } from '../core/records.ts'
import { templatesOf } from '../messages/chosen.service.ts'

type Row = Selectable<ReminderPolicies>
type Quiet = Selectable<MailPolicies>
type Wanted = Omit<ReminderPolicy, 'version'>

const wantedOf = (row: Row, quiet: Quiet): Wanted => ({
  startsOn: row.startsOn,
  sendAt: clockOf(row.sendAt),
  minimumCents: row.minimumCents,
  isOn: row.isOn,
  steps: row.steps,
  quiet: {
    from: clockOf(quiet.quietFrom),
    to: clockOf(quiet.quietTo),
    weekdays: quiet.quietWeekdays,
    holidays: quiet.quietHolidays,
  },
})

const minutesOf = (clock: string) => parseTime(clock) ?? 0

async function rowsOf(ctx: Ctx, isLocked = false): Promise<{ row: Row; quiet: Quiet }> {
  const policy = ctx.db.selectFrom('reminderPolicies').selectAll().where('businessGuid', '=', ctx.business.guid)
  const row = await (isLocked ? policy.forUpdate() : policy).executeTakeFirst()
  const quiet = await ctx.db
    .selectFrom('mailPolicies')
    .selectAll()
    .where('businessGuid', '=', ctx.business.guid)
    .executeTakeFirst()
  if (!row || !quiet) throw notFound()
  return { row, quiet }
}

const reminderTemplates = (ctx: Ctx) => templatesOf(ctx, ctx.business.guid, 'reminder')

export async function shownPolicy(ctx: Ctx) {
  const { row, quiet } = await rowsOf(ctx)
  return { policy: { version: row.version, ...wantedOf(row, quiet) }, templates: await reminderTemplates(ctx) }
}

/**
 * What is wrong with a ladder: it is on without a step, two steps of a day, a template that is none, or a time at which
 * nothing goes out.
 */
async function policyErrors(
  ctx: Ctx,
  { isOn, steps, sendAt, quiet }: Wanted,
  kept: readonly string[],
): Promise<FieldError[]> {
  const known = new Set([...(await reminderTemplates(ctx)).map(({ guid }) => guid), ...kept])
  const { from, to, weekdays } = quiet
  return [
    ...(isOn && steps.length === 0 ? [{ path: 'steps', message: 'Add a step, or turn reminders off.' }] : []),
    ...steps.flatMap(({ days }, i) =>
      steps.findIndex((step) => step.days === days) < i
        ? [{ path: `steps.${i}.days`, message: 'Each step needs its own day.' }]
        : [],
    ),
    ...steps.flatMap(({ templateGuid }, i) =>
      known.has(templateGuid) ? [] : [{ path: `steps.${i}.templateGuid`, message: 'Choose a template for reminders.' }],
    ),
    ...(new Set(weekdays).size === 7
      ? [{ path: 'quiet.weekdays', message: 'Leave at least one day on which emails go out.' }]
      : []),
    ...(isQuietHour({ from: minutesOf(from), to: minutesOf(to) }, minutesOf(sendAt))
      ? [{ path: 'sendAt', message: 'Choose a time outside the quiet hours.' }]
      : []),
  ]
}

/** Turned on without a day of its own it begins today: what was due long before is not asked for all at once. */
function startOf(
  ctx: Ctx,
  row: Row,
  { isOn, startsOn }: { isOn?: boolean | undefined; startsOn?: string | undefined },
) {
  if (startsOn) return startsOn
  const today = localDay(ctx.now.toISOString(), ctx.business.timeZone)
  return isOn && !row.isOn && row.startsOn < today ? today : row.startsOn
}

export async function savePolicy(ctx: Ctx, input: Input<(typeof remindersApi)['savePolicy']>) {
  const { version, ...changes } = input
  const { row, quiet } = await rowsOf(ctx, true)
  await checkVersion(row, version, remindersApi.policy, () => shownPolicy(ctx))
  const before = wantedOf(row, quiet)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const wanted: Wanted = { ...before, ...given, startsOn: startOf(ctx, row, changes) }
  refuseFields(
    await policyErrors(
      ctx,
      wanted,
      row.steps.map(({ templateGuid }) => templateGuid),
    ),
  )
  const { startsOn, sendAt, minimumCents, isOn } = wanted
  const steps = wanted.steps.toSorted((a, b) => a.days - b.days)
  const weekdays = [...new Set(wanted.quiet.weekdays)].toSorted()
  await ctx.db
    .updateTable('reminderPolicies')
    .set({ startsOn, sendAt: minutesOf(sendAt), minimumCents, isOn, steps: JSON.stringify(steps) })
    .set(stamp(ctx, row.version))
    .where('guid', '=', row.guid)
    .execute()
  await ctx.db
    .updateTable('mailPolicies')
    .set({ quietFrom: minutesOf(wanted.quiet.from), quietTo: minutesOf(wanted.quiet.to) })
    .set({ quietWeekdays: weekdays, quietHolidays: wanted.quiet.holidays })
    .where('guid', '=', quiet.guid)
    .execute()
  ctx.audit({
    action: 'business.reminders_changed',
    entity: 'Businesses',
    guid: ctx.business.guid,
    ...changed(before, { ...wanted, steps, quiet: { ...wanted.quiet, weekdays } }),
  })
  return shownPolicy(ctx)
}
