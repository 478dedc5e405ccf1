import type { CustomerInput } from '../../contract/customers.ts'
import type { ProductInput } from '../../contract/products.ts'

/** A name the company hires out marquees under: the same customers and catalogue, its own look and words. */
export const brand = {
  tradingName: 'Lantern Marquees',
  email: 'hello@lantern.example',
  phone: '02 5550 1830',
  website: 'https://lantern.example',
  primaryColour: '#B25E00',
  defaultValidityDays: 14,
  quoteTerms:
    'Prices include setting up and taking down on level grass.\nThe date is yours when the deposit is paid.\n' +
    'We may move a marquee that is not safe in strong wind.',
} as const

/** A second company of the same owners, which shares nothing with the first one. */
export const sister = {
  legalName: 'Kookaburra Site Services Pty Ltd',
  tradingName: 'Kookaburra Site Services',
  abn: '88666333000',
  gstRegistered: true,
  email: 'office@kookaburra.example',
  phone: '02 5550 1840',
  address: { line1: '3 Depot Road', suburb: 'Mortdale', state: 'NSW', postcode: '2223' },
  bankAccount: { accountName: 'Kookaburra Site Services', bsb: '012-345', accountNumber: '987654321' },
  defaultTermsDays: 7,
  primaryColour: '#0D9394',
} as const

type Customer = Pick<CustomerInput, 'displayName' | 'kind' | 'email' | 'phone'>
export const sisterCustomers: readonly Customer[] = [
  { kind: 'business', displayName: 'Wattle Civil', email: 'site@wattlecivil.example', phone: '02 5550 2101' },
  { kind: 'business', displayName: 'Ironbark Homes', email: 'build@ironbark.example', phone: '02 5550 2102' },
  { kind: 'business', displayName: 'Saltbush Landscapes', email: 'yard@saltbush.example', phone: '02 5550 2103' },
  { kind: 'government', displayName: 'Georges Bay Council', email: 'works@georgesbay.example', phone: '02 5550 2104' },
  { kind: 'business', displayName: 'Banksia Property', email: 'desk@banksia.example', phone: '02 5550 2105' },
  { kind: 'individual', displayName: 'Priya Raman', email: 'priya@raman.example', phone: '0491 570 156' },
]

type Product = Pick<ProductInput, 'sku' | 'name' | 'kind' | 'unit' | 'priceCents'>
export const sisterProducts: readonly Product[] = [
  { sku: 'CLEAN-H', name: 'Site clean', kind: 'labour', unit: 'hour', priceCents: 6800 },
  { sku: 'SKIP-6', name: 'Skip bin, 6 m³', kind: 'hire', unit: 'week', priceCents: 42_000 },
  { sku: 'TOILET', name: 'Portable toilet', kind: 'hire', unit: 'week', priceCents: 5500 },
  { sku: 'GUARD-H', name: 'Site guard', kind: 'labour', unit: 'hour', priceCents: 5900 },
  { sku: 'DUMP', name: 'Tipping fee', kind: 'fee', unit: 'each', priceCents: 18_000 },
]

export interface Sale {
  kind: 'quote' | 'order' | 'invoice'
  hoursAgo: number
  title: string
  lines: { name: string; quantity: string; unit?: string; unitPriceCents: number }[]
  /** What has come in of an invoice; of an order, before there is one. */
  paidCents?: number
}
/** The newest numbers of money are the brand's, which takes them from its company. */
export const brandSales: readonly Sale[] = [
  {
    kind: 'quote',
    hoursAgo: 30,
    title: 'Marquee for a garden wedding',
    lines: [
      { name: 'Marquee, 6 × 12 m', quantity: '1', unitPriceCents: 184_000 },
      { name: 'Setting up and taking down', quantity: '6', unit: 'hour', unitPriceCents: 7800 },
    ],
  },
  {
    kind: 'order',
    hoursAgo: 20,
    title: 'Lights and flooring, school fete',
    lines: [{ name: 'Festoon lights', quantity: '8', unitPriceCents: 4200 }],
  },
  {
    kind: 'invoice',
    hoursAgo: 26,
    title: 'Marquee, street party',
    lines: [{ name: 'Marquee, 3 × 6 m', quantity: '2', unitPriceCents: 64_000 }],
  },
]
export const sisterSales: readonly Sale[] = [
  {
    kind: 'invoice',
    hoursAgo: 24 * 40,
    title: 'Site clean after handover',
    lines: [{ name: 'Site clean', quantity: '12', unit: 'hour', unitPriceCents: 6800 }],
    paidCents: 89_760,
  },
  {
    kind: 'invoice',
    hoursAgo: 24 * 16,
    title: 'Skip bins, March Street',
    lines: [{ name: 'Skip bin, 6 m³', quantity: '3', unit: 'week', unitPriceCents: 42_000 }],
    paidCents: 50_000,
  },
  {
    kind: 'quote',
    hoursAgo: 52,
    title: 'Portable toilets for a road closure',
    lines: [{ name: 'Portable toilet', quantity: '6', unit: 'week', unitPriceCents: 5500 }],
  },
  {
    kind: 'order',
    hoursAgo: 26,
    title: 'Night guard, Depot Road',
    lines: [{ name: 'Site guard', quantity: '40', unit: 'hour', unitPriceCents: 5900 }],
    paidCents: 80_000,
  },
]
