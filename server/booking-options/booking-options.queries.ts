import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingOption, bookingOptionsApi } from '../../contract/booking-options-api.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { holdsText, searchText } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleOptions = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('bookingOptions as o'), rowColumns(ctx, 'BookingOptions', 'o'))

const status = sql<BookingOption['status']>`case when o.archived_at is null then 'active' else 'archived' end`
const usedOn = sql<number>`(select count(*) from option_uses u where u.option_guid = o.guid)::int`
const shownProducts = 50

/** Products of all that may be seen; a name tells nothing that whoever writes options may not know. */
const productsJson = sql<BookingOption['products']>`(select coalesce(json_agg(json_build_object(
  'guid', n.guid, 'label', n.name) order by n.name, n.guid), '[]'::json) from (select p.guid, p.name from option_uses u
  join products p on p.guid = u.product_guid where u.option_guid = o.guid and p.archived_at is null
  order by p.name, p.guid limit ${shownProducts}) n)`

const addedJson = sql<BookingOption['addedProducts']>`(select coalesce(json_agg(json_build_object(
  'guid', p.guid, 'label', p.name)), '[]'::json) from products p where p.guid in (
  select (choice ->> 'addProductGuid')::uuid from jsonb_array_elements(o.choices) choice))`

const columns = [
  'o.guid',
  'o.version',
  'o.code',
  'o.label',
  'o.help',
  'o.input',
  'o.required',
  'o.answeredBy',
  'o.choices',
  'o.visibleWhen',
  'o.createdAt',
  'o.updatedAt',
  'o.archivedAt',
] as const

export const findOption = (ctx: Ctx, guid: string): Promise<BookingOption | undefined> =>
  visibleOptions(ctx)
    .select(columns)
    .select([status.as('status'), productsJson.as('products'), addedJson.as('addedProducts')])
    .where('o.guid', '=', guid)
    .executeTakeFirst()

type Filters = z.output<typeof bookingOptionsApi.list.query>

export const foundOptions = (ctx: Ctx, poolGuid: string, { status: wanted }: Filters) =>
  visibleOptions(ctx)
    .where('o.businessGuid', '=', poolGuid)
    .where('o.archivedAt', wanted === 'archived' ? 'is not' : 'is', null)

export const optionsWithin = ({ search, input, answeredBy }: Filters): RawBuilder<boolean>[] => [
  ...(search ? [holdsText(searchText('o'), search)] : []),
  ...(input ? [sql<boolean>`o.input = any(${input.split(',')}::text[])`] : []),
  ...(answeredBy ? [sql<boolean>`o.answered_by = any(${answeredBy.split(',')}::text[])`] : []),
]

/** What a list shows of each. */
export const listedOptions = (ctx: Ctx) =>
  ctx.db
    .selectFrom('bookingOptions as o')
    .select(columns)
    .select([status.as('status'), usedOn.as('usedOn')])
