import { notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { serviceApi } from '../../contract/service.ts'
import { currentBusiness, publicBusiness, today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { findServiceOrder } from './portal.queries.ts'

type Api = typeof serviceApi

async function find(ctx: Ctx, linkGuid: string) {
  const business = await currentBusiness(ctx.db)
  const row = await findServiceOrder(ctx.db, linkGuid, today(business, ctx.now))
  if (!row) throw notFound()
  return { business, row }
}

/** An order as its customer sees it. */
async function order(ctx: Ctx, input: Input<Api['order']>) {
  const { business, row } = await find(ctx, input.guid)
  const { subtotalCents, discountCents, gstCents, totalCents, displayName, language, ...rest } = row
  return {
    order: {
      ...rest,
      customer: { name: displayName, language },
      totals: { subtotalCents, discountCents, gstCents, totalCents },
    },
    business: await publicBusiness(ctx.db, ctx.deps.files, business),
    jobType: null,
  }
}

async function orderPdf(ctx: Ctx, input: Input<Api['orderPdf']>) {
  const { row } = await find(ctx, input.guid)
  return renderPdf(ctx, 'order', row.guid)
}

export const serviceOrders: Pick<Handlers<Api>, 'order' | 'orderPdf'> = { order, orderPdf }
