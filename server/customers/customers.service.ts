import { sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { customersApi, type Customer } from '../../contract/customers.ts'
import {
  type FieldError,
  forbidden,
  invalid,
  invalidTransition,
  notFound,
  refuseFields,
} from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { nouns } from '../../contract/nouns.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { may } from '../core/http/permission.ts'
import { checkVersion } from '../core/db/rows.ts'
import type { Customers } from '../core/db/schema-business.ts'
import { inFamily } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { archiving, bulkEdit, writeArchived } from '../core/bulk.ts'
import { guidsOf, listsIn, namesIn, reachOf } from '../core/reach.ts'
import { asJson, blankToNull, changed, firstStamp, stamp } from '../core/records.ts'
import { oneOf } from '../documents/list-search.service.ts'
import { filterReadable, readableReference } from '../row-scope/row-scope.service.ts'
import { tagging, withTags } from '../tags/tags.service.ts'
import { timelineWith } from '../timeline/timeline.service.ts'
import { isBlocked } from './credit.service.ts'
import { saveContacts, saveSites } from './people.ts'
import { saveTerms } from './terms.ts'
import { xeroRows } from './xero.ts'
import {
  findCustomer,
  findParties,
  findTimelineSubjects,
  customersWithin,
  foundCustomers,
  listedCustomers,
  lockCustomer,
} from './customers.queries.ts'

type Api = typeof customersApi

const archivedCustomer = 'This customer is archived. Restore it first.'

export interface Parties {
  customerGuid: string
  contactGuid?: string | null | undefined
  siteGuid?: string | null | undefined
}

/**
 * The customer of a document is one that the business works with and the caller may see, and not archived; contact and
 * site are the customer's and in use. Those a document has already (`before`) may stay. Gives the customer the document
 * is made for: of those that were merged the one who is kept.
 */
export async function checkParties(ctx: Ctx, businessGuid: string, given: Parties, before?: Parties): Promise<string> {
  const isSame = before?.customerGuid === given.customerGuid
  const contactGuid = (isSame && before?.contactGuid === given.contactGuid ? null : given.contactGuid) ?? null
  const siteGuid = (isSame && before?.siteGuid === given.siteGuid ? null : given.siteGuid) ?? null
  const isSeen = isSame || (await filterReadable(ctx, [{ entity: 'Customers', guid: given.customerGuid }])).length > 0
  const found = isSeen
    ? await findParties(ctx.db, businessGuid, { customerGuid: given.customerGuid, contactGuid, siteGuid })
    : undefined
  if (!found) throw invalid('customerGuid', 'We can’t find that customer.')
  if (found.status === 'blocked' && !isSame) throw isBlocked(found.displayName)
  const fields: FieldError[] = []
  if (found.archivedAt !== null && !isSame) fields.push({ path: 'customerGuid', message: archivedCustomer })
  if (contactGuid !== null && !found.contactOk)
    fields.push({ path: 'contactGuid', message: 'Choose one of this customer’s contacts.' })
  if (siteGuid !== null && !found.siteOk)
    fields.push({ path: 'siteGuid', message: 'Choose one of this customer’s sites.' })
  refuseFields(fields)
  return isSame ? given.customerGuid : found.keeperGuid
}

/** A document goes on with the customer it has only as long as that one is in use. */
export async function needActiveCustomer(db: Db, businessGuid: string, customerGuid: string) {
  const found = await findParties(db, businessGuid, { customerGuid, contactGuid: null, siteGuid: null })
  if (!found || found.archivedAt !== null) throw invalid('customerGuid', archivedCustomer)
  if (found.status === 'blocked') throw isBlocked(found.displayName)
}

/** The parties of a document after a change: contact and site of another customer do not come along. */
export function partiesAfter(before: Required<Parties>, sent: Partial<Parties>) {
  const customerGuid = sent.customerGuid ?? before.customerGuid
  const isSame = customerGuid === before.customerGuid
  const { contactGuid = isSame ? before.contactGuid : null, siteGuid = isSame ? before.siteGuid : null } = sent
  return { customerGuid, contactGuid, siteGuid }
}

const seesAmounts = (ctx: Ctx) => may(ctx.actor, ...nouns.Customers.amountFor)

/** One customer; without the money where it is not for the caller. */
export async function one(ctx: Ctx, guid: string, asked?: string): Promise<{ customer: Customer }> {
  const reach = asked === undefined ? null : guidsOf(await reachOf(ctx, { business: asked }))
  const row = await findCustomer(ctx, guid, today(ctx.business, ctx.now), reach)
  if (!row) throw notFound()
  const priceList = await readableReference(ctx, 'PriceLists', row.terms.priceList)
  const terms = { ...row.terms, priceList }
  const money = { ...row.money, byBusiness: row.owed }
  const customer = { ...row, terms, money, paymentTermsDays: row.terms.termsDays }
  return { customer: seesAmounts(ctx) ? customer : { ...customer, money: null } }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const isPriced = seesAmounts(ctx)
  if (!isPriced && input.owing)
    throw forbidden('You don’t have access to what customers owe, so you can’t filter by it.')
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: listedCustomers(ctx, reach),
    found: foundCustomers(ctx, input),
    lists: listsIn(reach, 'c.businessGuid', 'customersOf'),
    ...(await customersWithin(ctx, reach, input)),
    anyOf: oneOf('c.status', input.status),
    input,
    sorts: { displayName: 'c.displayName', createdAt: 'c.createdAt' },
    guid: 'c.guid',
    defaultSort: 'displayName',
  })
  const shown = (item: (typeof page.items)[number]) => ({
    ...item,
    businessName: namesIn(reach, item.businessGuid, 'customersOf'),
    ...(isPriced ? {} : { balanceCents: null, overdueCents: null }),
  })
  return { ...page, items: page.items.map(shown) }
}

/** What an export has of each: what the list shows, or what another program asks for. */
async function exported(ctx: Ctx, { format, ...input }: Input<Api['export']>) {
  const page = await list(ctx, input)
  return format === 'xero' ? { ...page, items: await xeroRows(ctx, page.items) } : page
}

/** Makes a customer and returns its guid. */
export async function createCustomer(ctx: Ctx, input: z.output<Api['create']['body']>): Promise<string> {
  const { business } = ctx
  const { contacts: people, sites, billingAddress, terms, paymentTermsDays, ...rest } = input
  const guid = newGuid()
  await ctx.db
    .insertInto('customers')
    .values({
      ...blankToNull(rest),
      language: rest.language ?? ctx.deps.settings.defaultLanguage,
      guid,
      businessGuid: business.customersOf,
      billingAddress: asJson(billingAddress),
      ...firstStamp(ctx),
    })
    .execute()
  await saveTerms(ctx, guid, { terms, paymentTermsDays })
  if (people) await saveContacts(ctx, guid, people)
  if (sites) await saveSites(ctx, guid, sites)
  ctx.audit({
    action: 'customer.created',
    entity: 'Customers',
    guid,
    after: { name: rest.displayName, kind: rest.kind, contacts: people?.length ?? 0, sites: sites?.length ?? 0 },
  })
  return guid
}

async function lockVisibleCustomer(ctx: Ctx, guid: string) {
  const row = await lockCustomer(ctx, guid)
  if (!row) throw notFound()
  return row
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid: asked, version, contacts: people, sites, billingAddress, terms, paymentTermsDays, ...rest } = input
  const before = await lockVisibleCustomer(ctx, asked)
  const { guid } = before
  await checkVersion(before, version, customersApi.get, () => one(ctx, guid))
  const changes: Updateable<Customers> = { ...blankToNull(rest) }
  if (billingAddress !== undefined) changes.billingAddress = asJson(billingAddress)
  const after = await ctx.db
    .updateTable('customers')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const newTerms = await saveTerms(ctx, guid, { terms, paymentTermsDays })
  if (people) await saveContacts(ctx, guid, people)
  if (sites) await saveSites(ctx, guid, sites)
  const change = changed(before, after)
  ctx.audit({
    action: 'customer.updated',
    entity: 'Customers',
    guid,
    before: { ...change.before, ...newTerms.before },
    after: {
      name: after.displayName,
      ...change.after,
      ...newTerms.after,
      ...(people ? { contacts: people.length } : {}),
      ...(sites ? { sites: sites.length } : {}),
    },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, asked: string, isArchived: boolean) {
  const row = await lockVisibleCustomer(ctx, asked)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This customer is already archived.' : 'This customer isn’t archived.')
  await writeArchived(ctx, 'Customers', { ...row, name: row.displayName }, isArchived)
}

/** The contact and the site of a customer that was just made with one of each. */
export async function firstParties({ db }: Ctx, customerGuid: string): Promise<Required<Parties>> {
  const contacts = db.selectFrom('contacts as p').select('p.guid').where(inFamily('p', customerGuid))
  const sites = db.selectFrom('sites as s').select('s.guid').where(inFamily('s', customerGuid))
  const [contact, site] = [await contacts.executeTakeFirst(), await sites.executeTakeFirst()]
  return { customerGuid, contactGuid: contact?.guid ?? null, siteGuid: site?.guid ?? null }
}

/** The contact and the site of a customer who has one alone: nobody has to choose them. */
export async function soleParties(
  { db }: Pick<Ctx, 'db'>,
  customerGuid: string,
): Promise<Omit<Parties, 'customerGuid'>> {
  const contacts = db.selectFrom('contacts as p').select('p.guid').where(inFamily('p', customerGuid))
  const sites = db.selectFrom('sites as s').select('s.guid').where(inFamily('s', customerGuid))
  const only = ([first, ...others]: { guid: string }[]) => (others.length === 0 ? (first?.guid ?? null) : null)
  return { contactGuid: only(await contacts.limit(2).execute()), siteGuid: only(await sites.limit(2).execute()) }
}

/**
 * Puts a lead away that turned out to be none, or brings it back; one that is a customer by now, was merged, or has
 * documents in use stays.
 */
export async function setLeadArchived(ctx: Ctx, guid: string, isArchived: boolean): Promise<void> {
  const row = await ctx.db.selectFrom('customers').selectAll().where('guid', '=', guid).forUpdate().executeTakeFirst()
  if (!row || row.status !== 'lead' || row.mergedInto !== null || (row.archivedAt !== null) === isArchived) return
  if (isArchived && (await isInUse(ctx.db, guid))) return
  await writeArchived(ctx, 'Customers', { ...row, name: row.displayName }, isArchived)
}

/** Somebody of his family was merged into him, or something that is in use was made for one of them. */
async function isInUse(db: Db, guid: string): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean
  }>`select exists (select from customers c where c.merged_into = ${guid}::uuid)
    or exists (select from quotes q where q.archived_at is null and ${inFamily('q', guid)})
    or exists (select from orders o where ${inFamily('o', guid)})
    or exists (select from invoices i where ${inFamily('i', guid)}) as has`.execute(db)
  return rows[0]?.has ?? true
}

const setBlocked =
  (isBlocking: boolean) =>
  async (ctx: Ctx, { guid, version }: Input<Api['block']>) => {
    const row = await lockVisibleCustomer(ctx, guid)
    await checkVersion(row, version, customersApi.get, () => one(ctx, row.guid))
    if ((row.status === 'blocked') === isBlocking)
      throw invalidTransition(isBlocking ? 'This customer is already blocked.' : 'This customer isn’t blocked.')
    await ctx.db
      .updateTable('customers')
      .set({ status: isBlocking ? 'blocked' : 'active', ...stamp(ctx, row.version) })
      .where('guid', '=', row.guid)
      .execute()
    ctx.audit({
      action: isBlocking ? 'customer.blocked' : 'customer.unblocked',
      entity: 'Customers',
      guid: row.guid,
      before: { status: row.status },
      after: { name: row.displayName },
    })
    return one(ctx, row.guid)
  }

const perKind = 50

async function timeline(ctx: Ctx, input: Input<Api['timeline']>) {
  const { customer } = await one(ctx, input.guid)
  const related = await findTimelineSubjects(ctx.db, customer.guid, perKind)
  return { items: await timelineWith(ctx, { entity: 'Customers', guid: customer.guid }, related) }
}

export const customers: Handlers<Api> = {
  list,
  export: (ctx, input) => exported(ctx, input),
  get: (ctx, input) => one(ctx, input.guid, input.business),
  timeline,
  create: async (ctx, input) => one(ctx, await createCustomer(ctx, input)),
  update,
  block: setBlocked(true),
  unblock: setBlocked(false),
  edit: bulkEdit('Customers', withTags('Customers', update)),
  ...tagging('Customers'),
  ...archiving('Customers', setArchived, one),
}
