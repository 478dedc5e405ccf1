import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Quote } from '../../contract/quotes.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aLine, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

let app: Running
let people: Actors
let customerGuid: string
let bundle: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  const part = await product('Trestle table', 2_000)
  const items = [{ productGuid: part, quantity: '8' }]
  bundle = await product('Table setting', 15_000, { kind: 'bundle', bundle: { mode: 'fixed', showParts: true, items } })
})
afterAll(() => app.stop())

const product = async (name: string, priceCents: number, more: object = {}) => {
  const given = { name, priceCents, ...more }
  return ok(await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', given), 201).product.guid
}
const deed = async (name: string, { guid, version }: Pick<Quote, 'guid' | 'version'>) =>
  ok(await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/${name}/${guid}`, { version })).quote
const copy = async (name: 'Duplicate' | 'Revise', { guid, version }: Pick<Quote, 'guid' | 'version'>) => {
  const sent = name === 'Revise' ? { version } : {}
  return ok(await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/${name}/${guid}`, sent), 201).quote
}
const change = async ({ guid, version }: Quote, lines: readonly object[]) =>
  ok(await app.call<{ quote: Quote }>(people.office, 'PATCH', `/Quotes/${guid}`, { version, lines })).quote
const stored = async ({ guid }: Pick<Quote, 'guid'>) =>
  app.deps.db
    .selectFrom('quoteLines')
    .select(['guid', 'name', 'originLineGuid'])
    .where('quoteGuid', '=', guid)
    .orderBy('position')
    .execute()
/** By name, the line that a line has come from; its own where it began itself. */
const originsOf = async (quote: Pick<Quote, 'guid'>) =>
  Object.fromEntries((await stored(quote)).map((line) => [line.name, line.originLineGuid ?? line.guid]))
/** As an editor sends lines back: those below others are never sent. */
const sentBack = (quote: Quote) =>
  quote.lines
    .filter(({ parentLineGuid }) => parentLineGuid === null)
    .map(({ guid, kind, productGuid, name, quantity, unit, unitPriceCents, gstCode }) => ({
      ...{ guid, kind, productGuid, name, quantity, unit, unitPriceCents, gstCode },
    }))
const offered = () =>
  aSentQuote(app, people.office, customerGuid, {
    lines: [aLine({ name: 'Fence' }), aLine({ name: 'Gate' }), { name: 'Tables', productGuid: bundle, quantity: '2' }],
  })

test('a line knows the one it began as through every revision and every saving, with those below it', async () => {
  const first = await offered()
  expect((await stored(first)).map(({ originLineGuid }) => originLineGuid)).toEqual([null, null, null, null])
  const began = await originsOf(first)
  expect(Object.keys(began)).toEqual(['Fence', 'Gate', 'Tables', '8 × Trestle table'])

  const second = await copy('Revise', first)
  expect(await originsOf(second)).toEqual(began)
  expect(second.lines.map(({ guid }) => guid)).not.toContain(began['Fence'])
  const [fence, , tables] = sentBack(second)
  const changed = await change(second, [{ ...tables, quantity: '3' }, aLine({ name: 'Lights' }), fence ?? {}])
  const { Gate: _gone, ...kept } = began
  const lights = (await stored(changed)).find(({ name }) => name === 'Lights')
  expect(lights?.originLineGuid).toBeNull()
  expect(await originsOf(changed)).toEqual({ ...kept, Lights: lights?.guid })

  const sent = await deed('Send', changed)
  const third = await copy('Revise', sent)
  expect(await originsOf(third)).toEqual({ ...kept, Lights: lights?.guid })
})

test('a duplicate begins anew, also of a revision, and an order is made of what has come from others', async () => {
  const revision = await copy('Revise', await offered())
  const other = await copy('Duplicate', revision)
  expect((await stored(other)).map(({ originLineGuid }) => originLineGuid)).toEqual([null, null, null, null])

  const sent = await deed('Send', revision)
  const accepted = ok(
    await app.call<{ quote: Quote }>(people.office, 'POST', `/Quotes/Accept/${sent.guid}`, {
      ...{ version: sent.version, method: 'phone', name: 'Anna' },
    }),
  ).quote
  const before = await originsOf(revision)
  expect(await originsOf(accepted)).toEqual(before)
  const lines = await app.deps.db
    .selectFrom('orderLines as l')
    .innerJoin('orders as o', 'o.guid', 'l.orderGuid')
    .select(['l.name', 'l.sourceLineGuid'])
    .where('o.quoteGuid', '=', sent.guid)
    .execute()
  expect(new Set(lines.map(({ sourceLineGuid }) => sourceLineGuid))).toEqual(
    new Set((await stored(accepted)).map(({ guid }) => guid)),
  )
})
