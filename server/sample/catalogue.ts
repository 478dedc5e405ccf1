import { categoriesApi } from '../../contract/categories.ts'
import { productsApi } from '../../contract/products.ts'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { categories as categoriesService } from '../categories/categories.service.ts'
import { products as productsService } from '../products/products.service.ts'
import { revenueStreams } from '../revenue-streams/revenue-streams.service.ts'
import { play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'
import { bundles, categories, sold, streams, type SampleCategory } from './company.catalogue.ts'
import { products } from './company.products.ts'

/** What products of the sample are sorted by. */
interface Catalogue {
  /** Guids by code. */
  streams: ReadonlyMap<string, string>
  /** Guids by name. */
  categories: ReadonlyMap<string, string>
}

/** Streams with targets from the first month on, and the tree of categories. */
export async function makeCatalogue(stage: Stage, today: string): Promise<Catalogue> {
  const made = { streams: new Map<string, string>(), categories: new Map<string, string>() }
  for (const { targetCents, part, ...input } of streams) {
    const { stream } = await play(stage, revenueStreamsApi.create, revenueStreams.create, {
      ...input,
      parentGuid: part ? (made.streams.get(part) ?? null) : null,
      targets: [{ month: `${Number(today.slice(0, 4)) - 1}-01`, cents: targetCents }],
    })
    made.streams.set(input.code, stream.guid)
  }
  const grow = async (inside: readonly SampleCategory[], parentGuid: string | null) => {
    for (const { name, inside: more = [] } of inside) {
      const { category } = await play(stage, categoriesApi.create, categoriesService.create, { name, parentGuid })
      made.categories.set(name, category.guid)
      await grow(more, category.guid)
    }
  }
  await grow(categories, null)
  return made
}

/** Products with their streams, categories, tiers and hire rates; then what is made of them. */
export async function makeProducts(stage: Stage, sorted: Catalogue, made: Ground['products']): Promise<void> {
  const guidOf = (known: ReadonlyMap<string, string>, name: string) => [known.get(name) ?? ''].filter(Boolean)
  for (const input of products) {
    const { stream = '', category = '', more = {} } = sold[input.sku ?? ''] ?? {}
    const { product } = await play(stage, productsApi.create, productsService.create, {
      ...input,
      ...more,
      revenueStreamGuid: sorted.streams.get(stream) ?? null,
      categoryGuids: guidOf(sorted.categories, category),
    })
    made.set(input.sku ?? '', product)
  }
  for (const { category, bundle, parts = [], ...input } of bundles) {
    const items = parts.map(([sku, quantity]) => ({ productGuid: made.get(sku)?.guid ?? '', quantity }))
    const { product } = await play(stage, productsApi.create, productsService.create, {
      ...input,
      ...(bundle ? { bundle: { ...bundle, items } } : {}),
      categoryGuids: guidOf(sorted.categories, category),
    })
    made.set(input.sku ?? '', product)
  }
}
