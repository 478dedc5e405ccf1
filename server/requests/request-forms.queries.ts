import { sql } from 'kysely'
import type { OfferedOption } from '../../contract/booking-options.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleForms = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('requestForms as f'), rowColumns(ctx, 'RequestForms', 'f'))

const jobType = sql<{ guid: string; label: string }>`(select json_build_object('guid', j.guid, 'label', j.name)
  from job_types j where j.guid = f.job_type_guid)`
const ownerName = sql<string | null>`(select coalesce(nullif(u.name, ''), u.auth_id) from users u
  where u.guid = f.notify_guid)`
const requestCount = sql<number>`(select count(*)::int from requests r where r.form_guid = f.guid)`

/** What a list shows of each. */
export const listedForms = (ctx: Ctx) =>
  ctx.db
    .selectFrom('requestForms as f')
    .select(['f.guid', 'f.version', 'f.createdAt', 'f.updatedAt', 'f.archivedAt', 'f.businessGuid'])
    .select(['f.name', 'f.slug', 'f.isActive', jobType.as('jobType'), requestCount.as('requestCount')])
    .select([
      ownerName.as('ownerName'),
      sql<string | null>`(select r.created_at from requests r where r.form_guid = f.guid
        order by r.created_at desc limit 1)`.as('lastRequestAt'),
    ])

export const findForm = (ctx: Ctx, guid: string) =>
  visibleForms(ctx)
    .selectAll('f')
    .select([jobType.as('jobType'), requestCount.as('requestCount'), ownerName.as('ownerName')])
    .where('f.guid', '=', guid)
    .executeTakeFirst()

/** A form as long as the public may use it; whose job type and business are in use, too. */
export const findOpenForm = (db: Db, slug: string) =>
  db
    .selectFrom('requestForms as f')
    .innerJoin('jobTypes as j', 'j.guid', 'f.jobTypeGuid')
    .innerJoin('businesses as b', 'b.guid', 'f.businessGuid')
    .selectAll('f')
    .where(sql<boolean>`lower(f.slug) = lower(${slug})`)
    .where('f.isActive', '=', true)
    .where('f.archivedAt', 'is', null)
    .where('j.archivedAt', 'is', null)
    .where('b.archivedAt', 'is', null)
    .executeTakeFirst()
export type OpenForm = NonNullable<Awaited<ReturnType<typeof findOpenForm>>>

const asked = ['o.guid', 'o.code', 'o.label', 'o.help', 'o.input', 'o.required'] as const
const askedMore = ['o.answeredBy', 'o.choices', 'o.visibleWhen'] as const

/** Questions of a job type that customers answer, in order. Photos are asked for on the page of the quote. */
export const guestQuestions = (db: Db, jobTypeGuid: string): Promise<OfferedOption[]> =>
  db
    .selectFrom('optionUses as x')
    .innerJoin('bookingOptions as o', 'o.guid', 'x.optionGuid')
    .select([...asked, ...askedMore])
    .where('x.jobTypeGuid', '=', jobTypeGuid)
    .where('o.archivedAt', 'is', null)
    .where('o.answeredBy', '<>', 'staff')
    .where('o.input', '<>', 'file')
    .orderBy('x.position')
    .execute()

/** What products ask, each in order. */
export async function questionsOfProducts(db: Db, productGuids: readonly string[]) {
  if (productGuids.length === 0) return new Map<string, OfferedOption[]>()
  const rows = await db
    .selectFrom('optionUses as x')
    .innerJoin('bookingOptions as o', 'o.guid', 'x.optionGuid')
    .select([...asked, ...askedMore, 'x.productGuid'])
    .where('x.productGuid', 'in', productGuids)
    .orderBy('x.position')
    .execute()
  return Map.groupBy(rows, ({ productGuid }) => productGuid ?? '')
}

/** What a form asks of the questions it could ask. */
export const askedOf = ({ optionGuids }: Pick<OpenForm, 'optionGuids'>, questions: readonly OfferedOption[]) =>
  optionGuids === null ? [...questions] : questions.filter(({ guid }) => optionGuids.includes(guid))
