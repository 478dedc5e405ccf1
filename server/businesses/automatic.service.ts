import { sql } from 'kysely'
import { type AutomaticEmails, automaticEmailsApi } from '../../contract/automatic-emails.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { userOf } from '../core/records.ts'

type Since = 'welcomeSince' | 'followUpSince'

/** Since when the business `b` of a query sends such emails; null where it doesn’t. */
export const emailsSince = (column: Since) => sql<string | null>`(select case when a.business_guid is null
    then b.created_at else ${sql.ref(`a.${column}`)} end
  from (values (1)) x left join automatic_emails a on a.business_guid = b.guid)`

const rowOf = async (ctx: Ctx) =>
  (await ctx.db
    .selectFrom('automaticEmails')
    .select(['version', 'welcomeSince', 'followUpSince'])
    .where('businessGuid', '=', ctx.business.guid)
    .executeTakeFirst()) ?? {
    ...{ version: 1, welcomeSince: ctx.business.createdAt, followUpSince: ctx.business.createdAt },
  }

async function shown(ctx: Ctx): Promise<{ automatic: AutomaticEmails }> {
  const { version, welcomeSince, followUpSince } = await rowOf(ctx)
  return { automatic: { version, sendsWelcome: welcomeSince !== null, sendsFollowUps: followUpSince !== null } }
}

export const automaticEmails: Pick<Handlers<typeof automaticEmailsApi>, 'get' | 'update'> = {
  get: shown,
  update: async (ctx, { version, sendsWelcome, sendsFollowUps }) => {
    const { guid: businessGuid } = ctx.business
    await ctx.db.selectFrom('businesses').select('guid').where('guid', '=', businessGuid).forNoKeyUpdate().execute()
    const row = await rowOf(ctx)
    await checkVersion(row, version, automaticEmailsApi.get, () => shown(ctx))
    /** What is on stays on since when it is. */
    const since = (before: string | null, isOn: boolean | undefined) =>
      isOn === undefined ? before : isOn ? (before ?? ctx.now) : null
    const values = {
      version: row.version + 1,
      welcomeSince: since(row.welcomeSince, sendsWelcome),
      followUpSince: since(row.followUpSince, sendsFollowUps),
      ...{ updatedAt: ctx.now, updatedBy: userOf(ctx) },
    }
    await ctx.db
      .insertInto('automaticEmails')
      .values({ businessGuid, ...values })
      .onConflict((c) => c.column('businessGuid').doUpdateSet(values))
      .execute()
    const after = await shown(ctx)
    ctx.audit({
      action: 'business.emails_switched',
      entity: 'Businesses',
      guid: businessGuid,
      before: { sendsWelcome: row.welcomeSince !== null, sendsFollowUps: row.followUpSince !== null },
      after: { sendsWelcome: after.automatic.sendsWelcome, sendsFollowUps: after.automatic.sendsFollowUps },
    })
    return after
  },
}
