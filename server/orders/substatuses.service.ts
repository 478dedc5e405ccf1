import { type RawBuilder, sql } from 'kysely'
import { alreadyExists, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type ShownSubstatus, type Substatus, substatusesApi } from '../../contract/substatuses.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, changed, firstStamp, stamp } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof substatusesApi

const taken = 'This status already has a sub-status with this name.'
sayConstraints({ order_substatus_taken: ['ALREADY_EXISTS', taken, 'label'] })

const visible = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('orderSubstatuses as s'), rowColumns(ctx, 'Substatuses', 's'))

/** As orders of an alias show theirs. */
export const substatusJson = (alias: string): RawBuilder<ShownSubstatus | null> =>
  sql`(select json_build_object('guid', s.guid, 'label', s.label, 'colour', s.colour) from order_substatuses s
    where s.guid = ${sql.ref(`${alias}.substatusGuid`)})`

const columns = (ctx: Ctx) =>
  ctx.db
    .selectFrom('orderSubstatuses as s')
    .select([
      's.guid',
      's.version',
      's.createdAt',
      's.updatedAt',
      's.archivedAt',
      's.core',
      's.label',
      's.colour',
      sql<number>`(select count(*) from orders o where o.substatus_guid = s.guid and o.archived_at is null)`.as(
        'orderCount',
      ),
    ])

async function one(ctx: Ctx, guid: string): Promise<{ substatus: Substatus }> {
  const seen = await visible(ctx).select('s.guid').where('s.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  return { substatus: await columns(ctx).where('s.guid', '=', guid).executeTakeFirstOrThrow() }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const { search, core } = input
  let found = visible(ctx).where('s.businessGuid', '=', ctx.business.catalogueOf).where(archivedIf('s', input.archived))
  if (core) found = found.where('s.core', '=', core)
  return pageOf({
    query: columns(ctx),
    found,
    within: search ? [sql<boolean>`position(lower(${search}) in lower(s.label)) > 0`] : [],
    input,
    sorts: { label: 's.label' },
    guid: 's.guid',
    defaultSort: 'label',
  })
}

async function lock(ctx: Ctx, guid: string) {
  const row = await visible(ctx).selectAll('s').where('s.guid', '=', guid).forUpdate('s').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** One label in use per status, whatever its capitals. */
async function checkFree(
  ctx: Ctx,
  of: Pick<Awaited<ReturnType<typeof lock>>, 'businessGuid' | 'core' | 'label'>,
  except: string,
) {
  const other = await ctx.db
    .selectFrom('orderSubstatuses')
    .select('guid')
    .where('businessGuid', '=', of.businessGuid)
    .where('core', '=', of.core)
    .where(sql<boolean>`lower(label) = lower(${of.label})`)
    .where('archivedAt', 'is', null)
    .where('guid', '<>', except)
    .executeTakeFirst()
  if (other) throw alreadyExists('label', taken)
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const guid = newGuid()
  const row = { ...input, businessGuid: ctx.business.catalogueOf }
  await checkFree(ctx, row, guid)
  await ctx.db
    .insertInto('orderSubstatuses')
    .values({ ...row, guid, ...firstStamp(ctx) })
    .execute()
  ctx.audit({
    action: 'substatus.created',
    entity: 'Substatuses',
    guid,
    after: { name: input.label, core: input.core },
  })
  return one(ctx, guid)
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, ...changes } = input
  const before = await lock(ctx, guid)
  await checkVersion(before, version, substatusesApi.get, () => one(ctx, guid))
  if (before.archivedAt === null) await checkFree(ctx, { ...before, label: changes.label ?? before.label }, guid)
  const after = await ctx.db
    .updateTable('orderSubstatuses')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'substatus.updated',
    entity: 'Substatuses',
    guid,
    before: change.before,
    after: { name: after.label, ...change.after },
  })
  return one(ctx, guid)
}

/** Orders that stand in one keep it; it can’t be chosen any more. */
async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This sub-status is already archived.' : 'This sub-status isn’t archived.')
  if (!isArchived) await checkFree(ctx, row, guid)
  await writeArchived(ctx, 'Substatuses', { ...row, name: row.label }, isArchived)
}

export const substatuses: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  ...archiving('Substatuses', setArchived, one),
}
