import type { serviceApi } from '../../contract/service.ts'
import type { Handlers } from '../core/ctx.ts'
import { serviceInvoices } from './portal-invoices.ts'
import { serviceOrders } from './portal-orders.ts'
import { serviceQuotes } from './portal-quotes.ts'
import { serviceStatements } from './portal-statements.ts'

/** The pages customers open by a link: one document each, and nothing beside it. */
export const service: Handlers<typeof serviceApi> = {
  ...serviceQuotes,
  ...serviceOrders,
  ...serviceInvoices,
  ...serviceStatements,
}
