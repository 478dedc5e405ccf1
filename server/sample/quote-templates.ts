import { type QuoteTemplateInput, quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { quoteTemplates as service } from '../quote-templates/quote-templates.service.ts'
import { play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'

type Line =
  | { sku: string; name: string; quantity: string; isOptional?: true }
  | { name: string; cents: number }
  | string

interface SampleTemplate extends Pick<QuoteTemplateInput, 'name' | 'title' | 'intro' | 'validityDays' | 'schedule'> {
  /** A heading, a product of the catalogue, or a line with a price of its own. */
  lines: readonly Line[]
}

/** One that is plain, one with a payment schedule and its own validity, one with something to choose. */
const samples: readonly SampleTemplate[] = [
  {
    name: 'Site visit',
    title: 'Site visit and measure',
    validityDays: 14,
    lines: [
      { sku: 'LAB-STD', name: 'Site visit', quantity: '2' },
      { name: 'Travel', cents: 6_500 },
    ],
  },
  {
    name: 'Staged works',
    title: 'Works in stages',
    intro: 'Thanks for the opportunity to quote. The work is billed as it goes on.',
    validityDays: 30,
    schedule: [
      { label: 'Deposit', amount: { type: 'percent', bp: 2000 }, due: { type: 'acceptance' } },
      { label: 'On site', amount: { type: 'percent', bp: 5000 }, due: { type: 'start' } },
      { label: 'Finished', amount: { type: 'rest' }, due: { type: 'completion' } },
    ],
    lines: [
      'Preparation',
      { sku: 'LAB-STD', name: 'Set out and prepare', quantity: '6' },
      'Works',
      { sku: 'LAB-STD', name: 'Crew on site', quantity: '24' },
      { name: 'Waste removal', cents: 48_000 },
    ],
  },
  {
    name: 'Maintenance with options',
    title: 'Maintenance visit',
    lines: [
      { sku: 'LAB-STD', name: 'Maintenance visit', quantity: '4' },
      { sku: 'LAB-STD', name: 'Touch-up painting', quantity: '3', isOptional: true },
    ],
  },
]

/** What quotes of the sample company are made of again and again. */
export async function makeQuoteTemplates(stage: Stage, { products }: Pick<Ground, 'products'>): Promise<void> {
  for (const { lines, ...facts } of samples)
    await play(stage, quoteTemplatesApi.create, service.create, {
      ...facts,
      lines: lines.map((line) => {
        if (typeof line === 'string') return { kind: 'section', name: line }
        if ('cents' in line) return { name: line.name, unitPriceCents: line.cents }
        const { sku, ...rest } = line
        return { ...rest, kind: 'labour', productGuid: products.get(sku)?.guid, unit: 'hour' }
      }),
    })
}
