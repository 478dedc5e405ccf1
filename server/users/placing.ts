import { AppError, invalid } from '../../contract/core/errors.ts'
import type { Ctx } from '../core/ctx.ts'

/** Whether the caller works wherever somebody does. */
function isWithin({ actor }: Ctx, businessGuids: readonly string[]): boolean {
  const own = actor.kind === 'user' ? actor.worksIn : null
  return own === null || (businessGuids.length > 0 && businessGuids.every((guid) => own.guid.includes(guid)))
}

/** Where somebody new works, when nobody says otherwise: where the caller does. */
export const placesOf = ({ actor }: Ctx): string[] => (actor.kind === 'user' ? [...(actor.worksIn?.guid ?? [])] : [])

/** Nobody changes people who work where he does not. */
export function mayReach(ctx: Ctx, businessGuids: readonly string[]): void {
  if (!isWithin(ctx, businessGuids))
    throw new AppError('FORBIDDEN', 'This person works in businesses that you don’t work in.')
}

/** Nobody lets others work where he does not; none named means everywhere. */
export async function mayPlace(ctx: Ctx, businessGuids: readonly string[]): Promise<void> {
  if (!isWithin(ctx, businessGuids)) throw invalid('businessGuids', 'Choose businesses that you work in.')
  if (businessGuids.length === 0) return
  const found = await ctx.db
    .selectFrom('businesses')
    .select('guid')
    .where('guid', 'in', [...businessGuids])
    .execute()
  if (found.length < new Set(businessGuids).size) throw invalid('businessGuids', 'We can’t find that business.')
}
