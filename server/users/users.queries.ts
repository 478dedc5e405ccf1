import { sql } from 'kysely'
import type { z } from 'zod'
import type { User, usersApi } from '../../contract/users.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { likeText, userName } from '../core/records.ts'
import { worksAt } from '../core/works-in.ts'

/** The users a caller may see; "own" is oneself. */
const visibleUsers = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('users').innerJoin('roles', 'roles.guid', 'users.roleGuid'), {
    owner: 'users.guid',
    status: 'users.status',
  })

const userColumns = [
  'users.guid',
  'users.version',
  'users.createdAt',
  'users.updatedAt',
  'users.archivedAt',
  'users.authId',
  'users.name',
  'users.firstName',
  'users.lastName',
  'users.email',
  'users.phone',
  'users.roleGuid',
  'roles.name as roleName',
  'users.businessGuids',
  'users.status',
  'users.lastSeenAt',
  'users.lastLoginAt',
] as const

const hasTwoStep = sql<boolean>`users.two_step_on_at is not null`.as('hasTwoStep')
/** The link is made when the email is written; until then the invitation counts from its order. */
const invitationExpiresAt = sql<
  string | null
>`case when users.status = 'invited' then coalesce((select max(l.expires_at) from credential_links l
  where l.user_guid = users.guid and l.kind = 'invitation'), users.updated_at + interval '72 hours') end`.as(
  'invitationExpiresAt',
)

const shownUsers = (ctx: Ctx) => visibleUsers(ctx).select(userColumns).select([hasTwoStep, invitationExpiresAt])

/** The column by the name it has in the API. */
export const withAuthID = <U extends { authId: string }>({ authId, ...user }: U) => ({ ...user, authID: authId })

export type UserFilters = z.output<typeof usersApi.list.query>

export function listUsers(ctx: Ctx, { search, status, roleGuid }: UserFilters) {
  let query = shownUsers(ctx)
  if (status) query = query.where('users.status', 'in', status.split(',') as User['status'][])
  if (roleGuid) query = query.where('users.roleGuid', '=', roleGuid)
  if (!search) return query
  const pattern = likeText(search)
  return query.where((eb) =>
    eb.or([
      eb('users.name', 'ilike', pattern),
      eb('users.authId', 'ilike', pattern),
      eb('users.email', 'ilike', pattern),
    ]),
  )
}

/** One user as shown, with where the picture is kept. */
export const findUser = (ctx: Ctx, guid: string) =>
  shownUsers(ctx).select(['users.avatarSha256', 'users.avatarMime']).where('users.guid', '=', guid).executeTakeFirst()

const maxPeople = 50
/** Names of those who work in this business now; one named by guid is given even when he does not any more. */
export function listPeople(ctx: Ctx, search: string | undefined, guid: string | undefined) {
  const people = ctx.db
    .selectFrom('users')
    .select(['guid', userName('users').as('name')])
    .orderBy('name')
    .orderBy('guid')
    .limit(maxPeople)
  if (guid) return people.where('guid', '=', guid).execute()
  const working = people.where('status', '=', 'active').where(worksAt(ctx.business.guid))
  return (search ? working.where('name', 'ilike', likeText(search)) : working).execute()
}

/** Whether a login or an address belongs to somebody already. */
export async function isTaken(ctx: Ctx, authId: string, email: string): Promise<boolean> {
  const names = [authId.toLowerCase(), email.toLowerCase()]
  const found = await ctx.db
    .selectFrom('users')
    .select('guid')
    .where((eb) =>
      eb.or([eb(eb.fn('lower', ['authId']), 'in', names), eb(eb.fn('lower', ['email']), '=', email.toLowerCase())]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
