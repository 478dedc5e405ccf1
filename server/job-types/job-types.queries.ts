import { sql } from 'kysely'
import type { JobType } from '../../contract/job-types.ts'
import { optionGuidsOfJobType } from '../booking-options/offered.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleJobTypes = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('jobTypes as j'), rowColumns(ctx, 'JobTypes', 'j'))

const productsJson = sql<JobType['products']>`(select coalesce(json_agg(json_build_object(
  'guid', p.guid, 'label', p.name)), '[]'::json) from products p where p.guid in (
  select (line ->> 'productGuid')::uuid from jsonb_array_elements(j.lines) line))`

export const findJobType = (ctx: Ctx, guid: string) =>
  visibleJobTypes(ctx)
    .selectAll('j')
    .select([optionGuidsOfJobType.as('optionGuids'), productsJson.as('products')])
    .where('j.guid', '=', guid)
    .executeTakeFirst()

/** When it was last chosen; each step is one look into an index. */
const lastUsed = sql<string | null>`greatest(
  (select q.created_at from quotes q where q.job_type_guid = j.guid order by q.created_at desc limit 1),
  (select o.created_at from orders o where o.job_type_guid = j.guid order by o.created_at desc limit 1))`

/** What a list shows of each. */
export const listedJobTypes = (ctx: Ctx) =>
  ctx.db
    .selectFrom('jobTypes as j')
    .select(['j.guid', 'j.name', 'j.durationMin', 'j.createdAt', 'j.archivedAt'])
    .select([
      sql<number>`jsonb_array_length(j.lines)`.as('lineCount'),
      sql<number>`(select count(*) from option_uses u where u.job_type_guid = j.guid)::int`.as('optionCount'),
      lastUsed.as('lastUsedAt'),
    ])
