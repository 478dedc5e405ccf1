import { addDays } from '../../contract/core/dates.ts'
import { productsApi } from '../../contract/products.ts'
import { type Series, seriesApi, type SeriesDeed } from '../../contract/series.ts'
import { products } from '../products/products.service.ts'
import { seriesJob } from '../series/cycles.service.ts'
import { series as service } from '../series/series.service.ts'
import { onStage, play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'

const dayMs = 86_400_000
/** How long ago the first of them began. */
const begun = 92
/** So often the job looks, as far as the sample goes. */
const looksEvery = 4

interface SampleSeries {
  title: string
  /** By the code of its product, or by name and price. */
  line: { sku: string; quantity: string } | { name: string; cents: number }
  every: Series['every']
  /** Days from today. */
  anchor: number
  facts?: Partial<Pick<Series, 'leadDays' | 'ends' | 'mode' | 'catchUp'>>
  /** What is done with it, how many days ago. */
  deeds: readonly [deed: SeriesDeed, daysAgo: number, reason?: string][]
}

/** One in every status; the last one fails, because its product is no longer sold. */
const samples: readonly SampleSeries[] = [
  {
    title: 'Monthly site inspection',
    line: { sku: 'LAB-STD', quantity: '3' },
    every: { n: 1, unit: 'month' },
    anchor: -begun,
    facts: { leadDays: 7 },
    deeds: [['start', begun]],
  },
  {
    title: 'Weekly fence check',
    line: { name: 'Fence check and repairs', cents: 18_500 },
    every: { n: 1, unit: 'week' },
    anchor: -60,
    deeds: [
      ['start', 60],
      ['pause', 20],
    ],
  },
  {
    title: 'Stocktake of hired panels',
    line: { name: 'Count and condition report', cents: 24_000 },
    every: { n: 2, unit: 'week' },
    anchor: -48,
    facts: { ends: { type: 'count', n: 3 } },
    deeds: [['start', 50]],
  },
  {
    title: 'Yearly gate service',
    line: { name: 'Gate service, parts included', cents: 39_500 },
    every: { n: 1, unit: 'year' },
    anchor: 30,
    facts: { leadDays: 14, mode: 'send' },
    deeds: [],
  },
  {
    title: 'Quarterly hoarding wash',
    line: { name: 'Pressure wash, both sides', cents: 62_000 },
    every: { n: 3, unit: 'month' },
    anchor: -80,
    deeds: [
      ['start', 82],
      ['cancel', 30, 'The site is finished.'],
    ],
  },
  {
    title: 'Lighting tower for night works',
    line: { sku: 'LIG-OLD', quantity: '1' },
    every: { n: 1, unit: 'month' },
    anchor: -10,
    deeds: [['start', 15]],
  },
]

/** Quotes that repeat, with their cycles; a rise that is planned, and one that was taken back. */
export async function makeSeries(stage: Stage, { customers, products: sold }: Ground, today: string): Promise<void> {
  const at = (daysAgo: number): Stage => ({ ...stage, at: new Date(stage.at.getTime() - daysAgo * dayMs) })
  const { product: old } = await play(at(begun), productsApi.create, products.create, {
    name: 'Lighting tower, old model',
    sku: 'LIG-OLD',
    priceCents: 21_000,
  })
  const made: string[] = []
  for (const [i, { title, line, every, anchor, facts }] of samples.entries()) {
    const customer = customers[(i * 3) % customers.length]
    const productGuid = 'sku' in line ? (sold.get(line.sku)?.guid ?? old.guid) : null
    const { series } = await play(at(begun), seriesApi.create, service.create, {
      customerGuid: customer?.guid,
      title,
      every,
      ...{ anchorOn: addDays(today, anchor), leadDays: 0, ...facts },
      lines: [
        'sku' in line
          ? { productGuid, name: title, quantity: line.quantity }
          : { name: line.name, quantity: '1', unitPriceCents: line.cents },
      ],
    })
    made.push(series.guid)
  }
  for (let daysAgo = begun; daysAgo >= 0; daysAgo--) {
    const then = at(daysAgo)
    for (const [i, { deeds }] of samples.entries())
      for (const [deed, day, reason] of deeds) if (day === daysAgo) await does(then, made[i] ?? '', deed, reason)
    if (daysAgo === 12) await play(then, productsApi.remove, products.remove, { guid: old.guid })
    if (daysAgo % looksEvery === 0) await seriesJob.run({ ...stage.deps, now: () => then.at })
  }
  const rise = (fromOn: string, bp: number, step: number) =>
    play(stage, seriesApi.planRise, service.planRise, { seriesGuids: made.slice(0, 2), bp, step, fromOn })
  const { rise: first } = await rise(addDays(today, 45), 500, 100)
  await play(stage, seriesApi.undoRise, service.undoRise, { guid: first?.guid })
  await rise(addDays(today, 40), 350, 5)
}

async function does(stage: Stage, guid: string, deed: SeriesDeed, reason: string | undefined) {
  const { series } = await onStage(stage, (ctx) => service.get(ctx, { guid }))
  await play(stage, seriesApi.status, service.status, { guid, version: series.version, deed, reason })
}
