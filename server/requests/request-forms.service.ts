import { sql } from 'kysely'
import {
  alreadyExists,
  type FieldError,
  invalid,
  invalidTransition,
  notFound,
  refuseFields,
} from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { servicePath } from '../../contract/places.ts'
import { type RequestForm, requestFormsApi } from '../../contract/requests.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { qrPath } from '../core/qr.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { archivedIf, asJson, changed, firstStamp, stamp } from '../core/records.ts'
import { worksAt } from '../core/works-in.ts'
import { checkJobType } from '../job-types/job-types.service.ts'
import { findForm, guestQuestions, listedForms, visibleForms } from './request-forms.queries.ts'

type Api = typeof requestFormsApi

const taken = 'Another form has this address.'
sayConstraints({ request_form_slug_taken: ['ALREADY_EXISTS', taken, 'slug'] })

async function one(ctx: Ctx, guid: string): Promise<{ requestForm: RequestForm }> {
  const row = await findForm(ctx, guid)
  if (!row) throw notFound()
  const { ownerName, ...form } = row
  const url = `${ctx.deps.settings.publicUrl}${servicePath('request', row.slug)}`
  const { size, path } = qrPath(url)
  return {
    requestForm: {
      ...form,
      owner: row.notifyGuid && ownerName ? { guid: row.notifyGuid, label: ownerName } : null,
      questions: await guestQuestions(ctx.db, row.jobTypeGuid),
      url,
      qr: { size, path },
    },
  }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const { search } = input
  const page = await pageOf({
    query: listedForms(ctx),
    found: visibleForms(ctx).where(archivedIf('f', input.archived)),
    lists: listsIn(reach, 'f.businessGuid'),
    within: search ? [sql<boolean>`position(lower(${search}) in lower(f.name || ' ' || f.slug)) > 0`] : [],
    input,
    sorts: { name: 'f.name', createdAt: 'f.createdAt' },
    guid: 'f.guid',
    defaultSort: 'name',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}

async function lock(ctx: Ctx, guid: string) {
  const row = await visibleForms(ctx).selectAll('f').where('f.guid', '=', guid).forUpdate('f').executeTakeFirst()
  if (!row) throw notFound()
  await ctx.workFor(row.businessGuid)
  return row
}

/** An address is one form’s, whichever business has it. */
async function checkSlug(ctx: Ctx, slug: string, except: string) {
  const other = await ctx.db
    .selectFrom('requestForms')
    .select('guid')
    .where(sql<boolean>`lower(slug) = lower(${slug})`)
    .where('archivedAt', 'is', null)
    .where('guid', '<>', except)
    .executeTakeFirst()
  if (other) throw alreadyExists('slug', taken)
}

async function checkOwner(ctx: Ctx, businessGuid: string, notifyGuid: string | null | undefined) {
  if (!notifyGuid) return
  const person = await ctx.db
    .selectFrom('users')
    .select('guid')
    .where('guid', '=', notifyGuid)
    .where('status', '=', 'active')
    .where(worksAt(businessGuid))
    .executeTakeFirst()
  if (!person) throw invalid('notifyGuid', 'Choose an active user who works in this business.')
}

/** Questions are those that customers answer for the job type. */
async function checkQuestions(ctx: Ctx, jobTypeGuid: string, optionGuids: readonly string[] | null | undefined) {
  if (!optionGuids) return
  const known = new Set((await guestQuestions(ctx.db, jobTypeGuid)).map(({ guid }) => guid))
  refuseFields(
    optionGuids.flatMap((guid, i): FieldError[] =>
      known.has(guid)
        ? []
        : [{ path: `optionGuids.${i}`, message: 'This job type doesn’t ask customers this question.' }],
    ),
  )
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const guid = newGuid()
  const { business } = ctx
  await checkSlug(ctx, input.slug, guid)
  await checkJobType(ctx, input.jobTypeGuid)
  await checkOwner(ctx, business.guid, input.notifyGuid)
  await checkQuestions(ctx, input.jobTypeGuid, input.optionGuids)
  await ctx.db
    .insertInto('requestForms')
    .values({
      ...input,
      guid,
      businessGuid: business.guid,
      heading: JSON.stringify(input.heading),
      intro: asJson(input.intro),
      thanks: asJson(input.thanks),
      ...firstStamp(ctx),
    })
    .execute()
  ctx.audit({
    action: 'request_form.created',
    entity: 'RequestForms',
    guid,
    after: { name: input.name, slug: input.slug },
  })
  return one(ctx, guid)
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, heading, intro, thanks, ...changes } = input
  const before = await lock(ctx, guid)
  await checkVersion(before, version, requestFormsApi.get, () => one(ctx, guid))
  const jobTypeGuid = changes.jobTypeGuid ?? before.jobTypeGuid
  if (before.archivedAt === null) await checkSlug(ctx, changes.slug ?? before.slug, guid)
  if (jobTypeGuid !== before.jobTypeGuid) await checkJobType(ctx, jobTypeGuid)
  if (changes.notifyGuid !== before.notifyGuid) await checkOwner(ctx, before.businessGuid, changes.notifyGuid)
  if (changes.optionGuids) await checkQuestions(ctx, jobTypeGuid, changes.optionGuids)
  // Those of another job type are none of this one's.
  else if (jobTypeGuid !== before.jobTypeGuid) changes.optionGuids = null
  const after = await ctx.db
    .updateTable('requestForms')
    .set({
      ...changes,
      ...(heading !== undefined && { heading: JSON.stringify(heading) }),
      ...(intro !== undefined && { intro: asJson(intro) }),
      ...(thanks !== undefined && { thanks: asJson(thanks) }),
      ...stamp(ctx, before.version),
    })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'request_form.updated',
    entity: 'RequestForms',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This request form is already archived.' : 'This request form isn’t archived.')
  if (!isArchived) await checkSlug(ctx, row.slug, guid)
  await writeArchived(ctx, 'RequestForms', row, isArchived)
}

export const requestForms: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  ...archiving('RequestForms', setArchived, one),
}
