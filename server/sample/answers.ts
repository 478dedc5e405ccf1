import { randomUUID } from 'node:crypto'
import type { OptionAnswer } from '../../contract/booking-options.ts'
import { filesApi } from '../../contract/files.ts'
import { ordersApi } from '../../contract/orders.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { files } from '../files/files.service.ts'
import { orders } from '../orders/orders.service.ts'
import { quotes } from '../quotes/quotes.service.ts'
import { play, type Stage } from './actors.ts'
import type { Ground } from './deals.ts'
import { pdf } from './papers.ts'

/** Whoever asks for a marquee: one decides, one has the quote, one has ordered, one wants a larger one. */
const [deciding, quoted, ordered, larger] = [1, 3, 5, 7] as const

const answer = (option: string, value: OptionAnswer['value']): OptionAnswer => ({ option, value })
const marquee = (setUpDay: string) => [
  answer('surface', { code: 'hard' }),
  answer('walls', { codes: ['clear', 'door'] }),
  answer('lights', { isYes: true }),
  answer('heaters', { quantity: '3' }),
  answer('set-up-day', { day: setUpDay }),
]
const address = { line1: '14 Foreshore Drive', line2: null, suburb: 'Manly', state: 'NSW', postcode: '2095' } as const

/** Marquees whose questions were answered: on drafts, on a quote that was sent, and on an order, with every input. */
export async function makeAnswers(
  stage: Stage,
  { customers, products, crew }: Ground,
  setUpDay: string,
): Promise<void> {
  const line = (sku: string, answers: OptionAnswer[], quantity = '1') => {
    const { guid, name, description = null } = products.get(sku) ?? {}
    return { kind: 'hire' as const, productGuid: guid, name, description, quantity, answers }
  }
  const head = (index: number, title: string) => ({
    customerGuid: customers[index]?.guid,
    contactGuid: customers[index]?.contactGuid,
    title,
  })
  const bytes = pdf(['Banner above the entrance', 'Full size, with 10 mm bleed'])
  const { file } = await play(stage, filesApi.create, files.create, {
    clientKey: randomUUID(),
    fileName: 'entrance-banner.pdf',
    bytes: bytes.length,
    base64: bytes.toString('base64'),
  })
  const whole = [
    ...marquee(setUpDay),
    answer('ready-by', { time: '15:30' }),
    answer('delivery-address', { address }),
    answer('access-notes', { text: 'Side gate is 2.4 m wide. Low branches over the drive.' }),
    ...(file ? [answer('artwork', { fileGuid: file.guid })] : []),
  ]
  const sales = { ...stage, by: crew.sales }
  await play(sales, quotesApi.create, quotes.create, {
    ...head(deciding, 'Marquee for a fiftieth birthday'),
    lines: [line('MAR-66', [answer('walls', { codes: ['solid'] })])],
  })
  const { quote } = await play(stage, quotesApi.create, quotes.create, {
    ...head(quoted, 'Marquees for the harbour regatta'),
    lines: [line('MAR-66', whole, '2'), line('TAB-SET', [answer('access-notes', { text: 'Lift to level 2.' })], '10')],
  })
  await play(stage, quotesApi.send, quotes.send, { guid: quote.guid, version: quote.version })
  await play(stage, ordersApi.create, orders.create, {
    ...head(ordered, 'Marquee for the winter market'),
    lines: [line('MAR-66', whole)],
  })
  // A favour: hardly more than they cost us.
  await play(stage, quotesApi.create, quotes.create, {
    ...head(quoted, 'Tables for the school fair, nearly at cost'),
    lines: [{ ...line('TAB-SET', [], '20'), unitPriceCents: 1400 }],
  })
  await play(sales, quotesApi.create, quotes.create, {
    ...head(larger, 'Large marquee on grass'),
    lines: [
      line('MAR-126', [
        answer('surface', { code: 'grass' }),
        answer('walls', { codes: ['clear', 'solid'] }),
        answer('lights', { isYes: false }),
        answer('heaters', { quantity: '2' }),
      ]),
    ],
  })
}
