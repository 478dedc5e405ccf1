import { sql } from 'kysely'
import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type Request, requestsApi } from '../../contract/requests.ts'
import { writeArchived } from '../core/bulk.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { inFamily } from '../core/family.ts'
import { dayIn, listsIn, namesIn, reachOf } from '../core/reach.ts'
import { archivedIf, holdsText, searchText } from '../core/records.ts'
import { setLeadArchived } from '../customers/customers.service.ts'
import { displayStatusOf } from '../documents/statuses.service.ts'
import { setQuoteArchived } from '../quotes/quotes.service.ts'
import { filterReadableReferences, readableReference, rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof requestsApi
type Shown = Pick<Request, 'quote' | 'customer' | 'form'>

const visible = (ctx: Ctx) => applyRows(ctx, ctx.db.selectFrom('requests as r'), rowColumns(ctx, 'Requests', 'r'))

const formOf = sql<Shown['form']>`(select json_build_object('guid', f.guid, 'label', f.name)
  from request_forms f where f.guid = r.form_guid)`
const customerOf = sql<
  NonNullable<Shown['customer']>
>`(select json_build_object('guid', k.guid, 'label', k.display_name)
  from parties k where k.member_guid = r.customer_guid)`
const quoteOf = (today: Parameters<typeof displayStatusOf>[2]) => sql<NonNullable<Shown['quote']>>`(select
  json_build_object('guid', q.guid, 'label', coalesce(q.number, q.title), 'displayStatus',
    ${displayStatusOf('Quotes', 'q', today)}) from quotes q where q.guid = r.quote_guid)`
const ownDay = (now: Date) => sql<string>`(${now}::timestamptz at time zone
  (select b.time_zone from businesses b where b.guid = r.business_guid))`

const facts = ['r.guid', 'r.version', 'r.businessGuid', 'r.createdAt', 'r.archivedAt', 'r.reference'] as const
const contact = ['r.name', 'r.email', 'r.phone', 'r.wantedOn', 'r.message'] as const

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const { search, formGuid, customerGuid, quoteGuid } = input
  const page = await pageOf({
    query: ctx.db
      .selectFrom('requests as r')
      .select([...facts, ...contact, formOf.as('form'), customerOf.as('customer')])
      .select(quoteOf(dayIn(reach, 'r.businessGuid')).as('quote')),
    found: visible(ctx).where(archivedIf('r', input.archived)),
    lists: listsIn(reach, 'r.businessGuid'),
    within: [
      ...(search ? [holdsText(searchText('r'), search)] : []),
      ...(formGuid ? [sql<boolean>`r.form_guid = ${formGuid}::uuid`] : []),
      ...(customerGuid ? [inFamily('r', customerGuid)] : []),
      ...(quoteGuid ? [sql<boolean>`r.quote_guid = ${quoteGuid}::uuid`] : []),
    ],
    input,
    sorts: { createdAt: 'r.createdAt', name: 'r.name' },
    guid: 'r.guid',
    defaultSort: '-createdAt',
  })
  const known = await readableOf(ctx, page.items)
  return {
    ...page,
    items: page.items.map((item) => {
      const shown = { ...item, ...known(item), businessName: namesIn(reach, item.businessGuid) }
      return { ...shown, quoteLabel: shown.quote?.label ?? null }
    }),
  }
}

/** Quotes and customers of some requests, as far as the caller may read them. */
async function readableOf(
  ctx: Ctx,
  rows: readonly { quote: NonNullable<Shown['quote']>; customer: NonNullable<Shown['customer']> }[],
) {
  const of = async (noun: 'Quotes' | 'Customers', found: { guid: string }[]) =>
    new Set((await filterReadableReferences(ctx, noun, found)).map(({ guid }) => guid))
  const quotes = await of(
    'Quotes',
    rows.map(({ quote }) => quote),
  )
  const customers = await of(
    'Customers',
    rows.map(({ customer }) => customer),
  )
  return ({ quote, customer }: (typeof rows)[number]) => ({
    quote: quotes.has(quote.guid) ? quote : null,
    customer: customers.has(customer.guid) ? customer : null,
  })
}

async function one(ctx: Ctx, guid: string): Promise<{ request: Request }> {
  const row = await visible(ctx)
    .select([...facts, ...contact, 'r.updatedAt', 'r.siteAddress', 'r.language', 'r.selections'])
    .select([formOf.as('form'), customerOf.as('customer'), quoteOf(ownDay(ctx.now)).as('quote')])
    .where('r.guid', '=', guid)
    .executeTakeFirst()
  if (!row) throw notFound()
  const quote = await readableReference(ctx, 'Quotes', row.quote)
  return { request: { ...row, quote, customer: await readableReference(ctx, 'Customers', row.customer) } }
}

/**
 * Puts a request away that is no lead, with its draft and, where nothing else hangs on it, its customer; or brings all
 * of it back. A quote that was sent shows that somebody took it for one.
 */
const setDismissed =
  (isArchived: boolean) =>
  async (ctx: Ctx, { guid, version }: Input<Api['dismiss']>) => {
    const row = await visible(ctx).selectAll('r').where('r.guid', '=', guid).forUpdate('r').executeTakeFirst()
    if (!row) throw notFound()
    await checkVersion(row, version, requestsApi.get, () => one(ctx, guid))
    if ((row.archivedAt !== null) === isArchived)
      throw invalidTransition(isArchived ? 'This request is already archived.' : 'This request isn’t archived.')
    await ctx.workFor(row.businessGuid)
    const house = withCtx(ctx, { rows: 'all' })
    const quote = await ctx.db
      .selectFrom('quotes')
      .select(['status', 'archivedAt'])
      .where('guid', '=', row.quoteGuid)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (isArchived && quote.status !== 'draft' && quote.status !== 'cancelled')
      throw invalidTransition('The quote of this request has been sent. Cancel it first.')
    if ((quote.archivedAt !== null) !== isArchived) await setQuoteArchived(house, row.quoteGuid, isArchived)
    await setLeadArchived(house, row.customerGuid, isArchived)
    await writeArchived(ctx, 'Requests', row, isArchived)
    return one(ctx, guid)
  }

export const requests: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  dismiss: setDismissed(true),
  reopen: setDismissed(false),
}
