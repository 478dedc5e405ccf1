import { type Selectable, sql } from 'kysely'
import { invalidTransition } from '../../contract/core/errors.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { EmailAccounts } from '../core/db/schema-emails.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export type AccountRow = Selectable<EmailAccounts>

export const visibleAccounts = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('emailAccounts as a'), rowColumns(ctx, 'EmailAccounts', 'a'))

/** What counts against the cap of a day: what went out, and what is on its way. */
const sentToday = (now: Date) => sql<number>`(select count(*)::int from messages m join businesses b
  on b.guid = a.business_guid where m.account_guid = a.guid
  and m.account_at >= date_trunc('day', ${now}::timestamptz, b.time_zone)
  and m.status in ('sending', 'sent', 'delivered', 'bounced'))`

const lastSent = sql<string | null>`(select m.sent_at from messages m where m.account_guid = a.guid
  and m.sent_at is not null order by m.account_at desc limit 1)`

/** An account with what is told of it. */
export const toldAccounts = (ctx: Ctx) =>
  ctx.db
    .selectFrom('emailAccounts as a')
    .selectAll('a')
    .select([sentToday(ctx.now).as('sentToday'), lastSent.as('lastSentAt')])
export type ToldAccount = AccountRow & { sentToday: number; lastSentAt: string | null }

export const lockAccount = (ctx: Ctx, guid: string) =>
  visibleAccounts(ctx).selectAll('a').where('a.guid', '=', guid).forUpdate('a').executeTakeFirst()

/** Nobody tests, or logs in with, an account that is put away: it is no way out any more. */
export function refuseArchived({ archivedAt }: Pick<AccountRow, 'archivedAt'>): void {
  if (archivedAt) throw invalidTransition('This email account is archived. Restore it first.')
}
