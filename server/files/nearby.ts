import { type RawBuilder, sql } from 'kysely'
import type { Input } from '../../contract/core/op.ts'
import { type AttachmentNoun, type filesApi, mostNearby } from '../../contract/files.ts'
import { nouns } from '../../contract/nouns.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { keyOf, mustWrite, type Owner, readableOwners } from './owners.ts'
import { showAttachments } from './shown.ts'

/** What is made for a customer and has files. */
const madeFor = ['Quotes', 'Orders', 'Invoices'] as const satisfies AttachmentNoun[]
const isMadeFor = (noun: AttachmentNoun): noun is (typeof madeFor)[number] => madeFor.some((one) => one === noun)

/** The customer a record is about, if it is about one. */
async function customerOf(db: Db, { noun, guid }: Owner): Promise<string | null> {
  if (noun === 'Customers') return guid
  if (!isMadeFor(noun)) return null
  const { rows } = await sql<{ customerGuid: string }>`select customer_guid from ${sql.table(nouns[noun].table)}
    where guid = ${guid}::uuid`.execute(db)
  return rows[0]?.customerGuid ?? null
}

const hangingOn = (noun: AttachmentNoun, records: RawBuilder<unknown>) =>
  sql`select a.guid, a.file_guid, a.owner_noun, a.owner_guid, a.created_at from attachments a
    where a.owner_noun = ${noun} and a.owner_guid in (${records}) and a.detached_at is null`

/** Rows looked at, of which some may be the same file or on records of somebody else's. */
const mostRead = 400

/**
 * Files on the customer and on what was made for him, newest first, each once, without those that hang on the record
 * already: the photo of a job is found again for the next quote.
 */
export async function nearby(ctx: Ctx, { noun, owner: guid }: Input<(typeof filesApi)['nearby']>) {
  await mustWrite(ctx, { noun, guid })
  const customerGuid = await customerOf(ctx.db, { noun, guid })
  if (customerGuid === null) return { items: [] }
  const parts = [
    ...madeFor.map((one) =>
      hangingOn(one, sql`select t.guid from ${sql.table(nouns[one].table)} t where ${inFamily('t', customerGuid)}`),
    ),
    hangingOn(
      'Customers',
      sql`select c.guid from customers c where c.family_guid = (select one.family_guid from customers one
        where one.guid = ${customerGuid}::uuid)`,
    ),
  ]
  const { rows } = await sql<{ guid: string; fileGuid: string; ownerNoun: AttachmentNoun; ownerGuid: string }>`
    select x.guid, x.file_guid, x.owner_noun, x.owner_guid from (${sql.join(parts, sql` union all `)}) x
    join files f on f.guid = x.file_guid and f.scan <> 'infected'
    where not exists (select from attachments h where h.owner_noun = ${noun} and h.owner_guid = ${guid}::uuid
      and h.file_guid = x.file_guid and h.detached_at is null)
    order by x.created_at desc, x.guid desc limit ${mostRead}`.execute(ctx.db)
  const seen = await readableOwners(
    ctx,
    rows.map((row) => ({ noun: row.ownerNoun, guid: row.ownerGuid })),
  )
  const once = new Map<string, string>()
  for (const row of rows)
    if (seen.has(keyOf({ noun: row.ownerNoun, guid: row.ownerGuid })) && !once.has(row.fileGuid))
      once.set(row.fileGuid, row.guid)
  return { items: await showAttachments(ctx, [...once.values()].slice(0, mostNearby)) }
}
