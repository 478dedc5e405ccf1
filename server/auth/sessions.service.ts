import type { Db } from '../core/ctx.ts'

export interface NewSession {
  kind: 'user' | 'guest'
  apiGuid: string
  userGuid: string | null
  roleGuid: string
  authVersion: number
  isRemembered: boolean
  renewableUntil: Date
  userAgent: string
  ip: string
}
export const insertSession = (db: Db, session: NewSession) =>
  db.insertInto('sessions').values(session).returning('guid').executeTakeFirstOrThrow()

export const revokeSession = (db: Db, guid: string, at: Date) =>
  db
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('guid', '=', guid)
    .where('revokedAt', 'is', null)
    .returning(['guid', 'userGuid', 'kind'])
    .executeTakeFirst()

export const revokeSessionsOf = async (db: Db, userGuid: string, at: Date, except: string | null = null) => {
  const query = db
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('userGuid', '=', userGuid)
    .where('revokedAt', 'is', null)
    .where('renewableUntil', '>', at.toISOString())
  const { numUpdatedRows } = await (
    except === null ? query : query.where('guid', '<>', except)
  ).executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export const listLiveSessions = (db: Db, userGuid: string, now: Date) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.guid', 'sessions.userGuid')
    .select([
      'sessions.guid',
      'sessions.userAgent',
      'sessions.ip',
      'sessions.createdAt',
      'sessions.renewedAt',
      'sessions.renewableUntil',
      'sessions.isRemembered',
    ])
    .where('sessions.userGuid', '=', userGuid)
    .where('sessions.revokedAt', 'is', null)
    .where('sessions.renewableUntil', '>', now.toISOString())
    .whereRef('sessions.authVersion', '=', 'users.authVersion')
    .orderBy('sessions.renewedAt', 'desc')
    .limit(100)
    .execute()
