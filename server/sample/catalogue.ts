import { categoriesApi } from '../../contract/categories.ts'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { categories as categoriesService } from '../categories/categories.service.ts'
import { revenueStreams } from '../revenue-streams/revenue-streams.service.ts'
import { play, type Stage } from './actors.ts'
import { categories, streams, type SampleCategory } from './company.catalogue.ts'

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
