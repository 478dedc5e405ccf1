import { sql } from 'kysely'
import { emailAccountsApi } from '../../contract/email-accounts.ts'
import type { MessagePurpose } from '../../contract/messages.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { notify } from '../core/notices.ts'
import type { AccountRow } from './email-accounts.queries.ts'

/*
 * Which account a message leaves by. It is asked within the transaction that claims the message: the row of the account
 * is locked while its caps are counted, so that any number of processes keep to them together.
 */

const restAfter = 5
const restMs = 5 * 60_000
const slidingMs = 60_000

export interface Wanted {
  messageGuid: string
  /** None for emails about logins, which any general account may take. */
  businessGuid: string | null
  purpose: MessagePurpose
}
/**
 * By an account; by what the installation sends with, because no account is there for it; or not now: its accounts are
 * at their caps, rest, or wait for somebody to log in.
 */
export type Route = { by: 'account'; account: AccountRow } | { by: 'installation' } | { by: 'none' }

/** In the order they are tried: those of the purpose, then the general ones. */
const candidates = (ctx: Ctx, { businessGuid, purpose }: Wanted) =>
  ctx.db
    .selectFrom('emailAccounts')
    .select('guid')
    .where('archivedAt', 'is', null)
    .$if(businessGuid !== null, (query) => query.where('businessGuid', '=', businessGuid ?? ''))
    .where('purpose', 'in', businessGuid === null ? ['general'] : [purpose, 'general'])
    .orderBy(sql`purpose = 'general'`)
    .orderBy('failoverOrder')
    .orderBy('createdAt')
    .orderBy('guid')
    .execute()

/** The account if it takes a message now, locked until the claim is committed. */
async function takes(ctx: Ctx, guid: string, messageGuid: string): Promise<AccountRow | null> {
  const now = ctx.deps.now()
  const account = await ctx.db
    .selectFrom('emailAccounts')
    .selectAll()
    .where('guid', '=', guid)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (account?.status !== 'active') return null
  if (account.openUntil && new Date(account.openUntil) > now) return null
  const { rows } = await sql<{ minute: number; day: number }>`
    select count(*) filter (where m.account_at > ${new Date(now.getTime() - slidingMs)})::int as minute,
      count(*) filter (where m.status in ('sending', 'sent', 'delivered', 'bounced')
        and m.account_at >= date_trunc('day', ${now}::timestamptz, b.time_zone))::int as day
    from businesses b join messages m on m.account_guid = ${guid}
    where b.guid = ${account.businessGuid} and m.guid <> ${messageGuid}
      and m.account_at > ${now}::timestamptz - interval '26 hours'`.execute(ctx.db)
  const used = rows[0] ?? { minute: 0, day: 0 }
  return used.minute < account.perMinuteCap && used.day < account.dailyCap ? account : null
}

/** How a message leaves now. `except` are accounts that failed it already. */
export async function routeOf(ctx: Ctx, wanted: Wanted, except: readonly string[] = []): Promise<Route> {
  const { smtpUrl, mode } = ctx.deps.settings
  // Nobody waits for an account to be let in again: emails about logins go the way of the installation.
  if (wanted.businessGuid === null && smtpUrl) return { by: 'installation' }
  const found = await candidates(ctx, wanted)
  if (found.length === 0) return { by: 'installation' }
  for (const { guid } of found) {
    const account = except.includes(guid) ? null : await takes(ctx, guid, wanted.messageGuid)
    if (account) return { by: 'account', account }
  }
  // The mail server of the installation is the last one; the demo keeps what nobody takes in its outbox.
  return smtpUrl || mode === 'demo' ? { by: 'installation' } : { by: 'none' }
}

/** The account that a message was given to and that never answered: it alone takes it again. */
export async function sameRoute(ctx: Ctx, wanted: Wanted, accountGuid: string): Promise<Route> {
  const there = await ctx.db
    .selectFrom('emailAccounts')
    .select('guid')
    .where('guid', '=', accountGuid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!there) return routeOf(ctx, wanted)
  const account = await takes(ctx, accountGuid, wanted.messageGuid)
  return account ? { by: 'account', account } : { by: 'none' }
}

/** An account as it was when it was asked: what comes of that says nothing of what somebody saved meanwhile. */
type Asked = Pick<AccountRow, 'guid' | 'version'>
const asked = (ctx: Pick<OpenCtx, 'db'>, { guid, version }: Asked) =>
  ctx.db.updateTable('emailAccounts').where('guid', '=', guid).where('version', '=', version)

/** What was accepted proves an account healthy. */
export async function accountAnswered(ctx: Pick<OpenCtx, 'db' | 'deps'>, account: Asked): Promise<void> {
  await asked(ctx, account)
    .set({ failures: 0, openUntil: null, lastSaid: null, answeredAt: ctx.deps.now() })
    .where((eb) => eb.or([eb('failures', '>', 0), eb('lastSaid', 'is not', null), eb('answeredAt', 'is', null)]))
    .execute()
}

/** A test that went well ends what only a person could mend. */
export const accountMended = (ctx: Pick<OpenCtx, 'db'>, account: Asked) =>
  asked(ctx, account).set({ status: 'active' }).where('status', 'in', ['broken', 'needs_login']).execute()

/** A failed test is noted where the servers of an account have never answered; of others their emails tell more. */
export const accountUnproven = (ctx: Pick<OpenCtx, 'db'>, account: Asked, said: string) =>
  asked(ctx, account)
    .set({ lastSaid: said.slice(0, 500) })
    .where('answeredAt', 'is', null)
    .execute()

interface AccountFailure {
  said: string
  /** The server, or the provider, refused the login. */
  isLogin: boolean
  /** What only a person can mend. */
  status?: 'needs_login' | 'broken'
}

/**
 * Counts a failure. After five an account rests for five minutes; a login that is refused once more after that needs a
 * person, and an account that waits for one is told of.
 */
export const accountFailed = (ctx: OpenCtx, { guid, version }: Asked, failure: AccountFailure) =>
  ctx.tx(async (tx) => {
    const now = ctx.deps.now()
    const row = await tx.db
      .selectFrom('emailAccounts')
      .selectAll()
      .where('guid', '=', guid)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.status !== 'active' || row.version !== version) return
    const failures = row.failures + 1
    const status = failure.status ?? (failure.isLogin && failures > restAfter ? 'broken' : 'active')
    const said = failure.said.slice(0, 500)
    await tx.db
      .updateTable('emailAccounts')
      .set({
        failures,
        openUntil: failures >= restAfter ? new Date(now.getTime() + restMs) : null,
        lastSaid: said,
        status,
      })
      .where('guid', '=', guid)
      .execute()
    if (status !== 'active') await tell(tx, row, status, said)
  })

/**
 * Notes why a mailbox could not be read. What leaves by the account goes on leaving; of a login that is refused whoever
 * may mend it is told, and not again while the mailbox goes on saying the same.
 */
export const mailboxFailed = (ctx: OpenCtx, account: AccountRow, { said, isLogin }: AccountFailure) =>
  ctx.tx(async (tx) => {
    const noted = await asked(tx, account)
      .set({ readSaid: said })
      .where('readSaid', 'is distinct from', said)
      .executeTakeFirstOrThrow()
    if (isLogin && noted.numUpdatedRows > 0n) await tell(tx, account, 'needs_login', said)
  })

/** Nobody sees that mail waits: whoever may mend the account is told. */
async function tell(ctx: Ctx, { guid, fromAddress: name }: AccountRow, status: 'needs_login' | 'broken', said: string) {
  const kind = status === 'broken' ? 'email_account.broke' : 'email_account.login_ended'
  ctx.audit({ action: kind, entity: 'EmailAccounts', guid, after: { name, reason: said } })
  await notify(ctx, {
    kind,
    noun: 'EmailAccounts',
    recordGuid: guid,
    event: `${kind}:${guid}:${ctx.deps.now().toISOString()}`,
    values: { name, reason: said },
    right: emailAccountsApi.update.can,
  })
}
