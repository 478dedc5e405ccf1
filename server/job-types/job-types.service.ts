import { type FieldError, invalid, invalidTransition, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type JobTypeInput, jobTypesApi } from '../../contract/job-types.ts'
import { poolOf, setOptionUses } from '../booking-options/offered.service.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, asJson, changed, firstStamp, holdsText, searchText, stamp } from '../core/records.ts'
import { filterReadableReferences, readableGuids } from '../row-scope/row-scope.service.ts'
import { defaultsOf } from './job-defaults.service.ts'
import { fillStrings, stringProblems } from './job-strings.service.ts'
import { findJobType, listedJobTypes, visibleJobTypes } from './job-types.queries.ts'

type Api = typeof jobTypesApi

const nameTaken = 'Another job type has this name.'
sayConstraints({ job_type_name_taken: ['ALREADY_EXISTS', nameTaken, 'name'] })

async function one(ctx: Ctx, guid: string) {
  const found = await findJobType(ctx, guid)
  if (!found) throw notFound()
  return { jobType: { ...found, products: await filterReadableReferences(ctx, 'Products', found.products) } }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const found = visibleJobTypes(ctx).where('j.businessGuid', '=', poolOf(ctx)).where(archivedIf('j', input.archived))
  return pageOf({
    query: listedJobTypes(ctx),
    found,
    within: input.search ? [holdsText(searchText('j'), input.search)] : [],
    isPlain: true,
    input,
    sorts: { name: 'j.name', createdAt: 'j.createdAt' },
    guid: 'j.guid',
    defaultSort: 'name',
  })
}

type Checked = Pick<JobTypeInput, 'lines' | 'strings'>

/** Every text can be filled, and every product is there. What a job type had before may stay. */
async function check(ctx: Ctx, poolGuid: string, { lines, strings }: Checked, before: ReadonlySet<string> = new Set()) {
  const fields: FieldError[] = stringProblems(strings)
  const asked = [...new Set(lines.map((line) => line.productGuid).filter((guid) => !before.has(guid)))]
  if (asked.length > 0) {
    const found = await ctx.db
      .selectFrom('products')
      .select('guid')
      .where('guid', 'in', asked)
      .where('businessGuid', '=', poolGuid)
      .where('archivedAt', 'is', null)
      .execute()
    const known = await readableGuids(ctx, 'Products', found)
    lines.forEach(({ productGuid }, i) => {
      if (!known.has(productGuid) && !before.has(productGuid))
        fields.push({ path: `lines.${i}.productGuid`, message: 'We can’t find that product.' })
    })
  }
  refuseFields(fields)
}

const stored = (input: Omit<JobTypeInput, 'optionGuids'>) => ({
  name: input.name,
  durationMin: input.durationMin,
  bufferBeforeMin: input.bufferBeforeMin,
  bufferAfterMin: input.bufferAfterMin,
  checklist: JSON.stringify(input.checklist),
  lines: JSON.stringify(input.lines),
  depositRule: asJson(input.depositRule),
  strings: JSON.stringify(input.strings),
})

async function create(ctx: Ctx, { optionGuids, ...input }: Input<Api['create']>) {
  const guid = newGuid()
  const businessGuid = poolOf(ctx)
  await check(ctx, businessGuid, input)
  await ctx.db
    .insertInto('jobTypes')
    .values({
      ...stored(input),
      guid,
      businessGuid,
      ...firstStamp(ctx),
    })
    .execute()
  await setOptionUses(ctx, { column: 'jobTypeGuid', guid, businessGuid }, optionGuids)
  ctx.audit({ action: 'job_type.created', entity: 'JobTypes', guid, after: { name: input.name } })
  return one(ctx, guid)
}

async function lockVisible(ctx: Ctx, guid: string) {
  const row = await visibleJobTypes(ctx).selectAll('j').where('j.guid', '=', guid).forUpdate('j').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, optionGuids, ...changes } = input
  const before = await lockVisible(ctx, guid)
  await checkVersion(before, version, jobTypesApi.get, () => one(ctx, guid))
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const next = { ...before, ...given }
  await check(ctx, before.businessGuid, next, new Set(before.lines.map((line) => line.productGuid)))
  const after = await ctx.db
    .updateTable('jobTypes')
    .set({ ...stored(next), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (optionGuids) await setOptionUses(ctx, { column: 'jobTypeGuid', ...before }, optionGuids)
  const change = changed(before, after)
  ctx.audit({
    action: 'job_type.updated',
    entity: 'JobTypes',
    guid,
    before: change.before,
    after: { ...change.after, name: after.name },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lockVisible(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This job type is already archived.' : 'This job type isn’t archived.')
  await writeArchived(ctx, 'JobTypes', row, isArchived)
}

async function strings(
  ctx: Ctx,
  input: { guid: string; record?: string | undefined },
  tried?: JobTypeInput['strings'],
) {
  const { jobType } = await one(ctx, input.guid)
  const filled = await fillStrings(ctx, { ...jobType, ...(tried ? { strings: tried } : {}) }, input.record)
  if (!filled) throw invalid('record', 'We can’t find that record.')
  return filled
}

export const jobTypes: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  ...archiving('JobTypes', setArchived, one),
  defaults: async (ctx, input) => {
    const { jobType } = await one(ctx, input.guid)
    return { defaults: await defaultsOf(ctx, jobType, input) }
  },
  strings: (ctx, input) => strings(ctx, input),
  tryStrings: (ctx, input) => strings(ctx, input, input.strings),
}

/** What a document of a kind of job begins with, for those of the house that make one. */
export async function jobDefaults(ctx: Ctx, guid: string, given: { customerGuid: string; siteGuid: string | null }) {
  const { jobType } = await one(ctx, guid)
  return defaultsOf(ctx, jobType, { customerGuid: given.customerGuid, siteGuid: given.siteGuid ?? undefined })
}

/** Refuses a kind of job that the catalogue does not have, or no longer. */
export async function checkJobType(ctx: Ctx, guid: string | null | undefined) {
  if (!guid) return
  const found = await ctx.db
    .selectFrom('jobTypes')
    .select('guid')
    .where('guid', '=', guid)
    .where('businessGuid', '=', poolOf(ctx))
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!found) throw invalid('jobTypeGuid', 'Choose a job type.')
}
