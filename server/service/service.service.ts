import type { serviceApi } from '../../contract/service.ts'
import type { Handlers } from '../core/ctx.ts'
import { serviceInvoices } from './service-invoices.ts'
import { serviceOrders } from './service-orders.ts'
import { serviceQuotes } from './service-quotes.ts'

/** The pages customers open by a link: one document each, and nothing beside it. */
export const service: Handlers<typeof serviceApi> = { ...serviceQuotes, ...serviceOrders, ...serviceInvoices }
