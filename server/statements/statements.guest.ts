import { today } from '../businesses/businesses.service.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { drawStatement, paperOf } from '../documents/statement-paper.service.ts'
import { serviceUrl } from '../service-links/service-links.service.ts'
import { creditOn } from './receivables.queries.ts'
import { tell } from './statements.told.ts'

/** What the link of a statement opens: a customer's debts to some businesses of one legal entity. */
export interface StatementPage {
  guid: string
  businessGuid: string
  entityGuid: string
  covers: string[]
  /** The customer, or who it was merged into. */
  familyGuid: string
}

const booksOf = ({ entityGuid, covers, familyGuid }: StatementPage) => ({ entityGuid, businesses: covers, familyGuid })

/** Money of the customer that pays no invoice yet. */
export async function creditOfPage(ctx: Ctx, page: StatementPage): Promise<number> {
  const on = today(await ctx.workFor(page.businessGuid), ctx.now)
  return (await creditOn(ctx.db, booksOf(page), on)).reduce((sum, one) => sum + one.cents, 0)
}

/** What is open today, as PDF. */
export async function drawPage(ctx: OpenCtx, page: StatementPage, link: string) {
  const business = await ctx.workFor(page.businessGuid)
  const told = await tell(ctx.db, booksOf(page), { kind: 'open', to: today(business, ctx.now) })
  const url = serviceUrl(ctx.deps.settings, 'statement', link)
  return drawStatement(ctx, await paperOf(ctx, business, page.familyGuid, { told, link: url }))
}
