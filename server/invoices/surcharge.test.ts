import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, startBusiness } from '../../test/support/factories.ts'
import type { DocumentProblem } from '../../contract/invoice-rules.ts'
import { surchargeSentence } from '../../contract/surcharge.ts'

let started: Awaited<ReturnType<typeof startBusiness>>
const clock = { at: new Date('2026-09-30T23:58:00+10:00') }
beforeAll(async () => void (started = await startBusiness({ now: () => clock.at })))
afterAll(() => started.app.stop())

interface Draft {
  invoice: { guid: string; version: number; status: string; problems: DocumentProblem[] }
}
const call = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  started.app.call<Draft>(started.actors.office, method, path, body)
const fence = { name: 'Fence', unitPriceCents: 10_000 }
const draft = async (facts: object) =>
  ok(await call('POST', '/Invoices', { customerGuid: started.customerGuid, title: 'Fence', ...facts }), 201).invoice
const issue = ({ guid, version }: { guid: string; version: number }) =>
  call('POST', `/Invoices/Issue/${guid}`, { version })
const problems = async (guid: string) => ok(await call('GET', `/Invoices/${guid}`)).invoice.problems

test('a surcharge for cards blocks issuing from 1 October 2026, in the zone of the business', async () => {
  const lines = [fence, { name: 'Card surcharge 1.5%', unitPriceCents: 150 }]
  const before = await draft({ lines })
  expect(await problems(before.guid)).toEqual([])
  const waiting = await draft({ lines })
  const noted = await draft({ lines: [fence], notes: 'A 1.5% surcharge applies to credit cards.' })
  expect(ok(await issue(before)).invoice.status).toBe('issued')
  clock.at = new Date('2026-10-01T00:01:00+10:00')
  const blocked = {
    ...{ code: 'CARD_SURCHARGE', message: surchargeSentence, blocks: true },
    lines: [{ index: 1, name: 'Card surcharge 1.5%' }],
  }
  expect(await problems(waiting.guid)).toEqual([blocked])
  const refused = await issue(waiting)
  expect([refused.status, refused.message, refused.errors]).toEqual([
    422,
    surchargeSentence,
    [{ path: 'lines.1.name', message: surchargeSentence }],
  ])
  const notes = await issue(noted)
  expect([notes.status, notes.errors]).toEqual([422, [{ path: 'notes', message: surchargeSentence }]])
})

test('Amex warns and is issued; a discount for a transfer says nothing', async () => {
  const amex = await draft({ lines: [fence, { name: 'Amex surcharge', unitPriceCents: 200 }] })
  expect((await problems(amex.guid)).map(({ code, blocks }) => [code, blocks])).toEqual([
    ['OTHER_CARD_SURCHARGE', false],
  ])
  expect(ok(await issue(amex)).invoice.status).toBe('issued')
  const lines = [fence, { kind: 'discount', name: 'No card fee: paid by transfer', unitPriceCents: 150 }]
  const cheap = await draft({ lines, notes: '1.5% discount for bank transfer instead of card.' })
  expect(await problems(cheap.guid)).toEqual([])
  expect(ok(await issue(cheap)).invoice.status).toBe('issued')
})
