import { sql } from 'kysely'
import type { z } from 'zod'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import type { contactInput, siteInput } from '../../contract/customers.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { blankToNull } from '../core/records.ts'
import { findContactLinks, findSites } from './customers.queries.ts'

type Contact = z.output<typeof contactInput>
type Site = z.output<typeof siteInput>

/** Guids that were sent are of this customer, each once. */
function checkKnown(path: string, sent: readonly { guid?: string | undefined }[], known: ReadonlySet<string>) {
  const seen = new Set<string>()
  const fields = sent.flatMap(({ guid }, i): FieldError[] => {
    if (guid === undefined) return []
    const isWrong = !known.has(guid) || seen.has(guid)
    seen.add(guid)
    return isWrong ? [{ path: `${path}.${i}.guid`, message: 'Choose one of this customer’s records.' }] : []
  })
  refuseFields(fields)
}

/** Exactly one contact is the first to write to, as long as there is any. */
function withOnePrimary(contacts: readonly Contact[]): Contact[] {
  const primary = Math.max(
    0,
    contacts.findIndex((c) => c.isPrimary),
  )
  return contacts.map((contact, i) => ({ ...contact, isPrimary: i === primary }))
}

const personOf = ({ name, position, email, phone }: Contact) => blankToNull({ name, position, email, phone })
const linkOf = ({ role, isPrimary, receivesQuotes, receivesInvoices, receivesReminders }: Contact) => ({
  role,
  isPrimary,
  receivesQuotes,
  receivesInvoices,
  receivesReminders,
})

/**
 * Replaces the contacts of a customer. Who is left out is no contact of his any more: the link ends, and the person
 * stays, because documents and other customers may name them.
 */
export async function saveContacts(ctx: Ctx, customerGuid: string, sent: readonly Contact[]) {
  const links = await findContactLinks(ctx.db, customerGuid)
  const known = new Set(links.map((link) => link.contactGuid))
  checkKnown('contacts', sent, known)
  const contacts = withOnePrimary(sent)
  const kept = new Map(contacts.flatMap((contact) => (contact.guid === undefined ? [] : [[contact.guid, contact]])))
  const ended = links.filter((link) => !kept.has(link.contactGuid)).map((link) => link.guid)
  // Nobody is the first to write to until the new one is: there is never a second one.
  if (links.length > 0)
    await ctx.db
      .updateTable('contactLinks')
      .set({ isPrimary: false, endedAt: sql`case when guid = any(${ended}::uuid[]) then ${ctx.now}::timestamptz end` })
      .where(
        'guid',
        'in',
        links.map((link) => link.guid),
      )
      .execute()
  await changeContacts(ctx, links, kept)
  const added = contacts.flatMap((contact) => (contact.guid === undefined ? [{ ...contact, guid: newGuid() }] : []))
  if (added.length === 0) return
  await ctx.db
    .insertInto('contacts')
    .values(added.map((c) => ({ ...personOf(c), guid: c.guid, customerGuid, createdAt: ctx.now })))
    .execute()
  await ctx.db
    .insertInto('contactLinks')
    .values(
      added.map((c) => ({ ...linkOf(c), guid: newGuid(), contactGuid: c.guid, customerGuid, createdAt: ctx.now })),
    )
    .execute()
}

/** Those who stay, all at once: the person, and what they are to the customer. */
async function changeContacts(
  ctx: Ctx,
  links: readonly { guid: string; contactGuid: string }[],
  kept: ReadonlyMap<string, Contact>,
) {
  if (kept.size === 0) return
  const people = [...kept].map(([guid, contact]) => ({ guid, ...personOf(contact) }))
  await sql`update contacts p set name = x.name, position = x.position, email = x.email, phone = x.phone,
      version = p.version + 1
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      x(guid uuid, name text, position text, email text, phone text)
    where p.guid = x.guid and (p.name, p.position, p.email, p.phone)
      is distinct from (x.name, x.position, x.email, x.phone)`.execute(ctx.db)
  const first = new Map(links.toReversed().map((link) => [link.contactGuid, link.guid]))
  const linked = [...kept].map(([contactGuid, contact]) => {
    const { role, isPrimary, receivesQuotes, receivesInvoices, receivesReminders } = linkOf(contact)
    const guid = first.get(contactGuid)
    return { guid, role, is_primary: isPrimary, q: receivesQuotes, i: receivesInvoices, r: receivesReminders }
  })
  await sql`update contact_links l set role = x.role, is_primary = x.is_primary, receives_quotes = x.q,
      receives_invoices = x.i, receives_reminders = x.r
    from jsonb_to_recordset(${JSON.stringify(linked)}::jsonb)
      x(guid uuid, role text, is_primary boolean, q boolean, i boolean, r boolean)
    where l.guid = x.guid`.execute(ctx.db)
}

/** Replaces the sites of a customer: those left out are archived, because documents may name them. */
export async function saveSites(ctx: Ctx, customerGuid: string, sites: readonly Site[]) {
  const known = new Set((await findSites(ctx.db, customerGuid)).map((s) => s.guid))
  checkKnown('sites', sites, known)
  const gone = [...known].filter((guid) => !sites.some((s) => s.guid === guid))
  if (gone.length > 0)
    await ctx.db.updateTable('sites').set({ archivedAt: ctx.now }).where('guid', 'in', gone).execute()
  const added = sites.filter((s) => s.guid === undefined)
  if (added.length > 0)
    await ctx.db
      .insertInto('sites')
      .values(
        added.map((s) => ({
          ...blankToNull(s),
          guid: newGuid(),
          customerGuid,
          address: JSON.stringify(s.address),
          createdAt: ctx.now,
        })),
      )
      .execute()
  for (const { guid, address, ...site } of sites)
    if (guid !== undefined)
      await ctx.db
        .updateTable('sites')
        .set({ ...blankToNull(site), address: JSON.stringify(address) })
        .where('guid', '=', guid)
        .execute()
}
