import {
  type EmailAccount,
  emailAccountsApi,
  type EmailAccountState,
  type MailOfInstallation,
} from '../../contract/email-accounts.ts'
import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { archivedIf, changed, firstStamp, stamp } from '../core/records.ts'
import { written } from './account-writing.ts'
import { callback, connect } from './connecting.ts'
import { isSampleHost } from './connections.service.ts'
import {
  type AccountRow,
  lockAccount,
  refuseArchived,
  type ToldAccount,
  toldAccounts,
  visibleAccounts,
} from './email-accounts.queries.ts'
import { stepsSoFar, testAccount } from './testing.ts'

type Api = typeof emailAccountsApi

function stateOf({ deps: { settings }, now }: Ctx, row: ToldAccount): EmailAccountState {
  if (row.status !== 'active') return row.status
  if (row.openUntil && new Date(row.openUntil) > now) return 'resting'
  if (row.sentToday >= row.dailyCap) return 'capped'
  if (isSampleHost(settings, row.smtp.host)) return 'sample'
  if (row.readSaid !== null) return 'unread'
  if (row.answeredAt) return 'healthy'
  return row.lastSaid === null ? 'untested' : 'failing'
}

/** What people enter of an account, as the audit log and answers show it: never a secret. */
const entered = (row: AccountRow) => ({
  purpose: row.purpose,
  fromName: row.fromName,
  fromAddress: row.fromAddress,
  smtp: row.smtp,
  imap: row.imap,
  sentFolder: row.sentFolder,
  dailyCap: row.dailyCap,
  perMinuteCap: row.perMinuteCap,
  failoverOrder: row.failoverOrder,
  plusAddressing: row.plusAddressing,
  status: row.status === 'paused' ? ('paused' as const) : ('active' as const),
  auth: { kind: row.authKind, provider: row.provider },
})

const shownAccount = (ctx: Ctx, row: ToldAccount): EmailAccount => ({
  guid: row.guid,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
  businessGuid: row.businessGuid,
  ...entered(row),
  hasSecret: Boolean(row.smtpSecret ?? row.imapSecret ?? row.refreshSecret),
  state: stateOf(ctx, row),
  isSample: isSampleHost(ctx.deps.settings, row.smtp.host),
  openUntil: row.openUntil,
  sentToday: row.sentToday,
  lastSentAt: row.lastSentAt,
  lastReadAt: row.lastReadAt,
  lastSaid: row.lastSaid ?? row.readSaid,
})

async function one(ctx: Ctx, guid: string): Promise<{ account: EmailAccount }> {
  const seen = await visibleAccounts(ctx).select('a.guid').where('a.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  const row = await toldAccounts(ctx).where('a.guid', '=', guid).executeTakeFirstOrThrow()
  return { account: shownAccount(ctx, row) }
}

/** Without its password: the address of a mail server may carry one. */
function ofInstallation({ deps: { settings } }: Ctx): MailOfInstallation {
  if (!settings.smtpUrl) return { kind: 'outbox', host: null, from: null }
  return { kind: 'smtp', host: new URL(settings.smtpUrl).hostname, from: settings.mailFrom ?? null }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const page = await pageOf({
    query: toldAccounts(ctx),
    found: visibleAccounts(ctx).where('a.businessGuid', '=', ctx.business.guid).where(archivedIf('a', input.archived)),
    isPlain: true,
    input,
    sorts: { failoverOrder: 'a.failoverOrder', fromAddress: 'a.fromAddress' },
    guid: 'a.guid',
    defaultSort: 'failoverOrder',
  })
  const items = page.items.map((row) => shownAccount(ctx, row))
  return { ...page, items, installation: ofInstallation(ctx) }
}

async function create(ctx: Ctx, { status, ...input }: Input<Api['create']>) {
  const guid = newGuid()
  const row = await ctx.db
    .insertInto('emailAccounts')
    .values({
      ...written(ctx, guid, input, { status, before: null }),
      guid,
      businessGuid: ctx.business.guid,
      ...firstStamp(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  ctx.audit({
    action: 'email_account.created',
    entity: 'EmailAccounts',
    guid,
    after: { name: row.fromAddress, ...entered(row) },
  })
  return one(ctx, guid)
}

async function lock(ctx: Ctx, guid: string): Promise<AccountRow> {
  const row = await lockAccount(ctx, guid)
  if (!row) throw notFound()
  return row
}

/** A login as it stands, without the password: it stays where it is. */
const authOf = ({ provider }: AccountRow) =>
  provider ? { kind: 'oauth2' as const, provider } : { kind: 'password' as const }

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, status, auth, ...changes } = input
  const before = await lock(ctx, guid)
  await checkVersion(before, version, emailAccountsApi.get, () => one(ctx, guid))
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const next = { ...before, ...given, auth: auth ?? authOf(before) }
  const after = await ctx.db
    .updateTable('emailAccounts')
    .set({ ...written(ctx, guid, next, { status, before }), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(entered(before), entered(after))
  ctx.audit({
    action: 'email_account.updated',
    entity: 'EmailAccounts',
    guid,
    before: change.before,
    after: { ...change.after, name: after.fromAddress },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(
      isArchived ? 'This email account is already archived.' : 'This email account isn’t archived.',
    )
  await writeArchived(ctx, 'EmailAccounts', { ...row, name: row.fromAddress }, isArchived)
}

async function test(ctx: OpenCtx, { guid, ...asked }: Input<Api['test']>) {
  const row = await visibleAccounts(ctx).selectAll('a').where('a.guid', '=', guid).executeTakeFirst()
  if (!row) throw notFound()
  refuseArchived(row)
  const steps = await testAccount(ctx, row, asked)
  return { steps, ...(await one(ctx, guid)) }
}

async function testing(ctx: Ctx, { guid, run }: Input<Api['testing']>) {
  const seen = await visibleAccounts(ctx).select('a.guid').where('a.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  return { steps: await stepsSoFar(ctx, guid, run) }
}

export const emailAccounts: Handlers<Api> = {
  list,
  get: (ctx, { guid }) => one(ctx, guid),
  create,
  update,
  ...archiving('EmailAccounts', setArchived, one),
  test,
  testing,
  connect,
  callback,
}
