import type { State } from '../../contract/core/address.ts'
import { invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { holidayOn, holidaysOf } from '../../contract/core/holidays.ts'
import type { Input } from '../../contract/core/op.ts'
import {
  type HolidayInput,
  type HolidayOfBusiness,
  holidaysApi,
  holidayStateOf,
  holidayYears,
} from '../../contract/holidays.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { changed, firstStamp, stamp, userName } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof holidaysApi

sayConstraints({
  holiday_change_taken: ['ALREADY_EXISTS', 'This day has been changed already. Edit or undo that change.', 'day'],
})

const visible = (ctx: Ctx) => applyRows(ctx, ctx.db.selectFrom('holidayChanges as h'), rowColumns(ctx, 'Holidays', 'h'))

const shown = (ctx: Ctx) =>
  visible(ctx)
    .leftJoin('users as u', 'u.guid', 'h.updatedBy')
    .select(['h.guid', 'h.version', 'h.state', 'h.day', 'h.name', 'h.isAdded', 'h.fromMin', 'h.updatedAt'])
    .select(userName<string | null>('u').as('updatedBy'))

async function one(ctx: Ctx, guid: string): Promise<{ change: HolidayOfBusiness }> {
  const change = await shown(ctx).where('h.guid', '=', guid).executeTakeFirst()
  if (!change) throw notFound()
  return { change }
}

const changesIn = (ctx: Ctx, state: State, year: number) =>
  shown(ctx)
    .where('h.businessGuid', '=', ctx.business.guid)
    .where('h.state', '=', state)
    .where('h.day', '>=', `${year}-01-01`)
    .where('h.day', '<=', `${year}-12-31`)
    .orderBy('h.day')
    .execute()

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const state = input.state ?? holidayStateOf(ctx.business)
  const year = input.year ?? Number(today(ctx.business, ctx.now).slice(0, 4))
  if (state === null) return { state, year, holidays: [], changes: [] }
  const changes = await changesIn(ctx, state, year)
  const changeOf = new Map(changes.map((change) => [change.day, change.guid]))
  const holidays = holidaysOf(state, year, changes).map((holiday) => ({
    ...holiday,
    changeGuid: changeOf.get(holiday.day) ?? null,
  }))
  return { state, year, holidays, changes }
}

async function lock(ctx: Ctx, guid: string) {
  const row = await visible(ctx).selectAll('h').where('h.guid', '=', guid).forUpdate('h').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** What a holiday is called: one that is removed has to be there, and has the name that the state gave it. */
function checkedName({ state, day, name, isAdded, fromMin }: HolidayInput): string {
  const year = Number(day.slice(0, 4))
  if (year < holidayYears.first || year > holidayYears.last)
    throw invalid('day', 'Choose a date between 2000 and 2100.')
  if (isAdded) {
    if (!name) throw invalid('name', 'This field is required.')
    return name
  }
  const removed = holidayOn(state, day)
  if (!removed) throw invalid('day', `This day isn’t a public holiday in ${state}.`)
  if (fromMin) throw invalid('fromMin', 'A holiday is removed as a whole. Add it with other hours instead.')
  return removed.name
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const guid = newGuid()
  const { state, day, isAdded, fromMin = null } = input
  const name = checkedName(input)
  await ctx.db
    .insertInto('holidayChanges')
    .values({ guid, businessGuid: ctx.business.guid, state, day, isAdded, fromMin, name, ...firstStamp(ctx) })
    .execute()
  ctx.audit({
    action: isAdded ? 'holiday.added' : 'holiday.removed',
    entity: 'Holidays',
    guid,
    after: { name, state, day, fromMin },
  })
  return one(ctx, guid)
}

async function update(ctx: Ctx, { guid, version, ...changes }: Input<Api['update']>) {
  const before = await lock(ctx, guid)
  await checkVersion(before, version, holidaysApi.get, () => one(ctx, guid))
  if (!before.isAdded) throw invalidTransition('This holiday was removed. Undo that to have it back.')
  const after = await ctx.db
    .updateTable('holidayChanges')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'holiday.updated',
    entity: 'Holidays',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after },
  })
  return one(ctx, guid)
}

async function remove(ctx: Ctx, { guid }: Input<Api['remove']>) {
  const { name, state, day, isAdded, fromMin } = await lock(ctx, guid)
  await ctx.db.deleteFrom('holidayChanges').where('guid', '=', guid).execute()
  ctx.audit({
    action: 'holiday.undone',
    entity: 'Holidays',
    guid,
    before: { state, day, isAdded, fromMin },
    after: { name },
  })
  return null
}

export const holidays: Handlers<Api> = { list, get: (ctx, { guid }) => one(ctx, guid), create, update, remove }
