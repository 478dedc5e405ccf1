import type { z } from 'zod'
import { contactsApi, type contactWrite } from '../../contract/contacts.ts'
import { type FieldError, invalidTransition, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { blankToNull, changed } from '../core/records.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import {
  atHome,
  contactsWithin,
  findContact,
  findTargets,
  foundContacts,
  listedContacts,
  lockContact,
} from './contacts.queries.ts'

type Api = typeof contactsApi
type Link = z.output<typeof contactWrite>['links'][number]

async function one(ctx: Ctx, guid: string) {
  const contact = await findContact(ctx, guid)
  if (!contact) throw notFound()
  return { contact }
}

/** Each link names a customer or site that the caller may see, each once. Gives the customer of the first. */
async function checkLinks(ctx: Ctx, links: readonly Link[]): Promise<string> {
  const named = links.map(({ customerGuid, siteGuid }) => customerGuid ?? siteGuid ?? '')
  const targets = await findTargets(
    ctx,
    links.flatMap(({ customerGuid }) => customerGuid ?? []),
    links.flatMap(({ siteGuid }) => siteGuid ?? []),
  )
  const owners = [...new Set(targets.values())].map((guid) => ({ entity: 'Customers', guid }))
  const seen = new Set((await filterReadable(ctx, owners)).map(({ guid }) => guid))
  const fields = links.flatMap(({ customerGuid }, i): FieldError[] => {
    const path = `links.${i}.${customerGuid ? 'customerGuid' : 'siteGuid'}`
    const owner = targets.get(named[i] ?? '')
    if (owner === undefined || !seen.has(owner))
      return [{ path, message: customerGuid ? 'We can’t find that customer.' : 'We can’t find that site.' }]
    return named.indexOf(named[i] ?? '') < i ? [{ path, message: 'This is listed twice.' }] : []
  })
  refuseFields(fields)
  return targets.get(named[0] ?? '') ?? ''
}

/** The order they were given in stays theirs: a millisecond lies between one and the next. */
const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** Of a customer only one is the first to write to: whoever is said to be it now. */
async function insertLinks(ctx: Ctx, contactGuid: string, links: readonly Link[]) {
  const first = links.flatMap(({ customerGuid, isPrimary }) => (isPrimary && customerGuid ? [customerGuid] : []))
  if (first.length > 0)
    await ctx.db
      .updateTable('contactLinks')
      .set({ isPrimary: false })
      .where('customerGuid', 'in', first)
      .where('isPrimary', '=', true)
      .where('endedAt', 'is', null)
      .execute()
  await ctx.db
    .insertInto('contactLinks')
    .values(links.map((link, i) => ({ ...link, guid: newGuid(), contactGuid, createdAt: after(ctx.now, i) })))
    .execute()
}

const endLinks = (ctx: Ctx, contactGuid: string) =>
  ctx.db
    .updateTable('contactLinks')
    .set({ endedAt: ctx.now })
    .where('contactGuid', '=', contactGuid)
    .where('endedAt', 'is', null)
    .execute()

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: listedContacts(ctx),
    found: foundContacts(ctx, reach),
    lists: listsIn(reach, 'p.listedIn', 'customersOf'),
    within: contactsWithin(input),
    input,
    sorts: { name: 'p.name', createdAt: 'p.createdAt' },
    guid: 'p.guid',
    defaultSort: 'name',
  })
  const named = (businessGuid: string) => namesIn(reach, businessGuid, 'customersOf')
  return { ...page, items: page.items.map((item) => ({ ...atHome(item), businessName: named(item.businessGuid) })) }
}

async function create(ctx: Ctx, { links, ...person }: Input<Api['create']>) {
  const customerGuid = await checkLinks(ctx, links)
  const guid = newGuid()
  await ctx.db
    .insertInto('contacts')
    .values({ ...blankToNull(person), guid, customerGuid, createdAt: ctx.now })
    .execute()
  await insertLinks(ctx, guid, links)
  ctx.audit({ action: 'contact.created', entity: 'Contacts', guid, after: { name: person.name } })
  return one(ctx, guid)
}

async function lockVisibleContact(ctx: Ctx, guid: string) {
  const row = await lockContact(ctx, guid)
  if (!row) throw notFound()
  if (row.archivedAt !== null) throw invalidTransition('This contact is archived.')
  return row
}

async function update(ctx: Ctx, { guid, version, links, ...person }: Input<Api['update']>) {
  const before = await lockVisibleContact(ctx, guid)
  await checkVersion(before, version, contactsApi.get, () => one(ctx, guid))
  const after = await ctx.db
    .updateTable('contacts')
    .set({ ...blankToNull(person), version: before.version + 1 })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (links) {
    await checkLinks(ctx, links)
    await endLinks(ctx, guid)
    await insertLinks(ctx, guid, links)
  }
  const change = changed(before, after)
  ctx.audit({
    action: 'contact.updated',
    entity: 'Contacts',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after, ...(links ? { links: links.length } : {}) },
  })
  return one(ctx, guid)
}

async function remove(ctx: Ctx, { guid }: Input<Api['remove']>) {
  const row = await lockVisibleContact(ctx, guid)
  await endLinks(ctx, guid)
  await ctx.db
    .updateTable('contacts')
    .set({ archivedAt: ctx.now, version: row.version + 1 })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({ action: 'contact.archived', entity: 'Contacts', guid, after: { name: row.name } })
  return one(ctx, guid)
}

export const contacts: Handlers<Api> = { list, get: (ctx, { guid }) => one(ctx, guid), create, update, remove }
