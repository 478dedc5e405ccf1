import { sql } from 'kysely'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { jobTypeName, jobTypeOf } from '../documents/parties.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleTemplates = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('quoteTemplates as t'), rowColumns(ctx, 'QuoteTemplates', 't'))

/** What a list shows of each. */
export const listedTemplates = (ctx: Ctx) =>
  ctx.db
    .selectFrom('quoteTemplates as t')
    .select(['t.guid', 't.version', 't.name', 't.title', 't.validityDays', 't.createdAt', 't.updatedAt'])
    .select(['t.archivedAt', jobTypeName('t'), sql<number>`jsonb_array_length(t.lines)`.as('lineCount')])

export const findTemplate = (ctx: Ctx, guid: string) =>
  visibleTemplates(ctx).selectAll('t').select(jobTypeOf('t')).where('t.guid', '=', guid).executeTakeFirst()

export const lockTemplate = (ctx: Ctx, guid: string) =>
  visibleTemplates(ctx).selectAll('t').where('t.guid', '=', guid).forUpdate('t').executeTakeFirst()
