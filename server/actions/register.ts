import { actionReach, actionSentence } from '../../contract/action-sentence.ts'
import type { actionsApi, RegisterItem } from '../../contract/actions.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { namesOf, toldActions, visibleActions } from './actions.queries.ts'

/** The register of automated decisions: every action that is on, or was. */
export async function register(ctx: Ctx, input: Input<(typeof actionsApi)['register']>) {
  const { language } = ctx.request
  const page = await pageOf({
    query: toldActions(ctx),
    found: visibleActions(ctx).where('a.businessGuid', '=', ctx.business.guid).where('a.activatedAt', 'is not', null),
    isPlain: true,
    input,
    sorts: { action: 'a.name', since: 'a.activatedAt' },
    guid: 'a.guid',
    defaultSort: 'action',
  })
  const nameOf = await namesOf(ctx, page.items)
  const items = page.items.map((row): RegisterItem => ({
    guid: row.guid,
    action: row.name,
    decides: actionSentence(row, language, nameOf),
    ...actionReach(row, language),
    responsible: row.ownerName,
    since: row.activatedAt ?? row.createdAt,
    until: row.stoppedAt,
  }))
  return { ...page, items }
}
