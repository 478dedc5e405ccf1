import { sql } from 'kysely'
import type { OpenCtx } from '../core/ctx.ts'
import type { Claimed } from './claims.ts'
import { suppressedAmong } from './suppressions.ts'
import { newUnsubscribeLink, withUnsubscribe } from './unsubscribing.ts'

type People = Pick<Claimed, 'recipients' | 'cc' | 'bcc'>

/**
 * Whom a message goes to now: addresses that are suppressed drop out, and are noted so; null where nobody is left. What
 * is written about logins goes wherever it is asked for.
 */
export async function withoutSuppressed(ctx: OpenCtx, message: Claimed): Promise<People | null> {
  const { guid, businessGuid, recipients, cc, bcc, category } = message
  if (businessGuid === null) return { recipients, cc, bcc }
  const closed = await suppressedAmong(ctx.db, businessGuid, [...recipients, ...cc, ...bcc], category)
  if (closed.size === 0) return { recipients, cc, bcc }
  await ctx.tx(async (tx) => {
    for (const [address, reason] of closed)
      await tx.db
        .updateTable('messageRecipients')
        .set({ state: 'suppressed', at: tx.now, reason })
        .where('messageGuid', '=', guid)
        .where('state', '=', 'waiting')
        .where(sql<boolean>`lower(address) = ${address}`)
        .execute()
  })
  const open = (addresses: readonly string[]) => addresses.filter((address) => !closed.has(address.toLowerCase()))
  const left = { recipients: open(recipients), cc: open(cc), bcc: open(bcc) }
  if (left.recipients.length + left.cc.length + left.bcc.length === 0) return null
  // A mail has somebody it is to.
  return left.recipients.length > 0 ? left : { ...left, recipients: left.cc, cc: [] }
}

/** What an offer says, with the link that ends offers to its one reader; any other message as it is. */
export async function asOffer(
  ctx: OpenCtx,
  { guid, businessGuid, category, source, facts }: Claimed,
  to: readonly string[],
  words: { bodyHtml: string; bodyText: string },
) {
  const [address] = to
  if (category !== 'commercial' || businessGuid === null || address === undefined) return { words, headers: {} }
  const { url, headers } = await newUnsubscribeLink(ctx, { guid, businessGuid, address })
  return { words: withUnsubscribe(words, url, source?.language ?? facts?.language ?? 'en'), headers }
}
