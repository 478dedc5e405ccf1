import { ImapError } from '../core/adapters/imap.ts'
import { saidOf } from '../core/adapters/smtp.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { readHold } from '../core/hold.ts'
import { defineBatch } from '../core/jobs/jobs.ts'
import { AccountLoginError, isSampleHost } from '../email-accounts/connections.service.ts'
import { accountFailed, mailboxFailed } from '../email-accounts/routes.service.ts'
import { nextStored, settleStored } from './filing.ts'
import { LostLease } from './lease.ts'
import { type Account, readMailbox } from './mailbox.ts'

/** Mailboxes that are read at once. */
const lanes = 3

const accountsToRead = (ctx: OpenCtx): Promise<Account[]> =>
  ctx.db
    .selectFrom('emailAccounts')
    .selectAll()
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .where('imap', 'is not', null)
    .orderBy('lastReadAt', (o) => o.asc().nullsFirst())
    .orderBy('guid')
    .execute()

/** Reads one mailbox; a server that fails is told of at its account, and asked again in two minutes. */
async function read(ctx: OpenCtx, account: Account, hasTime: () => boolean): Promise<boolean> {
  try {
    await readMailbox(ctx, account, hasTime)
    return true
  } catch (error) {
    if (error instanceof LostLease) return true
    const said = saidOf(error)
    ctx.log.warn({ err: error, account: account.guid }, 'a mailbox could not be read')
    if (error instanceof AccountLoginError)
      await accountFailed(ctx, account, { said, isLogin: true, status: error.status })
    else await mailboxFailed(ctx, account, { said, isLogin: error instanceof ImapError && error.isLoginRefused })
    return false
  }
}

/** Stores what is new in the mailboxes of all businesses, then says of each mail what became of it. */
export async function readInbound(ctx: OpenCtx, hasTime: () => boolean) {
  const report = { succeeded: 0, failed: 0, remaining: 0 }
  // A copy that was brought back must not answer for the original.
  if ((await readHold(ctx.db)) !== null) return report
  const accounts = (await accountsToRead(ctx)).filter(({ imap }) => !isSampleHost(ctx.deps.settings, imap?.host ?? ''))
  const lane = async () => {
    for (let account = accounts.shift(); account && hasTime(); account = accounts.shift())
      if (!(await read(ctx, account, hasTime))) report.failed++
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  report.succeeded += await settleAll(ctx, hasTime)
  return report
}

/** Reads what is stored; a mail that fails is left for the next run. */
export async function settleAll(ctx: OpenCtx, hasTime: () => boolean): Promise<number> {
  let count = 0
  const tried: string[] = []
  while (hasTime()) {
    const mail = await nextStored(ctx, tried)
    if (!mail) break
    tried.push(mail.guid)
    const state = await settleStored(ctx, mail).catch((error: unknown) => {
      ctx.log.error({ err: error, mail: mail.guid }, 'an email could not be filed')
      return null
    })
    if (state) count++
  }
  return count
}

export const inboundBatch = defineBatch('inbound', '*/2 * * * *', readInbound)
