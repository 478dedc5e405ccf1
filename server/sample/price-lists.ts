import { customersApi } from '../../contract/customers.ts'
import { priceListsApi } from '../../contract/price-lists.ts'
import { customers } from '../customers/customers.service.ts'
import { priceLists as service } from '../price-lists/price-lists.service.ts'
import { onStage, play, type Stage } from './actors.ts'
import { priceLists } from './company.price-lists.ts'
import type { Ground } from './deals.ts'

/** The lists of the catalogue; their customers have them from the same day on. */
export async function makePriceLists(stage: Stage, { customers: known, products }: Ground): Promise<void> {
  for (const { name, items, customers: having } of priceLists) {
    const { priceList } = await play(stage, priceListsApi.create, service.create, {
      name,
      items: items.map(([sku, from, priceCents]) => ({ productGuid: products.get(sku)?.guid ?? '', from, priceCents })),
    })
    for (const { guid } of known.filter((customer) => having.includes(customer.name))) {
      const { customer } = await onStage(stage, (ctx) => customers.get(ctx, { guid }))
      await play(stage, customersApi.update, customers.update, {
        guid,
        version: customer.version,
        terms: { priceListGuid: priceList.guid },
      })
    }
  }
}
