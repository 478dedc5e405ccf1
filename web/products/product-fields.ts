import { productInput, type ProductInput } from '../../contract/products.ts'
import type { Fields } from '../record/record-facts.tsx'
import { gstText, productKindText, unitText } from './product-columns.tsx'

/** What is known of a product, in the order of the form. */
export const productFields: Fields<ProductInput> = {
  schema: productInput,
  rows: {
    name: { label: 'products:name', place: 'name' },
    sku: { label: 'products:sku', hint: 'products:skuHint', place: 'details' },
    kind: { label: 'products:kind', hint: 'products:kindHint', words: productKindText, place: 'details' },
    description: { label: 'products:description', hint: 'products:descriptionHint', place: 'description' },
    priceCents: { label: 'products:price', hint: 'products:priceHint', place: 'pricing' },
    unit: { label: 'products:unit', hint: 'products:unitHint', words: unitText, place: 'pricing' },
    gstCode: { label: 'products:gst', words: gstText, place: 'pricing' },
    costCents: { label: 'products:cost', hint: 'products:costHint', place: 'costs' },
    optionGuids: { label: 'products:options', show: (value) => String((value ?? []).length) },
  },
}
