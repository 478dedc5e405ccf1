import type { z } from 'zod'
import { AppError, type FieldError } from '../../contract/core/errors.ts'
import type { contactInput, siteInput } from '../../contract/customers.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { blankToNull } from '../core/records.ts'
import { findContacts, findSites } from './customers.queries.ts'

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
  if (fields.length > 0) throw new AppError('VALIDATION_FAILED', undefined, { fields })
}

/** Exactly one contact is the first to write to, as long as there is any. */
function withOnePrimary(contacts: readonly Contact[]): Contact[] {
  const primary = Math.max(
    0,
    contacts.findIndex((c) => c.isPrimary),
  )
  return contacts.map((contact, i) => ({ ...contact, isPrimary: i === primary }))
}

/** Replaces the contacts of a customer: those left out are archived, because documents may name them. */
export async function saveContacts(ctx: Ctx, customerGuid: string, sent: readonly Contact[]) {
  const known = new Set((await findContacts(ctx.db, customerGuid)).map((c) => c.guid))
  checkKnown('contacts', sent, known)
  const contacts = withOnePrimary(sent)
  const gone = [...known].filter((guid) => !contacts.some((c) => c.guid === guid))
  if (gone.length > 0)
    await ctx.db.updateTable('contacts').set({ archivedAt: ctx.now }).where('guid', 'in', gone).execute()
  const added = contacts.filter((c) => c.guid === undefined)
  if (added.length > 0)
    await ctx.db
      .insertInto('contacts')
      .values(added.map((c) => ({ ...blankToNull(c), guid: newGuid(), customerGuid, createdAt: ctx.now })))
      .execute()
  for (const { guid, ...contact } of contacts)
    if (guid !== undefined)
      await ctx.db.updateTable('contacts').set(blankToNull(contact)).where('guid', '=', guid).execute()
}

/** Replaces the sites of a customer in the same way. */
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
