import type { ProductInput } from '../../contract/products.ts'
import type { StreamInput } from '../../contract/revenue-streams.ts'

type Stream = Pick<StreamInput, 'code' | 'name' | 'accountCode'> & { targetCents: number; part?: string }

/** Where its revenue is counted; a later one may be a part of an earlier one. */
export const streams: readonly Stream[] = [
  { code: 'HIRE', name: 'Hire', accountCode: '200', targetCents: 4_500_000 },
  { code: 'INST', name: 'Installation and labour', accountCode: '210', targetCents: 3_000_000 },
  { code: 'EVENT', name: 'Events', accountCode: '220', targetCents: 1_200_000, part: 'HIRE' },
  { code: 'SALE', name: 'Sales and services', accountCode: '230', targetCents: 800_000 },
]

/** Each with what is inside it. */
export interface SampleCategory {
  name: string
  inside?: readonly SampleCategory[]
}
export const categories: readonly SampleCategory[] = [
  {
    name: 'Site protection',
    inside: [{ name: 'Hoarding', inside: [{ name: 'Gates and doors' }] }, { name: 'Fencing and barriers' }],
  },
  { name: 'Events', inside: [{ name: 'Marquees' }, { name: 'Furniture and lighting' }] },
  { name: 'Labour and delivery', inside: [{ name: 'Permits and plans' }] },
]

interface Sold {
  stream: string
  category: string
  more?: Partial<Pick<ProductInput, 'tiers' | 'hire' | 'durationMin' | 'visibleOnline' | 'publicText'>>
}
/** Of each product by its code: where its money is counted, where it is found, and what else prices it. */
export const sold: Readonly<Record<string, Sold>> = {
  'HOA-A': {
    stream: 'INST',
    category: 'Hoarding',
    more: {
      tiers: [
        { from: '20', priceCents: 13_900 },
        { from: '60', priceCents: 12_900 },
      ],
      visibleOnline: true,
    },
  },
  'HOA-B': { stream: 'INST', category: 'Hoarding' },
  'HOA-HIRE': { stream: 'HIRE', category: 'Hoarding' },
  'HOA-GATE': { stream: 'SALE', category: 'Gates and doors', more: { durationMin: 90 } },
  'HOA-DOOR': { stream: 'SALE', category: 'Gates and doors', more: { durationMin: 60 } },
  'FEN-HIRE': { stream: 'HIRE', category: 'Fencing and barriers' },
  'FEN-INST': { stream: 'INST', category: 'Fencing and barriers' },
  'FEN-SHADE': {
    stream: 'SALE',
    category: 'Fencing and barriers',
    more: {
      tiers: [
        { from: '50', priceCents: 720 },
        { from: '150', priceCents: 660 },
      ],
    },
  },
  'BAR-WATER': {
    stream: 'HIRE',
    category: 'Fencing and barriers',
    more: { hire: { dayCents: 1200, weekCents: 3600, fourWeekCents: 9600, minimumDays: 3 } },
  },
  'CRO-HIRE': {
    stream: 'EVENT',
    category: 'Fencing and barriers',
    more: { hire: { dayCents: 450, weekCents: 1500, fourWeekCents: 4200 } },
  },
  'SCA-HIRE': {
    stream: 'HIRE',
    category: 'Site protection',
    more: { hire: { dayCents: 4500, weekCents: 18_500, fourWeekCents: 55_500 } },
  },
  'MAR-66': {
    stream: 'EVENT',
    category: 'Marquees',
    more: {
      tiers: [{ from: '3', priceCents: 74_000 }],
      visibleOnline: true,
      publicText: 'A white marquee of 36 m², set up and taken down by our crew.',
    },
  },
  'MAR-126': { stream: 'EVENT', category: 'Marquees', more: { visibleOnline: true } },
  'TAB-SET': {
    stream: 'EVENT',
    category: 'Furniture and lighting',
    more: { hire: { dayCents: 2600, weekCents: 7800, fourWeekCents: 20_000 } },
  },
  'LIG-FES': { stream: 'EVENT', category: 'Furniture and lighting' },
  'PRI-GRA': { stream: 'SALE', category: 'Hoarding' },
  'SIG-SAFE': { stream: 'SALE', category: 'Site protection' },
  'LAB-STD': { stream: 'INST', category: 'Labour and delivery' },
  'LAB-NIGHT': { stream: 'INST', category: 'Labour and delivery' },
  'DEL-METRO': { stream: 'INST', category: 'Labour and delivery' },
  'DEL-REG': { stream: 'INST', category: 'Labour and delivery' },
  'PLA-TRAF': { stream: 'SALE', category: 'Permits and plans' },
  'ENG-CERT': { stream: 'SALE', category: 'Permits and plans' },
  'PER-FEE': { stream: 'SALE', category: 'Permits and plans' },
}

type Made = Pick<ProductInput, 'sku' | 'name' | 'kind' | 'priceCents' | 'description'> & {
  status?: 'draft'
  category: string
  bundle?: Pick<NonNullable<ProductInput['bundle']>, 'mode' | 'bp' | 'showParts'>
  /** By the codes of the others. */
  parts?: readonly [sku: string, quantity: string][]
}
/** What is made of other products. */
export const bundles: readonly Made[] = [
  {
    sku: 'BUN-PARTY',
    name: 'Garden party for 64',
    kind: 'bundle',
    priceCents: 118_000,
    description: 'One marquee, eight tables with chairs, and lights.',
    category: 'Events',
    bundle: { mode: 'fixed', showParts: true },
    parts: [
      ['MAR-66', '1'],
      ['TAB-SET', '8'],
      ['LIG-FES', '24'],
    ],
  },
  {
    sku: 'BUN-SITE',
    name: 'Site entrance',
    kind: 'bundle',
    priceCents: 0,
    description: 'Vehicle gate, pedestrian door and signs, less five per cent.',
    category: 'Gates and doors',
    bundle: { mode: 'percent', bp: 500, showParts: false },
    parts: [
      ['HOA-GATE', '1'],
      ['HOA-DOOR', '1'],
      ['SIG-SAFE', '1'],
    ],
  },
  {
    sku: 'DIS-REPEAT',
    name: 'Returning customer',
    kind: 'discount',
    priceCents: 10_000,
    description: 'Taken off the first order of a new year.',
    category: 'Labour and delivery',
  },
  {
    sku: 'MAR-99',
    name: 'Marquee 9 × 9 m',
    kind: 'hire',
    priceCents: 159_000,
    description: 'Arrives in autumn.',
    status: 'draft',
    category: 'Marquees',
  },
]
