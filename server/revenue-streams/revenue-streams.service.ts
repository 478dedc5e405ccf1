import { sql } from 'kysely'
import { invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { localDay } from '../../contract/core/dates.ts'
import type { Input } from '../../contract/core/op.ts'
import { revenueStreamsApi, targetIn, type RevenueStream } from '../../contract/revenue-streams.ts'
import { archiving, bulkEdit, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { checkFree } from '../core/free.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, blankToNull, changed, firstStamp, stamp } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof revenueStreamsApi

const codeTaken = 'Another revenue stream has this code.'
const byCode = { table: 'revenueStreams', column: 'code', taken: codeTaken } as const
const inCircle = 'A stream can’t be part of itself.'
sayConstraints({
  revenue_stream_code_taken: ['ALREADY_EXISTS', codeTaken, 'code'],
  revenue_streams_check: ['VALIDATION_FAILED', inCircle, 'parentGuid'],
  stream_circle: ['VALIDATION_FAILED', inCircle, 'parentGuid'],
})

const visible = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('revenueStreams as s'), rowColumns(ctx, 'RevenueStreams', 's'))

const thisMonth = (ctx: Ctx) => localDay(ctx.now.toISOString(), ctx.business.timeZone).slice(0, 7)

/** Invoices of the month alone are read, whatever else was ever sold. */
const thisMonthCents = (ctx: Ctx) => sql<number>`coalesce((
  select sum(l.net_cents)
  from invoices i join invoice_lines l on l.invoice_guid = i.guid
  where i.business_guid = ${ctx.business.guid} and i.status = 'issued'
    and i.issue_on >= ${`${thisMonth(ctx)}-01`}::date
    and i.issue_on < ${`${thisMonth(ctx)}-01`}::date + interval '1 month'
    and l.revenue_stream_guid = s.guid), 0)::bigint`

const columns = (ctx: Ctx) =>
  ctx.db
    .selectFrom('revenueStreams as s')
    .select([
      's.guid',
      's.version',
      's.createdAt',
      's.updatedAt',
      's.archivedAt',
      's.code',
      's.name',
      's.accountCode',
      's.parentGuid',
      's.targets',
      thisMonthCents(ctx).as('thisMonthCents'),
      sql<number>`(select count(*) from products p where p.revenue_stream_guid = s.guid and p.archived_at is null)`.as(
        'productCount',
      ),
    ])

const withTarget =
  (ctx: Ctx) =>
  <R extends Pick<RevenueStream, 'targets'>>(row: R) => ({
    ...row,
    targetCents: targetIn(row.targets, thisMonth(ctx)),
  })

async function one(ctx: Ctx, guid: string): Promise<{ stream: RevenueStream }> {
  const seen = await visible(ctx).select('s.guid').where('s.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  const row = await columns(ctx).where('s.guid', '=', guid).executeTakeFirstOrThrow()
  return { stream: withTarget(ctx)(row) }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const { search } = input
  const found = visible(ctx)
    .where('s.businessGuid', '=', ctx.business.catalogueOf)
    .where(archivedIf('s', input.archived))
  const page = await pageOf({
    query: columns(ctx),
    found,
    within: search ? [sql<boolean>`position(lower(${search}) in lower(s.code || ' ' || s.name)) > 0`] : [],
    input,
    sorts: { code: 's.code', name: 's.name' },
    guid: 's.guid',
    defaultSort: 'code',
  })
  return { ...page, items: page.items.map(withTarget(ctx)) }
}

async function lock(ctx: Ctx, guid: string) {
  const row = await visible(ctx).selectAll('s').where('s.guid', '=', guid).forUpdate('s').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

interface Given {
  code?: string | undefined
  parentGuid?: string | null | undefined
}

async function check(ctx: Ctx, pool: string, given: Given, except: string) {
  await checkFree(ctx, byCode, pool, given.code, except)
  if (!given.parentGuid) return
  if (given.parentGuid === except) throw invalid('parentGuid', inCircle)
  const parent = await visible(ctx)
    .select('s.guid')
    .where('s.guid', '=', given.parentGuid)
    .where('s.businessGuid', '=', pool)
    .where('s.archivedAt', 'is', null)
    .executeTakeFirst()
  if (!parent) throw invalid('parentGuid', 'Choose a revenue stream.')
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const guid = newGuid()
  const pool = ctx.business.catalogueOf
  await check(ctx, pool, input, guid)
  await ctx.db
    .insertInto('revenueStreams')
    .values({
      ...blankToNull(input),
      targets: JSON.stringify(input.targets),
      guid,
      businessGuid: pool,
      ...firstStamp(ctx),
    })
    .execute()
  ctx.audit({ action: 'stream.created', entity: 'RevenueStreams', guid, after: { name: input.name, code: input.code } })
  return one(ctx, guid)
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, targets, ...changes } = input
  const before = await lock(ctx, guid)
  await checkVersion(before, version, revenueStreamsApi.get, () => one(ctx, guid))
  await check(ctx, before.businessGuid, before.archivedAt === null ? changes : { ...changes, code: undefined }, guid)
  const after = await ctx.db
    .updateTable('revenueStreams')
    .set({
      ...blankToNull(changes),
      ...(targets ? { targets: JSON.stringify(targets) } : {}),
      ...stamp(ctx, before.version),
    })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'stream.updated',
    entity: 'RevenueStreams',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This stream is already archived.' : 'This stream isn’t archived.')
  if (!isArchived) await check(ctx, row.businessGuid, { code: row.code }, guid)
  await writeArchived(ctx, 'RevenueStreams', row, isArchived)
}

export const revenueStreams: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  edit: bulkEdit('RevenueStreams', update),
  ...archiving('RevenueStreams', setArchived, one),
}
