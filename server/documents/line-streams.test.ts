import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aLine, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface Document {
  guid: string
  version: number
  serviceGuid: string
  lines: { guid: string; name: string; revenueStreamGuid: string | null }[]
}
type Named<N extends string> = Record<N, Document>

let app: Running
let people: Actors
let customerGuid: string
let streams: { guid: string; code: string }[]
let productGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
  streams = []
  for (const code of ['EVENT', 'HIRE', 'OLD'])
    streams.push(
      ok(await call<{ stream: { guid: string; code: string } }>('POST', '/RevenueStreams', { code, name: code }), 201)
        .stream,
    )
  const made = await call<{ product: { guid: string } }>('POST', '/Products', {
    name: 'Marquee',
    priceCents: 78_000,
    revenueStreamGuid: streamOf('EVENT'),
  })
  productGuid = ok(made, 201).product.guid
})
afterAll(() => app.stop())

const call = <D>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  app.call<D>(people.office, method, path, body)
const streamOf = (code: string) => streams.find((stream) => stream.code === code)?.guid ?? ''
const codesOf = ({ lines }: Pick<Document, 'lines'>) =>
  lines.map(({ revenueStreamGuid: guid }) => streams.find((stream) => stream.guid === guid)?.code ?? guid)
const send = (lines: object[]) => call<Named<'quote'>>('POST', '/Quotes', { customerGuid, title: 'Party', lines })
const change = ({ guid, version }: Document, lines: object[]) =>
  call<Named<'quote'>>('PATCH', `/Quotes/${guid}`, { version, lines })
const ofProduct = (more: object = {}) => ({ name: 'Marquee', productGuid, quantity: '1', kind: 'hire', ...more })

test('A line takes its product’s stream unless another or none is chosen, and a free line may have one', async () => {
  const lines = [
    ofProduct(),
    ofProduct({ revenueStreamGuid: streamOf('HIRE') }),
    ofProduct({ revenueStreamGuid: null }),
    aLine({ revenueStreamGuid: streamOf('HIRE') }),
    aLine(),
    { kind: 'section', name: 'Part', revenueStreamGuid: streamOf('HIRE') },
  ]
  expect(codesOf(ok(await send(lines), 201).quote)).toEqual(['EVENT', 'HIRE', null, 'HIRE', null, null])
})

test('What is not sent stays, also where the price is asked for again', async () => {
  const chosen = { revenueStreamGuid: streamOf('HIRE') }
  const { quote } = ok(await send([ofProduct(chosen), aLine(chosen)]), 201)
  const [first, second] = quote.lines
  const more = [ofProduct({ guid: first?.guid, quantity: '4' }), aLine({ guid: second?.guid, unitPriceCents: 99 })]
  const after = ok(await change(quote, more)).quote
  expect(codesOf(after)).toEqual(['HIRE', 'HIRE'])
  const none = [ofProduct({ guid: first?.guid, revenueStreamGuid: null }), aLine({ guid: second?.guid })]
  expect(codesOf(ok(await change(after, none)).quote)).toEqual([null, 'HIRE'])
})

test('Only streams in use can be chosen; one that was put away stays where it is', async () => {
  const unknown = await send([aLine(), aLine({ revenueStreamGuid: productGuid })])
  expect(unknown.errors).toEqual([{ path: 'lines.1.revenueStreamGuid', message: 'Choose a revenue stream.' }])
  const old = { revenueStreamGuid: streamOf('OLD') }
  const { quote } = ok(await send([aLine(old)]), 201)
  ok(await call('DELETE', `/RevenueStreams/${streamOf('OLD')}`))
  expect((await send([aLine(old)])).errors[0]?.path).toBe('lines.0.revenueStreamGuid')
  const kept = ok(await change(quote, [aLine({ guid: quote.lines[0]?.guid, name: 'Renamed', ...old })])).quote
  expect(codesOf(kept)).toEqual(['OLD'])
})

test('A revision, the order and the invoice keep it, and the customer is told nothing of it', async () => {
  const { quote: draft } = ok(await send([ofProduct({ revenueStreamGuid: streamOf('HIRE') }), aLine()]), 201)
  const { guid, version } = draft
  const sent = ok(await call<Named<'quote'>>('POST', `/Quotes/Send/${guid}`, { version })).quote
  const page = await app.call<object>(people.guest, 'GET', `/Service/Quotes/${sent.serviceGuid}`)
  expect(page.status).toBe(200)
  expect(JSON.stringify(page.data)).not.toMatch(/revenueStream/i)
  const revised = ok(await call<Named<'quote'>>('POST', `/Quotes/Revise/${guid}`, { version: sent.version }), 201).quote
  expect(codesOf(revised)).toEqual(['HIRE', null])
  const again = ok(
    await call<Named<'quote'>>('POST', `/Quotes/Send/${revised.guid}`, { version: revised.version }),
  ).quote
  const taken = { version: again.version, name: 'Anna', method: 'phone' }
  const accepted = await call<{ order: { guid: string } }>('POST', `/Quotes/Accept/${again.guid}`, taken)
  const orderGuid = ok(accepted).order.guid
  const order = ok(await call<Named<'order'>>('GET', `/Orders/${orderGuid}`)).order
  expect(codesOf(order)).toEqual(['HIRE', null])
  const billed = await call<Named<'invoice'>>('POST', `/Orders/Invoice/${orderGuid}`, {
    version: order.version,
    kind: 'final',
  })
  const invoice = await call<Named<'invoice'>>('GET', `/Invoices/${ok(billed, 201).invoice.guid}`)
  expect(codesOf(ok(invoice).invoice)).toEqual(['HIRE', null])
})
