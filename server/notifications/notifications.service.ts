import { sql } from 'kysely'
import {
  type Notification,
  notificationKinds,
  type NotificationKind,
  type notificationsApi,
} from '../../contract/notifications.ts'
import { AppError } from '../../contract/core/errors.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'

export { spread } from './notifications.jobs.ts'

type Api = Handlers<typeof notificationsApi>

function self(ctx: Ctx): string {
  if (ctx.actor.kind !== 'user') throw new AppError('NOT_AUTHENTICATED')
  return ctx.actor.userGuid
}

export async function unreadOf(db: Db, userGuid: string): Promise<number> {
  const row = await db
    .selectFrom('notifications')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('userGuid', '=', userGuid)
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

const list: Api['list'] = async (ctx, { search, unread, ...input }) => {
  const userGuid = self(ctx)
  let query = ctx.db
    .selectFrom('notifications as n')
    .select([
      'n.guid',
      sql<NotificationKind>`n.kind`.as('kind'),
      sql<Notification['noun']>`n.noun`.as('noun'),
      'n.recordGuid',
      sql<Notification['values']>`n.details`.as('values'),
      'n.createdAt',
      'n.readAt',
    ])
    .where('n.userGuid', '=', userGuid)
  if (unread) query = query.where('n.readAt', 'is', null)
  if (search) query = query.where(sql<boolean>`n.details::text ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`)
  const page = await pageOf({
    query,
    sorts: { createdAt: 'n.createdAt' },
    guid: 'n.guid',
    input,
    defaultSort: '-createdAt',
  })
  return { ...page, unread: await unreadOf(ctx.db, userGuid) }
}

const read: Api['read'] = async (ctx, { guids, isRead }) => {
  const userGuid = self(ctx)
  const changed = ctx.db
    .updateTable('notifications')
    .set({ readAt: isRead ? ctx.now : null })
    .where('userGuid', '=', userGuid)
    .where('guid', 'in', guids)
  await changed.where('readAt', isRead ? 'is' : 'is not', null).execute()
  return { unread: await unreadOf(ctx.db, userGuid) }
}

const readAll: Api['readAll'] = async (ctx) => {
  await ctx.db
    .updateTable('notifications')
    .set({ readAt: ctx.now })
    .where('userGuid', '=', self(ctx))
    .where('readAt', 'is', null)
    .execute()
  return { unread: 0 }
}

const chosen = (quiet: readonly string[]) => ({
  kinds: notificationKinds.map((kind) => ({ kind, isOn: !quiet.includes(kind) })),
})
const quietOf = async (ctx: Ctx) =>
  (await ctx.db.selectFrom('users').select('quietKinds').where('guid', '=', self(ctx)).executeTakeFirstOrThrow())
    .quietKinds

const updatePreferences: Api['updatePreferences'] = async (ctx, { kinds }) => {
  const before = await quietOf(ctx)
  const said = new Map(kinds.map(({ kind, isOn }) => [kind, isOn]))
  const quietKinds = notificationKinds.filter((kind) => !(said.get(kind) ?? !before.includes(kind)))
  await ctx.db.updateTable('users').set({ quietKinds, updatedAt: ctx.now }).where('guid', '=', self(ctx)).execute()
  ctx.audit({
    action: 'user.notifications_chosen',
    entity: 'Users',
    guid: self(ctx),
    before: { quiet: before },
    after: { quiet: quietKinds },
  })
  return chosen(quietKinds)
}

export const notifications: Api = {
  list,
  read,
  readAll,
  preferences: async (ctx) => chosen(await quietOf(ctx)),
  updatePreferences,
}
