import type { ProductInput } from '../../contract/products.ts'

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
  product('CRO-HIRE', 'Crowd barrier hire', 'hire', 'each', 900, 210, 'Steel, 2.2 m long, delivered in stacks.'),
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

type Job = {
  title: string
  /** By name. */
  jobType?: string
  lines: [sku: string, low: number, high: number, mode?: 'optional' | 'alternative'][]
}
/** What is asked for again and again: product and how much of it, from and to. */
export const jobs: readonly Job[] = [
  {
    title: 'Class A hoarding to street frontage',
    jobType: 'Hoarding installation',
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
    jobType: 'Hoarding installation',
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
    jobType: 'Fence hire',
    lines: [
      ['FEN-INST', 30, 140],
      ['FEN-HIRE', 240, 900],
      ['DEL-METRO', 1, 1],
      ['FEN-SHADE', 30, 140, 'optional'],
    ],
  },
  {
    title: 'Shopfront hoarding with graphics',
    jobType: 'Hoarding installation',
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
    jobType: 'Event set-up',
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
    jobType: 'Hoarding installation',
    lines: [
      ['HOA-A', 4, 12],
      ['HOA-HIRE', 15, 65],
      ['LAB-STD', 4, 12],
    ],
  },
  {
    title: 'Fence relocation',
    jobType: 'Fence hire',
    lines: [
      ['LAB-STD', 6, 18],
      ['FEN-INST', 12, 40],
      ['DEL-REG', 40, 220],
    ],
  },
]

/** The guids of the kinds of jobs there are, by name. */
export interface Kinds {
  jobTypes: ReadonlyMap<string, string>
}
/** What a job is called, and of which kind it is. */
export const about = ({ title, jobType = '' }: Job, { jobTypes }: Kinds) => ({
  title,
  jobTypeGuid: jobTypes.get(jobType) ?? null,
})
