import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, localDay } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { ok } from '../../test/support/factories.ts'
import { type Paying, type PaymentFacts, startPaying } from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'

/** What the year goes through; each run draws it anew from a seed that is told. */
const seed = Number(process.env.LIVES_SEED ?? 20_261_125)
const deeds = process.env.PROVE ? 400 : 70

let p: Paying
beforeAll(async () => {
  p = await startPaying()
})
afterAll(() => p.stop())

let state = seed
const below = (count: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * count)
}
const one = <T>(of: readonly T[]): T | undefined => of[below(of.length)]

const dayMs = 86_400_000
const today = () => localDay(new Date(Date.now() + p.clock.aheadMs).toISOString(), 'Australia/Sydney')

const invoices: string[] = []
const orders: string[] = []
const payments: string[] = []
const shown = async (guid: string) =>
  ok(await p.app.call<{ invoice: Invoice }>(p.actors.accountant, 'GET', `/Invoices/${guid}`)).invoice

async function issue() {
  const lines = [
    { name: 'Hoarding', unitPriceCents: 1000 + below(200_000) },
    ...(below(2) === 0 ? [{ name: 'Permit', unitPriceCents: 100 + below(90_000), gstCode: 'FREE' }] : []),
  ]
  const body = { customerGuid: p.customer.guid, title: 'Hoarding', lines }
  const { invoice } = ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', '/Invoices', body), 201)
  const path = `/Invoices/Issue/${invoice.guid}`
  ok(await p.app.call(p.actors.office, 'POST', path, { version: invoice.version }))
  invoices.push(invoice.guid)
}

/** A payment of one or two invoices, received today or some time ago, with a little too much now and then. */
async function pay() {
  const chosen = [...new Set([one(invoices), one(invoices)].flatMap((guid) => guid ?? []))].toSorted()
  const owing = []
  for (const guid of chosen) owing.push(await shown(guid))
  const allocations = owing.flatMap(({ guid, status, balanceCents, kind }) =>
    status === 'issued' && kind !== 'adjustment_note' && balanceCents > 0
      ? [{ invoiceGuid: guid, cents: below(3) === 0 ? balanceCents : 1 + below(balanceCents) }]
      : [],
  )
  const amountCents = allocations.reduce((sum, { cents }) => sum + cents, below(2) * below(30_000))
  if (amountCents === 0) return
  const receivedOn = addDays(today(), -below(40))
  const given = { customerGuid: p.customer.guid, receivedOn, amountCents, allocations }
  const answer = await p.byHand(given)
  if (answer.status === 201) payments.push(answer.data.payment.guid)
}

/** Money for an order that is made for it or was there, or a change of what an order comes to. */
async function prepay() {
  const known = one(orders)
  const lines = [
    { name: 'Scaffold', unitPriceCents: 1000 + below(200_000) },
    ...(below(2) === 0 ? [{ name: 'Permit', unitPriceCents: 100 + below(90_000), gstCode: 'FREE' }] : []),
  ]
  const call = <D>(method: 'POST' | 'PATCH' | 'GET', path: string, body?: object) =>
    p.app.call<D>(p.actors.administrator, method, path, body, keyed())
  if (known && below(4) === 0) {
    const { order } = ok(await call<{ order: Order }>('GET', `/Orders/${known}`))
    await call('PATCH', `/Orders/${known}`, { version: order.version, lines })
    return
  }
  const made = () =>
    call<{ order: Order }>('POST', '/Orders', { customerGuid: p.customer.guid, title: 'Scaffold', lines })
  const orderGuid = known && below(2) === 0 ? known : ok(await made(), 201).order.guid
  if (orderGuid !== known) orders.push(orderGuid)
  const receivedOn = addDays(today(), -below(40))
  const given = {
    customerGuid: p.customer.guid,
    orderGuid,
    receivedOn,
    amountCents: 1 + below(60_000),
    allocations: [],
  }
  const answer = await p.byHand(given)
  if (answer.status === 201) payments.push(answer.data.payment.guid)
}
/** An invoice of an order, which takes what came for it. */
async function bill() {
  const guid = one(orders)
  if (!guid) return
  const { order } = ok(await p.app.call<{ order: Order }>(p.actors.office, 'GET', `/Orders/${guid}`))
  const made = await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', `/Orders/Invoice/${guid}`, {
    version: order.version,
    kind: 'final',
  })
  if (made.status !== 201) return
  const { invoice } = made.data
  ok(await p.app.call(p.actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }))
  invoices.push(invoice.guid)
}
/** What is left of a payment goes to an invoice, or back. */
async function spend() {
  const payment = await aPayment()
  if (!payment || payment.unallocatedCents <= 0) return
  const cents = 1 + below(payment.unallocatedCents)
  if (below(3) === 0) {
    await p.refund({ paymentGuid: payment.guid, amountCents: cents, reasonCode: 'duplicate' })
    return
  }
  const allocations = [{ invoiceGuid: one(invoices) ?? '', cents }]
  await p.app.call(p.actors.accountant, 'POST', `/Payments/Allocate/${payment.guid}`, { allocations }, keyed())
}

const aPayment = async (): Promise<PaymentFacts | null> => {
  const guid = one(payments)
  return guid ? p.payment(guid) : null
}

async function takeOff() {
  const payment = await aPayment()
  const allocation = payment?.allocations.at(-1)
  if (!payment || !allocation) return
  const given = { allocationGuid: allocation.guid, ...(below(2) === 0 ? { cents: 1 + below(allocation.cents) } : {}) }
  await p.app.call(p.actors.accountant, 'POST', `/Payments/Unallocate/${payment.guid}`, given, keyed())
}
const applyCredit = () =>
  p.app.call(p.actors.accountant, 'POST', `/Customers/Credit/Apply/${p.customer.guid}`, {
    on: addDays(today(), -below(20)),
  })
async function reverse() {
  const payment = await aPayment()
  const given = { reason: 'dishonoured', on: addDays(today(), -below(5)) }
  if (payment) await p.app.call(p.actors.accountant, 'POST', `/Payments/Reverse/${payment.guid}`, given, keyed())
}
async function refund() {
  const payment = await aPayment()
  const part = payment?.allocations.find(({ refundableCents }) => refundableCents > 0)
  if (!payment || !part) return
  const amountCents = below(2) === 0 ? part.refundableCents : 1 + below(part.refundableCents)
  const reasonCode = one(['goodwill', 'duplicate', 'quality'])
  await p.refund({ paymentGuid: payment.guid, invoiceGuid: part.invoiceGuid, amountCents, reasonCode })
}
async function credit() {
  const guid = one(invoices)
  if (!guid) return
  const left = ok(
    await p.app.call<{ parts: { gstCode: string; cents: number }[]; balanceCents: number }>(
      p.actors.office,
      'GET',
      `/Invoices/Notes/${guid}`,
    ),
  )
  const part = one(left.parts)
  const most = Math.min(part?.cents ?? 0, left.balanceCents)
  if (!part || most <= 0) return
  const lines = [{ gstCode: part.gstCode, cents: 1 + below(most), text: 'Less was built' }]
  await p.app.call(
    p.actors.office,
    'POST',
    '/Invoices/Notes',
    { invoiceGuid: guid, lines, reason: 'As agreed' },
    keyed(),
  )
}
async function change(path: 'WriteOff' | 'Recover' | 'Void', more: (invoice: Invoice) => object) {
  const guid = one(invoices)
  if (!guid) return
  const invoice = await shown(guid)
  const given = { version: invoice.version, ...more(invoice) }
  await p.app.call(p.actors.accountant, 'POST', `/Invoices/${path}/${guid}`, given)
}
const part = (balanceCents: number) => (below(2) === 0 || balanceCents <= 0 ? {} : { cents: 1 + below(balanceCents) })

const whatHappens: readonly (() => Promise<unknown>)[] = [
  ...[issue, issue, issue, pay, pay, pay, pay, pay, takeOff, applyCredit, reverse, refund, refund, credit, credit],
  ...[prepay, prepay, prepay, bill, spend, spend],
  () => change('WriteOff', ({ balanceCents }) => ({ reasonCode: 'bad_debt', ...part(balanceCents) })),
  () => change('Recover', () => ({})),
  () => change('Void', () => ({ reason: 'Twice' })),
]

interface Row {
  guid: string
  on: string
  cents: string
  gst: string
}
/** What happened to invoices, from the tables of documents alone. */
const told = (text: string) => p.rows<Row>(text)

/**
 * The account of GST collected at the end of a day, reckoned from documents without the product's own rules: whatever
 * was issued while GST counted with the invoice counts so for good, the rest with its money until that changes.
 */
async function reckon(changes: readonly { from: string; basis: string }[], first: string) {
  const issued = await told(`select guid, issue_on::text as "on", total_cents as cents, gst_cents as gst from invoices
    where kind <> 'adjustment_note' and number is not null`)
  const notes = await told(`select adjusts_invoice_guid as guid, issue_on::text as "on", total_cents as cents,
    gst_cents as gst from invoices where kind = 'adjustment_note' and status = 'issued'`)
  const money = await told(`select invoice_guid as guid, effective_on::text as "on", cents, 0 as gst
    from payment_allocations union all select r.invoice_guid, e.posted_on::text, -r.amount_cents, 0 from refunds r
    join journal_entries e on e.source = 'refund' and e.source_guid = r.guid where r.invoice_guid is not null`)
  const offs = await told(`select invoice_guid as guid, effective_on::text as "on",
    case when reverses_guid is null then cents else -cents end as cents,
    case when reverses_guid is null then gst_cents else -gst_cents end as gst from write_offs`)
  const voids = await told(`select i.guid, e.posted_on::text as "on", 0 as cents, 0 as gst from invoices i
    join journal_entries e on e.source = 'void' and e.source_guid = i.guid where i.status = 'void'`)
  const prepaid = await told(`select p.guid, e.posted_on::text as "on", (p.order_gst ->> 'totalCents')::bigint as cents,
    (p.order_gst ->> 'gstCents')::bigint as gst from payments p join journal_entries e on e.source = 'payment'
    and e.source_guid = p.guid where p.order_guid is not null`)
  const spent = await told(`select p.guid, e.posted_on::text as "on", p.amount_cents as cents, 0 as gst from payments p
    join journal_entries e on e.source = 'payment' and e.source_guid = p.guid
    union all select payment_guid, effective_on::text, -cents, 0 from payment_allocations
    union all select r.payment_guid, e.posted_on::text, -r.amount_cents, 0 from refunds r
      join journal_entries e on e.source = 'refund' and e.source_guid = r.guid where r.invoice_guid is null
    union all select v.payment_guid, v.reversed_on::text, -p.amount_cents, 0 from payment_reversals v
      join payments p on p.guid = v.payment_guid`)
  const forwards = await told(`select order_guid as guid, on_day::text as "on", cents, 0 as gst from gst_forwards`)
  const upTo = (rows: readonly Row[], guid: string, day: string, field: 'cents' | 'gst') =>
    rows.filter((row) => row.guid === guid && row.on <= day).reduce((sum, row) => sum + BigInt(row[field]), 0n)
  const basisAt = (day: string) => changes.filter(({ from }) => from <= day).at(-1)?.basis ?? first
  return (day: string) => {
    let [due, open] = [0n, 0n]
    for (const { guid, on, cents, gst } of issued) {
      if (on > day || voids.some((row) => row.guid === guid && row.on <= day)) continue
      const total = BigInt(cents) - upTo(notes, guid, day, 'cents')
      const tax = BigInt(gst) - upTo(notes, guid, day, 'gst')
      const billed = tax - upTo(offs, guid, day, 'gst')
      const paid = upTo(money, guid, day, 'cents')
      let counted = total === 0n ? 0n : (2n * paid * tax + total) / (2n * total)
      for (let at = on; at <= day; at = addDays(at, 1)) if (basisAt(at) === 'accrual') counted = billed
      due += counted
      open += billed - counted
    }
    for (const { guid, on, cents, gst } of basisAt(day) === 'cash' ? prepaid : []) {
      if (on > day) continue
      const counted = (2n * upTo(spent, guid, day, 'cents') * BigInt(gst) + BigInt(cents)) / (2n * BigInt(cents))
      due += counted
      open -= counted
    }
    for (const { on, cents } of forwards) if (on <= day) due += BigInt(cents)
    return { due: Number(due), open: Number(open) }
  }
}

const balance = async (account: string, day: string) => {
  const [row] = await p.rows<{ cents: string }>(
    `select coalesce(sum(l.credit_cents - l.debit_cents), 0) as cents from journal_lines l
      join journal_entries e on e.guid = l.entry_guid where l.account = $1 and e.posted_on <= $2::date`,
    [account, day],
  )
  return Number(row?.cents)
}

interface Sheet {
  basis: string
  labels: { label: string; cents: number }[]
  decreases: Record<string, number>
  accountCents: number
  agrees: boolean | null
}
const sheetOf = async (from: string, to: string) =>
  ok(await p.app.call<Sheet>(p.actors.accountant, 'GET', `/Tax/Bas?from=${from}&to=${to}`))
const netOf = ({ labels, decreases }: Sheet) => {
  const of = Object.fromEntries(labels.map(({ label, cents }) => [label, cents]))
  const sales = ['G1', 'G2', 'G3', 'G4'].map((label) => (of[label] ?? 0) - (decreases[label] ?? 0))
  return [...sales, (of['1A'] ?? 0) - (of['1B'] ?? 0)]
}

const title = 'random lives of documents, on both bases and across two changes, agree with the journal day by day'
test(`${title} (${seed})`, async () => {
  const begin = -200
  p.clock.aheadMs = begin * dayMs
  const changes: { from: string; basis: string }[] = []
  /** On the first day of a month that is open, whatever was posted since. */
  const switchTo = async (basis: string) => {
    const from = `${today().slice(0, 8)}01`
    const given = { basis, from }
    const preview = ok(await p.app.call<object>(p.actors.accountant, 'POST', '/Tax/Basis', { ...given, dryRun: true }))
    const done = ok(await p.app.call<object>(p.actors.accountant, 'POST', '/Tax/Basis', given))
    expect(done).toEqual(preview)
    changes.push(given)
  }
  await p.rows(`update businesses set bas_cycle = 'monthly'`)
  for (let deed = 0; deed < deeds; deed++) {
    p.clock.aheadMs = Math.min(begin + Math.floor(((deed + 1) / deeds) * -begin), 0) * dayMs
    if (deed === Math.floor(deeds * 0.3)) await switchTo('cash')
    if (deed === Math.floor(deeds * 0.75)) await switchTo('accrual')
    if (invoices.length < 3) await issue()
    else await one(whatHappens)?.()
  }
  p.clock.aheadMs = 0
  expect(await p.problems()).toEqual([])
  const posted = await p.rows<{ source: string }>('select distinct source from journal_entries order by 1')
  expect(posted.map(({ source }) => source)).toEqual(
    expect.arrayContaining([
      ...['adjustment_note', 'allocation', 'basis_change', 'gst_due', 'invoice', 'payment', 'refund'],
      ...['gst_forward', 'payment_reversal', 'unallocation', 'write_off'],
    ]),
  )
  const at = await reckon(changes, 'accrual')
  const [first, last] = [addDays(today(), begin - 60), today()]
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const { due, open } = at(day)
    expect({ day, due: await balance('2100', day), open: await balance('2105', day) }).toEqual({ day, due, open })
  }
  const cuts = [...new Set([addDays(first, -1), ...Array.from({ length: 5 }, () => addDays(first, below(250))), last])]
  const sheets = []
  for (const [i, to] of cuts.toSorted().entries())
    if (i > 0) sheets.push(await sheetOf(addDays(cuts.toSorted()[i - 1] ?? '', 1), to))
  const whole = await sheetOf(first, last)
  expect([...sheets, whole].filter(({ agrees }) => agrees !== true)).toEqual([])
  const sums = sheets.map(netOf).reduce((sum, nets) => sum.map((cents, i) => cents + (nets[i] ?? 0)))
  expect(sums).toEqual(netOf(whole))
})
