import { randomUUID } from 'node:crypto'
import { type Attachment, type AttachmentNoun, filesApi } from '../../contract/files.ts'
import { productsApi } from '../../contract/products.ts'
import { files } from '../files/files.service.ts'
import { products as productsService } from '../products/products.service.ts'
import { play, type Crew, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'
import { docx, pdf, photo, type Scene, xlsx } from './papers.ts'

const fine: Scene = { sky: '#9cc9f0', ground: '#9a8b6a', fence: '#c8ced6', panels: 0 }
const dull: Scene = { sky: '#b9c2cc', ground: '#7d7a6d', fence: '#aeb6bf', panels: 0 }
const evening: Scene = { sky: '#f0b08a', ground: '#6f6a58', fence: '#d6c7b2', panels: 0 }

type Kind = 'Orders' | 'Sites' | 'Quotes' | 'Products'
interface Sample {
  /** Which of the records of its kind it hangs on. */
  on: readonly [Kind, number]
  name: string
  make: () => Buffer | Promise<Buffer>
  by?: 'field'
  place?: string
  caption?: string
  forCustomer?: true
  /** What became of it. */
  fate?: 'detached' | 'waiting' | 'infected'
}

const shot = (scene: Scene, panels: number, more: Partial<Scene> = {}) => ({
  make: () => photo({ ...scene, panels, ...more }),
  by: 'field' as const,
})
const pair = (order: number, scene: Scene, after: string, more: Partial<Sample> = {}): Sample[] => [
  { on: ['Orders', order], name: `before-${order + 1}.jpg`, ...shot(scene, 0), place: 'before', caption: 'On arrival' },
  { on: ['Orders', order], name: `after-${order + 1}.jpg`, ...shot(scene, 9), place: 'after', caption: after, ...more },
]
const paper = (...lines: string[]) => ({ make: () => pdf(lines) })
/** As long as a name can be. */
const corner = 'Corner of the site beside the neighbour at number 14 where the ground falls away '
const longName = `${corner.repeat(3).slice(0, 196)}.jpg`

/** Thirty files: what people take pictures of and keep beside their work. */
const samples: readonly Sample[] = [
  ...pair(0, fine, 'Fence finished, gate locked', { forCustomer: true }),
  ...pair(1, dull, 'Hoarding up to the corner', { forCustomer: true }),
  ...pair(2, evening, 'All panels braced'),
  ...pair(3, fine, 'Ready for handover'),
  {
    on: ['Orders', 4],
    name: 'street-front.jpg',
    ...shot(fine, 10, { width: 2400, height: 600 }),
    caption: 'The whole street front',
    forCustomer: true,
  },
  { on: ['Orders', 5], name: longName, ...shot(dull, 4) },
  { on: ['Orders', 6], name: 'footing.jpg', ...shot(dull, 2), caption: 'Footing at the driveway' },
  { on: ['Orders', 6], name: 'blurred.jpg', ...shot(evening, 1), fate: 'detached' },
  { on: ['Orders', 6], name: 'permit.pdf', ...paper('Road occupancy permit', 'Valid Monday to Friday, 7 am to 3 pm') },
  { on: ['Orders', 7], name: 'delivery docket.pdf', ...paper('Delivery docket', '24 panels, 24 feet, 23 clamps') },
  {
    on: ['Orders', 7],
    name: 'method statement.docx',
    make: () =>
      docx(['Safe work method statement', 'Two people lift each panel.', 'Clamps are tightened before braces.']),
    fate: 'infected',
  },
  {
    on: ['Orders', 8],
    name: 'panel count.csv',
    make: () => Buffer.from('day,panels,feet\nMonday,24,24\nTuesday,18,18\nWednesday,12,13\n'),
  },
  { on: ['Orders', 8], name: 'gate code.txt', make: () => Buffer.from('Ask at the site office for the gate code.\n') },
  { on: ['Sites', 0], name: 'entrance.jpg', ...shot(fine, 1), caption: 'Trucks come in here' },
  { on: ['Sites', 0], name: 'access.txt', make: () => Buffer.from('Low branches over the lane: 3.4 m.\n') },
  { on: ['Sites', 1], name: 'slope.jpg', ...shot(dull, 3) },
  {
    on: ['Sites', 1],
    name: 'site plan.pdf',
    ...paper('Site plan', 'North is up. The crane stands in the south-east.'),
  },
  { on: ['Sites', 2], name: 'parking.jpg', ...shot(evening, 0) },
  { on: ['Sites', 3], name: 'yard.jpg', ...shot(fine, 5) },
  { on: ['Quotes', 0], name: 'layout.pdf', ...paper('Layout of the fence', '36 m in 15 panels'), forCustomer: true },
  {
    on: ['Quotes', 0],
    name: 'measurements.xlsx',
    make: () =>
      xlsx([
        ['Side', 'Metres'],
        ['North', '12.0'],
        ['East', '24.0'],
      ]),
  },
  { on: ['Quotes', 1], name: 'brochure.pdf', ...paper('Hoarding in three heights'), forCustomer: true },
  {
    on: ['Quotes', 1],
    name: 'hire days.xlsx',
    make: () =>
      xlsx([
        ['Week', 'Days'],
        ['1', '5'],
        ['2', '7'],
      ]),
  },
  { on: ['Quotes', 2], name: 'from the customer.pdf', ...paper('Please keep the footpath open.'), fate: 'waiting' },
  { on: ['Products', 0], name: 'panel.jpg', ...shot(fine, 1), caption: 'Standard panel' },
  { on: ['Products', 1], name: 'panels.jpg', ...shot(evening, 6) },
]

/** Pictures of products, by their codes; the first of each stands in lists. */
const pictures: readonly { sku: string; scene: Scene; alt: string }[] = [
  { sku: 'MAR-66', scene: { ...fine, fence: '#f4f6f8', panels: 4 }, alt: 'White marquee on a lawn' },
  { sku: 'MAR-66', scene: { ...evening, fence: '#f4e7d8', panels: 4 }, alt: 'The marquee at dusk' },
  { sku: 'HOA-A', scene: { ...dull, fence: '#8fae9b', panels: 9 }, alt: 'Painted hoarding along a footpath' },
  { sku: 'FEN-HIRE', scene: { ...fine, panels: 7 }, alt: 'Fence panels on feet with clamps' },
]

const tables = { Orders: 'orders', Sites: 'sites', Quotes: 'quotes', Products: 'products' } as const
const wanted: Record<Kind, number> = { Orders: 9, Sites: 4, Quotes: 3, Products: 2 }

/** The newest records of each kind; of quotes those that customers have in hand. */
async function recordsOf({ deps: { db } }: Stage, kind: Kind): Promise<string[]> {
  const all = db.selectFrom(tables[kind] as 'quotes').select('guid')
  const some = kind === 'Quotes' ? all.where('status', '=', 'sent') : all
  const found = await some
    .orderBy(kind === 'Sites' ? 'guid' : 'createdAt', 'desc')
    .limit(wanted[kind])
    .execute()
  return found.map(({ guid }) => guid)
}

/** Photos and papers on the newest work, sent and attached as people do it. */
export async function makeFiles(stage: Stage, crew: Crew): Promise<void> {
  const records = new Map<Kind, string[]>()
  for (const kind of Object.keys(wanted) as Kind[]) records.set(kind, await recordsOf(stage, kind))
  for (const { on, name, make, by = 'office', fate, ...facts } of samples) {
    const [noun, index] = on
    const ownerGuid = records.get(noun)?.[index]
    if (ownerGuid) await hang({ ...stage, by: crew[by] }, [noun, ownerGuid], { name, bytes: await make(), fate }, facts)
  }
}

/** Pictures that the office took of what it hires out. */
export async function makePictures(stage: Stage, products: Ground['products']): Promise<void> {
  for (const { sku, scene, alt } of pictures) {
    const { fileGuid } = await send(stage, `${sku.toLowerCase()}.jpg`, await photo(scene))
    const guid = products.get(sku)?.guid
    if (guid) await play(stage, productsApi.addImages, productsService.addImages, { guid, images: [{ fileGuid, alt }] })
  }
}

async function send(stage: Stage, name: string, bytes: Buffer) {
  const sent = await play(stage, filesApi.create, files.create, {
    clientKey: randomUUID(),
    fileName: name,
    bytes: bytes.length,
    base64: bytes.toString('base64'),
    takenAt: new Date(stage.at.getTime() - 3_600_000).toISOString(),
  })
  if (!('file' in sent) || !sent.file) throw new Error(`${name} was not received`)
  return { fileGuid: sent.file.guid, sha256: sent.file.sha256 }
}

async function hang(
  stage: Stage,
  [noun, ownerGuid]: readonly [AttachmentNoun, string],
  { name, bytes, fate }: { name: string; bytes: Buffer; fate: Sample['fate'] },
  facts: Partial<Attachment>,
) {
  const { deps } = stage
  const { fileGuid, sha256 } = await send(stage, name, bytes)
  const input = { noun, ownerGuid, items: [{ fileGuid, ...facts }] }
  const { attachments } = await play(stage, filesApi.attach, files.attach, input)
  if (fate === 'detached')
    await deps.db
      .updateTable('attachments')
      .set({ detachedAt: stage.at, version: 2 })
      .where('guid', '=', attachments[0]?.guid ?? '')
      .execute()
  // Nothing of the sample is a virus: this one only says so, and its bytes are gone as they would be.
  if (fate === 'infected') await deps.files.remove(sha256)
  if (fate === 'infected' || fate === 'waiting')
    await deps.db.updateTable('files').set({ scan: fate }).where('guid', '=', fileGuid).execute()
}
