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
    freeCents: 0,
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

test('never more of a kind than is left of it', async () => {
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
  expect((await credit(guid, [{ gstCode: 'EXPORT', cents: 1 }])).errors).toEqual([
    { path: 'lines.0.cents', message: 'This invoice has nothing with the GST code “Export”.' },
  ])
  ok(await credit(guid, [{ gstCode: 'FREE', cents: 12_000 }]), 201)
  expect((await credit(guid, [{ gstCode: 'FREE', cents: 1 }])).errors).toEqual([
    { path: 'lines.0.cents', message: 'Nothing more with this GST code can be credited.' },
  ])
  ok(await p.byHand({ amountCents: 100_000, allocations: [{ invoiceGuid: guid, cents: 100_000 }] }), 201)
  ok(await credit(guid, [{ gstCode: 'GST', cents: 22_000 }]), 201)
  expect(await shown(guid)).toMatchObject({ displayStatus: 'paid', balanceCents: 0 })
  expect((await credit(guid, [{ gstCode: 'GST', cents: 88_001 }])).errors[0]?.message).toBe(
    'Only $880.00 of the part with GST can still be credited.',
  )
  for (const bad of [[], [{ gstCode: 'GST', cents: 0 }], [{ gstCode: 'X', cents: 1 }]])
    expect((await credit(guid, bad)).status).toBe(422)
})

test.each([
  ['fr', 'Cette facture n’a rien avec le code GST « Taxé en amont ».'],
  ['ar', 'لا شيء في هذه الفاتورة برمز GST «خاضع لضريبة المدخلات».'],
])('says in %s that an invoice has nothing of a kind', async (language, message) => {
  const { guid } = await mixed()
  const reader = { headers: { ...p.actors.office.headers, 'accept-language': language } }
  expect((await credit(guid, [{ gstCode: 'INPUT_TAXED', cents: 1 }], reader)).errors[0]?.message).toBe(message)
})

test('of more than is owing makes what was paid credit, the newest money first', async () => {
  const { guid } = await mixed()
  const pay = async (cents: number) =>
    ok(await p.byHand({ amountCents: cents, allocations: [{ invoiceGuid: guid, cents }] }), 201).payment
  const [first, second] = [await pay(90_000), await pay(50_000)]
  expect(await left(guid)).toMatchObject({ balanceCents: 20_000, freeCents: 140_000 })
  const note = ok(await credit(guid, [{ gstCode: 'GST', cents: 80_000 }]), 201).invoice
  expect(note.totals).toMatchObject({ totalCents: 80_000, gstCents: 7_273 })
  const [a, b] = [await p.payment(first.guid), await p.payment(second.guid)]
  expect([a.unallocatedCents, a.allocations.map((one) => one.cents)]).toEqual([10_000, [80_000]])
  expect([b.unallocatedCents, b.allocations]).toEqual([50_000, []])
  expect(await shown(guid)).toMatchObject({ paidCents: 80_000, creditedCents: 80_000, balanceCents: 0 })
  ok(await p.refund({ paymentGuid: first.guid, invoiceGuid: guid, amountCents: 30_000, reasonCode: 'goodwill' }), 201)
  expect(await left(guid)).toMatchObject({ balanceCents: 0, freeCents: 50_000 })
  ok(await credit(guid, [{ gstCode: 'FREE', cents: 30_000 }]), 201)
  expect(await p.payment(first.guid)).toMatchObject({ unallocatedCents: 40_000, allocations: [{ cents: 50_000 }] })
  expect(await shown(guid)).toMatchObject({ paidCents: 50_000, refundedCents: 30_000, balanceCents: 0 })
})

test('keeps off what is written off or on its way back', async () => {
  const { guid } = await mixed()
  const cents = 159_700
  const given = [{ invoiceGuid: guid, cents, writeOffCents: 300 }]
  ok(await p.byHand({ amountCents: cents, allocations: given }), 201)
  expect(await left(guid)).toMatchObject({ balanceCents: 0, freeCents: cents })
  const all = [
    { gstCode: 'GST', cents: 110_000 },
    { gstCode: 'FREE', cents: 50_000 },
  ]
  expect((await credit(guid, all)).errors).toEqual([
    {
      path: 'lines',
      message: 'Only $1,597.00 can still be credited. The rest is written off or being refunded.'.replace(',', ''),
    },
  ])
})

test('of a paid invoice by many at once frees each cent once', async () => {
  const { guid } = await mixed()
  const { payment } = ok(
    await p.byHand({ amountCents: 160_000, allocations: [{ invoiceGuid: guid, cents: 160_000 }] }),
    201,
  )
  const answers = await many(12, () => credit(guid, [{ gstCode: 'GST', cents: 22_000 }]))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(await p.payment(payment.guid)).toMatchObject({ unallocatedCents: 110_000, allocations: [{ cents: 50_000 }] })
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
