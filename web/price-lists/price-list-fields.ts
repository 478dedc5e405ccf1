import { priceListInput, type PriceListInput } from '../../contract/price-lists.ts'
import type { Fields } from '../record/record-facts.tsx'

/** What is known of a price list, in the order of the form. */
export const priceListFields: Fields<PriceListInput> = {
  schema: priceListInput,
  rows: {
    name: { label: 'prices:name' },
    isActive: { label: 'prices:isActive', hint: 'prices:isActiveHint' },
    items: { label: 'prices:prices', show: (items, { t }) => t('prices:count', { count: items?.length ?? 0 }) },
  },
}
