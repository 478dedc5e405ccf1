import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import { keeperOf } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { openLink } from '../service-links/service-links.service.ts'

/** The page of a customer as a business shows it: with the invoices of these businesses. */
interface Shown {
  businessGuid: string
  customerGuid: string
  covers: readonly string[]
}

const inOrder = (guids: readonly string[]) => [...new Set(guids)].toSorted()

/** The page with its open link; made when there is none. */
export async function openPage(
  db: Db,
  now: Date,
  { businessGuid, customerGuid, covers }: Shown,
): Promise<{ guid: string; link: string }> {
  const { guid } = await db
    .insertInto('statementPages')
    .values({ guid: newGuid(), businessGuid, customerGuid, covers: inOrder(covers), createdAt: now })
    .onConflict((c) =>
      c.columns(['businessGuid', 'customerGuid', 'covers']).doUpdateSet({ covers: sql`excluded.covers` }),
    )
    .returning('guid')
    .executeTakeFirstOrThrow()
  return { guid, link: await openLink(db, 'statement', guid) }
}

/** The open link of the page, if somebody has made it, and when its customer looked at it last. */
export async function linkOfPage(
  db: Db,
  { businessGuid, customerGuid, covers }: Shown,
): Promise<{ link: string; seenAt: string | null } | null> {
  const link = await db
    .selectFrom('statementPages as p')
    .innerJoin('serviceLinks as l', 'l.recordGuid', 'p.guid')
    .select(['l.guid as link', 'p.lastViewedAt as seenAt'])
    .where('p.businessGuid', '=', businessGuid)
    .where('p.customerGuid', '=', keeperOf(customerGuid))
    .where(sql<boolean>`p.covers = ${inOrder(covers)}::uuid[]`)
    .where('l.kind', '=', 'statement')
    .where('l.revokedAt', 'is', null)
    .executeTakeFirst()
  return link ?? null
}

export const insertStatement = (
  db: Db,
  {
    content,
    ...row
  }: {
    guid: string
    businessGuid: string
    pageGuid: string
    customerGuid: string
    kind: 'open' | 'activity'
    fromOn: string | null
    toOn: string
    content: unknown
    createdAt: Date
    createdBy: string | null
  },
) =>
  db
    .insertInto('statements')
    .values({ ...row, content: JSON.stringify(content) })
    .execute()
