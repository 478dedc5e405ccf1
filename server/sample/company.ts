import type { CustomerInput } from '../../contract/customers.ts'
import type { ProductInput } from '../../contract/products.ts'

/** How it deals with its customers: good for any business that is to be looked at with sample data. */
export const habits = {
  defaultTermsDays: 14,
  defaultValidityDays: 30,
  defaultDepositRule: { type: 'percent', value: 3000 },
  quoteTerms:
    'Hire is charged by the week or part of a week, from delivery until we collect after your off-hire notice.\n' +
    'Installation needs clear access for a truck and level ground.\n' +
    'Council permits are charged at cost. Dates are confirmed when the deposit is paid.',
  invoiceNotes: 'Thank you for your business. Please quote the invoice number with your payment.',
  primaryColour: '#7367F0',
} as const

/**
 * The company everything in the sample belongs to: it hires out and installs hoardings, fencing and event equipment.
 */
export const company = {
  legalName: 'Currawong Hire & Install Pty Ltd',
  tradingName: 'Currawong Hire',
  abn: '91888222000',
  gstRegistered: true,
  email: 'hello@demo.example',
  phone: '02 5550 1820',
  website: 'https://currawong.example',
  address: { line1: '14 Foundry Lane', suburb: 'Marrickville', state: 'NSW', postcode: '2204' },
  bankAccount: {
    accountName: 'Currawong Hire & Install',
    bsb: '012-345',
    accountNumber: '123456789',
    payId: 'accounts@demo.example',
  },
  ...habits,
} as const

export const people = [
  ['admin', 'Ada', 'Okafor', 'Administrator'],
  ['office', 'Ollie', 'Marsh', 'Office'],
  ['sales', 'Saskia', 'Novak', 'Sales'],
  ['field', 'Finn', 'Taufa', 'Field'],
  ['accountant', 'Anh', 'Pham', 'Accountant'],
  ['readonly', 'Remy', 'Clarke', 'Read only'],
] as const
export type PersonKey = (typeof people)[number][0]

type Product = Pick<
  ProductInput,
  'sku' | 'name' | 'kind' | 'unit' | 'priceCents' | 'costCents' | 'gstCode' | 'description'
>
const product = (
  sku: string,
  name: string,
  kind: Product['kind'],
  unit: Product['unit'],
  priceCents: number,
  costCents: number,
  description: string,
  gstCode: Product['gstCode'] = 'GST',
): Product => ({ sku, name, kind, unit, priceCents, costCents, description, gstCode })

export const products: readonly Product[] = [
  product(
    'HOA-A',
    'Class A hoarding, installed',
    'service',
    'm',
    14_800,
    8900,
    'Plywood face 2.4 m high on timber frame, painted, installed and removed.',
  ),
  product(
    'HOA-B',
    'Class B overhead hoarding, installed',
    'service',
    'm',
    62_500,
    41_000,
    'Steel gantry with engineered deck and lighting, installed and removed.',
  ),
  product('HOA-HIRE', 'Hoarding hire, four weeks', 'hire', 'm', 4600, 1280, 'Each metre for four weeks.'),
  product('HOA-GATE', 'Vehicle gate in hoarding', 'goods', 'each', 68_000, 39_500, 'Double leaf, 6 m, with lock.'),
  product(
    'HOA-DOOR',
    'Pedestrian door in hoarding',
    'goods',
    'each',
    31_500,
    17_800,
    'Single leaf with closer and panic bar.',
  ),
  product('FEN-HIRE', 'Temporary fence hire', 'hire', 'panel_week', 420, 90, 'Panel 2.4 × 2.1 m with foot and clamp.'),
  product('FEN-INST', 'Fence delivery and installation', 'service', 'm', 950, 520, 'Delivered, stood and braced.'),
  product('FEN-SHADE', 'Shade cloth on fence', 'goods', 'm', 780, 410, 'Green or black, eyeleted.'),
  product(
    'BAR-WATER',
    'Water-filled barrier hire, four weeks',
    'hire',
    'each',
    9600,
    2600,
    'Each barrier two metres long, filled on site.',
  ),
  product('CRO-HIRE', 'Crowd barrier hire', 'hire', 'each', 900, 210, 'For up to three days.'),
  product('SCA-HIRE', 'Mobile scaffold hire', 'hire', 'week', 18_500, 5200, 'Working height to 5 m.'),
  product('MAR-66', 'Marquee 6 × 6 m', 'hire', 'each', 78_000, 24_000, 'Set up and taken down, with weights.'),
  product('MAR-126', 'Marquee 12 × 6 m', 'hire', 'each', 134_000, 43_000, 'Set up and taken down, with weights.'),
  product(
    'TAB-SET',
    'Trestle table with eight chairs',
    'hire',
    'each',
    5200,
    1300,
    'Delivered clean, collected as used.',
  ),
  product('LIG-FES', 'Festoon lighting', 'hire', 'm', 640, 160, 'Warm white, with cabling.'),
  product('PRI-GRA', 'Printed hoarding graphics', 'goods', 'm2', 6900, 3900, 'Printed on site vinyl, applied.'),
  product('SIG-SAFE', 'Site safety sign set', 'goods', 'each', 18_900, 9400, 'Six signs for one entrance.'),
  product('LAB-STD', 'Installer, ordinary hours', 'labour', 'hour', 8400, 4600, 'Monday to Friday, 6 am to 4 pm.'),
  product('LAB-NIGHT', 'Installer, night or weekend', 'labour', 'hour', 14_200, 8200, 'Outside ordinary hours.'),
  product(
    'DEL-METRO',
    'Delivery and collection, metropolitan',
    'service',
    'each',
    22_000,
    11_500,
    'Truck with crane, both ways.',
  ),
  product('DEL-REG', 'Delivery and collection, regional', 'service', 'km', 340, 190, 'From Marrickville and back.'),
  product(
    'PLA-TRAF',
    'Traffic and pedestrian plan',
    'service',
    'each',
    48_000,
    26_000,
    'Drawn to AS 1742.3 by a ticketed planner.',
  ),
  product('ENG-CERT', 'Engineer’s certificate', 'service', 'each', 89_000, 62_000, 'Design check and site inspection.'),
  product('PER-FEE', 'Council permit fee', 'fee', 'each', 31_200, 31_200, 'Charged at cost.', 'FREE'),
]

const place = (line1: string, suburb: string, postcode: string, state = 'NSW') =>
  ({ line1, suburb, state, postcode }) as NonNullable<CustomerInput['billingAddress']>
type Customer = Omit<CustomerInput, 'contacts' | 'sites' | 'language'> & {
  language?: CustomerInput['language']
  contact: string
  position?: string
  sites?: [name: string, line1: string, suburb: string, postcode: string][]
}

const business = (
  displayName: string,
  contact: string,
  position: string,
  mail: string,
  phone: string,
  address: Customer['billingAddress'],
  more: Partial<Customer> = {},
): Customer => ({
  kind: 'business',
  displayName,
  contact,
  position,
  email: mail,
  phone,
  billingAddress: address,
  ...more,
})

export const customers: readonly Customer[] = [
  business(
    'Ashgrove Building Co',
    'Marta Lindqvist',
    'Project manager',
    'marta@ashgrove.example',
    '02 5550 2210',
    place('88 Parramatta Road', 'Camperdown', '2050'),
    {
      abn: '53004085616',
      sites: [
        ['Wharf Street stage 2', '12 Wharf Street', 'Balmain', '2041'],
        ['Station Lane', '3 Station Lane', 'Newtown', '2042'],
      ],
    },
  ),
  business(
    'Bellweather Projects',
    'Dinesh Rao',
    'Director',
    'dinesh@bellweather.example',
    '02 5550 2334',
    place('5 Clarence Street', 'Sydney', '2000'),
    { sites: [['Clarence Street lobby', '5 Clarence Street', 'Sydney', '2000']], language: 'fr' },
  ),
  business(
    'Cormorant Constructions',
    'Leila Haddad',
    'Site manager',
    'leila@cormorant.example',
    '02 5550 2418',
    place('210 Botany Road', 'Alexandria', '2015'),
    { sites: [['Botany Road facade', '214 Botany Road', 'Alexandria', '2015']], paymentTermsDays: 30, language: 'ar' },
  ),
  business(
    'Dovetail Shopfitting',
    'Callum Reid',
    'Owner',
    'callum@dovetail.example',
    '02 5550 2502',
    place('27 Sydenham Road', 'Marrickville', '2204'),
    { sites: [['Westfield level 3', '159 Bondi Road', 'Bondi', '2026']] },
  ),
  business(
    'Eastbank Apartments',
    'Priya Nair',
    'Strata manager',
    'priya@eastbank.example',
    '02 5550 2677',
    place('60 Riverside Crescent', 'Rhodes', '2138'),
  ),
  business(
    'Fernhill Council Works',
    'Graham Oakes',
    'Works supervisor',
    'works@fernhill.example',
    '02 5550 2719',
    place('1 Civic Place', 'Fernhill', '2150'),
    { kind: 'government', sites: [['Library forecourt', '4 Civic Place', 'Fernhill', '2150']], paymentTermsDays: 30 },
  ),
  business(
    'Gumtree Festival',
    'Zoe Papadakis',
    'Producer',
    'zoe@gumtreefestival.example',
    '02 5550 2888',
    place('Unit 4, 9 Mary Street', 'Surry Hills', '2010'),
    { kind: 'charity', sites: [['Parkland stage', '50 Park Avenue', 'Centennial Park', '2021']] },
  ),
  business(
    'Harbourline Facades',
    'Tom Beresford',
    'Estimator',
    'tom@harbourline.example',
    '02 5550 2901',
    place('17 Cook Street', 'Kurnell', '2231'),
  ),
  business(
    'Inkwell Press',
    'Noor Aziz',
    'Facilities',
    'noor@inkwell.example',
    '02 5550 2955',
    place('33 Wyndham Street', 'Waterloo', '2017'),
  ),
  business(
    'Jacaranda Homes',
    'Ben Whitlock',
    'Builder',
    'ben@jacarandahomes.example',
    '02 5550 3012',
    place('71 Pacific Highway', 'Roseville', '2069'),
    {
      abn: '47555222000',
      sites: [
        ['Lot 14', '14 Cardinal Avenue', 'Roseville', '2069'],
        ['Lot 22', '22 Cardinal Avenue', 'Roseville', '2069'],
      ],
    },
  ),
  business(
    'Kestrel Property Group',
    'Annika Sato',
    'Development manager',
    'annika@kestrel.example',
    '02 5550 3140',
    place('Level 9, 100 Walker Street', 'North Sydney', '2060'),
    { sites: [['Walker Street tower', '100 Walker Street', 'North Sydney', '2060']], paymentTermsDays: 30 },
  ),
  business(
    'Lantern Lane Events',
    'Hugo Castel',
    'Event director',
    'hugo@lanternlane.example',
    '02 5550 3206',
    place('2 Lantern Lane', 'Chippendale', '2008'),
    { language: 'fr' },
  ),
  business(
    'Mulberry & Sons',
    'Edith Mulberry',
    'Partner',
    'edith@mulberry.example',
    '02 5550 3377',
    place('18 Addison Road', 'Manly', '2095'),
    { kind: 'partnership' },
  ),
  business(
    'Northpoint Engineering',
    'Rashid Karimi',
    'Engineer',
    'rashid@northpoint.example',
    '02 5550 3418',
    place('5 Chandos Street', 'St Leonards', '2065'),
    { language: 'ar' },
  ),
  business(
    'Opal Street School',
    'Jenny Cho',
    'Business manager',
    'office@opalstreet.example',
    '02 5550 3490',
    place('40 Opal Street', 'Lidcombe', '2141'),
    { kind: 'government' },
  ),
  business(
    'Pelican Bay Resort',
    'Oscar Lund',
    'Operations',
    'oscar@pelicanbay.example',
    '02 5550 3555',
    place('1 Shoreline Drive', 'Ettalong Beach', '2257'),
    { sites: [['Pool deck', '1 Shoreline Drive', 'Ettalong Beach', '2257']], language: 'fr' },
  ),
  business(
    'Quarryman Hotels',
    'Siobhan Daly',
    'Group manager',
    'siobhan@quarryman.example',
    '02 5550 3612',
    place('214 Harris Street', 'Pyrmont', '2009'),
    { kind: 'trust', sites: [['Beer garden', '214 Harris Street', 'Pyrmont', '2009']] },
  ),
  business(
    'Redgum Roofing',
    'Lachlan Perry',
    'Owner',
    'lachlan@redgum.example',
    '02 5550 3704',
    place('9 Bridge Road', 'Glebe', '2037'),
  ),
  business(
    'Saltbush Studios',
    'Mina Farouk',
    'Studio manager',
    'mina@saltbush.example',
    '02 5550 3799',
    place('101 Victoria Road', 'Rozelle', '2039'),
    { language: 'ar' },
  ),
  business(
    'Tidewater Strata',
    'Paul Nguyen',
    'Manager',
    'paul@tidewater.example',
    '02 5550 3850',
    place('12 Esplanade', 'Cronulla', '2230'),
  ),
  business(
    'Underhill Civil',
    'Freya Jorgensen',
    'Contracts',
    'freya@underhill.example',
    '02 5550 3918',
    place('60 Carnarvon Street', 'Silverwater', '2128'),
    { paymentTermsDays: 30 },
  ),
  business(
    'Verdant Landscapes',
    'Iain McBride',
    'Foreman',
    'iain@verdant.example',
    '02 5550 4021',
    place('33 Nursery Road', 'Dural', '2158'),
  ),
  business(
    'Wattle Theatre',
    'Clara Boyd',
    'Production manager',
    'clara@wattletheatre.example',
    '02 5550 4160',
    place('7 Belvoir Street', 'Surry Hills', '2010'),
    { kind: 'charity' },
  ),
  business(
    'Yarran Medical Centre',
    'Dr Sana Iqbal',
    'Practice owner',
    'reception@yarran.example',
    '02 5550 4277',
    place('155 Burwood Road', 'Burwood', '2134'),
  ),
  {
    kind: 'individual',
    displayName: 'Margaret Ellison',
    contact: 'Margaret Ellison',
    email: 'margaret.ellison@home.example',
    phone: '0491 570 156',
    billingAddress: place('9 Rosella Street', 'Gladesville', '2111'),
  },
  {
    kind: 'individual',
    displayName: 'Joao Ferreira',
    contact: 'Joao Ferreira',
    email: 'joao.ferreira@home.example',
    phone: '0491 570 157',
    billingAddress: place('41 Elswick Street', 'Petersham', '2049'),
  },
  {
    kind: 'individual',
    displayName: 'Amelia Tran',
    contact: 'Amelia Tran',
    email: 'amelia.tran@home.example',
    phone: '0491 570 158',
    billingAddress: place('2/17 Ocean Street', 'Woollahra', '2025'),
  },
  {
    kind: 'individual',
    displayName: 'Robert Kiely',
    contact: 'Robert Kiely',
    email: 'robert.kiely@home.example',
    phone: '0491 570 159',
    billingAddress: place('66 Galston Road', 'Hornsby', '2077'),
  },
]

type Job = { title: string; lines: [sku: string, low: number, high: number, mode?: 'optional' | 'alternative'][] }
/** What is asked for again and again: product and how much of it, from and to. */
export const jobs: readonly Job[] = [
  {
    title: 'Class A hoarding to street frontage',
    lines: [
      ['HOA-A', 12, 46],
      ['HOA-GATE', 1, 1],
      ['HOA-DOOR', 1, 2],
      ['DEL-METRO', 1, 2],
      ['PER-FEE', 1, 1],
      ['PRI-GRA', 20, 80, 'optional'],
    ],
  },
  {
    title: 'Overhead hoarding with pedestrian deck',
    lines: [
      ['HOA-B', 8, 24],
      ['ENG-CERT', 1, 1],
      ['PLA-TRAF', 1, 1],
      ['PER-FEE', 1, 2],
      ['LAB-NIGHT', 6, 24],
      ['LIG-FES', 10, 24, 'optional'],
    ],
  },
  {
    title: 'Site fencing, three months',
    lines: [
      ['FEN-INST', 30, 140],
      ['FEN-HIRE', 240, 900],
      ['DEL-METRO', 1, 1],
      ['FEN-SHADE', 30, 140, 'optional'],
    ],
  },
  {
    title: 'Shopfront hoarding with graphics',
    lines: [
      ['HOA-A', 6, 14],
      ['HOA-DOOR', 1, 1],
      ['PRI-GRA', 14, 34],
      ['LAB-NIGHT', 4, 10],
    ],
  },
  {
    title: 'Crowd barriers for open day',
    lines: [
      ['CRO-HIRE', 40, 160],
      ['DEL-METRO', 1, 2],
      ['LAB-STD', 4, 10],
    ],
  },
  {
    title: 'Marquees, tables and lights',
    lines: [
      ['MAR-66', 1, 3, 'alternative'],
      ['MAR-126', 1, 2, 'alternative'],
      ['TAB-SET', 6, 30],
      ['LIG-FES', 30, 120, 'optional'],
      ['DEL-METRO', 1, 1],
    ],
  },
  {
    title: 'Scaffold and access for repairs',
    lines: [
      ['SCA-HIRE', 2, 6],
      ['LAB-STD', 6, 20],
      ['DEL-METRO', 1, 1],
      ['SIG-SAFE', 1, 1, 'optional'],
    ],
  },
  {
    title: 'Water-filled barriers along the kerb',
    lines: [
      ['BAR-WATER', 20, 90],
      ['PLA-TRAF', 1, 1],
      ['DEL-METRO', 1, 2],
    ],
  },
  {
    title: 'Hoarding extension and hire',
    lines: [
      ['HOA-A', 4, 12],
      ['HOA-HIRE', 15, 65],
      ['LAB-STD', 4, 12],
    ],
  },
  {
    title: 'Fence relocation',
    lines: [
      ['LAB-STD', 6, 18],
      ['FEN-INST', 12, 40],
      ['DEL-REG', 40, 220],
    ],
  },
]
