import { sql } from 'kysely'
import { type Preferences, defaultPreferences, preferences } from '../../contract/auth.ts'
import type { Db } from '../core/ctx.ts'

/** What is saved over the defaults; anything that is no longer valid falls back. */
export const readPreferences = (saved: unknown): Preferences => {
  const result = preferences.safeParse(saved)
  return result.success ? result.data : defaultPreferences
}

const account = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.guid', 'users.roleGuid')
    .select([
      'users.guid',
      'users.authId',
      'users.name',
      'users.firstName',
      'users.lastName',
      'users.email',
      'users.phone',
      'users.status',
      'users.passwordHash',
      'users.preferences',
      'users.authVersion',
      'users.version',
      'users.roleGuid',
      'users.twoStepSecret',
      'users.twoStepPending',
      'users.twoStepOnAt',
      'users.recoveryHashes',
      'users.avatarSha256',
      'users.avatarMime',
      'users.lastLoginAt',
      'users.createdAt',
      'roles.name as roleName',
      'roles.archivedAt as roleArchivedAt',
      'roles.requiresTwoStep',
      sql<
        string | null
      >`(select b.time_zone from businesses b where b.archived_at is null order by b.created_at, b.guid limit 1)`.as(
        'zone',
      ),
    ])

export const findUserByLogin = async (db: Db, authId: string) =>
  account(db)
    .where((eb) => eb(eb.fn('lower', ['users.authId']), '=', authId.toLowerCase()))
    .executeTakeFirst()
export const findAccount = async (db: Db, userGuid: string) =>
  account(db).where('users.guid', '=', userGuid).executeTakeFirst()
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

export const lockAccount = (db: Db, userGuid: string) =>
  db.selectFrom('users').selectAll().where('guid', '=', userGuid).forUpdate().executeTakeFirst()

export const noteRenewal = (db: Db, sessionGuid: string, at: Date) =>
  db.updateTable('sessions').set({ renewedAt: at }).where('guid', '=', sessionGuid).execute()
export const noteSeen = (db: Db, userGuid: string, at: Date) =>
  db.updateTable('users').set({ lastSeenAt: at }).where('guid', '=', userGuid).execute()
export const noteLogin = (db: Db, userGuid: string, at: Date) =>
  db.updateTable('users').set({ lastSeenAt: at, lastLoginAt: at }).where('guid', '=', userGuid).execute()

export const findGuestRole = (db: Db) =>
  db.selectFrom('roles').select('guid').where('kind', '=', 'guest').where('archivedAt', 'is', null).executeTakeFirst()

/** How somebody likes the lists of which he has said so. */
export const findListDefaults = (db: Db, userGuid: string) =>
  db
    .selectFrom('listDefaults')
    .select(['subject', 'columnIds as columns', 'sort', 'size'])
    .where('userGuid', '=', userGuid)
    .orderBy('subject')
    .execute()
