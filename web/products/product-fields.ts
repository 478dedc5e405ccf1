import { productInput, type ProductInput } from '../../contract/products.ts'
import { statusText } from '../core/ui/status-chip.tsx'
import type { Fields } from '../record/record-facts.tsx'
import { bundleText, hireText, tiersText } from './price-texts.ts'
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
    tiers: { label: 'products:tiers.title', show: (tiers, { f }) => tiersText(tiers ?? [], f) },
    hire: { label: 'products:hire.title', show: (hire, { f }) => hire && hireText(hire, f) },
    bundle: { label: 'products:bundle.title', show: (bundle) => bundle && bundleText(bundle) },
    quantityMin: { label: 'products:quantity.min', place: 'quantities' },
    quantityMax: { label: 'products:quantity.max', place: 'quantities' },
    quantityStep: { label: 'products:quantity.step', hint: 'products:quantity.stepHint', place: 'quantities' },
    durationMin: { label: 'products:duration', hint: 'products:durationHint', place: 'quantities' },
    status: {
      label: 'products:status',
      hint: 'products:statusHint',
      words: (status) => statusText(status),
      place: 'selling',
    },
    revenueStreamGuid: { label: 'products:stream', show: (_guid, _say, whole) => labelOf(whole['stream']) },
    categoryGuids: {
      label: 'products:categories.tree',
      show: (_guids, _say, whole) => ((whole['categories'] ?? []) as unknown[]).map(labelOf).join(', '),
    },
    publicText: { label: 'products:publicText', hint: 'products:publicTextHint', place: 'public' },
    visibleOnline: { label: 'products:visibleOnline', hint: 'products:visibleOnlineHint', place: 'public' },
    images: { label: 'products:pictures.title', show: (value) => String((value ?? []).length) },
    optionGuids: { label: 'products:options', show: (value) => String((value ?? []).length) },
  },
}

const labelOf = (reference: unknown): string | null => (reference as { label: string } | null)?.label ?? null
