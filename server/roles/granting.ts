import { isSuper } from '../../contract/core/ability.ts'
import { AppError, invalid } from '../../contract/core/errors.ts'
import type { Ctx } from '../core/ctx.ts'
import { missingRight } from '../core/grants.ts'
import { abilityOfRole } from '../core/rights.ts'

/** Nobody grants what he lacks, and nobody changes people or roles that may do more than he. */
export async function mayGrant(ctx: Ctx, roleGuid: string): Promise<void> {
  const role = await ctx.db.selectFrom('roles').select('kind').where('guid', '=', roleGuid).where('archivedAt', 'is', null).executeTakeFirst()
  if (!role) throw invalid('roleGuid', 'is not a role')
  if (role.kind === 'guest') throw invalid('roleGuid', 'is for guests only')
  await refuseBeyond(ctx, roleGuid, role.kind)
}

/** Refuses when the role reaches further than the caller does, naming a right that he lacks. */
export async function refuseBeyond(ctx: Ctx, roleGuid: string, kind: 'staff' | 'guest'): Promise<void> {
  const { actor } = ctx
  if (actor.kind === 'system') return
  const { rules, ability } = await abilityOfRole(ctx.db as Ctx['deps']['db'], roleGuid)
  const missing = missingRight(actor.ability, ability, rules, kind)
  if (missing) throw new AppError('FORBIDDEN', 'Insufficient permissions', { fields: [{ path: 'permission', message: `${missing.action} ${missing.subject}` }] })
}

/** Only super users change the role they have themselves: anybody else could make it more than it was. */
export function refuseOwnRole(ctx: Ctx, roleGuid: string): void {
  const { actor } = ctx
  if (actor.kind === 'user' && actor.roleGuid === roleGuid && !isSuper(actor.ability)) throw new AppError('FORBIDDEN', 'Nobody changes the rights of his own role.', { fields: [{ path: 'permission', message: 'manage all' }] })
}
