// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { serviceApi } from '../../contract/service.ts'
import { service } from '../portal/portal.service.ts'
import { quotes } from '../quotes/quotes.service.ts'
import { guest, play } from './actors.ts'
import type { Deal, World } from './deals.ts'

export type Negotiation = 'settled' | 'asking' | 'ranged' | 'expired' | 'lost'
/** Who talks about what, by place in the list of customers. */
const whose: Record<Negotiation, [customer: number, title: string]> = {
  settled: [8, 'Hoarding along the station forecourt'],
  asking: [9, 'Hoarding and gate for the library'],
  ranged: [10, 'Hoarding for a shop front'],
  expired: [11, 'Hoarding at the old brewery'],
  lost: [12, 'Hoarding for a rooftop'],
}
const lostNotes = {
  price: 'Two others were cheaper.',
  timing: 'They start in March instead.',
  other: 'The building was sold.',
} as const
export type LostReason = keyof typeof lostNotes
const hour = 1
const day = 24

/** How a line of a product begins. */
function lineOf({ products }: World, sku: string, quantity: string, more: Record<string, unknown> = {}) {
  const product = products.get(sku)
  if (!product) throw new Error(`no product ${sku}`)
  const { guid, name, description, unit } = product
  return { productGuid: guid, name, description, unit, quantity, ...more }
}

const read = async ({ deps, crew }: World, at: Date, guid: string) =>
  (await play({ at, by: crew.office, deps }, quotesApi.get, quotes.get, { guid })).quote

/** A draft that is sent in the same hour. */
async function sent(world: World, at: Date, kind: Negotiation): Promise<Quote> {
  const { deps, crew, customers } = world
  const [index, title] = whose[kind]
  const stage = { at, by: crew.sales, deps }
  const customer = customers[index % customers.length]
  const range = { quantityMin: '10', quantityMax: '24', quantityStep: '0.5' }
  const { quote } = await play(stage, quotesApi.create, quotes.create, {
    customerGuid: customer?.guid,
    contactGuid: customer?.contactGuid,
    title,
    depositRule: { type: 'percent', value: 3000 },
    lines: [
      lineOf(world, 'HOA-A', '18', kind === 'ranged' ? range : {}),
      lineOf(world, 'HOA-GATE', '1'),
      lineOf(world, 'HOA-DOOR', '2'),
    ],
  })
  return (await play(stage, quotesApi.send, quotes.send, { guid: quote.guid, version: quote.version })).quote
}

type AskOf = (line: (index: number) => string | undefined) => Record<string, unknown>[]

/** The customer looks at the page and asks. */
async function asks(world: World, at: Date, { guid, serviceGuid, lines }: Quote, make: AskOf) {
  const stage = { at, by: guest(serviceGuid ?? ''), deps: world.deps }
  await play(stage, serviceApi.viewed, service.viewed, { guid: serviceGuid })
  const { quote } = await play(stage, serviceApi.quote, service.quote, { guid: serviceGuid })
  const { documentSha256 } = quote
  await play(stage, serviceApi.asks, service.asks, {
    guid: serviceGuid,
    documentSha256,
    asks: make((index) => lines[index]?.guid),
  })
  return read(world, at, guid)
}

type AnswerOf = (kind: string) => Record<string, unknown>
const answered = ({ deps, crew }: World, at: Date, quote: Quote, make: AnswerOf, then = 'nothing') => {
  const open = quote.asks.filter(({ answer, revision }) => answer === null && revision === quote.revision)
  return play({ at, by: crew.office, deps }, quotesApi.answer, quotes.answer, {
    guid: quote.guid,
    version: quote.version,
    answers: open.map(({ guid: askGuid, kind }) => ({ askGuid, ...make(kind) })),
    then,
  })
}

/** A quote that is talked about: with every answer, open, within a range, too late, and for nothing. */
export async function* negotiation(world: World, kind: Negotiation, reason: LostReason = 'other'): Deal {
  const { deps, crew } = world
  let at = yield 0
  let quote = await sent(world, at, kind)
  if (kind === 'ranged') return
  at = yield 5 * hour
  if (kind === 'lost') {
    await play({ at, by: crew.office, deps }, quotesApi.decline, quotes.decline, {
      guid: quote.guid,
      version: quote.version,
      reasonCode: reason,
      note: lostNotes[reason],
    })
    return
  }
  if (kind === 'expired') {
    const talked = await asks(world, at, quote, (line) => [
      { kind: 'comment', text: 'Can you store our signs until the start?' },
      { kind: 'comment', lineGuid: line(1), text: 'Does the gate open inwards?' },
    ])
    at = yield 3 * hour
    await answered(world, at, talked, () => ({ outcome: 'agreed', text: 'Yes, at no cost.' }))
    at = yield 20 * day
    await asks(world, at, quote, () => [{ kind: 'comment', text: 'We are still waiting for the council.' }])
    return
  }
  quote = await asks(world, at, quote, (line) => [
    { kind: 'quantity', lineGuid: line(0), quantity: '26', text: 'The corner belongs to us as well.' },
    { kind: 'drop', lineGuid: line(1), text: 'We have a gate.' },
    { kind: 'comment', lineGuid: line(2), text: 'Do both doors lock with one key?' },
  ])
  if (kind === 'asking') return
  at = yield 4 * hour
  const offer = { outcome: 'countered', quantity: '24', text: 'Two metres are the neighbour’s.' }
  const first = await answered(
    world,
    at,
    quote,
    (asked) =>
      asked === 'comment'
        ? { outcome: 'agreed', text: 'Yes, with one key.' }
        : asked === 'drop'
          ? { outcome: 'declined', text: 'The council asks for ours.' }
          : offer,
    'send',
  )
  if (!first.revision) throw new Error('no revision was made')
  at = yield day
  await asks(world, at, first.revision, (line) => [{ kind: 'drop', lineGuid: line(1) }])
  at = yield hour
  // A second request of the line takes the first one back.
  quote = await asks(world, at, first.revision, (line) => [
    { kind: 'quantity', lineGuid: line(2), quantity: '3', text: 'One more at the back, please.' },
    { kind: 'quantity', lineGuid: line(1), quantity: '2' },
  ])
  at = yield 3 * hour
  const second = await answered(world, at, quote, () => ({ outcome: 'agreed' }), 'send')
  if (!second.revision) throw new Error('no second revision was made')
  at = yield 2 * hour
  await play({ at, by: guest(second.revision.serviceGuid ?? ''), deps }, serviceApi.viewed, service.viewed, {
    guid: second.revision.serviceGuid,
  })
}
