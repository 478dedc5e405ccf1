import type { Input } from '../../contract/core/op.ts'
import { ofNone } from '../../contract/outcome.ts'
import type { quotesApi } from '../../contract/quotes.ts'
import type { Ctx } from '../core/ctx.ts'
import { reachOf } from '../core/reach.ts'
import { findOutcome, maxOutcomeRows } from './outcome.queries.ts'

const nothing = { won: 0, lost: 0, wonCents: 0, lostCents: 0, rateBp: null }

/** How many quotes were won and lost in a period, and what they came to. */
export async function outcome(ctx: Ctx, input: Input<(typeof quotesApi)['outcome']>) {
  const { by } = input
  const rows = await findOutcome(ctx, await reachOf(ctx, input), input)
  const [total] = rows.filter(({ isTotal }) => isTotal)
  const items = rows
    // Those that were won were lost for no reason.
    .filter(({ isTotal, key }) => !isTotal && !(by === 'reason' && key === null))
    .map(({ isTotal: _isTotal, key, ...row }) => ({
      ...row,
      key: key ?? ofNone,
      rateBp: by === 'reason' ? null : row.rateBp,
    }))
  return { items: items.slice(0, maxOutcomeRows), total: total ?? nothing, isComplete: items.length <= maxOutcomeRows }
}
