import { isSuper } from '../../../contract/core/ability.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import type { Actor } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { underMaintenance } from '../maintenance.ts'

/** Reading, and documents made on the way; a job that is called by GET is work. */
const isChange = (op: Op) => op.effect !== 'read' && (op.method !== 'GET' || op.who === 'cron')

/** Super by his own role: who tries another one stays who he is. */
const isSuperUser = (actor: Actor) =>
  actor.kind === 'user' && isSuper(actor.standing?.trying?.own.ability ?? actor.ability)

/** The way out of a tried role is open whatever that role may do. */
export const ownRights = (op: Op, actor: Actor): Actor =>
  actor.kind === 'user' && actor.standing?.trying && op.passes?.includes('trying')
    ? { ...actor, ...actor.standing.trying.own }
    : actor

/**
 * What stops a caller whatever his rights are: a second factor his role asks for, the read-only look through another
 * role, and maintenance. The work of the system itself goes on.
 */
export async function refuseBehindBarriers(
  deps: Pick<Deps, 'db' | 'maintenance' | 'now'>,
  op: Op,
  actor: Actor,
): Promise<void> {
  if (actor.kind === 'system') return
  const passes = op.passes ?? []
  if (actor.kind === 'user' && actor.standing?.isTwoStepMissing && !passes.includes('two-step'))
    throw new AppError('TWO_STEP_SETUP')
  if (actor.kind === 'user' && actor.standing?.trying && isChange(op) && !passes.includes('trying'))
    throw new AppError('READ_ONLY')
  if (passes.includes('maintenance')) return
  const state = await deps.maintenance.current(deps.db)
  if (state.isOn && !isSuperUser(actor)) throw underMaintenance(state, deps.now())
}
