import { sql } from 'kysely'
import { type Ability, isSuper } from '../../contract/core/ability.ts'
import { AppError, conflict, invalid } from '../../contract/core/errors.ts'
import type { Ctx } from '../core/ctx.ts'
import { missingRight } from '../core/delegation.ts'
import { abilityOfRole, accessFor } from '../core/rights.ts'

/** Nobody grants what he lacks, and nobody changes people or roles that may do more than he. */
export async function mayGrant(ctx: Ctx, roleGuid: string): Promise<void> {
  const role = await ctx.db
    .selectFrom('roles')
    .select('kind')
    .where('guid', '=', roleGuid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!role) throw invalid('roleGuid', 'Choose a role.')
  if (role.kind === 'guest') throw invalid('roleGuid', 'The guest role is for customers only.')
  await refuseBeyond(ctx, roleGuid, role.kind)
}

/** Refuses when the role reaches further than the caller does, naming a right that he lacks. */
export async function refuseBeyond(ctx: Ctx, roleGuid: string, kind: 'staff' | 'guest'): Promise<void> {
  const { actor } = ctx
  if (actor.kind === 'system') return
  const { rules, ability } = await abilityOfRole(ctx.db, roleGuid)
  const missing = missingRight(actor.ability, ability, rules, kind)
  if (missing)
    throw new AppError('FORBIDDEN', 'Insufficient permissions', {
      fields: [{ path: 'permission', message: `${missing.action} ${missing.subject}` }],
    })
}

/** Only super users change the role they have themselves: anybody else could make it more than it was. */
export function refuseOwnRole(ctx: Ctx, roleGuid: string): void {
  const { actor } = ctx
  if (actor.kind === 'user' && actor.roleGuid === roleGuid && !isSuper(actor.ability))
    throw new AppError('FORBIDDEN', 'You can’t change your own role’s permissions.', {
      fields: [{ path: 'permission', message: 'manage all' }],
    })
}

const staff = { isUser: true, isGuest: false, hasApiGuid: true, hasAuthorization: true }
/** May do everything, and no deny keeps him from looking after people and rights. */
const looksAfterAll = (ability: Ability) =>
  isSuper(ability) &&
  ['Roles:Update:Guid', 'Permissions:Update:Guid', 'Users:Update:Guid'].every(
    (subject) => accessFor(ability, 'update', subject, staff) === 'all',
  )

/**
 * Refuses a change after which no active person could look after everything. The database refuses the plain cases by
 * itself; this one weighs denies and conditions as well. Two such changes wait for each other.
 */
export async function keepSuperUser(ctx: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(70001)`.execute(ctx.db)
  const roles = await ctx.db
    .selectFrom('roles')
    .select('guid')
    .where('archivedAt', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('users')
          .select('users.guid')
          .whereRef('users.roleGuid', '=', 'roles.guid')
          .where('users.status', '=', 'active')
          .where(sql<boolean>`users.business_guids = '{}'`),
      ),
    )
    .execute()
  for (const { guid } of roles) if (looksAfterAll((await abilityOfRole(ctx.db, guid)).ability)) return
  throw conflict('Keep at least one active super user.')
}
