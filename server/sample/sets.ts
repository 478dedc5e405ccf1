import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { invoices } from '../invoices/invoices.service.ts'
import { orders } from '../orders/orders.service.ts'
import { quotes } from '../quotes/quotes.service.ts'
import { play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'

/** Whoever asks for sets: a club for its open day, and two for whom one was built already. */
const [asking, ordering, paying] = [2, 4, 6] as const

/**
 * A quote, an order and an invoice of bundles: one that shows its parts, one that does not, and what a customer who
 * comes back gets off.
 */
export async function makeSets(stage: Stage, { customers, products, crew }: Ground): Promise<void> {
  const line = (sku: string, more: Record<string, unknown> = {}) => {
    const { guid, name, description = null } = products.get(sku) ?? {}
    return { productGuid: guid, name, description, ...more }
  }
  const lines = [
    { kind: 'section', name: 'Open day' },
    line('BUN-PARTY'),
    line('BUN-SITE', { quantity: '2' }),
    line('DIS-REPEAT'),
  ]
  const head = (index: number) => ({
    customerGuid: customers[index]?.guid,
    contactGuid: customers[index]?.contactGuid,
    title: 'Open day with two site entrances',
    lines,
  })
  const { quote } = await play({ ...stage, by: crew.sales }, quotesApi.create, quotes.create, {
    ...head(asking),
    lines: [...lines.slice(0, 3), line('BUN-PARTY', { isOptional: true, name: 'A second garden party' }), lines[3]],
  })
  await play(stage, quotesApi.send, quotes.send, { guid: quote.guid, version: quote.version })
  await play(stage, ordersApi.create, orders.create, head(ordering))
  const { invoice } = await play(stage, invoicesApi.create, invoices.create, head(paying))
  await play(stage, invoicesApi.send, invoices.send, { guid: invoice.guid, version: invoice.version })
}
