import { AppError } from '../../contract/core/errors.ts'
import type { serviceApi } from '../../contract/service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { countMiss, refuseGuesser } from '../core/http/limits.ts'
import { serviceInvoices } from './service-invoices.ts'
import { serviceOrders } from './service-orders.ts'
import { serviceQuotes } from './service-quotes.ts'

type Pages = Handlers<typeof serviceApi>
type Page = (ctx: Ctx, input: never) => Promise<unknown>

/** Who names links that are not there is guessing: he waits, and hits tell him no more than misses do. */
const guarded = (page: Page): Page => async (ctx, input) => {
  await refuseGuesser(ctx.deps, ctx.request.ip)
  try {
    return await page(ctx, input)
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') await countMiss(ctx.deps, ctx.request.ip)
    throw error
  }
}

const pages: Pages = { ...serviceQuotes, ...serviceOrders, ...serviceInvoices }

/** The pages customers open by a link: one document each, and nothing beside it. */
export const service = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, guarded(page as Page)])) as Pages
