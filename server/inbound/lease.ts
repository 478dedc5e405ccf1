import { sql } from 'kysely'
import type { Ctx, OpenCtx } from '../core/ctx.ts'

/** A process that says nothing for so long has lost its mailbox: another one reads on. */
const leaseMs = 90_000

export class LostLease extends Error {
  constructor() {
    super('another process reads this mailbox, or the account has another one by now')
  }
}

const until = (ctx: Pick<Ctx, 'deps'>) => new Date(ctx.deps.now().getTime() + leaseMs)

/** Takes a mailbox for one process; false where another one has it. */
export async function takeMailbox(ctx: OpenCtx, accountGuid: string, holder: string): Promise<boolean> {
  const taken = await ctx.db
    .insertInto('mailboxLeases')
    .values({ accountGuid, holder, until: until(ctx) })
    .onConflict((c) =>
      c
        .column('accountGuid')
        .doUpdateSet({ holder, until: until(ctx) })
        .where('mailboxLeases.until', '<', ctx.deps.now().toISOString()),
    )
    .returning('holder')
    .executeTakeFirst()
  return taken !== undefined
}

/** Says that a mail is about to be fetched, and how often that was said of it; the lease begins anew. */
export async function beginFetch(ctx: OpenCtx, accountGuid: string, holder: string, uid: number): Promise<number> {
  const row = await ctx.db
    .updateTable('mailboxLeases')
    .set({
      until: until(ctx),
      atUid: uid,
      tries: sql<number>`case when at_uid = ${uid} then tries + 1 else 1 end`,
    })
    .where('accountGuid', '=', accountGuid)
    .where('holder', '=', holder)
    .returning('tries')
    .executeTakeFirst()
  if (!row) throw new LostLease()
  return row.tries
}

/** Within the transaction that stores a mail: whoever lost the mailbox meanwhile stores nothing. */
export async function holdMailbox(ctx: Ctx, accountGuid: string, holder: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('mailboxLeases')
    .select('holder')
    .where('accountGuid', '=', accountGuid)
    .where('holder', '=', holder)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new LostLease()
}

/** Gives a mailbox back; how often the mail at hand was begun stays known. */
export const giveBackMailbox = (ctx: OpenCtx, accountGuid: string, holder: string) =>
  ctx.db
    .updateTable('mailboxLeases')
    .set({ until: new Date(0) })
    .where('accountGuid', '=', accountGuid)
    .where('holder', '=', holder)
    .execute()
