import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import { many, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { type Caller, keyed } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

let p: Paying
beforeAll(async () => {
  p = await startPaying()
})
afterAll(() => p.stop())

const lines = [
  { name: 'Hoarding', unitPriceCents: 100_000 },
  { name: 'Permit', unitPriceCents: 50_000, gstCode: 'FREE' },
]
/** $1,100.00 with GST and $500.00 without. */
async function mixed() {
  const body = { customerGuid: p.customer.guid, title: 'Hoarding', lines }
  const { invoice } = ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', '/Invoices', body), 201)
  const path = `/Invoices/Issue/${invoice.guid}`
  return ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', path, { version: invoice.version })).invoice
}
const credit = (invoiceGuid: string, given: object[], who: Caller = p.actors.office) =>
  p.app.call<{ invoice: Invoice }>(
    who,
    'POST',
    '/Invoices/Notes',
    { invoiceGuid, lines: given.map((line) => ({ text: 'As agreed', ...line })), reason: 'Less was built' },
    keyed(),
  )
const shown = async (guid: string) =>
  ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'GET', `/Invoices/${guid}`)).invoice
const left = async (guid: string) =>
  ok(await p.app.call<{ parts: object[]; balanceCents: number }>(p.actors.office, 'GET', `/Invoices/Notes/${guid}`))

test('a note by line takes its GST of each kind, and lessens what is owing', async () => {
  const { guid } = await mixed()
  expect(await left(guid)).toEqual({
    parts: [
      { gstCode: 'GST', cents: 110_000, gstCents: 10_000 },
      { gstCode: 'FREE', cents: 50_000, gstCents: 0 },
    ],
    balanceCents: 160_000,
  })
  const note = ok(
    await credit(guid, [
      { gstCode: 'GST', cents: 66_000, text: 'Two panels fewer' },
      { gstCode: 'FREE', cents: 20_000 },
    ]),
    201,
  ).invoice
  expect(note).toMatchObject({
    kind: 'adjustment_note',
    status: 'issued',
    totals: { totalCents: 86_000, gstCents: 6000 },
    adjustmentReason: 'Less was built',
    related: { adjusts: { guid } },
  })
  expect(note.lines.map((line) => [line.name, line.gstCode, line.gstCents, line.totalCents])).toEqual([
    ['Two panels fewer', 'GST', 6000, 66_000],
    ['As agreed', 'FREE', 0, 20_000],
  ])
  expect(await shown(guid)).toMatchObject({ creditedCents: 86_000, balanceCents: 74_000, displayStatus: 'sent' })
  const posted = await p.rows<{ account: string; cents: number }>(
    `select l.account, sum(l.debit_cents - l.credit_cents)::int as cents from journal_entries e
      join journal_lines l on l.entry_guid = e.guid where e.source_guid = $1 group by 1 order by 1`,
    [note.guid],
  )
  expect(posted).toEqual([
    { account: '1100', cents: -86_000 },
    { account: '2100', cents: 6000 },
    { account: '4000', cents: 80_000 },
  ])
})

test('never more of a kind than is left of it, nor more than is owing', async () => {
  const { guid } = await mixed()
  ok(await credit(guid, [{ gstCode: 'FREE', cents: 38_000 }]), 201)
  expect((await credit(guid, [{ gstCode: 'FREE', cents: 12_001 }])).errors).toEqual([
    { path: 'lines.0.cents', message: 'Only $120.00 of the GST-free part can still be credited.' },
  ])
  const twice = [
    { gstCode: 'FREE', cents: 10_000 },
    { gstCode: 'FREE', cents: 2001 },
  ]
  expect((await credit(guid, twice)).errors[0]).toEqual({
    path: 'lines.1.cents',
    message: 'Only $20.00 of the GST-free part can still be credited.',
  })
  expect((await credit(guid, [{ gstCode: 'EXPORT', cents: 1 }])).errors[0]?.path).toBe('lines.0.cents')
  ok(await p.byHand({ amountCents: 100_000, allocations: [{ invoiceGuid: guid, cents: 100_000 }] }), 201)
  expect((await credit(guid, [{ gstCode: 'GST', cents: 22_001 }])).errors[0]?.path).toBe('lines')
  ok(await credit(guid, [{ gstCode: 'GST', cents: 22_000 }]), 201)
  expect(await shown(guid)).toMatchObject({ displayStatus: 'paid', balanceCents: 0 })
  expect((await credit(guid, [{ gstCode: 'GST', cents: 1 }])).error).toBe('CONFLICT')
  for (const bad of [[], [{ gstCode: 'GST', cents: 0 }], [{ gstCode: 'X', cents: 1 }]])
    expect((await credit(guid, bad)).status).toBe(422)
})

test('the last cent of a kind takes the GST that is left of it', async () => {
  const { guid } = await mixed()
  const gst = []
  for (const cents of [33_333, 33_333, 43_334])
    gst.push(ok(await credit(guid, [{ gstCode: 'GST', cents }]), 201).invoice.totals.gstCents)
  expect([gst, gst.reduce((sum, one) => sum + one, 0)]).toEqual([[3030, 3030, 3940], 10_000])
})

test('only by those who may, of invoices that are issued, and by many at once no more than there is', async () => {
  const { guid } = await mixed()
  for (const who of [p.actors.sales, p.actors.field, p.actors.readOnly])
    expect((await credit(guid, [{ gstCode: 'GST', cents: 1 }], who)).status).toBe(403)
  expect((await credit(p.customer.guid, [{ gstCode: 'GST', cents: 1 }])).errors[0]?.path).toBe('invoiceGuid')
  const answers = await many(50, () => credit(guid, [{ gstCode: 'GST', cents: 22_000 }]))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(await shown(guid)).toMatchObject({ creditedCents: 110_000, balanceCents: 50_000 })
  const body = { customerGuid: p.customer.guid, title: 'Draft', lines }
  const draft = ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', '/Invoices', body), 201).invoice
  expect((await credit(draft.guid, [{ gstCode: 'GST', cents: 1 }])).error).toBe('INVALID_TRANSITION')
})

test('the books agree with all of it', async () => {
  expect((await verifyLedger(p.app.deps.db)).problems).toEqual([])
})
